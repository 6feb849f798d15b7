"""The command line: what stands on which stream, how it ends, what it imports, what its help says."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from api import page, render
from api.cli import app
from api.manual import commands, manual
from api.output import EXIT_CODES, exit_code
from api.page import Line
from graph import errors, models

ROOT = Path(__file__).parents[2]
COMMANDS = sorted(commands())
LIST = "# Lists\n\n- [Tiled matmul](https://example.org/tiled) - why tiles pay\n"

HEAVY = (
    "torch", "sentence_transformers", "transformers", "onnxruntime", "numpy", "qdrant_client", "qdrant_edge", "neo4j",
    "fastapi", "uvicorn", "rich", "httpx",
)  # fmt: skip

RESOURCE = models.Resource(
    id="3f0c0c1e-0000-5000-8000-000000000001",
    title="Tiled matmul",
    url="https://example.org/tiled",
    kind="blog",
    topics=(models.Link(slug="tiling", name="Tiling", reason="title", confidence=0.9, source="list.md", line=3),),
    mentions=(models.Mention(source="list.md", line=3, title="Tiled matmul", note="why\ttiles \x1b[31mpay"),),
)
HIT = models.Hit(
    id=RESOURCE.id,
    title=RESOURCE.title,
    url=RESOURCE.url,
    kind="blog",
    score=0.5,
    topics=("tiling",),
    mentions=(models.Place(source="list.md", line=3, note="why\ttiles \x1b[31mpay"),),
)
PLACES: tuple[tuple[str, int | None], ...] = (("a", None), ("b", 2), ("c", None))
SAYS: dict[str, Any] = {"source": "works/mine.yaml", "line": 7}
TOPIC = models.Topic(
    slug="tiling", name="Tiling", summary="Work on blocks that fit.", requires={"warps": "it runs in them"}
)


KERNEL = models.KernelPage(
    kernel=models.KernelLine(
        slug="tiled-gemm",
        title="Tiled GEMM",
        summary="Multiplies tile by tile.",
        status="described",
        difficulty=2,
        links=("https://example.org/code",),
        topics=("tiling",),
        requires=("vector-add",),
    ),
    resources=(HIT,),
    posts=(models.Place(source="log.txt", line=1, note="Half of the peak!"),),
)


class FakeLibrary:
    """A library of one resource; it remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[models.Value] = []
        self.closed = False

    def search(self, request: models.SearchRequest) -> models.SearchAnswer:
        self.asked.append(request)
        found = () if request.query == "nothing" else (HIT,)
        answer = models.SearchAnswer(query=request.query, abstain=not found, hits=found)
        if not request.path:
            return answer
        path = self.plan(models.PathRequest(goal=request.query)) if found else None
        return models.SearchAnswerWithPath(**dict(answer), path=path)

    def similar(self, name: str, request: models.SimilarRequest) -> models.SimilarAnswer:
        self.asked.append(request)
        return models.SimilarAnswer(resource=HIT, hits=(HIT,) if name == "tiles" else ())

    def plan(self, request: models.PathRequest) -> models.LearningPath:
        self.asked.append(request)
        if request.goal == "cooking":
            raise errors.NothingCovered(request.goal, ["tiling"])
        if request.hours == 1:
            raise errors.BudgetTooSmall(1, 3)
        step = models.Step(
            position=1, topics=("tiling",), resource=HIT, reason="The goal.", evidence=("why tiles pay",), minutes=90
        )
        return models.LearningPath(
            id="plan-1",
            goal=request.goal,
            understood="Tiling",
            targets=("tiling",),
            known=request.know,
            steps=(step,),
            kernels=("matmul",),
            minutes=90,
            certificate=models.Certificate(prerequisites=(), known=request.know, assumed=(), excluded=()),
        )

    def plan_to_kernel(self, name: str, learner: models.Learner) -> models.LearningPath:
        return self.plan(models.PathRequest(goal=self.kernel(name).kernel.title, **dict(learner)))

    def plan_to_resource(self, name: str, learner: models.Learner) -> models.LearningPath:
        return self.plan(models.PathRequest(goal=self.resource(name).title, **dict(learner)))

    def kernel(self, name: str) -> models.KernelPage:
        if name in ("tiled-gemm", "Tiled GEMM"):
            return KERNEL
        raise errors.UnknownName("kernel", name, ["tiled-gemm"])

    def validate(self, path: models.LearningPath) -> list[models.Fault]:
        self.asked.append(path)
        return [] if path.id == "plan-1" else [models.Fault(kind="order", message="Step 2 comes too late.")]

    def resource(self, name: str) -> models.Resource:
        if name in (RESOURCE.title, RESOURCE.url, RESOURCE.id):
            return RESOURCE
        raise errors.UnknownName("resource", name, [RESOURCE.title])

    def topics(self) -> list[models.TopicLine]:
        return [
            models.TopicLine(slug="memory", name="Memory", level=1, resources=0),
            models.TopicLine(slug="tiling", name="Tiling", level=2, parent="memory", resources=1),
            models.TopicLine(slug="bare", name="Bare", level=2, parent="memory", resources=0),
        ]

    def topic(self, name: str) -> models.TopicPage:
        if name == "tiling":
            return models.TopicPage(topic=TOPIC, resources=(HIT,))
        raise errors.UnknownName("topic", name, ["tiling"])

    def hardware(self) -> list[models.Hardware]:
        bandwidth = models.Figure(value=3.35, unit="TB/s", source="https://example.org/h100")
        return [models.Hardware(slug="h100", name="H100", kind="device", figures={"bandwidth": bandwidth})]

    def sources(self) -> list[models.SourceLine]:
        return [models.SourceLine(source="list.md", title="Lists", format="plain", digest="0" * 64, mentions=1)]

    def devlog(self) -> list[models.DevlogPost]:
        return [models.DevlogPost(source="log.txt", line=1, end_line=2, day=3, text="Tiles!", topics=("tiling",))]

    def export(self) -> Iterator[models.Resource]:
        yield RESOURCE

    def status(self) -> models.StoreStatus:
        return models.StoreStatus(stamp="s", model="m", nodes={"Resource": 1}, edges={}, vectors=1, index_ready=True)

    def ready(self) -> None:
        return None

    def close(self) -> None:
        self.closed = True


