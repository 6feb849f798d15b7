"""Every SQL statement of the embedded graph store, in one place."""

# Each brings a file from the layout with its number to the next; a new file goes through all of them.
MIGRATIONS = (
    """
    CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE node (
        id TEXT PRIMARY KEY, label TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL, digest TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX node_by_label ON node (label);
    CREATE TABLE edge (
        source TEXT NOT NULL REFERENCES node (id) DEFERRABLE INITIALLY DEFERRED,
        type TEXT NOT NULL,
        target TEXT NOT NULL REFERENCES node (id) DEFERRABLE INITIALLY DEFERRED,
        ordinal TEXT NOT NULL,
        body TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (source, type, target, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX edge_by_target ON edge (target, type);
    CREATE TABLE vector (
        id TEXT PRIMARY KEY REFERENCES node (id) DEFERRABLE INITIALLY DEFERRED,
        text_digest TEXT NOT NULL,
        data BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE edge ADD COLUMN weight REAL NOT NULL DEFAULT 0;
    UPDATE edge SET weight = edge_weight(body);
    DROP INDEX edge_by_target;
    CREATE INDEX edge_by_target ON edge (target, type, weight);
    """,
)

PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)
READ_VERSION = "PRAGMA user_version"
WRITE_VERSION = f"PRAGMA user_version = {len(MIGRATIONS)}"
HAS_TABLES = "SELECT count(*) FROM sqlite_master"
BEGIN_WRITE = "BEGIN IMMEDIATE"
BEGIN_READ = "BEGIN"
COMMIT = "COMMIT"
ROLLBACK = "ROLLBACK"

FACTS = "SELECT name, value FROM fact"
STAMP = "SELECT value FROM fact WHERE name = 'stamp'"
PUT_FACT = "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"

PUT_NODE = (
    "INSERT INTO node VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
    " label = excluded.label, name = excluded.name, body = excluded.body, digest = excluded.digest"
)
PUT_EDGE = (
    "INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, type, target, ordinal) DO UPDATE SET"
    " body = excluded.body, digest = excluded.digest, weight = excluded.weight"
)
PUT_VECTOR = (
    "INSERT INTO vector VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
    " text_digest = excluded.text_digest, data = excluded.data"
)
DROP_NODE = "DELETE FROM node WHERE id = ?"
DROP_VECTOR = "DELETE FROM vector WHERE id = ?"
DROP_EDGE = "DELETE FROM edge WHERE source = ? AND type = ? AND target = ? AND ordinal = ?"

# A JSON list is one parameter whatever its length, so no statement is put together from pieces.
NODES_BY_ID = "SELECT id, label, name, body FROM node WHERE id IN (SELECT value FROM json_each(?))"
NODES_BY_LABEL = "SELECT id, label, name, body FROM node WHERE label IN (SELECT value FROM json_each(?)) ORDER BY id"
EDGES_TOUCHING = (
    "SELECT source, type, target, ordinal, body FROM edge WHERE source IN (SELECT value FROM json_each(:ids))"
    " UNION SELECT source, type, target, ordinal, body FROM edge WHERE target IN (SELECT value FROM json_each(:ids))"
    " ORDER BY 1, 2, 3, 4"
)
EDGES_AMONG_LABELS = (
    "SELECT e.source, e.type, e.target, e.ordinal, e.body FROM edge e"
    " JOIN node s ON s.id = e.source JOIN node t ON t.id = e.target"
    " WHERE s.label IN (SELECT value FROM json_each(:labels)) AND t.label IN (SELECT value FROM json_each(:labels))"
    " ORDER BY 1, 2, 3, 4"
)
# The index gives a node's edges in this order, so that no more than the limit are looked at.
STRONGEST_EDGES = (
    "SELECT e.source, e.type, e.target, e.ordinal, e.body FROM json_each(:targets) AS wanted"
    " CROSS JOIN edge AS e ON e.target = wanted.value AND e.type = 'COVERS' AND (e.source, e.ordinal) IN ("
    " SELECT c.source, c.ordinal FROM edge AS c JOIN node AS n ON n.id = c.source AND n.label = 'Resource'"
    " WHERE c.target = wanted.value AND c.type = 'COVERS'"
    " ORDER BY c.weight DESC, c.source DESC, c.ordinal DESC LIMIT :limit)"
    " ORDER BY e.target, e.weight DESC, e.source DESC, e.ordinal DESC"
)
IDS_AFTER = "SELECT id FROM node WHERE label = ? AND id > ? ORDER BY id LIMIT ?"
NODES_AFTER = "SELECT id, label, name, body FROM node WHERE id > ? ORDER BY id LIMIT ?"
# A blob comes after every text: where fewer edges are left there is no last source.
EDGES_AFTER = (
    "SELECT source, type, target, ordinal, body FROM edge WHERE source > :after AND source <= coalesce("
    " (SELECT source FROM edge WHERE source > :after ORDER BY source LIMIT 1 OFFSET :limit - 1), x'')"
    " ORDER BY source, type, target, ordinal"
)
COUNT_NODES = "SELECT label, count(*) FROM node GROUP BY label ORDER BY label"
COUNT_EDGES = "SELECT type, count(*) FROM edge GROUP BY type ORDER BY type"
COUNT_VECTORS = "SELECT count(*) FROM vector"
NODE_DIGESTS = "SELECT id, digest FROM node"
EDGE_DIGESTS = "SELECT source, type, target, ordinal, digest FROM edge"
VECTORS = "SELECT id, text_digest, data FROM vector"
VECTORS_BY_LABEL = (
    "SELECT v.id, v.text_digest, v.data FROM vector v JOIN node n ON n.id = v.id"
    " WHERE n.label IN (SELECT value FROM json_each(?))"
)
VECTORS_BY_ID = "SELECT id, text_digest, data FROM vector WHERE id IN (SELECT value FROM json_each(?))"
INTEGRITY = "PRAGMA quick_check"
