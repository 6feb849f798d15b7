"""The one place where real parts are chosen and put together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from api.settings import Settings
from graph.library import Library
from graph.ports import VectorStore
from graph.stores.embedders import OnnxEmbedder, export_folder, open_export
from graph.stores.sqlite_graph import SqliteGraph

if TYPE_CHECKING:
    from ingest.ontology import Ontology
    from ingest.pipeline import Stores


def open_library(settings: Settings) -> Library:
    """What answers questions over the configured stores.

    Raises:
        StoreError: the store cannot be opened.
    """
    models = settings.data / "models"
    return Library(
        open_graph(settings),
        lambda dimension: open_index(settings, dimension),
        lambda identity: OnnxEmbedder(export_folder(models, identity.split("@")[0]), threads=settings.threads),
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


def open_graph(settings: Settings) -> SqliteGraph:
    """The graph store."""
    return SqliteGraph(settings.data / "warpath.db")


def open_index(settings: Settings, dimension: int) -> VectorStore:
    """The search index."""
    from graph.stores.qdrant_edge import QdrantEdge

    return QdrantEdge(settings.data / "index", dimension)


def read_ontology(settings: Settings) -> Ontology:
    """The shipped ontology with the user's own folders.

    Raises:
        BadOntology: a file does not hold together.
    """
    from ingest.ontology import load_ontology

    return load_ontology(settings.ontology)
