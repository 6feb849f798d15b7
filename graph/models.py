"""The values that travel through warpath, from a line of a reading list to a step of a learning path.

All are frozen: a step of the pipeline takes one value and gives the next. What goes into a store and comes out of it
is `Node` and `Edge`; what a user sees is `Hit`, `ResourcePage` and `LearningPath`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal[
    "blog",
    "repo",
    "paper",
    "video",
    "lecture",
    "docs",
    "feed",
    "book",
    "thread",
    "tool",
    "course",
    "model",
    "kernel",
    "other",
]
Status = Literal["to_read", "to_implement"]
FacetField = Literal["kind", "tier", "topic", "hardware", "source", "author"]
Format = Literal["json", "markdown", "mermaid", "graphml", "csv", "ics", "anki"]
Label = Literal[
    "Source", "Resource", "Topic", "Hardware", "Kernel", "Person", "Organisation", "DevlogEntry", "Vocabulary"
]
EdgeType = Literal[
    "MENTIONS",  # Source -> Resource, body: the Mention
    "HAS_ENTRY",  # Source -> DevlogEntry
    "COVERS",  # Resource | DevlogEntry | Kernel -> Topic
    "ABOUT_HARDWARE",  # Resource | DevlogEntry | Kernel -> Hardware
    "BY",  # Resource -> Person | Organisation
    "NAMES",  # DevlogEntry -> Person | Resource
    "REQUIRES",  # Topic -> Topic, Kernel -> Kernel
    "HELPED_BY",  # Topic -> Topic, good to know before
    "LEARN_WITH",  # Topic -> Topic, declared co-requisites
    "PART_OF",  # Topic -> Topic, Hardware -> Hardware
    "EXPLAINED_BY",  # Hardware -> Topic
    "FEATURES",  # Hardware -> Topic
    "ONLY_FOR",  # Topic -> Hardware
    "LINKS",  # Kernel -> Resource
]


class Value(BaseModel):
    """Base of all values: immutable, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Mention(Value):
    """One resource in one place of one source. It never loses that place."""

    source: str
    line: Annotated[int, Field(ge=1)]
    title: str
    url: str | None = None
    extra_urls: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    kind: Kind = "other"
    section: tuple[str, ...] = ()
    tier: int | None = None
    status: Status | None = None
    note: str = ""


class DevlogEntry(Value):
    """One post of a devlog; copies of a post are one entry. `handles` are @names without the sign."""

    source: str
    line: int
    end_line: int
    day: int | None = None
    text: str
    handles: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


class Document(Value):
    """What a reader makes of one source text. `digest` is the sha256 of its bytes."""

    source: str
    title: str
    format: str
    digest: str
    mentions: tuple[Mention, ...]
    entries: tuple[DevlogEntry, ...] = ()


class Link(Value):
    """Why a resource, post or kernel belongs to a topic, a piece of hardware, a person: the evidence of one edge.

    `source` and `line` are the place that was read.
    """

    slug: str
    name: str
    reason: str
    confidence: Annotated[float, Field(ge=0, le=1)]
    source: str
    line: int


class Annotation(Value):
    """What the ontology knows of a work, whatever lists mention it; `source` and `line` are the place in its files.

    `teaches` are the topics that a reader knows afterwards, the most central first, `touches` those met on the way;
    `says` tells in a sentence what it holds, `asks` are questions that it answers.
    """

    title: Annotated[str, Field(min_length=1)]
    url: str | None = None
    teaches: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    level: Annotated[int, Field(ge=1, le=5)] | None = None
    minutes: Annotated[int, Field(gt=0)] | None = None
    says: str = ""
    asks: tuple[str, ...] = ()
    source: str
    line: Annotated[int, Field(ge=1)]


