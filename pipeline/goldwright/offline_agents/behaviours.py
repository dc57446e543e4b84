"""What a piece of code does, as values: a kind, lines, the text of its parts and the conditions
around it.
"""

from dataclasses import dataclass, field
from typing import Literal

from goldwright.snapshot.entities import Span

GuardKind = Literal["when", "each", "while", "handling", "case", "some"]
BehaviourKind = Literal[
    "raises",  # text: exception class; detail: message with … for values, may be empty
    "reraises",  # text: the exceptions caught
    "swallows",  # text: the exceptions caught and dropped
    "returns",  # text: the value
    "stops",  # a bare return
    "yields",  # text: the value
    "calls",  # text: the callee as written
    "passes",  # text: the callee; detail: a keyword argument as written
    "sets",  # text: an attribute or item; detail: the value
    "loops",  # text: what is gone through; detail: the loop variable
    "holds",  # text: a lock entered by ``with``
    "enters",  # text: another context entered by ``with``
    "opens",  # text: an ``open(...)`` outside any ``with``
    "warns",  # text: the callee; detail: the message
    "logs",  # text: the callee; detail: the message
    "asserts",  # text: the condition
    "checks",  # text: the condition of an ``if``
    "rebinds",  # text: a module-level name declared global
    "unlocked",  # text: an item of a shared name that is written with no lock around
    "default",  # text: parameter; detail: its default
    "mutable_default",  # text: parameter; detail: its default
    "requires",  # text: a parameter without default
    "decorated",  # text: the decorator
    "inherits",  # text: a base class
    "attribute",  # text: a class attribute; detail: its value
    "field",  # text: an annotated class attribute without value; detail: its type
    "defines",  # text: a method
    "abstract",  # text: a method left to subclasses
    "bound",  # text: the value of a name
    "entry",  # text: key, detail: value of a dictionary display
    "listed",  # text: element of a list, tuple or set display
    "order",  # text: callee; detail: a callee called after it
    "result",  # text: the callee whose result is returned
    "changes",  # text: an attribute or item that gets a new value
    "refers",  # text: a name from outside that is read
    "literal",  # text: the type of a constant
    "made",  # text: the callee that makes the value of a name
    "placed",  # text: ``module`` or ``class``, where a name is assigned
    "never",  # text: the keyword of a statement that does not occur
]


@dataclass(frozen=True, slots=True)
class PathCondition:
    """One condition on the way to a statement, from the outside in.

    ``when``: an ``if`` whose condition is ``text``, already negated for ``else``. ``each``: a loop
    over ``text`` with variable ``detail``. ``while``: a loop condition. ``handling``: an ``except``
    for ``text``. ``case``: a ``match`` of ``text`` against ``detail``. ``some``: a condition nobody
    wrote out. ``lines`` is where it stands, if that is known; it makes no other condition of it.
    """

    kind: GuardKind
    text: str = ""
    detail: str = ""
    lines: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One thing that ``subject``, a qualified name, does on lines ``first`` to ``last`` of its
    file.
    """

    kind: BehaviourKind
    subject: str
    text: str = ""
    detail: str = ""
    guards: tuple[PathCondition, ...] = ()
    first: int = 0
    last: int = 0

    @property
    def is_guarded(self) -> bool:
        """Tell whether any condition stands before it."""
        return bool(self.guards)


@dataclass(frozen=True, slots=True)
class DefinitionReading:
    """A function, class or name as its source shows it.

    ``members`` are the functions of a class body; ``summary`` is the first sentence of the
    docstring, ``comments`` are the texts of whole-line comments with their line.
    """

    name: str
    kind: Literal["function", "class", "variable"]
    first: int
    last: int
    parameters: tuple[str, ...] = ()
    summary: str = ""
    comments: tuple[tuple[int, str], ...] = ()
    behaviours: tuple[Behaviour, ...] = ()
    members: tuple["DefinitionReading", ...] = ()
    is_async: bool = False
    is_generator: bool = False

    def everything(self) -> tuple[Behaviour, ...]:
        """List the behaviours of the definition and then those of its members."""
        return (*self.behaviours, *(one for member in self.members for one in member.behaviours))
