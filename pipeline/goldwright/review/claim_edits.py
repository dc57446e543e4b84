"""A person's edit of one claim, as a change of the field that holds the claim."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.errors import InputError
from goldwright.records import AnswerDraft, EditedField, FactCitation, FileRange

_FACT_FIELDS: Final[dict[str, EditedField]] = {
    "fact": "must_mention_facts",
    "not-fact": "must_not_mention_facts",
}


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """A field of an answer after an edit.

    Attributes:
        field: The field.
        after: Its new value.
        citations: The citations of all facts of the answer afterwards.
    """

    field: EditedField
    after: str | tuple[str, ...]
    citations: tuple[FactCitation, ...]


@dataclass(frozen=True, slots=True)
class CitedFact:
    """A fact with the lines that support it."""

    text: str
    lines: tuple[FileRange, ...]


def edit_claim(answer: AnswerDraft, claim_id: str, text: str, lines: FileRange | None) -> FieldEdit:
    """Change the narrative or one fact.

    Args:
        answer: The answer as it is.
        claim_id: ``narrative``, a fact such as ``fact-3``, or ``fact-new`` for one more.
        text: The new text; an empty one removes the fact, and the facts behind it move up.
        lines: The lines that support the fact from now on; None keeps those it has.

    Raises:
        InputError: There is no such claim, or a new fact has no text or no lines.
    """
    new_text = text.strip()
    if claim_id == "narrative":
        return FieldEdit("canonical_narrative", new_text, answer.fact_citations)
    kind, _, place = claim_id.rpartition("-")
    if kind not in _FACT_FIELDS:
        raise InputError(f"{claim_id}: only facts and the narrative can be changed")
    facts = _cited_facts(answer, kind)
    index = _index(claim_id, place, len(facts))
    is_new = index == len(facts)
    if new_text:
        known_lines = () if is_new else facts[index].lines
        fact = _changed_fact(claim_id, new_text, lines, known_lines)
        facts[index : index + 1] = [fact]
    elif is_new:
        raise InputError(f"{claim_id}: a new fact needs a text")
    else:
        del facts[index]
    return FieldEdit(
        field=_FACT_FIELDS[kind],
        after=tuple(fact.text for fact in facts),
        citations=_citations(answer, kind, facts),
    )


def _cited_facts(answer: AnswerDraft, kind: str) -> list[CitedFact]:
    texts: tuple[str, ...] = getattr(answer, _FACT_FIELDS[kind])
    facts = []
    for number, text in enumerate(texts, start=1):
        claim_id = f"{kind}-{number}"
        lines = tuple(
            citation for citation in answer.fact_citations if citation.claim_id == claim_id
        )
        facts.append(CitedFact(text, lines))
    return facts


def _index(claim_id: str, place: str, count: int) -> int:
    """The position of a fact in its list, from 0; a new fact goes to the end."""
    if place == "new":
        return count
    if not place.isdecimal() or not 1 <= int(place) <= count:
        raise InputError(f"{claim_id}: there is no such claim")
    return int(place) - 1


def _changed_fact(
    claim_id: str, text: str, lines: FileRange | None, known_lines: tuple[FileRange, ...]
) -> CitedFact:
    cited_lines = known_lines if lines is None else (lines,)
    if not cited_lines:
        raise InputError(f"{claim_id}: name the lines that support it")
    return CitedFact(text, cited_lines)


def _citations(answer: AnswerDraft, kind: str, facts: list[CitedFact]) -> tuple[FactCitation, ...]:
    """All citations of an answer whose facts of one kind changed; true facts come first."""
    changed = tuple(_numbered_citations(kind, facts))
    unchanged = tuple(
        citation
        for citation in answer.fact_citations
        if citation.claim_id.rpartition("-")[0] != kind
    )
    return (*changed, *unchanged) if kind == "fact" else (*unchanged, *changed)


def _numbered_citations(kind: str, facts: list[CitedFact]) -> Iterator[FactCitation]:
    for number, fact in enumerate(facts, start=1):
        for cited in fact.lines:
            yield FactCitation(
                file=cited.file, start=cited.start, end=cited.end, claim_id=f"{kind}-{number}"
            )
