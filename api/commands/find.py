"""Commands that answer a question: search, similar, path, show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from pydantic import ValidationError

from api import render
from api.commands.base import Session, checked, command
from api.commands.lists import STDIN
from api.commands.progress import ProgressFile, progress_path
from api.delivery import Delivery, deliver
from api.output import INPUT_FAILED
from graph.errors import BadRequest, UnknownName, UnreadableSource
from graph.models import (
    Format,
    Hardware,
    KernelPage,
    Kind,
    Learner,
    LearningPath,
    Pace,
    PathRequest,
    Resource,
    SearchRequest,
    SimilarRequest,
    Status,
    TopicPage,
    Verdict,
)

if TYPE_CHECKING:
    from graph.library import Library

Planner = Callable[["Library", Learner], LearningPath]

commands = typer.Typer()

ForHardware = Annotated[
    str | None,
    typer.Option(help="Leave out what is made for other hardware.", metavar="NAME", show_default=False),
]
MaxTier = Annotated[int | None, typer.Option(min=1, help="The highest tier of a list that counts.", show_default=False)]
# Typer takes no lists of literals; SearchRequest checks the words.
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help=f"Only this kind; repeatable: {', '.join(get_args(Kind))}.",
        metavar="KIND",
        autocompletion=lambda: list(get_args(Kind)),
    ),
]
Statuses = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        help=f"Only what a list marks so; repeatable: {', '.join(get_args(Status))}.",
        metavar="STATUS",
        autocompletion=lambda: list(get_args(Status)),
    ),
]


@command(
    commands,
    'warpath search "shared memory bank conflicts"',
    "warpath search grouped gemm --hardware hopper --kind blog --kind repo",
    "warpath search attention --max-tier 1 --json | jq .hits[].url",
    "warpath search paged attention --path",
    "warpath search 'kind:video tier:<=2 -author:nvidia \"memory wall\" -training'",
)
def search(
    session: Session,
    query: Annotated[list[str], typer.Argument(help="What to look for; several words need no quotes.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many hits at most.")] = 10,
    kind: Kinds = None,
    hardware: ForHardware = None,
    max_tier: MaxTier = None,
    topic: Annotated[list[str] | None, typer.Option(help="Only this topic; repeatable.", metavar="SLUG")] = None,
    author: Annotated[list[str] | None, typer.Option(help="Only this author; repeatable.", metavar="NAME")] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only this list; repeatable.", metavar="SOURCE")] = None,
    status: Statuses = None,
    with_path: Annotated[bool, typer.Option("--path", help="Also plan the path to what the hits teach.")] = False,
    facets: Annotated[
        bool, typer.Option("--facets", help="Also count kinds, topics, ... of all that answers.")
    ] = False,
    next_: Annotated[
        str | None, typer.Option("--next", help="Give the next page: the word that the page before ends with.")
    ] = None,
) -> None:
    """Find resources by meaning and by word, best first.

    The query may hold the conditions kind:, tier:, hardware:, topic:, author:, source: and status:, "exact phrases",
    and a minus before either or before a word to leave out. Put it in single quotes then.

    A query that nothing answers says so, and shows only what comes nearest. With --json the path that --path asks for
    is null where there is none.
    """
    request = checked(
        SearchRequest,
        query=" ".join(query),
        limit=limit,
        kind=tuple(kind or ()),
        hardware=hardware,
        max_tier=max_tier,
        topic=tuple(topic or ()),
        author=tuple(author or ()),
        source=tuple(source or ()),
        status=tuple(status or ()),
        path=with_path,
        facets=facets,
        cursor=next_,
    )
    with session.library() as library:
        session.out.one(library.search(request), render.search_answer)


@command(
    commands,
    "warpath similar https://arxiv.org/abs/2205.14135",
    'warpath similar "Making Deep Learning Go Brrrr" --kind video -n 5',
)
def similar(
    session: Session,
    name: Annotated[list[str], typer.Argument(help="A resource: its id, URL or title.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many at most.")] = 10,
    kind: Kinds = None,
    hardware: ForHardware = None,
    max_tier: MaxTier = None,
) -> None:
    """Find resources like one, in meaning and topics, the likest first."""
    request = checked(SimilarRequest, limit=limit, kind=tuple(kind or ()), hardware=hardware, max_tier=max_tier)
    with session.library() as library:
        session.out.one(library.similar(" ".join(name), request), render.similar_answer)


@command(
    commands,
    "warpath path flash-attention",
    'warpath path "write a fast matmul for Hopper" --know cuda-basics,warps --hours 20',
    "warpath path tensor-cores --hardware mi300x --json > path.json",
    "warpath path --check path.json",
    "warpath path tensor-cores --output plan.ics --hours-per-week 6 --start 2030-01-07",
    "warpath path flash-attention --with triton",
    "warpath path --to https://arxiv.org/abs/2205.14135 --know cuda",
)
def path(
    session: Session,
    goal: Annotated[list[str] | None, typer.Argument(help="A topic, or a goal in words.")] = None,
    to: Annotated[
        str | None,
        typer.Option(
            help="Plan what to learn first for this kernel or resource (id, URL or title), which comes last.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    know: Annotated[
        list[str] | None,
        typer.Option(help="Topics known already: commas between, or repeated.", metavar="TOPICS"),
    ] = None,
    hardware: ForHardware = None,
    max_tier: MaxTier = None,
    hours: Annotated[
        float | None,
        typer.Option(min=0, help="The time there is; the path is cut to fit.", show_default=False),
    ] = None,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", help="Show what it saves to know this topic too; repeatable.", metavar="TOPIC"),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(help="Show what it costs not to know this topic; repeatable.", metavar="TOPIC"),
    ] = None,
    progress: ProgressFile = None,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Plan as if nothing were done yet.")] = False,
    format: Annotated[
        str | None,
        typer.Option(
            help=f"Give the path as {', '.join(get_args(Format))}; --output alone tells by its suffix.",
            metavar="FORMAT",
            autocompletion=lambda: list(get_args(Format)),
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to a file.", metavar="FILE")] = None,
    hours_per_week: Annotated[float, typer.Option(help="How fast a calendar goes on.")] = Pace().hours_per_week,
    start: Annotated[
        str | None, typer.Option(help="When a calendar begins; today if not given.", metavar="YYYY-MM-DD")
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            help="Check a path that --json gave instead of planning one; - reads standard input.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Plan a learning path to a goal, with reasons; or check one.

    What `warpath done` has noted is left out; the hours are for what is left then. --format and --output give the path
    as a file. --with and --without show, in place of the path, what differs if you knew a topic or did not.

    --to takes a name as a kernel first, then as a resource; the goal is what it is about.

    A check ends with 0 if the path is right, else with 1 and every fault. It shares no code with the planner.
    """
    if sum(map(bool, (goal, to, check))) != 1:
        raise BadRequest("Give either a goal, --to NAME or --check FILE.", hint="See --help for examples.")
    if check:
        _check(session, load_path(check))
        return
    delivery = checked(Delivery, format=format, output=output, hours_per_week=hours_per_week, start=start)
    learner = checked(
        Learner,
        know=tuple(_split(know or ())),
        hardware=hardware,
        max_tier=max_tier,
        hours=hours,
        done=() if no_progress else _done(session, progress),
    )
    plan = _planner(to, " ".join(goal or ()))
    with session.library() as library:
        if with_ or without:
            if delivery.wanted:
                raise BadRequest("--with and --without compare; they export nothing.", hint="Leave out the format.")
            _compare(session, library, learner, plan, with_ or (), without or ())
        elif delivery.wanted:
            deliver(plan(library, learner), delivery)
        else:
            session.out.one(plan(library, learner), render.learning_path)


