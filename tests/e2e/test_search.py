"""What a user of search gets, on the starter lists: conditions, pages, counts, reasons, help."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.errors import BadRequest, UnknownName
from graph.lexical import phrase
from graph.library import Library
from graph.models import Hit, SearchAnswer, SearchRequest, SimilarRequest


def find(library: Library, query: str, **fields: object) -> SearchAnswer:
    return library.search(SearchRequest.model_validate({"query": query, **fields}))


def pages(library: Library, query: str, limit: int) -> Iterator[SearchAnswer]:
    """Every page, one after another."""
    answer = find(library, query, limit=limit)
    yield answer
    while answer.next:
        answer = find(library, query, limit=limit, cursor=answer.next)
        yield answer


def ids(answer: SearchAnswer) -> list[str]:
    return [hit.id for hit in answer.hits]


def text(hit: Hit) -> str:
    """The words of a hit, kept apart as the index keeps them."""
    places = (*([hit.says] if hit.says else []), *hit.mentions)
    return " | ".join(phrase(part) for part in (hit.title, *hit.authors, *(place.note for place in places)))


@pytest.mark.parametrize("query", ["flash attention", "attention", "topic:quantization", "source:gpu-acts.txt"])
def test_pages_give_every_answer_once_and_in_order(starter: Library, query: str) -> None:
    paged = [hit.id for answer in pages(starter, query, limit=7) for hit in answer.hits]
    whole = [hit.id for answer in pages(starter, query, limit=100) for hit in answer.hits]

    assert len(paged) > 7
    assert paged == whole[: len(paged)]
    assert len(set(paged)) == len(paged)


def test_facets_count_what_the_pages_hold(starter: Library) -> None:
    answer = find(starter, "attention", facets=True)
    held = [hit for page in pages(starter, "attention", limit=10) for hit in page.hits]
    counts = {one.value: one.count for one in answer.facets["kind"]}

    assert len(held) > 10
    assert counts == {kind: sum(hit.kind == kind for hit in held) for kind in counts}
    assert sum(counts.values()) == len(held)
    assert find(starter, "attention").facets == {}


def test_a_condition_leaves_as_many_as_its_facet_counted(starter: Library) -> None:
    facets = find(starter, "attention", facets=True).facets
    for field in ("kind", "topic", "source", "author"):
        one = facets[field][0]  # type: ignore[index]
        left = find(starter, f"attention {field}:{one.value}", facets=True).facets["kind"]
        assert sum(counted.count for counted in left) >= one.count, f"{field}: a topic brings those below it"
    kind = facets["kind"][0]
    assert find(starter, f"attention kind:{kind.value}", facets=True).facets["kind"] == (kind,)


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("gemm kind:blog kind:repo", {"kind": ["blog", "repo"]}),
        ("gemm tier:<=1", {"max_tier": 1}),
        ("hw:MI300X gemm", {"hardware": "mi300x"}),
        ("gemm topic:matrix-multiplication", {"topic": ["matrix-multiplication"]}),
        ("by:nvidia gemm", {"author": ["NVIDIA"]}),
        ("gemm source:acts status:to_read", {"source": ["gpu-acts.txt"], "status": ["to_read"]}),
    ],
)
def test_a_condition_in_the_query_is_one_in_the_request(
    starter: Library, query: str, fields: dict[str, object]
) -> None:
    in_words, in_fields = find(starter, query), find(starter, "gemm", **fields)

    assert ids(in_words) == ids(in_fields)
    assert in_words.understood == in_fields.understood
    assert in_words.understood
    assert in_words.understood.words == "gemm"


def test_conditions_of_query_and_request_both_hold(starter: Library) -> None:
    both = find(starter, "attention topic:kv-cache", topic=["paged-attention"], limit=100)

    assert both.hits
    assert set(ids(both)) == set(ids(find(starter, "attention topic:kv-cache", limit=100))) & set(
        ids(find(starter, "attention", topic=["paged-attention"], limit=100))
    )
    assert find(starter, "attention kind:paper", kind=["blog"]).hits == ()


def test_a_phrase_stands_in_every_hit_and_an_excluded_word_in_none(starter: Library) -> None:
    exact = find(starter, '"shared memory"', limit=100)
    without = find(starter, '"shared memory" -conflicts -"thread block"', limit=100)

    assert exact.hits
    assert all("shared memory" in text(hit) for hit in exact.hits)
    assert 0 < len(without.hits) < len(exact.hits)
    assert not any({"conflicts"} & set(text(hit).split()) for hit in without.hits)
    assert not any(" thread block " in f" {text(hit)} " for hit in without.hits)


def test_what_is_excluded_is_gone_and_nothing_else(starter: Library) -> None:
    left = {hit.id for page in pages(starter, "-kind:blog -tier:2", limit=100) for hit in page.hits}

    assert left == {one.id for one in starter.export() if one.kind != "blog" and one.tier != 2}


def test_a_query_of_conditions_alone_finds_all_that_meets_them(starter: Library) -> None:
    found = [hit for page in pages(starter, "kind:lecture tier:1", limit=10) for hit in page.hits]

    assert found
    assert all(hit.kind == "lecture" and any(place.tier == 1 for place in hit.mentions) for hit in found)
    assert sum(one.kind == "lecture" and one.tier == 1 for one in starter.export()) == len(found)


def test_a_slip_is_mended_and_said(starter: Library) -> None:
    answer = find(starter, "shraed memroy kind:blog")

    assert answer.corrected == "shared memory"
    assert ids(answer) == ids(find(starter, "shared memory kind:blog"))
    assert find(starter, "shared memory").corrected is None


def test_each_hit_says_why_in_the_words_of_its_lists_and_of_the_ontology(starter: Library) -> None:
    for hit in find(starter, "shared memory bank conflicts").hits:
        said = (*([hit.says] if hit.says else []), *hit.mentions)
        assert hit.why
        assert hit.why.note is None or hit.why.note in said
        assert set(hit.why.topics) <= set(hit.topics)
        for one in hit.highlights:
            assert one.text == hit.title if one.field == "title" else one.text in [p.note for p in said]
            assert {one.text[start:end].casefold() for start, end in one.spans} <= {t.casefold() for t in hit.why.terms}


def test_hits_that_no_query_found_give_no_reasons(starter: Library) -> None:
    shown = (*starter.topic("shared-memory").resources, *starter.kernel("softmax").resources)

    assert shown
    assert all(hit.why is None and hit.highlights == () for hit in shown)


@pytest.mark.parametrize(
    "query",
    [
        " ", "the of and", "🚀🔥", "注意力机制", "Внимание", "x" * 2000, '"', '""', '"gemm', 'gemm" tiling', "-", ":",
        "a:b", "-gemm", '-"', "kind:", "tier:99 gemm", '"no list has this phrase" gemm',
        "kind:book source:acts tier:3 gemm",
        "\x00", "'; DROP TABLE nodes; --", "<script>", "(" * 1000, "\\" * 1000, "a " * 1000, '"a" ' * 50,
    ],
)  # fmt: skip
def test_odd_queries_get_an_answer_or_a_sentence_that_helps(starter: Library, query: str) -> None:
    answer = find(starter, query, facets=True)

    assert answer.hits or answer.warnings
    if answer.abstain:
        assert answer.warnings or answer.suggestions or answer.hits
        assert answer.next is None
        assert answer.facets == {}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("kind:podcast x", "There is no kind called “podcast”."),
        ("by:nobody-of-that-name x", "There is no author called “nobody-of-that-name”."),
        ("source:guide x", "There is no source called “guide”."),
        ("tier:low x", "“tier:low” is no tier."),
        ("knid:video x", "There is no filter called “knid”."),
    ],
)
def test_a_condition_that_nothing_can_meet_is_told(starter: Library, query: str, message: str) -> None:
    with pytest.raises(BadRequest) as told:
        find(starter, query)

    assert told.value.message == message


def test_where_all_is_filtered_out_the_answer_tells_what_to_drop(starter: Library) -> None:
    answer = find(starter, "gemm kind:blog tier:99")

    assert answer.abstain
    assert answer.warnings == ("Nothing meets kind:blog tier:99.",)
    assert "gemm kind:blog" in answer.suggestions
    assert find(starter, "gemm kind:blog").hits


def test_what_no_list_speaks_of_is_named(starter: Library) -> None:
    answer = find(starter, "zucchini casserole")

    assert answer.abstain
    assert answer.warnings == ("No list uses “zucchini”, “casserole”.",)


def test_the_path_to_what_is_found_is_for_the_words_and_hardware_of_the_query(starter: Library) -> None:
    in_words, in_fields = (
        starter.search(SearchRequest(query="flashattention hw:hopper", path=True)),
        starter.search(SearchRequest(query="flashattention", hardware="hopper", path=True)),
    )

    assert in_words.model_dump()["path"] == in_fields.model_dump()["path"] is not None


def test_a_resource_is_never_like_itself_and_shares_topics_with_the_likest(starter: Library) -> None:
    one = find(starter, "paged attention").hits[0]
    answer = starter.similar(one.id, SimilarRequest(limit=20))

    assert answer.resource.id == one.id
    assert one.id not in [hit.id for hit in answer.hits]
    assert len({hit.id for hit in answer.hits}) == 20
    assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)
    assert answer.hits[0].why
    assert answer.hits[0].why.topics
    assert set(answer.hits[0].why.topics) <= set(one.topics)


def test_what_is_like_a_resource_meets_the_conditions(starter: Library) -> None:
    one = find(starter, "paged attention").hits[0]
    papers = starter.similar(one.title, SimilarRequest(kind=("paper",), max_tier=2)).hits

    assert papers
    assert all(hit.kind == "paper" for hit in papers)


@pytest.mark.parametrize("name", ["no resource is called so", 'knid:video -x "'])
def test_what_is_no_resource_is_told_however_it_is_written(starter: Library, name: str) -> None:
    with pytest.raises(UnknownName, match="no resource called"):
        starter.similar(name)
