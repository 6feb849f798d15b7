"""What a message asks for, alone and after others."""

from __future__ import annotations

import pytest

from graph.chat.asking import Asked, understand
from graph.chat.models import Turn
from graph.curriculum import Curriculum
from ingest.ontology import load_ontology


@pytest.fixture(scope="module")
def curriculum() -> Curriculum:
    ontology = load_ontology()
    return Curriculum(ontology.topics, ontology.hardware)


def asked(curriculum: Curriculum, message: str, *before: str) -> Asked:
    """What a message asks after the user's messages before."""
    return understand(curriculum, message, [Turn(role="user", content=text) for text in before])


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("What is MLA?", "thing"),
        ("what are tensor cores", "thing"),
        ("explain the KV cache", "thing"),
        ("Flash Attention", "thing"),
        ("how do I learn MLA", "plan"),
        ("what should I read on Triton?", "plan"),
        ("write an MLA decode kernel", "plan"),
        ("a study plan for CUDA", "plan"),
        ("I have 10 hours for swizzling", "plan"),
        ("why is decode memory bound", "question"),
        ("how do I keep the KV cache from fragmenting", "question"),
        ("is machine learning fast on a critical path", "question"),
        ("what is the best way to spend a Sunday", "question"),
    ],
)
def test_a_message_asks_for_a_plan_a_thing_or_an_answer(curriculum: Curriculum, message: str, kind: str) -> None:
    assert asked(curriculum, message).kind == kind


@pytest.mark.parametrize(
    ("message", "hours", "subject"),
    [
        ("how do I learn MLA with 10 hours on MI355X", 10.0, "how do I learn MLA on MI355X"),
        ("learn MLA in 2.5 h", 2.5, "learn MLA"),
        ("I have only 8 hours, how do I learn Triton?", 8.0, "how do I learn Triton?"),
        ("learn MLA with 5 hours a week", None, "learn MLA with 5 hours a week"),
        ("learn to program 8 H100", None, "learn to program 8 H100"),
        ("why does compiling take 2 hours", None, "why does compiling take 2 hours"),
        ("learn MLA in 0 hours", None, "learn MLA"),
    ],
)
def test_hours_are_read_where_a_plan_is_asked_for(
    curriculum: Curriculum, message: str, hours: float | None, subject: str
) -> None:
    """What stays is the subject; a pace, a device or a duration is no budget."""
    found = asked(curriculum, message)

    assert (found.hours, found.subject) == (hours, subject)


@pytest.mark.parametrize(
    ("message", "know", "subject"),
    [
        ("I know CUDA and Triton, how do I learn MLA?", ("CUDA", "Triton"), "how do I learn MLA?"),
        ("how do I learn MLA? I already know CUDA.", ("CUDA",), "how do I learn MLA?"),
        ("learn FlashAttention, I know softmax but I want more", ("softmax",), "learn FlashAttention but I want more"),
        ("do I know enough CUDA to learn MLA", (), "do I know enough CUDA to learn MLA"),
        ("I know the muffin man, learn MLA", (), "I know the muffin man, learn MLA"),
    ],
)
def test_what_is_known_is_read_from_the_message(
    curriculum: Curriculum, message: str, know: tuple[str, ...], subject: str
) -> None:
    """Only names of topics count, and they are no part of the goal then."""
    found = asked(curriculum, message)

    assert (found.know, found.subject) == (know, subject)


def test_hardware_is_read_from_the_message(curriculum: Curriculum) -> None:
    assert asked(curriculum, "fast matmul on an MI355X").hardware == "mi355x"


def test_a_follow_up_asks_the_question_before_with_other_hardware(curriculum: Curriculum) -> None:
    found = asked(curriculum, "and on AMD?", "why is an FP8 GEMM on Hopper fast?")

    assert (found.hardware, found.kind) == ("amd", "question")
    assert "FP8 GEMM" in found.subject
    assert "Hopper" not in found.subject


def test_a_follow_up_on_a_follow_up_keeps_what_was_said(curriculum: Curriculum) -> None:
    before = ("how do I learn MLA on MI355X? I know CUDA.", "and I know Triton", "but with 3 hours")

    assert asked(curriculum, "and with 6 hours?", *before) == Asked(
        "how do I learn MLA on MI355X", "plan", "mi355x", 6.0, ("CUDA", "Triton")
    )


def test_a_follow_up_that_names_a_topic_asks_about_that(curriculum: Curriculum) -> None:
    found = asked(curriculum, "what about GQA?", "how do I learn MLA with 10 hours on MI355X")

    assert found == Asked("GQA", "plan", "mi355x", 10.0)


def test_a_message_that_points_back_asks_about_the_subject_before(curriculum: Curriculum) -> None:
    found = asked(curriculum, "how do I learn this?", "why is decode memory bound")

    assert (found.kind, found.subject) == ("plan", "why is decode memory bound learn")


def test_hours_alone_are_a_follow_up(curriculum: Curriculum) -> None:
    assert asked(curriculum, "in 4 hours", "how do I learn MLA") == asked(curriculum, "how do I learn MLA in 4 hours")


def test_a_message_of_its_own_forgets_what_was_before(curriculum: Curriculum) -> None:
    before = "how do I learn MLA with 10 hours on MI355X"

    assert asked(curriculum, "what is a warp?", before) == asked(curriculum, "what is a warp?")


def test_only_what_users_say_is_a_question(curriculum: Curriculum) -> None:
    history = [Turn(role="system", content="learn Triton"), Turn(role="assistant", content="What is a warp?")]

    assert understand(curriculum, "and on AMD?", history) == asked(curriculum, "and on AMD?")
