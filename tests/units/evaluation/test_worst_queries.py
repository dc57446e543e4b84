"""The code that the worst queries should have found, beside what they found."""

from pathlib import Path

import pytest

from goldwright.evaluation.strata import summarize_strata
from goldwright.evaluation.worst_queries import (
    LONGEST_LINE,
    MOST_WORST,
    choose_main_measure,
    snippets_of_worst,
    worst_queries,
)
from goldwright.pages.evaluation_page import evaluation_page
from goldwright.snapshot import Snapshot, open_snapshot
from units.evaluation.evaluations import report, scored

CODE = f'''"""Shop."""


@cached
def add(price):
    """<script>alert(1)</script> {"x" * 500}\u202e"""
    return price


def long():
{"    pass" + chr(10)}{("    step()" + chr(10)) * 50}'''


TWICE = """if a:
    def add():
        pass
else:
    def add():
        return 1
"""


@pytest.fixture
def shop(tmp_path: Path) -> Snapshot:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "shop.py").write_text(CODE)
    (tmp_path / "code" / "notes.txt").write_text("first\nsecond\n")
    (tmp_path / "code" / "two.py").write_text(TWICE)
    return open_snapshot(tmp_path / "code", rev=None, cache=tmp_path / "cache", workers=1)


def test_the_worst_expected_entity_stands_beside_the_first_wrong_result(shop: Snapshot) -> None:
    query = scored(
        "q1",
        {"MRR": 0.5},
        expected={"shop.py::long": 2, "shop.py::add": None},
        retrieved=("shop.py::long", "notes.txt"),
    )
    pair = snippets_of_worst(report([query]), shop)["q1"]
    assert pair.expected is not None
    assert pair.retrieved is not None
    assert (pair.expected.entity_id, pair.expected.first_line) == ("shop.py::add", 4)
    assert pair.expected.lines[:2] == ("@cached", "def add(price):")
    assert pair.expected.left_out == 0
    assert pair.retrieved.lines == ("first", "second")


def test_snippets_are_bounded_and_tell_what_they_leave_out(shop: Snapshot) -> None:
    query = scored("q1", {"MRR": 0.0}, expected={"shop.py::long": None}, retrieved=())
    pair = snippets_of_worst(report([query]), shop)["q1"]
    assert pair.retrieved is None
    assert pair.expected is not None
    assert len(pair.expected.lines) == 8
    assert pair.expected.left_out == 44
    query = scored("q1", {"MRR": 0.0}, expected={"shop.py::add": None}, retrieved=())
    pair = snippets_of_worst(report([query]), shop)["q1"]
    assert pair.expected is not None
    assert max(map(len, pair.expected.lines)) == LONGEST_LINE


def test_what_is_no_code_of_the_codebase_has_no_snippet_and_only_the_worst_have_one(
    shop: Snapshot,
) -> None:
    strange = scored("q0", {"MRR": 0.0}, expected={"gone.py::f": None}, retrieved=("../x", ""))
    queries = [
        scored(f"q{place}", {"MRR": place / 100}, expected={"shop.py::add": None})
        for place in range(1, 2 * MOST_WORST)
    ]
    pairs = snippets_of_worst(report([strange, *queries]), shop)
    assert set(pairs) == {f"q{place}" for place in range(1, MOST_WORST)}
    assert snippets_of_worst(report(queries), None) == {}


def test_the_page_shows_code_as_text(shop: Snapshot) -> None:
    evaluation = report([scored("q1", {"MRR": 0.0}, expected={"shop.py::add": None}, retrieved=())])
    snippets = snippets_of_worst(evaluation, shop)
    strata = tuple(summarize_strata(evaluation.queries))
    page = evaluation_page(evaluation, strata, (), None, snippets).decode()
    assert "@cached\ndef add(price):\n" in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "\u202e" not in page


def test_fifteen_queries_are_shown_with_all_their_results() -> None:
    queries = [scored(f"q{place:02}", {"MRR": place / 20}) for place in range(20)]
    ids = [query.query_id for query in worst_queries(report(queries[::-1]))]
    assert ids == [f"q{place:02}" for place in range(15)]


def test_of_queries_alike_by_the_main_measure_the_one_worse_by_the_others_comes_first() -> None:
    queries = [
        scored("q1", {"R@10": 0.5, "MRR": 0.5}),
        scored("q2", {"R@10": 1.0, "MRR": 0.0}),
        scored("q3", {"R@10": 0.0, "MRR": 0.5}),
        scored("q0", {"R@10": 0.5, "MRR": 0.5}),
    ]
    ids = [query.query_id for query in worst_queries(report(queries))]
    assert ids == ["q2", "q3", "q0", "q1"]


@pytest.mark.parametrize(
    ("measures", "main"),
    [
        (("R@10", "nDCG@10", "MRR"), "MRR"),
        (("R@10", "nDCG@10"), "nDCG@10"),
        (("P@1", "R@10"), "R@10"),
        (("P@1", "P@5"), "P@1"),
    ],
)
def test_the_main_measure_is_the_best_known_one_or_else_the_first(
    measures: tuple[str, ...], main: str
) -> None:
    assert choose_main_measure(report([scored("q1", dict.fromkeys(measures, 0.5))])) == main


def test_a_result_that_is_expected_is_no_wrong_one_and_the_worst_rank_counts(
    shop: Snapshot,
) -> None:
    query = scored(
        "q1",
        {"MRR": 0.5},
        expected={"shop.py::add": 2, "shop.py::long": 7},
        retrieved=("shop.py::add", "gone.py::f", "notes.txt"),
    )
    pair = snippets_of_worst(report([query]), shop)["q1"]
    assert pair.expected is not None
    assert pair.expected.entity_id == "shop.py::long"
    # The first wrong result is no code of this codebase, and no other one stands in for it.
    assert pair.retrieved is None


def test_of_what_is_defined_twice_the_first_is_shown(shop: Snapshot) -> None:
    query = scored("q1", {"MRR": 0.0}, expected={"two.py::add": None}, retrieved=())
    pair = snippets_of_worst(report([query]), shop)["q1"]
    assert pair.expected is not None
    assert (pair.expected.first_line, pair.expected.lines) == (
        2,
        ("    def add():", "        pass"),
    )
