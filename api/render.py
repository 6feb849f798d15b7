"""What people see of each value: one function a value, giving a page."""

from __future__ import annotations

from collections.abc import Sequence

from api.doctor import Diagnosis
from api.page import Line, Page, Table
from api.progress_file import Progress
from graph.chat.markdown import plain
from graph.chat.models import ChatAnswer
from graph.models import (
    Annotation,
    CopyReport,
    DevlogPost,
    Hardware,
    Hit,
    IngestReport,
    KernelPage,
    LearningPath,
    Link,
    Place,
    Resource,
    SearchAnswer,
    SearchAnswerWithPath,
    SimilarAnswer,
    SourceLine,
    Step,
    StoreStatus,
    TopicLine,
    TopicPage,
    Verdict,
)
from graph.path_diff import PathDiff

NEAREST = 3  # hits shown where none answers
COUNTED = 8  # values of a facet
QUOTES = 2  # sentences on one hit
TOPICS = 6  # of one hit, the surest


def search_answer(answer: SearchAnswer) -> Page:
    """The hits, best first, then the path to what they teach if it was asked for."""
    if answer.corrected:
        yield Line(f"Searched for: {answer.corrected}", "yellow")
    for warning in answer.warnings:
        yield Line(warning, "yellow")
    if answer.abstain:
        nearest = " What comes nearest:" if answer.hits else ""
        yield Line(f"Nothing in the store answers this.{nearest}", "yellow")
    shown = answer.hits[:NEAREST] if answer.abstain else answer.hits
    for number, hit in enumerate(shown, start=1):
        yield Line(f"{number}. {hit.title}", "bold")
        yield from _hit(hit)
    if answer.kernels:
        yield Line(f"Kernels to read and run: {', '.join(answer.kernels)}")
    for field, counts in answer.facets.items():
        yield from _listed(field.capitalize(), [f"{one.name} ({one.count})" for one in counts[:COUNTED]])
    for suggestion in answer.suggestions:
        yield Line(f"Try: {suggestion}", "green")
    if answer.next:
        yield Line(f"More: --next {answer.next}", "dim")
    if isinstance(answer, SearchAnswerWithPath):
        yield Line("")
        yield from (
            learning_path(answer.path) if answer.path else (Line("No path: nothing here can be taught.", "yellow"),)
        )


def similar_answer(answer: SimilarAnswer) -> Page:
    """What is like a resource, the likest first."""
    if not answer.hits:
        yield Line(f"Nothing like “{answer.resource.title}” meets this.", "yellow")
    for number, hit in enumerate(answer.hits, start=1):
        yield Line(f"{number}. {hit.title}", "bold")
        yield from _hit(hit)


def learning_path(path: LearningPath) -> Page:
    """The steps in order, then the kernels, what is left out and what to know."""
    yield Line(f"{path.goal}: {len(path.steps)} steps, {duration(path.minutes)}", "bold green")
    reached = max((step.position for step in path.steps if not step.beyond), default=0)
    for step in path.steps:
        if step.position == reached + 1:
            yield Line("Beyond the goal, as there is time:", "bold")
        yield from _step(step)
    if path.kernels:
        yield Line(f"Kernels to write: {', '.join(path.kernels)}")
    for left_out in path.left_out:
        yield Line(f"Left out: {left_out.topic} ({left_out.reason})", "dim")
    for warning in path.warnings:
        yield Line(f"Note: {warning}", "yellow")


def verdict(found: Verdict) -> Page:
    """Whether a path is right, then every fault."""
    if found.valid:
        yield Line("The path is right.", "bold green")
    else:
        yield Line(f"The path is not right: {len(found.faults)} fault{'s' * (len(found.faults) > 1)}.", "bold red")
    for fault in found.faults:
        yield Line(f"{fault.kind}: {fault.message}", indent=2)


def path_diff(found: PathDiff) -> Page:
    """What the second path has that the first has not, and the other way round."""
    if found.before == found.after:
        yield Line("Both are the same plan.", "bold green")
    sign = "-" if found.minutes < 0 else "+"
    yield Line(f"Steps: {found.steps:+}, time: {sign}{duration(abs(found.minutes))}", "bold")
    yield from _listed("Added", found.added)
    yield from _listed("Removed", found.removed)
    yield from _listed("At another place", found.moved)
    for swap in found.swapped:
        before, after = (" and ".join(titles) or "nothing" for titles in (swap.before, swap.after))
        yield Line(f"{swap.topic}: {after}, before {before}")


def chat_answer(answer: ChatAnswer) -> Page:
    """The sentences, each on a line, then the sources that they cite."""
    for sentence in answer.sentences:
        yield Line(plain(f"{sentence.before} {sentence.text}"))
    cited = {n for sentence in answer.sentences for n in sentence.citations}
    if cited:
        yield Line("Sources:", "bold")
    for one in answer.citations:
        if one.n in cited:
            yield Line(f"[{one.n}] {one.title} ({one.place}) {one.url or ''}", "dim")


def progress(held: Progress) -> Page:
    """What is done, a line each."""
    if not held.done:
        yield Line("Nothing yet.")
    for one in held.done:
        yield Line(f"{one.kind} {one.title}" + (f" ({one.id})" if one.kind == "resource" else ""))


