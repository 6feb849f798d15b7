"""What people see of an evaluation: a table of all cases, one by group, and what each case did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from api.page import Line, Page, Table
from graph.evaluation.estimate import ALL, Case, Estimate, Lead, Row
from graph.evaluation.path_quality import GoalCase, PathReport
from graph.evaluation.search_quality import QueryCase, SearchReport

SEARCH, PATHS = "nDCG@10", "score"  # the measure that systems are told apart by


def search_report(report: SearchReport) -> Page:
    """All queries, then by style, then what was abstained."""
    yield from _summary(report.rows, report.leads, SEARCH, "answerable queries")
    yield from _by_group(report.rows, SEARCH)
    held = report.abstention
    rightly = held.unanswerable - len(held.answered)
    yield Line("")
    yield Line(f"Unanswerable, abstained: {rightly} of {held.unanswerable}.{_but('Answered', held.answered)}")
    yield Line(f"Answerable, given up: {len(held.lost)} of {held.answerable}.{_but('Given up', held.lost)}")


def query_report(report: SearchReport) -> Page:
    """Every query with the ranks at which warpath has what answers it, then the summary."""
    yield from _cases(report.cases, SEARCH, [_ranks(case) for case in report.cases], "ranks")
    yield Line("")
    yield from search_report(report)


def path_report(report: PathReport) -> Page:
    """All goals."""
    yield from _summary(report.rows, report.leads, PATHS, "goals")


def goal_report(report: PathReport) -> Page:
    """Every goal with what warpath's path lacks or should not have, then the summary."""
    yield from _cases(report.cases, PATHS, [_faults(case) for case in report.cases], "faults")
    yield Line("")
    yield from path_report(report)


def _cases(cases: Sequence[Case], main: str, remarks: Sequence[str], remark: str) -> Page:
    systems = tuple(cases[0].measures) if cases else ()
    yield Line(f"{main} of every case: {', '.join(systems)}", "bold")
    yield Table(
        ("id", "style", "asked", *systems, remark),
        tuple(
            (case.id, case.group, case.text, *(f"{held[main]:.2f}" for held in case.measures.values()), text)
            for case, text in zip(cases, remarks, strict=True)
        ),
    )


def _ranks(case: QueryCase) -> str:
    found = sorted(rank for rank in case.ranks.values() if rank)
    missed = len(case.ranks) - len(found)
    parts = (", ".join(map(str, found)), f"{missed} missed" if missed else "", "abstained" if case.abstained else "")
    return "; ".join(filter(None, parts))


def _faults(case: GoalCase) -> str:
    return "; ".join(
        (
            *((case.failure,) if case.failure else ()),
            *(f"not covered: {concept}" for concept in case.uncovered),
            *(f"{after} before {before}" for before, after in case.reversed),
            *(f"unwanted: {name}" for name in case.unwanted),
        )
    )


def _summary(rows: Sequence[Row], leads: Sequence[Lead], main: str, cases: str) -> Page:
    """A row for each system, with what warpath is ahead of it."""
    held = [row for row in rows if row.group == ALL]
    if not held:
        return
    names = tuple(held[0].measures)
    ahead = {lead.over: lead.measures[main] for lead in leads}
    columns = ", ".join((*names, f"{held[0].system}'s lead in {main}"))
    yield Line(f"Means over {held[0].cases} {cases}, with 95 % bootstrap intervals: {columns}", "bold")
    yield Table(
        ("", *names, "lead"),
        tuple(
            (row.system, *(_figure(row.measures[name]) for name in names), _lead(ahead.get(row.system))) for row in held
        ),
    )


def _by_group(rows: Sequence[Row], main: str) -> Page:
    """A row for each group of cases, a column for each system."""
    systems = tuple(dict.fromkeys(row.system for row in rows))
    groups = {row.group: row.cases for row in rows if row.group != ALL}
    figures = {(row.group, row.system): row.measures[main] for row in rows}
    if groups:
        yield Line("")
        yield Line(f"{main} by style: queries, {', '.join(systems)}", "bold")
        yield Table(
            ("style", "queries", *systems),
            tuple((group, cases, *(_figure(figures[group, s]) for s in systems)) for group, cases in groups.items()),
        )


def _figure(one: Estimate) -> str:
    return f"{one.mean:.2f} [{one.low:.2f}, {one.high:.2f}]"


def _lead(one: Estimate | None) -> str:
    return f"{one.mean:+.2f} [{one.low:+.2f}, {one.high:+.2f}]" if one else ""


def _but(what: str, ids: Iterable[str]) -> str:
    named = ", ".join(ids)
    return f" {what}: {named}." if named else ""
