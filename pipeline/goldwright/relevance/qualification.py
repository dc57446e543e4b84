"""Whether a task's check can be relied on: right answers pass every time, and no answer fails."""

from collections.abc import Callable
from dataclasses import dataclass

from goldwright.relevance.pytest_validator import Validation, ValidationResult
from goldwright.relevance.tasks import RelevanceTask

# So many times a gold answer must pass: a check that fails one time in five is noticed in half of
# all tasks by three tries, and costs less than a trial that it would spoil.
GOLD_TRIES = 3

# What a control answers. Each is no answer to anything.
CONTROLS = ("", "def nothing():\n    return None\n")

Check = Callable[[RelevanceTask, str], ValidationResult]


@dataclass(frozen=True, slots=True)
class Disqualification:
    """Why a task takes no part.

    Attributes:
        task_id: The task.
        reason: In one line.
    """

    task_id: str
    reason: str


def disqualify(task: RelevanceTask, check: Check) -> Disqualification | None:
    """Try a task's check on its gold answer and on controls; return what is wrong, or None.

    Raises:
        OSError: A sandbox cannot be started.
    """
    for control in CONTROLS:
        if check(task, control).validation is Validation.PASSED:
            return Disqualification(task.id, "its check passes without an answer")
    if task.gold is None:
        return None
    results = [_check_gold(task, task.gold, check) for _ in range(GOLD_TRIES)]
    passed = sum(result.validation is Validation.PASSED for result in results)
    if passed == GOLD_TRIES:
        return None
    for result in results:
        if result.validation is Validation.NOT_VALIDATED:
            return Disqualification(task.id, f"its check cannot be run: {result.reason}")
    reason = next(result.reason for result in results if result.validation is not Validation.PASSED)
    if passed:
        return Disqualification(task.id, f"its check is flaky: gold passed {passed} of 3 times")
    return Disqualification(task.id, f"its gold answer does not pass: {reason}")


def _check_gold(task: RelevanceTask, gold: str, check: Check) -> ValidationResult:
    """Check a gold answer, and once more where the check itself failed: that may be of a moment."""
    result = check(task, gold)
    if result.validation is not Validation.NOT_VALIDATED:
        return result
    return check(task, gold)
