"""What a learner asks for, in words, to topics and hardware."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph import goals
from graph.curriculum import Curriculum
from graph.errors import NothingCovered, UnknownName
from graph.models import Topic
from ingest.ontology import load_ontology

NEAR_NOTHING = {"softmax": 0.1}


@pytest.fixture(scope="module")
def shipped() -> Curriculum:
    ontology = load_ontology()
    return Curriculum(ontology.topics, ontology.hardware)


def understood(
    curriculum: Curriculum,
    text: str,
    likeness: Mapping[str, float] = NEAR_NOTHING,
    hardware: str | None = None,
    known: Sequence[str] = (),
) -> goals.Goal:
    return goals.understand(curriculum, text, likeness, hardware=hardware, known=known)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("understand flash attention", "flashattention"),
        ("write an mla decode kernel", "multi-head-latent-attention"),
        ("what is tcgen05", "tcgen05"),
        ("Speculative Decoding!", "speculative-decoding"),
        ("paged-attention", "paged-attention"),
    ],
)
def test_topics_that_are_named_are_the_goal(shipped: Curriculum, text: str, target: str) -> None:
    """In any case and with any hyphens."""
    assert target in understood(shipped, text).targets


@pytest.mark.parametrize(
    ("text", "no_target"),
    [
        ("write my first CUDA kernels, then a fast softmax", "rl-for-kernels"),
        ("serve a model with vLLM", "multi-lora-serving"),
        ("quantize my model", "open-models"),
    ],
)
def test_a_word_in_passing_calls_no_topic(shipped: Curriculum, text: str, no_target: str) -> None:
    """Neither a word of a name, whatever sign follows it, nor what one does, nor what all is about."""
    all_near = dict.fromkeys(shipped.topics, goals.MEANT - 0.1) | {no_target: goals.CENTRAL - 0.1}

    assert no_target not in understood(shipped, text, all_near).targets


def test_who_writes_a_kernel_for_a_chip_learns_its_kinds_of_what_the_kernel_builds_on(shipped: Curriculum) -> None:
    """Hopper's tensor core instructions for a GEMM, and not for a chip without them nor for who serves a model."""
    targets = [understood(shipped, text).targets for text in ("FP8 GEMM on an H100", "FP8 GEMM on an L40S")]
    serving = understood(shipped, "vLLM on an H100").targets

    assert ["wgmma" in found for found in (*targets, serving)] == [True, False, False]


def test_a_known_language_is_learned_as_it_is_on_the_chip(shipped: Curriculum) -> None:
    """Triton on AMD by who knows Triton, and no HIP by who knows no C++."""
    targets = understood(shipped, "an MLA decode kernel on MI355X", known=["triton"]).targets

    assert "triton-on-amd" in targets
    assert "hip-programming" not in targets


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("softmax on an H100", "h100-sxm"),
        ("softmax on NVIDIA Hopper", "hopper"),
        ("softmax on AMD MI355X", "mi355x"),
        ("softmax", None),
        ("softmax on non-NVIDIA hardware", None),
    ],
)
def test_hardware_is_read_from_the_goal_the_most_specific_first(
    shipped: Curriculum, text: str, device: str | None
) -> None:
    """Unless it is denied."""
    assert understood(shipped, text).hardware == device


def test_hardware_given_apart_goes_before_hardware_in_the_text(shipped: Curriculum) -> None:
    """It was given on purpose."""
    assert understood(shipped, "softmax on an H100", hardware="mi300x").hardware == "mi300x"


@pytest.mark.parametrize("text", ["learn it from zero", "bake bread", "", "🔥", "the"])
def test_a_goal_that_names_nothing_and_is_near_nothing_is_refused(shipped: Curriculum, text: str) -> None:
    """With the nearest topics, rather than with a wrong plan."""
    with pytest.raises(NothingCovered) as fault:
        understood(shipped, text)

    assert shipped.topics["softmax"].name in fault.value.hint


def test_a_goal_without_a_name_takes_what_is_near_in_meaning(shipped: Curriculum) -> None:
    """From a floor on; where a topic is named, that is what is meant."""
    likeness = {"occupancy": goals.MEANT, "softmax": goals.MEANT - 0.01}
    unnamed, named = (understood(shipped, text, likeness) for text in ("keep it all busy", "swizzling"))

    assert unnamed.targets == ("occupancy",)
    assert named.targets == ("swizzling",)


def test_what_is_known_is_no_goal_unless_it_is_all_there_is(shipped: Curriculum) -> None:
    """A goal is never empty."""
    assert "softmax" not in understood(shipped, "softmax and swizzling", known=["softmax"]).targets
    assert "softmax" in understood(shipped, "softmax", known=["softmax"]).targets


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("triton", "triton"),
        ("Flash-Attention", "flashattention"),
        ("ZERO", "zero-sharding"),
        ("triton basics", "triton"),
        ("moe", "mixture-of-experts"),
        ("c++", "cpp"),
        ("roofline", "roofline-model"),
    ],
)
def test_a_topic_is_found_by_slug_name_or_alias(shipped: Curriculum, name: str, slug: str) -> None:
    """A name given on purpose needs no case."""
    assert goals.find_topic(shipped, name) == slug


@pytest.mark.parametrize("name", ["", "🔥", "bread", "softmacs", "a" * 10_000])
def test_an_unknown_topic_is_refused_with_the_nearest_names(shipped: Curriculum, name: str) -> None:
    """And a short quote, whatever was sent."""
    with pytest.raises(UnknownName) as fault:
        goals.find_topic(shipped, name)

    assert len(fault.value.message) < 200
    assert name != "softmacs" or "softmax" in fault.value.nearest


@pytest.mark.parametrize(
    ("name", "slug"),
    [("MI300X", "mi300x"), ("AMD Instinct MI300X", "mi300x"), ("sm_90a", "hopper"), ("google", "google")],
)
def test_hardware_is_found_by_slug_name_or_alias(shipped: Curriculum, name: str, slug: str) -> None:
    """A vendor may be named on purpose."""
    assert goals.find_hardware(shipped, name) == slug


def test_unknown_hardware_is_refused(shipped: Curriculum) -> None:
    """Planning for the wrong device would be worse."""
    with pytest.raises(UnknownName):
        goals.find_hardware(shipped, "toaster")


def test_known_topics_come_one_by_one_or_in_one_list_and_unknown_ones_warn(shipped: Curriculum) -> None:
    """A slip costs no plan."""
    known, warnings = goals.find_known(shipped, ["python, triton", " softmax ", "", "softmacs", "python"])

    assert known == ["python", "triton", "softmax"]
    assert len(warnings) == 1
    assert "softmacs" in warnings[0]
    assert "softmax" in warnings[0]


@given(st.text(max_size=60))
@settings(max_examples=60)
def test_no_text_breaks_the_reading_of_a_goal(text: str) -> None:
    """A goal is anybody's words."""
    curriculum = Curriculum({"a": Topic(slug="a", name="A", aliases=("tile",))}, {})
    with suppress(NothingCovered):
        assert understood(curriculum, text, {"a": 0.1}).targets
