"""Macro averages, learned weights, promotions, and rows that no model may change."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldwright.errors import HarnessError
from goldwright.evaluation.arms.arm_table import ArmTable, check_unchanged_rows, saturation_notes
from goldwright.evaluation.arms.learned_weights import learn_weights
from goldwright.evaluation.arms.promotion import Promotion, judge_promotions
from goldwright.evaluation.bench import Bench, BenchedSystem, Timing
from goldwright.stats.macro_mean import macro_mean
from units.evaluation.evaluations import report_of_values

groups = st.dictionaries(
    st.sampled_from("abcde"), st.lists(st.floats(0, 1), min_size=1, max_size=8), min_size=1
)


def promotion(candidate: dict[str, list[float]], default: dict[str, list[float]]) -> Promotion:
    (judged,) = judge_promotions({"new": candidate, "old": default}, "old", seed=0)
    return judged


class TestMacroMean:
    """Groups count alike, whatever their sizes."""

    @example(values={"a": [0.0, 1e-139]})
    @given(values=groups)
    def test_repeating_the_members_of_a_group_changes_micro_alone(
        self, values: dict[str, list[float]]
    ) -> None:
        first = next(iter(values))
        repeated = {**values, first: values[first] * 3}
        assert macro_mean(repeated).mean == pytest.approx(macro_mean(values).mean)

    def test_the_intervals_are_those_computed_by_hand(self) -> None:
        result = macro_mean({"a": [0.0, 1.0], "b": [0.5, 0.5], "c": [1.0, 1.0]})
        assert result.mean == pytest.approx(2 / 3)
        # Variance .5 / 2 in one of three groups: sqrt(.25) / 3, one degree of freedom, t = 12.706.
        assert result.within == pytest.approx((2 / 3 - 12.706205 / 6, 2 / 3 + 12.706205 / 6))
        # Means .5, .5, 1: deviation .288675 / sqrt 3, two degrees of freedom, t = 4.302653.
        assert result.between == pytest.approx((2 / 3 - 4.302653 / 6, 2 / 3 + 4.302653 / 6))
        assert result.leave_one_out == pytest.approx({"a": 0.75, "b": 0.75, "c": 0.5})

    def test_an_interval_of_a_measure_stays_between_none_and_all(self) -> None:
        groups = {"a": [0.0, 1.0], "b": [0.5, 0.5], "c": [1.0, 1.0]}
        # Student's intervals, which are computed above, begin below none and end above all.
        bounded = macro_mean(groups, bounds=(0, 1))
        assert [bounded.within, bounded.between] == [(0, 1), (0, 1)]

    def test_where_all_values_of_a_measure_are_alike_nothing_tells_how_far_others_lie(self) -> None:
        result = macro_mean({"a": [0.2, 0.2, 0.2], "b": [0.2, 0.2]}, bounds=(0, 1))
        assert (result.within, result.between) == (None, None)

    def test_one_group_says_nothing_of_others(self) -> None:
        result = macro_mean({"a": [0.2, 0.4]})
        assert result.between is None
        assert result.leave_one_out == {}


class TestPromotion:
    """At least the default on the aggregate and on every repository."""

    OLD = {name: [0.4, 0.5] * 15 for name in ("a", "b", "c")}

    def test_better_everywhere_is_granted_and_shown(self) -> None:
        judged = promotion({name: [0.5, 0.7] * 15 for name in self.OLD}, self.OLD)
        assert (judged.verdict, judged.is_shown) == ("granted", True)
        assert any("shown beyond chance" in reason for reason in judged.reasons())

    def test_a_rise_by_chance_is_granted_and_said_not_to_be_shown(self) -> None:
        new = {name: [*values[:-1], 0.6] for name, values in self.OLD.items()}
        judged = promotion(new, self.OLD)
        assert (judged.verdict, judged.is_shown) == ("granted", False)
        assert any(reason.startswith("not shown") for reason in judged.reasons())

    def test_a_fall_on_one_repository_is_refused_and_named(self) -> None:
        new = {"a": [0.9, 0.9] * 15, "b": [0.9, 0.9] * 15, "c": [0.3, 0.3] * 15}
        judged = promotion(new, self.OLD)
        assert judged.difference.mean > 0
        assert judged.verdict == "refused"
        assert "c falls by 0.150" in list(judged.reasons())

    def test_a_fall_within_chance_on_one_needs_a_person(self) -> None:
        new = {"a": [0.6, 0.7] * 15, "b": [0.6, 0.7] * 15, "c": [0.35, 0.54] * 15}
        judged = promotion(new, self.OLD)
        assert judged.below == ("c",)
        assert judged.verdict == "needs a person"

    def test_a_large_repository_that_gains_what_a_small_one_loses_shows_nothing(self) -> None:
        # Over all queries the gain wins 20 to 5; repositories count alike, and come to nothing.
        old = {"large": [0.5] * 20, "small": [0.5] * 5}
        judged = promotion({"large": [0.625] * 20, "small": [0.375] * 5}, old)
        assert judged.difference.mean == 0
        assert (judged.p_value, judged.adjusted_p) == (1.0, 1.0)

    def test_a_fall_everywhere_is_refused_with_the_fall_of_the_average(self) -> None:
        judged = promotion({name: [0.3, 0.4] * 15 for name in self.OLD}, self.OLD)
        assert judged.verdict == "refused"
        assert "the macro average falls by 0.100" in list(judged.reasons())

    def test_the_same_arm_gains_nothing(self) -> None:
        judged = promotion(self.OLD, self.OLD)
        assert (judged.verdict, judged.p_value) == ("refused", 1.0)

    @pytest.mark.parametrize(
        ("by_repository", "is_strict", "verdict"),
        [
            ({"a": [0.1] * 4, "b": [0.0] * 4}, True, "granted"),
            # The same everywhere breaks no rule, and is no reason to change anything.
            ({"a": [0.0] * 4, "b": [0.0] * 4}, True, "refused"),
            ({"a": [0.3] * 4, "b": [-0.01] * 4}, False, "needs a person"),
            ({"a": [0.3] * 4, "b": [-0.4] * 4}, False, "refused"),
        ],
    )
    def test_the_strict_rule_wants_no_fall_anywhere_and_a_rise_on_the_whole(
        self, by_repository: dict[str, list[float]], is_strict: bool, verdict: str
    ) -> None:
        zeros = {name: [0.0] * len(values) for name, values in by_repository.items()}
        judged = promotion(by_repository, zeros)
        assert (judged.is_strict, judged.verdict) == (is_strict, verdict)

    def test_the_reasons_end_with_both_rules(self) -> None:
        rising = promotion({name: [0.6, 0.7] * 15 for name in self.OLD}, self.OLD)
        *_, shown, rules = rising.reasons()
        assert shown.startswith("shown beyond chance (p 0.0")
        assert shown.endswith("over all candidates)")
        assert rules == "strict rule holds; non-inferiority holds"
        falling = promotion({name: [0.3, 0.4] * 15 for name in self.OLD}, self.OLD)
        assert list(falling.reasons())[-1] == "strict rule fails; non-inferiority fails"
        same = list(promotion(self.OLD, self.OLD).reasons())
        assert same[0] == "the macro average is the same"
        assert same[-1] == "strict rule holds; non-inferiority fails"

    @pytest.mark.parametrize(
        ("small", "is_non_inferior"),
        [([-0.019, -0.019, -0.019, -0.0191], True), ([-0.03, -0.03, -0.03, -0.0301], False)],
    )
    def test_a_loss_of_more_than_two_hundredths_on_one_repository_counts_as_shown(
        self, small: list[float], is_non_inferior: bool
    ) -> None:
        new = {"a": [0.5, 0.51] * 10, "b": [0.5, 0.51] * 10, "c": small * 5}
        zeros = {name: [0.0] * 20 for name in new}
        assert promotion(new, zeros).is_non_inferior is is_non_inferior

    @pytest.mark.parametrize(("upper", "is_non_inferior"), [(-0.02, True), (-0.021, False)])
    def test_a_loss_of_just_two_hundredths_is_borne(
        self, upper: float, is_non_inferior: bool
    ) -> None:
        judged = promotion({name: [0.6, 0.7] * 15 for name in self.OLD}, self.OLD)
        pair = replace(judged.by_repository["c"], interval=(-0.1, upper))
        losing = replace(judged, by_repository={**judged.by_repository, "c": pair})
        assert losing.is_non_inferior is is_non_inferior

    def test_a_difference_is_shown_below_five_percent(self) -> None:
        judged = promotion(self.OLD, self.OLD)
        assert replace(judged, adjusted_p=0.0499).is_shown
        assert not replace(judged, adjusted_p=0.05).is_shown


class TestLearnedWeights:
    """A repository has no say in its own weight."""

    @given(own=st.lists(st.floats(0, 1), min_size=3, max_size=3))
    def test_the_own_means_of_a_repository_do_not_matter(self, own: list[float]) -> None:
        weights = (0.0, 1.0, 2.0)
        others = {"b": {0.0: 0.1, 1.0: 0.2, 2.0: 0.3}, "c": {0.0: 0.5, 1.0: 0.5, 2.0: 0.5}}
        learned = learn_weights({"a": dict(zip(weights, own, strict=True)), **others})
        assert learned["a"] == 2.0

    def test_of_equal_weights_the_one_next_to_1_is_taken(self) -> None:
        level = {0.0: 0.5, 1.0: 0.5, 3.0: 0.5}
        assert learn_weights({"a": level, "b": level}) == {"a": 1.0, "b": 1.0}


def table(embedder: str, *values: float) -> ArmTable:
    system = BenchedSystem(report_of_values(*values, measure="Hit@10"), Timing(), None)
    return ArmTable(embedder, False, 3, 0.1, Bench({"bm25": system}, {}, None, ()))


class TestUnchangedRows:
    """What reads no vectors owes nothing to a model."""

    def test_identical_rows_are_said_to_be(self) -> None:
        tables = [table("m", 1.0, 0.5), table("n", 1.0, 0.5)]
        assert check_unchanged_rows(tables, ["bm25"]) == ("bm25",)

    def test_a_row_that_differs_is_an_error_of_the_harness(self) -> None:
        tables = [table("m", 1.0, 0.5), table("n", 1.0, 0.25)]
        with pytest.raises(HarnessError, match="another result on q1 with n than with m"):
            check_unchanged_rows(tables, ["bm25"])

    def test_code_without_docstrings_is_other_code(self) -> None:
        blanked = replace(table("n", 0.0, 0.0), blank_docstrings=True)
        assert check_unchanged_rows([table("m", 1.0, 0.5), blanked], ["bm25"]) == ()


def test_saturation_is_said_for_all_arms_at_once_from_98_percent_on() -> None:
    arms = {
        "a": report_of_values(0.98, measure="Hit@10"),
        "b": report_of_values(0.97, measure="Hit@10"),
        "c": report_of_values(1.0, measure="Hit@10"),
    }
    systems = {name: BenchedSystem(single, Timing(), None) for name, single in arms.items()}
    (note,) = saturation_notes(ArmTable("m", False, 3, 0.1, Bench(systems, {}, None, ())))
    assert note == ("SATURATED: Hit@10 has no room left for a, c; it cannot show a better arm.")


def test_saturation_is_said() -> None:
    (note,) = saturation_notes(table("m", 1.0, 1.0))
    assert note.startswith("SATURATED: Hit@10 has no room left for bm25")
