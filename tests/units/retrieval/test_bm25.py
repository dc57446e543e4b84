"""The lexical baseline: tokens, scores and order."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import bm25s
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from goldwright.retrieval.entity_documents import EntityDocument, documents
from goldwright.retrieval.hit_order import sort_hits
from goldwright.retrieval.retrievers.bm25 import CHOSEN_WEIGHTS, BM25Retriever, weighted_texts
from goldwright.retrieval.stop_words import STOP_WORDS
from goldwright.retrieval.term_counts import count_terms
from goldwright.retrieval.tokens import code_tokens
from goldwright.snapshot import open_snapshot

WORDS = st.sampled_from(
    ["parse", "HttpRequest", "cache_key", "retry", "the", "x1", "größe", "__init__", "Zoo"]
)
# Small and capital letters alike, as at the start of a question.
NOISE = st.sampled_from(sorted(STOP_WORDS)).flatmap(
    lambda word: st.sampled_from([word, word.title()])
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)
NOISY_TEXTS = st.lists(WORDS | NOISE, max_size=24).map(" ".join)
CORPORA = st.lists(TEXTS, max_size=12).map(
    lambda texts: [EntityDocument(f"m.py::f{n:02}", t) for n, t in enumerate(texts)]
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("parse", ["parse"]),
        ("parse_request", ["parse", "request", "parse_request"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("getURL2Path", ["get", "url", "2", "path", "geturl2path"]),
        ("__init__", ["init"]),
        ("MAX_AGE = 10", ["max", "age", "max_age", "10"]),
        ("don't", ["don", "t"]),
        ("Größe_2", ["größe", "2", "größe_2"]),
        ("What does it do when THE key is missing?", ["key", "missing"]),
        ("if not is_valid or not __or__:", ["is", "valid", "is_valid", "or"]),
        ("WhatIf", ["what", "if", "whatif"]),
        ("", []),
        ("_", []),
    ],
)
def test_words_of_code_are_cut_at_their_seams(text: str, tokens: list[str]) -> None:
    """Parts first, then the whole of a word that is put together."""
    assert list(code_tokens(text)) == tokens


@given(CORPORA, TEXTS, st.integers(1, 15))
def test_hits_come_by_falling_score_and_rising_id(
    corpus: list[EntityDocument], query: str, limit: int
) -> None:
    """The order is total, scores are above 0 and no id stands twice."""
    hits = BM25Retriever(corpus).search(query, limit=limit)
    assert len(hits) <= limit
    assert [(-hit.score, hit.entity_id) for hit in hits] == sorted(
        {(-hit.score, hit.entity_id) for hit in hits}
    )
    assert all(hit.score > 0 for hit in hits)


@given(CORPORA, TEXTS)
def test_exactly_the_documents_that_share_a_token_are_found(
    corpus: list[EntityDocument], query: str
) -> None:
    """A hit shares a token with the query, and what shares one is a hit."""
    query_tokens = set(code_tokens(query))
    expected = {
        document.entity_id for document in corpus if query_tokens & set(code_tokens(document.text))
    }
    assert {hit.entity_id for hit in BM25Retriever(corpus).search(query, limit=100)} == expected


def without_stop_words(text: str) -> str:
    """The words of a text that are no stop words, in their order."""
    words = text.split()
    return " ".join(word for word in words if word.lower() not in STOP_WORDS)


@given(st.lists(NOISY_TEXTS, max_size=12), NOISY_TEXTS)
def test_stop_words_change_nothing_in_queries_and_documents_alike(
    texts: list[str], query: str
) -> None:
    """Neither which documents are found, nor their scores."""
    noisy = [EntityDocument(f"m.py::f{place}", text) for place, text in enumerate(texts)]
    plain = [EntityDocument(doc.entity_id, without_stop_words(doc.text)) for doc in noisy]
    hits = BM25Retriever(noisy).search(query)
    assert hits == BM25Retriever(plain).search(without_stop_words(query))


def test_the_words_that_make_a_question_find_nothing() -> None:
    """A document full of them is no answer to everything."""
    chatty = EntityDocument("a", "What does this do, and when would you want which of them?")
    silent = EntityDocument("b", "def expire(cache): ...")
    assert list(BM25Retriever([chatty, silent]).search("How does it do that?")) == []
    hits = BM25Retriever([chatty, silent]).search("What would expire this, and when does it?")
    assert [hit.entity_id for hit in hits] == ["b"]


@given(CORPORA, TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_the_corpus_does_not_matter(
    corpus: list[EntityDocument], query: str, random: Random
) -> None:
    """Shuffled documents give the same ids in the same order."""
    shuffled = list(corpus)
    random.shuffle(shuffled)
    first, second = BM25Retriever(corpus).search(query), BM25Retriever(shuffled).search(query)
    assert [hit.entity_id for hit in first] == [hit.entity_id for hit in second]


def test_the_score_is_that_of_the_formula() -> None:
    """Worked by hand: two documents of lengths 2 and 4, the term once in the first."""
    hits = BM25Retriever(
        [EntityDocument("a", "cache hit"), EntityDocument("b", "one two three four")]
    ).search("cache")
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert [hit.entity_id for hit in hits] == ["a"]
    assert hits[0].score == pytest.approx(idf / (1 + 1.2 * (0.25 + 0.75 * 2 / 3)))


NAMES = st.sampled_from(["", "retry", "Zoo.parse", "cache_key", "lib/x1.py"])
NAMED_CORPORA = st.lists(st.tuples(TEXTS, NAMES, NAMES, NAMES), min_size=1, max_size=90).map(
    lambda rows: [
        EntityDocument(f"m.py::f{number:02}", text, name=name, owner=owner, path=path)
        for number, (text, name, owner, path) in enumerate(rows)
    ]
)


def weighted_tokens(document: EntityDocument) -> list[str]:
    """Every token as many times as it counts."""
    tokens: list[str] = []
    for text, weight in weighted_texts(document, CHOSEN_WEIGHTS):
        tokens.extend(list(code_tokens(text)) * weight)
    return tokens


@given(NAMED_CORPORA, TEXTS, st.integers(1, 30))
def test_the_lists_are_those_of_bm25s_on_the_same_tokens(
    corpus: list[EntityDocument], query: str, limit: int
) -> None:
    """With tokens repeated as often as they weigh, and our order among its equal scores."""
    corpus_tokens = [weighted_tokens(document) for document in corpus]
    query_tokens = [token for token in code_tokens(query) if token in set().union(*corpus_tokens)]
    assume(query_tokens)
    reference = bm25s.BM25(method="lucene", k1=1.2, b=0.75, dtype="float64")
    reference.index(corpus_tokens, show_progress=False)
    ids = [document.entity_id for document in corpus]
    scored = zip(ids, reference.get_scores(query_tokens).tolist(), strict=True)
    expected = {entity_id: score for entity_id, score in scored if score > 0}
    hits = BM25Retriever(corpus).search(query, limit=limit)
    found = {hit.entity_id: hit.score for hit in hits}
    assert found == pytest.approx({entity_id: expected[entity_id] for entity_id in found})
    # Scores that only rounding tells apart are equal for both.
    assert sort_hits(list(found.items())) == sort_hits(list(expected.items()))[:limit]


@given(
    st.lists(st.lists(st.tuples(TEXTS, st.integers(0, 20)), max_size=3), max_size=12),
    st.integers(1, 30),
)
def test_a_term_counts_as_often_as_its_text_weighs_however_many_are_counted_at_a_time(
    corpus: list[list[tuple[str, int]]], chunk_size: int
) -> None:
    table = count_terms(corpus, chunk_size=chunk_size)
    counted: list[dict[str, float]] = [{} for _ in corpus]
    for term in table.number_of:
        entries = table.entries(term)
        numbers: Sequence[int] = table.documents[entries].tolist()
        assert numbers == sorted(set(numbers))
        for number, count in zip(numbers, table.counts[entries].tolist(), strict=True):
            counted[number][term] = count
    expected: list[Counter[str]] = [Counter() for _ in corpus]
    for counts, texts in zip(expected, corpus, strict=True):
        for text, weight in texts:
            for token in code_tokens(text) if weight else ():
                counts[token] += weight
    assert counted == expected
    assert table.lengths.tolist() == [counts.total() for counts in expected]
    assert table.entries("never") == slice(0)


def test_a_name_says_more_than_a_body() -> None:
    """And so does the file, by less; a second mention in the body comes before a word of the owner
    that makes its entity longer.
    """
    corpus = [
        EntityDocument("body", "retry retry and some more words of it"),
        EntityDocument("owner", "retry and some more words of it", owner="retry"),
        EntityDocument("path", "retry and some more words of it", path="retry.py"),
        EntityDocument("name", "retry and some more words of it", name="retry"),
    ]
    hits = BM25Retriever(corpus).search("retry")
    assert [hit.entity_id for hit in hits] == ["name", "path", "body", "owner"]


def test_a_question_in_plain_words_finds_an_identifier() -> None:
    """Words match the parts of names."""
    corpus = [
        EntityDocument("a", "def fetch_page(url): ..."),
        EntityDocument("b", "def parse_header(line): ..."),
    ]
    assert BM25Retriever(corpus).search("where is the header of a line parsed?")[0].entity_id == "b"


def test_an_empty_codebase_has_no_hits() -> None:
    """Nothing indexed means nothing found."""
    assert list(BM25Retriever([]).search("anything")) == []


DOCUMENTED = '''"""A module about zebras."""


class Stable(dict):
    """Where zebras sleep."""

    size = 3
    """How many zebras fit in."""

    def clean(self):
        """Sweep behind every zebra."""
        return "zebra"  # no zebra is asked


def feed(): "Give hay to each zebra."
'''


def test_without_docstrings_code_and_comments_are_searched_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "zoo.py").write_text(DOCUMENTED, encoding="utf-8")
    snapshot = open_snapshot(tmp_path / "repo", rev=None, cache=tmp_path / "cache", workers=1)
    with_docstrings = {document.entity_id: document.text for document in documents(snapshot)}
    blanked = documents(snapshot, blank_docstrings=True)
    without = {document.entity_id: document.text for document in blanked}
    assert {entity_id: text.count("zebra") for entity_id, text in without.items()} == {
        "zoo.py::Stable": 0,
        "zoo.py::Stable.clean": 2,
        "zoo.py::feed": 0,
    }
    for entity_id, text in with_docstrings.items():
        assert text.count("\n") == without[entity_id].count("\n")
    hits = BM25Retriever.over(snapshot, blank_docstrings=True).search("Where do zebras sleep?")
    assert list(hits) == []


SHOP = '''"""A shop."""

LIMIT = 3


class Cart(dict):
    """What somebody wants to buy."""

    currency = "EUR"

    @property
    def total(
        self,
    ) -> int:
        """Add it up."""
        return sum(self.values())

    def clear(self): return None


def restock(item):
    def count():
        return 1
    return count() + item
'''


def test_entities_are_found_by_their_own_lines(tmp_path: Path) -> None:
    """A class shows its header, statements and signatures, a function all its lines, and no body
    stands in both.
    """
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "shop.py").write_text(SHOP, encoding="utf-8")
    snapshot = open_snapshot(tmp_path / "repo", rev=None, cache=tmp_path / "cache", workers=1)
    source_lines = {
        document.entity_id: document.text.split("\n")[2:] for document in documents(snapshot)
    }
    lines = SHOP.split("\n")
    assert source_lines == {
        "shop.py::Cart": [*lines[5:14], "", lines[17]],
        "shop.py::Cart.total": lines[10:16],
        "shop.py::Cart.clear": [lines[17]],
        "shop.py::restock": lines[20:24],
        "shop.py::restock.count": lines[21:23],
    }
    assert len(BM25Retriever.over(snapshot)) == 5