class FakePipeline:
    """Takes documents in and stores nothing."""

    def __init__(self) -> None:
        self.documents: tuple[models.Document, ...] = ()

    def ingest(self, documents: Sequence[models.Document], *_: object) -> models.IngestReport:
        self.documents = tuple(documents)
        return models.IngestReport(read=(), resources=1, written=2, removed=0, embedded=1, seconds=0.1)

    def forget(self, source: str, *_: object) -> models.IngestReport:
        raise errors.UnknownName("source", source, ["list.md"])


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakePipeline:
    """Stands where `ingest` and `forget` find the pipeline."""
    fake = FakePipeline()
    monkeypatch.setattr("ingest.pipeline.ingest", fake.ingest)
    monkeypatch.setattr("ingest.pipeline.forget", fake.forget)
    monkeypatch.setenv("WARPATH_DATA", str(tmp_path / "data"))
    return fake


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeLibrary:
    """Stands where every command finds its library."""
    fake = FakeLibrary()
    monkeypatch.setattr("api.bootstrap.open_library", lambda settings: fake)
    monkeypatch.setenv("WARPATH_DATA", str(tmp_path))
    return fake


def warpath(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="warpath")


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "api.cli", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str) -> None:
    """--help of each command says what it does, shows an example and explains every option."""
    command = commands()[name]
    result = warpath(*name.split(), "--help")

    assert result.exit_code == 0
    assert command.help
    assert "Examples:" in result.stdout
    assert f"warpath {name}" in result.stdout
    assert all(getattr(parameter, "help", None) for parameter in command.params)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_the_shared_options(name: str) -> None:
    """--data, --ontology, --model and --json may stand after each command."""
    options = {option for parameter in commands()[name].params for option in parameter.opts}

    assert {"--data", "--ontology", "--model", "--json"} <= options


def test_the_manual_is_fresh() -> None:
    """docs/cli.md is what --help says now; `python -m api.manual > docs/cli.md` writes it."""
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == manual()


