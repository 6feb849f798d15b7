"""A learning path as an Anki package: a card a topic, which asks for it in the learner's own words.

An .apkg is a zip of an SQLite file. Ids come from the path's id and the topics: importing a path again updates its
cards and keeps what Anki knows of them.
"""

from __future__ import annotations

import io
import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from html import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import genanki

from graph.exports.text import address, clean, taught_in, title, words
from graph.models import LearningPath, Pace, Step
from graph.records import digest

_MODEL_ID = 1_846_207_391  # any number, but always the same one
_EPOCH = 1_577_836_800  # 2020-01-01: ids of notes begin there, by Anki's habit in milliseconds since 1970
# Anki runs [latex] and plays [sound:], and MathJax takes a backslash that touches a bracket.
_ACTIVE = {ord("["): "&#91;", ord("]"): "&#93;", ord("{"): "&#123;", ord("\\"): "<span>&#92;</span>"}


def write(path: LearningPath, _: Pace) -> bytes:
    """The package."""
    number = int(digest(path.id)[:8], 16)
    deck = genanki.Deck(number, f"warpath: {clean(path.goal)}".replace("::", ": : "))  # :: would nest decks
    for guid, front, back in _cards(path):
        deck.add_note(genanki.Note(model=_model(), fields=[front, back], guid=guid))
    with closing(sqlite3.connect(":memory:")) as connection:
        stamp = _EPOCH + number % 10**8
        genanki.Package(deck).write_to_db(connection.cursor(), stamp, itertools.count(stamp * 1000))
        connection.commit()
        return _zipped({"collection.anki2": connection.serialize(), "media": json.dumps({}).encode()})


def _cards(path: LearningPath) -> Iterator[tuple[str, str, str]]:
    """Id, question and answer of every card."""
    for topic, step in sorted(taught_in(path).items(), key=lambda pair: pair[1].position):
        yield digest(path.id, topic)[:16], f"Explain: <b>{_html(words(topic))}</b>", _answer(path, step, topic)


def _answer(path: LearningPath, step: Step, topic: str) -> str:
    needs = [edge for edge in path.certificate.prerequisites if edge.topic == topic]
    lines = [_html(step.reason)]
    lines += [f"Builds on <b>{_html(words(edge.requires))}</b>: {_html(edge.reason)}" for edge in needs]
    lines += [_link(step)]
    return "<br>".join(lines)


def _link(step: Step) -> str:
    name, url = _html(title(step)), address(step.resource)
    return f'<a href="{_html(url)}">{name}</a>' if url and "\\" not in url else name


def _html(text: str) -> str:
    return escape(clean(text)).translate(_ACTIVE)


def _model() -> genanki.Model:
    card = {"name": "Card", "qfmt": "{{Question}}", "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}"}
    return genanki.Model(_MODEL_ID, "warpath", fields=[{"name": "Question"}, {"name": "Answer"}], templates=[card])


def _zipped(files: dict[str, bytes]) -> bytes:
    """A zip without the time of day, so that equal content is equal bytes."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
    return packed.getvalue()
