"""Gates: the profile, rules of one's own, and what cannot pass."""

from dataclasses import replace

import pytest

from goldwright.errors import InputError
from goldwright.evaluation.gates import (
    PROFILE,
    Gate,
    GateResult,
    check_gates,
    choose_gates,
    refuse_unknown_strata,
    split_profile,
)
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import MeanWithInterval
from goldwright.golden.queries import DatasetQuery
from units.evaluation.evaluations import report, report_of_values, scored

ALL_GOOD = {"MRR": 1.0, "R@10": 1.0, "FileCoverage@5": 1.0, "P@1": 1.0}


def check(rule: str, evaluation: EvaluationReport) -> GateResult:
    """The outcome of one rule."""
    (result,) = check_gates(evaluation, [Gate.read(rule)])
    return result


def failed_gates(evaluation: EvaluationReport) -> set[str]:
    """The gates of the profile that fail."""
    results = check_gates(evaluation, choose_gates())
    return {result.gate.name for result in results if not result.passed}


def test_the_profile_is_that_of_the_specification() -> None:
    floors = {gate.name: (gate.measure, gate.floor) for gate in choose_gates()}
    assert floors == {
        "mrr": ("MRR", 0.4),
        "recall": ("R@10", 0.5),
        "file-coverage": ("FileCoverage@5", 0.5),
        "easy-first": ("P@1", 1.0),
        "locate": ("MRR", 0.6),
        "no-zero-recall": ("R@10", 0.0),
    }


def test_a_retriever_that_finds_everything_passes_and_one_that_finds_nothing_fails_all() -> None:
    assert failed_gates(report([scored("q1", ALL_GOOD)])) == set()
    nothing = report([scored("q1", dict.fromkeys(ALL_GOOD, 0.0))])
    assert failed_gates(nothing) == set(PROFILE)


@pytest.mark.parametrize(
    ("values", "fails"),
    [
        ({**ALL_GOOD, "MRR": 0.59}, {"locate"}),
        ({**ALL_GOOD, "MRR": 0.39}, {"locate", "mrr"}),
        ({**ALL_GOOD, "R@10": 0.49}, {"recall"}),
        ({**ALL_GOOD, "FileCoverage@5": 0.49}, {"file-coverage"}),
        ({**ALL_GOOD, "P@1": 0.99}, {"easy-first"}),
        ({**ALL_GOOD, "MRR": 0.6, "R@10": 0.5, "FileCoverage@5": 0.5}, set()),
    ],
)
def test_each_gate_fails_by_itself(values: dict[str, float], fails: set[str]) -> None:
    assert failed_gates(report([scored("q1", values)])) == fails


def test_one_easy_query_that_misses_its_first_place_fails_and_is_named() -> None:
    missed = {**ALL_GOOD, "P@1": 0.0}
    queries = [
        scored("q1", ALL_GOOD),
        scored("q2", missed),
        scored("q3", missed, difficulty="hard"),
    ]
    result = check("each easy: P@1 >= 1", report(queries))
    assert (result.passed, result.below) == (False, ("q2",))


def test_one_task_type_without_any_recall_fails_and_is_named() -> None:
    queries = [
        scored("q1", ALL_GOOD),
        scored("q2", {"R@10": 0.0}, task_type="debug"),
        scored("q3", {"R@10": 0.0}, task_type="debug"),
    ]
    result = check("each task_type: R@10 > 0", report(queries))
    assert (result.passed, result.below) == (False, ("debug",))
    queries[2] = scored("q3", {"R@10": 0.1}, task_type="debug")
    assert check("each task_type: R@10 > 0", report(queries)).passed


def test_a_mean_that_floats_bring_a_hair_below_its_floor_passes() -> None:
    assert check(
        "MRR >= 0.6", report_of_values(0.1, 0.2, 0.3, 0.7, 0.8, 0.9, 0.9, 0.9, 0.6, 0.6)
    ).passed
    assert not check("MRR > 0.6", report_of_values(0.6)).passed


def test_a_stratum_without_queries_cannot_pass() -> None:
    result = check("debug: MRR >= 0", report_of_values(1.0))
    assert (result.passed, result.mean) == (False, None)


def test_a_gate_on_a_cell_looks_at_that_cell_alone() -> None:
    queries = [scored("q1", {"MRR": 0.1}), scored("q2", {"MRR": 0.9}, difficulty="hard")]
    evaluation = report(queries)
    assert check("locate/hard: MRR >= 0.9", evaluation).passed
    assert not check("locate: MRR >= 0.9", evaluation).passed