def test_exit_codes_are_documented() -> None:
    """Every code that an error can give stands in the help."""
    text = warpath("--help").stdout
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    family = [kind for kind in kinds if issubclass(kind, errors.WarpathError)]

    assert all(f"{code}  {meaning}" in text for code, meaning in EXIT_CODES.items())
    assert {exit_code(kind.__new__(kind)) for kind in family} <= EXIT_CODES.keys()


def test_starting_imports_nothing_heavy() -> None:
    """Neither the commands nor --help load a model, a store, a server or rich."""
    code = f"import sys, api.cli; print([name for name in {HEAVY} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


def test_version_and_completion() -> None:
    """--version names the program; completion scripts come from Typer."""
    assert process("--version").stdout.startswith("warpath ")
    script = process(env={**os.environ, "_WARPATH_COMPLETE": "source_bash"})
    assert "_WARPATH_COMPLETE" in script.stdout


def test_read_gives_mentions_as_json_lines(tmp_path: Path) -> None:
    """`read` gives the fixed fields of each mention, and stores nothing."""
    (tmp_path / "list.md").write_text(LIST, encoding="utf-8")
    result = process("read", str(tmp_path / "list.md"))

    [mention] = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 0
    assert mention.keys() == models.Mention.model_fields.keys()
    assert mention["url"] == "https://example.org/tiled"
    assert mention["source"] == "list.md"
    assert os.listdir(tmp_path) == ["list.md"]


def test_read_goes_on_after_a_file_that_fails(tmp_path: Path) -> None:
    """What fails is told on stderr, the rest is read, the exit code is 1."""
    (tmp_path / "list.md").write_text(LIST, encoding="utf-8")
    result = process("read", str(tmp_path / "absent.md"), str(tmp_path / "list.md"))

    assert result.returncode == 1
    assert len(result.stdout.splitlines()) == 1
    assert "absent.md" in result.stderr
    assert "Traceback" not in result.stderr


def test_read_takes_standard_input_and_warns_of_nothing_found() -> None:
    """A dash is standard input; a text without resources is a warning, no failure."""
    result = process("read", "-", input="Only words.\n")

    assert result.returncode == 0
    assert result.stdout == ""
    assert result.stderr.startswith("Warning: No resource")


def test_with_json_errors_are_json(tmp_path: Path) -> None:
    """Programs get errors as objects, on stderr."""
    result = process("read", "--json", str(tmp_path / "absent.md"))

    error = json.loads(result.stderr)["error"]
    assert error["type"] == "UnreadableSource"
    assert error["exit_code"] == result.returncode == 1
    assert error["message"]
    assert error["hint"]


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    """`warpath read ... | head -1` leaves no words on stderr and the code of SIGPIPE."""
    lines = "".join(f"- [Item {n}](https://example.org/{n}) - words\n" for n in range(5000))
    (tmp_path / "long.md").write_text(lines, encoding="utf-8")
    command = [sys.executable, "-m", "api.cli", "read", str(tmp_path / "long.md")]
    with subprocess.Popen(command, cwd=ROOT, stdout=PIPE, stderr=PIPE) as child:
        assert child.stdout
        assert child.stderr
        child.stdout.readline()
        child.stdout.close()
        talk = child.stderr.read()

    assert talk == b""
    assert child.returncode == 141


def test_ctrl_c_ends_quietly(tmp_path: Path) -> None:
    """An interrupt while waiting for input leaves no stack trace and the code of SIGINT."""
    (tmp_path / "list.md").write_text(LIST, encoding="utf-8")
    command = [sys.executable, "-u", "-m", "api.cli", "read", str(tmp_path / "list.md"), "-"]
    # A run in the background ignores the signal, and so would what it starts.
    heed = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE, preexec_fn=heed) as child:
        assert child.stdout
        assert child.stderr
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        talk = child.stderr.read()

    assert talk == b""
    assert child.returncode == 130


def test_usage_errors_end_with_2(library: FakeLibrary) -> None:
    """Typer's own complaints and those of the request's checks alike."""
    assert warpath("search").exit_code == 2
    assert warpath("search", "x", "--limit", "0").exit_code == 2
    result = warpath("search", "x", "--kind", "novel")
    assert result.exit_code == 2
    assert "kind" in result.stderr
    assert library.asked == []


