"""Many things in portions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most `size` things, in their order."""
    iterator = iter(things)
    while batch := list(islice(iterator, size)):
        yield batch