@command(
    commands,
    "warpath show flash-attention",
    "warpath show h100",
    "warpath show flash-attention-fwd",
    "warpath show https://arxiv.org/abs/2205.14135 --json",
)
def show(
    session: Session,
    name: Annotated[list[str], typer.Argument(help="A topic, hardware, kernel, or a resource's id, URL or title.")],
) -> None:
    """Show one topic, piece of hardware, kernel or resource.

    A name that fits several is taken as a topic first, then as hardware, then as a kernel, then as a resource; but the
    slug of a kernel means the kernel where it is only another name of a topic.
    """
    with session.library() as library:
        session.out.one(_find(library, " ".join(name)), render.anything)


def load_path(file: str) -> LearningPath:
    """A path from a JSON file, or from standard input."""
    try:
        data = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
        return LearningPath.model_validate_json(data)
    except OSError as error:
        raise UnreadableSource(f"Cannot read “{file}”: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        hint = "`warpath path GOAL --json` gives one."
        raise UnreadableSource(f"“{file}” is no learning path: {place}: {first['msg']}.", hint=hint) from error


def _done(session: Session, file: Path | None) -> tuple[str, ...]:
    from api import progress_file

    return tuple(one.id for one in progress_file.load(progress_path(session, file)).done)


def _planner(to: str | None, goal: str) -> Planner:
    """What plans the path that is asked for: to a goal in words, or to a kernel or resource."""
    if to:
        return lambda library, learner: _plan_to(library, to, learner)
    checked(PathRequest, goal=goal)
    return lambda library, learner: library.plan(PathRequest(goal=goal, **dict(learner)))


def _plan_to(library: Library, name: str, learner: Learner) -> LearningPath:
    nearest: list[str] = []
    for plan in (library.plan_to_kernel, library.plan_to_resource):
        try:
            return plan(name, learner)
        except UnknownName as error:
            if error.name != name:
                raise
            nearest += error.nearest
    raise UnknownName("kernel or resource", name, nearest)


def _compare(
    session: Session,
    library: Library,
    learner: Learner,
    plan: Planner,
    known: Sequence[str],
    unknown: Sequence[str],
) -> None:
    from graph.path_diff import diff
    from graph.what_if import what_if

    changed = what_if(learner, library.curriculum, known=known, unknown=unknown)
    session.out.one(diff(plan(library, learner), plan(library, changed)), render.path_diff)


def _check(session: Session, path: LearningPath) -> None:
    with session.library() as library:
        faults = library.validate(path)
    session.out.one(Verdict(valid=not faults, faults=tuple(faults)), render.verdict)
    if faults:
        raise typer.Exit(INPUT_FAILED)


def _split(names: Iterable[str]) -> list[str]:
    return [name.strip() for given in names for name in given.split(",") if name.strip()]


def _find(library: Library, name: str) -> TopicPage | Hardware | KernelPage | Resource:
    """The first thing of that name; the names nearest to it, of whatever sort, if there is none."""
    nearest: list[str] = []
    topic, hardware = partial(_topic, library), partial(_hardware, library)
    for look_up in (topic, hardware, library.kernel, library.resource):
        try:
            return look_up(name)
        except UnknownName as error:
            nearest += error.nearest
    raise UnknownName("topic, hardware, kernel or resource", name, list(dict.fromkeys(nearest)))


def _topic(library: Library, name: str) -> TopicPage | KernelPage:
    """The topic called so; the kernel whose slug is but another name of the topic, as “vector-add” is."""
    found = library.topic(name)
    is_kernel = found.topic.slug != name and name in library.curriculum.kernels
    return library.kernel(name) if is_kernel else found


def _hardware(library: Library, name: str) -> Hardware:
    wanted = name.casefold()
    for thing in library.hardware():
        if wanted in (known.casefold() for known in (thing.slug, thing.name, *thing.aliases)):
            return thing
    raise UnknownName("hardware", name)
