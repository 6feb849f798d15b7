"""The retrievers for LangChain and LlamaIndex, with the real packages, over a library and over a service."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.client import Client
from api.retrievers import Searcher
from graph.library import Library
from graph.models import Hit, Place, SearchRequest
from tests import service

ROOT = Path(__file__).parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "client.md").read_text(encoding="utf-8"), re.S)
QUERY = "flash attention"
OFF_TOPIC = "best pizza in Berlin"


@pytest.fixture(scope="module")
def client(starter: Library) -> Iterator[Client]:
    with service.running(starter) as (_, port), Client(f"http://127.0.0.1:{port}", timeout=60) as client:
        yield client


@pytest.fixture(params=["library", "client"])
def searcher(request: pytest.FixtureRequest, starter: Library, client: Client) -> Searcher:
    return starter if request.param == "library" else client


def places(hit: Hit) -> list[Place]:
    """Where something is said of a work: in the ontology, then in lists."""
    assert hit.says
    return [hit.says, *hit.mentions]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_manual_run(starter: Library, example: str) -> None:
    with service.running(starter) as (_, port):
        exec(example.replace("127.0.0.1:8000", f"127.0.0.1:{port}"), {})


def test_langchain_gets_documents_with_their_sources(searcher: Searcher, starter: Library) -> None:
    from api.retrievers.langchain import WarpathRetriever

    documents = WarpathRetriever(searcher=searcher, limit=3, conditions={"kind": ("paper",)}).invoke(QUERY)
    hits = starter.search(SearchRequest(query=QUERY, limit=3, kind=("paper",))).hits

    assert [document.id for document in documents] == [hit.id for hit in hits]
    for document, hit in zip(documents, hits, strict=True):
        assert document.page_content.splitlines()[0] == hit.title
        for place in places(hit):
            assert place.note in document.page_content
            assert f"{place.source}:{place.line}" in document.metadata["sources"]
        assert document.metadata["url"] == hit.url
        assert document.metadata["topics"] == list(hit.topics)
        assert document.metadata["score"] == hit.score


def test_llamaindex_gets_nodes_with_their_sources(searcher: Searcher, starter: Library) -> None:
    from api.retrievers.llamaindex import WarpathRetriever

    nodes = WarpathRetriever(searcher, limit=3, kind=("paper",)).retrieve(QUERY)
    hits = starter.search(SearchRequest(query=QUERY, limit=3, kind=("paper",))).hits

    assert [(one.node.node_id, one.score) for one in nodes] == [(hit.id, hit.score) for hit in hits]
    for one, hit in zip(nodes, hits, strict=True):
        assert one.text.splitlines()[0] == hit.title
        assert one.metadata["url"] == hit.url
        assert one.metadata["sources"] == [f"{place.source}:{place.line}" for place in places(hit)]


def test_what_nothing_answers_retrieves_nothing(searcher: Searcher) -> None:
    """Rather than what happens to come nearest."""
    from api.retrievers import langchain, llamaindex

    assert langchain.WarpathRetriever(searcher=searcher).invoke(OFF_TOPIC) == []
    assert llamaindex.WarpathRetriever(searcher).retrieve(OFF_TOPIC) == []


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [("langchain", "langchain_core", "langchain"), ("llamaindex", "llama_index", "llamaindex")],
)
def test_without_its_framework_a_retriever_says_what_to_install(module: str, package: str, extra: str) -> None:
    code = f"import sys\nsys.modules[{package!r}] = None\nimport api.retrievers.{module}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 1
    assert f"pip install 'warpath[{extra}]'" in done.stderr.splitlines()[-1]


def test_no_door_imports_a_framework() -> None:
    code = (
        "import sys, api.app, api.cli, api.client, api.retrievers\n"
        "print({'langchain_core', 'llama_index'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)

    assert done.stdout.strip() == "set()", done.stderr
