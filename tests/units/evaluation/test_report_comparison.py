"""Two evaluations of one dataset, compared query by query."""

from dataclasses import replace
from typing import Any

import pytest

from goldwright.cli.report_comparison_text import report_comparison_lines
from goldwright.errors import InputError
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.report_comparison import compare_reports
from units.evaluation.evaluations import report, report_of_values, scored


def test_a_difference_is_what_came_after_less_what_was_before() -> None:
    before, after = report_of_values(0.5, 0.0, 0.25), report_of_values(1.0, 0.5, 0.5)
    (comparison,) = compare_reports(before, after, seed=0)
    assert comparison.measure == "MRR"
    assert comparison.before == 0.25
    assert comparison.after == pytest.approx(2 / 3)
    assert comparison.difference.mean == pytest.approx(5 / 12)
    assert comparison.bootstrap is not None
    low, high = comparison.bootstrap
    assert 0.25 <= low <= high <= 0.5


def test_turning_the_two_round_turns_the_difference_round() -> None:
    first, second = report_of_values(0.5, 0.0, 0.25), report_of_values(1.0, 0.5, 0.5)
    (forward,) = compare_reports(first, second, seed=0)
    (backward,) = compare_reports(second, first, seed=0)
    assert forward.difference.mean == -backward.difference.mean
    assert forward.adjusted_p == backward.adjusted_p


def test_queries_are_paired_by_their_ids_and_not_by_their_places() -> None:
    before = report([scored("q1", {"MRR": 0.0}), scored("q2", {"MRR": 1.0})])
    after = report([scored("q2", {"MRR": 1.0}), scored("q1", {"MRR": 0.0})])
    (comparison,) = compare_reports(before, after, seed=0)
    assert comparison.difference.mean == 0
    assert comparison.bootstrap is None
    assert not comparison.is_shown


@pytest.mark.parametrize(("queries", "is_shown"), [(5, False), (6, True)])
def test_six_queries_that_all_rise_show_a_difference_and_five_do_not(
    queries: int, is_shown: bool
) -> None:
    """Of all signs two are as extreme: 2/32 for five queries, 2/64 for six."""
    before = report_of_values(*[0.0] * queries)
    after = report_of_values(*[0.5] * queries)
    (comparison,) = compare_reports(before, after, seed=0)
    assert comparison.adjusted_p == pytest.approx(2 / 2**queries)
    assert comparison.is_shown is is_shown


def test_the_p_values_of_several_measures_are_adjusted_together() -> None:
    """Six rising queries are shown beside a measure that stays, and not beside one that wavers."""
    before = report([scored(f"q{n}", {"MRR": 0.0, "R@10": 0.5}) for n in range(8)])
    steady = report([scored(f"q{n}", {"MRR": 0.5 * (n < 6), "R@10": 0.5}) for n in range(8)])
    rising, equal = compare_reports(before, steady, seed=0)
    assert (rising.measure, equal.measure) == ("MRR", "R@10")
    assert rising.adjusted_p == pytest.approx(2 / 64)
    assert equal.adjusted_p == 1
    wavering = report(
        [scored(f"q{n}", {"MRR": 0.5 * (n < 6), "R@10": float(n % 2)}) for n in range(8)]
    )
    rising, wavers = compare_reports(before, wavering, seed=0)
    assert rising.difference.p_value == pytest.approx(2 / 64)
    # Eight of 256 choices move all six one way; two more let the other measure waver as one.
    assert rising.adjusted_p == pytest.approx(10 / 256)
    assert not wavers.is_shown


