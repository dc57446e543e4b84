"""Baselines: the rule of the specification, the rule that knows of jitter, and refusals."""

import json
import math
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import share_of
from goldwright.errors import InputError
from goldwright.evaluation.baselines.baseline import (
    Baseline,
    RunValues,
    check_alike,
    read_baseline,
    values_by_query,
)
from goldwright.evaluation.baselines.false_alarms import count_false_alarms
from goldwright.evaluation.baselines.regression import (
    RegressionVerdict,
    check_regression,
    choose_mode,
)
from goldwright.evaluation.baselines.regression_rules import (
    Mode,
    QueryFall,
    allowed_fall,
    find_moves,
    level_per_measure,
)
from goldwright.evaluation.baselines.value_table import ValueTable, run_tables
from goldwright.evaluation.report import EvaluationReport
from goldwright.metrics import find_metric, find_relevant
from units.evaluation.evaluations import report, report_of_values, scored

MODES: tuple[Mode, ...] = ("exact", "jitter", "spec")
VALUES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.25, 1 / 3, 0.5, 1.0]), min_size=1, max_size=12)


def baseline(*values: float, runs: int = 1) -> Baseline:
    """A baseline by one measure, whose runs are all the same."""
    return Baseline.from_reports([report_of_values(*values)] * runs)


def against(
    old: Baseline, *values: float, mode: Mode = "spec", tolerance: float = 0.02
) -> RegressionVerdict:
    """Check one run, given a value a query."""
    return check_regression(
        old, [values_by_query(report_of_values(*values))], mode=mode, tolerance=tolerance
    )


class TestSpecification:
    """The metrics and the rule of the specification, line by line."""

    def test_any_expected_id_in_the_first_k_is_a_hit(self) -> None:
        hit = find_metric("Hit@3")
        assert hit(find_relevant(["x", "b", "y"], {"a", "b"})) == 1.0
        assert hit(find_relevant(["x", "y", "z", "b"], {"a", "b"})) == 0.0

    def test_a_cutoff_beyond_the_ranking_scans_what_there_is(self) -> None:
        assert find_metric("Hit@50")(find_relevant(["x", "a"], {"a"})) == 1.0
        assert find_metric("Hit@50")(find_relevant([], {"a"})) == 0.0

    @given(st.permutations(["a", "b", "c"]))
    def test_the_best_rank_wins_whatever_the_order_of_the_expected(
        self, expected: list[str]
    ) -> None:
        assert (
            find_metric("MRR")(find_relevant(["x", "c", "y", "a"], dict.fromkeys(expected, 1.0)))
            == 0.5
        )

    @pytest.mark.parametrize(
        ("value", "ok"), [(0.48, True), (0.4799, False), (0.5, True), (1.0, True)]
    )
    def test_a_fall_beyond_the_tolerance_fires_and_one_of_just_that_does_not(
        self, value: float, ok: bool
    ) -> None:
        assert against(baseline(0.5), value).ok is ok

    def test_one_query_fires_even_where_the_mean_rose(self) -> None:
        verdict = against(baseline(0.5, 0.5), 0.4, 1.0)
        assert [(fall.query_id, fall.measure) for fall in verdict.regressions] == [("q0", "MRR")]
        assert "q0: MRR 0.500 -> 0.400" in str(verdict.regressions[0])

    def test_a_mean_and_its_queries_are_both_named(self) -> None:
        verdict = against(baseline(0.5, 0.5), 0.4, 0.4)
        assert [fall.query_id for fall in verdict.regressions] == [None, "q0", "q1"]

    @given(VALUES, st.data())
    def test_improvements_never_fire(self, values: list[float], data: st.DataObject) -> None:
        better = [data.draw(st.floats(value, 1.0)) for value in values]
        for mode in MODES:
            assert against(baseline(*values), *better, mode=mode).ok

    @given(VALUES)
    def test_a_baseline_holds_against_itself_and_survives_the_disk(
        self, values: list[float]
    ) -> None:
        old = baseline(*values, runs=2)
        again = read_baseline(json.dumps(old.model_dump(mode="json")).encode(), source="b.json")
        assert again == old
        assert against(again, *values).ok
        assert against(again, *values, mode="jitter").ok

    def test_another_cutoff_is_an_error_and_no_silent_comparison(self) -> None:
        with pytest.raises(InputError, match="Hit@5: is in the baseline, and not measured now"):
            check_alike(
                Baseline.from_reports([report_of_values(1.0, measure="Hit@5")]),
                report_of_values(1.0, measure="Hit@10"),
            )

    def test_a_tolerance_of_nothing_fires_at_any_fall(self) -> None:
        assert not against(baseline(0.5), 0.499, tolerance=0.0).ok
        assert against(baseline(0.5), 0.5, tolerance=0.0).ok


