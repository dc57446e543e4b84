"""Statement: what the docstring of a definition begins with."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Definition, Function, Module
from goldwright.offline_agents.statements.quotes import cut_message
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"The docstring of `(?P<subject>[\w.]+)` begins with “(?P<text>[^”]+)”\."
)
_ENDS: Final = ".!?"
# Shorter ones are headings, or say the name again.
FEWEST_WORDS: Final = 3
# Two or three sentences; what follows is about details.
LONGEST_DESCRIPTION: Final = 240
# Marks and markup do not survive as they stand.
_MARKUP: Final = re.compile(r"[`“”\\]|^(?:[:@]|\.\. )")
# Behind the first, plain words that end: no lists, no names of code, no abbreviations.
_FURTHER_SENTENCE: Final = re.compile(r"[A-Z][a-z']*(?: [A-Za-z][a-z',-]*){3,}\.")


@dataclass(frozen=True, slots=True)
class Described(Statement):
    """The docstring of a function or class begins with these words.

    Attributes:
        name: Its qualified name.
        text: The words, ``…`` for what is left out.
    """

    kind: ClassVar[str] = "described"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code='''
def pay(basket):
    """Take the money for a basket.

    Nothing is booked twice.
    """
    return basket.total

def refund(basket):
    """Give the money back."""
    return -basket.total
''',
            holds=(
                (
                    "The docstring of `pay` begins with “Take the money for a basket. Nothing is "
                    "booked twice”."
                ),
                "The docstring of `refund` begins with “Give the money back”.",
            ),
            fails=("The docstring of `pay` begins with “Give the money back”.",),
        ),
    )

    name: str
    text: str

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        return f"The docstring of `{self.name}` begins with “{self.text}”."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["subject"], match["text"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from cls.find_in(module, name, function)

    @classmethod
    def find_in(cls, module: Module, name: str, definition: Definition) -> Iterator[Finding]:
        """Find the docstring of a function or a class."""
        docstring = ast.get_docstring(definition)
        text = opening_sentences(docstring or "")
        if text:
            node = definition.body[0]
            last = node.end_lineno or node.lineno
            lines = FileRange(file=module.path, start=node.lineno, end=last)
            statement = cls(name, text)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.name):
            own_lines = definition.own_lines
            texts = [line for line in own_lines if line.keyword.endswith(('"', "'"))]
            for line in texts[:1]:
                text = string_text(line.line)
                is_same = begins_with(text, fixed_parts(self.text))
                return ("shown" if is_same else "refuted"), definition.at(line)
            return "refuted", definition.range
        return "unclear", None

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for alternative in alternatives:
            if isinstance(alternative, Described) and alternative.text != self.text:
                yield Described(self.name, alternative.text)


def opening_sentences(docstring: str) -> str:
    """Take the first sentence of a docstring, and those behind it that are as plain.

    Returns:
        Without the last full stop; empty where the first is no plain sentence.
    """
    taken: list[str] = []
    for sentence in _sentences(docstring):
        text = " ".join([*taken, sentence])
        is_first = not taken
        if not is_first and taken[-1][-1] not in _ENDS:
            # A heading, which nobody reads together with what stands below it.
            break
        is_long = len(text) > LONGEST_DESCRIPTION
        if not is_first and (is_long or not _FURTHER_SENTENCE.fullmatch(sentence)):
            break
        if _MARKUP.search(sentence) or len(sentence.split()) < FEWEST_WORDS or sentence[-1] == ":":
            break
        taken.append(sentence)
    if len(taken) == 1:
        return cut_message(taken[0]).rstrip(".:, ")
    return " ".join(taken).rstrip(".")


def begins_with(text: str, parts: Sequence[str]) -> bool:
    """Find out whether a text begins with the first of some parts and holds all of them."""
    has_beginning = text.startswith(parts[0])
    return has_beginning and all(part in text for part in parts)


def _sentences(docstring: str) -> Iterator[str]:
    """Yield the sentences of the paragraphs before the first that is no prose."""
    for number, paragraph in enumerate(docstring.strip().split("\n\n")):
        text = " ".join(paragraph.split())
        if number and not (text.endswith(".") and text[:1].isupper()):
            return
        yield from re.split(r"(?<=[\w)]\.)\s", text)
