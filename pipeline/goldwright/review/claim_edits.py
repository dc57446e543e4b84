"""A person's change of one claim, as the change of the field that holds it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from goldwright.errors import InputError
from goldwright.records import AnswerDraft, EditedField, FactCitation, FileRange

_FIELDS: Final[dict[str, EditedField]] = {
    "fact": "must_mention_facts",
    "not-fact": "must_not_mention_facts",
}


@dataclass(frozen=True, slots=True)
class Amendment:
    """What a field holds after a change, with the lines of every fact."""

    field: EditedField
    after: str | tuple[str, ...]
    citations: tuple[FactCitation, ...]


def amendment(answer: AnswerDraft, claim_id: str, text: str, lines: FileRange | None) -> Amendment:
    """Change the narrative or one fact.

    ``fact-3`` names a fact, ``fact-new`` one more; an empty text takes a fact out, and what follows
    moves up. Without ``lines`` a fact keeps those it has.

    Raises:
        InputError: There is no such claim, or a new fact has no lines.
    """
    if claim_id == "narrative":
        return Amendment("canonical_narrative", text.strip(), answer.fact_citations)
    kind, _, place = claim_id.rpartition("-")
    if kind not in _FIELDS:
        raise InputError(f"{claim_id}: only facts and the narrative can be changed")
    field = _FIELDS[kind]
    facts: tuple[str, ...] = getattr(answer, field)
    number = _number(claim_id, place, len(facts))
    rows = [(fact, _lines_of(answer, f"{kind}-{at}")) for at, fact in enumerate(facts, start=1)]
    if not text.strip() and place == "new":
        raise InputError(f"{claim_id}: a new fact wants a text")
    if not text.strip():
        del rows[number - 1 : number]
    else:
        kept = rows[number - 1][1] if number <= len(rows) else ()
        row = (text.strip(), (lines,) if lines is not None else kept)
        if not row[1]:
            raise InputError(f"{claim_id}: say which lines bear it")
        rows[number - 1 : number] = [row]
    others = tuple(one for one in answer.fact_citations if one.claim_id.rpartition("-")[0] != kind)
    own = tuple(_cited(kind, rows))
    citations = (*own, *others) if kind == "fact" else (*others, *own)
    return Amendment(field, tuple(fact for fact, _ in rows), citations)


def _number(claim_id: str, place: str, count: int) -> int:
    if place == "new":
        return count + 1
    if not place.isdecimal() or not 1 <= int(place) <= count:
        raise InputError(f"{claim_id}: there is no such claim")
    return int(place)


def _lines_of(answer: AnswerDraft, claim_id: str) -> tuple[FileRange, ...]:
    return tuple(one for one in answer.fact_citations if one.claim_id == claim_id)


def _cited(kind: str, rows: Iterable[tuple[str, tuple[FileRange, ...]]]) -> Iterable[FactCitation]:
    for number, (_, ranges) in enumerate(rows, start=1):
        for one in ranges:
            yield FactCitation(
                file=one.file, start=one.start, end=one.end, claim_id=f"{kind}-{number}"
            )
