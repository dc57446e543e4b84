"""Trials after a search: what they show, and what missing verdicts could change."""

import pytest

from goldwright.errors import DamagedStateError
from goldwright.relevance.adaptive_design import DesignSettings
from goldwright.relevance.contexts import PoolDocument
from goldwright.relevance.control_findings import control_effects
from goldwright.relevance.control_trials import (
    ControlArm,
    ControlRecord,
    control_arms,
    render_arm,
)
from goldwright.relevance.findings import sum_up
from goldwright.relevance.fixed_design import FixedRule
from goldwright.relevance.relevance_verdict import Relevance
from goldwright.relevance.task_search import Outcome, TaskSearch
from goldwright.relevance.tasks import ExactCheck, RelevanceTask

_CODE = "def f{0}(x):\n    if x == {0}:\n        return {0}\n    return x\n"
_POOL = [PoolDocument(f"pkg/m.py::f{n}", _CODE.format(n), "random") for n in range(6)]
_TASK = RelevanceTask(id="t", query="q", check=ExactCheck(text="x"))
_A, _B = _POOL[0].document_id, _POOL[1].document_id


def test_each_arm_is_tried_once() -> None:
    arms = control_arms([_A], [[_A]])
    assert arms == [
        ControlArm(()),
        ControlArm((_A,)),
        ControlArm((_A,), _A, "placebo"),
        ControlArm((_A,), _A, "mutated"),
    ]
    assert len(control_arms([_A, _B], [[_A, _B]])) == 8
    assert control_arms([], []) == [ControlArm(())]


@pytest.mark.parametrize("arm", control_arms([_A, _B], []))
def test_contexts_of_all_arms_are_equally_long(arm: ControlArm) -> None:
    plain = render_arm(_POOL, ControlArm(()), seed=1)
    shown = render_arm(_POOL, arm, seed=1)
    assert len(shown) == len(plain)
    assert (_POOL[0].text in shown) == (_A in arm.included and arm.altered != _A)


def _controls(arm: ControlArm, *outcomes: Outcome) -> list[ControlRecord]:
    return [
        ControlRecord(
            task_id="t",
            included=arm.included,
            altered=arm.altered,
            alteration=arm.alteration,
            number=number,
            outcome=outcome,
        )
        for number, outcome in enumerate(outcomes, start=1)
    ]


def test_substitutes_are_sufficient_and_not_necessary() -> None:
    records = [
        *_controls(ControlArm(()), "failed", "failed"),
        *_controls(ControlArm((_A,)), "passed", "passed"),
        *_controls(ControlArm((_B,)), "passed", "none"),
        *_controls(ControlArm((_A, _B)), "passed", "passed"),
    ]
    effects = control_effects(records, [_B, _A], _A)
    assert effects is not None
    assert (effects.sufficiency, effects.necessity, effects.over_placebo) == (1.0, 0.0, None)
    # The failure of an instrument is no failed answer.
    other_effects = control_effects(records, [_A, _B], _B)
    assert other_effects is not None
    assert other_effects.sufficiency == 1.0


def _search(settings: DesignSettings | FixedRule, missing: int) -> TaskSearch:
    """Play a search in which the first document matters and some trials have no verdict."""
    search = TaskSearch("t", _POOL, settings, seed=3)
    while trial := search.next_trial():
        outcome: Outcome = "passed" if trial.included[0] else "failed"
        search.record(trial, "none" if trial.number <= missing else outcome)
    return search


@pytest.mark.parametrize("settings", [DesignSettings(budget=60), FixedRule(trials=40)])
def test_missing_verdicts_are_bounded_from_both_sides(
    settings: DesignSettings | FixedRule,
) -> None:
    finding = sum_up(_search(settings, missing=4), _TASK)
    low, high = finding.success_bounds
    assert high - low == pytest.approx(4 / finding.trials)
    first = finding.documents[0]
    assert first.effect_bounds is not None
    assert first.observed_effect is not None
    assert first.effect_bounds[0] <= first.observed_effect <= first.effect_bounds[1]


def test_without_missing_verdicts_nothing_could_have_been_otherwise() -> None:
    finding = sum_up(_search(DesignSettings(), missing=0), _TASK)
    assert finding.documents[0].relevance is Relevance.RELEVANT
    for effect in finding.documents:
        assert effect.relevance_had_passed is effect.relevance
        if effect.effect_bounds is not None:
            assert effect.effect_bounds == (effect.observed_effect, effect.observed_effect)


def test_the_base_rate_has_an_exact_interval() -> None:
    search = _search(DesignSettings(), missing=0)
    empty = [record for record in search.records if not record.included]
    finding = sum_up(search, _TASK, _controls(ControlArm(()), "failed", "failed", "none"))
    assert finding.base_interval is not None
    # Clopper and Pearson with no success of n: the upper end is 1 - .025 ** (1 / n).
    assert finding.base_interval[1] == pytest.approx(1 - 0.025 ** (1 / (len(empty) + 2)))


def test_a_log_with_more_trials_than_its_design_makes_is_refused() -> None:
    log = _search(FixedRule(trials=5), missing=0).records
    resumed = TaskSearch("t", _POOL, FixedRule(trials=5), seed=3)
    resumed.replay(log)
    assert resumed.next_trial() is None
    with pytest.raises(DamagedStateError, match="trial 5 of the log"):
        TaskSearch("t", _POOL, FixedRule(trials=4), seed=3).replay(log)
