"""Statement: what the docstring of the file around a definition begins with."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.described import begins_with, opening_sentences
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"The module of `(?P<name>[\w.]+)` is described as “(?P<text>[^”]+)”\."
)
# A line without an end, and behind it one that begins anew.
_HEADING: Final = re.compile(r"[^\n]*[^\s.,;:–-]\n[A-Z]")
# Of who wrote a file, and on which terms, no answer speaks.
_ABOUT_THE_FILE: Final = re.compile(r"(?i)\b(?:licen[sc]e|copyright|author|redistribut)|://|…$")


@dataclass(frozen=True, slots=True)
class ModulePurpose(Statement):
    """The docstring of the file in which something is defined begins with these words.

    Attributes:
        name: The qualified name of what is defined there.
        text: The words, ``…`` for what is left out.
    """

    kind: ClassVar[str] = "module_purpose"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code='"""Baskets and how they are paid."""\n\ndef pay(basket):\n    return 1\n',
            holds=("The module of `pay` is described as “Baskets and how they are paid”.",),
            fails=("The module of `pay` is described as “Where customers are kept”.",),
        ),
    )

    name: str
    text: str

    @property
    def subject(self) -> str:
        return self.name

    def sentence(self) -> str:
        return f"The module of `{self.name}` is described as “{self.text}”."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["name"], match["text"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        yield from cls.find_around(module, name)

    @classmethod
    def find_around(cls, module: Module, name: str) -> Iterator[Finding]:
        """Find the docstring of the file in which a function or class is defined."""
        docstring = ast.get_docstring(module.tree) or ""
        text = opening_sentences(docstring)
        if text and not _HEADING.match(docstring) and not _ABOUT_THE_FILE.search(text):
            node = module.tree.body[0]
            last = node.end_lineno or node.lineno
            lines = FileRange(file=module.path, start=node.lineno, end=last)
            statement = cls(name, text)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        for definition in code.named(self.name):
            begins, lines = code.first_string(definition)
            is_same = begins_with(begins, fixed_parts(self.text))
            return ("shown" if is_same else "refuted"), lines
        return "unclear", None
