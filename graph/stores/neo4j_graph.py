"""The graph store on a Neo4j server or cluster: the same graph as in the embedded store, for many machines.

A write is one transaction under a lock on the stamp, so of several writers each builds upon what the one before it
left. Neo4j shows a reader what others commit meanwhile; the stamp read before and after tells whether they did.
"""

from __future__ import annotations

import json
import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from neo4j import Driver, GraphDatabase, ManagedTransaction, Session, TrustCustomCAs, unit_of_work
from neo4j.exceptions import DriverError, IncompleteCommit, Neo4jError

from graph.errors import StoreBusy, StoreChanged, StoreError, StoreOutdated, StoreUnavailable
from graph.models import Label
from graph.records import Changes, Counts, Edge, Node, Subgraph, Vector
from graph.stores import neo4j_statements as cypher
from graph.stores.batches import batches

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # its retries are no news for a terminal

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
BATCH = 5000  # rows a statement
EDGES_EACH = 8  # that leave a resource, or more
ENTITY_GONE = "Neo.ClientError.Statement.EntityNotFound"
SCHEMA_CONFLICT = "Neo.ClientError.Schema."
SCHEMA_ATTEMPTS = 8
READ_ATTEMPTS = 20  # a read is tried again when a write fell into it
# Fields of a body that people filter by; they stand beside the body, which is what warpath reads.
NODE_FIELDS = ("url", "kind", "authors", "level", "summary", "vendor", "format", "day", "text")
EDGE_FIELDS = ("confidence", "reason", "source", "line", "title", "url", "tier", "note")

