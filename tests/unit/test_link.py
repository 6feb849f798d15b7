"""Entity linking: what a work is about, why, how surely and where it is said."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models import Annotation, DevlogEntry, Hardware, Link, Mention, Topic
from ingest.link import ALIKE, CONFIDENCE, NEAREST_OF_ALL, TEACHES, TOUCHES, Linker
from ingest.ontology import Ontology, load_ontology
from ingest.readers import read_file
from ingest.resolve import Work, resolve

CORPUS = Path(__file__).parents[2] / "ingest" / "corpus"
LISTS = ("inference-guide.md", "gpu-performance-guide.md", "gpu-acts.txt", "learning-list.txt")
SMALL = Linker(
    Ontology(
        {
            "tma": Topic(slug="tma", name="Tensor memory accelerator", aliases=("TMA",), hardware=("hopper",)),
            "gemm": Topic(slug="gemm", name="GEMM"),
        },
        {
            "nvidia": Hardware(slug="nvidia", name="NVIDIA", kind="vendor", aliases=("NVIDIA", "nvidia")),
            "google": Hardware(slug="google", name="Google", kind="vendor"),
            "hopper": Hardware(slug="hopper", name="Hopper", kind="architecture", parents=("nvidia",)),
        },
    )
)


def work(title: str = "-", note: str = "", url: str | None = None, section: tuple[str, ...] = ()) -> Work:
    """A work of one mention."""
    return Work("key", (Mention(source="list.md", line=7, title=title, note=note, url=url, section=section),))


def said(links: list[Link]) -> list[tuple[str, float, str]]:
    return [(link.slug, link.confidence, link.reason) for link in links]


@pytest.fixture(scope="module")
def shipped() -> Linker:
    return Linker(load_ontology())


@pytest.fixture(scope="module")
def works() -> list[Work]:
    """The starter lists, resolved."""
    return resolve(itertools.chain.from_iterable(read_file(CORPUS / name).mentions for name in LISTS))


@pytest.mark.parametrize(
    ("found", "where"),
    [
        (work(title="A GEMM"), "title: “GEMM”"),
        (work(note="fast GEMMs"), "note: “GEMMs”"),
        (work(url="https://example.org/fast-gemm/1"), "address: “gemm”"),
        (work(section=("Kernels", "GEMM")), "section: “GEMM”"),
    ],
)
def test_a_link_says_which_words_made_it_where_they_stand_and_how_sure_that_is(found: Work, where: str) -> None:
    """A title is surer than a note, a note than an address, an address than a section."""
    (link,) = SMALL.topics(found)

    assert said([link]) == [("gemm", CONFIDENCE[where.split(":")[0]], where)]
    assert (link.source, link.line, link.name) == ("list.md", 7, "GEMM")


def test_the_surest_of_several_words_is_kept_and_the_surest_thing_comes_first() -> None:
    """One link to one thing."""
    links = SMALL.topics(work(title="GEMM", note="GEMM with TMA", section=("TMA",)))

    assert said(links) == [("gemm", 1.0, "title: “GEMM”"), ("tma", 0.8, "note: “TMA”")]


def test_a_topic_that_exists_on_some_hardware_alone_brings_it_along() -> None:
    """With the words that named the topic as their place."""
    found = work(note="all about TMA")
    (link,) = SMALL.hardware(found, SMALL.topics(found))

    assert (link.slug, link.confidence, link.line) == ("hopper", 0.8, 7)
    assert "only" in link.reason


def test_a_section_never_says_what_hardware_a_work_is_made_for() -> None:
    """“NVIDIA notes” may hold a general essay."""
    assert SMALL.hardware(work(section=("NVIDIA notes",)), []) == []


@pytest.mark.parametrize("note", ["for non-NVIDIA hardware", "by Google", "hopperesque", "the nvidiana"])
def test_hardware_that_is_denied_or_only_a_company_or_part_of_a_word_is_not_linked(note: str) -> None:
    """Prose names companies for many reasons."""
    assert SMALL.hardware(work(note=note), []) == []


def test_the_owner_of_a_repository_is_not_its_hardware() -> None:
    """NVIDIA's optimizers run anywhere."""
    assert SMALL.hardware(work(url="https://github.com/NVIDIA/optimizers"), []) == []


def test_likeness_helps_a_work_that_names_nothing_and_only_where_it_is_near() -> None:
    """Words come first; the reason says that likeness made the link."""
    unnamed, named = work(), Work("other", (Mention(source="list.md", line=8, title="GEMM with TMA"),))
    near = {unnamed.id: {"tma": ALIKE, "gemm": 0.9}, named.id: {"tma": 0.9, "gemm": 0.9}}
    far = {unnamed.id: {"tma": ALIKE - 0.01, "gemm": 0.1}, named.id: {"tma": 0.0, "gemm": 0.0}}

    links = {one.key: found for one, found in SMALL.topics_of_all([unnamed, named], near, {})}

    assert [(link.slug, link.confidence, link.line) for link in links["key"]] == [("gemm", 0.9, 7), ("tma", ALIKE, 7)]
    assert all("meaning" in link.reason for link in links["key"])
    assert all("title" in link.reason for link in links["other"])
    assert not any(
        "meaning" in link.reason for _, found in SMALL.topics_of_all([unnamed, named], far, {}) for link in found
    )


