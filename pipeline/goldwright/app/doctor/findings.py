"""What an examination finds, a line each."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from goldwright.errors import GoldwrightError, InputError

Grade: TypeAlias = Literal["ok", "attention", "problem"]


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """One line of an examination.

    Attributes:
        topic: What was looked at, in a word or two.
        grade: Whether all is well, worth knowing, or in the way of a run.
        text: What was found.
        remedy: What to do about it; empty where there is nothing to do.
        exit_code: The exit code of the command where this is a problem; 0 otherwise.
    """

    topic: str
    grade: Grade
    text: str
    remedy: str = ""
    exit_code: int = 0


def fine(topic: str, text: str) -> HealthFinding:
    """All is well."""
    return HealthFinding(topic, "ok", text)


def attention(topic: str, text: str, remedy: str = "") -> HealthFinding:
    """Something is worth knowing, and a run is possible."""
    return HealthFinding(topic, "attention", text, remedy)


def problem(
    topic: str, text: str, remedy: str = "", *, exit_code: int = InputError.exit_code
) -> HealthFinding:
    """A run would stop here, or rest on something damaged."""
    return HealthFinding(topic, "problem", text, remedy, exit_code)


def problem_of(topic: str, error: GoldwrightError) -> HealthFinding:
    """Give the problem that an error is; its text says what to do."""
    return problem(topic, str(error), exit_code=error.exit_code)
