"""Whether an answer states a fact: its clauses are held against those of the fact.

A fact is stated by a clause of the answer, or by two neighbouring ones, that say the same of the
same names, under the same conditions, and deny it just as the fact does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from goldwright.evaluation.answers.answer_clauses import Clause
from goldwright.evaluation.answers.answer_code import Atom, are_same, is_named, is_path
from goldwright.evaluation.answers.answer_conditions import COMPARISONS, AnswerCondition
from goldwright.evaluation.answers.answer_coverage import (
    FOR_CONDITIONS,
    FOR_FALSEHOODS,
    Content,
    Strictness,
    content_of,
    content_of_condition,
    covers,
    names_more,
)
from goldwright.evaluation.answers.answer_order import find_order, keeps_steps, steps_of
from goldwright.evaluation.answers.answer_statements import AnswerStatement, ParsedSentence, Text
from goldwright.evaluation.answers.answer_words import meaning_of

_IN_ORDER: Final = meaning_of("inorder").concept
# Pieces of code of a statement without telling words, which a denial has to hold as well.
_FEWEST_TO_DENY: Final = 2
_NOTHING: Final = ParsedSentence((), ())


@dataclass(frozen=True, slots=True)
class _Context:
    """Where a statement of an answer stands.

    Attributes:
        sentence: Its sentence.
        before: The sentence in front of that; an empty one before the first.
    """

    sentence: ParsedSentence
    before: ParsedSentence


def is_stated(fact: Text, answer: Text, strictness: Strictness) -> bool:
    """Return whether an answer states everything that a fact states; a fact of nothing is not."""
    count = 0
    for sentence in fact:
        for statement in sentence.statements:
            count += 1
            if not _is_made(statement, sentence, answer, strictness):
                return False
    return count > 0


def is_contradicted(fact: Text, answer: Text) -> bool:
    """Return whether an answer denies what a fact states, under the same conditions."""
    for sentence in fact:
        for statement in sentence.statements:
            clause = statement.clause
            if not clause.concepts and len(clause.pieces) < _FEWEST_TO_DENY:
                # Whatever else is said of `f` would deny that "`f` is".
                continue
            opposite = replace(clause, is_denied=not clause.is_denied)
            denial = replace(statement, clause=opposite)
            if _is_made(denial, sentence, answer, FOR_FALSEHOODS):
                return True
    return False


def _is_made(
    fact: AnswerStatement, fact_sentence: ParsedSentence, answer: Text, strictness: Strictness
) -> bool:
    contexts = _contexts(answer)
    return any(_is_made_in(fact, fact_sentence, context, strictness) for context in contexts)


def _contexts(answer: Text) -> Iterator[_Context]:
    """Yield the sentences of an answer, and what each of them says beside its clauses."""
    for before, sentence in pairwise((_NOTHING, *answer)):
        yield _Context(sentence, before)
        for entailed in sentence.entailed:
            yield _Context(entailed, _NOTHING)


def _is_made_in(
    fact: AnswerStatement,
    fact_sentence: ParsedSentence,
    context: _Context,
    strictness: Strictness,
) -> bool:
    if not _keeps_order(fact, fact_sentence, context):
        return False
    for statement in context.sentence.statements:
        if not _says(statement, fact, context, strictness):
            continue
        if not fact_sentence.is_complete or _is_complete_too(statement, fact, context.sentence):
            return True
    return False


def _keeps_order(fact: AnswerStatement, fact_sentence: ParsedSentence, context: _Context) -> bool:
    """Whether what comes first in a fact comes first in a sentence, where the fact says so."""
    if fact.conditions:
        return True
    steps = steps_of(fact_sentence.tokens)
    said_steps = steps_of(context.sentence.tokens, before=context.before.tokens)
    if not keeps_steps(steps, said_steps):
        return False
    order = find_order(fact_sentence.tokens)
    if order is None:
        return True
    found_order = find_order(context.sentence.tokens, before=context.before.tokens)
    return found_order is not None and order.agrees(found_order)


def _says(
    statement: AnswerStatement, fact: AnswerStatement, context: _Context, strictness: Strictness
) -> bool:
    if statement.clause.is_denied != fact.clause.is_denied:
        return False
    if not _has_same_roles(statement, fact):
        return False
    if _IN_ORDER in fact.clause.concepts and not _lists_in_order(statement, fact):
        return False
    fact_content = content_of(fact.clause)
    contents = _contents(statement, context, strictness)
    if not any(covers(content, fact_content, strictness) for content in contents):
        return False
    return _meets_conditions(statement, fact, context, strictness)


def _contents(
    statement: AnswerStatement, context: _Context, strictness: Strictness
) -> Iterator[Content]:
    """What a statement says by itself, and together with each neighbour."""
    clause = statement.clause
    alone = content_of(clause, topic=statement.topic)
    yield replace(alone, letters=statement.letters)
    if context.sentence.is_complete:
        # What else the sentence names is no part of its list.
        return
    neighbours = list(statement.nearby)
    if context.sentence.continues_order:
        neighbours.extend(said_before.clause for said_before in context.before.statements)
    for neighbour in neighbours:
        if strictness.wants_the_same and neighbour.predicates:
            # "Sets `a` to `1` and sets `b` to `2`" is not "sets `a` to `2`".
            continue
        # What is denied beside a statement is no part of it.
        if neighbour.is_denied == clause.is_denied:
            together = content_of(clause, neighbour, topic=statement.topic)
            yield replace(together, letters=statement.letters)


def _lists_in_order(statement: AnswerStatement, fact: AnswerStatement) -> bool:
    """Whether a list that a fact calls ordered has the same order."""
    places: list[int] = []
    listed = statement.clause.names
    for name in fact.clause.names:
        for place, said_before in enumerate(listed):
            if are_same(name, said_before):
                places.append(place)
    return places == sorted(places)


def _has_same_roles(statement: AnswerStatement, fact: AnswerStatement) -> bool:
    """Whether who acts and who is acted upon are not changed about."""
    if not fact.clause.concepts:
        # "`f` is in `b.py`" says of nobody that he acts.
        return True
    clause = statement.clause
    agents = fact.clause.agents
    if agents and clause.agents:
        actors = (*clause.agents, *clause.subjects)
        if not any(is_named(agent, actors) for agent in agents):
            return False
    acting = clause.agents or statement.topic
    for agent in agents:
        if _is_only_in(agent, clause.patients, acting):
            return False
    for patient in fact.clause.patients:
        if _is_only_in(patient, clause.agents, clause.patients):
            return False
    return True


def _is_only_in(atom: Atom, atoms: Sequence[Atom], other_atoms: Sequence[Atom]) -> bool:
    return is_named(atom, atoms) and not is_named(atom, other_atoms)


def _is_complete_too(
    statement: AnswerStatement, fact: AnswerStatement, sentence: ParsedSentence
) -> bool:
    """Whether a list is said to be complete, and has no name that the fact does not have."""
    if not sentence.is_complete:
        return False
    fact_names = fact.clause.names
    listed = {name for name in statement.clause.names if not is_path(name)}
    names = {name for name in fact_names if not is_path(name)}
    # `b` may stand for `a.b`, but not for `b` and `a.b`.
    if len(listed) > len(names):
        return False
    return all(is_named(name, fact_names) for name in listed)


def _meets_conditions(
    statement: AnswerStatement, fact: AnswerStatement, context: _Context, strictness: Strictness
) -> bool:
    offered = statement.conditions
    for condition in fact.conditions:
        if any(_is_same(condition, said_before) for said_before in offered):
            continue
        # "The stack is empty. Then it raises": said beforehand, and as a statement.
        if offered or not _is_said_before(condition, statement, context):
            return False
    return strictness.takes_further_conditions or len(offered) <= len(fact.conditions)


def _is_same(fact: AnswerCondition, said_condition: AnswerCondition) -> bool:
    if fact.is_denied != said_condition.is_denied:
        return False
    compared = fact.concepts & COMPARISONS
    said_comparisons = said_condition.concepts & COMPARISONS
    if compared and said_comparisons and compared != said_comparisons:
        # "At most" is not "below", whatever else the two have in common.
        return False
    condition_content = content_of_condition(fact)
    offered = content_of_condition(said_condition)
    # "If `a` is 1" is another condition than "if `a`".
    if names_more(offered, condition_content):
        return False
    return covers(offered, condition_content, FOR_CONDITIONS)


def _is_said_before(
    condition: AnswerCondition, statement: AnswerStatement, context: _Context
) -> bool:
    condition_content = content_of_condition(condition)
    for clause in _clauses_around(statement, context):
        is_alike = clause.is_denied == condition.is_denied
        if is_alike and covers(content_of(clause), condition_content, FOR_CONDITIONS):
            return True
    return False


def _clauses_around(statement: AnswerStatement, context: _Context) -> Iterator[Clause]:
    yield from statement.nearby
    for said_before in context.before.statements:
        yield said_before.clause
