"""Figures, their intervals and verdicts, and how a card is written."""

import pytest

from goldwright.records import TrustFigure
from goldwright.trust_card.card import TrustCard, trust_card
from goldwright.trust_card.catalog import MEASURES
from goldwright.trust_card.entity_names import called_by
from goldwright.trust_card.estimates import excess_share, mean, ordered_groups, share
from goldwright.trust_card.figure_records import figure_record, figure_records
from goldwright.trust_card.measure import (
    Figure,
    FigureEstimate,
    FigureGoal,
    FigureText,
    Interval,
    Observation,
)
from goldwright.trust_card.presentation import (
    card_summary_lines,
    figure_rows,
    markdown_table,
    missed_figures,
    table_lines,
)
from units.trust_card.codebases import TextTree, record


def observed(*values: float, group: str = "", expected: float = 0.0) -> list[Observation]:
    """Observations with these values."""
    return [Observation("q", value, group=group, expected=expected) for value in values]


def test_a_share_has_a_wilson_interval() -> None:
    estimate = share(observed(1, 0, 0, 0))
    assert (estimate.value, estimate.n) == (0.25, 4)
    assert estimate.interval == pytest.approx((0.0456, 0.6994), abs=1e-4)


def test_an_excess_is_counted_from_what_is_expected() -> None:
    estimate = excess_share(observed(1, 1, 0, 0, expected=0.4))
    assert estimate.value == pytest.approx(0.1)
    assert estimate.interval == pytest.approx((0.15 - 0.4, 0.85 - 0.4), abs=1e-2)


def test_a_mean_has_an_interval_where_values_differ() -> None:
    assert mean(observed(2, 2)) == FigureEstimate(2.0, 2, None)
    estimate = mean(observed(0, 1, 2, 3))
    assert estimate.value == 1.5
    assert estimate.interval is not None
    assert 0 <= estimate.interval[0] < 1.5 < estimate.interval[1] <= 3


def test_nothing_observed_is_no_zero() -> None:
    for estimate in (share, excess_share, mean, ordered_groups):
        assert estimate([]) == FigureEstimate(None, 0, None)


def test_tiers_are_in_order_within_each_task_type() -> None:
    observations = [
        *observed(0.9, 0.8, group="debug/easy"),
        *observed(0.5, 0.5, group="debug/medium"),
        *observed(0.5, 0.4, group="debug/hard"),
        *observed(0.1, 0.2, group="general/easy"),
        *observed(0.9, 0.8, group="general/hard"),
        *observed(0.9, group="locate/easy"),
    ]
    estimate = ordered_groups(observations)
    assert (estimate.value, estimate.n) == (0.5, 2)
    assert estimate.interval is not None
    assert estimate.interval[0] <= 0.5 <= estimate.interval[1]


@pytest.mark.parametrize(
    ("goal", "value", "n", "interval", "verdict"),
    [
        (None, 0.5, 60, (0.4, 0.6), None),
        (FigureGoal("at least", 0.9), 0.95, 60, (0.86, 0.98), "ok"),
        (FigureGoal("at least", 0.9), 0.85, 60, (0.74, 0.92), "undecided"),
        (FigureGoal("at least", 0.9), 0.5, 60, (0.38, 0.62), "short"),
        (FigureGoal("at most", 0.1), 0.5, 60, (0.38, 0.62), "short"),
        (FigureGoal("at most", 0.1), 0.05, 60, (0.02, 0.14), "ok"),
        (FigureGoal("at least", 0.9), 1.0, 4, (0.5, 1.0), "too few"),
        (FigureGoal("at least", 0.9), 0.0, 4, (0.0, 0.5), "too few"),
        (FigureGoal("at least", 0.9), None, 0, None, "too few"),
        (FigureGoal("at most", 0.0), 0.5, 2, (0.1, 0.9), "short"),
        (FigureGoal("at most", 0.0), 0.0, 2, (0.0, 0.6), "too few"),
        (FigureGoal("at most", 0.05), 0.2, 9, None, "undecided"),
    ],
)
def test_only_what_surely_misses_its_goal_is_short(
    goal: FigureGoal | None,
    value: float | None,
    n: int,
    interval: Interval | None,
    verdict: str | None,
) -> None:
    text = FigureText("name", "title", "method", goal=goal)
    assert Figure(text, FigureEstimate(value, n, interval)).verdict == verdict


CODE = {"a.py": 'def f():\n    """Do it."""\n'}


def test_the_same_records_and_code_give_the_same_card() -> None:
    records = [record(expects=["a.py::f"], facts=[("`f` does it.", "a.py", 1)])]
    first = trust_card(records, TextTree(CODE))
    assert trust_card(records, TextTree(CODE)) == first
    assert [figure.text.name for figure in first.figures] == [one.text.name for one in MEASURES]


