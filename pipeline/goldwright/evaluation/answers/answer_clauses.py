"""Main clauses as they are compared: what each says, of whom, and whether it is denied."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from goldwright.evaluation.answers.answer_code import Atom, CodePiece, is_value
from goldwright.evaluation.answers.answer_tokens import Token
from goldwright.evaluation.answers.answer_words import BEING, PREDICATES
from goldwright.evaluation.answers.clause_splitting import (
    COORDINATORS,
    PRONOUNS,
    Draft,
    is_verb_token,
)

_VALUE_WORDS: Final = frozenset({"true", "false", "none"})
# Behind these verbs, "true" and "none" are values and no claims.
_GIVING: Final = frozenset({"return", "set", "default"})
_PARTICIPLE_ENDINGS: Final = ("ed", "t", "n")
# A noun with one of these may mean what was spoken of before.
_DEFINITE: Final = PRONOUNS | {"the", "its", "there"}
# What follows these is a noun, though it may be a verb elsewhere: "a subclass", "the call".
_BEFORE_NOUNS: Final = frozenset("a an the every each direct its".split())
_OWNERS: Final = frozenset({"its", "their", "whose"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One main clause.

    Attributes:
        is_denied: Whether it is denied, by an odd number of negations.
        pieces: Its code.
        concepts: What its words mean, but for those that carry nothing.
        predicates: Those of them that say what is done to code, in their order.
        spelled: Its words as they stand, to recognise a name that is written as words.
        subjects: The names in front of its verb.
        agents: The names that do what it says; others than the subjects where it is passive.
        patients: The names that it is done to.
        is_about_others: Whether its subject is a noun that was not spoken of before.
        has_owner: Whether its subject is a part of what was spoken of: "its parameter `a`".
    """

    is_denied: bool
    pieces: tuple[CodePiece, ...]
    concepts: frozenset[str]
    predicates: tuple[str, ...]
    spelled: tuple[str, ...]
    subjects: tuple[Atom, ...]
    agents: tuple[Atom, ...]
    patients: tuple[Atom, ...]
    is_about_others: bool
    has_owner: bool = False

    @property
    def names(self) -> tuple[Atom, ...]:
        """The names in its code, without numbers and other values."""
        return _names_in(self.pieces)


def finish_clause(draft: Draft) -> Clause:
    """Read a main clause."""
    draft.tokens = list(_with_values(draft.tokens))
    tokens = draft.tokens
    words = [token for token in tokens if token.kind == "word"]
    concepts = [token.concept for token in words if token.concept]
    predicates = tuple(concept for concept in concepts if concept in PREDICATES)
    subjects = _subjects(tokens)
    agents, patients = _roles(tokens)
    spelled = tuple(token.text for token in words)
    is_about_others = not subjects and _has_new_subject(tokens)
    first_token = _before_verb(tokens)[:1]
    has_owner = any(token.text in _OWNERS for token in first_token)
    return Clause(
        is_denied=draft.denies,
        pieces=_pieces(tokens),
        concepts=frozenset(concepts),
        predicates=predicates,
        spelled=spelled,
        subjects=subjects,
        agents=agents,
        patients=patients,
        is_about_others=is_about_others,
        has_owner=has_owner,
    )


def _with_values(tokens: Sequence[Token]) -> Iterator[Token]:
    """Read "true", "false" and "none" as values where they are returned or set."""
    gives_value = False
    for token in tokens:
        if token.concept in _GIVING:
            gives_value = True
        if gives_value and token.kind == "word" and token.text in _VALUE_WORDS:
            piece = CodePiece(token.text, token.text, ((token.text,),))
            yield Token("code", token.text, code=piece)
        else:
            yield token


def _roles(tokens: Sequence[Token]) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """Find who does what a clause says, and to what it is done."""
    head = _before_verb(tokens)
    if len(head) == len(tokens):
        return (), ()
    in_front = _names(head)
    if not _is_passive(tokens):
        tail = tokens[len(head) :]
        return in_front, _names(_first_list(tail))
    texts = [token.text for token in tokens]
    if "by" not in texts:
        return (), in_front
    behind_by = tokens[texts.index("by") :]
    return _names(_first_list(behind_by)), in_front


def _first_list(tokens: Sequence[Token]) -> Sequence[Token]:
    """Find the first code, and what is joined to it: "`a`, `b` and `c`"."""
    listed: list[Token] = []
    for token in tokens:
        if token.code:
            listed.append(token)
        elif listed and token.kind == "word" and token.text not in COORDINATORS:
            break
    return listed


def _is_passive(tokens: Sequence[Token]) -> bool:
    for first, second in pairwise(tokens):
        is_second_being = second.text in BEING
        if first.text in BEING and is_verb_token(second) and not is_second_being:
            return second.text.endswith(_PARTICIPLE_ENDINGS)
    return False


def _before_verb(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens in front of the verb; all of them where no verb is known."""
    for place, token in enumerate(tokens):
        if is_verb_token(token) and not _is_noun_at(tokens, place):
            return tokens[:place]
    return tokens


def _subjects(tokens: Sequence[Token]) -> tuple[Atom, ...]:
    before = _before_verb(tokens)
    if len(before) < len(tokens):
        return _names(before)
    # Where the verb is not known, the first name is the likeliest subject.
    return _names(before)[:1]


def _has_new_subject(tokens: Sequence[Token]) -> bool:
    before = _before_verb(tokens)
    texts = {token.text for token in before}
    if not _DEFINITE.isdisjoint(texts):
        return False
    return any(token.concept for token in before)


def _names(tokens: Sequence[Token]) -> tuple[Atom, ...]:
    return _names_in(_pieces(tokens))


def _pieces(tokens: Sequence[Token]) -> tuple[CodePiece, ...]:
    return tuple(token.code for token in tokens if token.code)


def _is_noun_at(tokens: Sequence[Token], place: int) -> bool:
    """Find out whether the word before a token makes a noun of it."""
    return place > 0 and tokens[place - 1].text in _BEFORE_NOUNS


def _names_in(pieces: Sequence[CodePiece]) -> tuple[Atom, ...]:
    names: list[Atom] = []
    for piece in pieces:
        names.extend(atom for atom in piece.atoms if not is_value(atom))
    return tuple(names)
