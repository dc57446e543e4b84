"""Statement: what a comment says above a line of code."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.comments import comments_of, first_line
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

# Shorter ones are headings; longer ones say more than one thing.
FEWEST_WORDS: Final = 4
LONGEST_COMMENT: Final = 160

_SENTENCE: Final = re.compile(
    r"Above `(?P<code>[^`]+)`, a comment in `(?P<subject>[\w.]+)` says “(?P<text>[^”]+)”\."
)
# Notes to tools and to oneself, and code that was taken out.
_NO_PROSE: Final = re.compile(
    r"(?i:^(?:todo|fixme|xxx|hack|type:|noqa|pragma|pylint|mypy|ruff|pyright|fmt:))"
    r"|[`“”\"=|{}\[\]\\]|\w\(|https?:|:$"
)


@dataclass(frozen=True, slots=True)
class Commented(Statement):
    """A comment stands right above a statement and says this.

    Attributes:
        function: The qualified name of the function.
        code: The first line of the statement, as written, without the colon of a clause.
        text: The first sentence of the comment.
    """

    kind: ClassVar[str] = "commented"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def close(shop):
    # Lock the door before
    # the lights go out. Twice is fine.
    shop.lock()
    if shop.lights:
        # TODO: ask the electrician first
        shop.dark()
    # Somebody has to come back.
    return shop.keys
""",
            holds=(
                (
                    "Above `shop.lock()`, a comment in `close` says “Lock the door before the "
                    "lights go out”."
                ),
                "Above `return shop.keys`, a comment in `close` says “Somebody has to come back”.",
            ),
            fails=(
                "Above `shop.dark()`, a comment in `close` says “Somebody has to come back”.",
                "Above `shop.lock()`, a comment in `close` says “Somebody has to come back”.",
            ),
        ),
    )

    function: str
    code: str
    text: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return f"Above `{self.code}`, a comment in `{self.function}` says “{self.text}”."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        return None if match is None else cls(match["subject"], match["code"], match["text"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for comment in comments_of(module, function):
            text = _first_sentence(comment.text)
            code = first_line(comment.statement, module)
            if text and 0 < len(code) <= LONGEST_VALUE and "`" not in code:
                last = comment.statement.lineno
                lines = FileRange(file=module.path, start=comment.first, end=last)
                yield Finding(cls(name, code, text), f"{module.path}::{name}", lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        for definition in definitions:
            for line in definition.own_lines:
                if plain_code(line.line.code) != plain_code(self.code):
                    continue
                text, first = code.comment_above(definition, line.first)
                if text.startswith(self.text):
                    place = FileRange(file=definition.path, start=first, end=line.first)
                    return "shown", place
        return ("refuted", definitions[0].range) if definitions else ("unclear", None)

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        for other in others:
            if isinstance(other, Commented) and other.text != self.text:
                yield replace(self, text=other.text)


def _first_sentence(text: str) -> str:
    sentence = re.split(r"(?<=[\w)])\.(?:\s|$)", text, maxsplit=1)[0].strip(" .:-")
    is_whole = sentence.count("(") == sentence.count(")")
    is_prose = is_whole and _NO_PROSE.search(sentence) is None
    is_short = len(sentence) <= LONGEST_COMMENT
    return sentence if is_prose and is_short and len(sentence.split()) >= FEWEST_WORDS else ""
