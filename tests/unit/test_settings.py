"""Settings of servers: what the environment says reaches the stores, and secrets reach nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from api.bootstrap import open_graph, open_index
from api.copying import places
from api.settings import Settings
from graph.errors import BadRequest
from graph.stores.neo4j_graph import Neo4jGraph
from graph.stores.qdrant_edge import QdrantEdge
from graph.stores.qdrant_server import QdrantServer
from graph.stores.sqlite_graph import SqliteGraph

NEO4J, QDRANT = "neo4j://host:7687", "http://host:6333"


def settings(**given: object) -> Settings:
    return Settings(_env_file=None, **given)


def test_unset_the_embedded_stores_serve(tmp_path: Path) -> None:
    made = settings(data=tmp_path)

    assert isinstance(open_graph(made), SqliteGraph)
    assert isinstance(open_index(made, 2), QdrantEdge)


def test_graph_and_index_may_be_set_apart(tmp_path: Path) -> None:
    assert isinstance(open_graph(settings(data=tmp_path, graph=NEO4J)), Neo4jGraph)
    assert isinstance(open_index(settings(data=tmp_path, graph=NEO4J), 2), QdrantEdge)
    assert isinstance(open_index(settings(data=tmp_path, vectors=QDRANT), 2), QdrantServer)


def test_an_empty_variable_is_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPATH_GRAPH", "")

    assert settings().graph is None


@pytest.mark.parametrize("place", ["neo4j://user:secret@host", "https://key@host"])
def test_an_address_with_a_password_is_refused_without_telling_it(place: str) -> None:
    with pytest.raises(ValidationError) as told:
        settings(graph=place)

    assert [fault["msg"] for fault in told.value.errors()] == [
        "Value error, give user, password and key in variables of their own, not in the address"
    ]


def test_secrets_are_not_shown() -> None:
    made = settings(graph_password="secret-one", vectors_key="secret-two", write_keys="secret-three-long")

    assert "secret-" not in f"{made!r} {made} {made.model_dump_json()}"


def test_a_list_in_a_variable_has_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPATH_CORS_ORIGINS", "https://a.example, https://b.example,")

    assert settings().cors_origins == ("https://a.example", "https://b.example")


def test_the_manual_of_the_service_names_settings_that_there_are() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`WARPATH_([A-Z_]+)`", manual))

    assert {"WRITE_KEYS", "RATE", "CLIENT_TIMEOUT"} <= named
    assert named <= {name.upper() for name in Settings.model_fields}


def test_a_copy_takes_the_secrets_of_its_target_from_variables_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPATH_TO_GRAPH_PASSWORD", "theirs")
    here, there = places(settings(graph=NEO4J, graph_password="ours"), None, "bolt://other", QDRANT)

    assert (here.graph, here.graph_password.get_secret_value()) == (NEO4J, "ours")
    assert (there.graph, there.graph_password.get_secret_value()) == ("bolt://other", "theirs")
    assert there.vectors == QDRANT


def test_a_copy_to_a_folder_puts_the_index_there_too() -> None:
    _, there = places(settings(), None, "backup", None)

    assert (there.graph, there.vectors) == ("backup", "backup")


@pytest.mark.parametrize(
    ("source", "to", "vectors"),
    [(None, NEO4J, None), ("a", "./a", None), (None, "neo4j://user:secret@host", QDRANT)],
    ids=["no place for the index", "to itself", "a password in the address"],
)
def test_a_copy_that_cannot_be_is_refused(source: str | None, to: str, vectors: str | None) -> None:
    with pytest.raises(BadRequest) as told:
        places(settings(), source, to, vectors)

    assert "secret" not in told.value.message + told.value.hint
