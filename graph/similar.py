"""The use case “similar”: resources like another, by its stored meaning and the topics that they share."""

from __future__ import annotations

from graph import views
from graph.conditions import Names, filters, of_request, settle
from graph.lexical import sparse
from graph.models import Resource, SimilarAnswer, SimilarRequest, Why
from graph.ports import Sparse, VectorQuery
from graph.search import Parts, hits, ranked

TOPICS_WEIGHT = 0.5  # all topics shared weigh half of the same meaning
NO_WORDS = Sparse((), ())


def similar(found: Resource, request: SimilarRequest, parts: Parts) -> SimilarAnswer:
    """The likest resources, never itself; each tells the topics that both are about.

    Raises:
        UnknownName: a filter has no such value.
    """
    settled = settle(of_request(request), Names(parts.curriculum, parts.index.values))
    meaning = parts.index.vector(found.id)
    shown = views.hit(found)
    if meaning is None:
        return SimilarAnswer(resource=shown, hits=())
    query = VectorQuery(
        dense=meaning,
        words=NO_WORDS,
        topics=_topics(found),
        words_half=1.0,
        words_weight=0.0,
        topics_weight=TOPICS_WEIGHT,
        filters=filters(settled, parts.curriculum),
    )
    others = [one for one in ranked(query, parts.index, request.limit) if one.id != found.id][: request.limit]
    shared = ((hit, [slug for slug in hit.topics if slug in shown.topics]) for hit in hits(others, parts))
    return SimilarAnswer(
        resource=shown, hits=tuple(hit.model_copy(update={"why": Why(topics=tuple(topics))}) for hit, topics in shared)
    )


def _topics(found: Resource) -> Sparse:
    """Its topics by confidence, so that they come to 1 with themselves."""
    length = sum(link.confidence**2 for link in found.topics) or 1.0
    return sparse({link.slug: link.confidence / length for link in found.topics})
