"""Deeds: statements on what a function does, told by predicates that do without its name."""

from typing import Any, ClassVar

from goldwright.offline_agents.statements.statement import ConditionalStatement


class Deed(ConditionalStatement):
    """A statement on one thing that a function does.

    Its other fields stand between these two, texts all of them.

    Attributes:
        verbs: Those that its predicates begin with.
        predicates: Patterns of them, each with a group for every field in between.
        function: The qualified name of the function.
        path: The conditions, all of them.
    """

    # Each kind is a dataclass.
    __dataclass_fields__: ClassVar[dict[str, Any]]
    verbs: ClassVar[tuple[str, ...]]
    predicates: ClassVar[tuple[str, ...]]

    function: str

    @property
    def subject(self) -> str:
        return self.function

    def predicate(self) -> str:
        """Say what the function does, without its name and the conditions."""
        raise NotImplementedError


def predicate_of(statement: object) -> str:
    """Give the predicate of a deed; empty for a statement of another kind."""
    return statement.predicate() if isinstance(statement, Deed) else ""
