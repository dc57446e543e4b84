"""What statements about comments share: where the comment stands, and that its words do."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from goldwright.code_reading.comments import comments_of, first_line
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import Finding, Shown, Statement, not_shown_in
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange


@dataclass(frozen=True, slots=True)
class CommentWords(Statement):
    """Words of the comment that stands right above a statement.

    Attributes:
        function: The qualified name of the function.
        code: The first line of the statement, as written, without the colon of a clause.
        words: The words.
    """

    function: str
    code: str
    words: str

    @property
    def subject(self) -> str:
        return self.function

    @classmethod
    @abstractmethod
    def choose_words(cls, comment: str) -> str:
        """Take the words out of a comment; empty where it has none of this kind."""

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for comment in comments_of(module, function):
            words = cls.choose_words(comment.text)
            code = first_line(comment.statement, module)
            if words and 0 < len(code) <= LONGEST_VALUE and "`" not in code:
                last = comment.statement.lineno
                lines = FileRange(file=module.path, start=comment.first, end=last)
                statement = cls(name, code, words)
                yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        for definition in definitions:
            for line in definition.own_lines:
                if plain_code(line.line.code) != plain_code(self.code):
                    continue
                comment, first = code.comment_above(definition, line.first)
                if self.words in comment:
                    place = FileRange(file=definition.path, start=first, end=line.first)
                    return "shown", place
        return not_shown_in(definitions)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Self]:
        for alternative in alternatives:
            if isinstance(alternative, type(self)) and alternative.words != self.words:
                yield replace(self, words=alternative.words)