@pytest.mark.parametrize("mode", MODES)
class TestUnderAllRules:
    """What fails whatever the rule."""

    def test_a_query_that_is_gone_fails(self, mode: Mode) -> None:
        verdict = check_regression(
            baseline(0.0, 0.0), [values_by_query(report_of_values(0.0))], mode=mode
        )
        assert [(fall.query_id, fall.after) for fall in verdict.regressions] == [("q1", None)]

    def test_a_value_that_is_not_finite_fails(self, mode: Mode) -> None:
        now: RunValues = {"q0": {"MRR": math.nan}, "q1": {"MRR": 0.0}}
        verdict = check_regression(baseline(0.0, 0.0), [now], mode=mode)
        assert [(fall.query_id, fall.why) for fall in verdict.regressions] == [
            ("q0", "its value is no number")
        ]

    def test_a_query_that_is_new_takes_no_part(self, mode: Mode) -> None:
        assert check_regression(
            baseline(1.0), [values_by_query(report_of_values(1.0, 0.0))], mode=mode
        ).ok

    def test_a_great_fall_fails(self, mode: Mode) -> None:
        assert not against(baseline(*[0.8] * 20), *[0.6] * 20, mode=mode).ok


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dataset_sha256": "sha256:2"}, "dataset_sha256: sha256:1 in the baseline, sha256:2 now"),
        ({"depth": 10}, "depth: 100 in the baseline, 10 now"),
        ({"ties": "trec"}, "ties: id in the baseline, trec now"),
        ({"blank_docstrings": True}, "blank_docstrings: False in the baseline, True now"),
    ],
)
def test_an_evaluation_asked_in_another_way_is_an_error(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check_alike(baseline(1.0), report_of_values(1.0, **changes))


def test_the_share_of_judged_results_is_no_quality_and_takes_no_part() -> None:
    old = Baseline.from_reports([report([scored("q0", {"MRR": 1.0, "Judged@10": 1.0})])])
    assert old.measures == ("MRR",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda fields: fields.update(runs=3), "has not a value for each of 3 runs"),
        (lambda fields: fields["queries"].append(fields["queries"][0]), "a query stands twice"),
        (lambda fields: fields["means"].pop("MRR"), "means: are not those of its measures"),
        (lambda fields: fields["queries"][0]["values"].pop("MRR"), "q0: has not its measures"),
        (lambda fields: fields.update(format="baseline-9"), "no baseline: format"),
        (lambda fields: fields["queries"][0]["values"].update(MRR=[math.nan]), "NaN"),
        (lambda fields: fields.clear(), "no baseline: "),
        (
            lambda fields: fields["queries"][0]["values"].update(MRR=[0.9]),
            "means: MRR is not the mean of its queries",
        ),
        (
            lambda fields: fields["queries"][0]["values"].update(MRR=[9.0]),
            "q0: has a value that is not in 0..1",
        ),
    ],
)
def test_a_baseline_that_does_not_agree_with_itself_is_refused(
    change: object, message: str
) -> None:
    fields = baseline(0.5).model_dump(mode="json")
    assert callable(change)
    change(fields)
    with pytest.raises(InputError, match=message):
        read_baseline(json.dumps(fields).encode(), source="b.json")


def test_a_dataset_in_the_place_of_a_baseline_is_recognised() -> None:
    with pytest.raises(
        InputError, match="a list as datasets are; the baseline is named before the dataset"
    ):
        read_baseline(b"[]", source="golden.json")


@given(VALUES, VALUES, st.data())
def test_a_baseline_without_some_queries_is_that_of_the_others(
    first: list[float], second: list[float], data: st.DataObject
) -> None:
    size = min(len(first), len(second))
    runs = [values_by_query(report_of_values(*run[:size])) for run in (first, second)]
    old = Baseline.from_reports([report_of_values(*run[:size]) for run in (first, second)])
    gone = data.draw(st.sets(st.sampled_from(old.query_ids), max_size=size - 1))
    rest = old.without(gone)
    assert set(rest.query_ids) == set(old.query_ids) - gone
    assert read_baseline(rest.model_dump_json().encode(), source="rest") == rest
    kept = [{name: run[name] for name in rest.query_ids} for run in runs]
    assert check_regression(rest, kept, mode="spec").ok
    assert not gone or not check_regression(old, kept, mode="spec").ok