def test_only_measures_of_quality_that_both_have_are_compared() -> None:
    before = report([scored("q1", {"MRR": 0.0, "P@1": 0.0, "Judged@10": 0.5})])
    after = report([scored("q1", {"MRR": 1.0, "P@5": 0.0, "Judged@10": 1.0})])
    assert [row.measure for row in compare_reports(before, after, seed=0)] == ["MRR"]
    other = report([scored("q1", {"P@5": 0.0, "Judged@10": 1.0})])
    with pytest.raises(InputError, match="have no measure in common"):
        compare_reports(before, other, seed=0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"dataset_sha256": "sha256:2", "dataset": "q.csv"},
            "two datasets: .* before, q.csv after; score both on the same one",
        ),
        ({"depth": 10}, "depth: 100 in the one, 10 in the other; score both in the same way"),
        ({"ties": "trec"}, "ties: id in the one, trec in the other"),
    ],
)
def test_evaluations_of_two_kinds_are_not_compared(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare_reports(report_of_values(1.0), report_of_values(1.0, **changes), seed=0)


@pytest.mark.parametrize("turned_round", [False, True])
def test_a_query_of_one_evaluation_alone_is_named(turned_round: bool) -> None:
    pair: tuple[EvaluationReport, EvaluationReport]
    pair = report_of_values(1.0, 1.0, 1.0), report_of_values(1.0)
    before, after = reversed(pair) if turned_round else pair
    with pytest.raises(InputError, match="q1: was asked in one of the two evaluations only"):
        compare_reports(before, after, seed=0)


def test_evaluations_of_different_texts_are_not_compared() -> None:
    """Code with docstrings and code without them are two corpora."""
    with_docstrings = report_of_values(1.0, 0.5)
    without = report_of_values(0.5, 0.5, blank_docstrings=True)
    with pytest.raises(InputError, match="blank_docstrings: False in the one, True in the other"):
        compare_reports(with_docstrings, without, seed=0)
    (comparison,) = compare_reports(without, without, seed=0)
    assert comparison.difference.mean == 0


def test_what_one_measure_alone_would_show_is_told_beside_what_all_show() -> None:
    """A bench tests its first measure alone, so that it may call shown what is not shown here."""
    before = report([scored(f"q{n}", {"MRR": 0.0, "R@10": 0.0}) for n in range(12)])
    after = report(
        [scored(f"q{n}", {"MRR": 0.5 * (n < 6), "R@10": 0.5 * (n >= 6)}) for n in range(12)]
    )
    text = "\n".join(report_comparison_lines(before.compare(after)))
    assert "No difference is shown" in text
    assert "note: MRR, R@10: p alone is below 0.05, p over all 2 measures is not." in text
    same = "\n".join(report_comparison_lines(before.compare(before)))
    assert "p alone is below" not in same


def test_what_one_evaluation_alone_says_of_its_numbers_is_repeated() -> None:
    """Who reads the comparison has not read both; what both say makes them no less comparable."""
    before = report_of_values(0.5, 1.0, notes=("No line ranges.", "Words are at home here."))
    after = report_of_values(0.5, 1.0, notes=("No line ranges.",), retriever="mine")
    for first, second in ((before, after), (after, before)):
        lines = list(report_comparison_lines(first.compare(second)))
        assert [line for line in lines if line.startswith("note on")] == [
            "note on bm25: Words are at home here."
        ]


def test_both_sides_say_what_was_searched_and_where_no_codebase_was() -> None:
    before = report_of_values(0.5, 1.0, commit="", searched="3 documents of the dataset")
    after = report_of_values(0.5, 1.0, searched="12 functions, methods and classes")
    heading = list(report_comparison_lines(before.compare(after)))[:3]
    assert heading == [
        "before  bm25, among 3 documents of the dataset",
        "after   bm25, among 12 functions, methods and classes",
        "the codebase is another: none before, cccccccccccc after",
    ]


@pytest.mark.parametrize(("adjusted_p", "is_shown"), [(0.0499, True), (0.05, False)])
def test_a_difference_is_shown_below_five_percent(adjusted_p: float, is_shown: bool) -> None:
    (comparison,) = compare_reports(report_of_values(0.0), report_of_values(1.0), seed=0)
    assert replace(comparison, adjusted_p=adjusted_p).is_shown is is_shown


def test_the_first_query_of_one_evaluation_alone_is_named_by_the_alphabet() -> None:
    before = report([scored(name, {"MRR": 1.0}) for name in ("q1", "q3")])
    after = report([scored(name, {"MRR": 1.0}) for name in ("q4", "q1", "q2")])
    with pytest.raises(InputError, match="q2: was asked in one of the two evaluations only"):
        compare_reports(before, after, seed=0)