def test_a_gate_is_close_when_other_queries_could_turn_the_result() -> None:
    assert check("MRR >= 0.5", report_of_values(1.0, 0.0, 1.0, 0.0, 1.0)).is_close
    assert not check("MRR >= 0.1", report_of_values(*[1.0] * 30)).is_close


@pytest.mark.parametrize(
    "text",
    [
        "MRR >= 0.4",
        "each query: Hit@10 >= 1",
        "locate/easy: file.P@1 > 0.25",
        "each task_type: R@10 > 0",
        "each easy: P@1 >= 1",
        "hard: FileCoverage@5 >= 0.5",
    ],
)
def test_a_gate_is_read_as_it_is_written(text: str) -> None:
    assert Gate.read(text).rule == text
    assert Gate.read(Gate.read(text).rule).rule == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no gate; wanted"),
        ("MRR", "no gate; wanted"),
        ("MRR <= 0.4", "no gate; wanted"),
        ("MRR >= 1.5", r"lies in 0\.\.1"),
        ("MRR >= 0.1.2", "is no number"),
        ("AUC >= 0.1", "no such metric"),
    ],
)
def test_a_line_that_is_no_gate_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Gate.read(text)


@pytest.mark.parametrize("text", ["nowhere: MRR >= 0.4", "task_type: MRR >= 0.4"])
def test_a_gate_on_a_stratum_that_no_query_has_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"no query is of .*; there are easy, locate"):
        check(text, report([scored("q1", ALL_GOOD)]))


def test_gates_hold_strata_of_any_name() -> None:
    """Any dimension that a dataset has can be gated, whole or stratum by stratum."""
    queries = [
        scored("q1", {"MRR": 0.9}, strata={"language": "go"}),
        scored("q2", {"MRR": 0.1}, strata={"language": "c"}),
    ]
    evaluation = report(queries)
    assert check("go: MRR >= 0.5", evaluation).passed
    assert check("each language: MRR >= 0.5", evaluation).below == ("c",)


def test_gates_are_switched_one_by_one() -> None:
    names = [gate.name for gate in choose_gates(["easy-first", "mrr"], ["hard: MRR >= 0.2"])]
    assert names == ["recall", "file-coverage", "locate", "no-zero-recall", "hard: MRR >= 0.2"]
    assert choose_gates(profile=False) == ()
    with pytest.raises(InputError, match="easy: no gate of the profile; it has mrr, recall"):
        choose_gates(["easy"])


def test_a_measure_that_was_not_taken_is_refused() -> None:
    with pytest.raises(InputError, match="R@10: is missing for query q0"):
        check("R@10 >= 0.5", report_of_values(1.0))


def test_a_pair_of_strata_of_any_dimension_is_a_cell_that_may_be_empty() -> None:
    evaluation = report([scored("q1", {"MRR": 1.0}, strata={"language": "go", "size": "big"})])
    empty = check("go/big: MRR >= 0", evaluation)
    assert (empty.passed, empty.mean) == (False, None)
    for stratum in ("go/big/go", "go/small", "go/"):
        with pytest.raises(InputError, match="no query is of"):
            check(f"{stratum}: MRR >= 0", evaluation)


def test_the_least_mean_of_several_strata_is_the_one_that_was_reached() -> None:
    queries = [
        scored("q1", {"MRR": 0.9}),
        scored("q2", {"MRR": 0.2}, difficulty="hard"),
        scored("q3", {"MRR": 0.4}, difficulty="hard"),
    ]
    result = check("each difficulty: MRR >= 0.3", report(queries))
    assert result.mean is not None
    assert result.mean.value == pytest.approx(0.3)
    assert (result.passed, result.below, result.of) == (True, (), 2)


@pytest.mark.parametrize(
    ("interval", "is_close"),
    [((0.4, 0.6), True), ((0.5, 0.6), False), ((0.4, 0.5), True), ((0.3, 0.4), False)],
)
def test_a_gate_is_close_where_its_interval_holds_the_floor_and_begins_below_it(
    interval: tuple[float, float], is_close: bool
) -> None:
    mean = MeanWithInterval(0.5, 10, interval)
    assert GateResult(Gate("g", "MRR", 0.5), passed=True, mean=mean).is_close is is_close


def test_a_gate_without_an_interval_is_not_close() -> None:
    gate = Gate("g", "MRR", 0.5)
    assert not GateResult(gate, passed=False, mean=None).is_close
    assert not GateResult(gate, passed=True, mean=MeanWithInterval(0.5, 1, None)).is_close


