"""Laws of the comparison with and without a tool."""

from goldwright.benefit.findings import OVERALL, can_show, sum_up
from goldwright.benefit.ledger import TokenLedger
from goldwright.benefit.trials import Arm, ScoredTrial, open_pairs, plan_trials

TASKS = [f"task-{number}" for number in range(8)]


def scored(task_id: str, seed: int, arm: Arm, *, success: bool, uptake: int = 1) -> ScoredTrial:
    return ScoredTrial(
        task_id=task_id,
        seed=seed,
        arm=arm,
        answer="",
        total_tokens=200 if arm == "with_tool" else 100,
        schema_tokens=0,
        result_tokens=0,
        usd=0.0,
        tool_calls=1,
        tool_uptake=uptake if arm == "with_tool" else 0,
        tool_errors=0,
        turns=1,
        wall_clock_s=0.0,
        reached=True,
        success=success,
    )


def verdicts(seeds: int, *, helps: bool, uptake: int = 1) -> tuple[str, str]:
    records = [
        scored(
            trial.task_id,
            trial.seed,
            trial.arm,
            success=(trial.arm == "with_tool") == helps,
            uptake=uptake,
        )
        for trial in plan_trials(TASKS, seeds, seed=1)
    ]
    finding = sum_up(records, dict.fromkeys(TASKS, "locate easy"), seed=0)[-1]
    assert finding.stratum == OVERALL
    return finding.verdict, finding.cost_verdict


def test_a_tool_may_help_or_hurt_and_its_tokens_are_a_debit() -> None:
    assert verdicts(3, helps=True) == ("helps", "hurts")
    assert verdicts(3, helps=False) == ("hurts", "hurts")


def test_one_seed_or_a_tool_that_nobody_called_shows_nothing() -> None:
    assert verdicts(1, helps=True) == ("not measured", "not measured")
    assert verdicts(3, helps=True, uptake=0) == ("not measured", "not measured")


def test_tasks_that_could_show_nothing_if_all_agreed_are_said_to_be_too_few() -> None:
    """Five signs that agree have a p-value of 2 in 32."""
    assert not can_show(5, 1)
    assert can_show(6, 1)
    assert not can_show(6, 2)
    few, many = ("locate easy", 5), ("locate hard", 8)
    strata = {f"{name} {n}": name for name, count in (few, many) for n in range(count)}
    records = [
        scored(trial.task_id, trial.seed, trial.arm, success=trial.arm == "with_tool")
        for trial in plan_trials(list(strata), 3, seed=1)
    ]
    verdicts = {finding.stratum: finding.verdict for finding in sum_up(records, strata, seed=0)}
    assert verdicts == {few[0]: "too few tasks", many[0]: "helps", OVERALL: "helps"}


def test_no_interval_of_a_difference_of_shares_leaves_its_range() -> None:
    strata = dict.fromkeys(TASKS[:2], "locate easy")
    records = [
        scored(trial.task_id, trial.seed, trial.arm, success=trial.task_id == TASKS[0])
        for trial in plan_trials(TASKS[:2], 3, seed=1)
    ]
    mixed = [
        record.model_copy(update={"success": False}) if record.arm == "native" else record
        for record in records
    ]
    interval = sum_up(mixed, strata, seed=0)[-1].success_lift.interval
    assert interval == (-1.0, 1.0)


def test_after_a_stop_at_any_moment_every_trial_is_made_once_and_halves_come_first() -> None:
    planned = plan_trials(TASKS, 3, seed=2)
    for stop in range(len(planned) + 1):
        done = [scored(t.task_id, t.seed, t.arm, success=True) for t in planned[:stop]]
        missing = open_pairs(planned, done)
        assert sorted(map(str, sum(missing, ()))) == sorted(map(str, planned[stop:]))
        assert not missing or len(missing[0]) == 2 - stop % 2


def test_each_turn_pays_for_all_that_it_reads() -> None:
    ledger = TokenLedger("p" * 40, "s" * 80)
    ledger.say("c" * 4)
    ledger.show("r" * 400)
    ledger.say("a" * 8)
    assert (ledger.schema_tokens, ledger.prompt_tokens) == (40, 20)
    assert (ledger.call_tokens, ledger.result_tokens) == (1 + 1 + 2, 100)
