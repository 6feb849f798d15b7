"""The txtai half of bench/txtai.py, in a process and environment of its own: JSON on stdin, JSON on stdout.

It indexes the documents with the hybrid search of txtai (BM25 and vectors, its own defaults) and asks every query.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
import time

import torch
from txtai import Embeddings  # type: ignore[import-not-found]


def main() -> None:
    """One job: `model`, `documents` as pairs of id and text, `queries`, `depth` to rank to, `rounds` to time."""
    job = json.load(sys.stdin)
    started = time.perf_counter()
    embeddings = Embeddings(path=job["model"], hybrid=True)
    embeddings.index((id, text, None) for id, text in job["documents"])
    indexed = time.perf_counter() - started
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # as warpath is timed: on one core
    torch.set_num_threads(1)
    ranked = [embeddings.search(query, job["depth"]) for query in job["queries"]]
    milliseconds = []
    for query in job["queries"] * job["rounds"]:
        started = time.perf_counter()
        embeddings.search(query, job["limit"])
        milliseconds.append((time.perf_counter() - started) * 1000)
    version = importlib.metadata.version("txtai")
    json.dump({"version": version, "index_s": indexed, "ranked": ranked, "milliseconds": milliseconds}, sys.stdout)


if __name__ == "__main__":
    main()
