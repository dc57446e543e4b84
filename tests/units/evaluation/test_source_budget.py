"""What fits into a number of tokens of source is found, and what stands behind it is not."""

from dataclasses import replace

import pytest

from goldwright.evaluation.source_budget import BUDGETS, budget_name, recall_within
from goldwright.golden.queries import DatasetQuery

QUERY = DatasetQuery("q1", "What?", expected_ids=("a.py::f", "b.py::g"))
SIZES = {"a.py::f": 400, "b.py::g": 600, "c.py::h": 1}


@pytest.mark.parametrize(
    ("ranked", "budget", "recall"),
    [
        (("a.py::f", "b.py::g"), 1000, 1.0),
        (("a.py::f", "b.py::g"), 999, 0.5),
        (("a.py::f", "c.py::h", "b.py::g"), 1000, 0.5),
        (("b.py::g", "a.py::f"), 599, 0.0),
        # What does not fit hides what stands behind it, however short.
        (("b.py::g", "a.py::f"), 500, 0.0),
        ((), 1000, 0.0),
    ],
)
def test_results_count_until_one_does_not_fit(
    ranked: tuple[str, ...], budget: int, recall: float
) -> None:
    found = recall_within(QUERY, ranked, budget, size_of=SIZES.__getitem__, of_files=False)
    assert found == recall


def test_files_are_found_by_any_entity_of_theirs() -> None:
    query = replace(QUERY, expected_files=("a.py", "b.py"))
    ranked = ("a.py::other", "b.py::g")
    sizes = {"a.py::other": 400, "b.py::g": 600}
    of_all = recall_within(query, ranked, 1000, size_of=sizes.__getitem__, of_files=True)
    of_one = recall_within(query, ranked, 500, size_of=sizes.__getitem__, of_files=True)
    assert (of_all, of_one) == (1.0, 0.5)


def test_where_no_file_is_expected_none_is_found() -> None:
    query = replace(QUERY, expected_files=())
    size_of = SIZES.__getitem__
    assert recall_within(query, ("a.py::f",), 1000, size_of=size_of, of_files=True) == 0.0


def test_names_tell_the_budget_in_thousands() -> None:
    assert not [budget for budget in BUDGETS if budget % 1000]
    assert [budget_name(budget, of_files=False) for budget in BUDGETS] == [
        "R@1k-tokens",
        "R@4k-tokens",
        "R@8k-tokens",
    ]
    assert budget_name(4000, of_files=True) == "file.R@4k-tokens"
