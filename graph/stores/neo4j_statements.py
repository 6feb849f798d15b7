"""Every Cypher statement of the Neo4j graph store, in one place. All run on Neo4j 5.26 LTS and on the 2026 series.

A node carries the label of its kind and the label `Entity`, under which its id is unique. Labels and types of edges
come as parameters (`$(row.label)`), so no statement is put together from pieces. `body` holds the whole body as JSON;
a few of its fields stand beside it as plain properties, for people who query the graph.
"""

from typing import NamedTuple


class Migration(NamedTuple):
    """One numbered step from an older layout to the next. Each statement may run twice without harm."""

    number: int
    name: str
    statements: tuple[str, ...]


MIGRATIONS = (
    Migration(
        1,
        "entities, facts and the stamp",
        (
            "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
            "CREATE CONSTRAINT fact_name IF NOT EXISTS FOR (f:Fact) REQUIRE f.name IS UNIQUE",
            "CREATE CONSTRAINT migration_number IF NOT EXISTS FOR (m:Migration) REQUIRE m.number IS UNIQUE",
            "CREATE INDEX entity_label IF NOT EXISTS FOR (n:Entity) ON (n.label)",
            "CALL db.awaitIndexes(300)",
            "MERGE (f:Fact {name: 'stamp'}) ON CREATE SET f.value = randomUUID()",
        ),
    ),
    Migration(
        2,
        "the weight of what covers a topic",
        (
            "CREATE INDEX covers_by_weight IF NOT EXISTS FOR ()-[r:COVERS]-()"
            " ON (r.topic, r.weight, r.resource, r.ordinal)",
            "CALL db.awaitIndexes(300)",
        ),
    ),
)
# Edges that an older version wrote get what the second migration's index holds, so many at a time.
UNWEIGHED_EDGES = """
MATCH (a:Entity)-[r:COVERS]->(b:Entity) WHERE r.weight IS NULL
RETURN elementId(r), a.id, b.id, r.body LIMIT $limit
"""
WEIGH_EDGES = "UNWIND $rows AS row MATCH ()-[r]->() WHERE elementId(r) = row.id SET r += row.properties"
MIGRATIONS_DONE = "MATCH (m:Migration) RETURN coalesce(max(m.number), 0) AS done"
RECORD_MIGRATION = "MERGE (m:Migration {number: $number}) ON CREATE SET m.name = $name, m.at = datetime()"

FACTS = "MATCH (f:Fact) RETURN f.name, f.value"
STAMP = "MATCH (f:Fact {name: 'stamp'}) RETURN f.value"
# Setting a property takes the lock that makes writers wait for each other; only then may the stamp be read.
LOCK_STAMP = "MATCH (f:Fact {name: 'stamp'}) SET f.locked = true"
PUT_FACTS = "UNWIND $rows AS row MERGE (f:Fact {name: row.name}) SET f.value = row.value"

PUT_NODES = """
UNWIND $rows AS row
MERGE (n:Entity {id: row.id})
REMOVE n:$(coalesce(n.label, row.label))
SET n:$(row.label), n += row.properties
"""
# CREATE, not MERGE: in a transaction that creates many edges of one node, each MERGE looks through all of them.
# Edges that are there already are dropped first.
PUT_EDGES = """
UNWIND $rows AS row
MATCH (a:Entity {id: row.source}) MATCH (b:Entity {id: row.target})
CREATE (a)-[r:$(row.type)]->(b) SET r = row.properties
RETURN count(r) AS stored
"""
PUT_VECTORS = """
UNWIND $rows AS row
MATCH (n:Entity {id: row.id}) SET n.text_digest = row.text_digest, n.vector = row.vector
RETURN count(n) AS stored
"""
DROP_NODES = "UNWIND $rows AS row MATCH (n:Entity {id: row.id}) DELETE n"
DROP_VECTORS = "UNWIND $rows AS row MATCH (n:Entity {id: row.id}) REMOVE n.text_digest, n.vector"
# Found first and dropped after: to look for edges of a node that has lost thousands in this transaction takes seconds.
# OPTIONAL makes the planner find both ends and look at the edges of the one that has fewer; a plan that was made while
# the database was empty would scan it all, hence the new plan each time.
FIND_EDGES = """
CYPHER replan=force
UNWIND $rows AS row
MATCH (a:Entity {id: row.source}) MATCH (b:Entity {id: row.target})
OPTIONAL MATCH (a)-[r:$(row.type) {ordinal: row.ordinal}]->(b)
WITH r WHERE r IS NOT NULL
RETURN elementId(r)
"""
DROP_EDGES = "CYPHER replan=force UNWIND $rows AS id MATCH ()-[r]->() WHERE elementId(r) = id DELETE r"