class Resource(Value):
    """One work, with all places that mention it and everything it is linked to."""

    id: str
    title: str
    url: str | None = None
    urls: tuple[str, ...] = ()
    kind: Kind = "other"
    authors: tuple[str, ...] = ()
    topics: tuple[Link, ...] = ()
    hardware: tuple[Link, ...] = ()
    mentions: tuple[Mention, ...] = ()
    annotation: Annotation | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is said of it, each sentence once: in the ontology, and by curators."""
        said = [self.annotation.says] if self.annotation else []
        return tuple(dict.fromkeys(note for note in (*said, *(m.note for m in self.mentions)) if note))

    @property
    def tier(self) -> int | None:
        """The lowest tier that any list gives it."""
        return min((m.tier for m in self.mentions if m.tier is not None), default=None)

    @property
    def sources(self) -> tuple[str, ...]:
        """The lists that mention it, each once."""
        return tuple(dict.fromkeys(mention.source for mention in self.mentions))


class Topic(Value):
    """One thing to learn. `requires` maps the slug of each direct prerequisite to the reason in words; what `helps` is
    good to know before, but no path is made longer for it."""

    slug: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    name: str
    aliases: tuple[str, ...] = ()
    summary: str = ""
    asks: tuple[str, ...] = ()
    level: Annotated[int, Field(ge=1, le=5)] = 3
    parent: str | None = None
    hardware: tuple[str, ...] = ()
    minutes: Annotated[int, Field(gt=0)] | None = None
    requires: dict[str, str] = {}
    helps: dict[str, str] = {}
    corequisites: dict[str, str] = {}
    resources: int = 0  # works that are about it, counted when the graph is built


class Figure(Value):
    """A number with the page it comes from."""

    value: float
    unit: str
    source: str


class Hardware(Value):
    """A vendor, an architecture or a device. `parents` leads from a device up to its vendor."""

    slug: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    name: str
    kind: Literal["vendor", "architecture", "device"]
    vendor: str | None = None
    parents: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    compute_capability: str | None = None
    gfx: str | None = None
    features: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    figures: dict[str, Figure] = {}


class KernelLine(Value):
    """A reference kernel: what to write, and where it can be read, checked or raced. `described` has no code here."""

    slug: str
    title: str
    summary: str
    status: str
    difficulty: int
    order: int | None = None
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    hardware: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


class Place(Value):
    """Where a list speaks of a resource, and in which words."""

    source: str
    line: int
    note: str = ""
    section: tuple[str, ...] = ()
    tier: int | None = None


class Why(Value):
    """Why a search found a resource: words of the query as its title and notes have them, topics, the best note."""

    terms: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()  # of those that the query is about
    note: Place | None = None  # where the words that matched best stand


class Highlight(Value):
    """A text of a resource with the spans that match the query: characters from start up to end, in order."""

    field: Literal["title", "note"]
    text: str
    spans: tuple[tuple[int, int], ...]


class Hit(Value):
    """One resource as lists of them show it. Only what a search found says why, and where its texts match."""

    id: str
    title: str
    url: str | None = None
    kind: Kind
    score: float
    authors: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    hardware: tuple[str, ...] = ()
    mentions: tuple[Place, ...] = ()
    says: Place | None = None  # what it holds, as the ontology knows it
    why: Why | None = None
    highlights: tuple[Highlight, ...] = ()


class KernelPage(Value):
    """A kernel with the works it links to and the posts that speak of it."""

    kernel: KernelLine
    resources: tuple[Hit, ...] = ()
    posts: tuple[Place, ...] = ()


class FacetCount(Value):
    """How many of the resources that answer have a value; `value` is what the filter of that field takes."""

    value: str
    name: str
    count: int


class Understood(Value):
    """How a query was read: the words searched for, and its conditions, each in the form of the query language."""

    words: str
    filters: tuple[str, ...] = ()

    def values(self, name: str) -> Iterator[str]:
        """The values that a filter was given."""
        return (one.removeprefix(f"{name}:") for one in self.filters if one.startswith(f"{name}:"))


class SearchAnswer(Value):
    """What a search gives: `abstain` says that nothing answers the query; `kernels` are to read and run.

    `facets` count all that answers, not this page alone; `next` asks for the page after this one.
    """

    query: str
    abstain: bool
    hits: tuple[Hit, ...]
    kernels: tuple[str, ...] = ()
    understood: Understood | None = None
    corrected: str | None = None  # the query with its slips mended, where it had any
    facets: dict[FacetField, tuple[FacetCount, ...]] = {}
    next: str | None = None
    suggestions: tuple[str, ...] = ()  # queries to try where nothing answers
    warnings: tuple[str, ...] = ()  # what could not be used of the query, in sentences


class SimilarAnswer(Value):
    """Resources that are like another in meaning and topics, the likest first."""

    resource: Hit
    hits: tuple[Hit, ...]


class SearchAnswerWithPath(SearchAnswer):
    """What a search gives that asks for a path: beside the hits the path to what they teach, null if there is none."""

    path: LearningPath | None


class Step(Value):
    """One step of a path. `evidence` are the curators' words for the resource; `reason` says why it stands here."""

    position: int
    topics: tuple[str, ...]
    resource: Hit | None
    alternatives: tuple[Hit, ...] = ()
    reason: str
    choice: str = ""  # why this resource
    evidence: tuple[str, ...] = ()
    minutes: int
    basis: str = ""  # what the minutes are reckoned from
    beyond: bool = False  # the goal is reached without it: there is time for it
    kernels: tuple[str, ...] = ()


class LeftOut(Value):
    """Something a path does not hold, and why."""

    topic: str
    reason: str


class Prerequisite(Value):
    """One edge of the graph that a path relies on: `topic` needs `requires`."""

    topic: str
    requires: str
    reason: str = ""
    together: bool = False  # a co-requisite: learned in one step


class Certificate(Value):
    """What an independent checker needs to verify a path against the graph, with nothing of the planner's.

    Every prerequisite of every topic taught is here: the one it requires is taught no later, or stands among `known`,
    `assumed` or `excluded`.
    """

    prerequisites: tuple[Prerequisite, ...]
    known: tuple[str, ...]  # what the learner said
    assumed: tuple[str, ...]  # what one must know to know that
    excluded: tuple[LeftOut, ...]  # ruled out on the way, with the reason
    budget_minutes: int | None = None


