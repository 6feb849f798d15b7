"""The topic, hardware and work files: what the shipped ones promise, and what a faulty one is told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import rustworkx as rx

from graph import urls
from graph.closure import closure
from graph.curriculum import Curriculum
from graph.errors import BadOntology
from ingest.ontology import Ontology, load_ontology


@pytest.fixture(scope="module")
def shipped() -> Ontology:
    return load_ontology()


def folder(tmp_path: Path, topics: str = "", hardware: str = "", works: str = "") -> Path:
    """A user's folder."""
    for kind, text in (("topics", topics), ("hardware", hardware), ("works", works)):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "mine.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_there_are_at_least_120_topics_and_40_pieces_of_hardware(shipped: Ontology) -> None:
    """From foundations to serving."""
    assert len(shipped.topics) >= 120
    assert len(shipped.hardware) >= 40


def test_every_prerequisite_has_a_reason(shipped: Ontology) -> None:
    """A path says why each step stands where it does."""
    bare = [
        (topic.slug, other)
        for topic in shipped.topics.values()
        for other, reason in (*topic.requires.items(), *topic.helps.items(), *topic.corequisites.items())
        if len(reason.split()) < 3
    ]

    assert bare == []


def test_prerequisites_and_what_helps_run_in_no_circle_nor_do_parents(shipped: Ontology) -> None:
    """Co-requisites are declared as such."""
    for edges in (
        [(topic.slug, other) for topic in shipped.topics.values() for other in (*topic.requires, *topic.helps)],
        [(topic.slug, topic.parent) for topic in shipped.topics.values() if topic.parent],
        [(node.slug, other) for node in shipped.hardware.values() for other in node.parents],
    ):
        graph = rx.PyDiGraph()
        index = {slug: graph.add_node(slug) for slug in sorted({*sum(edges, ())})}
        graph.add_edges_from_no_data([(index[a], index[b]) for a, b in edges])

        assert rx.is_directed_acyclic_graph(graph)


def test_no_topic_is_easier_than_what_it_needs_by_far(shipped: Ontology) -> None:
    """Levels and prerequisites tell one story."""
    odd = [
        (topic.slug, other)
        for topic in shipped.topics.values()
        for other in topic.requires
        if shipped.topics[other].level > topic.level + 1
    ]

    assert odd == []


def test_nothing_merely_helps_that_is_needed_anyway(shipped: Ontology) -> None:
    """A topic is one or the other."""
    idle = [
        (topic.slug, other)
        for topic in shipped.topics.values()
        for other in topic.helps
        if other in builds_on(shipped, topic.slug)
    ]

    assert idle == []


def builds_on(ontology: Ontology, topic: str) -> set[str]:
    """Everything that a topic needs."""
    return closure(Curriculum(ontology.topics, ontology.hardware), [topic], ())[0]


@pytest.mark.parametrize(
    ("topic", "needed"),
    [
        ("nvfp4", "quantization"),
        ("block-scaled-gemm", "quantization"),
        ("quantization-libraries", "quantization"),
        ("inference-engines", "continuous-batching kv-cache"),
        ("attention-backends", "flashattention"),
        ("parallel-reduction", "memory-coalescing shared-memory"),
        ("gemm-optimization", "bank-conflicts occupancy"),
        ("wgmma", "ptx"),
        ("agentic-kernel-optimization", "kernel-benchmarking profiling"),
        ("distributed-training", "data-parallelism pipeline-parallelism tensor-parallelism zero-sharding"),
        ("post-training", "fine-tuning reinforcement-learning-post-training"),
    ],
)
def test_what_cannot_be_understood_otherwise_is_needed(shipped: Ontology, topic: str, needed: str) -> None:
    """The general idea below a format, and what every engine does."""
    assert set(needed.split()) <= builds_on(shipped, topic)


