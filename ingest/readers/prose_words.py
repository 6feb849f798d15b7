"""Tables of words by which works are found in prose. General vocabulary only: no word is here for one text."""

from __future__ import annotations

from collections.abc import Mapping

from graph.models import Kind


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _nouns(table: Mapping[Kind, str]) -> dict[str, Kind]:
    return {noun: kind for kind, nouns in table.items() for noun in nouns.split(", ")}


# What works are called. A strong noun needs no owner: "the Roofline paper" is a work, "the CUDA thread" is none.
STRONG_NOUNS = _nouns(
    {
        "blog": "article, blog, blog post, blogpost, post",
        "book": "book, chapter, textbook",
        "course": "course",
        "docs": "docs, documentation, tutorial",
        "feed": "podcast",
        "lecture": "keynote, lecture",
        "paper": "paper, preprint, technical report, whitepaper",
        "repo": "repo, repository",
        "video": "livestream, reading group, talk, video",
    }
)
WEAK_NOUNS = _nouns(
    {
        "blog": "analysis, breakdown, deep dive, essay, explainer, explanation, guide, intro, introduction, notes, "
        "overview, series, walkthrough, worklog, write-up, writeup",
        "feed": "newsletter",
        "lecture": "slides",
        "paper": "survey, thesis",
        "repo": "code, implementation",
        "thread": "thread",
        "video": "interview, stream",
    }
)
NOUNS = STRONG_NOUNS | WEAK_NOUNS

WATCHING = _words("watch watched watching")
READING = WATCHING | _words("read reading reread rereading skimmed skimming studied studying")
USING = READING | _words(
    "enjoyed finished finishing following going listened listening loved recommend recommended through"
)
RELEASING = _words("announce announcing introduce introducing launching present presenting release releasing")

ARTICLES = _words("a an another the")
# Before a noun these say that the work is known already, or one's own, or no work in particular.
NO_ARTICLES = _words("""
    any both each every her his its many more most my no other our own some such that their these this
    those which your
""")
PRAISE = _words("""
    amazing awesome beautiful best brilliant classic cool excellent famous fantastic favorite favourite
    fun good great helpful incredible interesting legendary lovely nice really recent super superb
    useful very wonderful
""")
# Words that do not tell one work from another.
VAGUE = _words("""
    attached current entire first following full last latest main new next original particular previous
    related same second short single third whole
""")

# Where the clause goes on, the name of a work has ended.
_CLAUSE = _words("""
    after again also am and are as at be because been before but by can could did do does during earlier
    finally found from had has have he here how i i'd i'll i'm i've if into is it just luckily me not
    now once or over she should since so than thanks then there they through today tomorrow tonight
    until us using via was we well were what when where while who why will with would yesterday yet you
""")
_TELLING = _words("""
    covered covers explained explains gave gives goes helped helps made makes showed shows taught
    teaches took takes walks
""")
NAME_STARTS_AFTER = _CLAUSE | USING | _words("about both for in of on onto the to tuning")
NAME_ENDS_BEFORE = (_CLAUSE | _TELLING | NO_ARTICLES) - _words("her his its their with")

ABOUT = _words("about called covering of on titled to")
TOPICAL = _words("about called covering on titled")
QUESTIONS = _words("How What When Where Which Why")
SMALL_IN_TITLES = _words("a an and as at for in into is of on or the to vs with your")
PRONOUNS = _words("he here i it let she that there they today tomorrow we what who yesterday you")
SPEAKERS = _words("i i'd i'll i'm i've me my our us we we're")

# Words that point at a link without naming it.
POINTERS = _words("""
    a all also and are at available be can check details find for full get go great here here's in is it
    link links more nice on online out read resource resources see source sources the them there these
    this those to try via watch
""")
