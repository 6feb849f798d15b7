"""Whether a learning path is right, judged by its certificate and the graph alone.

Nothing here is shared with the planner, so a mistake of the planner's cannot hide here. A path is right when no check
finds a fault. That nothing needed is missing follows by induction: the targets are taught, and whatever a taught topic
needs is taught no later, or is rightly left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from graph import views
from graph.curriculum import Curriculum
from graph.models import Fault, FaultKind, Hit, KernelLine, LearningPath, Prerequisite, Resource, Step
from graph.records import digest

Faults = Iterator[Fault]


def validate(path: LearningPath, curriculum: Curriculum, resources: Mapping[str, Resource]) -> list[Fault]:
    """Every fault of a path; none when it is right. `resources` are the stored ones, by id."""
    case = _Case(path, curriculum, resources)
    unknown = list(_names(case))  # what the graph does not hold cannot be judged further
    return unknown or [fault for check in _CHECKS for fault in check(case)]


def path_id(path: LearningPath) -> str:
    """The id that a plan must have: it stands for the goal as understood, and for what each step teaches with what."""
    gists = [(step.topics, step.resource.id if step.resource else None) for step in path.steps]
    return digest(path.goal, path.targets, path.hardware, gists)


@dataclass(frozen=True)
class _Case:
    """A path with what it is judged by."""

    path: LearningPath
    curriculum: Curriculum
    resources: Mapping[str, Resource]

    @cached_property
    def steps(self) -> tuple[tuple[int, Step], ...]:
        """The steps with the place where they really stand."""
        return tuple(enumerate(self.path.steps, 1))

    @cached_property
    def taught(self) -> Mapping[str, int]:
        """Topics with the step that teaches each first."""
        places: dict[str, int] = {}
        for number, step in self.steps:
            for topic in step.topics:
                places.setdefault(topic, number)
        return places

    @cached_property
    def begun(self) -> Mapping[str, int]:
        """Resources with the step that uses each first; later ones only go on with it."""
        places: dict[str, int] = {}
        for number, step in self.steps:
            if step.resource:
                places.setdefault(step.resource.id, number)
        return places

    @cached_property
    def needs(self) -> tuple[Prerequisite, ...]:
        """All prerequisites that the graph names for what is taught."""
        return tuple(one for topic in self.taught for one in _prerequisites(self.curriculum, topic))

    @cached_property
    def mastered(self) -> frozenset[str]:
        """What is known, and what one must know for that."""
        return _reached(self.path.known, lambda topic: [one.requires for one in _prerequisites(self.curriculum, topic)])

    @cached_property
    def serving(self) -> frozenset[str]:
        """Hardware that a topic or resource may be made for and still serve the learner's."""
        wanted = self.path.hardware
        assert wanted
        nodes = self.curriculum.hardware
        above = {slug: _reached([slug], lambda one: nodes[one].parents) for slug in nodes}
        return above[wanted] | {slug for slug, lineage in above.items() if wanted in lineage}

    @cached_property
    def neighbours(self) -> frozenset[str]:
        """Hardware so like the learner's that what is made for it may stand in."""
        return self.curriculum.neighbours(self.path.hardware) if self.path.hardware else frozenset()

    def goes_on(self, number: int, step: Step) -> bool:
        """Whether a step uses what an earlier one has begun."""
        return step.resource is not None and self.begun[step.resource.id] < number

    def serves(self, made_for: Collection[str]) -> bool:
        """Whether what is made for some hardware alone, or for none in particular, serves the learner's."""
        return not self.path.hardware or not made_for or not self.serving.isdisjoint(made_for)

    def fits(self, topic: str) -> bool:
        """Whether a topic means anything on the learner's hardware."""
        return self.serves(self.curriculum.topics[topic].hardware)

    def name(self, topic: str) -> str:
        return self.curriculum.topics[topic].name

    def hits(self) -> Iterator[tuple[int, Step, Hit]]:
        """Every resource that is shown, alternatives too."""
        for number, step in self.steps:
            for hit in (step.resource, *step.alternatives):
                if hit:
                    yield number, step, hit

    def kernels(self) -> Iterator[tuple[int, KernelLine]]:
        """The kernels of each step, as far as the graph holds them."""
        for number, step in self.steps:
            for slug in step.kernels:
                if slug in self.curriculum.kernels:
                    yield number, self.curriculum.kernels[slug]


