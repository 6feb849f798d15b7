"""The planner on small graphs that one can draw, and on random ones with circles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph import paths, planner
from graph.closure import closure
from graph.curriculum import Curriculum
from graph.goals import Goal
from graph.models import Annotation, Hardware, Kind, Link, Mention, PathRequest, Resource, Topic
from graph.planner import Merits, Teacher
from graph.situation import Situation

DEVICES = {
    "nvidia": Hardware(slug="nvidia", name="NVIDIA", kind="vendor"),
    "hopper": Hardware(slug="hopper", name="Hopper", kind="architecture", parents=("nvidia",)),
    "h100": Hardware(slug="h100", name="H100", kind="device", parents=("hopper",)),
    "amd": Hardware(slug="amd", name="AMD", kind="vendor"),
    "mi300x": Hardware(slug="mi300x", name="MI300X", kind="device", parents=("amd",)),
}


def curriculum(*topics: Topic) -> Curriculum:
    return Curriculum({topic.slug: topic for topic in topics}, DEVICES)


def needing(**needs: str) -> Curriculum:
    """Topics with the prerequisites they name: `needing(a="b c")`."""
    slugs = dict.fromkeys([*needs, *" ".join(needs.values()).split()])
    return curriculum(*(Topic(slug=s, name=s, requires=dict.fromkeys(needs.get(s, "").split(), "why")) for s in slugs))


def teacher(id: str, kind: Kind = "blog", directness: float = 1.0, made_for: tuple[str, ...] = ()) -> Teacher:
    mention = Mention(source="list.md", line=1, title=id)
    return Teacher(Resource(id=id, title=id, kind=kind, mentions=(mention,)), directness, made_for)


@st.composite
def curricula(draw: st.DrawFn) -> Curriculum:
    """Up to ten topics with any prerequisites and co-requisites among them, circles and all."""
    slugs = [f"t{n}" for n in range(draw(st.integers(1, 10)))]
    some = st.lists(st.sampled_from(slugs), max_size=3, unique=True)
    return curriculum(
        *(
            Topic(
                slug=slug,
                name=slug,
                level=draw(st.integers(1, 5)),
                requires=dict.fromkeys(draw(some), "why"),
                corequisites=dict.fromkeys(draw(st.lists(st.sampled_from(slugs), max_size=1)), "why"),
                hardware=draw(st.sampled_from([(), (), (), ("hopper",), ("amd",)])),
                parent=draw(st.sampled_from([None, *slugs])),
            )
            for slug in slugs
        )
    )


@st.composite
def with_helps(draw: st.DrawFn, found: Curriculum) -> Curriculum:
    """The same topics, any of which may be told to help any others, circles and all."""
    some = st.dictionaries(st.sampled_from(sorted(found.topics)), st.just("why"), max_size=4)
    return curriculum(*(topic.model_copy(update={"helps": draw(some)}) for topic in found.topics.values()))


def helped(**helps: str) -> Curriculum:
    """Topics, easier ones later by name, with what helps them: `helped(a="b c")`."""
    slugs = sorted({*helps, *" ".join(helps.values()).split()})
    return curriculum(*(Topic(slug=s, name=s, helps=dict.fromkeys(helps.get(s, "").split(), "why")) for s in slugs))


def choice_of(found: Curriculum) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(sorted(found.topics)), max_size=5)


def foreign(found: Curriculum, hardware: str | None) -> Callable[[str], bool]:
    """Whether a topic means nothing on a piece of hardware."""
    return lambda slug: hardware is not None and not found.serves(slug, hardware)


def builds_on(found: Curriculum, needed: set[str]) -> nx.DiGraph[str]:
    """An edge from each of some topics to those that need it, both ways between co-requisites."""
    pairs = [(other, slug) for slug in needed for other in found.topics[slug].requires]
    pairs += [
        pair for slug in needed for other in found.topics[slug].corequisites for pair in permutations((slug, other))
    ]
    inside = nx.DiGraph((before, slug) for before, slug in pairs if {before, slug} <= needed)
    inside.add_nodes_from(needed)
    return inside


def planned(found: Curriculum, needed: set[str]) -> list[str]:
    """The order, flat."""
    return [slug for group in planner.order(found, needed) for slug in group]


def test_everything_that_is_needed_is_in_the_plan_and_nothing_else() -> None:
    """A path is a closure, not a walk along one edge."""
    needed, skipped = closure(needing(goal="a b", a="base", b="base", other="base"), ["goal"], ())

    assert needed == {"goal", "a", "b", "base"}
    assert skipped == set()


def test_what_only_a_known_topic_needs_is_left_out_with_it() -> None:
    """And what others need as well stays."""
    needed, skipped = closure(needing(goal="a b", a="x y", b="y"), ["goal"], {"a"})

    assert needed == {"goal", "b", "y"}
    assert skipped == {"a"}


def test_a_goal_that_is_known_is_still_planned() -> None:
    """It was asked for."""
    assert closure(needing(goal="a"), ["goal"], {"goal"})[0] == {"goal", "a"}


def test_topics_of_other_hardware_are_left_out() -> None:
    """Whoever has an MI300X need not learn what only Hopper has."""
    found = curriculum(
        Topic(slug="goal", name="goal", requires={"wgmma": "", "mfma": "", "tiles": ""}),
        Topic(slug="wgmma", name="wgmma", hardware=("hopper",), requires={"descriptors": ""}),
        Topic(slug="descriptors", name="descriptors"),
        Topic(slug="mfma", name="mfma", hardware=("amd",)),
        Topic(slug="tiles", name="tiles"),
    )
    needed, skipped = closure(found, ["goal"], (), foreign(found, "mi300x"))

    assert needed == {"goal", "mfma", "tiles"}
    assert skipped == {"wgmma"}
    assert "wgmma" in closure(found, ["goal"], (), foreign(found, "h100"))[0]
    assert "wgmma" in closure(found, ["goal"], (), foreign(found, "nvidia"))[0]
    assert {"wgmma", "mfma"} <= closure(found, ["goal"], ())[0]


def test_topics_that_need_each_other_are_one_group() -> None:
    """A circle is learned together; its goal is never lost."""
    assert planner.order(needing(goal="a", a="b", b="a c"), {"goal", "a", "b", "c"}) == [("c",), ("a", "b"), ("goal",)]


def test_declared_co_requisites_are_one_group() -> None:
    """Whichever of the two declares it."""
    found = curriculum(Topic(slug="a", name="a", corequisites={"b": "why"}), Topic(slug="b", name="b"))

    assert planner.order(found, {"a", "b"}) == [("a", "b")]


def test_the_easier_topics_come_first_and_of_equals_related_ones_stay_together() -> None:
    """Among orders that are all valid."""
    found = curriculum(
        *(Topic(slug=area, name=area, level=1) for area in ("memory", "speed")),
        *(Topic(slug=f"memory-{n}", name="m", level=n, parent="memory") for n in (2, 3)),
        *(Topic(slug=f"speed-{n}", name="s", level=n, parent="speed") for n in (2, 3)),
    )

    assert planned(found, set(found.topics)) == ["memory", "speed", "speed-2", "memory-2", "memory-3", "speed-3"]


def test_what_helps_comes_first_where_both_are_in_a_plan() -> None:
    """It is not added for that, and no topic waits for what is not there."""
    found = helped(a="b z", b="c")

    assert planned(found, {"a", "b", "c"}) == ["c", "b", "a"]
    assert planned(found, {"a", "c"}) == ["a", "c"]
    assert closure(found, ["a"], ()) == ({"a"}, set())


def test_what_helps_never_comes_before_its_own_prerequisite() -> None:
    """Nor does it tear apart what is learned together."""
    found = curriculum(
        Topic(slug="base", name="base", helps={"goal": "seen from above", "middle": "why"}),
        Topic(slug="middle", name="middle", requires={"base": "why"}),
        Topic(slug="goal", name="goal", requires={"middle": "why"}, corequisites={"twin": "why"}),
        Topic(slug="twin", name="twin", helps={"goal": "why"}),
    )

    assert planner.order(found, set(found.topics)) == [("base",), ("middle",), ("goal", "twin")]


def test_topics_that_help_each_other_in_a_circle_are_learned_one_by_one() -> None:
    """Some order is kept, always the same one, and none is lost."""
    assert planned(helped(a="b", b="c", c="a"), {"a", "b", "c"}) == ["c", "b", "a"]
    assert planned(helped(a="a"), {"a"}) == ["a"]


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_whatever_helps_nothing_is_added_torn_apart_or_taken_before_its_prerequisites(data: st.DataObject) -> None:
    """Closures and groups are those of prerequisites alone; what helps moves groups at most."""
    plain = data.draw(curricula())
    found = data.draw(with_helps(plain))
    goals, known = data.draw(choice_of(found)), set(data.draw(choice_of(found)))
    needed, met = closure(found, goals, known)
    groups = planner.order(found, needed)
    home = {slug: number for number, group in enumerate(groups) for slug in group}

    assert (needed, met) == closure(plain, goals, known)
    assert sorted(groups) == sorted(planner.order(plain, needed))
    for slug in needed:
        assert all(home[other] <= home[slug] for other in found.topics[slug].requires if other in home)

    turned = curriculum(
        *(
            topic.model_copy(update={"helps": dict(reversed(topic.helps.items()))})
            for topic in reversed(found.topics.values())
        )
    )

    assert planner.order(turned, sorted(needed, reverse=True)) == groups


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_single_help_is_followed_unless_a_prerequisite_says_otherwise(data: st.DataObject) -> None:
    """On any graph: either it comes first, or it builds on what it helps with, or both are one group."""
    plain = data.draw(curricula())
    topic, helper = (data.draw(st.sampled_from(sorted(plain.topics))) for _ in range(2))
    one = plain.topics[topic].model_copy(update={"helps": {helper: "why"}})
    found = curriculum(*{**plain.topics, topic: one}.values())
    groups = planner.order(found, set(found.topics))
    home = {slug: number for number, group in enumerate(groups) for slug in group}

    assert home[helper] <= home[topic] or nx.has_path(builds_on(plain, set(plain.topics)), topic, helper)


def test_a_circle_that_the_learner_has_broken_is_no_group() -> None:
    """Who knows one topic of it learns the others one by one."""
    circle = needing(a="b", b="c", c="a")

    assert planner.order(circle, {"a", "b", "c"}) == [("a", "b", "c")]
    assert planner.order(circle, {"a", "b"}) == [("b",), ("a",)]


def test_a_topic_that_helps_with_one_of_its_own_circle_is_lost_no_more_than_others() -> None:
    """They are learned together; nothing waits for itself."""
    found = curriculum(
        Topic(slug="a", name="a", requires={"b": "why"}), Topic(slug="b", name="b", requires={"a": ""}, helps={"a": ""})
    )

    assert planner.order(found, {"a", "b"}) == [("a", "b")]


def test_a_topic_that_names_itself_is_planned_like_any_other() -> None:
    """Nothing waits for itself."""
    assert planner.order(needing(a="a b"), {"a", "b"}) == [("b",), ("a",)]


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_the_order_is_that_of_its_rule_applied_step_by_step(data: st.DataObject) -> None:
    """To any part of any curriculum: of all groups that may come next the easiest, of equals one of the area just left,
    then by name."""
    found = data.draw(curricula())
    needed = set(data.draw(choice_of(found)))
    inside = builds_on(found, needed)
    waiting = {tuple(sorted(group)) for group in nx.strongly_connected_components(inside)}
    area, rule = "", []
    while waiting:
        unmet = {slug for group in waiting for slug in group}
        free = [one for one in waiting if all(unmet.isdisjoint({*inside.pred[slug]} - {*one}) for slug in one)]
        levels = {one: max(found.topics[slug].level for slug in one) for one in free}
        rule.append(min(free, key=lambda one: (levels[one], found.area(one[0]) != area, one)))
        area = found.area(rule[-1][0])
        waiting.remove(rule[-1])

    assert planner.order(found, needed) == rule


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_closure_is_complete_and_holds_the_goal(data: st.DataObject) -> None:
    """Whatever is needed is there, or it is said why not."""
    found = data.draw(curricula())
    goals, known = data.draw(choice_of(found)), set(data.draw(choice_of(found)))
    hardware = data.draw(st.sampled_from([None, "h100", "mi300x", "nvidia"]))
    needed, skipped = closure(found, goals, known, foreign(found, hardware))

    assert set(goals) <= needed
    assert not needed & skipped
    for slug in needed:
        topic = found.topics[slug]
        assert {*topic.requires, *topic.corequisites} <= needed | skipped
        assert slug in goals or slug not in known
        assert slug in goals or not hardware or found.serves(slug, hardware)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_prerequisites_come_first_circles_come_together_and_nothing_is_lost(data: st.DataObject) -> None:
    """On any graph, and the same for the same graph in another order."""
    found = data.draw(curricula())
    needed, _ = closure(found, data.draw(choice_of(found)), ())
    groups = planner.order(found, needed)
    home = {slug: number for number, group in enumerate(groups) for slug in group}

    assert sorted(slug for group in groups for slug in group) == sorted(needed)
    for slug in needed:
        assert all(home[other] <= home[slug] for other in found.topics[slug].requires)
        assert all(home[other] == home[slug] for other in found.topics[slug].corequisites)

    turned = Curriculum(dict(reversed(found.topics.items())), DEVICES)

    assert planner.order(turned, sorted(needed, reverse=True)) == groups


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_who_knows_more_never_gets_more_to_learn(data: st.DataObject) -> None:
    """Known topics only ever take steps away."""
    found = data.draw(curricula())
    goals, known, more = (data.draw(choice_of(found)) for _ in range(3))

    assert closure(found, goals, {*known, *more})[0] <= closure(found, goals, set(known))[0]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_topics_are_added_by_what_they_are_worth_an_hour_while_the_minutes_last(data: st.DataObject) -> None:
    """Each with what it builds on and is not there yet, found anew for every choice."""
    found = data.draw(curricula())
    needed, left_out = set(data.draw(choice_of(found))), set(data.draw(choice_of(found)))
    relevance = data.draw(st.dictionaries(st.sampled_from(sorted(found.topics)), st.sampled_from([0.2, 0.5, 0.7])))
    minutes = {slug: data.draw(st.sampled_from([10, 30, 90])) for slug in found.topics}
    spare = most = data.draw(st.integers(0, 300))
    open_ = {slug for slug in relevance if slug not in needed | left_out}
    rule: set[str] = set()
    while True:
        news = {slug: closure(found, [slug], needed | rule, left_out.__contains__)[0] for slug in sorted(open_ - rule)}
        prices = {slug: sum(minutes[topic] for topic in new) for slug, new in news.items()}
        open_ = {slug for slug, price in prices.items() if price <= spare}
        if not open_:
            break
        best = max(sorted(open_), key=lambda slug: relevance[slug] / prices[slug])
        rule |= news[best]
        spare -= prices[best]

    assert planner.extend(found, needed, relevance, minutes.__getitem__, most, left_out.__contains__) == rule


def test_who_knows_a_topic_knows_what_it_builds_on() -> None:
    """Whoever names Triton need not name Python."""
    assert planner.mastered(needing(goal="a", a="base", b="base"), ["a"]) == {"a", "base"}


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_resource_is_counted_twice(data: st.DataObject) -> None:
    """Whatever resources the topics share."""
    found = data.draw(curricula())
    pool = [teacher(f"r{n}", directness=data.draw(st.floats(0, 1))) for n in range(4)]
    teachers = {slug: data.draw(st.lists(st.sampled_from(pool), max_size=4)) for slug in found.topics}
    chosen = planner.choose(Merits(found, None), planner.order(found, set(found.topics)), teachers)
    begun = {choice.main.resource.id: choice.main.minutes for choice in chosen if choice.main}

    assert sum(choice.minutes for choice in chosen if choice.main) == sum(begun.values())


@pytest.mark.parametrize(
    ("made_for", "hardware", "suits"),
    [
        ((), "h100", True),
        (("hopper",), "h100", True),
        (("h100",), "hopper", True),
        (("amd",), "h100", False),
        (("hopper", "amd"), "mi300x", True),
        (("hopper",), None, True),
    ],
)
def test_what_is_made_for_other_hardware_suits_nobody(
    made_for: tuple[str, ...], hardware: str | None, suits: bool
) -> None:
    """Plans choose among what suits alone."""
    goal = Goal(("a",), hardware)
    case = Situation(PathRequest(goal="a"), goal, (), frozenset(), needing(a=""), {})

    assert paths.suits(case, teacher("one", made_for=made_for)) is suits


def chosen(teachers: Mapping[str, Sequence[Teacher]], hardware: str | None = None, level: int = 3) -> list[str]:
    """What is chosen for one topic, best first."""
    found = curriculum(Topic(slug="a", name="a", level=level))
    (choice,) = planner.choose(Merits(found, hardware), [("a",)], teachers)
    return [one.resource.id for one in (choice.main, *choice.alternatives) if one]


@pytest.mark.parametrize(
    ("best", "other", "hardware"),
    [
        (teacher("z"), teacher("a", directness=0.5), None),
        (teacher("z"), teacher("a", kind="feed"), None),
        (teacher("z"), teacher("a", kind="tool"), None),
        (teacher("z", made_for=("hopper",)), teacher("a"), "h100"),
        (teacher("a"), teacher("b"), None),
    ],
)
def test_the_more_direct_better_explaining_fitting_resource_is_chosen(
    best: Teacher, other: Teacher, hardware: str | None
) -> None:
    """And by name where all else is equal, so that plans repeat."""
    assert chosen({"a": [other, best]}, hardware)[0] == best.resource.id


def test_what_is_hardly_about_a_topic_does_not_teach_it() -> None:
    """Better no resource than one that only touches on it."""
    assert chosen({"a": [teacher("aside", directness=0.3)]}) == []


def known_as(one: Teacher, **known: int) -> Teacher:
    """A teacher that the ontology knows."""
    annotation = Annotation(title="x", source="works/x.yaml", line=7, **known)
    return Teacher(one.resource.model_copy(update={"annotation": annotation}), one.directness)


def test_a_resource_two_levels_harder_than_a_topic_does_not_teach_it() -> None:
    hard, easy = known_as(teacher("hard"), level=4), teacher("easy", directness=0.6)

    assert chosen({"a": [hard, easy]}, level=2) == ["easy"]
    assert chosen({"a": [hard, easy]}, level=3) == ["hard", "easy"]


def test_of_resources_as_good_the_shorter_is_chosen() -> None:
    assert chosen({"a": [known_as(teacher("a"), minutes=120), known_as(teacher("b"), minutes=20)]}) == ["b", "a"]


@pytest.mark.parametrize(
    ("one", "minutes", "basis"),
    [
        (teacher("x"), 30, "usual for a blog"),
        (known_as(teacher("x"), minutes=45), 45, "estimated for this work (works/x.yaml:7)"),
        (known_as(teacher("x"), minutes=900), 180, "the part that counts of 900 minutes (works/x.yaml:7)"),
        (known_as(teacher("x"), level=1), 30, "usual for a blog"),
    ],
)
def test_minutes_are_those_of_the_work_where_they_are_known_and_a_step_takes_three_hours_at_most(
    one: Teacher, minutes: int, basis: str
) -> None:
    assert one.minutes == minutes
    assert planner.basis(one.resource) == basis


def test_a_topic_whose_only_resource_another_step_wants_more_goes_on_with_it() -> None:
    """It is no gap, and takes no time again; a topic that has another resource takes that."""
    found, both, other = needing(a="b", b="c"), teacher("both"), teacher("other", directness=0.6)
    teachers = {"a": [both], "b": [teacher("both", directness=0.9)], "c": [teacher("both", directness=0.8), other]}

    chosen = planner.choose(Merits(found, None), planner.order(found, {"a", "b", "c"}), teachers)

    read = [(choice.topics, choice.main.resource.id, choice.minutes) for choice in chosen if choice.main]
    assert read == [(("c",), "other", 30), (("b",), "both", 30), (("a",), "both", 0)]


def test_a_resource_that_presupposes_what_is_not_learned_yet_gives_way() -> None:
    """To one that is nearly as good; who knows it gets the better one."""
    found, plain = needing(last="middle", middle="first"), teacher("plain", directness=0.95)
    links = [Link(slug=s, name=s, reason="", confidence=1.0, source="list.md", line=1) for s in ("first", "last")]
    ahead = Teacher(teacher("ahead").resource.model_copy(update={"topics": tuple(links)}), 1.0)
    merits, teachers = Merits(found, None), {"first": [ahead, plain]}
    plans = [planner.choose(merits, [("first",)], teachers, known) for known in ((), ("middle",))]

    assert [choice.main and choice.main.resource.id for (choice,) in plans] == ["plain", "ahead"]


def test_a_topic_without_a_resource_stays_in_the_plan() -> None:
    """It is a gap to show, and it takes its time."""
    (choice,) = planner.choose(Merits(needing(a=""), None), [("a",)], {})

    assert choice.main is None
    assert choice.minutes == planner.UNAIDED_MINUTES


def test_a_chain_of_ten_thousand_topics_and_a_circle_as_long_are_planned() -> None:
    """Nothing recurses."""
    chain = {f"t{n}": f"t{n + 1}" for n in range(10_000)}
    circle = {**chain, "t10000": "t0"}

    assert planned(needing(**chain), set(closure(needing(**chain), ["t0"], ())[0]))[-1] == "t0"
    assert len(planner.order(needing(**circle), set(circle))) == 1