def test_every_figure_has_a_name_a_title_and_a_method_of_its_own() -> None:
    texts = [measure.text for measure in MEASURES]
    assert len({text.name for text in texts}) == len(texts)
    assert len({text.title for text in texts}) == len(texts)
    assert all(text.method.endswith(".") for text in texts)


def test_a_card_without_records_measures_nothing() -> None:
    card = trust_card([], TextTree(CODE))
    assert {figure.estimate.n for figure in card.figures} == {0}
    assert card.missed == ()


FIGURES = {
    "a": TrustFigure(
        title="first",
        unit="share",
        value=0.5,
        n=10,
        interval=(0.2366, 0.7634),
        direction="at least",
        wanted=0.95,
        verdict="short",
    ),
    "b": TrustFigure(title="second", unit="number", value=6.08, n=10, interval=None),
    "c": TrustFigure(
        title="third",
        unit="points",
        value=0.42,
        n=10,
        interval=(0.39, 0.45),
        direction="at most",
        wanted=0.15,
        verdict="short",
    ),
    "d": TrustFigure(
        title="fourth",
        unit="number",
        value=None,
        n=0,
        interval=None,
        direction="at most",
        wanted=0.05,
        verdict="too few",
    ),
}


def test_values_are_written_in_their_units() -> None:
    assert [row.cells for row in figure_rows(FIGURES)] == [
        ("first", "50.0%", "10", "23.7% … 76.3%", "≥ 95%", "short"),
        ("second", "6.1", "10", "", "", ""),
        ("third", "+42 pt", "10", "+39 pt … +45 pt", "≤ 15 pt", "short"),
        ("fourth", "–", "0", "", "≤ 0.05", "too few"),
    ]


def test_the_tables_have_a_row_for_each_figure() -> None:
    assert len(list(table_lines(FIGURES))) == len(FIGURES) + 1
    assert next(iter(markdown_table(FIGURES))).startswith("| figure | value |")
    assert len(list(markdown_table(FIGURES))) == len(FIGURES) + 2


def test_the_summary_counts_what_is_reached_and_names_the_worst() -> None:
    assert list(card_summary_lines(FIGURES)) == [
        "0 of 3 figures reach what is wanted; too few observations for 1",
        "farthest from it: first 50.0% (≥ 95%); third +42 pt (≤ 15 pt)",
    ]


@pytest.mark.parametrize("verdict", ["undecided", "too few"])
def test_what_enough_observations_leave_open_is_not_said_to_lack_them(verdict: str) -> None:
    """Older cards have one word for both."""
    undecided = FIGURES["c"].model_copy(update={"interval": (0.1, 0.7), "verdict": verdict})
    assert figure_rows({"c": undecided})[0].verdict == "undecided"
    lines = list(card_summary_lines({**FIGURES, "c": undecided}))
    assert lines[0] == (
        "0 of 3 figures reach what is wanted; 1 undecided, for the interval holds what is wanted; "
        "too few observations for 1"
    )


def test_records_of_figures_keep_their_order_and_goals() -> None:
    records = figure_records(trust_card([record(expects=["a.py::f"])], TextTree(CODE)))
    assert list(records) == [measure.text.name for measure in MEASURES]
    assert records["docstring_first"].wanted == 0.25
    assert records["facts_per_record"].verdict is None


def test_what_is_missed_is_named_the_farthest_first() -> None:
    """What is beyond a low limit by much is farther than what is below a high one by little."""
    near = FIGURES["a"].model_copy(update={"value": 0.9})
    assert missed_figures([near, *FIGURES.values()]) == [FIGURES["a"], FIGURES["c"], near]


def test_a_card_knows_which_of_its_figures_are_missed() -> None:
    text = FigureText("name", "title", "method", goal=FigureGoal("at least", 0.9))
    short = Figure(text, FigureEstimate(0.5, 60, (0.38, 0.62)))
    reached = Figure(text, FigureEstimate(0.95, 60, (0.86, 0.98)))
    unclear = Figure(text, FigureEstimate(0.85, 60, (0.74, 0.92)))
    assert TrustCard(60, (reached, short, unclear, short)).missed == (short, short)


def test_numbers_are_stored_with_four_digits() -> None:
    text = FigureText("name", "title", "method")
    stored = figure_record(Figure(text, FigureEstimate(1 / 3, 60, (2 / 9, 4 / 9))))
    assert (stored.value, stored.interval) == (0.3333, (0.2222, 0.4444))


@pytest.mark.parametrize("mark", ["send", "send()", "Session.send", "Session.send()", "self.send"])
def test_a_code_mark_stands_for_what_bears_its_name(mark: str) -> None:
    ids = ["a.py::Session.send", "a.py::Session", "a.py::resend", "a.py::send.inner"]
    assert called_by(mark, ids) == ids[:1]