def _names(case: _Case) -> Faults:
    """Topics and hardware of the path that the graph does not hold."""
    path, certificate = case.path, case.path.certificate
    left_out = (one.topic for one in (*certificate.excluded, *path.left_out))
    named = {*path.targets, *path.known, *certificate.known, *certificate.assumed, *left_out, *case.taught}
    for topic in sorted(named - case.curriculum.topics.keys()):
        yield _fault("unknown-topic", f"The graph holds no topic “{topic}”.")
    if path.hardware and path.hardware not in case.curriculum.hardware:
        yield _fault("unknown-hardware", f"The graph holds no hardware “{path.hardware}”.")


def _positions(case: _Case) -> Faults:
    """Steps are numbered from 1 on, and each teaches something."""
    for number, step in case.steps:
        if step.position != number:
            yield _fault("position", f"Step {number} is numbered {step.position}.")
        if not step.topics:
            yield _fault("empty-step", f"Step {number} teaches no topic.")


def _targets(case: _Case) -> Faults:
    """What was asked for is taught, unless there is nothing left to teach because all of it is known."""
    if not case.path.targets:
        yield _fault("missing-target", "The path has no target.")
    reached = not case.path.steps and case.mastered.issuperset(case.path.targets)
    for topic in case.path.targets:
        if topic not in case.taught and not reached:
            yield _fault("missing-target", f"No step teaches the target {topic}.")


def _topics_again(case: _Case) -> Faults:
    """A topic comes once, but for a step that gives all topics of an earlier one a further resource."""
    earlier: set[frozenset[str]] = set()
    for number, step in case.steps:
        topics = frozenset(step.topics)
        further = topics in earlier and step.resource and not case.goes_on(number, step)
        for topic, count in Counter(step.topics).items():
            if count > 1 or (case.taught[topic] < number and not further):
                yield _fault("repeated-topic", f"Step {number} teaches {topic} again.")
        earlier.add(topics)


def _resources_again(case: _Case) -> Faults:
    """A resource is counted once, though later steps may go on with it; and none is its own alternative."""
    for number, step in case.steps:
        shown = [hit.id for hit in (step.resource, *step.alternatives) if hit]
        if len(set(shown)) < len(shown):
            yield _fault("repeated-resource", f"Step {number} shows one resource twice.")
        if step.resource and step.minutes and case.goes_on(number, step):
            yield _fault("repeated-resource", f"Step {number} counts the time for “{step.resource.title}” again.")


def _certificate(case: _Case) -> Faults:
    """The certificate holds the prerequisites of what is taught: all, no other, and with the graph's reasons."""
    stored = {_key(one): one.reason for one in case.needs}
    claimed = set()
    for one in case.path.certificate.prerequisites:
        claimed.add(_key(one))
        if _key(one) not in stored:
            yield _fault("invented-prerequisite", f"Nothing taught has this prerequisite: {_words(one)}.")
        elif one.reason != stored[_key(one)]:
            yield _fault("forged-reason", f"The graph gives another reason why {_words(one)}.")
    for one in case.needs:
        if _key(one) not in claimed:
            yield _fault("incomplete-certificate", f"The certificate does not say that {_words(one)}.")


def _order(case: _Case) -> Faults:
    """What a taught topic needs is taught no later, with it if they belong together, or is rightly left out."""
    absent = {*case.path.certificate.known, *case.path.certificate.assumed}
    absent |= {one.topic for one in case.path.certificate.excluded}
    for one in case.needs:
        here, there = case.taught[one.topic], case.taught.get(one.requires)
        if there is None:
            if one.requires not in absent:
                yield _fault("missing-topic", f"No step teaches {one.requires}, though {_words(one)} (step {here}).")
        elif there > here:
            yield _fault("order", f"Step {there} teaches {one.requires} too late: {_words(one)} (step {here}).")
        elif one.together and there < here:
            yield _fault("order", f"Steps {there} and {here} part what belongs together: {_words(one)}.")


def _companions(case: _Case) -> Faults:
    """Topics share a step only if each needs the others: else one of them can come first."""
    for number, step in case.steps:
        if len(step.topics) > 1 and not _need_each_other(case.curriculum, step.topics):
            topics = ", ".join(step.topics)
            yield _fault("order", f"Step {number} teaches together what does not need each other: {topics}.")


