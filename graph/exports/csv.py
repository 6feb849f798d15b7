"""A learning path as CSV (RFC 4180): a row a step, for spreadsheets."""

from __future__ import annotations

import csv
import io

from graph.exports.text import address, clean, title
from graph.models import LearningPath, Pace, Step

COLUMNS = ("position", "topics", "title", "url", "kind", "minutes", "reason", "alternatives")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # what a spreadsheet takes for a formula


def write(path: LearningPath, _: Pace) -> bytes:
    """The table. Everything but numbers stands in quotes, and no cell begins like a formula."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
    rows.writerow(COLUMNS)
    rows.writerows(map(_row, path.steps))
    return text.getvalue().encode()


def _row(step: Step) -> tuple[int | str, ...]:
    kind = step.resource.kind if step.resource else ""
    others = "; ".join(hit.title for hit in step.alternatives)
    cells = (" ".join(step.topics), title(step), address(step.resource), kind)
    return (step.position, *map(_cell, cells), step.minutes, _cell(step.reason), _cell(others))


def _cell(text: str) -> str:
    text = clean(text)
    return f"'{text}" if text.startswith(_FORMULA) else text
