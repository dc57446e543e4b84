"""Trials: which there are, in which order, and what is written of each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from goldwright.records import Record

Arm = Literal["native", "with_tool"]
ARMS: Final[tuple[Arm, Arm]] = ("native", "with_tool")


@dataclass(frozen=True, slots=True)
class ArmTrial:
    """One attempt at one task.

    Attributes:
        task_id: The id of the query.
        seed: The number of the repetition, from 0; both arms of a pair share it.
        arm: Whether the agent has the tool.
    """

    task_id: str
    seed: int
    arm: Arm


class ArmTrialRecord(Record):
    """What a trial came to, as the journal keeps it.

    Attributes:
        task_id: The id of the query.
        seed: The number of the repetition, from 0.
        arm: Whether the agent had the tool.
        answer: What the agent said; it is judged later, by code that is not told the arm.
        total_tokens: Input and output of every turn, schemas and results of tools included.
        schema_tokens: The part of it that is descriptions of tools.
        result_tokens: The part of it that is results of tools, each time they were read.
        usd: What the tokens cost.
        tool_calls: Calls of any tool.
        tool_uptake: Calls of the tool under test that returned something.
        tool_errors: Calls of it that failed.
        turns: Requests to the model.
        wall_clock_s: Seconds from the question to the answer.
        reached: Whether a line of an expected file was read.
    """

    task_id: str
    seed: int
    arm: Arm
    answer: str
    total_tokens: int
    schema_tokens: int
    result_tokens: int
    usd: float
    tool_calls: int
    tool_uptake: int
    tool_errors: int
    turns: int
    wall_clock_s: float
    reached: bool

    @property
    def trial(self) -> ArmTrial:
        """Which trial it was."""
        return ArmTrial(self.task_id, self.seed, self.arm)


class ScoredTrial(ArmTrialRecord):
    """A trial whose answer was judged.

    Attributes:
        success: Whether the answer states every fact and no falsehood.
    """

    success: bool


def plan_trials(task_ids: Sequence[str], seeds: int, *, seed: int) -> tuple[ArmTrial, ...]:
    """Put all trials in an order in which nothing but the tool differs between the arms.

    The two arms of a task and seed follow one another, in an order that chance settles, so both
    meet the same hour of a provider, and a stop at any moment leaves at most the pairs under way
    without their second half.

    Args:
        task_ids: The tasks.
        seeds: Repetitions of each, 1 or more.
        seed: Settles the order.
    """
    chance = Random(f"benefit:{seed}")  # noqa: S311  # an order, no secret
    pairs = [(task_id, number) for number in range(seeds) for task_id in task_ids]
    chance.shuffle(pairs)
    trials: list[ArmTrial] = []
    for task_id, number in pairs:
        arms = list(ARMS)
        chance.shuffle(arms)
        trials += [ArmTrial(task_id, number, arm) for arm in arms]
    return tuple(trials)


def open_pairs(
    trials: Sequence[ArmTrial], records: Iterable[ArmTrialRecord]
) -> tuple[tuple[ArmTrial, ...], ...]:
    """Give what is still to be done, pair by pair; halves of begun pairs come first."""
    done_trials = {record.trial for record in records}
    size = len(ARMS)
    pairs = [trials[start : start + size] for start in range(0, len(trials), size)]
    missing = [tuple(trial for trial in pair if trial not in done_trials) for pair in pairs]
    return tuple(sorted(filter(None, missing), key=len))


def whole_pairs(records: Iterable[ScoredTrial]) -> Iterator[tuple[ScoredTrial, ScoredTrial]]:
    """Yield the pairs of which both arms are there, without and with the tool."""
    by_trial = {record.trial: record for record in records}
    for trial, record in by_trial.items():
        with_tool = by_trial.get(ArmTrial(trial.task_id, trial.seed, "with_tool"))
        if trial.arm == "native" and with_tool is not None:
            yield record, with_tool
