"""Verdicts on single statements: what the cited rows say of a sentence, whoever wrote it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.offline_agents.behaviours import Behaviour
from goldwright.offline_agents.condition_wording import squash
from goldwright.offline_agents.fact_sentences import readings
from goldwright.offline_agents.statement_evidence import bearings
from goldwright.offline_agents.token_lines import TokenLine
from goldwright.records import FactCitation, FileRange, SupportVerdict

_CODE: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """A verdict, the lines it was reached by, and the reason where it is not good."""

    verdict: SupportVerdict
    citation: FileRange
    note: str | None = None


@dataclass(frozen=True, slots=True)
class StatementContext:
    """Rows of one expected entity: its id, its file, its lines and what they hold."""

    entity_id: str
    path: str
    first: int
    last: int
    rows: tuple[TokenLine, ...]

    @property
    def lines(self) -> FileRange:
        """All the lines that were read."""
        return FileRange(file=self.path, start=self.first, end=self.last)


def weigh_fact(
    sentence: str, citations: Sequence[FactCitation], grounds: Sequence[StatementContext]
) -> StatementVerdict:
    """Say whether the cited lines bear a statement out."""
    near = [ground for ground in grounds for cited in citations if _touches(ground, cited)]
    if not near:
        return StatementVerdict(
            "unsupported", _anywhere(grounds), "no cited line lies in an expected entity"
        )
    here = near[0].lines
    statements = list(readings(sentence))
    if not statements:
        return _weigh_words(sentence, citations, near)
    elsewhere = None
    for statement in statements:
        for ground in near:
            for bearing in bearings(statement, ground.rows):
                found = FileRange(
                    file=ground.path, start=bearing.first, end=max(bearing.first, bearing.last)
                )
                if any(cited.contains(found) for cited in citations):
                    return StatementVerdict("supported", found)
                elsewhere = found
    if elsewhere:
        return StatementVerdict(
            "unsupported", elsewhere, f"it is borne out by {elsewhere}, which is not what is cited"
        )
    return StatementVerdict("unsupported", here, f"I read {here} and found nothing that says so")


def weigh_falsehood(sentence: str, grounds: Sequence[StatementContext]) -> StatementVerdict:
    """Say whether a statement is really false; ``supported`` means that it is."""
    statements = list(readings(sentence))
    if not statements:
        return StatementVerdict(
            "partial",
            _anywhere(grounds),
            "the statement is in no form that reading alone can refute",
        )
    about = [
        ground
        for ground in grounds
        if any(row.owner == one.subject for one in statements for row in ground.rows)
    ]
    if not about:
        return StatementVerdict(
            "unsupported", _anywhere(grounds), "it speaks of nothing that the answer expects"
        )
    for statement in statements:
        for ground in about:
            for bearing in bearings(statement, ground.rows):
                found = FileRange(
                    file=ground.path, start=bearing.first, end=max(bearing.first, bearing.last)
                )
                return StatementVerdict("unsupported", found, f"it is true: see {found}")
            if _holds_under_less(statement, ground.rows):
                return StatementVerdict(
                    "unsupported", ground.lines, "it is true under even fewer conditions"
                )
    return StatementVerdict("supported", about[0].lines)


def _holds_under_less(statement: Behaviour, rows: Sequence[TokenLine]) -> bool:
    """Tell whether dropping some of the conditions makes a statement true."""
    return any(
        next(iter(bearings(replace(statement, guards=statement.guards[:count]), rows)), None)
        is not None
        for count in range(len(statement.guards))
    )


def _weigh_words(
    sentence: str, citations: Sequence[FactCitation], near: Sequence[StatementContext]
) -> StatementVerdict:
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
            return StatementVerdict(
                "unsupported", near[0].lines, f"`{piece}` does not stand on the cited lines"
            )
    return StatementVerdict(
        "partial",
        near[0].lines,
        "its code stands on the cited lines; what the sentence says of it was not checked",
    )


def _pieces(sentence: str) -> Iterable[str]:
    for piece in _CODE.findall(sentence):
        yield piece.rstrip("()") if re.fullmatch(r"[\w.]+\(\)", piece) else piece


def _touches(ground: StatementContext, cited: FileRange) -> bool:
    return ground.path == cited.file and ground.first <= cited.end and cited.start <= ground.last


def _anywhere(grounds: Sequence[StatementContext]) -> FileRange:
    return grounds[0].lines if grounds else FileRange(file="", start=1, end=1)
