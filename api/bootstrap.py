"""The one place where real parts are chosen and put together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from api.settings import Settings
from graph.library import Library
from graph.ports import Embedder, VectorStore
from graph.stores.embedders import OnnxEmbedder, SentenceTransformerEmbedder, export_folder
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
        lambda identity: OnnxEmbedder(export_folder(models, identity), threads=settings.threads),
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
        embedder=lambda: SentenceTransformerEmbedder(settings.model),
        model=settings.model,
        export=lambda embedder: _export(settings.data / "models", embedder),
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


def _export(models: Path, embedder: Embedder) -> None:
    """Keeps a copy of the model for queries, unless there is one."""
    folder = export_folder(models, embedder.identity)
    if isinstance(embedder, SentenceTransformerEmbedder) and not (folder / "card.json").exists():
        embedder.export(folder)