@pytest.mark.parametrize(
    ("topic", "helpful"),
    [
        ("block-scaled-gemm", "gemm-optimization"),
        ("quantization-libraries", "post-training-quantization weight-only-quantization"),
        ("inference-engines", "paged-attention tokenization token-sampling"),
        ("parallel-reduction", "occupancy profiling"),
        ("gemm-optimization", "profiling roofline-model"),
        ("wgmma", "software-pipelining"),
        ("agentic-kernel-optimization", "reward-hacking roofline-model"),
        ("post-training", "model-evaluation"),
    ],
)
def test_what_an_expert_would_add_where_there_is_time_helps(shipped: Ontology, topic: str, helpful: str) -> None:
    """How one measures, and what stands beside it in practice; nobody waits for it."""
    assert set(helpful.split()) <= shipped.topics[topic].helps.keys()
    assert builds_on(shipped, topic).isdisjoint(helpful.split())


@pytest.mark.parametrize(
    "topic",
    "softmax-kernels normalization-kernels matrix-vector-multiplication grouped-gemm flashattention-2 gluon cute-dsl "
    "multi-gpu-kernels triton-on-amd matrix-core-instructions rocm-profiling".split(),
)
def test_who_writes_kernels_in_one_language_is_not_led_through_another(shipped: Ontology, topic: str) -> None:
    """C++, CUDA and HIP are needed by what is written in them alone."""
    assert builds_on(shipped, topic).isdisjoint({"cpp", "cuda-basics", "hip-programming"})


@pytest.mark.parametrize("topic", ["flash-decoding", "multi-head-latent-attention", "paged-attention-kernels"])
def test_who_writes_kernels_for_decoding_need_not_study_tokenizers(shipped: Ontology, topic: str) -> None:
    """A kernel sees rows, whatever text they stand for; an engine does not."""
    assert "tokenization" not in builds_on(shipped, topic)


def test_every_topic_says_in_one_line_what_it_is(shipped: Ontology) -> None:
    """It is shown in lists, and embedded."""
    odd = [t.slug for t in shipped.topics.values() if not t.summary or "\n" in t.summary or len(t.summary) > 200]

    assert odd == []


def squeezed(name: str) -> str:
    """A name without blanks, hyphens and case."""
    return "".join(char for char in name.casefold() if char.isalnum() or char == "+")


def test_no_name_is_two_topics_nor_two_pieces_of_hardware(shipped: Ontology) -> None:
    """Blanks, hyphens and case do not tell names apart."""
    for values in (shipped.topics.values(), shipped.hardware.values()):
        owners = Counter(name for value in values for name in {squeezed(n) for n in (value.name, *value.aliases)})

        assert [name for name, count in owners.items() if count > 1] == []


def test_every_figure_has_a_source(shipped: Ontology) -> None:
    """A number without a page is left out."""
    figures = [(node, figure) for node in shipped.hardware.values() for figure in node.figures.values()]

    assert figures
    assert all(figure.source.startswith("https://") and figure.value > 0 for _, figure in figures)


def test_every_piece_of_hardware_leads_up_to_its_vendor(shipped: Ontology) -> None:
    """So that material for a family serves its devices."""
    curriculum = Curriculum(shipped.topics, shipped.hardware)
    for node in shipped.hardware.values():
        top = curriculum.lineage(node.slug)[-1]

        assert shipped.hardware[top].kind == "vendor"
        assert node.vendor == top


def test_every_device_has_topics_that_explain_it(shipped: Ontology) -> None:
    """A goal that names a device alone can be planned."""
    curriculum = Curriculum(shipped.topics, shipped.hardware)

    assert [
        n.slug for n in shipped.hardware.values() if n.kind == "device" and not curriculum.explained_by(n.slug)
    ] == []


