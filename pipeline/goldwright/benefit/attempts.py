"""Agents that try tasks, and what an attempt comes to."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from goldwright.benefit.surface import ToolSurface
from goldwright.benefit.tasks import BenefitTask
from goldwright.benefit.trials import ArmTrial
from goldwright.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Attempt:
    """What an agent did with a question.

    Attributes:
        answer: What it says.
        total_tokens: Input and output of every turn: as the provider of a model counts them, by
            rule where no model is asked.
        schema_tokens: Our estimate of the part that describes tools.
        result_tokens: Our estimate of the part that is results of tools, each time they are read.
        turns: Requests to the model.
        usd: What the tokens cost.
        tool_calls: Calls of any tool.
        tool_uptake: Calls of the tool under test that returned something.
        tool_errors: Calls of it that failed.
        reached: Whether a line of an expected file was read.
    """

    answer: str
    total_tokens: int
    schema_tokens: int
    result_tokens: int
    turns: int
    usd: float
    tool_calls: int
    tool_uptake: int
    tool_errors: int
    reached: bool


class Agent(Protocol):
    """Tries tasks, with or without the tool under test."""

    @property
    def name(self) -> str:
        """The name by which reports tell agents apart."""
        ...

    def attempt(
        self,
        trial: ArmTrial,
        task: BenefitTask,
        surface: ToolSurface | None,
        open_snapshot: Callable[[], Snapshot],
    ) -> Attempt:
        """Try a task, natively where there is no tool.

        Args:
            trial: Which attempt it is.
            task: The question.
            surface: The tool under test.
            open_snapshot: Opens the codebase for the calling thread.

        Raises:
            UnansweredError: The attempt could not be finished; it is neither success nor failure.
            GoldwrightError: No attempt would fare better now.
        """
        ...
