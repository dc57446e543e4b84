"""Statement: what a function does with an error that it catches."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.error_routes import is_generator
from goldwright.code_reading.errors import HandlerOutcome, handler_sites
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
    not_shown_in,
)
from goldwright.offline_agents.token_reading.caught_errors import handler_outcomes
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

# What is said of each outcome; ``{0}`` is what is returned, raised or assigned.
_FORMS: Final[dict[HandlerOutcome, str]] = {
    "ignored": "does nothing about it",
    "skipped": "skips the rest of the loop body",
    "left": "leaves the loop",
    "logged": "only logs it",
    "returned": "returns `{0}`",
    "translated": "raises `{0}` instead",
    "reraised": "raises it again",
}
# What each is easily taken for.
_NEIGHBOURS: Final[dict[HandlerOutcome, HandlerOutcome]] = {
    "ignored": "logged",
    "skipped": "left",
    # Whoever leaves a loop skips the rest of its body, too.
    "left": "ignored",
    "returned": "ignored",
}
# What is easily taken for a value that a clause gives back.
_OTHER_VALUES: Final = {"True": "False", "False": "None", "None": "False", "[]": "None"}
_SENTENCE: Final = re.compile(
    r"When `(?P<function>[\w.]+)` catches `(?P<caught>[^`]+)`, "
    r"it (?P<outcome>[^`]+(?:`(?P<value>[^`]+)`.*)?)\."
)


@dataclass(frozen=True, slots=True)
class Handles(Statement):
    """A function catches an error, and what becomes of it beside a message in the log.

    Attributes:
        function: The qualified name of the function.
        caught: What the ``except`` clause catches, as written; ``BaseException`` for a bare one.
        outcome: What becomes of the error.
        value: What is returned or raised instead; empty for other outcomes.
    """

    kind: ClassVar[str] = "handles"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def load(path):
    try:
        return open(path).read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(path) from error

def close(handle):
    try:
        handle.close()
    except OSError:
        pass

def lend(handle):
    try:
        handle.lend()
    except OSError:
        handle.close()
        raise
    except KeyError:
        if handle.is_open:
            return None
        raise
""",
            holds=(
                "When `load` catches `FileNotFoundError`, it returns `None`.",
                "When `load` catches `OSError`, it raises `ValueError` instead.",
                "When `close` catches `OSError`, it does nothing about it.",
                "When `lend` catches `OSError`, it raises it again.",
            ),
            fails=(
                "When `load` catches `FileNotFoundError`, it raises it again.",
                "When `load` catches `OSError`, it raises `KeyError` instead.",
                "When `close` catches `OSError`, it only logs it.",
                "When `close` catches `ValueError`, it does nothing about it.",
                "When `lend` catches `KeyError`, it raises it again.",
            ),
        ),
    )

    function: str
    caught: str
    outcome: HandlerOutcome
    value: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        deed = self.deed()
        return f"When `{self.function}` catches `{self.caught}`, it {deed}."

    def deed(self) -> str:
        """Say what becomes of the error, as in ``returns `None` ``."""
        return _FORMS[self.outcome].format(self.value)

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        value = match["value"] or ""
        for outcome, form in _FORMS.items():
            if form.format(value) == match["outcome"]:
                return cls(match["function"], match["caught"], outcome, value)
        return None

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for site in handler_sites(module, function):
            caught = ", ".join(site.caught)
            if len(site.caught) > 1:
                caught = f"({caught})"
            has_code_mark = "`" in site.value + caught
            is_quotable = len(site.value) <= LONGEST_VALUE and not has_code_mark
            has_value = "{0}" in _FORMS.get(site.outcome, "")
            # A value over several lines is not given.
            is_said = not has_value or site.value != ""
            if site.outcome == "returned" and is_generator(function):
                continue
            if site.outcome in _FORMS and is_quotable and is_said:
                value = site.value if has_value else ""
                statement = cls(name, caught, site.outcome, value)
                lines = FileRange(file=module.path, start=site.first, end=site.last)
                yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        refuted: FileRange | None = None
        for definition in definitions:
            for handler in handler_outcomes(definition.own_lines):
                if plain_code(handler.caught) != plain_code(self.caught):
                    continue
                place = FileRange(file=definition.path, start=handler.first, end=handler.last)
                is_same_value = plain_code(handler.value) == plain_code(self.value)
                if handler.outcome == self.outcome and is_same_value:
                    return "shown", place
                refuted = place
        if refuted is not None:
            return "refuted", refuted
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        # Who asks whether it is kept is told wrongly that it is not, before anything else.
        if self.outcome != "reraised":
            yield replace(self, outcome="reraised", value="")
        other_value = _OTHER_VALUES.get(self.value)
        if self.outcome == "returned" and other_value is not None:
            yield replace(self, value=other_value)
        # Who returns nothing may be said to do nothing.
        neighbour = _NEIGHBOURS.get(self.outcome) if self.value != "None" else None
        if neighbour is not None:
            yield replace(self, outcome=neighbour, value="")
        elif self.outcome == "reraised":
            yield replace(self, outcome="ignored", value="")


def outcome_in_words(outcome: HandlerOutcome) -> str:
    """Say what becomes of an error, where no value belongs to it."""
    return _FORMS[outcome]
