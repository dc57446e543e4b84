"""What becomes of caught errors, read from the lines under ``except``."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.offline_agents.token_reading.ways_out import caught_by

_LOG: Final = re.compile(
    r"(?:.*[._])?(?:log|logger|logging|warnings?|console)\w*\."
    r"(?:debug|info|warn|warning|error|exception|critical|log)\(.*|(?:warnings\.)?warn\(.*",
    re.IGNORECASE | re.DOTALL,
)
_RAISED: Final = re.compile(r"(?P<name>[\w.]*\b_*[A-Z]\w*)(?:\(.*)?(?: from .*)?", re.DOTALL)

_LEAVING: Final = frozenset({"return", "raise", "continue", "break"})


@dataclass(frozen=True, slots=True)
class HandlerReading:
    """An ``except`` clause.

    Attributes:
        caught: What it catches, as written.
        outcome: ``ignored``, ``logged``, ``skipped``, ``left`` for a loop, ``returned``,
            ``translated``, ``reraised``, or ``handled`` for anything else.
        value: What is returned, or the class that is raised instead.
        first, last: Its lines.
    """

    caught: str
    outcome: str
    value: str
    first: int
    last: int


def handler_outcomes(lines: Sequence[TokenLine]) -> Iterator[HandlerReading]:
    """Read the ``except`` clauses among the lines of one definition."""
    for place, line in enumerate(lines):
        if line.keyword != "except":
            continue
        column = _column(line)
        body: list[TokenLine] = []
        for below in lines[place + 1 :]:
            is_inline = below.first == line.first
            if not is_inline and _column(below) <= column:
                break
            body.append(below)
        last = max((below.last for below in body), default=line.last)
        outcome, value = _outcome(body)
        caught = caught_by(line.line)
        yield HandlerReading(caught, outcome, value, line.first, last)


def _column(line: TokenLine) -> int:
    """Give the column at which a line begins."""
    return line.line.tokens[0].start[1]


def _outcome(  # noqa: PLR0911  # one end an outcome
    body: Sequence[TokenLine],
) -> tuple[str, str]:
    busy_lines = [line for line in body if not _is_idle(line)]
    acting = [line for line in busy_lines if not _is_log(line)]
    if not acting:
        is_logged = any(_is_log(line) for line in body)
        return ("logged" if is_logged else "ignored"), ""
    if len(acting) > 1:
        return ("reraised" if _ends_raising(acting) else "handled"), ""
    line = acting[0]
    match line.keyword:
        case "return":
            return "returned", line.operand or "None"
        case "continue":
            return "skipped", ""
        case "break":
            return "left", ""
        case "raise" if not line.operand:
            return "reraised", ""
        case "raise":
            raised = _RAISED.fullmatch(line.operand)
            return ("translated", raised["name"]) if raised else ("handled", "")
        case _:
            return "handled", ""


def _ends_raising(acting: Sequence[TokenLine]) -> bool:
    """Find out whether an error is raised again in the end, and nothing leaves before that."""
    *earlier, last = acting
    is_outermost = _column(last) == _column(acting[0])
    leaves = any(line.keyword in _LEAVING for line in earlier)
    return is_outermost and last.keyword == "raise" and not last.operand and not leaves


def _is_log(line: TokenLine) -> bool:
    return _LOG.fullmatch(line.line.code) is not None


def _is_idle(line: TokenLine) -> bool:
    first = line.line.tokens[0].string
    return first in {"pass", "..."} or line.line.is_string
