"""Which words of a query are foreign to the lists."""

from __future__ import annotations

import pytest

from graph.vocabulary import Vocabulary

WORDS = Vocabulary.of(["The Ultra-Scale Playbook", "warps and kernels", "press a key"])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("kernels", 0.0),
        ("kernel", 0.0),
        ("warp", 0.0),
        ("how does the kernel", 0.0),
        ("ultrascale playbook", 0.0),
        ("pizza", 1.0),
        ("pizza kernels", 0.5),
        ("wordpress", 1.0),
        ("½ kernels", 0.0),
        ("the of", 0.0),
        ("", 0.0),
    ],
)
def test_a_word_is_foreign_unless_the_lists_use_it_its_singular_its_plural_or_its_two_halves(
    text: str, part: float
) -> None:
    assert WORDS.foreign(text) == part