def test_a_question_that_was_changed_in_the_baseline_is_an_error() -> None:
    old = baseline(1.0)
    changed = old.model_copy(
        update={"queries": (old.queries[0].model_copy(update={"query_text": "Other?"}),)}
    )
    with pytest.raises(InputError, match="q0: asks or expects something else in the baseline"):
        check_alike(changed, report_of_values(1.0))
    with pytest.raises(InputError, match="q1: is in the dataset and not in the baseline"):
        check_alike(old, report_of_values(1.0, 1.0))


class TestJitter:
    """The rule that tells a fall from the spread between runs."""

    @staticmethod
    def runs(
        chance: Random, values: Sequence[float], count: int, spread: float
    ) -> list[EvaluationReport]:
        """Runs whose queries each slip with the same chance."""
        return [
            report_of_values(
                *(value if chance.random() > spread else value / 2 for value in values)
            )
            for _ in range(count)
        ]

    def test_two_sets_of_runs_of_one_retriever_do_not_fire_where_the_spec_rule_does(self) -> None:
        chance = Random(7)
        values = [chance.choice([1.0, 0.5, 1 / 3, 0.0]) for _ in range(60)]
        spec = jitter = 0
        rounds = share_of(40, suite=12)
        for _ in range(rounds):
            old = Baseline.from_reports(self.runs(chance, values, 5, 0.1))
            now = [values_by_query(run) for run in self.runs(chance, values, 5, 0.1)]
            jitter += not check_regression(old, now).ok
            spec += not check_regression(old, now, mode="spec").ok
        assert spec == rounds
        assert jitter <= 2

    def test_a_real_fall_shows_through_the_jitter(self) -> None:
        chance = Random(8)
        values = [chance.choice([1.0, 0.5, 1 / 3]) for _ in range(60)]
        old = Baseline.from_reports(self.runs(chance, values, 5, 0.1))
        worse = [
            values_by_query(run)
            for run in self.runs(chance, [value * 0.85 for value in values], 5, 0.1)
        ]
        assert not check_regression(old, worse).ok

    def test_many_falls_and_no_rise_fire_though_the_mean_hardly_moves(self) -> None:
        verdict = against(baseline(*[0.5] * 100), *[0.35] * 8, *[0.5] * 92, mode="jitter")
        assert len(verdict.regressions) == 1
        assert "8 queries fell below all their runs, 0 rose above (sign test, p = 0.0078)" in str(
            verdict.regressions[0]
        )
        assert against(baseline(*[0.5] * 100), *[0.35] * 7, *[0.5] * 93, mode="jitter").ok

    def test_slips_far_down_the_list_are_no_falls(self) -> None:
        assert against(baseline(*[1 / 50] * 60), *[1 / 51] * 60, mode="jitter").ok
        assert against(baseline(*[1 / 50] * 12, 0.1), *[1 / 51] * 12, 1.0, mode="jitter").ok

    def test_single_queries_that_fell_are_named_without_failing(self) -> None:
        verdict = against(baseline(*[1.0] * 100), 0.5, *[1.0] * 99, mode="jitter")
        assert verdict.ok
        assert [(fall.query_id, fall.before, fall.after) for fall in verdict.warnings] == [
            ("q0", 1.0, 0.5)
        ]

    def test_how_often_a_rule_fires_without_a_change_is_measured_on_the_runs_of_the_baseline(
        self,
    ) -> None:
        chance = Random(9)
        values = [0.5] * 40
        noisy = Baseline.from_reports(self.runs(chance, values, 5, 0.3))
        assert count_false_alarms(noisy, 5, mode="spec") == (20, 20)
        jitter = count_false_alarms(noisy, 5)
        assert jitter is not None
        assert jitter[1] == 1000
        assert jitter[0] <= 30
        assert count_false_alarms(baseline(*values, runs=5), 1) == (0, 1000)
        assert count_false_alarms(baseline(*values), 1) is None