def anything(value: TopicPage | Hardware | KernelPage | Resource) -> Page:
    """The page of whatever `warpath show` has found."""
    if isinstance(value, TopicPage):
        return topic_page(value)
    if isinstance(value, KernelPage):
        return kernel_page(value)
    return hardware_page(value) if isinstance(value, Hardware) else resource_page(value)


def topic_page(page: TopicPage) -> Page:
    """A topic, its neighbours and what teaches it."""
    topic = page.topic
    yield Line(f"{topic.name} ({topic.slug}), level {topic.level}", "bold")
    yield Line(topic.summary)
    for slug, reason in topic.requires.items():
        yield Line(f"Needs {slug}: {reason}")
    for slug, reason in topic.helps.items():
        yield Line(f"Helped by {slug}: {reason}")
    for slug, reason in topic.corequisites.items():
        yield Line(f"Learn with {slug}: {reason}")
    yield from _listed("Also called", topic.aliases)
    yield from _listed("Part of", (topic.parent,) if topic.parent else ())
    yield from _listed("Holds", page.children)
    yield from _listed("Needed by", page.needed_by)
    yield from _listed("Hardware", topic.hardware)
    yield from _listed("Kernels", page.kernels)
    for number, hit in enumerate(page.resources, start=1):
        yield Line(f"{number}. {hit.title}", "bold")
        yield from _hit(hit)


def hardware_page(thing: Hardware) -> Page:
    """A vendor, architecture or device with its figures."""
    yield Line(f"{thing.name} ({thing.slug}), {thing.kind}", "bold")
    yield from _listed("Part of", thing.parents)
    yield from _listed("Also called", thing.aliases)
    yield from _listed("Compute capability", (thing.compute_capability,) if thing.compute_capability else ())
    yield from _listed("Target", (thing.gfx,) if thing.gfx else ())
    yield from _listed("Features", thing.features)
    yield from _listed("Topics", thing.topics)
    if thing.figures:
        rows = ((name, f"{figure.value:g} {figure.unit}", figure.source) for name, figure in thing.figures.items())
        yield Table(("figure", "value", "from"), tuple(rows))


def kernel_page(page: KernelPage) -> Page:
    """A reference kernel, what it needs, and what speaks of it."""
    kernel = page.kernel
    yield Line(f"{kernel.title} ({kernel.slug}), {kernel.status}, difficulty {kernel.difficulty}", "bold")
    yield Line(kernel.summary)
    yield from _listed("Also called", kernel.aliases)
    yield from _listed("Topics", kernel.topics)
    yield from _listed("Needs the kernels", kernel.requires)
    yield from _listed("Hardware", kernel.hardware)
    for url in kernel.links:
        yield Line(url, "cyan")
    for number, hit in enumerate(page.resources, start=1):
        yield Line(f"{number}. {hit.title}", "bold")
        yield from _hit(hit)
    for place in page.posts:
        yield Line(f"Post: {_place(place)}")


def resource_page(resource: Resource) -> Page:
    """A resource with what it teaches, every place that mentions it and why it belongs where it does."""
    yield Line(resource.title, "bold")
    yield Line(f"{resource.kind} · {resource.id}", "dim")
    for url in dict.fromkeys((*((resource.url,) if resource.url else ()), *resource.urls)):
        yield Line(url, "cyan")
    yield from _listed("By", resource.authors)
    if resource.annotation:
        yield from _annotation(resource.annotation)
    yield Line("What the lists say")
    for mention in resource.mentions:
        place = Place(source=mention.source, line=mention.line, note=mention.note, tier=mention.tier)
        yield Line(_place(place), indent=2)
    yield from _links("Topics", resource.topics)
    yield from _links("Hardware", resource.hardware)


def topic_tree(lines: Sequence[TopicLine], *, every: bool) -> Page:
    """Topics under their parents. Those that nothing covers, nor anything under them, show only with `every`."""
    slugs = {line.slug for line in lines}
    children: dict[str | None, list[TopicLine]] = {}
    for line in lines:
        children.setdefault(line.parent if line.parent in slugs else None, []).append(line)
    return _branches(children, None, every=every, indent=0)


def hardware_table(things: Sequence[Hardware]) -> Page:
    """All hardware, a row each."""
    rows = ((thing.slug, thing.name, thing.kind, thing.compute_capability or thing.gfx or "") for thing in things)
    yield Table(("slug", "name", "kind", "target"), tuple(rows))


def source_table(sources: Sequence[SourceLine]) -> Page:
    """All lists, a row each."""
    rows = ((line.source, line.title, line.format, line.mentions, line.entries) for line in sources)
    yield Table(("source", "title", "format", "mentions", "posts"), tuple(rows))


def devlog_posts(posts: Sequence[DevlogPost]) -> Page:
    """The posts in order."""
    for post in posts:
        day = f"Day {post.day}" if post.day is not None else "Post"
        yield Line(f"{day} · {post.source}:{post.line}", "bold")
        yield Line(post.text, indent=2)
        yield from _listed("Topics", post.topics, indent=2)
        yield from _listed("Hardware", post.hardware, indent=2)
        yield from _listed("Resources", tuple(hit.title for hit in post.resources), indent=2)


