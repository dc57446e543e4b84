"""Verdicts on single statements: what the cited rows say of a sentence, whoever wrote it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.agents.offline.behaviour import Behaviour
from goldwright.agents.offline.conditions import squash
from goldwright.agents.offline.evidence import bearings
from goldwright.agents.offline.rows import Row
from goldwright.agents.offline.sentences import readings
from goldwright.records import FactCitation, FileRange, SupportVerdict

_CODE: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict, the lines it was reached by, and the reason where it is not good."""

    verdict: SupportVerdict
    citation: FileRange
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Ground:
    """Rows of one expected entity: its id, its file, its lines and what they hold."""

    entity_id: str
    path: str
    first: int
    last: int
    rows: tuple[Row, ...]

    @property
    def lines(self) -> FileRange:
        """All the lines that were read."""
        return FileRange(file=self.path, start=self.first, end=self.last)


def weigh_fact(sentence: str, citations: Sequence[FactCitation], grounds: Sequence[Ground]) -> Finding:
    """Say whether the cited lines bear a statement out."""
    near = [ground for ground in grounds for cited in citations if _touches(ground, cited)]
    if not near:
        return Finding("unsupported", _anywhere(grounds), "no cited line lies in an expected entity")
    here = near[0].lines
    statements = list(readings(sentence))
    if not statements:
        return _weigh_words(sentence, citations, near)
    elsewhere = None
    for statement in statements:
        for ground in near:
            for bearing in bearings(statement, ground.rows):
                found = FileRange(file=ground.path, start=bearing.first, end=max(bearing.first, bearing.last))
                if any(cited.contains(found) for cited in citations):
                    return Finding("supported", found)
                elsewhere = found
    if elsewhere:
        return Finding("unsupported", elsewhere, f"it is borne out by {elsewhere}, which is not what is cited")
    return Finding("unsupported", here, f"I read {here} and found nothing that says so")


def weigh_falsehood(sentence: str, grounds: Sequence[Ground]) -> Finding:
    """Say whether a statement is really false; ``supported`` means that it is."""
    statements = list(readings(sentence))
    if not statements:
        return Finding("partial", _anywhere(grounds), "the statement is in no form that reading alone can refute")
    about = [ground for ground in grounds if any(row.owner == one.subject for one in statements for row in ground.rows)]
    if not about:
        return Finding("unsupported", _anywhere(grounds), "it speaks of nothing that the answer expects")
    for statement in statements:
        for ground in about:
            for bearing in bearings(statement, ground.rows):
                found = FileRange(file=ground.path, start=bearing.first, end=max(bearing.first, bearing.last))
                return Finding("unsupported", found, f"it is true: see {found}")
            if _holds_under_less(statement, ground.rows):
                return Finding("unsupported", ground.lines, "it is true under even fewer conditions")
    return Finding("supported", about[0].lines)


def _holds_under_less(statement: Behaviour, rows: Sequence[Row]) -> bool:
    """Tell whether dropping some of the conditions makes a statement true."""
    return any(
        next(iter(bearings(replace(statement, guards=statement.guards[:count]), rows)), None) is not None
        for count in range(len(statement.guards))
    )


def _weigh_words(sentence: str, citations: Sequence[FactCitation], near: Sequence[Ground]) -> Finding:
    """Look for the code of a sentence in free words; more than *partial* is not to be had by that."""
    rows = [
        row
        for ground in near
        for row in ground.rows
        if any(c.start <= row.last and row.first <= c.end for c in citations)
    ]
    names = {part for ground in near for part in ground.entity_id.partition("::")[2].split(".")}
    said = f" {' '.join(row.code for row in rows)} "
    for piece in _pieces(sentence):
        if piece not in names and f" {squash(piece)} " not in said:
            return Finding("unsupported", near[0].lines, f"`{piece}` does not stand on the cited lines")
    return Finding(
        "partial", near[0].lines, "its code stands on the cited lines; what the sentence says of it was not checked"
    )


def _pieces(sentence: str) -> Iterable[str]:
    for piece in _CODE.findall(sentence):
        yield piece.rstrip("()") if re.fullmatch(r"[\w.]+\(\)", piece) else piece


def _touches(ground: Ground, cited: FileRange) -> bool:
    return ground.path == cited.file and ground.first <= cited.end and cited.start <= ground.last


def _anywhere(grounds: Sequence[Ground]) -> FileRange:
    return grounds[0].lines if grounds else FileRange(file="", start=1, end=1)