class TestExact:
    """The rule for retrievers whose runs are all alike."""

    def test_it_is_chosen_where_several_runs_are_all_the_same(self) -> None:
        assert choose_mode(baseline(0.5, 1.0, runs=5)) == "exact"
        # One run alone does not show that nothing jitters.
        assert choose_mode(baseline(0.5, 1.0)) == "jitter"
        jittery = Baseline.from_reports([report_of_values(0.5), report_of_values(1.0)])
        assert choose_mode(jittery) == "jitter"

    @given(VALUES, st.data())
    def test_any_fall_of_any_query_fires_whatever_rises(
        self, values: list[float], data: st.DataObject
    ) -> None:
        steady = baseline(0.02, *values, runs=2)
        others = [data.draw(st.floats(value, 1.0)) for value in values]
        verdict = check_regression(steady, [values_by_query(report_of_values(0.0, *others))])
        assert [fall.query_id for fall in verdict.regressions if fall.query_id] == ["q0"]

    def test_a_fall_counts_only_where_it_stays_in_every_run_of_today(self) -> None:
        steady = baseline(*[1.0] * 40, runs=5)
        slipped = values_by_query(report_of_values(0.5, *[1.0] * 39))
        as_before = values_by_query(report_of_values(*[1.0] * 40))
        assert not check_regression(steady, [slipped]).ok
        assert check_regression(steady, [slipped, as_before, as_before]).ok

    def test_runs_of_today_that_differ_are_held_against_jitter_too(self) -> None:
        chance = Random(5)
        steady = baseline(*[1.0] * 60, runs=5)
        worse = TestJitter.runs(chance, [1.0] * 60, 5, 0.4)
        verdict = check_regression(steady, [values_by_query(run) for run in worse])
        assert any(fall.query_id is None for fall in verdict.regressions)


class TestAllowedFall:
    """How far a mean may fall before jitter no longer explains it."""

    BEFORE = ValueTable([[0.5], [0.6], [0.7]])
    AFTER = ValueTable([[0.4], [0.5]])

    def test_it_is_the_critical_difference_of_students_test_with_a_pooled_spread(self) -> None:
        """By hand: squares 0.02 + 0.005 over 3 degrees of freedom, t(3) = 4.541 at 1 %."""
        allowed = allowed_fall(self.BEFORE, self.AFTER, tolerance=0.02, level=0.01)
        assert allowed == pytest.approx(4.5407 * (0.025 / 3 * (1 / 3 + 1 / 2)) ** 0.5, abs=1e-4)

    def test_it_is_never_less_than_the_tolerance(self) -> None:
        assert allowed_fall(self.BEFORE, self.AFTER, tolerance=0.9, level=0.01) == 0.9

    def test_without_any_spread_it_is_the_tolerance(self) -> None:
        steady = ValueTable([[0.5], [0.5]])
        assert allowed_fall(steady, steady, tolerance=0.02, level=0.01) == 0.02
        once = ValueTable([[0.5]])
        assert allowed_fall(once, ValueTable([[0.1]]), tolerance=0.02, level=0.01) == 0.02

    def test_the_level_is_shared_by_all_measures(self) -> None:
        assert level_per_measure({"MRR": self.BEFORE}) == 0.01
        assert level_per_measure({"MRR": self.BEFORE, "P@1": self.BEFORE}) == 0.005


def test_a_query_has_moved_from_a_tenth_on_beyond_all_runs() -> None:
    before = ValueTable([[0.3, 0.3, 0.3, 0.5], [0.6, 0.4, 0.3, 0.5]])
    after = ValueTable([[0.2, 0.2, 0.21, 0.6], [0.1, 0.2, 0.1, 0.7]])
    moves = find_moves(before, after)
    assert list(moves.fell) == [0, 1]
    assert list(moves.rose) == [3]


def test_a_table_knows_its_means_and_its_extremes() -> None:
    table = ValueTable([[0.0, 0.5], [1.0, 0.5], [0.5, 0.2]])
    assert table.run_means == [0.25, 0.75, 0.35]
    assert table.mean == pytest.approx(0.45)
    assert table.query_means == [0.5, pytest.approx(0.4)]
    assert (table.lowest, table.highest) == ([0.0, 0.2], [1.0, 0.5])
    assert table.select_runs([2, 2]).rows == [[0.5, 0.2], [0.5, 0.2]]


def test_a_baseline_is_steady_where_all_runs_gave_the_same_values() -> None:
    assert baseline(0.5, 0.2, runs=3).is_steady
    assert baseline(0.5).is_steady
    # The means agree, the queries do not.
    swapped = Baseline.from_reports([report_of_values(0.5, 0.2), report_of_values(0.2, 0.5)])
    assert not swapped.is_steady


def test_a_baseline_of_runs_that_were_asked_in_another_way_is_refused() -> None:
    with pytest.raises(InputError, match="depth"):
        Baseline.from_reports([report_of_values(1.0), report_of_values(1.0, depth=10)])


def test_what_is_watched_is_held_against_the_fall_that_is_allowed() -> None:
    (watched,) = against(baseline(0.5, 0.7), 0.6, 0.4).watched
    assert (watched.measure, watched.before, watched.after) == ("MRR", 0.6, 0.5)
    assert watched.fails_below == pytest.approx(0.58)
    assert watched.population.mean == pytest.approx(-0.1)
    assert 0 < watched.adjusted_p <= 1


