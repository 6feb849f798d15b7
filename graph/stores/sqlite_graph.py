"""The embedded graph store: one SQLite file holds graph, texts and vectors.

Write-ahead logging lets any number of processes read beside one writer; a write is one transaction, so a process
killed at any moment leaves either all of it or nothing.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from graph.errors import StoreBusy, StoreChanged, StoreOutdated, StoreUnavailable
from graph.models import Label
from graph.records import Changes, Counts, Edge, Node, Subgraph, Vector
from graph.stores import sqlite_statements as sql

BUSY_SECONDS = 10.0  # how long a writer waits for another one


class SqliteGraph:
    """`GraphStore` in one file. Each thread has its own connection."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file.

        Raises:
            StoreUnavailable: the file cannot be opened or is no SQLite file.
            StoreOutdated: another version of warpath wrote it.
        """
        self.path = path
        self._local = threading.local()
        with _translated(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._prepare(self._connection)

    def facts(self) -> Mapping[str, str]:
        with self._reading() as db:
            return dict(db.execute(sql.FACTS).fetchall())

    def read(self, ids: Sequence[str]) -> Subgraph:
        with self._reading() as db:
            edges = [_edge(row) for row in db.execute(sql.EDGES_TOUCHING, {"ids": json.dumps(list(ids))})]
            wanted = {*ids, *(edge.source for edge in edges), *(edge.target for edge in edges)}
            nodes = [_node(row) for row in db.execute(sql.NODES_BY_ID, (json.dumps(sorted(wanted)),))]
            return _whole(Subgraph.of(nodes, edges))

    def select(self, *labels: Label) -> Subgraph:
        wanted = json.dumps(labels)
        with self._reading() as db:
            nodes = [_node(row) for row in db.execute(sql.NODES_BY_LABEL, (wanted,))]
            edges = [_edge(row) for row in db.execute(sql.EDGES_AMONG_LABELS, {"labels": wanted})]
            return _whole(Subgraph.of(nodes, edges))

    def strongest(self, targets: Sequence[str], limit: int) -> Sequence[Edge]:
        wanted = {"targets": json.dumps(sorted({*targets})), "limit": limit}
        with self._reading() as db:
            return [_edge(row) for row in db.execute(sql.STRONGEST_EDGES, wanted)]

    def ids(self, label: Label, *, after: str, limit: int) -> Sequence[str]:
        with self._reading() as db:
            return [id for (id,) in db.execute(sql.IDS_AFTER, (label, after, limit))]

    def nodes(self, *, after: str, limit: int) -> Sequence[Node]:
        with self._reading() as db:
            return [_node(row) for row in db.execute(sql.NODES_AFTER, (after, limit))]

    def edges(self, *, after: str, limit: int) -> Sequence[Edge]:
        with self._reading() as db:
            return [_edge(row) for row in db.execute(sql.EDGES_AFTER, {"after": after, "limit": limit})]

    def counts(self) -> Counts:
        with self._reading() as db:
            nodes, edges = dict(db.execute(sql.COUNT_NODES).fetchall()), dict(db.execute(sql.COUNT_EDGES).fetchall())
            return Counts(nodes, edges, db.execute(sql.COUNT_VECTORS).fetchone()[0])

    def digests(self) -> Mapping[str, str]:
        with self._reading() as db:
            found = dict(db.execute(sql.NODE_DIGESTS).fetchall())
            for *key, digest in db.execute(sql.EDGE_DIGESTS):
                found["\t".join(key)] = digest
        return found

    def vectors(self, *labels: Label) -> Mapping[str, Vector]:
        statement, wanted = (sql.VECTORS_BY_LABEL, (json.dumps(labels),)) if labels else (sql.VECTORS, ())
        with self._reading() as db:
            return {id: Vector(digest, data) for id, digest, data in db.execute(statement, wanted)}

    def vectors_of(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        with self._reading() as db:
            return {
                id: Vector(digest, data) for id, digest, data in db.execute(sql.VECTORS_BY_ID, (json.dumps(list(ids)),))
            }

    def write(self, changes: Changes, *, expect: str) -> str:
        stamp = uuid.uuid4().hex
        with self._writing() as db:
            if db.execute(sql.STAMP).fetchone()[0] != expect:
                raise StoreChanged("Another process has written to the store meanwhile.")
            _put(db, changes)
            db.execute(sql.PUT_FACT, ("stamp", stamp))
        return stamp

    def fault(self) -> str:
        """What SQLite's own check finds wrong with the file; empty when it is sound."""
        with _translated(self.path):
            verdict = str(self._connection.execute(sql.INTEGRITY).fetchone()[0])
        return "" if verdict == "ok" else verdict

    def close(self) -> None:
        """Closes the connection of this thread."""
        self._connection.close()
        del self._local.db

    @property
    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "db"):
            opened = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                for pragma in sql.PRAGMAS:
                    opened.execute(pragma)
            except UnicodeDecodeError as error:  # the driver quotes what is damaged
                raise sqlite3.DatabaseError(str(error)) from error
            self._local.db = opened  # only now: one without its pragmas would not check what it is given
        db: sqlite3.Connection = self._local.db
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Brings a new or older file to this version's layout; refuses one that a newer version wrote."""
        if db.execute(sql.READ_VERSION).fetchone()[0] == len(sql.MIGRATIONS):
            return
        db.execute(sql.BEGIN_WRITE)  # of two processes that start together, one creates and the other finds it done
        try:
            version, tables = db.execute(sql.READ_VERSION).fetchone()[0], db.execute(sql.HAS_TABLES).fetchone()[0]
            if version > len(sql.MIGRATIONS) or (version == 0 and tables):
                raise StoreOutdated(
                    f"{self.path} was written by another version of warpath (layout {version}).",
                    hint="Use that version to `warpath export`, or name another folder with --data.",
                )
            _migrate(db, version)
            db.execute(sql.COMMIT)
        except BaseException:
            db.execute(sql.ROLLBACK)
            raise

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Several statements that see one state of the store."""
        with _translated(self.path):
            db = self._connection
            db.execute(sql.BEGIN_READ)
            try:
                yield db
            except (TypeError, ValueError) as error:  # rows that make no sense, though SQLite took them for sound
                raise sqlite3.DatabaseError(str(error)) from error
            finally:
                db.execute(sql.COMMIT)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with _translated(self.path):
            db = self._connection
            db.execute(sql.BEGIN_WRITE)
            try:
                yield db
                db.execute(sql.COMMIT)
            except BaseException:
                db.execute(sql.ROLLBACK)
                raise


def _migrate(db: sqlite3.Connection, version: int) -> None:
    """Brings tables from a layout to the newest."""
    db.create_function("edge_weight", 1, lambda body: Edge("", "COVERS", "", json.loads(body)).weight)
    for statement in ";".join(sql.MIGRATIONS[version:]).split(";"):
        if statement.strip():
            db.execute(statement)
    if version == 0:
        db.execute(sql.PUT_FACT, ("stamp", uuid.uuid4().hex))
    db.execute(sql.WRITE_VERSION)


def _put(db: sqlite3.Connection, changes: Changes) -> None:
    db.executemany(sql.DROP_EDGE, (key.split("\t") for key in changes.gone_edges))
    db.executemany(sql.DROP_VECTOR, ((id,) for id in changes.gone_nodes))
    db.executemany(sql.DROP_NODE, ((id,) for id in changes.gone_nodes))
    db.executemany(sql.PUT_NODE, ((n.id, n.label, n.name, _json(n.body), n.digest()) for n in changes.nodes))
    db.executemany(sql.PUT_EDGE, map(_edge_row, changes.edges))
    db.executemany(sql.PUT_VECTOR, ((id, v.text_digest, v.data) for id, v in changes.vectors.items()))
    db.executemany(sql.PUT_FACT, changes.facts.items())


def _edge_row(edge: Edge) -> tuple[str | float, ...]:
    return edge.source, edge.type, edge.target, edge.ordinal, _json(edge.body), edge.digest(), edge.weight


def _json(body: Mapping[str, object]) -> str:
    return json.dumps(body, ensure_ascii=False, sort_keys=True)


def _whole(graph: Subgraph) -> Subgraph:
    """The graph, if both ends of every edge are there: the file's own rules demand it, so else the file is damaged."""
    for edge in graph.edges:
        if edge.source not in graph.nodes or edge.target not in graph.nodes:
            raise sqlite3.DatabaseError(f"a node is missing of the edge {edge.source} {edge.type} {edge.target}")
    return graph


def _node(row: tuple[str, Label, str, str]) -> Node:
    id, label, name, body = row
    return Node(id, label, name, json.loads(body))


def _edge(row: tuple[str, str, str, str, str]) -> Edge:
    source, type, target, ordinal, body = row
    return Edge(source, type, target, json.loads(body), ordinal)  # type: ignore[arg-type]  # the column holds what was put


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """The driver's errors become ours."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise StoreBusy(
                f"Another process is writing to {path}.", hint="Wait until it has finished, then try again."
            ) from error
        raise StoreUnavailable(
            f"{path} cannot be used: {error}.", hint="Is the disk full, or the folder read-only?"
        ) from error
    except sqlite3.DatabaseError as error:
        raise StoreUnavailable(
            f"{path} is damaged or no warpath store: {error}.",
            hint="Restore a backup, or move the file away and run `warpath ingest` again.",
        ) from error
    except OSError as error:
        raise StoreUnavailable(
            f"{path} cannot be used: {error.strerror}.", hint="Name another folder with --data."
        ) from error
