"""The readers against lists that people have read by eye. The table is printed (`pytest -s` shows it)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ingest.readers import read_file

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
CORPUS = ROOT / "ingest" / "corpus"
WANTED = {"recall": 1.0, "precision": 1.0, "url": 1.0, "tier": 1.0, "status": 1.0, "section": 1.0}
NEARLY = {"title": 0.99, "authors": 0.95, "kind": 0.90}
# Which starter list carries the facts of which list read by eye.
FACTS = {
    "000": "learning-list.txt",
    "001": "gpu-acts.txt",
    "003": "inference-guide.md",
    "004": "gpu-performance-guide.md",
}

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the lists read by eye are not here (../shared)")


@pytest.fixture(scope="module")
def table() -> dict[str, dict[str, float]]:
    """Scores by list, of everything the readers make of it."""
    read = (read_file(path) for path in sorted((SHARED / "seeds").iterdir()))
    lines = "\n".join(json.dumps(m.model_dump(mode="json")) for document in read for m in document.mentions)
    command = [sys.executable, str(SHARED / "gold" / "score.py")]
    print("\n" + subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout)
    scored = subprocess.run([*command, "--json"], input=lines, capture_output=True, text=True, check=True)
    found: dict[str, dict[str, float]] = json.loads(scored.stdout)
    return found


@pytest.mark.parametrize("seed", ["000", "001", "003", "004"])
def test_lists_are_read_as_a_person_reads_them(table: dict[str, dict[str, float]], seed: str) -> None:
    row = {name: value for name, value in table[seed].items() if value is not None}
    missed = {name: row[name] for name, least in (WANTED | NEARLY).items() if row.get(name, 1.0) < least}

    assert not missed


def test_a_devlog_s_free_prose_is_read_mostly_right(table: dict[str, dict[str, float]]) -> None:
    assert min(table["002"]["recall"], table["002"]["precision"]) >= 0.85


def test_copies_of_a_devlog_post_are_one_entry() -> None:
    told = json.loads((SHARED / "gold" / "devlog_002.json").read_text(encoding="utf-8"))
    document = read_file(next((SHARED / "seeds").glob("002*")))

    assert len(document.entries) == told["unique_entries"]


@pytest.mark.parametrize("seed", FACTS)
def test_the_starter_lists_carry_the_same_facts(seed: str) -> None:
    """Same works with the same addresses, tiers and last section, whatever is said about them."""
    gold = (SHARED / "gold" / f"seed_{seed}.jsonl").read_text(encoding="utf-8").splitlines()
    told = Counter((row["url"], row["tier"], (row["section"] or [""])[-1]) for row in map(json.loads, gold))
    mentions = read_file(CORPUS / FACTS[seed]).mentions
    carried = Counter((m.url, m.tier, (m.section or ("",))[-1]) for m in mentions)

    assert carried == told
