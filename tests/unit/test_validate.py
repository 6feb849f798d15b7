"""The validator: what the planner makes of any graph is accepted, and a thousand mutations of it are not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.curriculum import Curriculum
from graph.errors import BudgetTooSmall
from graph.library import Library
from graph.models import (
    Certificate,
    FaultKind,
    Hardware,
    LearningPath,
    LeftOut,
    PathRequest,
    Prerequisite,
    Resource,
    Step,
    Topic,
)
from graph.stores.sqlite_graph import SqliteGraph
from graph.validate import path_id, validate
from graph.views import hit, made_for
from ingest import pipeline
from ingest.ontology import Ontology
from tests import fakes

DEVICES = (
    Hardware(slug="nvidia", name="NVIDIA", kind="vendor"),
    Hardware(slug="hopper", name="Hopper", kind="architecture", parents=("nvidia",)),
    Hardware(slug="h100", name="H100", kind="device", parents=("hopper",)),
    Hardware(slug="amd", name="AMD", kind="vendor"),
    Hardware(slug="mi300x", name="MI300X", kind="device", parents=("amd",), topics=("alpha",)),
    Hardware(slug="mi325x", name="MI325X", kind="device", parents=("amd",), topics=("alpha",)),
)
NAMES = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima".split()
NOTES = ("", "worth the hour", "start with the second half", "the figures alone tell most of it, the text the rest")
MUTATIONS = 1000


@dataclass(frozen=True)
class World:
    """A graph with what stands in it."""

    library: Library
    curriculum: Curriculum
    resources: dict[str, Resource]

    @classmethod
    def of(cls, library: Library) -> World:
        return cls(library, library.curriculum, {found.id: found for found in library.export()})

    def faults(self, path: LearningPath) -> dict[str, str]:
        """Kinds of faults with all that is said of each."""
        said: dict[str, str] = {}
        for fault in validate(path, self.curriculum, self.resources):
            said[fault.kind] = f"{said.get(fault.kind, '')}\n{fault.message}"
        return said

    def serves(self, made_for: tuple[str, ...], hardware: str) -> bool:
        return not made_for or not self.curriculum.compatible(hardware).isdisjoint(made_for)


def random_ontology(rng: random.Random) -> Ontology:
    """Topics that mostly need earlier ones; some stand in circles, some exist on one piece of hardware alone."""
    slugs = [name.lower() for name in NAMES[: rng.randint(3, len(NAMES))]]
    topics = {}
    for place, (slug, name) in enumerate(zip(slugs, NAMES, strict=False)):
        earlier, anywhere = slugs[:place], rng.random() < 0.3
        needed = [other for other in (slugs if anywhere else earlier) if rng.random() < 0.3]
        together = [other for other in slugs if rng.random() < 0.02]
        only_for = rng.choice([(), (), (), (), ("hopper",), ("amd",)])
        topics[slug] = Topic(
            slug=slug,
            name=name,
            level=rng.randint(1, 5),
            requires={other: f"{name} rests on {other}." for other in needed},
            corequisites={other: f"{name} goes with {other}." for other in together},
            hardware=only_for,
        )
    return Ontology(topics, {node.slug: node for node in DEVICES})


def random_mention(rng: random.Random, ontology: Ontology, number: int) -> dict[str, object]:
    """A work on a topic or two, now and then for one piece of hardware."""
    about = " and ".join(rng.sample([topic.name for topic in ontology.topics.values()], rng.choice([1, 1, 2])))
    return {
        "title": f"{about}{rng.choice(['', '', ' on MI300X', ' on MI325X', ' on the H100'])}, part {number}",
        "url": f"https://example.org/{number}",
        "note": rng.choice(NOTES),
        "kind": rng.choice(["blog", "paper", "video", "repo", "book"]),
        "tier": rng.choice([None, 1, 2]),
    }


@contextmanager
def random_world(rng: random.Random) -> Iterator[World]:
    """A library over a random graph."""
    ontology, index = random_ontology(rng), fakes.FakeIndex()
    works = [random_mention(rng, ontology, number) for number in range(rng.randint(0, 2 * len(ontology.topics)))]
    with TemporaryDirectory() as folder:
        pipeline.ingest([fakes.document("list.md", *works)], fakes.stores(Path(folder), index=index), ontology)
        graph = SqliteGraph(Path(folder) / "warpath.db")
        with closing(Library(graph, lambda dimension: index, fakes.fake_of)) as library:
            yield World.of(library)


def random_path(rng: random.Random, world: World) -> LearningPath:
    """What the planner makes of a random request."""
    topics = world.curriculum.topics
    request = PathRequest(
        goal=" and ".join(topics[slug].name for slug in rng.sample(sorted(topics), rng.choice([1, 1, 2]))),
        know=tuple(rng.sample(sorted(topics), rng.choice([0, 0, 1, 2]))),
        hardware=rng.choice([None, *sorted(world.curriculum.hardware)]),
        hours=rng.choice([None, None, 3, 100]),
    )
    try:
        return world.library.plan(request)
    except BudgetTooSmall as error:
        return world.library.plan(request.model_copy(update={"hours": error.minimum_hours + 0.1}))


@pytest.fixture(scope="module")
def worlds(starter: Library) -> Iterator[list[World]]:
    """The shipped topics with all starter lists, and random graphs."""
    with ExitStack() as stack:
        yield [World.of(starter), *(stack.enter_context(random_world(random.Random(seed))) for seed in range(4, 8))]


@given(st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_what_the_planner_makes_of_any_graph_is_right(rng: random.Random) -> None:
    """Circles, foreign hardware, knowledge, gaps and budgets notwithstanding; and it stays so as JSON."""
    with random_world(rng) as world:
        path = random_path(rng, world)
        again = LearningPath.model_validate_json(path.model_dump_json())

        assert again == path
        assert world.library.validate(again) == []


def test_what_the_planner_makes_of_the_shipped_topics_is_right(worlds: list[World]) -> None:
    """Over all starter lists."""
    rng = random.Random(3)
    for _ in range(25):
        path = random_path(rng, worlds[0])

        assert worlds[0].faults(path) == {}, path.goal


# --- Mutations: each takes a right path and gives a wrong one, with the fault that must be found and a word that names
# the place; None where the path offers nothing to mutate.

Mutated = tuple[LearningPath, FaultKind, str] | None
Mutation = Callable[[random.Random, LearningPath, World], Mutated]


def renewed(path: LearningPath, steps: list[Step] | None = None, **changes: object) -> LearningPath:
    """The path with other contents and everything that merely follows from them: whoever forges a path will count
    minutes and steps anew, drop what spoke of steps that are gone, and give it the id that it must have."""
    steps = [step.model_copy(update={"position": n}) for n, step in enumerate(steps or path.steps, 1)]
    taught = {topic for step in steps for topic in step.topics}
    certificate = path.certificate
    kept = tuple(one for one in certificate.prerequisites if one.topic in taught)
    wanted = {one.requires for one in kept}
    follows = {
        "steps": tuple(steps),
        "minutes": sum(step.minutes for step in steps),
        "kernels": tuple(kernel for step in steps for kernel in step.kernels),
        "certificate": certificate.model_copy(
            update={
                "prerequisites": kept,
                "excluded": tuple(one for one in certificate.excluded if one.topic in wanted),
            }
        ),
    }
    forged = path.model_copy(update={**follows, **changes})
    return forged.model_copy(update={"id": path_id(forged)})


def certified(path: LearningPath, **changes: object) -> Certificate:
    return path.certificate.model_copy(update=changes)


def with_step(path: LearningPath, number: int, **changes: object) -> LearningPath:
    """The path with one step changed, counted from 0."""
    steps = list(path.steps)
    steps[number] = steps[number].model_copy(update=changes)
    return renewed(path, steps)


def without(path: LearningPath, topic: str) -> list[Step]:
    """All steps but those that teach a topic."""
    return [step for step in path.steps if topic not in step.topics]


def taught(path: LearningPath) -> list[str]:
    return sorted({topic for step in path.steps for topic in step.topics})


def pick_needed(rng: random.Random, path: LearningPath) -> tuple[Step, str, str] | None:
    """A step without a target, and a topic of it that another step's topic needs."""
    home = {topic: step for step in reversed(path.steps) for topic in step.topics}
    options = [
        (home[one.requires], one.requires, one.topic)
        for one in path.certificate.prerequisites
        if one.requires in home
        and one.topic not in home[one.requires].topics
        and not set(home[one.requires].topics).intersection(path.targets)
    ]
    return rng.choice(options) if options else None