T = TypeVar("T")
Work = Callable[[ManagedTransaction], T]
Row = Mapping[str, Any]
Rows = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to wait, in seconds, and how many connections to keep."""

    connections: int = 50
    connect: float = 5.0
    acquire: float = 10.0  # a free connection
    retry: float = 5.0  # until a server that is away counts as away
    read: float = 60.0
    write: float = 600.0


class Neo4jGraph:
    """`GraphStore` on a server. Safe to share among threads; the server is first asked when something is."""

    def __init__(
        self,
        uri: str,
        user: str,
        password: str,
        *,
        database: str = "neo4j",
        certificate: Path | None = None,
        limits: Limits | None = None,
    ) -> None:
        """`uri` begins with neo4j:// (routed), bolt:// (one server) or, encrypted, neo4j+s:// or bolt+s://.

        `certificate` is the authority's own certificate, where the system does not know it; give neo4j:// then.

        Raises:
            StoreUnavailable: the address or the certificate cannot be used.
        """
        self._limits = limits or Limits()
        self._server, self._database = _without_secrets(uri), database
        self._lock, self._prepared = threading.Lock(), False
        self._bookmarks = GraphDatabase.bookmark_manager()
        self._driver = self._connect(uri, user, password, certificate)

    def facts(self) -> Mapping[str, str]:
        return dict(self._read(lambda tx: _rows(tx, cypher.FACTS)))

    def read(self, ids: Sequence[str]) -> Subgraph:
        asked = [id for id in ids if _is_text(id)]

        def work(tx: ManagedTransaction) -> tuple[Rows, Rows]:
            edges = _rows(tx, cypher.EDGES_TOUCHING, ids=asked)
            wanted = {*asked, *(source for source, *_ in edges), *(target for _, _, target, *_ in edges)}
            return _rows(tx, cypher.NODES_BY_ID, ids=list(wanted)), edges

        return _subgraph(*self._read_whole(work))

    def select(self, *labels: Label) -> Subgraph:
        def work(tx: ManagedTransaction) -> tuple[Rows, Rows]:
            nodes = _rows(tx, cypher.NODES_BY_LABEL, labels=labels)
            return nodes, _rows(tx, cypher.EDGES_AMONG_LABELS, labels=labels)

        return _subgraph(*self._read_whole(work))

    def strongest(self, targets: Sequence[str], limit: int) -> Sequence[Edge]:
        wanted = sorted({id for id in targets if _is_text(id)})
        found = self._read_whole(lambda tx: _rows(tx, cypher.STRONGEST_EDGES, targets=wanted, limit=limit))
        return list(map(_edge, found))

    def ids(self, label: Label, *, after: str, limit: int) -> Sequence[str]:
        found = self._read_whole(lambda tx: _rows(tx, cypher.IDS_AFTER, label=label, after=after, limit=limit))
        return [id for (id,) in found]

    def nodes(self, *, after: str, limit: int) -> Sequence[Node]:
        return list(map(_node, self._read_whole(lambda tx: _rows(tx, cypher.NODES_AFTER, after=after, limit=limit))))

    def edges(self, *, after: str, limit: int) -> Sequence[Edge]:
        def work(tx: ManagedTransaction) -> Rows:
            found: Rows = []
            last = after
            while len(found) < limit:
                sources = [id for (id,) in _rows(tx, cypher.SOURCES_AFTER, after=last, limit=1 + limit // EDGES_EACH)]
                if not sources:
                    break
                found += _rows(tx, cypher.EDGES_LEAVING, ids=sources)
                last = sources[-1]
            return found

        edges = list(map(_edge, sorted(self._read_whole(work))))
        return [edge for edge in edges if edge.source <= edges[:limit][-1].source]

    def counts(self) -> Counts:
        statements = cypher.COUNT_NODES, cypher.COUNT_EDGES, cypher.COUNT_VECTORS
        nodes, edges, vectors = self._read_whole(lambda tx: [_rows(tx, statement) for statement in statements])
        return Counts(_by_name(nodes), _by_name(edges), vectors[0][0])

    def digests(self) -> Mapping[str, str]:
        found = self._read_whole(lambda tx: _rows(tx, cypher.NODE_DIGESTS) + _rows(tx, cypher.EDGE_DIGESTS))
        return {"\t".join(key): digest for *key, digest in found}

    def vectors(self, *labels: Label) -> Mapping[str, Vector]:
        statement = cypher.VECTORS_BY_LABEL if labels else cypher.VECTORS
        return _vectors(self._read_whole(lambda tx: _rows(tx, statement, labels=labels)))

    def vectors_of(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        asked = [id for id in ids if _is_text(id)]
        return _vectors(self._read_whole(lambda tx: _rows(tx, cypher.VECTORS_BY_ID, ids=asked)))

    def write(self, changes: Changes, *, expect: str) -> str:
        stamp = uuid.uuid4().hex

        def work(tx: ManagedTransaction) -> None:
            tx.run(cypher.LOCK_STAMP).consume()
            found = _stamp(tx)
            if found == stamp:
                return  # an attempt whose answer was lost had come through
            if found != expect:
                raise StoreChanged("Another process has written to the store meanwhile.")
            _put(tx, changes)
            _send(tx, cypher.PUT_FACTS, [{"name": "stamp", "value": stamp}])

        timed = unit_of_work(timeout=self._limits.write)(work)
        with self._session() as session:
            try:
                session.execute_write(timed)
            except IncompleteCommit:
                session.execute_write(timed)
        return stamp

    def close(self) -> None:
        """Closes all connections."""
        self._driver.close()

    def _connect(self, uri: str, user: str, password: str, certificate: Path | None) -> Driver:
        trust: dict[str, Any] = (
            {"encrypted": True, "trusted_certificates": TrustCustomCAs(str(certificate))} if certificate else {}
        )
        try:
            if urlsplit(uri).scheme not in SCHEMES:
                raise ValueError(f"it begins with none of {', '.join(SCHEMES)}.")
            return GraphDatabase.driver(
                uri,
                auth=(user, password),
                max_connection_pool_size=self._limits.connections,
                connection_timeout=self._limits.connect,
                connection_acquisition_timeout=self._limits.acquire,
                max_transaction_retry_time=self._limits.retry,
                notifications_min_severity="OFF",
                user_agent="warpath",
                **trust,
            )
        except (DriverError, ValueError, OSError) as error:
            raise StoreUnavailable(
                f"{self._server} is no address of a Neo4j server that can be used: {_first_line(error)}",
                hint="It looks like neo4j://host:7687; with encryption neo4j+s://host:7687.",
            ) from error

    @contextmanager
    def _session(self) -> Iterator[Session]:
        """A session with a database that is ready for use; the driver's errors become ours."""
        with (
            _translated(self._server, self._database),
            self._driver.session(database=self._database, bookmark_manager=self._bookmarks) as session,
        ):
            with self._lock:
                if not self._prepared:
                    _migrate(session, self._server)
                    self._prepared = True
            yield session

    def _read(self, work: Work[T]) -> T:
        with self._session() as session:
            return session.execute_read(unit_of_work(timeout=self._limits.read)(work))

    def _read_whole(self, work: Work[T]) -> T:
        """What several statements say of one state of the store; what a write fell into is read again."""
        for _ in range(READ_ATTEMPTS):
            try:
                before, found, after = self._read(lambda tx: (_stamp(tx), work(tx), _stamp(tx)))
            except _Torn:
                continue
            if before == after:
                return found
        raise StoreBusy(f"Other processes keep writing to {self._server}.", hint="Try again when they have finished.")