@pytest.mark.parametrize(
    ("topics", "line", "words"),
    [
        ("- slug: a\n- slug: b\n  name: [}\n- slug: c", 3, "not YAML"),
        ("- slug: a\n\n- slug: b\n  colour: red", 3, "colour"),
        ("- slug: a\n- slug: b\n  requires: {sof: why}", 2, "sof"),
        ("- slug: a\n- slug: b\n  requires: {softmx: why}", 2, "did you mean softmax"),
        ("- slug: a\n- slug: b\n  helps: {softmx: why}", 2, "did you mean softmax"),
        ("- slug: a\n- slug: b\n  helps: 5", 2, "helps"),
        ("- slug: a\n- slug: b\n  parent: nowhere", 2, "nowhere"),
        ("- slug: a\n- slug: b\n  hardware: [nothing]", 2, "nothing"),
        ("- slug: a\n- slug: a", 2, "mine.yaml:1"),
        ("- slug: a\n  aliases: [X y]\n- slug: b\n  aliases: [x-Y]", 3, "alias of a"),
        ("- slug: a\n- slug: b\n  level: 9", 2, "level"),
        ("- slug: A b", 1, "slug"),
        ("- slug: a\n- name: no slug", 2, "slug"),
        ("- slug: a\n- just text", 2, "slug:"),
        ("slug: a", 1, "list"),
        ("- slug: a\n- slug: b\n  requires: 5", 2, "requires"),
        ("- slug: a\n- slug: b\n  requires: [[1]]", 2, "requires"),
        ("- slug: a\n- [1]: 2", 2, ""),
        ("- slug: a\n- slug: b\n  minutes: !!python/object/apply:os.getcwd []", 2, ""),
        ("- slug: 2024-01-01", 1, "slug"),
    ],
)
def test_a_faulty_topic_file_is_told_by_file_and_line(tmp_path: Path, topics: str, line: int, words: str) -> None:
    """And nothing is stored."""
    with pytest.raises(BadOntology) as fault:
        load_ontology([folder(tmp_path, topics)])

    assert f"mine.yaml:{line}:" in fault.value.message
    assert words in fault.value.message


@pytest.mark.parametrize(
    ("hardware", "line", "words"),
    [
        ("- slug: a\n  kind: vendor\n- slug: b\n  kind: device\n  parents: [c]", 3, "parents"),
        ("- slug: a\n  kind: planet", 1, "kind"),
        ("- slug: a\n  kind: device\n  memory: {gb: 80}", 1, "https source"),
        ("- slug: a\n  kind: device\n  memory: {kb: 80, source: 'https://a.org'}", 1, "figure"),
        ("- slug: a\n  kind: device\n  memory: {gb: much, source: 'https://a.org'}", 1, "memory"),
        ("- slug: a\n  kind: device\n  matrix: 5", 1, "matrix"),
    ],
)
def test_a_faulty_hardware_file_is_told_by_file_and_line(tmp_path: Path, hardware: str, line: int, words: str) -> None:
    """And nothing is stored."""
    with pytest.raises(BadOntology) as fault:
        load_ontology([folder(tmp_path, hardware=hardware)])

    assert f"mine.yaml:{line}:" in fault.value.message
    assert words in fault.value.message


@pytest.mark.parametrize(
    ("works", "line", "words"),
    [
        ("- title: A\n- title: B\n  teaches: [softmx]", 2, "did you mean softmax"),
        ("- title: A\n\n- title: B\n  touches: [nothing]", 3, "nothing"),
        ("- title: A talk\n- title: The talk!", 2, "mine.yaml:1"),
        (
            "- title: A\n  url: https://a.org/x\n- title: B\n  url: http://www.a.org/x/?utm_source=b",
            3,
            "mine.yaml:1",
        ),
        ("- title: A\n- title: B\n  stars: 5", 2, "stars"),
        ("- title: A\n- title: B\n  level: 6", 2, "level"),
        ("- title: A\n- title: B\n  minutes: 0", 2, "minutes"),
        ("- title: A\n- title: B\n  teaches: softmax", 2, "teaches"),
        ("- title: A\n- title: B\n  asks: {why: not}", 2, "asks"),
        ("- title: A\n- title: B\n  url: example.org/b", 2, "no web address"),
        ("- title: A\n- url: https://a.org/b", 2, "title"),
        ("- title: A\n- title: ''", 2, "title"),
        ("- title: A\n- title: 5", 2, "title"),
        ("- title: A\n- just text", 2, "fields"),
        ("title: A", 1, "list"),
        ("- title: A\n- title: B: C", 2, "not YAML"),
    ],
)
def test_a_faulty_works_file_is_told_by_file_and_line(tmp_path: Path, works: str, line: int, words: str) -> None:
    """And nothing is stored."""
    with pytest.raises(BadOntology) as fault:
        load_ontology([folder(tmp_path, works=works)])

    assert f"mine.yaml:{line}:" in fault.value.message
    assert words in fault.value.message


