"""A person's edit of one claim, as a change of the field that holds the claim."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.errors import InputError
from goldwright.records import AnswerDraft, EditedField, FactCitation, FileRange
from goldwright.records.label import EditedValue

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
    after: EditedValue
    citations: tuple[FactCitation, ...]


@dataclass(frozen=True, slots=True)
class CitedFact:
    """A fact with the lines that support it."""

    text: str
    lines: Sequence[FileRange]


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
    if is_new:
        facts.append(CitedFact("", ()))
    if new_text:
        facts[index] = _changed_fact(claim_id, facts[index], new_text, lines)
    elif is_new:
        raise InputError(f"{claim_id}: a new fact needs a text")
    else:
        del facts[index]
    texts = tuple(fact.text for fact in facts)
    citations = _citations(answer, kind, facts)
    return FieldEdit(_FACT_FIELDS[kind], texts, citations)


def _cited_facts(answer: AnswerDraft, kind: str) -> list[CitedFact]:
    lines_by_claim: defaultdict[str, list[FileRange]] = defaultdict(list)
    for citation in answer.fact_citations:
        lines_by_claim[citation.claim_id].append(citation)
    facts = []
    texts: tuple[str, ...] = getattr(answer, _FACT_FIELDS[kind])
    for number, text in enumerate(texts, start=1):
        lines = lines_by_claim[f"{kind}-{number}"]
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
    claim_id: str, old_fact: CitedFact, text: str, lines: FileRange | None
) -> CitedFact:
    if lines is not None:
        return CitedFact(text, [lines])
    if not old_fact.lines:
        raise InputError(f"{claim_id}: name the lines that support it")
    return CitedFact(text, old_fact.lines)


def _citations(answer: AnswerDraft, kind: str, facts: list[CitedFact]) -> tuple[FactCitation, ...]:
    """All citations of an answer whose facts of one kind changed; true facts come first."""
    # The numbers of all facts behind a removed one change, and with them their citations.
    changed = tuple(_numbered_citations(kind, facts))
    citations = answer.fact_citations
    unchanged = [citation for citation in citations if _kind_of(citation) != kind]
    if kind == "fact":
        return (*changed, *unchanged)
    return (*unchanged, *changed)


def _kind_of(citation: FactCitation) -> str:
    """``not-fact`` for ``not-fact-2``."""
    return citation.claim_id.rpartition("-")[0]


def _numbered_citations(kind: str, facts: list[CitedFact]) -> Iterator[FactCitation]:
    for number, fact in enumerate(facts, start=1):
        claim_id = f"{kind}-{number}"
        for lines in fact.lines:
            yield FactCitation(file=lines.file, start=lines.start, end=lines.end, claim_id=claim_id)