class LearningPath(Value):
    """An ordered plan for one goal. `id` is the same for the same plan, whoever makes it."""

    id: str
    goal: str
    understood: str
    targets: tuple[str, ...]
    hardware: str | None = None
    known: tuple[str, ...] = ()
    steps: tuple[Step, ...]
    kernels: tuple[str, ...] = ()
    minutes: int
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()
    certificate: Certificate


FaultKind = Literal[
    "unknown-topic",
    "unknown-hardware",
    "position",
    "empty-step",
    "missing-target",
    "repeated-topic",
    "repeated-resource",
    "invented-prerequisite",
    "incomplete-certificate",
    "forged-reason",
    "missing-topic",
    "order",
    "false-known",
    "false-assumption",
    "known-taught",
    "false-exclusion",
    "false-left-out",
    "unsaid-left-out",
    "wrong-hardware",
    "minutes",
    "over-budget",
    "unknown-resource",
    "altered-resource",
    "off-topic",
    "invented-quote",
    "unknown-kernel",
    "kernels",
    "altered-id",
]


class Fault(Value):
    """One thing that is wrong with a path; the message names the step or topic."""

    kind: FaultKind
    message: str


class Verdict(Value):
    """Whether a path is right, and what is wrong with it."""

    valid: bool
    faults: tuple[Fault, ...] = ()


class Conditions(Value):
    """What hits must meet. Empty lists mean any; `hardware` drops what is made for other hardware."""

    kind: tuple[Kind, ...] = ()
    hardware: str | None = None
    max_tier: Annotated[int, Field(ge=1)] | None = None
    topic: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    author: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    source: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    status: tuple[Status, ...] = ()


class SearchRequest(Conditions):
    """A query, in the language of graph/query.py, and what its hits must meet besides."""

    query: Annotated[str, Field(min_length=1, max_length=2000)]
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    path: bool = False  # also plan the path to what the hits teach
    facets: bool = False  # also count the values of all that answers
    cursor: Annotated[str, Field(max_length=500)] | None = None  # `next` of the page before


class SimilarRequest(Conditions):
    """How many resources like another, and what they must meet."""

    limit: Annotated[int, Field(ge=1, le=100)] = 10


class Learner(Value):
    """What a learner knows and has, to plan around."""

    know: Annotated[tuple[str, ...], Field(max_length=1000)] = ()
    hardware: str | None = None
    max_tier: Annotated[int, Field(ge=1)] | None = None
    hours: Annotated[float, Field(gt=0, le=10_000)] | None = None
    done: Annotated[tuple[str, ...], Field(max_length=10_000)] = ()  # topics, ids or addresses of resources


class PathRequest(Learner):
    """A goal in words or a topic's slug, and what to plan around."""

    goal: Annotated[str, Field(min_length=1, max_length=2000)]


class Pace(Value):
    """How fast a learner goes on, and from when; without a start, from today."""

    hours_per_week: Annotated[float, Field(ge=0.5, le=168)] = 5
    start: Annotated[date, Field(ge=date(2000, 1, 1), le=date(2100, 12, 31))] | None = None


class ExportRequest(PathRequest, Pace):
    """A path to plan and the form to give it in; the pace is for calendars."""

    format: Format


class Finished(Value):
    """Something that a learner is done with. `id` is a topic's slug or a resource's id, the same in every store."""

    kind: Literal["topic", "resource"]
    id: str
    title: str


class TopicPage(Value):
    """A topic with its place in the graph and what teaches it, best first."""

    topic: Topic
    needed_by: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    resources: tuple[Hit, ...] = ()
    kernels: tuple[str, ...] = ()


class TopicLine(Value):
    """One row of the list of topics."""

    slug: str
    name: str
    level: int
    parent: str | None = None
    resources: int


class SourceLine(Value):
    """One list or devlog that was ingested. `digest` is the sha256 of its bytes."""

    source: str
    title: str
    format: str
    digest: str
    mentions: int
    entries: int = 0


class DevlogPost(Value):
    """A devlog entry with what it speaks of."""

    source: str
    line: int
    end_line: int
    day: int | None = None
    text: str
    handles: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    hardware: tuple[str, ...] = ()
    resources: tuple[Hit, ...] = ()


class StoreStatus(Value):
    """What is stored and with which model; counts by label and by edge type."""

    stamp: str
    model: str | None
    nodes: dict[str, int]
    edges: dict[str, int]
    vectors: int
    index_ready: bool


class CopyReport(Value):
    """What one copy of a store holds; `checksum` is the same for equal graphs, whatever store they are in."""

    nodes: int
    edges: int
    vectors: int
    entries: int
    checksum: str


class IngestReport(Value):
    """What one ingest did."""

    read: tuple[SourceLine, ...]
    unchanged: tuple[str, ...] = ()
    skipped: dict[str, str] = {}
    resources: int
    written: int
    removed: int
    embedded: int
    seconds: float
