"""How good search is on a judged set, beside the baselines on the same store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.evaluation.baselines import Baselines, Told
from graph.evaluation.estimate import Case, Lead, Row, leads, rows
from graph.evaluation.judged import JudgedQuery
from graph.evaluation.matching import by_work, grades, is_work
from graph.evaluation.measures import good_first, ndcg, recall, reciprocal_rank
from graph.library import Library
from graph.models import SearchAnswer, SearchRequest, Value

OURS = "warpath"
DEPTH = 50  # results that are looked at


class QueryCase(Case):
    """An answerable query; `ranks` says where warpath's results hold each work that answers it."""

    abstained: bool
    ranks: dict[str, int | None]


class Abstention(Value):
    """How well search knows what it does not know. `lost` are answerable queries that it gave up."""

    answerable: int
    lost: tuple[str, ...]
    unanswerable: int
    answered: tuple[str, ...]  # unanswerable queries that it answered all the same


class SearchReport(Value):
    """Everything measured of search. Means are over the answerable queries; a lost one counts 0."""

    rows: tuple[Row, ...]
    leads: tuple[Lead, ...]
    abstention: Abstention
    cases: tuple[QueryCase, ...]


def evaluate_search(
    library: Library, queries: Sequence[JudgedQuery], told: Told, *, baselines: bool = True
) -> SearchReport:
    """Asks every query and measures the answers.

    Raises:
        StoreEmpty: nothing was ingested yet.
        UnknownName: a query's filter names hardware that is not in the graph.
    """
    others = Baselines(library, told) if baselines else None
    cases, silent = [], set()
    for done, query in enumerate(queries, 1):
        request = asked(query)
        answer = library.search(request)
        if answer.abstain:
            silent.add(query.id)
        if query.relevant:
            answers = {OURS: answer, **(others.answers(request) if others else {})}
            cases.append(_case(query, answers))
        told("Ask the queries", done, len(queries))
    return SearchReport(
        rows=rows(cases) if cases else (),
        leads=leads(cases) if cases else (),
        abstention=_abstention(queries, silent),
        cases=tuple(cases),
    )


def asked(query: JudgedQuery) -> SearchRequest:
    """A judged query as a search, deep enough to be measured."""
    return SearchRequest(query=query.query, limit=DEPTH, **dict(query.filters))


def _case(query: JudgedQuery, answers: Mapping[str, SearchAnswer]) -> QueryCase:
    return QueryCase(
        id=query.id,
        group=query.style,
        text=query.query,
        measures={name: measures(query, answer) for name, answer in answers.items()},
        abstained=answers[OURS].abstain,
        ranks=_ranks(query, answers[OURS]),
    )


def measures(query: JudgedQuery, answer: SearchAnswer) -> dict[str, float]:
    """What one answer to a query is worth."""
    found = [] if answer.abstain else grades(answer.hits, query.relevant)
    wanted = by_work(query.relevant).values()
    return {
        "nDCG@10": ndcg(found, wanted),
        "MRR": reciprocal_rank(found),
        "recall@10": recall(found, wanted, 10),
        "recall@50": recall(found, wanted, DEPTH),
        "good@1": good_first(found),
    }


def _ranks(query: JudgedQuery, answer: SearchAnswer) -> dict[str, int | None]:
    ranks: dict[str, int | None] = dict.fromkeys(by_work(query.relevant))
    for work in query.relevant:
        here = next((rank for rank, hit in enumerate(answer.hits, 1) if is_work(hit, work)), None)
        ranks[work.rid] = min(filter(None, (here, ranks[work.rid])), default=None)
    return ranks


def _abstention(queries: Sequence[JudgedQuery], silent: set[str]) -> Abstention:
    answerable = [query.id for query in queries if query.relevant]
    unanswerable = [query.id for query in queries if not query.relevant]
    return Abstention(
        answerable=len(answerable),
        lost=tuple(id for id in answerable if id in silent),
        unanswerable=len(unanswerable),
        answered=tuple(id for id in unanswerable if id not in silent),
    )