def test_a_topic_that_no_work_names_gets_the_nearest_works() -> None:
    """A gap in the lists is bridged where something comes close, and stays one where the nearest is far."""
    named = work(title="GEMM")
    ((_, unbridged),) = SMALL.topics_of_all([named], {named.id: {"tma": NEAREST_OF_ALL - 0.01, "gemm": 0.2}}, {})
    ((_, links),) = SMALL.topics_of_all([named], {named.id: {"tma": 0.7, "gemm": 0.2}}, {})

    assert said(links) == [("gemm", 1.0, "title: “GEMM”"), ("tma", 0.7, "close in meaning (0.70)")]
    assert [link.slug for link in unbridged] == ["gemm"]


def test_what_a_work_is_known_to_teach_comes_before_its_words_and_likeness() -> None:
    """Nothing that its title names or that is near in meaning is added."""
    found, near = work(title="GEMM"), {"tma": 0.9, "gemm": 0.9}
    known = Annotation(title="GEMM", touches=("tma",), source="works/a.yaml", line=3)
    ((_, links),) = SMALL.topics_of_all([found], {found.id: near}, {found.id: known})

    assert said(links) == [("tma", TOUCHES, "touches it")]
    assert (links[0].source, links[0].line, links[0].name) == ("works/a.yaml", 3, "Tensor memory accelerator")


def test_what_a_work_both_teaches_and_touches_it_teaches() -> None:
    """One link to one thing."""
    known = Annotation(title="-", teaches=("tma",), touches=("tma", "gemm"), source="works/a.yaml", line=3)

    assert said(SMALL.topics(work(), known)) == [("tma", TEACHES, "teaches it"), ("gemm", TOUCHES, "touches it")]


def test_hardware_that_a_taught_topic_exists_on_alone_comes_with_the_place_of_the_annotation() -> None:
    found, known = work(), Annotation(title="-", teaches=("tma",), source="works/a.yaml", line=3)
    (link,) = SMALL.hardware(found, SMALL.topics(found, known))

    assert (link.slug, link.source, link.line) == ("hopper", "works/a.yaml", 3)


def test_a_post_is_linked_by_its_words() -> None:
    """Its own place is the evidence."""
    post = DevlogEntry(source="log.txt", line=3, end_line=5, text="Day 1: TMA, at last")
    topics, hardware = SMALL.entry(post)

    assert [(link.slug, link.source, link.line) for link in topics] == [("tma", "log.txt", 3)]
    assert [link.slug for link in hardware] == ["hopper"]


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from([None, "http://[", "https://a.org/%ff", "🔥"]))
@settings(max_examples=60)
def test_no_text_breaks_the_linker(title: str, note: str, url: str | None) -> None:
    """Titles, notes and addresses are anybody's."""
    found = work(title, note, url)

    assert all(link.slug in SMALL.ontology.hardware for link in SMALL.hardware(found, SMALL.topics(found)))


def test_every_link_of_the_starter_lists_quotes_words_that_stand_there(shipped: Linker, works: list[Work]) -> None:
    """Evidence can be looked up."""
    for found in works:
        places = {(m.source, m.line): m for m in found.mentions}
        for link in shipped.topics(found):
            where, words = link.reason.rstrip("”").split(": “")
            mention = places[link.source, link.line]
            texts = {"title": mention.title, "note": mention.note, "section": " / ".join(mention.section)}

            assert words in texts.get(where, words)


def test_tcgen05_means_blackwell(shipped: Linker, works: list[Work]) -> None:
    """A work on an instruction is made for the hardware that has it."""
    (found,) = [one for one in works if one.title.startswith("tcgen05")]
    linked = {link.slug for link in shipped.hardware(found, shipped.topics(found))}

    assert "blackwell-datacenter" in linked or "blackwell" in linked
    assert not linked & {"hopper", "blackwell-consumer"}


def test_nearly_all_works_of_the_starter_lists_are_linked_by_name(shipped: Linker, works: list[Work]) -> None:
    """Likeness is for the rest."""
    named = [found for found in works if any(link.confidence >= 0.7 for link in shipped.topics(found))]

    assert len(named) >= 0.9 * len(works)


@pytest.mark.parametrize(
    ("title", "topics", "hardware"),
    [
        ("Roofline Model", {"roofline-model"}, set()),
        ("Cutlass SM120 GEMM Guide", {"cutlass", "matrix-multiplication"}, {"blackwell-consumer"}),
        ("Megatron-LM", {"distributed-training"}, set()),
        ("How Attention Got So Efficient: GQA, MLA, DSA", {"multi-head-latent-attention"}, set()),
        ("AMD RDNA 3 Microbenchmarking", {"gpu-microbenchmarking"}, {"rdna3"}),
    ],
)
def test_well_known_works_are_linked_as_a_reader_would(
    shipped: Linker, title: str, topics: set[str], hardware: set[str]
) -> None:
    """From the title alone."""
    found = work(title)
    linked = shipped.topics(found)
    made_for = {link.slug for link in shipped.hardware(found, linked)}

    assert topics <= {link.slug for link in linked}
    assert hardware <= made_for
    assert hardware or not made_for
