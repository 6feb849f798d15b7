"""Commands that measure search and paths against judged sets: eval search, eval paths."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api import progress
from api.commands.base import Session, command

commands = typer.Typer()
_group = typer.Typer(no_args_is_help=True, help="Measure search and paths against what people judged.")
commands.add_typer(_group, name="eval")

Judged = Annotated[Path, typer.Argument(help="What was judged, a JSON object a line.", metavar="FILE")]


@command(
    _group,
    "warpath eval search tests/gold/search.jsonl",
    "warpath eval search mine.jsonl --per-query --json | jq .abstention",
)
def search(
    session: Session,
    file: Judged,
    per_query: Annotated[bool, typer.Option("--per-query", help="Also give every query.")] = False,
) -> None:
    """Measure search on judged queries, beside BM25, dense vectors and both fused by RRF.

    All run over the store as it is. docs/evaluation.md explains the file and the figures.
    """
    from api.evaluation_page import query_report, search_report
    from graph.evaluation.judged import read_queries
    from graph.evaluation.search_quality import evaluate_search

    queries = read_queries(file)
    with session.library() as library, progress.shown(session.out) as told:
        report = evaluate_search(library, queries, told)
    if per_query:
        session.out.one(report, query_report)
    else:
        session.out.one(report.model_copy(update={"cases": ()}), search_report)


@command(
    _group,
    "warpath eval paths tests/gold/paths.jsonl",
    "warpath eval paths mine.jsonl --per-goal",
)
def paths(
    session: Session,
    file: Judged,
    per_goal: Annotated[bool, typer.Option("--per-goal", help="Also give every goal.")] = False,
) -> None:
    """Measure learning paths on judged goals, beside a plain list of what search finds.

    docs/evaluation.md explains the file and the figures.
    """
    from api.evaluation_page import goal_report, path_report
    from graph.evaluation.judged import read_goals
    from graph.evaluation.path_quality import evaluate_paths

    goals = read_goals(file)
    with session.library() as library, progress.shown(session.out) as told:
        report = evaluate_paths(library, goals, told)
    if per_goal:
        session.out.one(report, goal_report)
    else:
        session.out.one(report.model_copy(update={"cases": ()}), path_report)
