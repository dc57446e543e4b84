"""Answers that lose a member of a set by their wording alone, wherever it is spoken of."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.code_text import has_word
from goldwright.canaries.mutations.facts_under_mutation import FactUnderMutation
from goldwright.code_blocks import rewrite_prose
from goldwright.offline_agents.code_context import name_of
from goldwright.offline_agents.prose.prose_sentences import split_sentences
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.lists import join_code
from goldwright.records import AnswerDraft, FactCitation

# A set that loses its only member says that there is nobody, which is another mistake.
FEWEST_MEMBERS: Final = 2

_LIST: Final = re.compile(r"`[^`]+`(?:(?:, | and |, and )`[^`]+`)+")
_ITEM: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class _Shrinking:
    """A fact that says who belongs to a set, and the same fact without one member.

    Attributes:
        fact: The fact.
        sentence: What it says without the member.
        member: The name of the member, as the set has it.
        entity_id: The member's id, where the answer expects it; else empty.
    """

    fact: FactUnderMutation
    sentence: str
    member: str
    entity_id: str


def shrink_sets(case: MutationCase) -> Iterator[Mutation]:
    """Yield answers in which a set lacks a member that they do not speak of elsewhere either."""
    for shrinking in case.shuffled(_shrinkings(case)):
        fields = _fields(case, shrinking)
        if fields is None:
            continue
        facts = fields["must_mention_facts"]
        assert isinstance(facts, tuple)  # noqa: S101  # as every answer has it
        number = facts.index(shrinking.sentence) + 1
        yield Mutation(
            f"fact-{number}",
            shrinking.fact.text,
            shrinking.sentence,
            fields,
            other_claims=("narrative",),
            left_out=shrinking.entity_id,
        )


def _shrinkings(case: MutationCase) -> Iterator[_Shrinking]:
    intent = case.candidate.intent
    subject = "" if intent is None else intent.subject
    for fact in case.facts:
        statement = read_statement(fact.text)
        if statement is None or len(statement.members) < FEWEST_MEMBERS:
            continue
        for member in statement.members:
            sentence = statement.with_members(_without(statement.members, member)).sentence()
            entity_id = next((e for e in case.answer.entity_ids if name_of(e) == member), "")
            is_free = member != statement.subject and (not entity_id or entity_id != subject)
            if is_free and case.is_new(sentence):
                yield _Shrinking(fact, sentence, member, entity_id)


def _without(names: Sequence[str], name: str) -> tuple[str, ...]:
    return tuple(candidate for candidate in names if candidate != name)


def _fields(case: MutationCase, shrinking: _Shrinking) -> Mapping[str, object] | None:
    """Give the fields of the answer without the member; None where the rest is no answer."""
    answer = case.answer
    remaining_facts: list[tuple[str, str]] = []
    for number, fact in enumerate(answer.must_mention_facts, start=1):
        if number == shrinking.fact.number:
            remaining_facts.append((f"fact-{number}", shrinking.sentence))
        elif not _speaks_of(fact, shrinking.member):
            remaining_facts.append((f"fact-{number}", fact))
    narrative = _narrative(case, shrinking)
    if narrative is None:
        return None
    entities = tuple(
        entity for entity in answer.expected_entities if entity.entity_id != shrinking.entity_id
    )
    files = tuple(dict.fromkeys(entity.entity_id.partition("::")[0] for entity in entities))
    shrunk = answer.model_copy(update={"expected_entities": entities})
    claim_ids = [claim_id for claim_id, _ in remaining_facts]
    facts = [fact for _, fact in remaining_facts]
    line_ranges = _ranges(case, shrunk)
    citations = tuple(_citations(answer, claim_ids, files))
    return {
        "expected_entities": entities,
        "expected_files": files,
        "expected_line_ranges": line_ranges,
        "must_mention_facts": tuple(facts),
        "fact_citations": citations,
        "canonical_narrative": narrative,
    }


def _narrative(case: MutationCase, shrinking: _Shrinking) -> str | None:
    """Tell the answer without the member; None where its first sentence turns on it."""
    narrative = case.answer.canonical_narrative
    first_sentence = next(split_sentences(narrative), "")
    if _shrink(first_sentence, shrinking) == "":
        return None
    member_name = _simple(shrinking)

    def shrink_passage(passage: str) -> str:
        sentences = [_shrink(sentence, shrinking) for sentence in split_sentences(passage)]
        return " ".join(filter(None, sentences))

    def without_member(lines: tuple[str, ...]) -> tuple[str, ...]:
        # How a member calls or is called gives away that it is one.
        return () if any(has_word(member_name, line) for line in lines) else lines

    return rewrite_prose(narrative, shrink_passage, without_member)


def _shrink(sentence: str, shrinking: _Shrinking) -> str:
    """Say a sentence without the member; empty where it turns on it."""
    if sentence == shrinking.fact.text:
        return shrinking.sentence
    shorter = _LIST.sub(lambda match: _shorter_list(match[0], shrinking.member), sentence)
    return "" if _speaks_of(shorter, shrinking.member) else shorter


def _simple(shrinking: _Shrinking) -> str:
    return shrinking.member.rpartition(".")[2]


def _shorter_list(code_list: str, member: str) -> str:
    names = _ITEM.findall(code_list)
    remaining = _without(names, member)
    return join_code(remaining) if 0 < len(remaining) < len(names) else code_list


def _speaks_of(text: str, member: str) -> bool:
    simple_name = member.rpartition(".")[2]
    return any(has_word(simple_name, code) for code in _ITEM.findall(text))


def _ranges(case: MutationCase, shrunk: AnswerDraft) -> tuple[object, ...]:
    """Keep the ranges that touch what is still expected."""
    remaining_ranges = []
    entities = [entity for e in shrunk.entity_ids if (entity := case.snapshot.entity(e))]
    for lines in case.answer.expected_line_ranges:
        file_entities = [entity for entity in entities if entity.path == lines.file]
        if any(entity.touches(lines.start, lines.end) for entity in file_entities):
            remaining_ranges.append(lines)
    return tuple(remaining_ranges)


def _citations(
    answer: AnswerDraft, kept_claims: Sequence[str], files: Sequence[str]
) -> Iterator[FactCitation]:
    """Renumber the citations of the facts that stay, and keep those of the false facts."""
    for cited in answer.fact_citations:
        if cited.file not in files:
            continue
        if cited.claim_id in kept_claims:
            number = kept_claims.index(cited.claim_id) + 1
            yield cited.model_copy(update={"claim_id": f"fact-{number}"})
        elif cited.claim_id.startswith("not-"):
            yield cited
