"""What importing costs: no question pays for torch, and imports go one way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = ("torch", "sentence_transformers", "transformers")
QUESTIONS = ("api.cli", "api.commands.find", "api.commands.browse", "api.bootstrap", "graph.library")
NOT_FOR_A_SEARCH = (  # a search from the shell is over before some of these would be loaded
    *("fastapi", "httpx", "limits", "mcp", "neo4j", "qdrant_client", "uvicorn"),  # the service and the servers
    *("ingest", "kernels_ref", "onnx", "rich", "scipy", "yaml"),  # what fills a store, a terminal, other commands
)
READING = ("ingest.readers", "ingest.ontology", "ingest.pipeline", "graph.stores.qdrant_edge", "graph.stores.embedders")


def loaded_after(code: str, names: tuple[str, ...] = HEAVY) -> list[str]:
    """Those of some modules that a fresh process has loaded after some lines."""
    code += f"\nimport sys\nprint([name for name in {names!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(eval(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("modules", [QUESTIONS, READING], ids=["questions", "reading"])
def test_importing_what_answers_or_reads_loads_no_torch(modules: tuple[str, ...]) -> None:
    assert loaded_after("\n".join(f"import {module}" for module in modules)) == []


def test_a_search_with_the_exported_model_loads_no_torch(exported: Path) -> None:
    code = (
        "from pathlib import Path\nfrom graph.stores.embedders import OnnxEmbedder\n"
        f"OnnxEmbedder(Path({str(exported)!r})).embed(['x'])"
    )

    assert loaded_after(code) == []


def test_a_search_from_the_shell_loads_nothing_that_it_does_not_use(real_folder: Path) -> None:
    code = (
        f"import sys\nsys.argv = ['warpath', 'search', 'tiled matmul', '--data', {str(real_folder)!r}]\n"
        "from api.__main__ import main\ntry: main()\nexcept SystemExit as end: assert not end.code"
    )

    assert loaded_after(code, (*HEAVY, *NOT_FOR_A_SEARCH)) == []


def test_questions_to_a_store_load_no_torch(starter_folder: Path) -> None:
    code = (
        "from pathlib import Path\nfrom tests import fakes\n"
        f"library = fakes.library(Path({str(starter_folder)!r}))\n"
        "library.topics(); library.topic('tiling'); library.sources(); library.close()"
    )

    assert loaded_after(code) == []


def test_collecting_the_tests_loads_no_torch() -> None:
    """Those of the kernels apart, which are about torch."""
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "--ignore=tests/kernels", "tests"]
    code = f"import pytest\npytest.main({options!r})"

    assert loaded_after(code) == []


def test_imports_go_one_way() -> None:
    """The contracts of import-linter in pyproject.toml hold."""
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout
