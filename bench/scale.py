"""How warpath grows: fills stores with a synthetic graph and measures them; writes a table into docs/benchmarks.md.

    python -m bench.scale                   10,000 and 100,000 resources, embedded; 10,000 on Neo4j
    python -m bench.scale --million         a million too: an hour, and 20 GB of disk
    python -m bench.scale --folder PLACE    keeps the embedded stores there, and goes on where a run was stopped
    python -m bench.scale --sizes 1000 --no-servers

Every stage runs in a process of its own, so that memory is that of the stage.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

from api.bootstrap import open_graph, open_index
from api.settings import Settings, is_server
from bench.synthetic import DIMENSION, RandomEmbedder, Synthetic
from graph import indexing
from graph.library import Library
from graph.models import PathRequest, SearchRequest

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- scale: written by `make bench` -->", "<!-- /scale -->"
EMBEDDED_BATCH = 20_000  # resources of one write where nothing but this process's memory bounds it
SEARCHES, PATHS, MOST_SECONDS = 300, 60, 120
HEAD = (
    "| resources | stores | graph writes / s | index writes / s | first answer s | search p50 / p99 ms"
    " | path p50 / p99 ms | memory to fill / to answer MB | disk MB |\n|--:|---|--:|--:|--:|--:|--:|--:|--:|"
)


def fill(settings: Settings, size: int) -> dict[str, Any]:
    """Writes graph and index; rates are resources a second."""
    graph = open_graph(settings)
    made = Synthetic(size) if is_server(settings.graph) else Synthetic(size, batch=EMBEDDED_BATCH)
    spent = {"graph": 0.0, "index": 0.0}
    stamp = graph.facts()["stamp"]
    for changes in made.batches():
        with timed(spent, "graph"):
            stamp = graph.write(changes, expect=stamp)
    with closing(open_index(settings, DIMENSION)) as index, timed(spent, "index"):
        index.rebuild(indexing.stored_points(graph), stamp)
    return {"graph_rate": size / spent["graph"], "index_rate": size / spent["index"], "fill_memory": peak_memory()}


def ask(settings: Settings, size: int) -> dict[str, Any]:
    """Searches and plans, as a service would."""
    made, started = Synthetic(size), time.perf_counter()
    with closing(
        Library(open_graph(settings), lambda width: open_index(settings, width), lambda _: RandomEmbedder())
    ) as library:
        library.search(SearchRequest(query="first"))
        first = time.perf_counter() - started
        searches = [SearchRequest(query=query) for query in made.queries(SEARCHES)]
        goals = [PathRequest(goal=made.topics[n * len(made.topics) // PATHS]) for n in range(PATHS)]
        return {
            "first": first,
            "search": latencies(library.search, searches),
            "path": latencies(library.plan, goals),
            "memory": peak_memory(),
        }


def latencies(ask: Callable[[Any], object], requests: list[Any]) -> list[float]:
    """Median and 99th percentile in milliseconds; stops early where it takes too long."""
    found: list[float] = []
    deadline = time.perf_counter() + MOST_SECONDS
    for request in requests:
        started = time.perf_counter()
        ask(request)
        found.append((time.perf_counter() - started) * 1000)
        if time.perf_counter() > deadline and len(found) > 1:
            break
    cuts = quantiles(found, n=100, method="inclusive")
    return [cuts[49], cuts[98]]


@contextmanager
def timed(spent: dict[str, float], name: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    spent[name] += time.perf_counter() - started


def peak_memory() -> float:
    """The most memory this process has had, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def disk(folder: Path) -> float:
    """What a folder takes, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def measured(size: int, stores: str, environment: dict[str, str], folder: Path, home: Path | None = None) -> str:
    """One row of the table."""
    found: dict[str, Any] = {}
    for stage in ("fill", "ask"):
        kept = folder / f"{stage}.json"
        if not kept.exists():
            command = [sys.executable, "-m", "bench.scale", "--stage", stage, "--sizes", str(size)]
            done = subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True, check=True)
            kept.write_text(done.stdout.splitlines()[-1])
        found |= json.loads(kept.read_text())
    size_on_disk = disk(folder) + (disk(home) if home else 0)
    row = (
        f"| {size:,} | {stores} | {found['graph_rate']:,.0f} | {found['index_rate']:,.0f} | {found['first']:.1f} "
        f"| {_pair(found['search'])} | {_pair(found['path'])} "
        f"| {found['fill_memory']:,.0f} / {found['memory']:,.0f} | {size_on_disk:,.0f} |"
    )
    print(row, file=sys.stderr, flush=True)
    return row


def _pair(pair: list[float]) -> str:
    return " / ".join(f"{value:,.1f}" for value in pair)


def embedded(size: int, kept: Path | None) -> str:
    """The stores of one folder, which stays if one is named."""
    with tempfile.TemporaryDirectory() as name:
        folder = kept / str(size) if kept else Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        return measured(size, "SQLite + Qdrant Edge", {"WARPATH_DATA": str(folder)}, folder)


def on_servers(size: int) -> str:
    """Neo4j, started for it; the index on the Qdrant server that WARPATH_VECTORS names, else embedded."""
    from tests import servers

    server, vectors = servers.own_neo4j(servers.LTS), os.environ.get("WARPATH_VECTORS")
    try:
        with tempfile.TemporaryDirectory() as name:
            place = {"WARPATH_DATA": name, "WARPATH_GRAPH": server.uri, "WARPATH_GRAPH_PASSWORD": server.password}
            stores = f"Neo4j {server.release.version} + Qdrant {'server' if vectors else 'Edge'}"
            return measured(size, stores, place, Path(name), server.home / "data")
    finally:
        server.close()


def publish(rows: list[str]) -> None:
    """Puts the table between its markers."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{HEAD}\n{chr(10).join(rows)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--no-servers", action="store_true")
    parser.add_argument("--folder", type=Path, metavar="PLACE", help="keep the embedded stores there")
    parser.add_argument("--dry", action="store_true", help="print the table only")
    parser.add_argument("--stage", choices=("fill", "ask"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.stage:
        print(json.dumps({"fill": fill, "ask": ask}[given.stage](Settings.model_validate({}), given.sizes[0])))
        return
    rows = [embedded(size, given.folder) for size in (*given.sizes, *([1_000_000] if given.million else []))]
    rows += [] if given.no_servers else [on_servers(min(given.sizes))]
    if not given.dry:
        publish(rows)


if __name__ == "__main__":
    main()
