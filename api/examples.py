"""Example values for the OpenAPI document. They are real values, so they cannot fall behind the models."""

from __future__ import annotations

from graph.chat.models import ChatAnswer, ChatRequest, Citation, Sentence
from graph.models import (
    Annotation,
    Certificate,
    DevlogPost,
    ExportRequest,
    FacetCount,
    Fault,
    Figure,
    Hardware,
    Highlight,
    Hit,
    IngestReport,
    KernelLine,
    KernelPage,
    LearningPath,
    Link,
    Mention,
    PathRequest,
    Place,
    Prerequisite,
    Resource,
    SearchAnswer,
    SearchRequest,
    SimilarAnswer,
    SourceLine,
    Step,
    Topic,
    TopicLine,
    TopicPage,
    Understood,
    Verdict,
    Why,
)

_ID = "7c0f4d52-94a3-5a1e-8b43-2f1d6c0e9a77"
_TITLE = "CUDA C++ Programming Guide"
_URL = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/"
_LIST = "my-reading-list.md"
_WORKS = "works/mine.yaml"  # of an ontology
_SAYS = "The reference of the language, with chapters on threads, memory and what each architecture adds."
_NOTE = "Start with the chapter on the memory hierarchy."

SEARCH_REQUEST = SearchRequest(query="shared memory bank conflicts", limit=5, kind=("docs", "blog"), hardware="hopper")
PATH_REQUEST = PathRequest(goal="tiling", know=("cuda-basics",), hardware="hopper", hours=12)
EXPORT_REQUEST = ExportRequest(goal="tiling", format="ics", hours_per_week=6)

HIT = Hit(
    id=_ID,
    title=_TITLE,
    url=_URL,
    kind="docs",
    score=0.82,
    authors=("NVIDIA",),
    topics=("shared-memory",),
    mentions=(Place(source=_LIST, line=12, note=_NOTE, section=("Basics",), tier=1),),
    says=Place(source=_WORKS, line=4, note=_SAYS),
)
FOUND = HIT.model_copy(
    update={
        "why": Why(terms=("memory",), topics=("shared-memory",), note=HIT.mentions[0]),
        "highlights": (Highlight(field="note", text=_NOTE, spans=((30, 36),)),),
    }
)
SEARCH_ANSWER = SearchAnswer(
    query=SEARCH_REQUEST.query,
    abstain=False,
    hits=(FOUND,),
    understood=Understood(words=SEARCH_REQUEST.query, filters=("kind:docs", "kind:blog", "hardware:hopper")),
    facets={"kind": (FacetCount(value="docs", name="docs", count=1),)},
)
SIMILAR_ANSWER = SimilarAnswer(resource=HIT, hits=(HIT.model_copy(update={"why": Why(topics=("shared-memory",))}),))

RESOURCE = Resource(
    id=_ID,
    title=_TITLE,
    url=_URL,
    urls=(_URL,),
    kind="docs",
    authors=("NVIDIA",),
    topics=(
        Link(
            slug="shared-memory",
            name="Shared memory",
            reason="teaches it",
            confidence=1.0,
            source=_WORKS,
            line=4,
        ),
    ),
    mentions=(
        Mention(source=_LIST, line=12, title=_TITLE, url=_URL, kind="docs", section=("Basics",), tier=1, note=_NOTE),
    ),
    annotation=Annotation(
        title=_TITLE,
        url=_URL,
        teaches=("shared-memory",),
        level=2,
        minutes=300,
        says=_SAYS,
        asks=("How do the threads of a block share data?",),
        source=_WORKS,
        line=4,
    ),
)

TOPIC_LINE = TopicLine(slug="shared-memory", name="Shared memory", level=2, parent="memory", resources=1)
TOPIC_PAGE = TopicPage(
    topic=Topic(
        slug="shared-memory",
        name="Shared memory",
        aliases=("smem",),
        summary="Fast memory on the chip that the threads of a block share.",
        level=2,
        parent="memory",
        requires={"cuda-basics": "Blocks and threads come first."},
        helps={"gpu-memory-hierarchy": "It tells what is near and what is far."},
    ),
    needed_by=("tiling",),
    resources=(HIT,),
)