def test_search_asks_what_was_given(library: FakeLibrary) -> None:
    """Every option arrives in the request; several words are one query."""
    warpath(
        "search", "bank", "conflicts", "-n", "3", "--kind", "blog", "--kind", "repo", "--hardware", "h100",
        "--max-tier", "1", "--topic", "tiling", "--author", "A B", "--source", "list.md", "--status", "to_read",
    )  # fmt: skip

    assert library.asked == [
        models.SearchRequest(
            query="bank conflicts", limit=3, kind=("blog", "repo"), hardware="h100", max_tier=1,
            topic=("tiling",), author=("A B",), source=("list.md",), status=("to_read",),
        )
    ]  # fmt: skip
    assert library.closed


def test_search_gives_json(library: FakeLibrary) -> None:
    """--json gives the answer as REST does, on one line; abstaining is no failure."""
    result = warpath("search", "tiles", "--json")
    nothing = warpath("--json", "search", "nothing")

    assert json.loads(result.stdout)["hits"] == [HIT.model_dump(mode="json")]
    assert result.stderr == ""
    assert json.loads(nothing.stdout)["abstain"] is True
    assert nothing.exit_code == 0


def test_search_pages_and_counts_when_asked(library: FakeLibrary) -> None:
    """The word that a page ends with asks for the next one."""
    warpath("search", "tiles", "--facets", "--next", "abc")

    assert library.asked == [models.SearchRequest(query="tiles", facets=True, cursor="abc")]


def test_a_page_of_hits_says_why_what_was_mended_and_how_it_goes_on() -> None:
    """Everything that an answer holds is shown, a line each."""
    why = models.Why(terms=("tile", "Loops"), topics=("tiling",), note=HIT.mentions[0])
    answer = models.SearchAnswer(
        query="tlie",
        abstain=False,
        hits=(HIT.model_copy(update={"why": why}),),
        corrected="tile",
        facets={"kind": (models.FacetCount(value="blog", name="blog", count=3),)},
        next="abc",
    )
    shown = [line.text for line in render.search_answer(answer) if isinstance(line, Line)]

    assert shown[0] == "Searched for: tile"
    assert "Matches: tile, Loops, topics tiling" in shown
    assert shown[-2:] == ["Kind: blog (3)", "More: --next abc"]


def texts(shown: page.Page, start: str = "") -> list[str]:
    """The lines of a page from the one that begins so."""
    lines = [line.text for line in shown if isinstance(line, Line)]
    return lines[next(n for n, line in enumerate(lines) if line.startswith(start)) :]


def test_a_hit_says_what_it_teaches_then_what_one_list_notes_and_where_else_it_stands() -> None:
    """Two sentences at most, whatever the number of lists."""
    places = [models.Place(source=f"{name}.md", line=3, note=f"Note {name}.", tier=tier) for name, tier in PLACES]
    hit = models.Hit(
        id="1", title="A", kind="blog", score=0, mentions=places, says=models.Place(**SAYS, note="Tiles a product.")
    )

    assert texts(render.search_answer(models.SearchAnswer(query="x", abstain=False, hits=(hit,))), "“") == [
        "“Tiles a product.” (works/mine.yaml:7)",
        "“Note a.” (a.md:3)",
        "Also in b.md:3, tier 2 · c.md:3",
    ]


def test_a_resource_is_shown_with_what_it_teaches_before_what_lists_say() -> None:
    """The sentence and its place, how hard and how long it is, and the questions that it answers: only questions."""
    known = models.Annotation(
        title="A", level=2, minutes=90, says="Tiles a product.", asks=("Why do tiles pay?", "tiled product"), **SAYS
    )
    lines = texts(render.resource_page(RESOURCE.model_copy(update={"annotation": known})), "What it teaches")

    assert lines[:5] == [
        "What it teaches (works/mine.yaml:7)",
        "“Tiles a product.”",
        "Level 2 of 5 · 1 h 30 min",
        "Answers: Why do tiles pay?",
        "What the lists say",
    ]
    assert "What it teaches" not in " ".join(texts(render.resource_page(RESOURCE)))


