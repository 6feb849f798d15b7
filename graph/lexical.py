"""Words to sparse vectors: the lexical side of search.

BM25F (Robertson, Zaragoza & Taylor 2004, https://doi.org/10.1145/1031171.1031181): term frequencies of weighted
fields are added before they saturate. The inverse document frequency is left to the vector store, which knows it.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import Stemmer

from graph.ports import Sparse

SATURATION = 1.2  # k1 of BM25
LENGTH_PENALTY = 0.75  # b of BM25
USUAL_LENGTH = 12.0  # terms in an average field

# A word may hold the signs that names of instructions and formats are made of: sm_90a, fp8_e4m3, torch.compile, a2a.
_WORD = re.compile(r"[^\W_]+(?:[._+#/-][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
STOP = frozenset(
    "a about all an and any are as at be been but by can do does for from get has have how i if in into "
    "is it its me my of on one or our should so some than that the their them there these they this to up "
    "use used using via was we what when where which while who why will with without you your".split()
)
_stemmer = Stemmer.Stemmer("english")


def terms(text: str) -> list[str]:
    """The index terms of a text: stems of its words, and each compound (`sm_90a`) as a whole beside its parts."""
    return [term for term, _, _ in located(text)]


def located(text: str) -> Iterator[tuple[str, int, int]]:
    """The index terms of a text, each with the span of characters that it stands for."""
    for word in _WORD.finditer(text):
        parts = [word] if word[0].isalnum() else list(_PART.finditer(text, *word.span()))
        if len(parts) > 1:
            yield "".join(part[0] for part in parts).casefold(), *word.span()
        for part in parts:
            if (low := part[0].casefold()) not in STOP:
                yield stem(low), *part.span()


def phrase(text: str) -> str:
    """The words of a text as they follow each other, without case and signs."""
    return " ".join(_PART.findall(text.casefold()))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """English stem; words that carry digits are names and stay as they are."""
    return word if any(c.isdigit() for c in word) else str(_stemmer.stemWord(word))


def term_id(term: str) -> int:
    """Stable 32-bit id of a term."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


def encode_document(fields: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> Sparse:
    """BM25F weights of a document; each field is a list of texts."""
    frequencies: dict[str, float] = defaultdict(float)
    for name, texts in fields.items():
        counted = Counter(term for text in texts for term in terms(text))
        norm = 1 - LENGTH_PENALTY + LENGTH_PENALTY * counted.total() / USUAL_LENGTH
        for term, count in counted.items():
            frequencies[term] += weights[name] * count / norm
    return sparse({term: f * (SATURATION + 1) / (f + SATURATION) for term, f in frequencies.items()})


def encode_query(text: str, expansions: Mapping[str, float] | None = None) -> Sparse:
    """Each term of the query once, with weight 1; expansions add further texts at their own weight."""
    weights = dict.fromkeys(terms(text), 1.0)
    for extra, weight in (expansions or {}).items():
        for term in terms(extra):
            weights.setdefault(term, weight)
    return sparse(weights)


def sparse(weights: Mapping[str, float]) -> Sparse:
    """A sparse vector of named weights: of terms, or of topics."""
    ordered = sorted((term_id(name), weight) for name, weight in weights.items())
    return Sparse(tuple(id for id, _ in ordered), tuple(weight for _, weight in ordered))