def _knowledge(case: _Case) -> Faults:
    """What is taken for known was said, or follows from that; it is not taught unless it is a target."""
    certificate, known = case.path.certificate, set(case.path.known)
    for topic in sorted(known.symmetric_difference(certificate.known)):
        yield _fault("false-known", f"Path and certificate do not agree whether {topic} is known.")
    for topic in certificate.assumed:
        if topic not in case.mastered:
            yield _fault("false-assumption", f"Nothing known builds on {topic}, which is assumed.")
    for topic, number in case.taught.items():
        if topic in case.mastered and topic not in case.path.targets:
            yield _fault("known-taught", f"Step {number} teaches {topic}, which is known.")


def _exclusions(case: _Case) -> Faults:
    """What is ruled out is needed by something taught, and serves other hardware only."""
    hardware = case.curriculum.hardware.get(case.path.hardware or "")
    needed = {one.requires for one in case.needs}
    for one in case.path.certificate.excluded:
        if one.topic not in needed:
            yield _fault("false-exclusion", f"{one.topic} is ruled out, but nothing taught needs it.")
        if not hardware or case.fits(one.topic):
            yield _fault("false-exclusion", f"{one.topic} is ruled out, but it is not for other hardware.")
        elif hardware.name not in one.reason:
            yield _fault("forged-reason", f"{one.topic} is ruled out for another reason than {hardware.name}.")


def _left_out(case: _Case) -> Faults:
    """What is said to be left out is ruled out, known, or a gap; every gap and everything ruled out is said."""
    excluded = {one.topic: one.reason for one in case.path.certificate.excluded}
    gaps = {topic for _, step in case.steps if not step.resource for topic in step.topics}
    for one in case.path.left_out:
        absent = one.topic in case.mastered and one.topic not in case.taught
        true = one.topic in excluded and one.reason == excluded[one.topic]
        true = true or (absent and one.reason.startswith("known"))
        true = true or (one.topic in gaps and "no list" in one.reason)
        if not true:
            yield _fault("false-left-out", f"{one.topic} is not left out for the reason that is given.")
    for topic in sorted((gaps | excluded.keys()) - {one.topic for one in case.path.left_out}):
        yield _fault("unsaid-left-out", f"It is not said that {topic} is left out.")


def _reasons(case: _Case) -> Faults:
    """A step that teaches something first says truly why: as a part of the goal, or for what needs it."""
    dependants = defaultdict(list)
    for one in case.needs:
        dependants[one.requires].append(one)
    for number, step in case.steps:
        if any(case.taught[topic] != number for topic in step.topics):
            continue
        targets = [topic for topic in step.topics if topic in case.path.targets]
        needed = [one for topic in step.topics for one in dependants[topic] if one.topic not in step.topics]
        if targets:
            true = any(case.name(topic) in step.reason for topic in targets)
        elif needed:
            true = any(case.name(one.topic) in step.reason and one.reason in step.reason for one in needed)
        else:
            true = not step.reason.startswith(_CLAIMS)
        if not true:
            yield _fault("forged-reason", f"Step {number} ({', '.join(step.topics)}) does not say truly why.")


def _hardware(case: _Case) -> Faults:
    """Nothing stands in the path that serves other hardware only, but for a target, which was asked for, and what is
    made for a neighbour, if that is said."""
    for topic, number in case.taught.items():
        if topic not in case.path.targets and not case.fits(topic):
            yield _fault("wrong-hardware", f"Step {number} teaches {topic}, which is for other hardware.")
    for number, step, hit in case.hits():
        made_for = views.made_for(case.resources[hit.id]) if hit.id in case.resources else ()
        told = hit is not step.resource or "neighbour" in step.choice
        if not case.serves(made_for) and (case.neighbours.isdisjoint(made_for) or not told):
            yield _fault("wrong-hardware", f"Step {number} shows “{hit.title}”, made for {', '.join(made_for)}.")
    for number, kernel in case.kernels():
        if not case.serves(kernel.hardware) and case.neighbours.isdisjoint(kernel.hardware):
            yield _fault("wrong-hardware", f"Step {number} has the kernel {kernel.slug}, which is for other hardware.")


def _minutes(case: _Case) -> Faults:
    """Minutes add up and stay within the budget."""
    path, budget = case.path, case.path.certificate.budget_minutes
    for number, step in case.steps:
        if step.minutes < 0 or (step.minutes == 0 and not case.goes_on(number, step)):
            yield _fault("minutes", f"Step {number} takes {step.minutes} minutes.")
    total = sum(step.minutes for step in path.steps)
    if path.minutes != total:
        yield _fault("minutes", f"The steps take {total} minutes together, not {path.minutes}.")
    if budget is not None and total > budget:
        yield _fault("over-budget", f"The steps take {total} minutes; there are {budget}.")