def test_a_work_is_known_by_its_place_in_the_file(tmp_path: Path) -> None:
    """Whatever is said of it can be looked up."""
    ontology = load_ontology(shipped=folder(tmp_path, works="# mine\n- title: A\n\n- title: B\n  minutes: 5\n"))

    assert [(work.title, work.source, work.line) for work in ontology.works.values()] == [
        ("A", "works/mine.yaml", 2),
        ("B", "works/mine.yaml", 4),
    ]


def test_a_folder_of_works_alone_stands_on_the_shipped_topics(tmp_path: Path, shipped: Ontology) -> None:
    """A work that is defined again replaces the former, whatever form its address has; others are added."""
    (tmp_path / "works").mkdir()
    (tmp_path / "works" / "mine.yaml").write_text(
        "- title: My words\n  url: https://arxiv.org/pdf/2205.14135v2\n  teaches: [softmax]\n- title: My own notes\n"
    )
    ontology = load_ontology([tmp_path])

    assert ontology.works["arxiv:2205.14135"].title == "My words"
    assert shipped.works["arxiv:2205.14135"].title != "My words"
    assert len(ontology.works) == len(shipped.works) + 1
    assert ontology.topics == shipped.topics
    assert ontology.digest != shipped.digest


def test_every_shipped_work_has_topics_that_exist_and_says_in_one_line_what_it_holds(shipped: Ontology) -> None:
    """And asks what it answers, and how long it takes."""
    odd = [
        work.title
        for work in shipped.works.values()
        if not (work.teaches or work.touches)
        or not shipped.topics.keys() >= {*work.teaches, *work.touches}
        or not 5 <= len(work.says.split()) <= 60
        or "\n" in work.says
        or not (work.asks and work.level and work.minutes)
    ]

    assert len(shipped.works) >= 600
    assert odd == []


def test_every_shipped_work_stands_once_and_its_topics_too(shipped: Ontology) -> None:
    """No address is that of two works, and no topic is both taught and touched."""
    addresses = Counter(urls.key(work.url) for work in shipped.works.values() if work.url)
    twice = [
        work.title
        for work in shipped.works.values()
        if len({*work.teaches, *work.touches}) < len(work.teaches) + len(work.touches)
    ]

    assert [address for address, count in addresses.items() if count > 1] == []
    assert twice == []


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """Rather than read as an empty vocabulary."""
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(BadOntology, match="topics/"):
            load_ontology([path])


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """By its name."""
    (folder(tmp_path) / "topics" / "mine.yaml").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(BadOntology, match=r"mine\.yaml"):
        load_ontology([tmp_path])


def test_a_users_own_field_stands_on_top_of_the_shipped_one(tmp_path: Path, shipped: Ontology) -> None:
    """A slug defined again replaces the former; names default to the slug, reasons may be left out."""
    mine = folder(tmp_path, "- slug: quantum-tiles\n  requires: [softmax]\n- slug: softmax\n  summary: Mine.\n")
    ontology = load_ontology([mine])

    assert ontology.topics["quantum-tiles"].name == "quantum tiles"
    assert ontology.topics["quantum-tiles"].requires == {"softmax": ""}
    assert ontology.topics["softmax"].summary == "Mine."
    assert len(ontology.topics) == len(shipped.topics) + 1
    assert ontology.digest != shipped.digest


def test_a_users_field_may_stand_alone(tmp_path: Path) -> None:
    """Another subject, without GPUs."""
    ontology = load_ontology(shipped=folder(tmp_path, "- slug: bread\n"))

    assert list(ontology.topics) == ["bread"]
    assert ontology.hardware == {}


def test_circles_in_a_users_files_are_no_fault(tmp_path: Path) -> None:
    """The planner shows them as things to learn together."""
    ontology = load_ontology([folder(tmp_path, "- slug: a\n  requires: [b]\n- slug: b\n  requires: [a, b]\n")])

    assert set(ontology.topics["b"].requires) == {"a", "b"}


def test_loading_twice_gives_the_same_digest(shipped: Ontology) -> None:
    """So that a second ingest changes nothing."""
    assert load_ontology().digest == shipped.digest
