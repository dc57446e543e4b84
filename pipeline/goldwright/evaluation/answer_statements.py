"""Texts as statements: what is said, of what, and on which conditions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from goldwright.evaluation.answer_clauses import Clause, finish_clause
from goldwright.evaluation.answer_code import Atom, is_path
from goldwright.evaluation.answer_conditions import AnswerCondition, flipped, read_conditions
from goldwright.evaluation.answer_tokens import Sentence, letters_of, sentences
from goldwright.evaluation.clause_splitting import Draft, split_clauses

# What says of a list that it is complete, right before a name; the others do so where denied.
_COMPLETE: Final = frozenset({"only", "solely", "exclusively"})
_COMPLETE_BEHIND: Final = frozenset({"alone"})
_CONTINUING: Final = frozenset({"then", "afterwards", "subsequently", "next"})
_UNDER_THE_SAME: Final = ("under", "the", "same")
_OTHERS: Final = frozenset({"else", "other", "others"})


@dataclass(frozen=True, slots=True)
class AnswerStatement:
    """A main clause, with the conditions on which it is said to hold.

    Attributes:
        clause: The main clause.
        conditions: The conditions; all of them must hold.
        topic: The names that it is about, its own subject or what was spoken of before.
        nearby: The other main clauses of its sentence.
        letters: The letters and digits of its sentence, in which a message may stand unquoted.
    """

    clause: Clause
    conditions: tuple[AnswerCondition, ...]
    topic: tuple[Atom, ...]
    nearby: tuple[Clause, ...]
    letters: str = ""


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence with what it states.

    Attributes:
        tokens: Its tokens.
        statements: Its main clauses with their conditions.
        is_complete: Whether it says of what it lists that there is no more.
        continues_order: Whether it says what comes after the sentence in front of it.
    """

    tokens: Sentence
    statements: tuple[AnswerStatement, ...]
    is_complete: bool = False
    continues_order: bool = False


Text = Sequence[ParsedSentence]


def parse_text(text: str) -> Text:
    """Take a text apart; a sentence that names no subject is about that of the one before."""
    parsed: list[ParsedSentence] = []
    topic: tuple[Atom, ...] = ()
    conditions: tuple[AnswerCondition, ...] = ()
    for tokens in sentences(text):
        is_same = tuple(token.text for token in tokens[:3]) == _UNDER_THE_SAME
        # "Under the same conditions" stands for those of the sentence before.
        own_tokens = tokens[len(_UNDER_THE_SAME) + 1 :] if is_same else tokens
        statements = tuple(_statements(own_tokens, topic))
        if is_same:
            statements = tuple(
                replace(statement, conditions=(*conditions, *statement.conditions))
                for statement in statements
            )
        conditions = statements[-1].conditions if statements else ()
        sentence = ParsedSentence(
            tokens=tokens,
            statements=statements,
            is_complete=_says_complete(tokens),
            continues_order=bool(tokens) and tokens[0].text in _CONTINUING,
        )
        parsed.append(sentence)
        topic = _next_topic(statements, topic)
    return parsed


def _statements(sentence: Sentence, topic: tuple[Atom, ...]) -> Iterator[AnswerStatement]:
    conditions: tuple[AnswerCondition, ...] = ()
    subject = topic
    letters = letters_of(sentence)
    for group in _groups(split_clauses(sentence)):
        conditions = _conditions_of(group, conditions)
        for statement in _statements_of(group, conditions, subject):
            subject = statement.clause.subjects or subject
            yield replace(statement, letters=letters)


def _groups(drafts: Sequence[Draft]) -> Iterator[list[Draft]]:
    """Split at where conditions end to matter."""
    group: list[Draft] = []
    for draft in drafts:
        if draft.starts_group and group:
            yield group
            group = []
        group.append(draft)
    if group:
        yield group


def _conditions_of(
    group: Sequence[Draft], before: tuple[AnswerCondition, ...]
) -> tuple[AnswerCondition, ...]:
    conditions: list[AnswerCondition] = []
    for draft in group:
        if draft.role == "condition":
            conditions.extend(read_conditions(draft.tokens, is_denied=draft.is_denied))
    # Of several conditions, "otherwise" does not say which one fails.
    is_opposite = group[0].is_alternative and not conditions and len(before) == 1
    if is_opposite:
        return (flipped(before[0]),)
    return tuple(conditions)


def _statements_of(
    group: Sequence[Draft], conditions: tuple[AnswerCondition, ...], subject: tuple[Atom, ...]
) -> Iterator[AnswerStatement]:
    drafts = [draft for draft in group if draft.role == "main" and not _only_completes(draft)]
    clauses = list(map(finish_clause, drafts))
    for place, (draft, clause) in enumerate(zip(drafts, clauses, strict=True)):
        nearby = (*clauses[:place], *clauses[place + 1 :])
        topic = subject
        if clause.subjects:
            topic = clause.subjects
        elif clause.is_about_others:
            topic = ()
        elif draft.is_relative and place:
            topic = _antecedent(clauses[place - 1]) or subject
        yield AnswerStatement(clause, conditions, topic, nearby)
        subject = clause.subjects or subject


def _only_completes(draft: Draft) -> bool:
    """Whether a clause says no more than that there are no others: "and nowhere else"."""
    texts = {token.text for token in draft.tokens}
    return not draft.has_code and not draft.has_verb and not _OTHERS.isdisjoint(texts)


def _antecedent(clause: Clause) -> tuple[Atom, ...]:
    """Find the name that "which" stands for: the last one, but for the file that it is in."""
    names = [name for name in clause.names if not is_path(name)]
    return tuple(names[-1:])


def _says_complete(tokens: Sentence) -> bool:
    for first, second in pairwise(tokens):
        if first.text in _COMPLETE and second.code:
            return True
        if first.code and second.text in _COMPLETE_BEHIND:
            return True
    texts = {token.text for token in tokens if token.kind == "word"}
    denies = any(token.is_denial for token in tokens)
    return denies and not _OTHERS.isdisjoint(texts)


def _next_topic(statements: Sequence[AnswerStatement], topic: tuple[Atom, ...]) -> tuple[Atom, ...]:
    for statement in statements:
        if statement.clause.subjects:
            return statement.clause.subjects
    if topic:
        return topic
    # An opening such as "Look at `f`" introduces what is spoken of.
    for statement in statements:
        if statement.clause.names:
            return statement.clause.names
    return ()
