"""Tasks whose success can be checked, as a registry of them states them."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from goldwright.records import Record


class PytestCheck(Record):
    """The answer is Python that passes tests, which import it as the module `answer`.

    Attributes:
        kind: Names this kind of check.
        tests: The file of the tests, relative to the registry.
        node_ids: The tests that must pass: `test_it.py::test_that`.
    """

    kind: Literal["pytest"] = "pytest"
    tests: str = Field(min_length=1)
    node_ids: tuple[str, ...] = Field(min_length=1)


class QualifiedNameCheck(Record):
    """The answer names an entity by its fully qualified name.

    Attributes:
        kind: Names this kind of check.
        qualified_name: Such as `package.module.Class`.
    """

    kind: Literal["qualified_name"] = "qualified_name"
    qualified_name: str = Field(min_length=1)


class ExactCheck(Record):
    """The answer is a text, but for space around it and the case of letters.

    Attributes:
        kind: Names this kind of check.
        text: The text.
    """

    kind: Literal["exact"] = "exact"
    text: str = Field(min_length=1)


class FactsCheck(Record):
    """The answer states every fact that it must, and none that is false.

    Attributes:
        kind: Names this kind of check.
        must_mention: Facts, a sentence each.
        must_not_mention: False statements, a sentence each.
    """

    kind: Literal["facts"] = "facts"
    must_mention: tuple[str, ...] = Field(min_length=1)
    must_not_mention: tuple[str, ...] = ()


Check = Annotated[
    PytestCheck | QualifiedNameCheck | ExactCheck | FactsCheck, Field(discriminator="kind")
]


class RelevanceTask(Record):
    """A question, and what shows that an answer to it is right.

    Attributes:
        id: Unique in its registry.
        query: What a solver is asked, and what retrievers search with.
        instruction: What a solver is told besides, such as the name that its code has to define;
            no retriever sees it.
        check: What shows that an answer is right.
        seeded: Ids of documents that are believed to matter; they are treated as all others are.
        gold: An answer that is known to be right, with which the check itself is tried first.
        readable: Directories whose packages tests and answer may import, relative to the registry.
        asked_of: The id of the document of which the query is a sentence, word for word; neither
            solver nor built-in retriever is shown that sentence in it.
    """

    id: str = Field(min_length=1, max_length=200)
    query: str = Field(min_length=1)
    instruction: str = ""
    check: Check
    seeded: tuple[str, ...] = ()
    gold: str | None = None
    readable: tuple[str, ...] = ()
    asked_of: str | None = None

    @property
    def question(self) -> str:
        """All that a solver is asked and told."""
        if not self.instruction:
            return self.query
        return f"{self.query}\n{self.instruction}"


class TaskRegistry(Record):
    """The tasks of one file.

    Attributes:
        tasks: In the order of the file.
    """

    tasks: tuple[RelevanceTask, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_ids(self) -> "TaskRegistry":
        ids = [task.id for task in self.tasks]
        repeated_ids = {task_id for task_id in ids if ids.count(task_id) > 1}
        twice = sorted(repeated_ids)
        if twice:
            raise ValueError(f"the id {twice[0]!r} stands twice")
        return self


def tests_path(check: PytestCheck, directory: Path) -> Path:
    """Return where a check's tests lie, given the directory of its registry."""
    return directory / check.tests
