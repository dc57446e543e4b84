"""Whether an answer states a fact: its clauses are held against those of the fact.

A fact is stated by a clause of the answer, or by two neighbouring ones, that say the same of the
same names, under the same conditions, and deny it just as the fact does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from goldwright.evaluation.answer_clauses import Clause
from goldwright.evaluation.answer_code import (
    Atom,
    CodePiece,
    is_number,
    is_path,
    is_spelled_out,
    is_value,
    names,
)
from goldwright.evaluation.answer_conditions import Condition
from goldwright.evaluation.answer_order import find_order
from goldwright.evaluation.answer_statements import ParsedSentence, Statement, Text
from goldwright.evaluation.answer_vocabulary import are_opposed, meaning_of

_CALL: Final = meaning_of("call").concept
_USE: Final = meaning_of("use").concept
_NOTHING: Final = ParsedSentence((), ())


@dataclass(frozen=True, slots=True)
class Strictness:
    """How much of a fact must be found.

    Attributes:
        code: The share of its pieces of code, in 0..1; every number must be found anyway.
        expression: The share of the names in an expression, in 0..1, its first one included.
        words: The share of its other words, in 0..1, where it has code as well.
        words_alone: The same for a clause without any code.
        takes_further_conditions: Whether an answer that names more conditions states it too.
    """

    code: float
    expression: float
    words: float
    words_alone: float
    takes_further_conditions: bool


# Of four names or words, one may be missing. Beside names, words are what writers vary.
FOR_FACTS: Final = Strictness(
    code=0.75, expression=0.75, words=0.5, words_alone=0.75, takes_further_conditions=True
)
# A falsehood counts against an answer, so no name of it may be missing, and who says less than the
# falsehood does not say it.
FOR_FALSEHOODS: Final = Strictness(
    code=1.0, expression=1.0, words=0.75, words_alone=1.0, takes_further_conditions=False
)


# A condition counts by its code.
FOR_CONDITIONS: Final = Strictness(
    code=1.0, expression=1.0, words=0.5, words_alone=0.75, takes_further_conditions=True
)


def is_stated(fact: Text, answer: Text, strictness: Strictness) -> bool:
    """Tell whether an answer states everything that a fact states; a fact of nothing is not."""
    count = 0
    for sentence in fact:
        for statement in sentence.statements:
            count += 1
            if not _is_made(statement, sentence, answer, strictness):
                return False
    return count > 0


def is_contradicted(fact: Text, answer: Text) -> bool:
    """Tell whether an answer denies what a fact states, under the same conditions."""
    for sentence in fact:
        for statement in sentence.statements:
            clause = statement.clause
            opposite = replace(clause, is_denied=not clause.is_denied)
            denial = replace(statement, clause=opposite)
            if _is_made(denial, sentence, answer, FOR_FALSEHOODS):
                return True
    return False


def _is_made(
    fact: Statement, fact_sentence: ParsedSentence, answer: Text, strictness: Strictness
) -> bool:
    order = find_order(fact_sentence.tokens)
    for before, sentence in pairwise((_NOTHING, *answer)):
        if order is not None and not fact.conditions:
            found = find_order(sentence.tokens, before=before.tokens)
            if found is None or not order.agrees(found):
                continue
        for statement in sentence.statements:
            if not _says(statement, fact, before, strictness):
                continue
            if not fact_sentence.is_complete:
                return True
            if sentence.is_complete and _names_no_more(statement, fact):
                return True
    return False


def _says(
    statement: Statement, fact: Statement, before: ParsedSentence, strictness: Strictness
) -> bool:
    clause = statement.clause
    if clause.is_denied != fact.clause.is_denied or not _has_same_roles(statement, fact):
        return False
    if not any(_covers(pool, _pool_of(fact.clause), strictness) for pool in _pools(statement)):
        return False
    return _meets_conditions(statement, fact, before, strictness)


@dataclass(frozen=True, slots=True)
class _Pool:
    """What one or two neighbouring clauses, or a condition, say.

    Attributes:
        pieces: Their code.
        atoms: The names, strings and numbers of it, and of what they are about.
        concepts: What their words mean.
        predicates: What the first of them says that is done.
        spelled: Their words as they stand.
    """

    pieces: tuple[CodePiece, ...]
    atoms: tuple[Atom, ...]
    concepts: frozenset[str]
    predicates: tuple[str, ...]
    spelled: tuple[str, ...]


def _pools(statement: Statement) -> Iterator[_Pool]:
    clause = statement.clause
    yield _pool_of(clause, topic=statement.topic)
    for neighbour in statement.nearby:
        # What is denied beside a statement is no part of it.
        if neighbour.is_denied == clause.is_denied:
            yield _pool_of(clause, neighbour, topic=statement.topic)


def _pool_of(clause: Clause, *neighbours: Clause, topic: tuple[Atom, ...] = ()) -> _Pool:
    clauses = (clause, *neighbours)
    pieces = tuple(piece for one in clauses for piece in one.pieces)
    return _Pool(
        pieces=pieces,
        atoms=(*_atoms(pieces), *topic),
        concepts=frozenset().union(*(one.concepts for one in clauses)),
        predicates=clause.predicates,
        spelled=tuple(word for one in clauses for word in one.spelled),
    )


def _pool_of_condition(condition: Condition) -> _Pool:
    pieces = condition.pieces
    return _Pool(pieces, _atoms(pieces), condition.concepts, (), condition.spelled)


def _atoms(pieces: Sequence[CodePiece]) -> tuple[Atom, ...]:
    return tuple(atom for piece in pieces for atom in piece.atoms)


def _covers(pool: _Pool, fact: _Pool, strictness: Strictness) -> bool:
    if not _does_same(pool, fact):
        return False
    missing_pieces = [
        piece for piece in fact.pieces if not _has_piece(pool, piece, strictness.expression)
    ]
    if any(map(is_number, _atoms(missing_pieces))):
        return False
    if len(missing_pieces) > (1 - strictness.code) * len(fact.pieces):
        return False
    words = fact.concepts.difference(fact.predicates)
    spelled_names = {atom[-1] for atom in pool.atoms}
    missing_words = words - pool.concepts - spelled_names
    if any(are_opposed(word, pool.concepts) for word in missing_words):
        return False
    share = strictness.words if fact.pieces else strictness.words_alone
    return len(missing_words) <= (1 - share) * len(words)


def _does_same(pool: _Pool, fact: _Pool) -> bool:
    predicates = set(fact.predicates)
    if not predicates or not predicates.isdisjoint(pool.predicates):
        return True
    # Who uses a function calls it.
    return _CALL in predicates and not pool.predicates and _USE in pool.concepts


def _has_piece(pool: _Pool, piece: CodePiece, share: float) -> bool:
    if any(piece.spelling == other.spelling for other in pool.pieces):
        return True
    found = [atom for atom in piece.atoms if _has_atom(pool, atom)]
    if any(is_number(atom) and atom not in found for atom in piece.atoms):
        return False
    if len(piece.atoms) < 3:
        return len(found) == len(piece.atoms)
    has_head = _has_atom(pool, piece.atoms[0])
    return has_head and len(found) >= share * len(piece.atoms)


def _has_atom(pool: _Pool, atom: Atom) -> bool:
    return names(atom, pool.atoms) or is_spelled_out(atom, pool.spelled)


def _has_same_roles(statement: Statement, fact: Statement) -> bool:
    """Whether who acts and who is acted upon are not changed about."""
    clause = statement.clause
    fact_agents = fact.clause.agents
    named_agents = (*clause.agents, *clause.subjects)
    has_other_agent = bool(fact_agents) and bool(clause.agents)
    if has_other_agent and not any(names(agent, named_agents) for agent in fact_agents):
        return False
    for agent in fact_agents:
        if names(agent, clause.patients) and not names(agent, clause.agents or statement.topic):
            return False
    for patient in fact.clause.patients:
        if names(patient, clause.agents) and not names(patient, clause.patients):
            return False
    return True


def _names_no_more(statement: Statement, fact: Statement) -> bool:
    """Whether a list that is said to be complete has no name that the fact does not have."""
    fact_atoms = _atoms(fact.clause.pieces)
    named = statement.clause.atoms
    listed = [atom for atom in named if not is_value(atom) and not is_path(atom)]
    return all(names(atom, fact_atoms) for atom in listed)


def _meets_conditions(
    statement: Statement, fact: Statement, before: ParsedSentence, strictness: Strictness
) -> bool:
    offered = statement.conditions
    for condition in fact.conditions:
        if any(_is_same(condition, other) for other in offered):
            continue
        # "The stack is empty. Then it raises": said beforehand, and as a statement.
        if offered or not _is_said_before(condition, statement, before):
            return False
    if strictness.takes_further_conditions:
        return True
    return len(offered) <= len(fact.conditions)


def _is_same(fact: Condition, other: Condition) -> bool:
    if fact.is_denied != other.is_denied:
        return False
    fact_pool = _pool_of_condition(fact)
    # "If `a` is 1" is another condition than "if `a`".
    has_further_value = any(
        is_value(atom) and not _has_atom(fact_pool, atom) for atom in _atoms(other.pieces)
    )
    return not has_further_value and _covers(_pool_of_condition(other), fact_pool, FOR_CONDITIONS)


def _is_said_before(condition: Condition, statement: Statement, before: ParsedSentence) -> bool:
    clauses = [*statement.nearby]
    clauses.extend(other.clause for other in before.statements)
    wanted = _pool_of_condition(condition)
    for clause in clauses:
        if clause.is_denied == condition.is_denied and _covers(
            _pool_of(clause), wanted, FOR_CONDITIONS
        ):
            return True
    return False
