"""Statement: a function writes a message to the log."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Final, Self

from goldwright.code_reading.log_calls import LEVELS, log_sites
from goldwright.code_reading.messages import fixed_parts
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.condition_phrases import (
    inverted_paths,
    read_conditions,
    write_conditions,
)
from goldwright.offline_agents.statements.conditional import look_for
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.quotes import cut_message
from goldwright.offline_agents.statements.statement import (
    Example,
    Finding,
    Shown,
    Statement,
)
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.offline_agents.token_reading.line_blocks import CodeLine
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.path_conditions import Path
from goldwright.records import FileRange

_SENTENCE: Final = re.compile(
    r"`(?P<subject>[\w.]+)` logs “(?P<message>[^”]+)” as `(?P<level>\w+)`(?P<conditions> .+)?\."
)

# What comes later in a line is an argument.
_MOST_WORDS_TO_LEVEL: Final = 14


@dataclass(frozen=True, slots=True)
class Logs(Deed):
    """A function logs a message under these conditions.

    Attributes:
        function: The qualified name of the function.
        message: The message, ``…`` for what is put in or cut off.
        level: The method of the logger, as in ``warning``.
        path: All the conditions.
    """

    kind: ClassVar[str] = "logs"
    verbs: ClassVar[tuple[str, ...]] = ("logs",)
    predicates: ClassVar[tuple[str, ...]] = (r"logs “([^”]+)” as `([^`]+)`",)
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
import logging
logger = logging.getLogger(__name__)

def close(handle):
    try:
        handle.close()
    except OSError:
        logger.warning("cannot close %s cleanly", handle)
    else:
        logger.debug("all is closed")
    shop.options.logger.warn("the %s is closed" % name(handle))
""",
            holds=(
                "`close` logs “cannot close … cleanly” as `warning` after catching `OSError`.",
                "`close` logs “all is closed” as `debug` if no `OSError` was caught before.",
                "`close` logs “the … is closed” as `warn`.",
            ),
            fails=(
                "`close` logs “cannot close … cleanly” as `error` after catching `OSError`.",
                "`close` logs “cannot close … cleanly” as `warning`.",
            ),
        ),
    )

    function: str
    message: str
    level: str
    path: Path

    def predicate(self) -> str:
        return f"logs “{self.message}” as `{self.level}`"

    def sentence(self) -> str:
        conditions = write_conditions(self.path)
        return f"`{self.function}` logs “{self.message}” as `{self.level}`{conditions}."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        path = read_conditions(match["conditions"] or "")
        if path is None:
            return None
        function, message, level = match.group("subject", "message", "level")
        return cls(function, message, level, path)

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for site in log_sites(module, function):
            message = cut_message(site.message)
            if site.path is None or not fixed_parts(message):
                continue
            lines = FileRange(file=module.path, start=site.first, end=site.last)
            statement = cls(name, message, site.level, site.path)
            yield Finding(statement, module.entity_id(name), lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        return look_for(code, self.function, self.path, self._is_on)

    def falsehoods(self, alternatives: Sequence[Statement]) -> Iterator[Statement]:
        for path in inverted_paths(self.path):
            yield replace(self, path=path)
        # A level that nothing near by logs as would be made up; and one of them is enough.
        for alternative in alternatives:
            if isinstance(alternative, Logs) and alternative.level != self.level:
                yield replace(self, level=alternative.level)
                break

    def _is_on(self, line: CodeLine) -> bool:
        words = line.words()[:_MOST_WORDS_TO_LEVEL]
        # Behind however many attributes the logger stands, as in ``self.options.logger.warn(``.
        called = [word for word, opener in pairwise(words) if opener == "("]
        levels = [word for word in called if word in LEVELS][:1]
        text = string_text(line)
        if levels != [self.level]:
            return False
        return all(part in text for part in fixed_parts(self.message))
