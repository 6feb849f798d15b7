"""What `warpath doctor` looks at, in the order in which one thing needs the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from graph.errors import StoreEmpty, StoreOutdated, StoreUnavailable, WarpathError
from graph.models import Value

if TYPE_CHECKING:
    from api.settings import Settings


class Check(Value):
    """One thing that was looked at. `detail` says what was found; `hint` what to do about it."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


class Diagnosis(Value):
    """All checks; `ok` if nothing is wrong."""

    ok: bool
    checks: tuple[Check, ...]


def diagnose(settings: Settings) -> Diagnosis:
    """Looks at everything, also after something was found wrong."""
    checks = tuple(_run(settings))
    return Diagnosis(ok=all(check.ok for check in checks), checks=checks)


def _run(settings: Settings) -> Iterator[Check]:
    for name, look in _CHECKS.items():
        try:
            yield Check(name=name, ok=True, detail=look(settings))
        except WarpathError as error:
            yield Check(name=name, ok=False, detail=error.message, hint=error.hint)


def _data(settings: Settings) -> str:
    """The folder of the store, or the nearest one above it that is there, must be writable."""
    folder = next(place for place in (settings.data, *settings.data.absolute().parents) if place.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise StoreUnavailable(f"“{folder}” may not be written to.", hint="Choose another folder with --data.")
    return str(settings.data)


def _ontology(settings: Settings) -> str:
    from api.bootstrap import read_ontology

    ontology = read_ontology(settings)
    return f"{len(ontology.topics)} topics, {len(ontology.hardware)} pieces of hardware"


def _stores(settings: Settings) -> str:
    from api.bootstrap import open_library

    with closing(open_library(settings)) as library:
        status = library.status()
    return f"{status.nodes.get('Resource', 0)} resources, {status.vectors} vectors in {place(settings)}"


def place(settings: Settings) -> str:
    """Where graph and index are."""
    return " and ".join(dict.fromkeys(str(one or settings.data) for one in (settings.graph, settings.vectors)))


def _vectors(settings: Settings) -> str:
    """Without its vector a resource or a topic is not found by meaning."""
    from api.bootstrap import open_graph
    from graph.agreement import unembedded

    graph = open_graph(settings)
    if bare := unembedded(graph):
        raise StoreOutdated(f"{len(bare)} resources or topics have no vector.", hint="`warpath reindex` makes them.")
    counts = graph.counts().nodes
    return f"each of {counts.get('Resource', 0) + counts.get('Topic', 0)} resources and topics has one"


def _index(settings: Settings) -> str:
    """The index must hold what the graph says; where it does not, it is built anew."""
    from api.bootstrap import open_graph, open_index
    from graph.agreement import mend

    graph = open_graph(settings)
    facts = graph.facts()
    if "dimension" not in facts:
        raise StoreEmpty("Nothing has been ingested yet.", hint="`warpath ingest` reads the starter lists.")
    with closing(open_index(settings, int(facts["dimension"]))) as index:
        found = mend(graph, index)
    return f"built anew: {found}" if found else f"{found.entries} entries agree with the graph"


def _answers(settings: Settings) -> str:
    from api.bootstrap import open_library

    with closing(open_library(settings)) as library:
        library.ready()
    return "search and paths work"


_CHECKS: dict[str, Callable[[Settings], str]] = {
    "data": _data,
    "ontology": _ontology,
    "stores": _stores,
    "vectors": _vectors,
    "index": _index,
    "answers": _answers,
}