LEARNING_PATH = LearningPath(
    id="3f1c0d5b9a7e4c2288d1f0a6b5c4d3e2",
    goal="tiling",
    understood="Tiling on NVIDIA Hopper",
    targets=("tiling",),
    hardware="hopper",
    known=("cuda-basics",),
    steps=(
        Step(
            position=1,
            topics=("shared-memory",),
            resource=HIT,
            reason="Needed for Tiling: its tiles live in shared memory.",
            choice="title: “shared memory” (guide.md:12); tier 1",
            evidence=(_NOTE,),
            minutes=90,
            basis="usual for a paper",
        ),
    ),
    kernels=("tiled-matmul",),
    minutes=90,
    certificate=Certificate(
        prerequisites=(Prerequisite(topic="tiling", requires="shared-memory", reason="Tiles live in shared memory."),),
        known=("cuda-basics",),
        assumed=("gpu-architecture",),
        excluded=(),
    ),
)

KERNEL_PAGE = KernelPage(
    kernel=KernelLine(
        slug="tiled-matmul",
        title="Tiled matmul",
        summary="Multiplies matrices a tile at a time.",
        status="draft",
        difficulty=2,
        order=3,
        aliases=("tiled GEMM",),
        links=(_URL,),
        topics=("tiling", "shared-memory"),
        requires=("vector-add",),
    ),
    resources=(HIT,),
    posts=(Place(source="devlog.md", line=3, note="The tiled matmul reaches half of the peak."),),
)

VERDICT = Verdict(
    valid=False,
    faults=(
        Fault(kind="order", message="Step 2 teaches shared-memory too late: tiling needs shared-memory (step 1)."),
    ),
)

HARDWARE = Hardware(
    slug="h100",
    name="NVIDIA H100",
    kind="device",
    vendor="nvidia",
    parents=("hopper", "nvidia"),
    compute_capability="9.0",
    figures={"memory": Figure(value=80, unit="GB", source="https://www.nvidia.com/en-us/data-center/h100/")},
)
SOURCE_LINE = SourceLine(
    source=_LIST, title="My reading list", format="markdown", digest=f"{0xC0FFEE:064x}", mentions=1
)
DEVLOG_POST = DevlogPost(
    source="devlog.md",
    line=3,
    end_line=5,
    day=1,
    text="Padded the tile by one column; the bank conflicts are gone.",
    topics=("shared-memory",),
)
INGEST_REQUEST = {"sources": [{"name": _LIST, "text": f"# My reading list\n\n- [{_TITLE}]({_URL}) - {_NOTE}\n"}]}
INGEST_REPORT = IngestReport(read=(SOURCE_LINE,), resources=572, written=14, removed=0, embedded=1, seconds=1.42)

CHAT_REQUEST = ChatRequest(message="What is shared memory?", hardware="hopper")
CHAT_ANSWER = ChatAnswer(
    answer=f"The lists say:\n- [{_TITLE}](<{_URL}>) (docs): “{_NOTE}” [1]",
    sentences=(
        Sentence(text="The lists say:", before=""),
        Sentence(text=f"[{_TITLE}](<{_URL}>) (docs): “{_NOTE}” [1]", citations=(1,), before="\n- "),
    ),
    citations=(Citation(n=1, kind="resource", id=_ID, title=_TITLE, url=_URL, source=_LIST, line=12, quote=_NOTE),),
    path=None,
    abstain=False,
)
COMPLETION = {
    "id": "chatcmpl-5f0c7f5e3c0b4b0e9d0a6a1f2b3c4d5e",
    "object": "chat.completion",
    "created": 1767225600,
    "model": "warpath",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": CHAT_ANSWER.answer},
            "finish_reason": "stop",
            "logprobs": None,
        }
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 20, "total_tokens": 25},
}
