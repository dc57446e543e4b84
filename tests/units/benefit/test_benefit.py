"""Laws of the comparison with and without a tool."""

from goldwright.benefit.findings import OVERALL, sum_up
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
