"""Addresses of one work brought to one key. Two addresses share a key only when they surely lead to the same work."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import SplitResult, parse_qsl, quote, unquote, unquote_to_bytes, urlencode, urlsplit

# Parameters that say how a reader came to a page. Words that sites use for content too (`source`, `share`) are not.
TRACKING = frozenset(
    "fbclid gclid dclid gbraid wbraid gad_source msclkid twclid yclid igshid igsh mc_cid mc_eid mkt_tok srsltid ncid "
    "_ga _gl _hsenc _hsmi ref ref_src ref_url referrer si spm trk trackingid usp".split()
)
_ARXIV_HOSTS = frozenset(
    ["arxiv.org", "export.arxiv.org", "browse.arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org"]
)
_ARXIV_ID = re.compile(
    r"/(?:abs|pdf|html|overview|audio)?/?(\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?/?$"
)
_YOUTUBE_HOSTS = frozenset(["youtube.com", "youtube-nocookie.com", "music.youtube.com"])
_DEFAULT_PORTS = {("http", 80), ("https", 443)}
_SAME_HOST = {"twitter.com": "x.com", "hf.co": "huggingface.co", "dx.doi.org": "doi.org"}
_README_TAB = ("tab", "readme-ov-file")  # what GitHub shows anyway
_IDLE_FRAGMENTS = frozenset(["", "top", "readme", "readme-ov-file", "content", "main"])


def is_web_address(text: str) -> bool:
    """Whether a text is an absolute http(s) address with a host."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def key(url: str) -> str:
    """The canonical key of an address: equal for all addresses of one work.

    Folded are scheme, `www.` and mobile hosts, default ports, tracking parameters, order of parameters, empty
    fragments, trailing slashes; arXiv's abs, pdf and html pages in any version; DOIs; YouTube's short, live and
    embedded forms; posts on X; GitHub's `.git` and default-branch forms. Fragments that name a place stay.
    """
    parts = _split(url)
    host = _host(parts) if parts else None
    if parts is None or host is None:  # not an address at all: equal only to itself
        return url.strip()
    path = re.sub(r"/{2,}", "/", quote(unquote_to_bytes(parts.path), safe="/:@!$&'()*+,;=~-._"))
    pairs = parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape")
    query = sorted((k, v) for k, v in pairs if not _is_tracking(k))
    for rule in _RULES:
        if special := rule(host, path, dict(query)):
            return special
    if host == "github.com":
        path, query = _github_path(path), [pair for pair in query if pair != _README_TAB]
    path = re.sub(r"/index\.html?$", "", path).rstrip("/")
    return host + path + ("?" + urlencode(query, errors="surrogateescape") if query else "") + _fragment(parts.fragment)


def is_front_page(url: str) -> bool:
    """Whether an address is a whole site. Lists link one for want of the page itself, so it does not name a work."""
    parts = _split(url)
    return parts is not None and parts.path in ("", "/") and not parts.query and not parts.fragment


def path_words(url: str) -> str:
    """The words of an address's path; its host, and the owner of a repository, say who wrote, not what about."""
    parts = _split(url)
    if parts is None:
        return ""
    path = unquote(parts.path).strip("/")
    if parts.hostname in ("github.com", "www.github.com"):
        path = path.partition("/")[2]
    return path.replace("/", " . ").replace("_", " ")


def _split(url: str) -> SplitResult | None:
    """The parts of an address, of which the scheme may be missing."""
    url = url.strip().encode("utf-8", "backslashreplace").decode()
    try:
        return urlsplit(url if "://" in url else "https://" + url)
    except ValueError:
        return None


def _host(parts: SplitResult) -> str | None:
    """Host, and port where it is not the usual one."""
    try:
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".").removeprefix("www.").removeprefix("m.").removeprefix("mobile.")
    host = _SAME_HOST.get(host, host)
    return f"{host}:{port}" if port and (parts.scheme, port) not in _DEFAULT_PORTS else host


def _fragment(fragment: str) -> str:
    """The fragment with its sign, where it names a place; text to highlight names none."""
    place = fragment.partition(":~:")[0].rstrip("/")
    return "" if place.casefold() in _IDLE_FRAGMENTS else "#" + place


def _is_tracking(parameter: str) -> bool:
    return parameter.lower() in TRACKING or parameter.lower().startswith("utm_")


def _arxiv(host: str, path: str, query: dict[str, str]) -> str | None:
    path = path.lower()
    if host == "huggingface.co" and path.startswith("/papers/"):
        path = path.removeprefix("/papers")
    elif host == "doi.org" and path.startswith("/10.48550/arxiv."):
        path = "/" + path.removeprefix("/10.48550/arxiv.")
    elif host not in _ARXIV_HOSTS:
        return None
    found = _ARXIV_ID.search(path)
    return f"arxiv:{re.sub('[.][a-z]{2}/', '/', found[1])}" if found else None


def _doi(host: str, path: str, query: dict[str, str]) -> str | None:
    if host == "dl.acm.org":
        path = re.sub(r"^/doi/(?:abs/|pdf/|epdf/|fullhtml/)?", "/", path, count=1, flags=re.IGNORECASE)
    elif host != "doi.org":
        return None
    return f"doi:{path.strip('/').lower()}" if path.startswith("/10.") else None


def _youtube(host: str, path: str, query: dict[str, str]) -> str | None:
    if host == "youtu.be" and len(path) > 1:
        return f"youtube:{path[1:].split('/')[0]}"
    if host not in _YOUTUBE_HOSTS:
        return None
    if query.get("v"):
        return f"youtube:{query['v']}"
    if query.get("list") and path in ("/playlist", "/embed/videoseries"):
        return f"youtube:list:{query['list']}"
    found = re.match(r"/(?:live|embed|shorts|v)/([\w-]+)", path)
    return f"youtube:{found[1]}" if found else None


def _x(host: str, path: str, query: dict[str, str]) -> str | None:
    """A post by its number, an account by its name."""
    if host != "x.com":
        return None
    if found := re.search(r"/status/(\d+)", path):
        return f"x:{found[1]}"
    name = path.strip("/").lower()
    return f"x:{name}" if name and "/" not in name and "q" not in query else None


def _github_path(path: str) -> str:
    """Owner and repository ignore case; a repository's root has many forms. Files and issues keep their path."""
    owner, _, rest = path.strip("/").partition("/")
    repository, _, inside = rest.partition("/")
    if inside in ("tree/main", "tree/master", "blob/main", "blob/master"):
        inside = ""
    root = f"{owner}/{repository.removesuffix('.git')}".lower()
    return f"/{root}/{inside}"


def _openreview(host: str, path: str, query: dict[str, str]) -> str | None:
    return f"openreview:{query['id']}" if host == "openreview.net" and query.get("id") else None


def _google_docs(host: str, path: str, query: dict[str, str]) -> str | None:
    found = re.match(r"/(document|presentation|spreadsheets)/(?:u/\d+/)?d/([\w-]+)", path)
    return f"google-{found[1]}:{found[2]}" if found and host == "docs.google.com" else None


_RULES: tuple[Callable[[str, str, dict[str, str]], str | None], ...] = (
    _arxiv, _doi, _youtube, _x, _openreview, _google_docs,
)  # fmt: skip
