"""The examples of the manual: what stands between fences in its pages."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
ADDRESS = "http://127.0.0.1:8000"  # of the service, in all examples


def examples(page: str, language: str) -> list[str]:
    """The blocks of one language on a page."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