def pick_resource(rng: random.Random, path: LearningPath) -> int | None:
    """A step that has a resource."""
    options = [number for number, step in enumerate(path.steps) if step.resource]
    return rng.choice(options) if options else None


def a_prerequisite_last(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not (found := pick_needed(rng, path)):
        return None
    late = [step for step in path.steps if found[1] in step.topics]
    return renewed(path, [*without(path, found[1]), *late]), "order", found[1]


def two_dependent_steps_swapped(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    found = pick_needed(rng, path)
    if not found or sum(found[1] in step.topics for step in path.steps) > 1:
        return None
    steps = list(path.steps)
    there = steps.index(found[0])
    here = next(number for number, step in enumerate(steps) if found[2] in step.topics)
    steps[here], steps[there] = steps[there], steps[here]
    return renewed(path, steps), "order", found[1]


def a_step_dropped(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    found = pick_needed(rng, path)
    return (renewed(path, without(path, found[1])), "missing-topic", found[1]) if found else None


def a_target_dropped(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    target = rng.choice(path.targets)
    steps = without(path, target)
    return (renewed(path, steps), "missing-target", target) if steps else None


def a_step_said_to_be_assumed(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not (found := pick_needed(rng, path)):
        return None
    forged = renewed(path, without(path, found[1]))
    assumed = (*path.certificate.assumed, *found[0].topics)
    return renewed(forged, certificate=certified(forged, assumed=assumed)), "false-assumption", found[1]


def a_step_said_to_be_for_other_hardware(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not (found := pick_needed(rng, path)):
        return None
    forged = renewed(path, without(path, found[1]))
    name = world.curriculum.hardware[path.hardware].name if path.hardware else "any"
    left_out = LeftOut(topic=found[1], reason=f"for other hardware than {name}")
    excluded = certified(forged, excluded=(*forged.certificate.excluded, left_out))
    said = (*path.left_out, left_out)
    return renewed(forged, certificate=excluded, left_out=said), "false-exclusion", found[1]


def an_exclusion_with_another_reason(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not path.certificate.excluded:
        return None
    forged = tuple(one.model_copy(update={"reason": "nobody needs it"}) for one in path.certificate.excluded)
    topic = forged[0].topic
    return renewed(path, certificate=certified(path, excluded=forged)), "forged-reason", topic


def an_exclusion_forgotten(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not path.certificate.excluded:
        return None
    gone, *kept = path.certificate.excluded
    return renewed(path, certificate=certified(path, excluded=tuple(kept))), "missing-topic", gone.topic


def other_hardware(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    """The same steps for a device that some of them do not serve."""
    topics = set(taught(path)) - set(path.targets)
    options = [
        (device, topic)
        for device in sorted(world.curriculum.hardware)
        for topic in sorted(topics)
        if not world.serves(world.curriculum.topics[topic].hardware, device)
    ]
    if not options:
        return None
    device, topic = rng.choice(options)
    return renewed(path, hardware=device), "wrong-hardware", topic


def a_resource_for_other_hardware(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not path.hardware:
        return None
    hardware, shown = path.hardware, {step.resource.id for step in path.steps if step.resource}
    options = [
        (number, found)
        for number, step in enumerate(path.steps)
        for found in world.resources.values()
        if found.id not in shown
        and not world.serves(made_for(found), hardware)
        and world.curriculum.neighbours(hardware).isdisjoint(made_for(found))
        and {link.slug for link in found.topics}.intersection(step.topics)
    ]
    if not options:
        return None
    number, found = rng.choice(options)
    changes: dict[str, Any] = rng.choice([{"resource": hit(found), "evidence": ()}, {"alternatives": (hit(found),)}])
    return with_step(path, number, **changes), "wrong-hardware", f"Step {number + 1} "


def a_neighbours_resource_without_a_word(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    for number, step in enumerate(path.steps):
        made = made_for(world.resources[step.resource.id]) if step.resource else ()
        if path.hardware and not world.serves(made, path.hardware):
            return with_step(path, number, choice="tier 1"), "wrong-hardware", f"Step {number + 1} "
    return None


def a_kernel_for_other_hardware(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    for kernel in world.curriculum.kernels.values():
        if not path.hardware or world.serves(kernel.hardware, path.hardware):
            continue
        if world.curriculum.neighbours(path.hardware).isdisjoint(kernel.hardware):
            return with_step(path, 0, kernels=(kernel.slug,)), "wrong-hardware", kernel.slug
    return None


def a_kernel_on_something_else(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    for kernel in world.curriculum.kernels.values():
        if not set(kernel.topics).intersection(path.steps[0].topics):
            return with_step(path, 0, kernels=(kernel.slug,)), "off-topic", kernel.slug
    return None


def over_budget(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    budget = rng.randrange(path.minutes)
    return renewed(path, certificate=certified(path, budget_minutes=budget)), "over-budget", str(budget)


def a_wrong_total(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    total = path.minutes + rng.choice([-30, -1, 1, 60])
    return renewed(path, minutes=total), "minutes", str(total)


def a_step_without_time(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    number = rng.randrange(len(path.steps))
    found = path.steps[number].resource
    if found and found.id in {step.resource.id for step in path.steps[:number] if step.resource}:
        return None  # it goes on with a resource, which costs nothing
    return with_step(path, number, minutes=rng.choice([0, -10])), "minutes", f"Step {number + 1} "


def an_invented_prerequisite(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    topic, other = rng.choice(taught(path)), rng.choice(sorted(world.curriculum.topics))
    if other in world.curriculum.topics[topic].requires:
        return None
    forged = (*path.certificate.prerequisites, Prerequisite(topic=topic, requires=other, reason="So it is."))
    return renewed(path, certificate=certified(path, prerequisites=forged)), "invented-prerequisite", topic


def a_forgotten_prerequisite(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not (kept := list(path.certificate.prerequisites)):
        return None
    gone = rng.choice(kept)
    kept = [one for one in kept if one != gone]
    return renewed(path, certificate=certified(path, prerequisites=tuple(kept))), "incomplete-certificate", gone.topic


def a_forged_reason(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if not (forged := list(path.certificate.prerequisites)):
        return None
    number = rng.randrange(len(forged))
    forged[number] = forged[number].model_copy(update={"reason": forged[number].reason + " Surely."})
    changed = certified(path, prerequisites=tuple(forged))
    return renewed(path, certificate=changed), "forged-reason", forged[number].topic


def a_step_for_a_forged_reason(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    number = rng.randrange(len(path.steps))
    if set(path.steps[number].topics) & {topic for step in path.steps[:number] for topic in step.topics}:
        return None  # a further step on the same topics gives no reason of its own
    return with_step(path, number, reason="Needed for nothing: it is fun."), "forged-reason", f"Step {number + 1} "


def an_invented_quote(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    number = rng.randrange(len(path.steps))
    quotes = path.steps[number].evidence
    forged = quotes[0].replace("e", "ee", 1) if quotes and "e" in quotes[0] else "“Read this first.” (list.md:1)"
    return with_step(path, number, evidence=(forged,)), "invented-quote", f"Step {number + 1} "


def an_unknown_resource(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if (number := pick_resource(rng, path)) is None or not (found := path.steps[number].resource):
        return None
    forged = found.model_copy(update={"id": "00000000-0000-5000-8000-000000000000"})
    return with_step(path, number, resource=forged), "unknown-resource", f"Step {number + 1} "


def an_altered_resource(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if (number := pick_resource(rng, path)) is None or not (found := path.steps[number].resource):
        return None
    change: dict[str, Any] = rng.choice(
        [{"title": "Another"}, {"url": "https://evil.example"}, {"authors": ("Nobody",)}]
    )
    return with_step(path, number, resource=found.model_copy(update=change)), "altered-resource", f"Step {number + 1} "


def a_resource_twice(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    number, other = pick_resource(rng, path), rng.randrange(len(path.steps))
    if number is None or number == other:
        return None
    later = max(number, other) + 1
    if path.steps[later - 1].minutes == 0:
        return None  # it goes on with a resource, which costs nothing
    forged = with_step(path, other, resource=path.steps[number].resource, evidence=())
    return forged, "repeated-resource", f"Step {later} "


def a_resource_on_something_else(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    number = rng.randrange(len(path.steps))
    options = [
        found
        for found in world.resources.values()
        if not {link.slug for link in found.topics}.intersection(path.steps[number].topics)
    ]
    if not options:
        return None
    return with_step(path, number, resource=hit(rng.choice(options))), "off-topic", f"Step {number + 1} "


def a_known_topic_taught(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    options = sorted(set(taught(path)) - set(path.targets))
    if not options:
        return None
    topic = rng.choice(options)
    known = (*path.known, topic)
    return renewed(path, known=known, certificate=certified(path, known=known)), "known-taught", topic


def knowledge_that_was_not_said(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    options = sorted(world.curriculum.topics.keys() - set(path.known))
    if not options:
        return None
    topic = rng.choice(options)
    return renewed(path, certificate=certified(path, known=(*path.known, topic))), "false-known", topic


def a_topic_twice(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if len(path.steps) < 2 or path.steps[0].topics == path.steps[-1].topics:
        return None
    topic = path.steps[0].topics[0]
    return with_step(path, -1, topics=(*path.steps[-1].topics, topic)), "repeated-topic", topic


def wrong_numbers(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    steps = list(path.steps)
    number = rng.randrange(len(steps))
    steps[number] = steps[number].model_copy(update={"position": rng.choice([0, -1, len(steps) + 1])})
    return renewed(path, steps=None).model_copy(update={"steps": tuple(steps)}), "position", f"Step {number + 1} "


def a_step_without_topics(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    empty = path.steps[0].model_copy(update={"topics": (), "resource": None, "evidence": (), "alternatives": ()})
    return renewed(path, [*path.steps, empty]), "empty-step", f"Step {len(path.steps) + 1} "


def steps_joined(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if len(path.steps) < 2 or set(path.steps[0].topics) & set(path.steps[1].topics):
        return None
    one, other, *rest = path.steps
    joined = one.model_copy(update={"topics": (*one.topics, *other.topics)})
    return renewed(path, [joined, *rest]), "order", "Step 1 "


def a_circle_parted(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    options = [number for number, step in enumerate(path.steps) if len(step.topics) > 1]
    if not options:
        return None
    number = options[0]
    first, *others = path.steps[number].topics
    alone = path.steps[number].model_copy(update={"topics": (first,)})
    rest = path.steps[number].model_copy(update={"topics": tuple(others), "resource": None, "evidence": ()})
    steps = [step for step in path.steps if step.topics != path.steps[number].topics]
    return renewed(path, [*steps[:number], alone, rest, *steps[number:]]), "order", first


def a_gap_untold(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if (number := pick_resource(rng, path)) is None:
        return None
    gap: dict[str, Any] = {"resource": None, "alternatives": (), "evidence": ()}
    return with_step(path, number, **gap), "unsaid-left-out", path.steps[number].topics[0]


def something_taught_said_to_be_left_out(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    if (number := pick_resource(rng, path)) is None:
        return None
    topic = path.steps[number].topics[0]
    if any(topic in step.topics and not step.resource for step in path.steps):
        return None
    said = (*path.left_out, LeftOut(topic=topic, reason=rng.choice(["known", "no list holds a resource for it"])))
    return renewed(path, left_out=said), "false-left-out", topic


def an_unknown_topic(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    number = rng.randrange(len(path.steps))
    return with_step(path, number, topics=("alchemy",)), "unknown-topic", "alchemy"


def an_unknown_device(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    return renewed(path, hardware="toaster"), "unknown-hardware", "toaster"


def an_unknown_kernel(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    return with_step(path, 0, kernels=("perpetuum-mobile",)), "unknown-kernel", "perpetuum-mobile"


def kernels_miscounted(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    return (renewed(path, kernels=path.kernels[1:]), "kernels", "steps") if path.kernels else None


def the_id_of_another_plan(rng: random.Random, path: LearningPath, world: World) -> Mutated:
    return path.model_copy(update={"goal": path.goal + "!"}), "altered-id", "id"


ALL: tuple[Mutation, ...] = (
    a_prerequisite_last, two_dependent_steps_swapped, a_step_dropped, a_target_dropped, a_step_said_to_be_assumed,
    a_step_said_to_be_for_other_hardware, an_exclusion_with_another_reason, an_exclusion_forgotten, other_hardware,
    a_resource_for_other_hardware, a_neighbours_resource_without_a_word, a_kernel_for_other_hardware,
    a_kernel_on_something_else, over_budget, a_wrong_total, a_step_without_time, an_invented_prerequisite,
    a_forgotten_prerequisite, a_forged_reason, a_step_for_a_forged_reason, an_invented_quote, an_unknown_resource,
    an_altered_resource, a_resource_twice, a_resource_on_something_else, a_known_topic_taught,
    knowledge_that_was_not_said, a_topic_twice, wrong_numbers, a_step_without_topics, steps_joined, a_circle_parted,
    a_gap_untold, something_taught_said_to_be_left_out, an_unknown_topic, an_unknown_device, an_unknown_kernel,
    kernels_miscounted, the_id_of_another_plan,
)  # fmt: skip


def right_paths(rng: random.Random, worlds: list[World]) -> list[tuple[World, LearningPath]]:
    """Some paths of each graph, and to what kernels are about."""
    paths = [(world, random_path(rng, world)) for world in worlds for _ in range(15)]
    shipped = worlds[0]
    about = {slug for kernel in shipped.curriculum.kernels.values() for slug in kernel.topics}
    for goal, hardware in zip(rng.sample(sorted(about), 8), ["hopper", "mi300x"] * 4, strict=True):
        paths.append((shipped, shipped.library.plan(PathRequest(goal=goal, hardware=hardware))))
    return [(world, path) for world, path in paths if not world.faults(path)]


def test_a_thousand_mutations_are_rejected_with_the_reason_named(worlds: list[World]) -> None:
    """Each fault is found, whatever else is put right around it; its message names the step or topic."""
    rng = random.Random(4)
    paths = right_paths(rng, worlds)
    tried: Counter[str] = Counter()
    while tried.total() < MUTATIONS:
        for mutate in ALL:
            rng.shuffle(paths)
            made = ((world, mutate(rng, path, world)) for world, path in paths)
            world, (forged, kind, place) = next((world, mutated) for world, mutated in made if mutated)
            tried[mutate.__name__] += 1

            assert place in world.faults(forged).get(kind, ""), (mutate.__name__, place, world.faults(forged))


def test_every_kind_of_fault_is_tried() -> None:
    """No check stands without a mutation that only it can name."""
    from inspect import getsource
    from typing import get_args

    sources = "".join(map(getsource, ALL))

    assert [kind for kind in get_args(FaultKind) if f'"{kind}"' not in sources] == []


def test_long_chains_and_circles_are_judged() -> None:
    """Nothing recurses, and nothing takes time out of proportion."""
    slugs = [f"t{n}" for n in range(5000)]
    needs = dict(zip(slugs, [*slugs[1:], slugs[0]], strict=True))
    topics = {slug: Topic(slug=slug, name=slug, requires={needs[slug]: "why"}) for slug in slugs}
    step = Step(position=1, topics=tuple(slugs), resource=None, reason="Part of the goal: t0.", minutes=30)
    claimed = tuple(Prerequisite(topic=slug, requires=other, reason="why") for slug, other in needs.items())
    bare = LearningPath(
        id="",
        goal="t0",
        understood="t0",
        targets=("t0",),
        steps=(step,),
        minutes=30,
        left_out=tuple(LeftOut(topic=slug, reason="no list holds a resource for it") for slug in slugs),
        certificate=Certificate(prerequisites=claimed, known=(), assumed=(), excluded=()),
    )
    path = bare.model_copy(update={"id": path_id(bare)})

    assert validate(path, Curriculum(topics, {}), {}) == []