def test_a_topic_shows_what_helps_beside_what_it_needs() -> None:
    topic = TOPIC.model_copy(update={"helps": {"occupancy": "tiles compete for space"}})
    lines = texts(render.topic_page(models.TopicPage(topic=topic)), "Needs")

    assert lines[:2] == ["Needs warps: it runs in them", "Helped by occupancy: tiles compete for space"]


def test_where_nothing_answers_there_is_something_to_try() -> None:
    """What is wrong comes first, what to try last."""
    answer = models.SearchAnswer(
        query="x", abstain=True, hits=(), warnings=("No list uses “x”.",), suggestions=("tiling", "matmul kind:blog")
    )
    shown = [line.text for line in render.search_answer(answer) if isinstance(line, Line)]

    assert shown == [
        "No list uses “x”.",
        "Nothing in the store answers this.",
        "Try: tiling",
        "Try: matmul kind:blog",
    ]


def test_similar_shows_what_is_like_a_resource(library: FakeLibrary) -> None:
    """The words of a title need no quotes; nothing like it is no failure."""
    found = warpath("similar", "tiles", "-n", "2", "--kind", "blog")
    none = warpath("similar", "no", "tiles")

    assert library.asked[0] == models.SimilarRequest(limit=2, kind=("blog",))
    assert "1. Tiled matmul" in found.stdout
    assert none.stdout == "Nothing like “Tiled matmul” meets this.\n"
    assert none.exit_code == 0


def test_search_gives_the_path_to_what_the_hits_teach(library: FakeLibrary) -> None:
    """After the hits; null in JSON where there is none, absent where none was asked for."""
    text, held = (
        warpath("search", "tiles", "--path").stdout,
        json.loads(warpath("search", "tiles", "--path", "--json").stdout),
    )
    none = warpath("search", "nothing", "--path")

    assert text.index("Tiled matmul") < text.index("tiles: 1 steps, 1 h 30 min")
    assert held["path"]["id"] == "plan-1"
    assert json.loads(warpath("search", "nothing", "--path", "--json").stdout)["path"] is None
    assert "No path" in none.stdout
    assert none.exit_code == 0
    assert "path" not in json.loads(warpath("search", "tiles", "--json").stdout)


@pytest.mark.parametrize(("name", "title"), [("tiled-gemm", "Tiled GEMM"), (RESOURCE.id, "Tiled matmul")])
def test_a_path_to_a_kernel_or_resource_is_planned(library: FakeLibrary, name: str, title: str) -> None:
    """What the learner knows and has goes with it, and it is exported like any other."""
    result = warpath("path", "--to", name, "--know", "a,b", "--hours", "2", "--hardware", "h100")
    export = warpath("path", "--to", name, "--format", "markdown")

    assert library.asked[0] == models.PathRequest(goal=title, know=("a", "b"), hours=2, hardware="h100")
    assert f"{title}: 1 steps" in result.stdout
    assert export.stdout.startswith("# ")


def test_text_from_lists_cannot_steer_the_terminal(library: FakeLibrary) -> None:
    """Escape sequences in a note are shown as text, in plain output as in JSON."""
    plain, as_json = warpath("search", "tiles"), warpath("search", "tiles", "--json")

    assert "\x1b" not in plain.stdout + as_json.stdout
    assert "why tiles [31mpay" in plain.stdout


def test_path_splits_what_is_known(library: FakeLibrary) -> None:
    """--know is repeatable and takes commas."""
    result = warpath("path", "fast", "matmul", "--know", "a, b", "--know", "c", "--hours", "2.5")

    assert library.asked == [models.PathRequest(goal="fast matmul", know=("a", "b", "c"), hours=2.5)]
    assert "1 h 30 min" in result.stdout
    assert "why tiles pay" in result.stdout


