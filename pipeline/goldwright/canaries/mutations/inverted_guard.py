"""Answers in which one condition is turned around, in its fact and in the narrative alike."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.fact_wording import FactWording
from goldwright.canaries.mutations.facts_under_mutation import FactUnderMutation
from goldwright.canaries.mutations.flipped_comparison import flip_comparisons
from goldwright.canaries.mutations.rewording import fact_fields
from goldwright.code_blocks import GAP, rewrite_prose, without_code_blocks
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.condition_phrases import (
    describe_conditions,
    inverted_paths,
)
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned

_Guarded = Raises | Returned | Logs | Assigned
# A full stop ends a sentence where a blank follows, outside of code and quotations.
_SENTENCE: Final = re.compile(r"(?:`[^`]*`|“[^”]*”|[^.]|\.(?! |$))+(?:\. ?)?")
# What follows conditions that are said in full; anything else would be one more condition.
_GOES_ON: Final = re.compile(r" and (?:not )?`|,? (?:for a|while|if|after|once) ")


@dataclass(frozen=True, slots=True)
class GuardInversion:
    """A fact with one condition turned around, and the narrative that says so too."""

    fact: str
    narrative: str


def invert_guards(case: MutationCase) -> Iterator[Mutation]:
    """Yield answers whose fact and narrative agree on a condition that is the wrong way round."""
    for fact in case.facts:
        inversions = [*_of_statement(case, fact), *_of_wording(case, fact)]
        for inversion in case.shuffled(inversions):
            fields = dict(fact_fields(case, fact, inversion.fact))
            fields["canonical_narrative"] = inversion.narrative
            other_claims = ["narrative"]
            falsehoods = list(case.answer.must_not_mention_facts)
            # Where the answer already warns of the inversion, it now warns of the truth.
            if inversion.fact in falsehoods:
                place = falsehoods.index(inversion.fact)
                falsehoods[place] = fact.text
                other_claims.append(f"not-fact-{place + 1}")
                fields["must_not_mention_facts"] = tuple(falsehoods)
            elif not case.is_new(inversion.fact):
                continue
            yield Mutation(
                fact.claim_id,
                fact.text,
                inversion.fact,
                fields,
                other_claims=tuple(other_claims),
            )


def _of_statement(case: MutationCase, fact: FactUnderMutation) -> Iterator[GuardInversion]:
    """Invert a fact in the controlled wording, whose conditions can be read."""
    statement = read_statement(fact.text)
    if not isinstance(statement, _Guarded):
        return
    true_sentences = set(_true_sentences(case, fact, statement))
    for path in inverted_paths(statement.path):
        inverted = replace(statement, path=path)
        sentence = inverted.sentence()
        if sentence in true_sentences:
            continue
        narrative = _retell(case.answer.canonical_narrative, statement, inverted)
        if narrative is not None:
            yield GuardInversion(sentence, narrative)


def _true_sentences(
    case: MutationCase, fact: FactUnderMutation, statement: _Guarded
) -> Iterator[str]:
    """Yield what the code says in statements of the same kind, all over the function."""
    for entity in fact.entities:
        for finding in find_statements(case.context, entity.entity_id, (type(statement),)):
            yield finding.statement.sentence()


def _retell(narrative: str, statement: _Guarded, inverted: _Guarded) -> str | None:
    """Turn the condition around wherever a narrative tells it; None where it does not."""
    before = f" {describe_conditions(statement.path)}"
    after = f" {describe_conditions(inverted.path)}"
    outcome = _outcome(statement)

    def turn_round(passage: str) -> str:
        sentences = []
        for sentence in _SENTENCE.findall(passage):
            # The same condition may stand before something else, where it is still right.
            place = sentence.find(before)
            end = place + len(before)
            if place >= 0 and outcome in sentence[:place] and not _GOES_ON.match(sentence[end:]):
                sentences.append(sentence[:place] + after + sentence[end:])
            else:
                sentences.append(sentence)
        return "".join(sentences)

    def hide(lines: tuple[str, ...]) -> tuple[str, ...]:
        return _without_tests(lines, statement)

    retold = rewrite_prose(narrative, turn_round, hide)
    if without_code_blocks(retold) != without_code_blocks(narrative):
        return retold
    if retold == narrative:
        return None
    # Only the code told it, and it does not any more.
    return f"{retold} {inverted.sentence()}"


def _without_tests(lines: Sequence[str], statement: _Guarded) -> tuple[str, ...]:
    """Put a gap in the place of the lines that hold a test of a statement."""
    hidden: list[str] = []
    for line in lines:
        is_test = any(test.code in line for test in statement.path)
        indent = line[: len(line) - len(line.lstrip())]
        shown_line = f"{indent}{GAP}" if is_test else line
        if not (is_test and hidden and hidden[-1].strip() == GAP):
            hidden.append(shown_line)
    return tuple(hidden)


def _outcome(statement: _Guarded) -> str:
    """What happens under the conditions, as a narrative names it."""
    match statement:
        case Raises(error=error, message=message):
            return message or f"`{error}`"
        case Returned(value=value):
            return f"returns `{value}`"
        case Logs(message=message):
            return message
        case Assigned(target=target, value=value):
            return f"`{value}` as `{target}`"


def _of_wording(case: MutationCase, fact: FactUnderMutation) -> Iterator[GuardInversion]:
    """Invert a fact in free words, where the narrative has the clause in the same words."""
    narrative = without_code_blocks(case.answer.canonical_narrative)
    for text in flip_comparisons(case, fact):
        place = _first_difference(fact.text, text)
        for start, end in FactWording(fact.text).conditions:
            if not start <= place < end:
                continue
            clause = fact.text[start:end]
            flipped_clause = text[start : end + len(text) - len(fact.text)]
            if clause in narrative:
                yield GuardInversion(text, narrative.replace(clause, flipped_clause))


def _first_difference(first: str, second: str) -> int:
    """The offset of the first character in which two texts differ."""
    pairs = zip(first, second, strict=False)
    for place, (character, partner) in enumerate(pairs):
        if character != partner:
            return place
    return min(len(first), len(second))