def store_status(status: StoreStatus) -> Page:
    """What is stored."""
    yield Line(f"Model: {status.model or 'none yet'}")
    yield Line(f"Index: {status.vectors} vectors, {'ready' if status.index_ready else 'not built'}")
    yield Line(f"Stamp: {status.stamp}", "dim")
    counts = (*status.nodes.items(), *status.edges.items())
    yield Table(("what", "count"), counts)


def ingest_report(report: IngestReport) -> Page:
    """What one ingest did."""
    for line in report.read:
        posts = f", {line.entries} posts" if line.entries else ""
        yield Line(f"{line.source}: {line.mentions} mentions{posts} ({line.format})")
    yield from _listed("Unchanged", report.unchanged)
    for source, reason in report.skipped.items():
        yield Line(f"Skipped {source}: {reason}", "yellow")
    yield Line(
        f"{report.resources} resources; {report.written} records written, {report.removed} removed, "
        f"{report.embedded} texts embedded in {report.seconds:.1f} s",
        "green",
    )


def copy_report(report: CopyReport) -> Page:
    """What one copy holds."""
    yield Line(
        f"{report.nodes} nodes, {report.edges} edges, {report.vectors} vectors and {report.entries} entries of the "
        "index are the same on both sides",
        "green",
    )
    yield Line(f"Checksum: {report.checksum}", "dim")


def diagnosis(found: Diagnosis) -> Page:
    """Every check, and what to do about those that failed."""
    for check in found.checks:
        verdict, style = ("ok", "green") if check.ok else ("FAILED", "bold red")
        yield Line(f"{verdict} {check.name}: {check.detail}", style)
        if check.hint:
            yield Line(check.hint, indent=3)


def duration(minutes: int) -> str:
    """Hours and minutes."""
    hours, rest = divmod(minutes, 60)
    return " ".join([f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest or not hours))


def _step(step: Step) -> Page:
    title = step.resource.title if step.resource else "No resource yet"
    yield Line(f"{step.position}. {', '.join(step.topics)}: {title} ({duration(step.minutes)})", "bold")
    if step.resource and step.resource.url:
        yield Line(step.resource.url, "cyan", indent=3)
    yield Line(step.reason, indent=3)
    for words in step.evidence:
        yield Line(words, "italic", indent=3)
    yield from _listed("Or", tuple(hit.title for hit in step.alternatives), indent=3)
    yield from _listed("Kernels", step.kernels, indent=3)


def _hit(hit: Hit) -> Page:
    if hit.url:
        yield Line(hit.url, "cyan", indent=3)
    score = (f"score {hit.score:.3f}",) if hit.score else ()
    yield Line(" · ".join((hit.kind, *hit.authors, *hit.topics[:TOPICS], *hit.hardware, *score)), "dim", indent=3)
    if hit.why:
        topics = (f"topics {', '.join(hit.why.topics)}",) if hit.why.topics else ()
        yield from _listed("Matches", (*hit.why.terms, *topics), indent=3)
    said = [place for place in (*([hit.says] if hit.says else []), *hit.mentions) if place.note][:QUOTES]
    for place in said:
        yield Line(_place(place), indent=3)
    if others := [_where(place) for place in hit.mentions if place not in said]:
        yield Line(f"{'Also in' if said else 'In'} {' · '.join(others)}", indent=3)


def _annotation(known: Annotation) -> Page:
    yield Line(f"What it teaches ({known.source}:{known.line})")
    if known.says:
        yield Line(f"“{known.says}”", indent=2)
    facts = [f"Level {known.level} of 5"] * bool(known.level) + [duration(known.minutes or 0)] * bool(known.minutes)
    if facts:
        yield Line(" · ".join(facts), indent=2)
    for ask in known.asks:
        if ask.endswith("?"):  # the others are words that people search for
            yield Line(f"Answers: {ask}", indent=2)


def _place(place: Place) -> str:
    return f"“{place.note}” ({_where(place)})" if place.note else f"({_where(place)})"


def _where(place: Place) -> str:
    return f"{place.source}:{place.line}" + (f", tier {place.tier}" if place.tier is not None else "")


def _links(title: str, links: Sequence[Link]) -> Page:
    for link in links:
        yield Line(f"{title}: {link.slug} ({link.reason}, {link.confidence:.2f}, {link.source}:{link.line})", "dim")


def _listed(title: str, names: Sequence[str], indent: int = 0) -> Page:
    if names:
        yield Line(f"{title}: {', '.join(names)}", indent=indent)


def _branches(
    children: dict[str | None, list[TopicLine]], parent: str | None, *, every: bool, indent: int
) -> list[Line]:
    lines = []
    for topic in children.get(parent, ()):
        below = _branches(children, topic.slug, every=every, indent=indent + 2)
        if every or topic.resources or below:
            lines += [Line(f"{topic.slug} ({topic.resources}) {topic.name}", indent=indent), *below]
    return lines
