"""Paths to a resource, to a kernel and beside a search, over all starter lists: each is right and ends as it should."""

from __future__ import annotations

import random

import pytest

from graph import planner, views
from graph.closure import closure
from graph.errors import BadRequest, BudgetTooSmall, NothingCovered, UnknownName
from graph.library import Library
from graph.models import Learner, LearningPath, Resource, SearchAnswerWithPath, SearchRequest

WORKS = 40  # tried of the starter lists


def works(library: Library) -> list[Resource]:
    """Some works that are about something."""
    about = [found for found in library.export() if found.topics]
    return random.Random(5).sample(about, WORKS)


def surely(found: Resource) -> set[str]:
    """The topics that a work is surely about."""
    return {link.slug for link in found.topics if link.confidence >= planner.SURELY}


def one_of_many_topics(library: Library) -> Resource:
    """A work that is surely about several topics and made for no hardware."""
    plain = [found for found in library.export() if not found.hardware]
    return max(plain, key=lambda found: (len(surely(found)), found.id))


def needed(library: Library, path: LearningPath) -> set[str]:
    """What the targets build on, less what is for other hardware."""
    excluded = {one.topic for one in path.certificate.excluded}
    return closure(library.curriculum, path.targets, (), excluded.__contains__)[0]


def used(path: LearningPath) -> list[str]:
    return [step.resource.id for step in path.steps if step.resource]


def test_a_path_to_any_work_is_right_and_ends_with_it(starter: Library) -> None:
    """Its targets are what the work is surely about, else its surest topic; what they build on comes before."""
    for found in works(starter):
        path = starter.plan_to_resource(found.id, Learner())

        assert starter.validate(path) == [], found.title
        assert used(path)[-1] == found.id
        assert set(path.targets) <= (surely(found) or {found.topics[0].slug})
        own = used(path).index(found.id)
        assert set(used(path)[own:]) == {found.id}, "once begun it is read to the end"
        assert set().union(*(step.topics for step in path.steps)) == needed(starter, path)


def test_what_is_known_shortens_the_way(starter: Library) -> None:
    """Known targets are no targets; who knows them all still gets the work itself."""
    found = one_of_many_topics(starter)
    whole = starter.plan_to_resource(found.id, Learner())
    known = starter.plan_to_resource(found.id, Learner(know=whole.targets[:1]))
    all_known = starter.plan_to_resource(found.id, Learner(know=whole.targets))

    assert whole.targets[0] not in known.targets
    assert known.minutes <= whole.minutes
    assert used(all_known) == [found.id]
    assert starter.validate(known) == starter.validate(all_known) == []


def test_hours_cut_the_way_but_never_the_work(starter: Library) -> None:
    """Too few hours are told with those that suffice."""
    found = one_of_many_topics(starter)
    with pytest.raises(BudgetTooSmall) as told:
        starter.plan_to_resource(found.id, Learner(hours=0.1))
    path = starter.plan_to_resource(found.id, Learner(hours=told.value.minimum_hours + 0.1))

    assert path.minutes <= 60 * told.value.minimum_hours + 6
    assert used(path)[-1] == found.id
    assert starter.validate(path) == []


def test_what_is_done_is_left_out(starter: Library) -> None:
    """Who is done with a topic, or with the work itself, is not sent there again."""
    for found in works(starter)[:10]:
        whole = starter.plan_to_resource(found.id, Learner())
        for step in whole.steps:
            rest = starter.plan_to_resource(found.id, Learner(done=step.topics))

            assert starter.validate(rest) == [], (found.title, step.topics)
            assert rest.minutes <= whole.minutes
        assert starter.plan_to_resource(found.id, Learner(done=(found.id,))).steps == ()


def test_a_work_for_one_piece_of_hardware_is_learned_for_it(starter: Library) -> None:
    """Its own hardware is the path's; another that it does not serve is refused."""
    found = next(work for work in starter.export() if surely(work) and views.made_for(work) == ("hopper",))
    path = starter.plan_to_resource(found.id, Learner())

    assert path.hardware == "hopper"
    assert starter.validate(path) == []
    with pytest.raises(BadRequest, match="not for"):
        starter.plan_to_resource(found.id, Learner(hardware="mi300x"))


def test_a_path_to_every_kernel_is_right_and_ends_with_it(starter: Library) -> None:
    """The kernels that it builds on come before it, or are named as not prepared for."""
    for kernel in starter.kernels():
        path = starter.plan_to_kernel(kernel.slug, Learner())

        assert starter.validate(path) == [], kernel.slug
        assert path.steps[-1].kernels[-1] == kernel.slug
        assert path.kernels.count(kernel.slug) == 1
        for other in kernel.requires:
            assert other in path.kernels or any(other in warning for warning in path.warnings)


def test_who_knows_all_about_a_kernel_still_gets_it(starter: Library) -> None:
    """One step is left, with a resource on what is known."""
    topics = starter.kernel("transpose").kernel.topics
    path = starter.plan_to_kernel("transpose", Learner(know=topics))

    assert [step.kernels[-1] for step in path.steps] == ["transpose"]
    assert path.steps[0].resource
    assert starter.validate(path) == []


def test_unknown_names_are_told(starter: Library) -> None:
    """A resource, a kernel, a piece of hardware."""
    for plan in (starter.plan_to_resource, starter.plan_to_kernel):
        with pytest.raises(UnknownName):
            plan("no such thing at all", Learner())
    with pytest.raises(UnknownName):
        starter.plan_to_kernel("softmax", Learner(hardware="abacus"))


def test_a_work_about_nothing_known_is_told(starter: Library) -> None:
    """Nothing is invented for it."""
    found = next(found for found in starter.export() if not found.topics)
    with pytest.raises(NothingCovered):
        starter.plan_to_resource(found.id, Learner())


def test_a_search_gives_the_path_to_what_its_hits_teach(starter: Library) -> None:
    """The path is the one that the query as a goal gives."""
    answer = starter.search(SearchRequest(query="flashattention", path=True, hardware="hopper"))
    plain = starter.search(SearchRequest(query="flashattention", hardware="hopper"))

    assert isinstance(answer, SearchAnswerWithPath)
    assert answer.path
    assert "flashattention" in answer.path.targets
    assert answer.path.hardware == "hopper"
    assert starter.validate(answer.path) == []
    assert answer.model_dump(exclude={"path"}) == plain.model_dump()


def test_a_search_that_abstains_has_no_path(starter: Library) -> None:
    """It is null, and no error."""
    answer = starter.search(SearchRequest(query="zucchini casserole zymurgy", path=True))

    assert answer.abstain
    assert answer.model_dump()["path"] is None


def test_a_search_names_the_kernels_that_are_about_what_is_asked(starter: Library) -> None:
    """And none where nothing of theirs is asked for."""
    found = starter.search(SearchRequest(query="matrix transpose kernel"))
    other = starter.search(SearchRequest(query="writing a research paper"))

    assert "transpose" in found.kernels
    assert other.kernels == ()
