"""Cursors: where the next page of a search begins, as a word that a caller sends back as it is.

Nothing is kept for it. It knows the question and the state of the store that it was made for, and serves no other.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

from graph.errors import BadCursor
from graph.models import SearchRequest
from graph.records import digest

_HINT = "Begin anew without a cursor."
_SIZE = 12  # characters of a digest: an accident is as good as ruled out, and a forger gains nothing


def make(start: int, request: SearchRequest, stamp: str) -> str:
    """The cursor of the page that begins at a rank, from 0."""
    text = json.dumps([start, _of_question(request), digest(stamp)[:_SIZE]])
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def start(request: SearchRequest, stamp: str) -> int:
    """The rank at which a request's page begins.

    Raises:
        BadCursor: it is no cursor, or of another question or another state of the store.
    """
    if not request.cursor:
        return 0
    rank, question, state = _read(request.cursor)
    if question != _of_question(request):
        raise BadCursor("The cursor belongs to another search.", hint=_HINT)
    if state != digest(stamp)[:_SIZE]:
        raise BadCursor("The store has changed since the page before.", hint=_HINT)
    return rank


def _read(cursor: str) -> tuple[int, str, str]:
    try:
        rank, question, state = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if isinstance(rank, int) and rank >= 0:
            return rank, question, state
    except (ValueError, TypeError, RecursionError):
        pass
    raise BadCursor("That is no cursor.", hint="Send the `next` of the page before as it is, or none.")


def _of_question(request: SearchRequest) -> str:
    """A fingerprint of what decides on the hits and their order."""
    return digest(request.model_dump(mode="json", exclude={"cursor", "limit", "facets", "path"}))[:_SIZE]
