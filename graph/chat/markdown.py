"""Text from lists inside Markdown: shown as it stands, whatever signs it holds.

Any ASCII punctuation may be escaped (https://spec.commonmark.org/0.31.2/#backslash-escapes); only what would mean
something inside a line is.
"""

from __future__ import annotations

import re

from graph.urls import is_web_address

_MEANINGFUL = re.compile(r"[\\`*\[\]<>|~$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
_ESCAPED = re.compile(r"\\([\\`*\[\]<>|~$_&])")
_LINK = re.compile(r"(?<!\\)\[((?:\\.|[^\]\\])*)\]\(<[^>]*>\)")
_IN_ADDRESS = {ord(letter): f"%{ord(letter):02X}" for letter in r"<>\|`"}


def escape(text: str) -> str:
    """One line of printable characters that Markdown shows as they are."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return _MEANINGFUL.sub(lambda found: f"\\{found[0]}", line)


def link(title: str, url: str | None) -> str:
    """A title that leads to an address of the web; the title alone where there is none (`javascript:` is none)."""
    if not (url and url.isprintable() and is_web_address(url)):
        return escape(title)
    return f"[{escape(title)}](<{in_address(url)}>)"


def in_address(url: str) -> str:
    """An address as it stands between < and >."""
    return url.translate(_IN_ADDRESS)


def plain(text: str) -> str:
    """Our Markdown without its signs, for a terminal."""
    return _ESCAPED.sub(r"\1", _LINK.sub(r"\1", text))
