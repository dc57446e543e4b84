"""A task of the comparison, and what a right answer to it rests on."""

from dataclasses import dataclass

from goldwright.records import FileRange


@dataclass(frozen=True, slots=True)
class BackedFact:
    """A statement, and the lines that support it; without lines nobody can read it off."""

    statement: str
    lines: tuple[FileRange, ...]


@dataclass(frozen=True, slots=True)
class BenefitTask:
    """One question.

    Attributes:
        task_id: Its id.
        question: Its text, all that an agent is told.
        stratum: Task type and difficulty, or what the dataset has in their place.
        must: What an answer has to say.
        must_not: What it must not say.
        files: The files that an answer rests on, for the check that searching was competent.
    """

    task_id: str
    question: str
    stratum: str
    must: tuple[BackedFact, ...]
    must_not: tuple[str, ...]
    files: tuple[str, ...]
