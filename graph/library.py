"""Everything a door can ask: one facade over the stores, used by REST, CLI and whatever comes after them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from graph import answers, goals, indexing, path_to, paths, planner, progress, search, similar, urls, validate, views
from graph.aliases import squeeze
from graph.curriculum import Curriculum
from graph.errors import NothingCovered, StoreEmpty, StoreOutdated, StoreUnavailable, UnknownName
from graph.meaning import TopicVectors
from graph.models import (
    DevlogPost,
    Fault,
    Finished,
    Hardware,
    KernelLine,
    KernelPage,
    Learner,
    LearningPath,
    PathRequest,
    Place,
    Resource,
    SearchAnswer,
    SearchAnswerWithPath,
    SearchRequest,
    SimilarAnswer,
    SimilarRequest,
    SourceLine,
    StoreStatus,
    TopicLine,
    TopicPage,
)
from graph.names import node_id, resource_id
from graph.portions import check_whole, portions
from graph.ports import Embedder, GraphStore, Vectors, VectorStore
from graph.search import Parts, Resources
from graph.vocabulary import Vocabulary

Kept = tuple[Curriculum, TopicVectors, Vocabulary, Resources, str]  # of one state of the graph; the last is its stamp
Request = TypeVar("Request")
Answer = TypeVar("Answer")

TOPIC_RESOURCES = 20  # of a topic's page
TOPIC_CANDIDATES = 100  # among which they are the best
NEAR_TITLES = 10  # hits among which a title is looked for
LONGEST_TITLE = 500


class Library:
    """Answers questions. Safe to share among threads; index and model are opened with the first question for them."""

    def __init__(
        self, graph: GraphStore, open_index: Callable[[int], VectorStore], open_embedder: Callable[[str], Embedder]
    ) -> None:
        """`open_index` takes the dimension of the vectors, `open_embedder` the identity of the model that made them."""
        self._graph = graph
        self._open_index, self._open_embedder = open_index, open_embedder
        self._lock = threading.RLock()
        self._kept: Kept | None = None
        self._indexes: dict[int, VectorStore] = {}  # the one that is open, by dimension
        self._embedders: dict[str, Embedder] = {}  # the one that is loaded, by identity

    def search(self, request: SearchRequest) -> SearchAnswer:
        """Finds resources for a query, and the path to what they teach if the request says so.

        Raises:
            UnknownName, BadRequest: a filter has no such value, or there is no such filter.
            BadCursor: the cursor is of another search or of an older store.
        """
        answer = self._searched(answers.answer, request)
        return SearchAnswerWithPath(**dict(answer), path=self._path(request, answer)) if request.path else answer

    def similar(self, name: str, request: SimilarRequest | None = None) -> SimilarAnswer:
        """Resources like one in meaning and topics, the likest first, never itself.

        Raises:
            UnknownName: no resource is called so, or a filter has no such value.
        """
        return self._searched(partial(similar.similar, self.resource(name)), request or SimilarRequest())

    def plan(self, request: PathRequest) -> LearningPath:
        """Plans a learning path; of what is done, only the rest."""
        return self._planned(request, paths.plan_path)

    def plan_to_resource(self, name: str, learner: Learner) -> LearningPath:
        """Plans what to learn first to understand a resource, which is the last step.

        Raises:
            UnknownName: no resource is called so.
        """
        found = self.resource(name)
        request = PathRequest(goal=found.title[:LONGEST_TITLE], **dict(learner))
        return self._planned(request, partial(path_to.resource, found))

    def plan_to_kernel(self, name: str, learner: Learner) -> LearningPath:
        """Plans what to learn first to write a kernel, which stands in the last step.

        Raises:
            UnknownName: no kernel is called so.
        """
        curriculum = self.curriculum
        kernel = curriculum.kernels[goals.find_kernel(curriculum, name)]
        request = PathRequest(goal=kernel.title, **dict(learner))
        return self._planned(request, partial(path_to.kernel, kernel))

    def finished(self, name: str) -> Finished:
        """What a learner means to be done with: a topic by slug, name or alias, or a resource as `resource` finds it.

        Raises:
            UnknownName: nothing is called so; names those that come near.
        """
        curriculum = self.curriculum
        if slug := curriculum.topic_names.get(name):
            return Finished(kind="topic", id=slug, title=curriculum.topics[slug].name)
        found = self.resource(name)
        return Finished(kind="resource", id=found.id, title=found.title)

    def validate(self, path: LearningPath) -> list[Fault]:
        """Every fault of a path, found by its certificate and the graph alone; none when it is right."""
        shown = {hit.id for step in path.steps for hit in (step.resource, *step.alternatives) if hit}
        return validate.validate(path, self.curriculum, search.read_resources(self._graph, sorted(shown)))

    def resource(self, name: str) -> Resource:
        """A resource by its id, one of its addresses, or its title.

        Raises:
            UnknownName: no resource is called so; names those that come near.
        """
        ids = [name, resource_id(urls.key(name))]
        if found := search.read_resources(self._graph, ids):
            return next(iter(found.values()))
        near = self._searched(search.search, SearchRequest(query=name[:LONGEST_TITLE], limit=NEAR_TITLES)).hits
        for hit in near:
            if squeeze(hit.title) == squeeze(name):
                return search.read_resources(self._graph, [hit.id])[hit.id]
        raise UnknownName("resource", name, [hit.title for hit in near[:3]])

    def topics(self) -> list[TopicLine]:
        """All topics with the number of resources that are about each."""
        return [
            TopicLine(slug=t.slug, name=t.name, level=t.level, parent=t.parent, resources=t.resources)
            for t in self.curriculum.topics.values()
        ]

    def topic(self, name: str) -> TopicPage:
        """A topic by slug, name or alias, with what it needs, what needs it and what teaches it.

        Raises:
            UnknownName: with the nearest names.
        """
        curriculum = self.curriculum
        slug = goals.find_topic(curriculum, name)
        level = curriculum.topics[slug].level
        teachers = paths.teachers(self._graph, [slug], {}, enough=TOPIC_CANDIDATES)[slug]
        ranked = sorted(teachers, key=lambda t: -planner.merit(t, level, ()))
        return TopicPage(
            topic=curriculum.topics[slug],
            needed_by=curriculum.needed_by(slug),
            children=curriculum.children(slug),
            resources=tuple(views.hit(teacher.resource) for teacher in ranked[:TOPIC_RESOURCES]),
            kernels=tuple(k.slug for k in _in_order(curriculum.kernels.values()) if slug in k.topics),
        )

    def hardware(self) -> list[Hardware]:
        """All hardware, by slug."""
        return sorted(self.curriculum.hardware.values(), key=lambda node: node.slug)

    def kernels(self) -> list[KernelLine]:
        """All reference kernels in curriculum order; those without a place in it by name, last."""
        return _in_order(self.curriculum.kernels.values())

    def kernel(self, name: str) -> KernelPage:
        """A kernel by slug, title or alias, with the works and posts that speak of it.

        Raises:
            UnknownName: with the nearest names.
        """
        curriculum = self.curriculum
        slug = goals.find_kernel(curriculum, name)
        id = node_id("Kernel", slug)
        held = self._graph.read([id])
        works = search.read_resources(self._graph, [edge.target for edge in held.out(id, "LINKS")])
        entries = [held.nodes[edge.source] for edge in held.into(id, "NAMES")]
        return KernelPage(
            kernel=curriculum.kernels[slug],
            resources=tuple(map(views.hit, works.values())),
            posts=tuple(Place(source=e.body["source"], line=e.body["line"], note=e.body["text"]) for e in entries),
        )

    def sources(self) -> list[SourceLine]:
        """Every list and devlog that was ingested."""
        held = self._graph.select("Source", "Resource", "DevlogEntry")
        return [views.source_line(held, node) for node in held.labelled("Source")]

    def devlog(self) -> list[DevlogPost]:
        """All devlog posts in the order they stand."""
        held = self._graph.select("DevlogEntry", "Resource", "Topic", "Hardware", "Source")
        named = {n.id: [e.target for e in held.out(n.id, "NAMES")] for n in held.labelled("DevlogEntry")}
        posts = [
            views.devlog_post(held, held.nodes[id], [views.resource(held, other) for other in others])
            for id, others in named.items()
        ]
        return sorted(posts, key=lambda post: (post.source, post.line))

    def export(self) -> Iterator[Resource]:
        """Every resource, by id."""
        for ids in portions(self._graph, "Resource"):
            held = self._graph.read(ids)
            yield from (views.resource(held, id) for id in ids if id in held.nodes)

    def status(self) -> StoreStatus:
        """Counts, model and whether the index agrees with the graph."""
        facts, counts = self._graph.facts(), self._graph.counts()
        return StoreStatus(
            stamp=facts["stamp"],
            model=facts.get("model"),
            nodes=dict(counts.nodes),
            edges=dict(counts.edges),
            vectors=counts.vectors,
            index_ready="dimension" in facts and self._index(facts).stamp() == facts["stamp"],
        )

    def ready(self) -> None:
        """Does nothing when a search can be answered.

        Raises:
            StoreError: nothing was ingested yet, or a store does not answer.
            ModelError: the model for queries cannot be loaded.
        """
        facts = self._filled()
        self._current_index(facts)
        self._embedder(facts).embed(["ready"])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts by the model that made the stored ones, one row a text."""
        return self._embedder(self._filled()).embed(texts)

    def close(self) -> None:
        """Gives the index free; a later question opens it again."""
        with self._lock:
            for index in self._indexes.values():
                index.close()
            self._indexes.clear()

    @contextmanager
    def index_given_up(self) -> Iterator[None]:
        """Lets a writer in this process open the index; questions wait until it is done."""
        with self._lock:
            self.close()
            yield

    @property
    def curriculum(self) -> Curriculum:
        """Topics and hardware, read again when the store has changed.

        Raises:
            StoreEmpty: nothing was ingested yet.
            StoreBusy: a copy into the store is not finished.
        """
        return self._current(self._facts())[0]

    def _current(self, facts: Mapping[str, str]) -> Kept:
        with self._lock:
            if not self._kept or self._kept[-1] != facts["stamp"]:
                held = self._graph.select("Topic", "Hardware", "Kernel", "Vocabulary")
                meaning = TopicVectors.of(self._graph.vectors("Topic"), int(facts.get("dimension", "1")))
                words = Vocabulary.read(held.labelled("Vocabulary"))
                self._kept = Curriculum.of(held), meaning, words, Resources(self._graph), facts["stamp"]
            if not self._kept[0].topics:
                raise StoreEmpty("Nothing has been ingested yet.", hint="`warpath ingest` reads the starter lists.")
            return self._kept

    def _planned(self, request: PathRequest, plan: progress.Planner) -> LearningPath:
        parts = self._parts()
        return progress.plan_rest(request, parts, plan) if request.done else plan(request, parts)

    def _path(self, request: SearchRequest, answer: SearchAnswer) -> LearningPath | None:
        """The path to what the hits teach, none where they teach nothing that the graph covers."""
        if answer.abstain or not answer.understood:
            return None
        words, hardware = answer.understood.words, next(answer.understood.values("hardware"), None)
        try:
            return self.plan(PathRequest(goal=words, hardware=hardware, max_tier=request.max_tier))
        except NothingCovered:
            return None

    def _searched(self, find: Callable[[Request, Parts], Answer], request: Request) -> Answer:
        """What a search finds, tried anew where an index is found broken: it has given up its stamp and is rebuilt."""
        try:
            return find(request, self._parts())
        except StoreUnavailable:
            return find(request, self._parts())

    def _parts(self) -> Parts:
        """What a request needs, all as of the one moment at which the facts are read."""
        facts = self._filled()
        embedder = self._embedder(facts)  # first: it loads in a thread while the others are opened
        return Parts(self._graph, self._current_index(facts), embedder, *self._current(facts))

    def _filled(self) -> Mapping[str, str]:
        """The facts of a store that holds something."""
        facts = self._facts()
        if "dimension" not in facts:
            raise StoreEmpty("Nothing has been ingested yet.", hint="`warpath ingest` reads the starter lists.")
        return facts

    def _facts(self) -> Mapping[str, str]:
        """The facts of a store that is no half of a copy."""
        facts = self._graph.facts()
        check_whole(facts)
        return facts

    def _index(self, facts: Mapping[str, str]) -> VectorStore:
        """The index for vectors of the dimension that is stored."""
        dimension = int(facts["dimension"])
        with self._lock:
            if dimension not in self._indexes:
                self.close()
                self._indexes[dimension] = self._open_index(dimension)
            return self._indexes[dimension]

    def _embedder(self, facts: Mapping[str, str]) -> Embedder:
        """The model that made the vectors that are stored."""
        identity = facts["model"]
        with self._lock:
            if identity not in self._embedders:
                self._embedders = {identity: self._opened(identity)}
            return self._embedders[identity]

    def _opened(self, identity: str) -> Embedder:
        """The model for queries, if it is the one that made the vectors."""
        embedder = self._open_embedder(identity)
        if embedder.identity != identity:
            raise StoreOutdated(
                f"The store was filled with the model {identity}; the one for queries is {embedder.identity}.",
                hint="`warpath reindex` brings them together.",
            )
        return embedder

    def _current_index(self, facts: Mapping[str, str]) -> VectorStore:
        """The index, brought to the state of the graph where another process has written."""
        with self._lock:
            index = self._index(facts)
            if index.stamp() != facts["stamp"]:
                index.rebuild(indexing.stored_points(self._graph), facts["stamp"])
            return index


def _in_order(kernels: Iterable[KernelLine]) -> list[KernelLine]:
    """Kernels in curriculum order; those without a place in it by name, last."""
    return sorted(kernels, key=lambda k: (k.order is None, k.order or 0, k.slug))
