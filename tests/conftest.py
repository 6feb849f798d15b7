"""What tests share: one ontology, one loaded model, one store with all starter lists."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graph.library import Library
from tests import fakes, servers

if TYPE_CHECKING:
    from graph.stores.embedders import SentenceTransformerEmbedder
    from ingest.ontology import Ontology

CORPUS = Path(__file__).parents[1] / "ingest" / "corpus"


@pytest.fixture(scope="session")
def ontology() -> Ontology:
    """The shipped topics and hardware."""
    from ingest.ontology import load_ontology

    return load_ontology()


@pytest.fixture(scope="session")
def bundled() -> SentenceTransformerEmbedder:
    """The bundled model, loaded once: seconds."""
    from graph.stores.embedders import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder()


@pytest.fixture(scope="session")
def exported(bundled: SentenceTransformerEmbedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the bundled model's export; copy it to break it."""
    folder = tmp_path_factory.mktemp("models") / "export"
    bundled.export(folder)
    return folder


@pytest.fixture(scope="session")
def neo4j() -> Iterator[servers.Neo4jServer]:
    """A running Neo4j; the tests that need it are skipped, with the reason, where there can be none."""
    try:
        server = servers.neo4j_server()
    except servers.NoServerError as reason:
        pytest.skip(str(reason))
    yield server
    server.close()


@pytest.fixture(scope="session")
def starter_folder(ontology: Ontology, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all starter lists, embedded by a fake. Read it only; copy it to change it."""
    from ingest import pipeline
    from ingest.readers import read_file

    folder = tmp_path_factory.mktemp("starter")
    lists = [read_file(path) for path in sorted(CORPUS.iterdir()) if path.suffix in (".md", ".txt")]
    pipeline.ingest(lists, fakes.stores(folder), ontology)
    return folder


@pytest.fixture(scope="session")
def starter(starter_folder: Path) -> Iterator[Library]:
    """A library over all starter lists, embedded by a fake: exact names and words find, meaning does not."""
    with closing(fakes.library(starter_folder)) as library:
        yield library


@pytest.fixture(scope="session")
def real_folder(ontology: Ontology, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all starter lists, embedded by the bundled model: half a minute, once. Read it only."""
    from api.bootstrap import open_stores
    from api.settings import Settings
    from ingest import pipeline
    from ingest.readers import read_file

    folder = tmp_path_factory.mktemp("real")
    lists = [read_file(path) for path in sorted(CORPUS.iterdir()) if path.suffix in (".md", ".txt")]
    pipeline.ingest(lists, open_stores(Settings(data=folder, _env_file=None)), ontology)  # type: ignore[call-arg]
    return folder


@pytest.fixture(scope="session")
def real(real_folder: Path) -> Iterator[Library]:
    """A library over all starter lists, embedded by the bundled model."""
    from api.bootstrap import open_library
    from api.settings import Settings

    with closing(open_library(Settings(data=real_folder, _env_file=None))) as library:  # type: ignore[call-arg]
        yield library
