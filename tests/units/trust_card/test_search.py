"""The lexical search of the trust card: what it indexes, and how it ranks."""

from collections import Counter

import pytest

from goldwright.trust_card.documents import CodeSearch, first_sentence
from goldwright.trust_card.search import LexicalIndex, ndcg, search_terms
from units.trust_card.codebases import reading

CODE = {
    "app/shop.py": '''
        class Basket:
            """Holds apples."""
            size = 3
            def put(self, thing):
                """Put pears in. They rot."""
                def inner():
                    """Plums."""
                self.things.append(thing)
        '''
}


def indexed(documents: list[tuple[str, Counter[str]]]) -> LexicalIndex:
    """Index documents of terms."""
    index = LexicalIndex()
    for document_id, terms in documents:
        index.add(document_id, terms)
    return index


def test_rare_terms_and_short_documents_rank_first_and_equal_ones_by_id() -> None:
    index = indexed(
        [
            ("long", Counter({"apple": 1, "pear": 9})),
            ("b", Counter({"apple": 1})),
            ("a", Counter({"apple": 1})),
            ("rare", Counter({"plum": 1, "apple": 1})),
            ("none", Counter({"fig": 1})),
        ]
    )
    assert list(index.ranks("apples, apple and plum")) == ["rare", "a", "b", "long"]
    assert index.ranks("apple")["a"] == 1
    assert index.ranks("of the") == {}
    assert index.ranks_among("apples, apple and plum", frozenset({"b", "rare", "no"})) == {
        "b": 3,
        "rare": 1,
    }


def test_the_scores_are_those_of_the_formula() -> None:
    # Two documents of lengths 1 and 3, the term in one of them: computed by hand.
    index = indexed([("x", Counter({"apple": 1})), ("y", Counter({"pear": 3}))])
    assert index.scores("apple") == pytest.approx({"x": 0.6931472 * 2.2 / 1.75})


def test_a_class_is_indexed_without_its_members_and_a_function_with_what_is_inside() -> None:
    search = CodeSearch(reading(CODE))
    assert set(search.whole.ranks("apples")) == {"app/shop.py::Basket"}
    assert set(search.whole.ranks("size")) == {"app/shop.py::Basket"}
    assert set(search.whole.ranks("plums")) == {
        "app/shop.py::Basket.put",
        "app/shop.py::Basket.put.inner",
    }
    assert set(search.whole.ranks("shop")) == {
        "app/shop.py::Basket",
        "app/shop.py::Basket.put",
        "app/shop.py::Basket.put.inner",
    }


def test_blanked_docstrings_are_found_by_nothing() -> None:
    search = CodeSearch(reading(CODE))
    assert search.without_docstrings.ranks("apples pears plums") == {}
    assert set(search.without_docstrings.ranks("append")) == {"app/shop.py::Basket.put"}


def test_first_sentences_are_indexed_alone() -> None:
    search = CodeSearch(reading(CODE))
    assert set(search.first_sentences.ranks("pears")) == {"app/shop.py::Basket.put"}
    assert search.first_sentences.ranks("rot append") == {}
    assert first_sentence("\n  Reads\n  it. Then\n  stops.\n\nMore.") == "Reads it."


def test_ndcg_agrees_with_the_definition() -> None:
    assert ndcg([1, 2], 2) == 1.0
    assert ndcg([], 2) == 0.0
    assert ndcg([11], 1) == 0.0
    assert ndcg([3], 1) == pytest.approx(0.5)
    assert ndcg([2], 2) == pytest.approx(0.6309298 / 1.6309298)


def test_terms_are_words_of_identifiers_without_stop_words() -> None:
    assert list(search_terms("the HTTPServer.get_data of x")) == ["http", "server", "data"]


def test_the_gain_of_a_result_falls_with_its_rank() -> None:
    """A single relevant result at each rank, as the definition has it."""
    assert [ndcg([rank], 1) for rank in (1, 3, 10, 11)] == pytest.approx(
        [1.0, 0.5, 0.28906483, 0.0]
    )
    assert ndcg([2], 1) == pytest.approx(0.63092975)
    assert ndcg([1, 2], 2) == 1.0
