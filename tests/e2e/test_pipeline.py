"""From lists to answers, through the real stores: what the pipeline promises about what is stored."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import StoreEmpty, StoreError, StoreOutdated, StoreUnavailable, UnknownName
from graph.models import Annotation, Document, PathRequest, Place, SearchRequest, Topic
from graph.records import Changes, Edge, Node
from graph.stores import sqlite_statements
from graph.stores.qdrant_edge import QdrantEdge
from graph.stores.sqlite_graph import SqliteGraph
from ingest import annotate, pipeline
from ingest.ontology import Ontology
from ingest.readers import read_text
from tests import fakes
from tests.fakes import FakeEmbedder, FakeIndex, document, small_list

VOCABULARY = fakes.vocabulary()
TILING, GEMM, BOTH = small_list("a.md", "tiling"), small_list("b.md", "GEMM"), small_list("c.md", "tiling", "GEMM")
LOG = document(
    "log.txt",
    {"title": "A note on tiling", "url": "https://example.org/tiling", "authors": ("Ada Lovelace", "@ada")},
    entries=({"day": 1, "text": "WGMMA on an H100 with @ada", "handles": ("ada",)}, {"day": 2, "text": "rested"}),
)
QUESTION = SearchRequest(query="tiling in depth")


def ingest(folder: Path, *documents: Document, vocabulary: Ontology = VOCABULARY) -> None:
    pipeline.ingest(documents, fakes.stores(folder), vocabulary)


def titles(folder: Path, question: SearchRequest = QUESTION) -> list[str]:
    """What a fresh process would answer."""
    with closing(fakes.library(folder)) as library:
        return [hit.title for hit in library.search(question).hits]


def graph_of(folder: Path) -> SqliteGraph:
    return SqliteGraph(folder / "warpath.db")


def index_stamp(folder: Path) -> str | None:
    with closing(QdrantEdge(folder / "index", fakes.DIMENSION)) as index:
        return index.stamp()


def points_of(folder: Path) -> dict[str, list[tuple[str, float]]]:
    """What the index gives for a question of each topic's words."""
    with closing(fakes.library(folder)) as library:
        return {
            query: [(hit.title, round(hit.score, 4)) for hit in library.search(SearchRequest(query=query)).hits]
            for query in ("tiling", "GEMM", "blocking", "attention")
        }


def test_what_was_ingested_is_found(tmp_path: Path) -> None:
    ingest(tmp_path, TILING, GEMM)

    assert titles(tmp_path)[0] == "tiling in depth"


def test_ingesting_twice_writes_nothing(tmp_path: Path) -> None:
    stores = fakes.stores(tmp_path)
    pipeline.ingest([TILING, LOG], stores, VOCABULARY)
    before = stores.graph.facts()
    report = pipeline.ingest([TILING, LOG], stores, VOCABULARY)

    assert (report.written, report.removed, report.embedded) == (0, 0, 0)
    assert report.unchanged == ("a.md", "log.txt")
    assert stores.graph.facts() == before