def test_a_path_can_be_checked(library: FakeLibrary, tmp_path: Path) -> None:
    """What --json gave is read back; 0 when it is right, 1 with the faults when it is not."""
    file = tmp_path / "path.json"
    file.write_text(warpath("path", "tiling", "--json").stdout, encoding="utf-8")
    right = warpath("path", "--check", str(file))
    file.write_text(file.read_text(encoding="utf-8").replace("plan-1", "plan-2"), encoding="utf-8")
    wrong, as_json = warpath("path", "--check", str(file)), warpath("path", "--check", str(file), "--json")

    assert (right.exit_code, right.stdout) == (0, "The path is right.\n")
    assert (wrong.exit_code, as_json.exit_code) == (1, 1)
    assert "order: Step 2 comes too late." in wrong.stdout
    assert [fault["kind"] for fault in json.loads(as_json.stdout)["faults"]] == ["order"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "\udcff", "[" * 100_000])
def test_a_file_that_is_no_path_cannot_be_checked(library: FakeLibrary, tmp_path: Path, text: str) -> None:
    """It is told so in a line, with the code for files."""
    (tmp_path / "path.json").write_text(text, encoding="utf-8", errors="surrogateescape")
    result = warpath("path", "--check", str(tmp_path / "path.json"))

    assert result.exit_code == warpath("path", "--check", str(tmp_path / "absent.json")).exit_code == 1
    assert "is no learning path" in result.stderr
    assert library.asked == []


def test_a_path_is_planned_or_checked(library: FakeLibrary) -> None:
    """One of the three: not two, nor none."""
    assert (
        warpath("path", "tiling", "--to", "x").exit_code == warpath("path", "--to", "x", "--check", "-").exit_code == 2
    )
    assert warpath("path").exit_code == warpath("path", "tiling", "--check", "-").exit_code == 2
    assert library.asked == []


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("path", "cooking"), 4, "tiling"),
        (("path", "tiling", "--hours", "1"), 5, "--hours 3"),
        (("path", "--to", "no such thing"), 4, "tiled-gemm, Tiled matmul"),
        (("show", "no such thing"), 4, "Tiled matmul"),
    ],
)
def test_errors_say_what_to_do(library: FakeLibrary, arguments: tuple[str, ...], code: int, word: str) -> None:
    """Each error is a line or two on stderr, with a hint and its own exit code."""
    result = warpath(*arguments)

    assert result.exit_code == code
    assert result.stdout == ""
    assert word in result.stderr
    assert len(result.stderr.splitlines()) <= 2


def test_errors_carry_the_nearest_names_as_json(library: FakeLibrary) -> None:
    """A program can offer what a person would have meant."""
    assert json.loads(warpath("path", "cooking", "--json").stderr)["error"]["nearest"] == ["tiling"]


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("tiling", "topic"),
        ("H100", "figures"),
        ("tiled-gemm", "kernel"),
        ("Tiled matmul", "mentions"),
        (RESOURCE.id, "mentions"),
    ],
)
def test_show_finds_topics_hardware_kernels_and_resources(library: FakeLibrary, name: str, field: str) -> None:
    """One command shows whatever has that name, to people and as JSON."""
    assert field in json.loads(warpath("show", name, "--json").stdout)
    assert warpath("show", name).stdout


def test_a_kernel_is_shown_with_all_that_speaks_of_it(library: FakeLibrary) -> None:
    """Status, what it is about and needs, links, works, posts."""
    text = warpath("show", "Tiled GEMM").stdout

    for word in (
        "described", "Multiplies tile by tile.", "Topics: tiling", "vector-add", "https://example.org/code",
        "1. Tiled matmul", "“Half of the peak!” (log.txt:1)",
    ):  # fmt: skip
        assert word in text


def test_topics_are_a_tree(library: FakeLibrary) -> None:
    """Uncovered topics show with --all, or when something under them is covered; JSON has all."""
    assert warpath("topics").stdout.splitlines() == ["memory (0) Memory", "  tiling (1) Tiling"]
    assert "  bare (0) Bare" in warpath("topics", "--all").stdout.splitlines()
    assert len(warpath("topics", "--json").stdout.splitlines()) == 3