def test_a_fall_is_written_with_both_values_and_why() -> None:
    fall = QueryFall("MRR", None, 0.5, 0.25, "it fell")
    assert str(fall) == "all queries: MRR 0.500 -> 0.250; it fell"
    gone = QueryFall("MRR", "q1", 0.5, None, "it was not asked")
    assert str(gone) == "q1: MRR 0.500 -> no value; it was not asked"


def test_many_falls_that_a_few_great_rises_outweigh_do_not_fire() -> None:
    verdict = against(baseline(*[0.5] * 100), *[0.35] * 30, *[1.0] * 10, *[0.5] * 60, mode="jitter")
    assert verdict.ok


def test_falls_that_rises_make_up_for_do_not_fire() -> None:
    verdict = against(baseline(*[0.5] * 100), *[0.375] * 20, *[1.0] * 5, *[0.5] * 75, mode="jitter")
    assert verdict.watched[0].after == 0.5
    assert verdict.ok


def test_rises_count_against_falls_where_the_mean_hardly_moves() -> None:
    verdict = against(baseline(*[0.5] * 100), *[0.35] * 12, 0.65, *[0.5] * 87, mode="jitter")
    (fall,) = verdict.regressions
    assert fall.why == (
        "12 queries fell below all their runs, 1 rose above (sign test, p = 0.0034)"
    )
    assert against(baseline(*[0.5] * 100), *[0.35] * 12, *[0.65] * 3, *[0.5] * 85, mode="jitter").ok


def test_the_spec_rule_looks_at_the_first_runs_alone() -> None:
    old = Baseline.from_reports([report_of_values(0.5), report_of_values(0.9)])
    runs = [values_by_query(report_of_values(value)) for value in (0.5, 0.0)]
    assert check_regression(old, runs, mode="spec").ok
    assert not check_regression(old, runs[::-1], mode="spec").ok


def test_a_query_that_one_run_of_today_lacks_fails() -> None:
    runs: list[RunValues] = [{"q0": {"MRR": 0.5}}, {}]
    (fall, *_) = check_regression(baseline(0.5), runs).regressions
    assert (fall.query_id, fall.before, fall.why) == ("q0", 0.5, "it was not asked in every run")


@pytest.mark.parametrize(
    ("queries", "draws"), [(1, 1000), (100, 1000), (101, 990), (5000, 20), (6000, 20)]
)
def test_large_baselines_get_fewer_draws_but_never_less_than_twenty(
    queries: int, draws: int
) -> None:
    counted = count_false_alarms(baseline(*[0.5] * queries, runs=2), 1)
    assert counted == (0, draws)


def test_under_the_spec_rule_means_are_those_of_the_first_runs_and_nothing_is_warned_of() -> None:
    old = Baseline.from_reports([report_of_values(0.5), report_of_values(0.9)])
    runs = [values_by_query(report_of_values(value)) for value in (0.3, 0.1)]
    verdict = check_regression(old, runs, mode="spec", tolerance=0.5)
    assert [(row.before, row.after) for row in verdict.watched] == [(0.5, 0.3)]
    assert verdict.warnings == ()


def test_a_value_that_is_missing_or_no_number_counts_as_nothing() -> None:
    old = baseline(0.5, 0.5, 0.5, 0.5)
    run: RunValues = {"q0": {"MRR": 0.5}, "q1": {"P@1": 1.0}, "q2": {"MRR": math.inf}}
    (table,) = run_tables([run], old).values()
    assert table.rows == [[0.5, 0.0, 0.0, 0.0]]


def test_every_query_is_held_against_the_first_run_of_today_alone() -> None:
    old = baseline(0.5, 0.5, runs=2)
    runs = [values_by_query(report_of_values(*values)) for values in ((0.5, 0.5), (0.1, 0.1))]
    assert check_regression(old, runs, mode="spec").regressions == ()
    falls = check_regression(old, runs[::-1], mode="spec").regressions
    assert [(fall.query_id, fall.before, fall.after) for fall in falls] == [
        (None, 0.5, 0.1),
        ("q0", 0.5, 0.1),
        ("q1", 0.5, 0.1),
    ]


@pytest.mark.parametrize(("mode", "fails_below"), [("exact", 0.5), ("spec", 0.4), ("jitter", 0.4)])
def test_a_measure_says_below_what_it_fails(mode: Mode, fails_below: float) -> None:
    (watched,) = against(baseline(0.5, 0.5), 0.5, 0.5, mode=mode, tolerance=0.1).watched
    assert watched.fails_below == pytest.approx(fails_below)