NODES_BY_ID = "MATCH (n:Entity) WHERE n.id IN $ids RETURN n.id, n.label, n.name, n.body"
NODES_BY_LABEL = "MATCH (n:Entity) WHERE n.label IN $labels RETURN n.id, n.label, n.name, n.body"
EDGES_TOUCHING = """
MATCH (n:Entity) WHERE n.id IN $ids
MATCH (n)-[r]-()
WITH DISTINCT r
RETURN startNode(r).id, type(r), endNode(r).id, r.ordinal, r.body
"""
# Collected first, so that edges are followed from their source: very many reach a topic, but few leave it.
EDGES_AMONG_LABELS = """
MATCH (a:Entity) WHERE a.label IN $labels
WITH collect(a) AS sources
UNWIND sources AS a
MATCH (a)-[r]->(b:Entity) WHERE b.label IN $labels
RETURN a.id, type(r), b.id, r.ordinal, r.body
"""
# The index gives the edges of a topic in this order, so that hardly more than the limit are looked at. It holds none
# that lacks one of its properties, so the planner uses it only where the statement says that there is none.
STRONGEST_EDGES = """
UNWIND $targets AS target
CALL (target) {
  MATCH (a)-[r:COVERS]->()
  USING INDEX r:COVERS(topic, weight, resource, ordinal)
  WHERE r.topic = target AND r.weight IS NOT NULL AND r.resource IS NOT NULL AND r.ordinal IS NOT NULL
    AND a.label = 'Resource'
  RETURN r ORDER BY r.topic DESC, r.weight DESC, r.resource DESC, r.ordinal DESC LIMIT $limit
}
RETURN r.resource, type(r), r.topic, r.ordinal, r.body
"""
IDS_AFTER = """
MATCH (n:Entity)
USING INDEX n:Entity(id)
WHERE n.id > $after AND n.label = $label
RETURN n.id ORDER BY n.id LIMIT $limit
"""
NODES_AFTER = """
MATCH (n:Entity)
USING INDEX n:Entity(id)
WHERE n.id > $after
RETURN n.id, n.label, n.name, n.body ORDER BY n.id LIMIT $limit
"""
# Only an open range of the index keeps to the order of code points: `<`, ORDER BY and a range with two ends may each
# take a sign beyond the first 65,536 for a smaller one. So the index tells the sources, with no edge in the statement
# that the planner could begin with; who asks sorts their edges.
SOURCES_AFTER = """
MATCH (n:Entity)
USING INDEX n:Entity(id)
WHERE n.id > $after
RETURN n.id ORDER BY n.id LIMIT $limit
"""
EDGES_LEAVING = """
MATCH (a:Entity) WHERE a.id IN $ids
MATCH (a)-[r]->(b:Entity)
RETURN a.id, type(r), b.id, r.ordinal, r.body
"""
COUNT_NODES = "MATCH (n:Entity) RETURN n.label AS label, count(*) ORDER BY label"
COUNT_EDGES = "MATCH ()-[r]->() RETURN type(r) AS type, count(*) ORDER BY type"
COUNT_VECTORS = "MATCH (n:Entity) WHERE n.vector IS NOT NULL RETURN count(*)"
NODE_DIGESTS = "MATCH (n:Entity) RETURN n.id, n.digest"
EDGE_DIGESTS = "MATCH (a:Entity)-[r]->(b:Entity) RETURN a.id, type(r), b.id, r.ordinal, r.digest"
VECTORS = "MATCH (n:Entity) WHERE n.vector IS NOT NULL RETURN n.id, n.text_digest, n.vector"
VECTORS_BY_LABEL = (
    "MATCH (n:Entity) WHERE n.label IN $labels AND n.vector IS NOT NULL RETURN n.id, n.text_digest, n.vector"
)
VECTORS_BY_ID = "MATCH (n:Entity) WHERE n.id IN $ids AND n.vector IS NOT NULL RETURN n.id, n.text_digest, n.vector"