class _Torn(Exception):
    """Something was deleted while a statement looked at it."""


def _migrate(session: Session, server: str) -> None:
    """Brings the database to this version's layout."""
    done = int(session.execute_read(lambda tx: tx.run(cypher.MIGRATIONS_DONE).single(strict=True)["done"]))
    if done > len(cypher.MIGRATIONS):
        raise StoreOutdated(
            f"The graph at {server} was written by a newer version of warpath (layout {done}).",
            hint="Use that version, or name another database.",
        )
    for migration in cypher.MIGRATIONS[done:]:
        for statement in migration.statements:
            _alter(session, statement)
        _weigh(session)
        session.execute_write(_run, cypher.RECORD_MIGRATION, number=migration.number, name=migration.name)


def _alter(session: Session, statement: str) -> None:
    """A change of the schema, in a transaction of its own. Of processes that begin together on a new database each may
    find what another is creating at this moment; asked for again, it is there."""
    for attempt in range(1, SCHEMA_ATTEMPTS + 1):
        try:
            session.execute_write(_run, statement)
            return
        except Neo4jError as error:
            if attempt == SCHEMA_ATTEMPTS or not (error.code or "").startswith(SCHEMA_CONFLICT):
                raise
            time.sleep(0.2 * attempt)


def _weigh(session: Session) -> None:
    """Gives edges that an older version wrote the properties that they would be written with now."""
    while rows := session.execute_read(lambda tx: tx.run(cypher.UNWEIGHED_EDGES, limit=BATCH).values()):
        edges = [{"id": id, "properties": _weighed(Edge(a, "COVERS", b, json.loads(body)))} for id, a, b, body in rows]
        session.execute_write(_run, cypher.WEIGH_EDGES, rows=edges)


def _run(tx: ManagedTransaction, /, statement: str, **parameters: Any) -> None:
    tx.run(statement, parameters).consume()


def _put(tx: ManagedTransaction, changes: Changes) -> None:
    edges = {edge.key: edge for edge in changes.edges}
    kept = {node.id for node in changes.nodes}
    _drop_edges(tx, {*changes.gone_edges, *edges})
    _send(tx, cypher.DROP_VECTORS, ({"id": id} for id in changes.gone_nodes))
    _send(tx, cypher.DROP_NODES, ({"id": id} for id in changes.gone_nodes if id not in kept))
    _send(tx, cypher.PUT_NODES, map(_node_row, changes.nodes))
    _store(tx, cypher.PUT_EDGES, map(_edge_row, edges.values()), "An edge")
    _store(tx, cypher.PUT_VECTORS, (_vector_row(id, vector) for id, vector in changes.vectors.items()), "A vector")
    _send(tx, cypher.PUT_FACTS, ({"name": name, "value": value} for name, value in changes.facts.items()))


def _drop_edges(tx: ManagedTransaction, keys: Iterable[str]) -> None:
    found: list[str] = []
    for batch in batches(map(_edge_key, keys), BATCH):
        found += tx.run(cypher.FIND_EDGES, rows=batch).value()
    _send(tx, cypher.DROP_EDGES, found)


def _send(tx: ManagedTransaction, statement: str, rows: Iterable[Row | str]) -> None:
    for batch in batches(rows, BATCH):
        tx.run(statement, rows=batch).consume()


def _store(tx: ManagedTransaction, statement: str, rows: Iterable[Row], what: str) -> None:
    """Sends rows that need nodes, and makes sure that the nodes were there."""
    for batch in batches(rows, BATCH):
        if tx.run(statement, rows=batch).single(strict=True)["stored"] != len(batch):
            raise StoreError(f"{what} belongs to a node that is not stored; nothing was written.")


def _node_row(node: Node) -> Row:
    properties = {"label": node.label, "name": node.name, "body": _json(node.body), "digest": node.digest()}
    return {"id": node.id, "label": node.label, "properties": _fields(node.body, NODE_FIELDS) | properties}


def _edge_row(edge: Edge) -> Row:
    properties = {"ordinal": edge.ordinal, "body": _json(edge.body), "digest": edge.digest()}
    return _edge_key(edge.key) | {"properties": _fields(edge.body, EDGE_FIELDS) | properties | _weighed(edge)}


def _weighed(edge: Edge) -> dict[str, Any]:
    """What the index of the strongest edges holds."""
    return {"topic": edge.target, "weight": edge.weight, "resource": edge.source} if edge.type == "COVERS" else {}


