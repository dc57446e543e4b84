"""What an inquiry is: one kind of reason for a question.

The Author finds leads file by file (``leads``) and makes questions of them (``questions``). The
Oracle is given the question and derives the answer from the code again (``answer``).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.plan import Cell
from goldwright.records import Intent, Role, TaskType


@dataclass(frozen=True, slots=True)
class Lead:
    """Lines of a file that make a question worth asking.

    Attributes:
        kind: The kind of inquiry.
        subject: The id of the entity that the question turns on.
        first, last: The lines.
        detail: What is meant inside them: an error class, a literal, a parameter.
        words: Human words that come with them: a message, a comment, a name of the outside world.
    """

    kind: str
    subject: str
    first: int
    last: int
    detail: str
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """Material for one query.

    Attributes:
        cell: The cell that it fits.
        phrasings: Ways to word it, with slots in braces; a slot with a capital starts a sentence.
        slots: The words that fill them.
        targets: The ids of the entities that the answer expects, the subject first.
        intent: The reason.
        score: How good the question is, in 0..1; better ones are asked first.
        rationale: Why it is as difficult as its cell says.
        expectation: The task type that a classifier takes it for, where it is another.
    """

    cell: Cell
    phrasings: tuple[str, ...] = field(hash=False)
    slots: Mapping[str, str] = field(hash=False)
    targets: tuple[str, ...]
    intent: Intent = field(hash=False)
    score: float
    rationale: str | None = None
    expectation: TaskType | None = None

    @property
    def subject(self) -> str:
        """The first target."""
        return self.targets[0]


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One entity of an answer, with its part in it and why it is needed."""

    entity_id: str
    role: Role
    rationale: str


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """What an answer says, before it is put into a record.

    Attributes:
        parts: The expected entities, the primary one first.
        opening: How the narrative begins: its first sentence answers the question.
        facts: The answer key: what an answer must state, most important first; three to eight.
        context: Further true statements, which make the narrative understandable.
        neighbours: True statements about other places that a careless reader could take for these.
        falsehoods: False statements that the kind itself knows to be tempting, best first.
        said_in_opening: How many of the facts, from the first on, the opening states already.
        closing: What follows from the facts for the asker, in a sentence that names nothing new.
        spare: Another such sentence, for an answer that would say too little without it.
        affirms: Whether it says yes to a question for yes or no.
        named: The id of an entity that the question names and the answer does not expect; empty for
            none.
        granted: The kinds of its statements that the question takes for granted: nobody who asks
            denies them.
    """

    parts: tuple[AnswerPart, ...]
    opening: str
    facts: tuple[Finding, ...]
    context: tuple[Finding, ...] = ()
    neighbours: tuple[Finding, ...] = ()
    falsehoods: tuple[Finding, ...] = ()
    said_in_opening: int = 0
    closing: str = ""
    spare: str = ""
    affirms: bool = False
    named: str = ""
    granted: tuple[type[Statement], ...] = ()


class Inquiry(ABC):
    """One kind of reason for a question.

    Attributes:
        kind: Its name, as intents hold it.
        cells: The cells that its questions are for.
    """

    kind: ClassVar[str]
    cells: ClassVar[tuple[Cell, ...]]

    @abstractmethod
    def leads(self, module: Module) -> Iterator[Lead]:
        """Find the leads of a file; it is called once for every file of a codebase."""

    def may_serve(
        self,
        lead: Lead,  # noqa: ARG002  # for those that rule out by it
        cell: Cell,  # noqa: ARG002
        code: CodeContext,  # noqa: ARG002
    ) -> bool:
        """Find out, without reading a file, whether a lead may give a question for a cell.

        Kinds with very many leads rule most of them out by the call graph: of a large codebase
        they could not all be followed.
        """
        return True

    @abstractmethod
    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Make the questions that a lead gives, for every cell that one of them fits."""

    @abstractmethod
    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """Derive the answer from the code; None where the code does not give it."""
