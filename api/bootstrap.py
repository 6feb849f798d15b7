"""The one place where real parts are chosen and put together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from api.settings import Settings, is_server
from graph.library import Library
from graph.ports import GraphStore
from graph.stores.embedders import OnnxEmbedder, export_folder, open_export
from graph.stores.sqlite_graph import SqliteGraph

if TYPE_CHECKING:
    from graph.agreement import ListedIndex
    from graph.chat.language_model import LanguageModel
    from graph.stores.neo4j_graph import Neo4jGraph
    from graph.stores.qdrant_server import QdrantServer
    from ingest.ontology import Ontology
    from ingest.pipeline import Stores


def open_library(settings: Settings) -> Library:
    """What answers questions over the configured stores.

    Raises:
        StoreError: the store cannot be opened.
    """
    return Library(
        open_graph(settings),
        lambda dimension: open_index(settings, dimension),
        lambda identity: _query_model(settings, identity.split("@")[0]),
    )


def open_stores(settings: Settings) -> Stores:
    """What the pipeline writes to.

    Raises:
        StoreError: the store cannot be opened.
    """
    from ingest.pipeline import Stores

    return Stores(
        graph=open_graph(settings),
        index=lambda dimension: open_index(settings, dimension),
        embedder=lambda: open_export(settings.data / "models", settings.model, threads=os.cpu_count() or 1),
        model=settings.model,
    )


def open_graph(settings: Settings) -> GraphStore:
    """The graph store; a server is first asked when something is."""
    if is_server(settings.graph):
        return _neo4j(settings)
    return SqliteGraph(Path(settings.graph or settings.data) / "warpath.db")


def open_index(settings: Settings, dimension: int) -> ListedIndex:
    """The search index; a server is first asked when something is."""
    if is_server(settings.vectors):
        return _qdrant(settings, dimension)
    from graph.stores.qdrant_edge import QdrantEdge

    return QdrantEdge(Path(settings.vectors or settings.data) / "index", dimension)


def open_language_model(settings: Settings) -> LanguageModel | None:
    """What words the answers of a chat, if an address is set; it is first asked when something is."""
    if not settings.llm_url:
        return None
    from api.llm import OpenAICompatible

    return OpenAICompatible(settings.llm_url, settings.llm_model, settings.llm_key, settings.llm_timeout)


def read_ontology(settings: Settings) -> Ontology:
    """The shipped ontology with the user's own folders.

    Raises:
        BadOntology: a file does not hold together.
    """
    from ingest.ontology import load_ontology

    return load_ontology(settings.ontology)


def _query_model(settings: Settings, name: str) -> OnnxEmbedder:
    """The model for queries. A replica that shares nothing but servers makes its export with the first question."""
    models = settings.data / "models"
    if name == settings.model and not export_folder(models, name).exists():
        return open_export(models, name, threads=settings.threads)
    return OnnxEmbedder(export_folder(models, name), threads=settings.threads)


def _neo4j(settings: Settings) -> Neo4jGraph:
    from graph.stores.neo4j_graph import Limits, Neo4jGraph

    limits = Limits(
        connections=settings.graph_connections,
        connect=settings.graph_connect_timeout,
        retry=settings.graph_retry,
        read=settings.graph_read_timeout,
        write=settings.graph_write_timeout,
    )
    return Neo4jGraph(
        str(settings.graph),
        settings.graph_user,
        settings.graph_password.get_secret_value(),
        database=settings.graph_database,
        certificate=settings.graph_certificate,
        limits=limits,
    )


def _qdrant(settings: Settings, dimension: int) -> QdrantServer:
    from graph.stores.qdrant_server import Layout, QdrantServer

    layout = Layout(
        shards=settings.vectors_shards,
        replicas=settings.vectors_replicas,
        write_consistency=settings.vectors_write_consistency,
        on_disk=settings.vectors_on_disk,
        quantization=settings.vectors_quantization,
    )
    return QdrantServer(
        str(settings.vectors),
        dimension,
        api_key=settings.vectors_key.get_secret_value() if settings.vectors_key else None,
        certificate=settings.vectors_certificate,
        timeout=settings.vectors_timeout,
        alias=settings.vectors_name,
        layout=layout,
    )