def _edge_key(key: str) -> dict[str, Any]:
    return dict(zip(("source", "type", "target", "ordinal"), key.split("\t"), strict=True))


def _vector_row(id: str, vector: Vector) -> Row:
    return {"id": id, "text_digest": vector.text_digest, "vector": vector.data}


def _fields(body: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Properties beside the body; null takes away what an earlier body had."""
    return {name: body.get(name) if _is_property(body.get(name)) else None for name in names}


def _is_property(value: Any) -> bool:
    """Whether Neo4j can hold the value in a property: a text, a number of 64 bits, or a list of texts."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return isinstance(value, (str, float)) or (isinstance(value, int) and -(2**63) <= value < 2**63)


def _json(body: Mapping[str, object]) -> str:
    return json.dumps(body, ensure_ascii=False, sort_keys=True)


def _rows(tx: ManagedTransaction, statement: str, **parameters: Any) -> Rows:
    try:
        return tx.run(statement, parameters).values()
    except Neo4jError as error:
        if error.code == ENTITY_GONE:
            raise _Torn from error
        raise


def _stamp(tx: ManagedTransaction) -> str:
    return str(tx.run(cypher.STAMP).single(strict=True)[0])


def _subgraph(nodes: Rows, edges: Rows) -> Subgraph:
    """Nodes and edges, each in the order of their keys."""
    return Subgraph.of(map(_node, sorted(nodes)), map(_edge, sorted(edges)))


def _node(row: list[Any]) -> Node:
    id, label, name, body = row
    return Node(id, label, name, json.loads(body))


def _edge(row: list[Any]) -> Edge:
    source, type, target, ordinal, body = row
    return Edge(source, type, target, json.loads(body), ordinal)


def _vectors(rows: Rows) -> dict[str, Vector]:
    return {id: Vector(digest, bytes(data)) for id, digest, data in rows}


def _by_name(rows: Rows) -> dict[str, int]:
    return {str(name): int(count) for name, count in rows}


def _is_text(id: str) -> bool:
    """Half a character of UTF-16 is no text; nothing is stored under it."""
    try:
        id.encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_secrets(uri: str) -> str:
    """The address as messages show it."""
    return f"{urlsplit(uri).scheme}://{urlsplit(uri).netloc.rpartition('@')[2]}"


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__


# What the server says no to, by the beginning of its code: our error, what happened, and what to do.
_REFUSALS: tuple[tuple[str, type[StoreError], str, str], ...] = (
    (
        "Neo.ClientError.Security.AuthenticationRateLimit",
        StoreUnavailable,
        "{server} takes no more log-ins for a while, after too many with a wrong password.",
        "Correct the password, then wait a few seconds.",
    ),
    (
        "Neo.ClientError.Security.Unauthorized",
        StoreUnavailable,
        "{server} does not accept this user with this password.",
        "Correct the user and the password of the graph server.",
    ),
    (
        "Neo.ClientError.Security.",
        StoreUnavailable,
        "{server} does not let this user work with the database “{database}”.",
        "Grant the user the right to read, write and create indexes there.",
    ),
    (
        "Neo.ClientError.Database.DatabaseNotFound",
        StoreUnavailable,
        "{server} has no database called “{database}”.",
        "Correct the name, or create the database.",
    ),
    (
        "Neo.TransientError.General.",
        StoreUnavailable,
        "{server} has no memory left for this.",
        "Raise server.memory.heap.max_size and dbms.memory.transaction.total.max.",
    ),
    (
        "Neo.ClientError.Transaction.TransactionTimedOut",
        StoreBusy,
        "{server} took too long and was stopped.",
        "Try again; if that does not help, raise the time limit.",
    ),
    (
        "Neo.TransientError.Transaction.",
        StoreBusy,
        "Another process is writing to {server}.",
        "Wait until it has finished, then try again.",
    ),
    ("", StoreUnavailable, "{server} fails: {reason}.", "Look into the log of the graph server."),
)


@contextmanager
def _translated(server: str, database: str) -> Iterator[None]:
    """The driver's errors become ours."""
    try:
        yield
    except Neo4jError as error:
        kind, message, hint = next(row[1:] for row in _REFUSALS if (error.code or "").startswith(row[0]))
        reason = (error.message or type(error).__name__).rstrip(".")
        raise kind(message.format(server=server, database=database, reason=reason), hint=hint) from error
    except (DriverError, OSError) as error:
        raise StoreUnavailable(
            f"The Neo4j server {server} does not answer: {_first_line(error)}",
            hint="Is it running, and are host and port right?",
        ) from error
