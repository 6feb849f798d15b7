"""The search index on a Qdrant server or cluster.

Searches go to an alias. A rebuild fills a new collection behind it and then moves the alias, so searches see the old
index until the new one is whole. The collection's own metadata says with which state of the graph it agrees; a change
takes that away first and gives it back last. A change works on the collection it began with: where another process has
put a newer one in its place meanwhile, it comes to nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from graph.errors import StoreUnavailable
from graph.ports import Filters, Point, Scored, Sparse, VectorQuery
from graph.stores.batches import batches
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

ABANDONED = 24 * 3600  # seconds after which a collection that no alias leads to was left by a process that died
OVERSAMPLING = 2.0  # candidates by quantized vectors that are looked at again with the full ones
LOCAL = ":memory:"


@dataclass(frozen=True, slots=True)
class Layout:
    """How a collection is spread and stored; None leaves it to the server. It takes effect with the next rebuild."""

    shards: int | None = None
    replicas: int | None = None
    write_consistency: int | None = None
    on_disk: bool = False
    quantization: Literal["scalar", "binary"] | None = None


class QdrantServer:
    """`VectorStore` on a server. Safe to share among threads; the server is first asked when something is."""

    def __init__(
        self,
        url: str,
        dimension: int,
        *,
        api_key: str | None = None,
        certificate: Path | None = None,
        timeout: int = 60,
        alias: str = "warpath",
        layout: Layout | None = None,
    ) -> None:
        """`url` begins with http:// or https://; `:memory:` is qdrant-client's own stand-in, for tests.

        `certificate` is the authority's own certificate, where the system does not know it.

        Raises:
            StoreUnavailable: the address cannot be used.
        """
        self.alias, self._dimension, self._layout = alias, dimension, layout or Layout()
        self._server = urlsplit(url).netloc.rpartition("@")[2] or url
        self.client = _connect(url, self._server, api_key, certificate, timeout)

    def stamp(self) -> str | None:
        with _translated(self._server):
            current = self._current()
            return _stamp_of(self.client.get_collection(current), self._dimension) if current else None

    def search(self, query: VectorQuery) -> list[Scored]:
        with _translated(self._server):
            try:
                found = self.client.query_points(
                    self.alias,
                    prefetch=self._sides(query),
                    query=_formula(query),
                    limit=query.limit,
                    with_payload=["id", *FIELDS] if query.fields else ["id"],
                )
            except (UnexpectedResponse, ValueError) as error:
                if _is_gone(error):
                    return []
                raise
        return list(map(_scored, found.points))

    def values(self, field: str) -> list[str]:
        with _translated(self._server):
            return [str(hit.value) for hit in self.client.facet(self.alias, field, limit=VALUES).hits]

    def vector(self, id: str) -> NDArray[np.float32] | None:
        with _translated(self._server):
            records = self.client.retrieve(self.alias, [str(point_id(id))], with_payload=False, with_vectors=[DENSE])
        found: Any = records[0].vector if records else None  # the client types it as all shapes it may have
        return np.asarray(found[DENSE], dtype=np.float32) if found else None

    def apply(self, points: Iterable[Point], gone: Iterable[str], stamp: str) -> None:
        with _translated(self._server):
            current = self._current()
            if current is None:
                return self.rebuild(points, stamp)
            try:
                self._change(current, points, gone, stamp)
            except (UnexpectedResponse, ValueError) as error:
                if not _is_gone(error):
                    raise

    def rebuild(self, points: Iterable[Point], stamp: str) -> None:
        with _translated(self._server):
            name = self._create()
            try:
                self._change(name, points, (), stamp)
                former = self._current()
                self._lead_to(name, former)
            except BaseException:
                with suppress(ApiException, OSError):
                    self.client.delete_collection(name)
                raise
            self._drop([former] if former else [])

    def entries(self) -> Mapping[str, str]:
        with _translated(self._server):
            current = self._current()
            return dict(self._listed(current)) if current else {}

    def close(self) -> None:
        """Closes all connections."""
        self.client.close()

    def _listed(self, name: str) -> Iterator[tuple[str, str]]:
        """Id and digest of every point of a collection."""
        after = None
        while True:
            records, after = self.client.scroll(name, limit=BATCH, offset=after, with_payload=["id", "digest"])
            for record in records:
                held = record.payload or {}
                yield held["id"], held.get("digest", "")
            if after is None:
                return

    def _current(self) -> str | None:
        """The collection that the alias leads to."""
        found = self.client.get_aliases().aliases
        return next((one.collection_name for one in found if one.alias_name == self.alias), None)

    def _create(self) -> str:
        """An empty collection with all its indexes."""
        name, layout = f"{self.alias}-{time.time_ns()}", self._layout
        self.client.create_collection(
            name,
            vectors_config={
                DENSE: models.VectorParams(
                    size=self._dimension, distance=models.Distance.COSINE, on_disk=layout.on_disk
                )
            },
            sparse_vectors_config={
                WORDS: models.SparseVectorParams(
                    modifier=models.Modifier.IDF, index=models.SparseIndexParams(on_disk=layout.on_disk)
                ),
                TOPICS: models.SparseVectorParams(index=models.SparseIndexParams(on_disk=layout.on_disk)),
            },
            hnsw_config=models.HnswConfigDiff(on_disk=layout.on_disk),
            on_disk_payload=layout.on_disk,
            quantization_config=_QUANTIZATION[layout.quantization] if layout.quantization else None,
            shard_number=layout.shards,
            replication_factor=layout.replicas,
            write_consistency_factor=layout.write_consistency,
        )
        for field in KEYWORDS:
            self._index(name, field, models.PayloadSchemaType.KEYWORD)
        self._index(name, "tier", models.PayloadSchemaType.INTEGER)
        words = models.TextIndexParams(
            type=models.TextIndexType.TEXT,
            tokenizer=models.TokenizerType.WHITESPACE,
            lowercase=False,
            phrase_matching=True,
        )
        self._index(name, "text", words)
        return name

    def _index(self, name: str, field: str, schema: models.PayloadSchemaType | models.TextIndexParams) -> None:
        if self._server != LOCAL:  # which has no indexes, and says so each time
            self.client.create_payload_index(name, field, schema)

    def _change(self, name: str, points: Iterable[Point], gone: Iterable[str], stamp: str) -> None:
        self.client.update_collection(name, metadata={"stamp": None})
        for ids in batches(gone, BATCH):
            self.client.delete(name, models.PointIdsList(points=[str(point_id(id)) for id in ids]))
        for batch in batches(points, BATCH):
            self.client.upsert(name, [_point(point) for point in batch])
        self.client.update_collection(name, metadata={"stamp": stamp, "layout": LAYOUT})

    def _lead_to(self, name: str, former: str | None) -> None:
        """Moves the alias, in one step."""
        create = models.CreateAliasOperation(
            create_alias=models.CreateAlias(collection_name=name, alias_name=self.alias)
        )
        delete = models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self.alias))
        self.client.update_collection_aliases([delete, create] if former else [create])

    def _drop(self, names: list[str]) -> None:
        """Deletes these collections, and those that dead processes have left."""
        current, dead = self._current(), time.time_ns() - ABANDONED * 10**9
        for one in self.client.get_collections().collections:
            prefix, _, made = one.name.rpartition("-")
            left = prefix == self.alias and made.isdecimal() and int(made) < dead
            if one.name != current and (left or one.name in names):
                self.client.delete_collection(one.name)

    def _sides(self, query: VectorQuery) -> list[models.Prefetch]:
        """Candidates near in meaning, in words and in topics; the formula knows them by this order."""
        kept = _condition(query.filters)
        vectors = {DENSE: query.dense.tolist(), WORDS: _sparse(query.words), TOPICS: _sparse(query.topics)}
        return [
            models.Prefetch(query=vector, using=name, filter=kept, limit=CANDIDATES, params=self._params(name))
            for name, vector in vectors.items()
        ]

    def _params(self, name: str) -> models.SearchParams | None:
        if name != DENSE or not self._layout.quantization:
            return None
        again = models.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
        return models.SearchParams(quantization=again)


_QUANTIZATION: dict[str, models.ScalarQuantization | models.BinaryQuantization] = {
    "scalar": models.ScalarQuantization(
        scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True)
    ),
    "binary": models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True)),
}


def _connect(url: str, server: str, api_key: str | None, certificate: Path | None, timeout: int) -> QdrantClient:
    more: dict[str, Any] = {"verify": str(certificate)} if certificate else {}
    if url != LOCAL and urlsplit(url).scheme not in ("http", "https"):
        raise StoreUnavailable(f"“{server}” is no address of a Qdrant server.", hint="It looks like http://host:6333.")
    try:
        return QdrantClient(url, api_key=api_key, timeout=timeout, check_compatibility=False, **more)
    except (ValueError, OSError) as error:
        raise StoreUnavailable(
            f"“{server}” is no address of a Qdrant server that can be used: {error}.",
            hint="It looks like http://host:6333.",
        ) from error


def _stamp_of(info: models.CollectionInfo, dimension: int) -> str | None:
    vectors = info.config.params.vectors
    if not isinstance(vectors, dict) or vectors[DENSE].size != dimension:
        return None
    told = info.config.metadata or {}
    return str(told["stamp"]) if told.get("stamp") and told.get("layout") == LAYOUT else None


def _point(point: Point) -> models.PointStruct:
    vectors: dict[str, Any] = {
        DENSE: point.dense.tolist(),
        WORDS: _sparse(point.words),
        TOPICS: _sparse(point.topics),
    }
    return models.PointStruct(id=str(point_id(point.id)), vector=vectors, payload=payload(point))


def _sparse(sparse: Sparse) -> models.SparseVector:
    return models.SparseVector(indices=list(sparse.indices), values=list(sparse.values))


def _formula(query: VectorQuery) -> models.FormulaQuery:
    """The score that `VectorQuery` describes."""
    cosine, words, topics = (f"$score[{side}]" for side in range(3))
    half = models.SumExpression(sum=[words, float(query.words_half)])
    part = models.DivExpression(div=models.DivParams(left=words, right=half, by_zero_default=0.0))
    terms: list[Any] = [
        cosine,
        models.MultExpression(mult=[float(query.words_weight), part]),
        models.MultExpression(mult=[float(query.topics_weight), topics]),
    ]
    return models.FormulaQuery(formula=models.SumExpression(sum=terms), defaults={cosine: 0.0, words: 0.0, topics: 0.0})


def _condition(filters: Filters) -> models.Filter:
    must: list[models.Condition] = [_any(field, values) for field, values in any_of(filters).items()]
    must += [models.FieldCondition(key="text", match=models.MatchPhrase(phrase=phrase)) for phrase in filters.phrases]
    if (filters.min_tier, filters.max_tier) != (None, None):
        tiers = models.Range(gte=filters.min_tier, lte=filters.max_tier)
        must.append(models.FieldCondition(key="tier", range=tiers))
    if filters.hardware:
        neutral = models.IsEmptyCondition(is_empty=models.PayloadField(key="hardware"))
        must.append(models.Filter(should=[neutral, _any("hardware", filters.hardware)]))
    return models.Filter(must=[*must, *map(_condition, filters.also)], must_not=[*map(_condition, filters.without)])


def _any(field: str, values: Iterable[str]) -> models.FieldCondition:
    return models.FieldCondition(key=field, match=models.MatchAny(any=list(values)))


def _scored(point: models.ScoredPoint) -> Scored:
    fields = point.payload or {}
    return Scored(fields["id"], point.score, fields)


def _is_gone(error: UnexpectedResponse | ValueError) -> bool:
    """Whether the collection is not there; the stand-in says so in words."""
    return error.status_code == 404 if isinstance(error, UnexpectedResponse) else "not found" in str(error)


@contextmanager
def _translated(server: str) -> Iterator[None]:
    """The client's errors become ours."""
    try:
        yield
    except UnexpectedResponse as error:
        if error.status_code in (401, 403):
            raise StoreUnavailable(
                f"The Qdrant server {server} does not accept the API key.", hint="Correct the key."
            ) from error
        raise StoreUnavailable(
            f"The Qdrant server {server} fails: {error.status_code} {error.reason_phrase}.",
            hint="Look into its log; is its disk full?",
        ) from error
    except (ApiException, OSError) as error:
        raise StoreUnavailable(
            f"The Qdrant server {server} does not answer: {error}.",
            hint="Is it running, and are host and port right?",
        ) from error
