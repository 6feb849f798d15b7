"""From documents to stores: read, resolve, embed, link, write, index.

The graph is built anew from everything stored and everything given, compared with what is there, and only what differs
is written: in one transaction, after which the index follows. Stopped at any point, the next run completes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Protocol

from graph import indexing, views
from graph.errors import StoreChanged, StoreOutdated, StoreUnavailable, UnknownName
from graph.models import DevlogEntry, Document, IngestReport, SourceLine
from graph.names import node_id
from graph.portions import check_whole
from graph.ports import Embedder, GraphStore, VectorStore
from graph.records import Changes, Subgraph, Vector, digest
from ingest import build
from ingest.kernels import Catalogue
from ingest.ontology import Ontology

ATTEMPTS = 20  # a write is tried again when another process was faster
EMBED_AT_ONCE = 64


class Progress(Protocol):
    """Hears how far a long step is."""

    def __call__(self, step: str, done: int, total: int) -> None: ...


@dataclass(frozen=True)
class Stores:
    """Where things go. Index and model are opened when first needed: a run that changes nothing needs neither."""

    graph: GraphStore
    index: Callable[[int], VectorStore]  # by dimension
    embedder: Callable[[], Embedder]
    model: str  # the name of the embedder's model, known without loading it


def ingest(
    documents: Sequence[Document], stores: Stores, ontology: Ontology, progress: Progress = lambda *_: None
) -> IngestReport:
    """Adds documents to what is stored; one with a name that is stored already takes the place of the former.

    Raises:
        StoreOutdated: the store was filled with another embedding model.
        StoreBusy: a copy into the store has not come to its end.
        StoreError, ModelError: nothing was changed.
    """
    return _update(stores, ontology, progress, lambda stored: {**stored, **{d.source: d for d in documents}}, documents)


def forget(source: str, stores: Stores, ontology: Ontology, progress: Progress = lambda *_: None) -> IngestReport:
    """Takes a source out, with everything only it spoke of.

    Raises:
        UnknownName: no such source is stored.
    """

    def without(stored: Mapping[str, Document]) -> dict[str, Document]:
        if source not in stored:
            raise UnknownName("source", source, sorted(stored)[:5])
        return {name: document for name, document in stored.items() if name != source}

    return _update(stores, ontology, progress, without, ())


def reindex(stores: Stores, ontology: Ontology, progress: Progress = lambda *_: None) -> IngestReport:
    """Embeds everything with the configured model, whatever it was before, and builds the index anew."""
    return _update(stores, ontology, progress, dict, (), anew=True)


def stored_documents(graph: GraphStore) -> dict[str, Document]:
    """The documents as they were read, by name."""
    held = graph.select("Source", "Resource", "DevlogEntry")
    return {document.source: document for document in (_document(held, node.id) for node in held.labelled("Source"))}


def _update(
    stores: Stores,
    ontology: Ontology,
    progress: Progress,
    change: Callable[[Mapping[str, Document]], Mapping[str, Document]],
    given: Sequence[Document],
    *,
    anew: bool = False,
) -> IngestReport:
    started = time.monotonic()
    for attempt in range(ATTEMPTS):
        try:
            report = _attempt(stores, ontology, progress, change, given, anew=anew)
            return report.model_copy(update={"seconds": round(time.monotonic() - started, 2)})
        except StoreChanged:
            time.sleep(0.05 * attempt)
    raise StoreChanged("Other processes kept writing to the store.", hint="Try again when they have finished.")


def _attempt(
    stores: Stores,
    ontology: Ontology,
    progress: Progress,
    change: Callable[[Mapping[str, Document]], Mapping[str, Document]],
    given: Sequence[Document],
    *,
    anew: bool,
) -> IngestReport:
    facts = stores.graph.facts()
    check_whole(facts)
    _check_model(facts, stores.model, anew)
    before = stored_documents(stores.graph)
    after = change(before)
    kernels = Catalogue.shipped()
    built = digest(build.VERSION, ontology.digest, kernels.digest)
    unchanged = tuple(d.source for d in given if before.get(d.source) == d)
    if not anew and facts.get("built") == built and before == after:
        _complete(stores, facts)
        return _report(given, unchanged, stores.graph.counts().nodes.get("Resource", 0), Changes(), 0)
    drafted = build.draft(after.values(), ontology, kernels)
    vectors, fresh, model = _embed(drafted.texts, stores, {} if anew else stores.graph.vectors(), facts, progress)
    dimension = int(model.get("dimension", "1"))
    target = build.build(drafted, vectors, dimension)
    changes = difference(target, stores.graph.digests(), fresh, {**model, "built": built})
    progress("write", 0, 1)
    stamp = stores.graph.write(changes, expect=facts["stamp"])
    _follow(stores.index(dimension), target, vectors, changes, stamp, was=None if anew else facts["stamp"])
    progress("write", 1, 1)
    return _report(given, unchanged, len(drafted.works), changes, len(fresh))


def _check_model(facts: Mapping[str, str], model: str, anew: bool) -> None:
    stored = facts.get("model", "")
    if stored and not anew and stored.split("@")[0] != model:
        raise StoreOutdated(
            f"The store was filled with the embedding model {stored.split('@')[0]}; this run uses {model}.",
            hint="`warpath reindex` embeds everything with the new one; unset WARPATH_MODEL to keep the old one.",
        )


def _complete(stores: Stores, facts: Mapping[str, str]) -> None:
    """Builds the index where a run was stopped between graph and index."""
    with closing(stores.index(int(facts.get("dimension", "1")))) as index:
        if index.stamp() != facts["stamp"]:
            index.rebuild(indexing.stored_points(stores.graph), facts["stamp"])


def _embed(
    texts: Mapping[str, Sequence[str]],
    stores: Stores,
    stored: Mapping[str, Vector],
    facts: Mapping[str, str],
    progress: Progress,
) -> tuple[dict[str, Vector], dict[str, Vector], dict[str, str]]:
    """Vectors of all texts, those that are new among them, and the facts about the model."""
    digests = {id: build.text_digest(parts) for id, parts in texts.items()}
    kept = {id: stored[id] for id in texts if id in stored and stored[id].text_digest == digests[id]}
    missing = [id for id in texts if id not in kept]
    if not missing:
        return kept, {}, {name: facts[name] for name in ("model", "dimension") if name in facts}
    progress("model", 0, 1)
    embedder = stores.embedder()
    if kept and facts.get("model") != embedder.identity:  # the same name in another revision: nothing old is of use
        return _embed(texts, stores, {}, facts, progress)
    progress("model", 1, 1)
    fresh = {id: Vector(digests[id], data) for id, data in _rows(embedder, texts, missing, progress)}
    dimension = len(fresh[missing[0]].data) // 4 // len(texts[missing[0]])
    return {**kept, **fresh}, fresh, {"model": embedder.identity, "dimension": str(dimension)}


def _rows(
    embedder: Embedder, texts: Mapping[str, Sequence[str]], ids: Sequence[str], progress: Progress
) -> Iterator[tuple[str, bytes]]:
    """The vectors of each node as bytes; how far they are is told in between."""
    for at in range(0, len(ids), EMBED_AT_ONCE):
        part = ids[at : at + EMBED_AT_ONCE]
        rows = embedder.embed([text for id in part for text in texts[id]]).astype("<f4")
        for id in part:
            count = len(texts[id])
            yield id, rows[:count].tobytes()
            rows = rows[count:]
        progress("embed", min(at + EMBED_AT_ONCE, len(ids)), len(ids))


def difference(
    target: Subgraph, stored: Mapping[str, str], fresh: Mapping[str, Vector], facts: Mapping[str, str]
) -> Changes:
    """What must be written so that the store holds the target."""
    edges = {edge.key: edge for edge in target.edges}
    gone = [key for key in stored if key not in target.nodes and key not in edges]
    return Changes(
        nodes=tuple(node for node in target.nodes.values() if stored.get(node.id) != node.digest()),
        edges=tuple(edge for key, edge in edges.items() if stored.get(key) != edge.digest()),
        gone_nodes=tuple(key for key in gone if "\t" not in key),
        gone_edges=tuple(key for key in gone if "\t" in key),
        vectors=fresh,
        facts=facts,
    )


def _follow(
    index: VectorStore,
    target: Subgraph,
    vectors: Mapping[str, Vector],
    changes: Changes,
    stamp: str,
    *,
    was: str | None,
) -> None:
    """Brings the index to the state of the graph: by what changed where it agreed with it before, else from scratch."""
    with closing(index):
        if was is not None and index.stamp() == was:
            with suppress(StoreUnavailable):  # found broken: from scratch then
                touched = _touched(changes, target)
                index.apply(indexing.points(target, vectors, touched), changes.gone_nodes, stamp)
                return
        index.rebuild(indexing.points(target, vectors), stamp)


def _touched(changes: Changes, target: Subgraph) -> set[str]:
    """Every node that a change may concern: itself, what points to it, its vector or one of its edges."""
    ends = (key.split("\t") for key in changes.gone_edges)
    return {
        *(node.id for node in changes.nodes),
        *(edge.source for node in changes.nodes for edge in target.into(node.id)),
        *changes.vectors,
        *(id for edge in changes.edges for id in (edge.source, edge.target)),
        *(id for one, _, other, _ in ends for id in (one, other)),
    }


def _document(held: Subgraph, id: str) -> Document:
    """A document as it was read, from its node and edges."""
    node = held.nodes[id]
    mentions = sorted(held.out(id, "MENTIONS"), key=lambda edge: [int(part) for part in edge.ordinal.split(":")][::-1])
    entries = (DevlogEntry.model_validate(held.nodes[edge.target].body) for edge in held.out(id, "HAS_ENTRY"))
    return Document(
        source=id.removeprefix(node_id("Source", "")),
        mentions=tuple(map(views.mention, mentions)),
        entries=tuple(sorted(entries, key=lambda entry: entry.line)),
        **node.body,
    )


def _report(
    given: Iterable[Document], unchanged: tuple[str, ...], resources: int, changes: Changes, embedded: int
) -> IngestReport:
    read = (
        SourceLine(
            source=d.source, title=d.title, format=d.format, digest=d.digest,
            mentions=len(d.mentions), entries=len(d.entries),
        )
        for d in given
    )  # fmt: skip
    return IngestReport(
        read=tuple(read),
        unchanged=unchanged,
        resources=resources,
        written=len(changes.nodes) + len(changes.edges),
        removed=len(changes.gone_nodes) + len(changes.gone_edges),
        embedded=embedded,
        seconds=0.0,
    )