@pytest.mark.parametrize("name", ["hardware", "sources", "devlog", "status", "export"])
def test_lists_come_as_text_and_as_json_lines(library: FakeLibrary, name: str) -> None:
    """Every command that gives data gives it as JSON lines too."""
    assert warpath(name).stdout
    [line] = warpath(name, "--json").stdout.splitlines()
    assert isinstance(json.loads(line), dict)


def test_export_gives_slugs(library: FakeLibrary) -> None:
    """An exported resource names its topics and keeps its mentions."""
    exported = json.loads(warpath("export").stdout)

    assert exported.keys() == {"id", "title", "url", "kind", "authors", "topics", "hardware", "mentions"}
    assert exported["topics"] == ["tiling"]
    assert exported["mentions"][0]["line"] == 3


def test_a_fault_is_no_stack_trace(library: FakeLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even what nobody foresaw ends in words."""
    monkeypatch.setattr(library, "sources", lambda: 1 / 0)
    result = warpath("sources")

    assert result.exit_code == 70
    assert "ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.output


def test_a_terminal_gets_a_drawing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Markup in a title stays text; with NO_COLOR there is no escape sequence."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    page.draw([page.Line("[bold]title[/bold]", "bold"), page.Table(("a", "b"), (("x", 1),))])

    shown = capsys.readouterr().out
    assert "[bold]title[/bold]" in shown
    assert "\x1b" not in shown


def test_ingest_without_files_takes_the_starter_corpus(pipeline: FakePipeline) -> None:
    """Whoever just types `warpath ingest` gets lists that come with warpath."""
    result = warpath("ingest", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout)["written"] == 2
    assert len(pipeline.documents) >= 3
    assert all(document.mentions for document in pipeline.documents)


def test_ingest_goes_on_after_a_file_that_fails(pipeline: FakePipeline, tmp_path: Path) -> None:
    """The readable file is ingested, the other told, and the exit code says so."""
    (tmp_path / "list.md").write_text(LIST, encoding="utf-8")
    result = warpath("ingest", str(tmp_path / "absent.md"), str(tmp_path / "list.md"))

    assert result.exit_code == 1
    assert "absent.md" in result.stderr
    assert [document.source for document in pipeline.documents] == ["list.md"]


def test_a_single_list_can_be_named(pipeline: FakePipeline, tmp_path: Path) -> None:
    """--name replaces the file's name; for several files it is refused."""
    (tmp_path / "list.md").write_text(LIST, encoding="utf-8")
    warpath("ingest", str(tmp_path / "list.md"), "--name", "mine.md")

    assert [document.source for document in pipeline.documents] == ["mine.md"]
    assert warpath("ingest", "a.md", "b.md", "--name", "mine.md").exit_code == 2


def test_forget_names_what_is_there(pipeline: FakePipeline) -> None:
    """An unknown list ends with 4 and the names that are known."""
    result = warpath("forget", "lost.md")

    assert result.exit_code == 4
    assert "list.md" in result.stderr


def test_doctor_looks_at_everything(
    library: FakeLibrary, starter_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One failing check does not hide the others; it gives code 3 and a hint."""
    shutil.copytree(starter_folder, tmp_path / "store")
    monkeypatch.setenv("WARPATH_DATA", str(tmp_path / "store"))
    assert json.loads(warpath("doctor", "--json").stdout)["ok"] is True

    def ready() -> None:
        raise errors.StoreEmpty("Nothing yet.", hint="`warpath ingest` helps.")

    monkeypatch.setattr(library, "ready", ready)
    result = warpath("doctor")
    assert result.exit_code == 3
    assert "FAILED answers" in result.stdout
    assert "`warpath ingest` helps." in result.stdout
    assert "ok ontology" in result.stdout


def test_bad_settings_are_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that does not fit is named."""
    monkeypatch.setenv("WARPATH_PORT", "abc")
    result = warpath("status")

    assert result.exit_code == 2
    assert result.stderr.startswith("Error: port")


def test_namesakes_are_refused(tmp_path: Path) -> None:
    """Two lists of one name would silently overwrite each other."""
    result = warpath("ingest", str(tmp_path / "a" / "list.md"), str(tmp_path / "b" / "list.md"))

    assert result.exit_code == 2
    assert "list.md" in result.stderr