@pytest.mark.parametrize(("floor", "is_valid"), [("0", True), ("1", True), ("1.01", False)])
def test_a_floor_lies_in_0_to_1(floor: str, is_valid: bool) -> None:
    if is_valid:
        assert Gate.read(f"MRR >= {floor}").floor == float(floor)
    else:
        with pytest.raises(InputError, match=r"lies in 0\.\.1"):
            Gate.read(f"MRR >= {floor}")


def test_a_strict_gate_is_passed_by_what_exceeds_its_floor_alone() -> None:
    assert check("MRR > 0.5", report_of_values(0.51)).passed
    assert not check("MRR > 0.5", report_of_values(0.5)).passed
    assert check("MRR >= 0.5", report_of_values(0.5)).passed
    assert not check("MRR >= 0.5", report_of_values(0.4999)).passed


def test_a_gate_of_a_stratum_where_no_query_has_any_says_that_there_are_none() -> None:
    with pytest.raises(InputError, match=r"no query is of 'backend'; there are none$"):
        refuse_unknown_strata([Gate.read("backend MRR >= 0.5")], [{}])


def test_of_the_profile_what_a_dataset_can_never_show_is_set_aside_and_own_rules_stay() -> None:
    """A query of no difficulty has no easy ones to be first for."""
    query = DatasetQuery("q1", "What?", expected_ids=("a.py::f",))
    own_rule = Gate.read("easy P@1 >= 0.9")
    applied, set_aside = split_profile([*choose_gates(), own_rule], [query])
    assert [gate.name for gate in set_aside] == [
        "file-coverage",
        "easy-first",
        "locate",
        "no-zero-recall",
    ]
    assert own_rule in applied
    assert {gate.name for gate in applied} >= {"mrr", "recall"}


def test_what_a_plan_asked_for_is_missed_and_not_set_aside() -> None:
    query = DatasetQuery("q1", "What?", expected_ids=("a.py::f",), strata={"task_type": "debug"})
    applied, set_aside = split_profile(choose_gates(), [query], planned=["locate", "easy"])
    assert {"locate", "easy-first"} <= {gate.name for gate in applied}
    assert "locate" not in {gate.name for gate in set_aside}


def test_a_gate_of_the_profile_stays_where_the_dataset_has_its_stratum_and_its_files() -> None:
    strata = {"task_type": "locate", "difficulty": "easy"}
    query = DatasetQuery("q1", "What?", expected_ids=("a.py::f",), strata=strata)
    _, set_aside = split_profile(choose_gates(), [query])
    assert [gate.name for gate in set_aside] == ["file-coverage"]
    with_files = replace(query, expected_files=("a.py",))
    assert split_profile(choose_gates(), [with_files]) == (choose_gates(), ())
    _, set_aside = split_profile(choose_gates(), [replace(with_files, strata={"task_type": "x"})])
    assert [gate.name for gate in set_aside] == ["easy-first", "locate"]


@pytest.mark.parametrize("rule", ["debug/hard: MRR >= 0.1", "debug: MRR >= 0.1", "all: MRR >= 1"])
def test_a_gate_on_a_stratum_that_plans_have_is_no_mistake(rule: str) -> None:
    refuse_unknown_strata([Gate.read(rule)], [{}])


def test_a_dimension_is_gated_as_a_whole_by_each_alone() -> None:
    refuse_unknown_strata([Gate.read("each size: MRR >= 0.1")], [{"size": "big"}])
    with pytest.raises(InputError, match="no query is of 'size'; there are big, go"):
        refuse_unknown_strata(
            [Gate.read("size: MRR >= 0.1")], [{"size": "big"}, {"language": "go"}]
        )


@pytest.mark.parametrize(
    "text", ["each  easy :P@1>=1", " each easy P@1 >= 1 ", "each easy: P@1 >= 1.0"]
)
def test_a_gate_may_be_written_with_other_blanks(text: str) -> None:
    gate = Gate.read(text, name="first")
    assert (gate.name, gate.rule) == ("first", "each easy: P@1 >= 1")


@pytest.mark.parametrize(
    ("value", "rule", "is_passed", "text"),
    [
        (0.49970238, "MRR >= 0.5", False, "0.4997"),
        (0.5, "MRR >= 0.5", True, "0.500"),
        (0.50004, "MRR > 0.5", True, "0.50004"),
        (0.5 - 1e-13, "MRR >= 0.5", True, "0.500"),
        (0.1, "MRR >= 0.5", False, "0.100"),
    ],
)
def test_what_was_reached_shows_why_a_gate_passes_or_fails(
    value: float, rule: str, *, is_passed: bool, text: str
) -> None:
    """Nobody is told that 0.500 is less than 0.5."""
    result = GateResult(Gate.read(rule), is_passed, MeanWithInterval(value, 60, None))
    assert result.reached == text
