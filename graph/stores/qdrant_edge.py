"""The embedded search index: Qdrant's own engine in this process, in one folder.

It is derived from the graph store. A note beside the shard says with which state of the graph it agrees; it is taken
away before the index is changed and written when it is closed, so a process killed between leaves an index to build
anew. To read changes neither files nor note, and what was only read needs no closing.
The note holds a digest of the shard's files too: the engine trusts its files, and broken ones can abort the process.
A folder serves one process at a time: a second one gets a private index in a temporary folder.

A query is compared with every vector: with its four bytes a number in a small index, in a large one with a single byte,
and the best once more with all four. That needs no graph of neighbours, which takes minutes to build and misses some.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as qe
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from graph.errors import StoreUnavailable, WarpathError
from graph.ports import Filters, Point, Scored, Sparse, VectorQuery
from graph.stores.batches import batches
from graph.stores.folder_digest import folder_digest
from graph.stores.qdrant_points import (
    BATCH,
    CANDIDATES,
    DENSE,
    FIELDS,
    KEYWORDS,
    LAYOUT,
    TOPICS,
    VALUES,
    WORDS,
    any_of,
    payload,
    point_id,
)

LARGE = 20_000  # points from which vectors are also kept with one byte a number
_TWICE = qe.SearchParams(quantization=qe.QuantizationSearchParams(rescore=True, oversampling=1.5))


class QdrantEdge:
    """`VectorStore` in one folder."""

    def __init__(self, folder: Path, dimension: int) -> None:
        """Opens the index, or an empty one where there is none, where it is broken, or where it is in use.

        Raises:
            StoreUnavailable: the folder cannot be written.
        """
        self._dimension = dimension
        self._turn = threading.RLock()  # a thread that searches and one that rebuilds wait for each other
        self._private: tempfile.TemporaryDirectory[str] | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(folder / "lock", thread_local=False)  # any thread may close what another opened
            self._lock.acquire(timeout=0)
        except Timeout:
            self._private = tempfile.TemporaryDirectory(prefix="warpath-index-")
            folder = Path(self._private.name)
        except OSError as error:
            raise StoreUnavailable(
                f"The folder {folder} cannot be written: {error.strerror}.", hint="Name another folder with --data."
            ) from error
        self._shard_folder, self._note_file = folder / "shard", folder / "note.json"
        self._stamp: str | None = None
        self._changed = self._closed = False
        self._shard = self._open()

    def stamp(self) -> str | None:
        return self._stamp

    def search(self, query: VectorQuery) -> list[Scored]:
        request = qe.QueryRequest(
            limit=query.limit,
            prefetches=_sides(query),
            query=_formula(query.words_half, query.words_weight, query.topics_weight),
            with_payload=["id", *FIELDS] if query.fields else ["id"],
        )
        with self._engine():
            return list(map(_scored, self._shard.query(request)))

    def values(self, field: str) -> list[str]:
        with self._engine():
            return [str(hit.value) for hit in self._shard.facet(qe.FacetRequest(field, limit=VALUES)).hits]

    def vector(self, id: str) -> NDArray[np.float32] | None:
        with self._engine():
            found: Any = self._shard.retrieve([point_id(id)], with_payload=False, with_vector=[DENSE])
        return np.asarray(found[0].vector[DENSE], dtype=np.float32) if found else None

    def apply(self, points: Iterable[Point], gone: Iterable[str], stamp: str) -> None:
        with self._engine():
            self._forget()
            ids: list[int | uuid.UUID | str] = [point_id(id) for id in gone]
            if ids:
                self._shard.update(qe.UpdateOperation.delete_points(ids))
            for batch in batches(points, BATCH):
                self._shard.update(qe.UpdateOperation.upsert_points([_point(point) for point in batch]))
            self._shard.optimize()  # does nothing where nothing is to do
            self._shard.flush()
            self._stamp = stamp

    def rebuild(self, points: Iterable[Point], stamp: str) -> None:
        with self._engine():
            self._shut()
            self._shard = self._create()
            self.apply(points, (), stamp)

    def entries(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        after = None
        with self._engine():
            while True:
                records, after = self._shard.scroll(qe.ScrollRequest(after, BATCH, with_payload=["id", "digest"]))
                payloads = (record.payload or {} for record in records)
                found |= {held["id"]: held.get("digest", "") for held in payloads}
                if after is None:
                    return found

    def close(self) -> None:
        with self._turn:
            if self._closed:
                return
            if self._changed:
                self._shut()
                if self._stamp and not self._private:
                    self._leave_note(self._stamp)
            del self._shard  # the engine lets go of its files
            self._closed, self._stamp = True, None
            self._lock.release()
            if self._private:
                self._private.cleanup()

    def _shut(self) -> None:
        """Closes the shard, broken or not."""
        with suppress(StoreUnavailable), self._engine():
            self._shard.close()

    @contextmanager
    def _engine(self) -> Iterator[None]:
        """One thread at a time. An index that the engine fails on is broken and gives up its stamp."""
        with self._turn:
            if self._closed:
                raise StoreUnavailable("The search index was closed meanwhile.", hint="Try again.")
            try:
                yield
            except (WarpathError, KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # the engine's panics are no Exceptions; all damage is mended alike
                self._forget()
                raise StoreUnavailable(
                    f"The search index in {self._shard_folder.parent} fails: {_first_line(error)}",
                    hint="Try again: it is built anew. If that fails too, is the disk full?",
                ) from error

    def _open(self) -> qe.EdgeShard:
        """The shard on disk; a new one, to be filled, where there is none or it is not as it was left."""
        note = self._read_note()
        if self._fits(note) and note.get("digest") == folder_digest(self._shard_folder):
            with suppress(StoreUnavailable), self._engine():
                shard = qe.EdgeShard.load(str(self._shard_folder))
                self._stamp = str(note["stamp"])
                return shard
        with self._engine():
            return self._create()

    def _fits(self, note: Mapping[str, Any]) -> bool:
        return (note.get("dimension"), note.get("layout")) == (self._dimension, LAYOUT)

    def _create(self) -> qe.EdgeShard:
        self._forget()
        if self._shard_folder.is_file():
            self._shard_folder.unlink()
        shutil.rmtree(self._shard_folder, ignore_errors=True)
        self._shard_folder.mkdir(parents=True)
        shard = qe.EdgeShard.create(str(self._shard_folder), self._config())
        for field in KEYWORDS:
            shard.update(qe.UpdateOperation.create_field_index(field, qe.PayloadSchemaType.Keyword))
        shard.update(qe.UpdateOperation.create_field_index("tier", qe.PayloadSchemaType.Integer))
        words = qe.TextIndexParams(tokenizer=qe.TokenizerType.Whitespace, lowercase=False, phrase_matching=True)
        shard.update(qe.UpdateOperation.create_field_index("text", words))
        return shard

    def _config(self) -> qe.EdgeConfig:
        one_byte = qe.ScalarQuantizationConfig(type=qe.ScalarType.Int8, memory=qe.Memory.Pinned)
        return qe.EdgeConfig(
            vectors={
                DENSE: qe.EdgeVectorParams(
                    size=self._dimension,
                    distance=qe.Distance.Cosine,
                    quantization_config=one_byte,
                    memory=qe.Memory.Cold,  # mapped: else each start reads the file whole, most of which is empty
                )
            },
            sparse_vectors={
                WORDS: qe.EdgeSparseVectorParams(modifier=qe.Modifier.Idf),
                TOPICS: qe.EdgeSparseVectorParams(),
            },
            hnsw_config=qe.HnswIndexConfig(m=0, ef_construct=4, full_scan_threshold=0),  # no neighbours
            optimizers=qe.EdgeOptimizersConfig(indexing_threshold=LARGE * self._dimension * 4 // 1024),  # in KB
            wal_enabled=False,  # what a killed process leaves is built anew: a log would only be read at every start
            max_search_threads=1,  # that of the caller, who holds the interpreter's lock until the engine answers
        )

    def _read_note(self) -> Mapping[str, Any]:
        """With which state of the graph the shard agrees, and how to know it again; empty if that is unknown."""
        try:
            note = json.loads(self._note_file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return {}
        return note if isinstance(note, dict) and note.get("stamp") else {}

    def _forget(self) -> None:
        """From here until it is closed the shard agrees with nothing that another process could know of."""
        self._stamp, self._changed = None, True
        with suppress(OSError):
            self._note_file.unlink()

    def _leave_note(self, stamp: str) -> None:
        """Writes the note whole or not at all; without it the index is built anew next time."""
        with suppress(StoreUnavailable), self._engine():  # a full disk, or what was written does not load
            qe.EdgeShard.load(str(self._shard_folder))  # the engine tidies up: the digest is of what stays
            self._write_note(stamp)

    def _write_note(self, stamp: str) -> None:
        note = {
            "stamp": stamp,
            "dimension": self._dimension,
            "layout": LAYOUT,
            "digest": folder_digest(self._shard_folder),
        }
        draft = self._note_file.with_suffix(".new")
        draft.write_text(json.dumps(note), encoding="ascii")
        os.replace(draft, self._note_file)


def _point(point: Point) -> qe.Point:
    vectors = {DENSE: point.dense.tolist(), WORDS: _sparse(point.words), TOPICS: _sparse(point.topics)}
    return qe.Point(point_id(point.id), vectors, payload(point))


def _sparse(sparse: Sparse) -> qe.SparseVector:
    return qe.SparseVector(list(sparse.indices), list(sparse.values))


def _sides(query: VectorQuery) -> list[qe.Prefetch]:
    """Candidates near in meaning, in words and in topics; the formula knows them by this order."""
    kept = _condition(query.filters) if query.filters != Filters() else None  # an empty one is tried on every point
    vectors = {DENSE: query.dense.tolist(), WORDS: _sparse(query.words), TOPICS: _sparse(query.topics)}
    return [
        qe.Prefetch(limit=CANDIDATES, query=qe.Query.Nearest(vector, using=name), filter=kept, params=_TWICE)
        for name, vector in vectors.items()
    ]


@lru_cache
def _formula(words_half: float, words_weight: float, topics_weight: float) -> qe.Formula:
    """The score that `VectorQuery` describes."""
    cosine, words, topics = (qe.Expression.Variable(f"$score[{side}]") for side in range(3))
    half = qe.Expression.Sum([words, qe.Expression.Constant(words_half)])
    terms = [
        cosine,
        qe.Expression.Mult([qe.Expression.Constant(words_weight), qe.Expression.Div(words, half, 0.0)]),
        qe.Expression.Mult([qe.Expression.Constant(topics_weight), topics]),
    ]
    return qe.Formula(qe.Expression.Sum(terms), defaults={f"$score[{side}]": 0.0 for side in range(3)})


def _condition(filters: Filters) -> qe.Filter:
    must: list[Any] = [_any(field, values) for field, values in any_of(filters).items()]
    must += [qe.FieldCondition(key="text", match=qe.MatchPhrase(phrase)) for phrase in filters.phrases]
    if (filters.min_tier, filters.max_tier) != (None, None):
        tiers = qe.RangeFloat(gte=filters.min_tier, lte=filters.max_tier)
        must.append(qe.FieldCondition(key="tier", range=tiers))
    if filters.hardware:
        neutral = qe.FieldCondition(key="hardware", is_empty=True)
        must.append(qe.Filter(should=[neutral, _any("hardware", filters.hardware)]))
    return qe.Filter(must=[*must, *map(_condition, filters.also)], must_not=[*map(_condition, filters.without)])


def _any(field: str, values: Iterable[str]) -> qe.FieldCondition:
    return qe.FieldCondition(key=field, match=qe.MatchAny(any=list(values)))


def _scored(point: qe.ScoredPoint) -> Scored:
    fields: Any = point.payload  # the engine types it as all shapes it may have
    return Scored(fields["id"], point.score, fields)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
