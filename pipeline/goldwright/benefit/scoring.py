"""Judging answers without knowing who gave them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from goldwright.benefit.tasks import BenefitTask
from goldwright.benefit.trials import ArmTrialRecord, ScoredTrial

JudgeAnswer = Callable[[BenefitTask, str], bool]
"""Says whether an answer is right, from task and answer alone."""


def score_blind(
    records: Sequence[ArmTrialRecord],
    tasks: Mapping[str, BenefitTask],
    judge: JudgeAnswer,
    *,
    seed: int,
) -> tuple[ScoredTrial, ...]:
    """Judge all answers in a random order; equal answers to one task get one verdict.

    Args:
        records: The trials, in any order.
        tasks: The tasks by id.
        judge: Is told task and answer, and neither arm nor seed nor cost.
        seed: Settles the order.
    """
    answers = sorted({(record.task_id, record.answer) for record in records})
    Random(seed).shuffle(answers)  # noqa: S311  # an order, no secret
    verdicts = {(name, answer): judge(tasks[name], answer) for name, answer in answers}
    return tuple(
        ScoredTrial(**record.model_dump(), success=verdicts[record.task_id, record.answer])
        for record in records
    )