def _resources(case: _Case) -> Faults:
    """Resources are stored, shown as they are stored, and about a topic of their step."""
    for number, step, hit in case.hits():
        stored = case.resources.get(hit.id)
        if not stored:
            yield _fault("unknown-resource", f"Step {number} shows “{hit.title}”, which is not stored.")
            continue
        if hit.model_copy(update={"score": 0.0}) != views.hit(stored):
            yield _fault("altered-resource", f"Step {number} shows “{hit.title}” otherwise than it is stored.")
        if not {link.slug for link in stored.topics}.intersection(step.topics):
            yield _fault("off-topic", f"Step {number} shows “{hit.title}”, which covers none of its topics.")


def _evidence(case: _Case) -> Faults:
    """Quotes stand in what is stored of the step's resource, word for word, at the place that is given."""
    for number, step in case.steps:
        stored = case.resources.get(step.resource.id) if step.resource else None
        quotes = set(_quotes(stored)) if stored else set()
        for quote in step.evidence:
            if quote not in quotes:
                yield _fault("invented-quote", f"Step {number} quotes what no list says: {quote}")


def _quotes(stored: Resource) -> Iterator[str]:
    for mention in stored.mentions:
        if mention.note:
            yield f"“{mention.note}” ({mention.source}:{mention.line})"
    if (known := stored.annotation) and known.says:
        yield f"“{known.says}” ({known.source}:{known.line})"


def _kernels(case: _Case) -> Faults:
    """Kernels stand in the graph, are about what their step teaches, and are counted by the path."""
    named = [slug for step in case.path.steps for slug in step.kernels]
    for slug in sorted({*named, *case.path.kernels} - case.curriculum.kernels.keys()):
        yield _fault("unknown-kernel", f"The graph holds no kernel “{slug}”.")
    for number, kernel in case.kernels():
        if set(kernel.topics).isdisjoint(case.path.steps[number - 1].topics):
            yield _fault("off-topic", f"Step {number} has the kernel {kernel.slug}, which covers none of its topics.")
    if sorted(named) != sorted(case.path.kernels):
        yield _fault("kernels", "The kernels of the path are not those of its steps.")


def _identity(case: _Case) -> Faults:
    """The id is that of this plan."""
    if case.path.id != path_id(case.path):
        yield _fault("altered-id", "The id belongs to another plan.")


_CLAIMS = ("Part of the goal", "Needed for")  # how a step's reason begins that must be true
_CHECKS: tuple[Callable[[_Case], Faults], ...] = (
    _positions, _targets, _topics_again, _resources_again, _certificate, _order, _companions, _knowledge, _exclusions,
    _left_out, _reasons, _hardware, _minutes, _resources, _evidence, _kernels, _identity,
)  # fmt: skip


def _fault(kind: FaultKind, message: str) -> Fault:
    return Fault(kind=kind, message=message)


def _key(one: Prerequisite) -> tuple[str, str, bool]:
    return one.topic, one.requires, one.together


def _words(one: Prerequisite) -> str:
    return f"{one.topic} is learned with {one.requires}" if one.together else f"{one.topic} needs {one.requires}"


def _prerequisites(curriculum: Curriculum, topic: str) -> Iterator[Prerequisite]:
    """What a topic needs, as a certificate must say it."""
    stored = curriculum.topics[topic]
    for together, needs in ((False, stored.requires), (True, stored.corequisites)):
        for other, reason in needs.items():
            yield Prerequisite(topic=topic, requires=other, reason=reason, together=together)


def _need_each_other(curriculum: Curriculum, topics: Collection[str]) -> bool:
    """Whether one can walk along prerequisites from each topic to each other, without any outside."""
    onward: dict[str, set[str]] = {topic: set() for topic in topics}
    back: dict[str, set[str]] = {topic: set() for topic in topics}
    for one in (one for topic in onward for one in _prerequisites(curriculum, topic) if one.requires in onward):
        onward[one.topic].add(one.requires)
        back[one.requires].add(one.topic)
        if one.together:
            onward[one.requires].add(one.topic)
            back[one.topic].add(one.requires)
    start = list(onward)[:1]
    return _reached(start, onward.__getitem__) == _reached(start, back.__getitem__) == onward.keys()


def _reached(starts: Iterable[str], onward: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The starts and everything that one step after another leads to."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        fresh = set(onward(waiting.pop())) - found
        found |= fresh
        waiting += fresh
    return frozenset(found)
