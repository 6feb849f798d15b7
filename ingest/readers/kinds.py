"""What kind of work a mention is about, from its URL, its words and its section.

The tables below are asked in order: a telling URL, the title, the opening of the note, the URL's general shape, the
section. The first that answers counts; a work about which nothing speaks is a blog post.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from graph.models import Kind

_Rules = tuple[tuple[Kind, re.Pattern[str]], ...]


def _rules(*rows: tuple[Kind, str]) -> _Rules:
    return tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in rows)


def _url_rules(*rows: tuple[Kind, str]) -> _Rules:
    """Rules on "host/path?query" without "www.", matched from its start."""
    return _rules(*((kind, rf"^(?:{pattern})") for kind, pattern in rows))


_TELLING_URLS = _url_rules(
    ("paper", r"(?:[\w-]+\.)?(?:(?:ar|alpha|bio)xiv|openreview|aclanthology|semanticscholar|ssrn)\.(?:org|net|com)/"),
    ("paper", r"(?:dl\.acm\.org|ieeexplore\.ieee\.org|zenodo\.org|nature\.com/articles)/"),
    ("paper", r"(?:(?:papers|proceedings)\.[\w.]+|huggingface\.co/papers|link\.springer\.com|jmlr\.org/papers)/"),
    ("paper", r"usenix\.org/(?:conference|system)/"),
    ("paper", r"[^/]+/(?:[^?]*/)?(?:papers?|publications?)/"),
    ("paper", r"github\.com/[^/]+/[^/]+/(?:blob|raw)/[^?]*\.pdf$"),
    ("thread", r"github\.com/[^/]+/[^/]+/(?:issues|pulls?|discussions)/\d"),
    ("thread", r"(?:x|twitter)\.com/[^/]+/status/|linkedin\.com/(?:posts|feed)/|threadreaderapp\.com/"),
    ("thread", r"(?:news\.ycombinator\.com/item|(?:old\.)?reddit\.com/r/[^/]+/comments|bsky\.app/profile/[^/]+/post)"),
    ("feed", r"(?:x|twitter|bsky)\.com/[^/?]+/?$|youtube\.com/(?:@|c/|channel/|user/)"),
    ("blog", r"github\.com/[^/]+/[^/]+/blob/[^?]*blog"),
    ("repo", r"colab\.research\.google\.com/|gist\.github\.com/|(?:gitlab|bitbucket)\.(?:com|org)/[^/]+/[^/]+"),
    ("blog", r"linkedin\.com/(?:blog|pulse)/|huggingface\.co/blog/"),
    ("blog", r"[^/]+/(?:[^?]*/)?(?:blogs?|posts?|articles?|p)/[^/?]"),
    ("blog", r"blogs?\.[\w.-]+/[^?]|[\w.-]+\.(?:blogs?|notion)\.[\w.-]+/[^?]"),
    ("blog", r"(?:medium\.com|towardsdatascience\.com|dev\.to|hackernoon\.com|[\w-]+\.(?:medium|wordpress)\.com)/[^?]"),
    ("docs", r"docs?\.(?!google)[\w.-]+/|[\w-]+\.readthedocs\.(?:io|org)/|huggingface\.co/docs/"),
    ("docs", r"[^/]+/(?:[^?]*/)?(?:docs?|documentation|manual|reference|api)/"),
    ("lecture", r"docs\.google\.com/presentation/|slideshare\.net/|speakerdeck\.com/"),
    ("model", r"huggingface\.co/(?:collections/|(?!spaces/|datasets/|docs/|learn/|blog/|papers/)[^/]+/[^/?]+/?$)"),
    ("course", r"huggingface\.co/learn/|(?:coursera|edx|udacity|udemy|fast)\.(?:org|com|ai)/"),
    ("course", r"[^/]+/(?:[^?]*/)?courses?/"),
    ("course", r"ocw\.mit\.edu/|(?:cs|ece)\d+[\w-]*\.[\w.-]+/"),
    ("book", r"(?:elsevier\.com/books|oreilly\.com/library|manning\.com|leanpub\.com|amazon\.[\w.]+)/"),
    ("book", r"[^/]+/[\w-]*book/"),
    ("other", r"discord\.(?:gg|com)/|[\w-]+\.slack\.com/|t\.me/"),
)  # fmt: skip
_VIDEO_URL = re.compile(
    r"(?:m\.)?youtube\.com/(?:watch|live|playlist|shorts|embed)|youtu\.be/|vimeo\.com/|twitch\.tv/|"
    r"bilibili\.com/video|nvidia\.com/[\w-]+/on-demand/|ted\.com/talks",
    re.IGNORECASE,
)
_REPO_URL = re.compile(r"(?:github|huggingface)\.(?:com|co)/[^/]+", re.IGNORECASE)
_HOME_URL = re.compile(r"[^/]+/?(?:index\.html?)?$")
_HOMES = _url_rules(
    ("feed", r"[\w-]+\.(?:substack|medium|ghost|bearblog|wordpress)\.\w"), ("blog", r"[\w-]+\.github\.io")
)
# What a page that might as well be a blog post is taken for if the words say so.
_SAID_OF_PAGES = frozenset(("paper", "book", "course", "docs", "lecture", "feed"))
_TITLE = _rules(
    ("feed", r"(?:blogs?|newsletter|substack|podcast|log ?book|youtube channel)\W*$"),
    ("course", r"\bcourse\b|\b(?:cs|ece|ee) ?\d{3,4}\b(?!.*lecture)|\bassignments?\b|\bbootcamp\b|\bpuzzles\b"),
    ("lecture", r"\blectures?\b|\bkeynote\b|\bslides\b"),
    ("paper", r"\bpapers?\b|\bsurvey\b|\btechnical report\b|\bwhite ?paper\b|\bthesis\b"),
    ("book", r"\b(?:play|text|hand|guide)?book\b"),
    ("docs", r"\b(?:docs|documentation|manual|reference|isa|cookbook|programming guide)\b"),
    ("video", r"\b(?:video|talk|livestream|interview)\W*$|^video\b"),
    ("thread", r"\bthread\b|\bon (?:x|twitter|bluesky|mastodon)\b|\bdiscussion\b"),
    ("repo", r"\b(?:implementation|repo|repository|samples|examples?|source code)\b"),
    ("repo", r"^[\w.-]+/[\w.-]+$|^(?-i:[a-z\d]+-[a-z\d-]+)$"),
    ("tool", r"\b(?:builder|calculator|debugger|simulator|playground|toolkit)\b"),
)  # fmt: skip
_NOTE = _rules(
    ("model", r"\b(?:model collection|model repo|gguf|parameter model|model weights|checkpoints?)\b"),
    ("course", r"\b(?:university course|online course|practice problems|exercises|(?:course|tutorial) materials)\b"),
    ("book", r"\b(?:text|play|hand)?book\b(?! (?:club|review))"),
    ("lecture", r"\blecture\b|\bpresentation\b"),
    ("thread", r"\b(?:thread|linkedin post|tweet)\b"),
    ("video", r"\b(?:video|talk|livestream)\b"),
    ("paper", r"\b(?:paper|preprint)\b|\b(?:neurips|icml|iclr|mlsys|osdi|sosp|asplos|isca|hpca|acl) ?(?:20)?\d\d\b"),
    ("docs", r"\b(?:documentation|official (?:docs|guide|reference)|tutorial)\b"),
    ("repo", r"\b(?:implementation(?!-)|codebase|repo|repository|file)\b"),
    ("tool", r"\b(?:library|framework|toolchain|compiler|dsl|calculator|platform|interface for|search tool)\b"),
    ("feed", r"\b(?:posts|threads|writing|newsletter)\W*$"),
    ("blog", r"\b(?:analysis|article|deep[- ]dive|explanation|post|walkthrough|worklog|write-?up)\b"),
)  # fmt: skip
_PAPER_TITLE = re.compile(r"[\w.+/-]{2,24}: \S+ \S+ \S+ ")
_SECTION = _rules(
    ("paper", r"\bpapers?\b"),
    ("lecture", r"\blectures?\b"),
    ("video", r"\b(?:videos?|talks?)\b"),
    ("course", r"\bcourses?\b"),
    ("book", r"\b(?:text)?books?\b"),
    ("feed", r"\b(?:feeds?|people|newsletters?|who to follow|accounts)\b"),
    ("repo", r"\b(?:repos(?:itories)?|code|projects)\b"),
    ("tool", r"\b(?:tools?|libraries)\b"),
    ("docs", r"\b(?:docs|documentation)\b"),
    ("blog", r"\b(?:blogs?|articles?|opinions?)\b"),
)  # fmt: skip
# Longer words say nothing more about the kind, and the time to search them is bounded.
_MOST = 400


def guess_kind(url: str | None, title: str, note: str, section: Iterable[str]) -> Kind:
    """The kind of a work. `section` are the headings above it, outermost first."""
    by_title, by_note = _first(_TITLE, title[:_MOST]), _first(_NOTE, note[:_MOST])
    by_section = _first_of(_first(_SECTION, heading) for heading in reversed(list(section)))
    if url is not None:
        return _by_url(_host_and_path(url), by_title, by_note, by_section)
    return by_title or by_section or by_note or ("paper" if _PAPER_TITLE.match(title) else "blog")


def _by_url(place: str, by_title: Kind | None, by_note: Kind | None, by_section: Kind | None) -> Kind:
    if _VIDEO_URL.match(place):
        return "lecture" if "lecture" in (by_title, by_note) else "video"
    telling = _first(_TELLING_URLS, place)
    if telling == "other" and by_note == "lecture":
        return "lecture"
    if telling:
        return telling
    if _REPO_URL.match(place):
        return by_title if by_title in ("course", "book") else "repo"
    if _HOME_URL.match(place):
        return by_title or by_note or _first(_HOMES, place) or "tool"
    said = (kind if kind in _SAID_OF_PAGES else None for kind in (by_title, by_note, by_section))
    return _first_of(said) or ("paper" if place.endswith(".pdf") else "blog")


def _first_of(kinds: Iterable[Kind | None]) -> Kind | None:
    return next(filter(None, kinds), None)


def _first(rules: _Rules, text: str) -> Kind | None:
    return next((kind for kind, pattern in rules if pattern.search(text)), None)


def _host_and_path(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url[:_MOST]
    # A path behind "#" is how single-page sites write theirs.
    path = parts.fragment if parts.fragment.startswith("/") else parts.path or "/"
    place = f"{parts.netloc.removeprefix('www.')}{path}"
    return (f"{place}?{parts.query}" if parts.query else place)[:_MOST]