def test_a_run_that_changes_nothing_loads_no_model(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    embedder = FakeEmbedder()
    pipeline.ingest([TILING], fakes.stores(tmp_path, embedder), VOCABULARY)

    assert embedder.embedded == 0


def test_documents_come_back_as_they_were_read(tmp_path: Path) -> None:
    ingest(tmp_path, BOTH, LOG)

    assert pipeline.stored_documents(graph_of(tmp_path)) == {"c.md": BOTH, "log.txt": LOG}


def test_only_what_is_new_is_embedded(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    embedder = FakeEmbedder()
    pipeline.ingest([small_list("d.md", "attention")], fakes.stores(tmp_path, embedder), VOCABULARY)

    assert embedder.embedded == 1


def test_a_title_that_is_read_in_a_new_way_is_stored(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    ingest(tmp_path, TILING.model_copy(update={"title": "A better title"}))

    assert pipeline.stored_documents(graph_of(tmp_path))["a.md"].title == "A better title"


def test_forgetting_what_is_not_stored_names_what_is(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    with pytest.raises(UnknownName, match=r"x\.md") as caught:
        pipeline.forget("x.md", fakes.stores(tmp_path), VOCABULARY)

    assert caught.value.nearest == ("a.md",)


def test_what_two_lists_share_stays_when_one_is_forgotten(tmp_path: Path) -> None:
    ingest(tmp_path, TILING, BOTH)
    pipeline.forget("c.md", fakes.stores(tmp_path), VOCABULARY)

    assert titles(tmp_path) == ["tiling in depth"]


@pytest.mark.parametrize("name", ["a\tb.md", "a b:c.md", "line\nend.md", "日本.md", "'; --.md", "x" * 250, "\udcff.md"])
def test_a_list_of_any_name_can_be_ingested_and_forgotten(tmp_path: Path, name: str) -> None:
    read = read_text(name, b"- [GEMM](https://example.org/GEMM)")
    ingest(tmp_path, TILING, read)
    pipeline.forget(read.source, fakes.stores(tmp_path), VOCABULARY)

    assert pipeline.stored_documents(graph_of(tmp_path)) == {"a.md": TILING}


lists = st.sampled_from(
    [
        TILING,
        GEMM,
        BOTH,
        LOG,
        small_list("a.md", "GEMM", "attention"),
        small_list("b.md"),
        small_list("a.md", "tiling", "x"),
    ]
)
steps = st.lists(st.tuples(st.booleans(), st.lists(lists, min_size=1, max_size=3)), min_size=1, max_size=5)


@settings(max_examples=40, deadline=None)
@given(steps=steps)
def test_any_row_of_steps_leaves_what_a_fresh_ingest_of_the_rest_gives(
    steps: list[tuple[bool, list[Document]]],
) -> None:
    with TemporaryDirectory() as name:
        walked, fresh = Path(name, "walked"), Path(name, "fresh")
        left: dict[str, Document] = {}
        followed, built = FakeIndex(), FakeIndex()
        stores = fakes.stores(walked, index=followed)
        pipeline.ingest([], stores, VOCABULARY)
        for forget, documents in steps:
            if forget and documents[0].source in left:
                pipeline.forget(documents[0].source, stores, VOCABULARY)
                del left[documents[0].source]
            else:
                pipeline.ingest(documents, stores, VOCABULARY)
                left |= {document.source: document for document in documents}
        pipeline.ingest(list(left.values()), fakes.stores(fresh, index=built), VOCABULARY)

        assert fakes.contents(graph_of(walked)) == fakes.contents(graph_of(fresh))
        assert followed.contents() == built.contents()
        assert followed.stamp() == graph_of(walked).facts()["stamp"]


def test_an_index_that_followed_step_by_step_is_as_one_built_at_once(tmp_path: Path) -> None:
    walked, fresh = tmp_path / "walked", tmp_path / "fresh"
    ingest(walked, BOTH, LOG)
    ingest(walked, TILING)
    pipeline.forget("log.txt", fakes.stores(walked), VOCABULARY)
    ingest(fresh, TILING, BOTH)
    pipeline.reindex(fakes.stores(fresh), VOCABULARY)

    assert points_of(walked) == points_of(fresh)


def test_a_new_alias_of_a_topic_finds_its_resources_at_once(tmp_path: Path) -> None:
    renamed = {**VOCABULARY.topics, "tiling": Topic(slug="tiling", name="Tiling", aliases=("strip mining", "blocking"))}
    later = Ontology(renamed, VOCABULARY.hardware)
    walked, fresh = tmp_path / "walked", tmp_path / "fresh"
    ingest(walked, BOTH)
    ingest(walked, vocabulary=later)
    ingest(fresh, BOTH, vocabulary=later)

    assert points_of(walked) == points_of(fresh)


def knowing(**known: object) -> Ontology:
    """The small vocabulary with what it knows of the page “tiling in depth”."""
    fields = {"title": "tiling in depth", "url": "http://example.org/tiling/", "source": "works/mine.yaml", "line": 3}
    one = Annotation.model_validate(fields | known)
    return replace(VOCABULARY, works={annotate.key(one): one})


SAYS, ASKS = {"says": "Paints the hippopotamus."}, {"asks": ["why is zirconium slow"]}


def test_what_a_work_says_and_answers_is_found_by_its_words_and_quoted_with_its_place(tmp_path: Path) -> None:
    """Though no list has these words."""
    ingest(tmp_path, TILING, GEMM, vocabulary=knowing(**SAYS, **ASKS))
    with closing(fakes.library(tmp_path)) as library:
        said, asked = (library.search(SearchRequest(query=word)) for word in ("hippopotamus", "zirconium"))

    assert said.hits[0].title == asked.hits[0].title == "tiling in depth"
    assert said.hits[0].says == Place(source="works/mine.yaml", line=3, note="Paints the hippopotamus.")
    assert said.hits[0].why
    assert said.hits[0].why.note == said.hits[0].says
    assert [place.source for place in said.hits[0].mentions] == ["a.md"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, SAYS),
        (SAYS, {"says": "Paints the rhinoceros."}),
        (SAYS, ASKS),
        ({"teaches": ["tiling"]}, {"teaches": ["attention"]}),
        ({"teaches": ["attention"], "minutes": 5}, {"teaches": ["attention"], "line": 9}),
    ],
)
def test_an_annotation_that_comes_changes_or_goes_is_followed_though_no_list_did(
    tmp_path: Path, before: dict[str, object], after: dict[str, object]
) -> None:
    """By graph and index, as if everything were ingested afresh."""
    walked, followed = tmp_path / "walked", FakeIndex()
    for vocabulary in (VOCABULARY, knowing(**before), knowing(**after), VOCABULARY, knowing(**after)):
        pipeline.ingest([BOTH], fakes.stores(walked, index=followed), vocabulary)
        fresh, built = tmp_path / str(len(list(tmp_path.iterdir()))), FakeIndex()
        pipeline.ingest([BOTH], fakes.stores(fresh, index=built), vocabulary)

        assert fakes.contents(graph_of(walked)) == fakes.contents(graph_of(fresh))
        assert followed.contents() == built.contents()
        assert followed.stamp() == graph_of(walked).facts()["stamp"]


def test_what_helps_comes_first_in_a_path_that_holds_both(tmp_path: Path) -> None:
    """Read back from the store, with its reason; the topics that are needed are the same."""
    topics = {slug: topic for slug, topic in VOCABULARY.topics.items() if slug != "attention"}
    topics["attention"] = Topic(slug="attention", name="Attention", helps={"wgmma": "It is fast with it."}, level=1)
    ingest(
        tmp_path,
        small_list("a.md", "tiling", "GEMM", "WGMMA", "attention"),
        vocabulary=replace(VOCABULARY, topics=topics),
    )
    with closing(fakes.library(tmp_path)) as library:
        taught = [
            topic for step in library.plan(PathRequest(goal="attention and wgmma")).steps for topic in step.topics
        ]
        stored = library.topic("attention").topic

    assert dict(stored.helps) == {"wgmma": "It is fast with it."}
    assert stored.requires == {}
    assert [topic for topic in taught if topic in topics] == ["tiling", "matmul", "wgmma", "attention"]


def test_a_run_stopped_between_graph_and_index_is_completed_by_the_next(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    shutil.copytree(tmp_path / "index", tmp_path / "before")
    ingest(tmp_path, GEMM)
    shutil.rmtree(tmp_path / "index")
    (tmp_path / "before").rename(tmp_path / "index")
    ingest(tmp_path, GEMM)

    assert index_stamp(tmp_path) == graph_of(tmp_path).facts()["stamp"]


def test_a_second_library_answers_while_the_first_holds_the_index(tmp_path: Path) -> None:
    ingest(tmp_path, TILING, GEMM)
    with closing(fakes.library(tmp_path)) as first, closing(fakes.library(tmp_path)) as second:
        answers = [library.search(QUESTION) for library in (first, second, first)]

    assert answers[0].hits
    assert answers[0] == answers[1] == answers[2]


def test_a_second_process_answers_while_this_one_holds_the_index(tmp_path: Path) -> None:
    ingest(tmp_path, TILING, GEMM)
    with closing(fakes.library(tmp_path)) as library:
        here = library.search(QUESTION)
        there = in_another_process(
            "from graph.models import SearchRequest\n"
            f"print(fakes.library(folder).search(SearchRequest(query={QUESTION.query!r})).model_dump_json())",
            tmp_path,
        )

    assert there.strip() == here.model_dump_json()


def test_a_list_can_be_ingested_while_a_library_holds_the_index(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    with closing(fakes.library(tmp_path)) as library:
        library.search(QUESTION)
        ingest(tmp_path, GEMM)
        found = library.search(SearchRequest(query="GEMM in depth")).hits[0].title

    assert found == "GEMM in depth"


def test_a_library_sees_what_another_process_writes(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    with closing(fakes.library(tmp_path)) as library:
        before = library.search(QUESTION).hits, len(library.sources())
        in_another_process(
            "from ingest import pipeline\n"
            "lists = [fakes.small_list('b.md', 'attention')]\n"
            "pipeline.ingest(lists, fakes.stores(folder), fakes.vocabulary())",
            tmp_path,
        )
        after = library.search(SearchRequest(query="attention in depth")).hits, len(library.sources())

    assert [before[1], after[1]] == [1, 2]
    assert after[0][0].title == "attention in depth"


def test_a_library_asks_the_new_model_after_another_process_has_embedded_anew(tmp_path: Path) -> None:
    ingest(tmp_path, TILING, GEMM)
    with closing(fakes.library(tmp_path)) as library:
        library.search(QUESTION)
        pipeline.reindex(fakes.stores(tmp_path, FakeEmbedder("other", 128)), VOCABULARY)
        after = library.search(QUESTION)

    assert [hit.title for hit in after.hits] == titles(tmp_path)
    assert after.hits[0].score > 1


def test_a_library_can_be_asked_again_after_it_was_closed(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    library = fakes.library(tmp_path)
    first = library.search(QUESTION)
    library.close()
    library.close()
    with closing(library):
        second = library.search(QUESTION)

    assert first == second


def test_another_model_is_refused_with_the_command_that_helps(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    before = fakes.contents(graph_of(tmp_path))
    with pytest.raises(StoreOutdated) as caught:
        pipeline.ingest([GEMM], fakes.stores(tmp_path, FakeEmbedder("other")), VOCABULARY)

    assert "`warpath reindex`" in caught.value.hint
    assert fakes.contents(graph_of(tmp_path)) == before


def test_a_query_model_other_than_the_stores_is_refused_with_the_command_that_helps(tmp_path: Path) -> None:
    """A query in one model's space over documents in another's would find nonsense."""
    ingest(tmp_path, TILING)
    library = fakes.library(tmp_path, lambda _: FakeEmbedder("other"))
    with closing(library), pytest.raises(StoreOutdated) as caught:
        library.search(QUESTION)

    assert "`warpath reindex`" in caught.value.hint


@pytest.mark.parametrize("size", [fakes.DIMENSION, 64])
def test_after_reindex_the_new_model_answers(tmp_path: Path, size: int) -> None:
    ingest(tmp_path, TILING)
    stores = fakes.stores(tmp_path, FakeEmbedder("other", size))
    pipeline.reindex(stores, VOCABULARY)
    pipeline.ingest([GEMM], stores, VOCABULARY)

    assert titles(tmp_path, SearchRequest(query="GEMM in depth"))[0] == "GEMM in depth"


def test_the_same_model_in_another_size_is_embedded_anew(tmp_path: Path) -> None:
    ingest(tmp_path, TILING)
    pipeline.ingest([GEMM], fakes.stores(tmp_path, FakeEmbedder("fake", 64)), VOCABULARY)

    assert {len(vector.data) for vector in graph_of(tmp_path).vectors("Resource").values()} == {64 * 4}
    assert titles(tmp_path)[0] == "tiling in depth"


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    used = len(data.rstrip(b"\0")) or len(data)
    for at in random.Random(7).choices(range(used), k=min(used, 200)) if used else ():
        data[at] ^= 0xFF
    file.write_bytes(data)


def halve(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


DAMAGE: dict[str, Callable[[Path], object]] = {
    "flipped": flip, "cut": halve, "emptied": lambda file: file.write_bytes(b""), "deleted": lambda file: file.unlink(),
}  # fmt: skip
PARTS = ("*.json", "*.dat", "*.mmap", "mutable_id_tracker.*", "wal/*", "*")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store to copy and damage."""
    folder = tmp_path_factory.mktemp("sound") / "store"
    ingest(folder, TILING, GEMM, LOG)
    return folder


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_broken_index_is_built_anew(sound: Path, tmp_path: Path, damage: str, part: str) -> None:
    """Every file of a kind at once, or all files: an answer comes, and it is the right one."""
    folder = copied(sound, tmp_path)
    for file in sorted((folder / "index" / "shard").rglob(part.removeprefix("wal/"))):
        if file.is_file() and (not part.startswith("wal/") or file.parent.name == "wal"):
            DAMAGE[damage](file)

    assert titles(folder)[0] == "tiling in depth"


@pytest.mark.parametrize("note", ["", "{", "[]", "{}", '{"stamp": 1}', "\udcff", "null"])
def test_a_broken_note_of_the_index_is_no_note(sound: Path, tmp_path: Path, note: str) -> None:
    folder = copied(sound, tmp_path)
    (folder / "index" / "note.json").write_bytes(note.encode("utf-8", "surrogateescape"))

    assert titles(folder)[0] == "tiling in depth"


@pytest.mark.parametrize("end", ["closed", "killed"])
def test_an_index_that_was_only_read_need_not_be_built_anew(sound: Path, tmp_path: Path, end: str) -> None:
    folder = copied(sound, tmp_path)
    held = index_stamp(folder)
    code = f"from tests.e2e.test_pipeline import titles; titles(Path({str(folder)!r}))"
    if end == "killed":
        code = (
            f"import os\nfrom tests import fakes\nfrom tests.e2e.test_pipeline import QUESTION\n"
            f"fakes.library(Path({str(folder)!r})).search(QUESTION)\nos.kill(os.getpid(), 9)"
        )
    done = subprocess.run([sys.executable, "-c", f"from pathlib import Path\n{code}"], cwd=Path(__file__).parents[2])

    assert done.returncode == (-9 if end == "killed" else 0)
    assert held is not None
    assert index_stamp(folder) == held


def test_a_list_can_be_ingested_into_a_store_with_a_broken_index(sound: Path, tmp_path: Path) -> None:
    folder = copied(sound, tmp_path)
    for file in (folder / "index" / "shard").rglob("tracker.dat"):
        flip(file)
    ingest(folder, small_list("d.md", "attention"))

    assert index_stamp(folder) == graph_of(folder).facts()["stamp"]
    assert titles(folder, SearchRequest(query="attention in depth"))[0] == "attention in depth"


def test_an_index_folder_that_is_a_file_is_one_clear_error(sound: Path, tmp_path: Path) -> None:
    folder = copied(sound, tmp_path)
    shutil.rmtree(folder / "index")
    (folder / "index").write_text("in the way")
    with pytest.raises(StoreUnavailable, match="index"):
        titles(folder)


def test_a_shard_that_is_a_file_is_replaced(sound: Path, tmp_path: Path) -> None:
    folder = copied(sound, tmp_path)
    shutil.rmtree(folder / "index" / "shard")
    (folder / "index" / "shard").write_text("in the way")

    assert titles(folder)[0] == "tiling in depth"


@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_database_is_one_clear_error_or_none(sound: Path, tmp_path: Path, seed: int) -> None:
    """Pages of a database that are overwritten, zeroed or cut off never crash a question."""
    folder, chance = copied(sound, tmp_path), random.Random(seed)
    file = folder / "warpath.db"
    data = bytearray(file.read_bytes())
    for _ in range(chance.choice([1, 3, 10])):
        at, size = chance.randrange(len(data)), chance.choice([1, 64, 4096])
        data[at : at + size] = chance.choice([bytes(size), chance.randbytes(size)])
    file.write_bytes(data[: chance.choice([len(data), chance.randrange(len(data))])])
    errors = [error for error in (fault(lambda: titles(folder)), fault(lambda: ingest(folder, BOTH))) if error]

    assert all(error.hint for error in errors)
    assert [error for error in errors if str(file) not in error.message and not isinstance(error, StoreEmpty)] == []


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0", b"\0" * 5000])
def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "warpath.db").write_bytes(content)
    with pytest.raises(StoreUnavailable, match=r"warpath\.db"):
        fakes.library(tmp_path)

    assert (tmp_path / "warpath.db").read_bytes() == content


def test_a_file_of_an_older_version_is_brought_to_the_new_layout(tmp_path: Path) -> None:
    page, topic = Node("page", "Resource", ""), Node("topic:a", "Topic", "A")
    edge = Edge(page.id, "COVERS", topic.id, {"confidence": 0.9, "likeness": 0.5})
    with closing(sqlite3.connect(tmp_path / "warpath.db")) as db:
        db.executescript(sqlite_statements.MIGRATIONS[0])
        db.executescript("INSERT INTO fact VALUES ('stamp', 'old'); PRAGMA user_version = 1")
        rows = ((node.id, node.label, node.name, "{}", node.digest()) for node in (page, topic))
        db.executemany("INSERT INTO node VALUES (?, ?, ?, ?, ?)", rows)
        row = (edge.source, edge.type, edge.target, "", json.dumps(edge.body), edge.digest())
        db.execute("INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?)", row)
        db.commit()
    graph = graph_of(tmp_path)

    assert graph.strongest([topic.id], 1) == [edge]
    assert graph.digests() == {record.key: record.digest() for record in (page, topic, edge)}
    assert graph.facts() == {"stamp": "old"}


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "warpath.db")) as db:
        db.execute("CREATE TABLE photos (name TEXT)")
    with pytest.raises(StoreOutdated, match=r"warpath\.db"):
        graph_of(tmp_path)

    with closing(sqlite3.connect(tmp_path / "warpath.db")) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]


def test_a_full_disk_changes_nothing_and_is_one_clear_error(tmp_path: Path) -> None:
    graph = graph_of(tmp_path)
    before = graph.facts(), graph.digests()
    graph._connection.execute("PRAGMA max_page_count = 20")  # SQLite's own way to a full disk
    nodes = tuple(Node(f"topic:{n}", "Topic", "x" * 5000) for n in range(200))
    with pytest.raises(StoreUnavailable, match="full"):
        graph.write(Changes(nodes), expect=before[0]["stamp"])

    assert (graph.facts(), graph.digests()) == before


def test_processes_that_start_together_create_one_store(tmp_path: Path) -> None:
    code = (
        "from graph.stores.sqlite_graph import SqliteGraph\nprint(SqliteGraph(folder / 'warpath.db').facts()['stamp'])"
    )
    running = [start(code, tmp_path) for _ in range(6)]

    assert len({process.communicate()[0] for process in running}) == 1
    assert [process.returncode for process in running] == [0] * 6


def test_processes_that_ingest_together_all_get_their_list_in(tmp_path: Path) -> None:
    running = [
        start(
            "from ingest import pipeline\n"
            f"lists = [fakes.small_list('{name}.md', '{name}', 'tiling')]\n"
            "pipeline.ingest(lists, fakes.stores(folder), fakes.vocabulary())",
            tmp_path,
        )
        for name in ("p", "q", "r")
    ]
    faults = [process.communicate()[1] for process in running]
    ingest(tmp_path / "fresh", *(small_list(f"{name}.md", name, "tiling") for name in ("p", "q", "r")))

    assert faults == [""] * 3
    assert fakes.contents(graph_of(tmp_path)) == fakes.contents(graph_of(tmp_path / "fresh"))


def test_a_path_is_planned_over_what_was_ingested(tmp_path: Path) -> None:
    ingest(tmp_path, BOTH)
    with closing(fakes.library(tmp_path)) as library:
        path = library.plan(PathRequest(goal="matmul"))

    assert [step.topics for step in path.steps] == [("tiling",), ("matmul",)]


def fault(work: Callable[[], object]) -> StoreError | None:
    """The error about the stores that some work ends in."""
    try:
        work()
    except StoreError as error:
        return error
    return None


def copied(folder: Path, to: Path) -> Path:
    """A copy of a store that may be damaged; holes in files stay holes."""
    subprocess.run(["cp", "-r", "--sparse=always", str(folder), str(to / "copy")], check=True)
    return to / "copy"


def start(code: str, folder: Path) -> subprocess.Popen[str]:
    """Another process that runs some lines over a store."""
    header = "import sys\nfrom pathlib import Path\nfrom tests import fakes\nfolder = Path(sys.argv[1])\n"
    return subprocess.Popen(
        [sys.executable, "-c", header + code, str(folder)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def in_another_process(code: str, folder: Path) -> str:
    process = start(code, folder)
    out, fault = process.communicate()
    assert process.returncode == 0, fault
    return out
