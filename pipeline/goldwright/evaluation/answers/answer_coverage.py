"""How much of what a fact says an answer says: its code, its numbers, its words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from goldwright.evaluation.answers.answer_clauses import Clause
from goldwright.evaluation.answers.answer_code import (
    Atom,
    CodePiece,
    holds_message,
    is_constant,
    is_message,
    is_named,
    is_number,
    is_spelled_out,
    is_told,
    is_value,
)
from goldwright.evaluation.answers.answer_conditions import AnswerCondition
from goldwright.evaluation.answers.answer_words import ORDER_CONCEPTS, are_opposed, meaning_of

# Pieces of code up to which words have to tell what is said of them.
_FEW_PIECES: Final = 2
# Atoms of a piece up to which all of them are wanted.
_FEW_ATOMS: Final = 2
_CALL: Final = meaning_of("call").concept
_USE: Final = meaning_of("use").concept


@dataclass(frozen=True, slots=True)
class Strictness:
    """How much of a fact must be found.

    Attributes:
        code: The share of its pieces of code, in 0..1; every number must be found anyway.
        expression: The share of the names in an expression, in 0..1, its first one included.
        words: The share of its other words, in 0..1, where it has code as well.
        words_among_code: The same where it has more than two pieces of code.
        words_alone: The same for a clause without any code.
        takes_further_conditions: Whether an answer that names more conditions states it too.
    """

    code: float
    expression: float
    words: float
    words_among_code: float
    words_alone: float
    takes_further_conditions: bool

    @property
    def wants_the_same(self) -> bool:
        """Whether an answer that says more, or a part of a message, says something else."""
        return not self.takes_further_conditions


# Of four names or words, one may be missing. Beside names, words are what writers vary.
FOR_FACTS: Final = Strictness(
    code=1.0,
    expression=0.75,
    words=0.5,
    words_among_code=0.3,
    words_alone=0.75,
    takes_further_conditions=True,
)
# A falsehood counts against an answer, so no name of it may be missing, and who says less than the
# falsehood does not say it.
FOR_FALSEHOODS: Final = Strictness(
    code=1.0,
    expression=1.0,
    words=0.75,
    words_among_code=0.75,
    words_alone=1.0,
    takes_further_conditions=False,
)
# A condition counts by its code.
FOR_CONDITIONS: Final = Strictness(
    code=1.0,
    expression=1.0,
    words=0.5,
    words_among_code=0.5,
    words_alone=0.75,
    takes_further_conditions=True,
)


@dataclass(frozen=True, slots=True)
class Content:
    """What one or two neighbouring clauses, or a condition, say.

    Attributes:
        pieces: Their code.
        atoms: The names, strings and numbers of it, and of what they are about.
        concepts: What their words mean.
        predicates: What the first of them says that is done.
        spelled: Their words as they stand.
        letters: The letters and digits of their sentence.
    """

    pieces: tuple[CodePiece, ...]
    atoms: tuple[Atom, ...]
    concepts: frozenset[str]
    predicates: tuple[str, ...]
    spelled: tuple[str, ...]
    letters: str = ""


def content_of(
    clause: Clause, neighbour: Clause | None = None, *, topic: tuple[Atom, ...] = ()
) -> Content:
    """Put together what a clause says, with a neighbour and with what it is about."""
    pieces = clause.pieces
    concepts = clause.concepts
    spelled = clause.spelled
    if neighbour is not None:
        pieces += neighbour.pieces
        concepts |= neighbour.concepts
        spelled += neighbour.spelled
    atoms = (*_atoms(pieces), *topic)
    return Content(pieces, atoms, concepts, clause.predicates, spelled)


def content_of_condition(condition: AnswerCondition) -> Content:
    """Put together what a condition says."""
    atoms = _atoms(condition.pieces)
    return Content(condition.pieces, atoms, condition.concepts, (), condition.spelled)


def covers(content: Content, fact: Content, strictness: Strictness) -> bool:
    """Return whether enough of a fact is said."""
    return (
        _does_same(content, fact)
        and _covers_code(content, fact, strictness)
        and _covers_words(content, fact, strictness)
    )


def names_more(content: Content, fact: Content) -> bool:
    """Return whether a condition names a value, or within one expression anything, that a fact does
    not name.
    """
    is_prose = len(content.pieces) > 1
    for atom in _atoms(content.pieces):
        counts = is_value(atom) or not is_prose
        if counts and not _has_atom(fact, atom):
            return True
    return False


def _does_same(content: Content, fact: Content) -> bool:
    """Whether the same is done to code."""
    predicates = set(fact.predicates)
    if not predicates or not predicates.isdisjoint(content.predicates):
        return True
    # Who uses a function calls it.
    return _CALL in predicates and not content.predicates and _USE in content.concepts


def _covers_code(content: Content, fact: Content, strictness: Strictness) -> bool:
    missing = [piece for piece in fact.pieces if not _has_piece(content, piece, strictness)]
    if any(map(is_number, _atoms(missing))):
        return False
    if not _repeats_enough(content, fact, strictness):
        return False
    allowed_share = 1 - strictness.code
    return len(missing) <= allowed_share * len(fact.pieces)


def _repeats_enough(content: Content, fact: Content, strictness: Strictness) -> bool:
    """Whether all is named as often as in a fact: "sets `a` to `a`" is not "sets `a` to `b`".

    An expression that may lack a name may lack a repetition, but not of a number.
    """
    fact_atoms = list(_atoms(fact.pieces))
    fact_counts = Counter(atom[-1] for atom in fact_atoms)
    content_counts = Counter(atom[-1] for atom in content.atoms)
    content_counts.update(content.spelled)
    is_strict = strictness.expression == 1
    for atom in fact_atoms:
        name = atom[-1]
        fact_count = fact_counts[name]
        counts = fact_count > 1 and (is_strict or is_number(atom))
        if counts and fact_count > content_counts[name]:
            return False
    return True


def _covers_words(content: Content, fact: Content, strictness: Strictness) -> bool:
    words = fact.concepts.difference(fact.predicates, ORDER_CONCEPTS)
    # A noun of the fact may be a name of the answer.
    names = {atom[-1] for atom in content.atoms}
    missing = words - content.concepts - names
    if content.predicates:
        # Whatever is done with a thing uses it.
        missing = missing - {_USE}
    if any(are_opposed(word, content.concepts) for word in missing):
        return False
    allowed_share = 1 - _share_of_words(fact, strictness)
    return len(missing) <= allowed_share * len(words)


def _share_of_words(fact: Content, strictness: Strictness) -> float:
    if not fact.pieces:
        return strictness.words_alone
    if len(fact.pieces) <= _FEW_PIECES:
        return strictness.words
    return min(strictness.words, strictness.words_among_code)


def _has_piece(content: Content, piece: CodePiece, strictness: Strictness) -> bool:
    if any(piece.spelling == content_piece.spelling for content_piece in content.pieces):
        return True
    atoms = piece.atoms
    if len(atoms) == 1 and is_constant(atoms[0]):
        # Inside a longer expression, ``None`` is not what the expression comes to.
        short = [
            content_piece
            for content_piece in content.pieces
            if len(content_piece.atoms) <= _FEW_ATOMS
        ]
        return atoms[0] in _atoms(short)
    if strictness.wants_the_same and _is_within_longer(content, piece):
        return False
    missing = [atom for atom in atoms if not _has_atom(content, atom)]
    if any(map(is_number, missing)):
        return False
    if len(atoms) <= _FEW_ATOMS:
        return not missing
    has_first = atoms[0] not in missing
    allowed_share = 1 - strictness.expression
    most_missing = allowed_share * len(atoms)
    return has_first and len(missing) <= most_missing


def _is_within_longer(content: Content, piece: CodePiece) -> bool:
    """Whether all that is named is more than a piece: "`f(a, b)`" is not "`f(a)`"."""
    atoms = piece.atoms
    if len(atoms) == 1:
        atom = atoms[0]
        is_message_told = is_message(atom) and any(map(is_message, content.atoms))
        return is_message_told and not holds_message(atom, content.atoms)
    holding = [candidate for candidate in content.pieces if _names_all(candidate, atoms)]
    if not holding:
        return False
    shortest = min(len(candidate.atoms) for candidate in holding)
    return shortest > len(atoms)


def _names_all(piece: CodePiece, atoms: Sequence[Atom]) -> bool:
    """Find out whether a piece of code names all of some atoms."""
    return all(is_named(atom, piece.atoms) for atom in atoms)


def _has_atom(content: Content, atom: Atom) -> bool:
    if is_named(atom, content.atoms) or is_spelled_out(atom, content.spelled):
        return True
    return is_told(atom, content.letters)


def _atoms(pieces: Sequence[CodePiece]) -> tuple[Atom, ...]:
    return tuple(chain.from_iterable(piece.atoms for piece in pieces))
