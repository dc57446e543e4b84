"""Whether an answer is right, by whichever check its task has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.relevance.pytest_validator import (
    PytestTask,
    Validation,
    ValidationResult,
    validate,
)
from goldwright.relevance.tasks import (
    ExactCheck,
    FactsCheck,
    PytestCheck,
    QualifiedNameCheck,
    RelevanceTask,
    tests_path,
)
from goldwright.sandbox.layers import Layer

# An answer's facts: those that it must and must not state, and whether it does as it should.
StatesFacts = Callable[[str, Sequence[str], Sequence[str]], bool]


@dataclass(frozen=True)
class Validator:
    """Checks answers to the tasks of one registry.

    Attributes:
        directory: That of the registry; paths of tasks are relative to it.
        layer: How answers that are code are confined.
        states_facts: Tells whether an answer states what it must and nothing that it must not.
    """

    directory: Path
    layer: Layer
    states_facts: StatesFacts

    def check(self, task: RelevanceTask, answer: str) -> ValidationResult:
        """Check an answer.

        Raises:
            OSError: A sandbox cannot be started.
        """
        if isinstance(task.check, PytestCheck):
            pytest_task = self._pytest_task(task, task.check)
            return validate(pytest_task, answer, layer=self.layer)
        if self._is_right(task.check, answer):
            return ValidationResult(Validation.PASSED)
        return ValidationResult(Validation.FAILED, "the answer is another one")

    def _is_right(self, check: QualifiedNameCheck | ExactCheck | FactsCheck, answer: str) -> bool:
        if isinstance(check, QualifiedNameCheck):
            return answer.strip().strip("`") == check.qualified_name
        if isinstance(check, ExactCheck):
            wanted_text = check.text.strip().casefold()
            return answer.strip().casefold() == wanted_text
        return self.states_facts(answer, check.must_mention, check.must_not_mention)

    def _pytest_task(self, task: RelevanceTask, check: PytestCheck) -> PytestTask:
        readable = [self.directory / path for path in task.readable]
        return PytestTask(
            tests=tests_path(check, self.directory),
            node_ids=check.node_ids,
            readable=readable,
        )
