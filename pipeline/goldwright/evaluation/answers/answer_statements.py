"""Texts as statements: what is said, of what, and on which conditions."""

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from goldwright.evaluation.answers.answer_clauses import Clause, finish_clause
from goldwright.evaluation.answers.answer_code import Atom, is_path
from goldwright.evaluation.answers.answer_conditions import (
    AnswerCondition,
    opposites,
    read_conditions,
)
from goldwright.evaluation.answers.answer_entailments import entailed_sentences
from goldwright.evaluation.answers.answer_normal_forms import in_normal_form, with_loops_named
from goldwright.evaluation.answers.answer_shapes import Spoken
from goldwright.evaluation.answers.answer_tokens import Sentence, letters_of, sentences
from goldwright.evaluation.answers.answer_words import meaning_of
from goldwright.evaluation.answers.clause_splitting import Draft, split_clauses
from goldwright.spoken_tests import with_tests_as_code

# What says of a list that it is complete, right before a name; the others do so where denied.
_COMPLETE: Final = frozenset({"only", "solely", "exclusively"})
# "The only one that" says so of whom it is said of.
_ONE_AND_ONLY: Final = frozenset({"only", "sole"})
_EVERY: Final = frozenset({"every", "all", "both", "each"})
_COMPLETE_BEHIND: Final = frozenset({"alone"})
_CONTINUING: Final = frozenset({"then", "afterwards", "subsequently", "next"})
_UNDER_THE_SAME: Final = ("under", "the", "same")
_OTHERWISE: Final = "otherwise"
# "Past these checks" is where none of those that were told has left the function.
_PAST_CHECKS: Final = (
    {"past", "behind", "after"},
    {"that", "the", "this", "these", "those"},
    {"check", "checks", "guard", "guards"},
)
_LEAVING: Final = frozenset(meaning_of(verb).concept for verb in ("raise", "return"))
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
        carried: How many of its conditions an "otherwise" carries on from those before it.
    """

    clause: Clause
    conditions: tuple[AnswerCondition, ...]
    topic: tuple[Atom, ...]
    nearby: tuple[Clause, ...]
    letters: str = ""
    carried: int = 0


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence with what it states.

    Attributes:
        tokens: Its tokens.
        statements: Its main clauses with their conditions.
        is_complete: Whether it says of what it lists that there is no more.
        continues_order: Whether it says what comes after the sentence in front of it.
        entailed: What it says beside its clauses: of each of a list, of all others.
    """

    tokens: Sentence
    statements: tuple[AnswerStatement, ...]
    is_complete: bool = False
    continues_order: bool = False
    entailed: tuple["ParsedSentence", ...] = ()


@dataclass(frozen=True, slots=True)
class _Checks:
    """What holds behind the checks that were told of something.

    Attributes:
        topic: The names whose checks they are; empty where that is not said.
        conditions: That none of them applies.
    """

    topic: tuple[Atom, ...] = ()
    conditions: tuple[AnswerCondition, ...] = ()

    def after(self, statement: AnswerStatement) -> "_Checks":
        """Add what a statement tells, if it is of a check that leaves the function."""
        if _LEAVING.isdisjoint(statement.clause.predicates):
            return self
        topic = statement.topic
        is_on_topic = self.topic in {(), topic}
        before = self.conditions if is_on_topic else ()
        own_conditions = statement.conditions
        if own_conditions[: len(before)] == before:
            own_conditions = own_conditions[len(before) :]
        if not own_conditions:
            return self
        return _Checks(topic, (*before, *opposites(own_conditions)))


Text = Sequence[ParsedSentence]


def parse_text(text: str) -> Text:
    """Take a text apart; a sentence that names no subject is about that of the one before."""
    parsed: list[ParsedSentence] = []
    spoken = Spoken()
    last: AnswerStatement | None = None
    checks = _Checks()
    for plain in sentences(with_tests_as_code(with_loops_named(text))):
        tokens = in_normal_form(plain)
        statements = tuple(_statements_after(last, checks, tokens, spoken.topic))
        last = statements[-1] if statements else None
        for statement in statements:
            checks = checks.after(statement)
        entailed = map(_entailed, entailed_sentences(tokens, spoken))
        continues_order = bool(tokens) and tokens[0].text in _CONTINUING
        sentence = ParsedSentence(
            tokens=tokens,
            statements=statements,
            is_complete=_says_complete(tokens),
            continues_order=continues_order,
            entailed=tuple(entailed),
        )
        parsed.append(sentence)
        topic = _next_topic(statements, spoken.topic)
        spoken = Spoken(tokens, topic, _holder(statements))
    return parsed


def _statements_after(
    last: AnswerStatement | None, checks: _Checks, tokens: Sentence, topic: tuple[Atom, ...]
) -> Iterator[AnswerStatement]:
    """Read a sentence; one that refers to conditions goes on from those of sentences before it."""
    if last is not None and tuple(token.text for token in tokens[:3]) == _UNDER_THE_SAME:
        # "Under the same conditions" stands for those of the sentence before.
        for statement in _statements(tokens[len(_UNDER_THE_SAME) + 1 :], topic):
            conditions = (*last.conditions, *statement.conditions)
            yield replace(statement, conditions=conditions)
    elif last is not None and tokens and tokens[0].text == _OTHERWISE:
        carried = last.conditions[: last.carried]
        own_conditions = last.conditions[last.carried :]
        inherited = (*carried, *opposites(own_conditions))
        for statement in _statements(tokens[1:], topic):
            conditions = (*inherited, *statement.conditions)
            yield replace(statement, conditions=conditions, carried=len(inherited))
    elif checks.conditions and _is_past_checks(tokens):
        for statement in _statements(tokens[len(_PAST_CHECKS) :], topic):
            conditions = (*checks.conditions, *statement.conditions)
            yield replace(statement, conditions=conditions, carried=len(checks.conditions))
    else:
        yield from _statements(tokens, topic)


def _is_past_checks(tokens: Sentence) -> bool:
    length = len(_PAST_CHECKS)
    opening = [token.text for token in tokens[:length]]
    is_long_enough = len(opening) == length
    return is_long_enough and all(map(operator.contains, _PAST_CHECKS, opening))


def _entailed(tokens: Sentence) -> ParsedSentence:
    statements = tuple(_statements(tokens, ()))
    return ParsedSentence(tokens, statements, is_complete=_says_complete(tokens))


def _holder(statements: Sequence[AnswerStatement]) -> tuple[Atom, ...]:
    """Find whom a sentence tells the last text in quotes of."""
    for statement in reversed(statements):
        if any(piece.is_quoted for piece in statement.clause.pieces):
            return statement.topic
    return ()


def _statements(sentence: Sentence, topic: tuple[Atom, ...]) -> Iterator[AnswerStatement]:
    conditions: tuple[AnswerCondition, ...] = ()
    subject = topic
    letters = letters_of(sentence)
    for group in _groups(split_clauses(sentence)):
        conditions = _conditions_of(group, conditions)
        for statement in _statements_of(group, conditions, subject):
            if not statement.clause.has_owner:
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
    if group[0].is_alternative:
        return (*opposites(before), *conditions)
    return tuple(conditions)


def _statements_of(
    group: Sequence[Draft], conditions: tuple[AnswerCondition, ...], subject: tuple[Atom, ...]
) -> Iterator[AnswerStatement]:
    main_drafts = [draft for draft in group if draft.role == "main"]
    drafts = [draft for draft in main_drafts if not _only_completes(draft)]
    clauses = list(map(finish_clause, drafts))
    for place, (draft, clause) in enumerate(zip(drafts, clauses, strict=True)):
        clauses_before = clauses[:place]
        clauses_behind = clauses[place + 1 :]
        nearby = (*clauses_before, *clauses_behind)
        topic = subject
        if clause.subjects:
            topic = (*clause.subjects, *subject) if clause.has_owner else clause.subjects
        elif clause.is_about_others:
            topic = ()
        elif draft.is_relative and place:
            topic = _antecedent(clauses[place - 1]) or subject
        yield AnswerStatement(clause, conditions, topic, nearby)
        # What has a part is spoken of further on, and not the part.
        subject = subject if clause.has_owner else clause.subjects or subject


def _only_completes(draft: Draft) -> bool:
    """Whether a clause says no more than that there are no others: "and nowhere else"."""
    texts = {token.text for token in draft.tokens}
    has_content = draft.has_code or draft.has_verb
    return not has_content and not _OTHERS.isdisjoint(texts)


def _antecedent(clause: Clause) -> tuple[Atom, ...]:
    """Find the name that "which" stands for: the last one, but for the file that it is in."""
    names = [name for name in clause.names if not is_path(name)]
    return tuple(names[-1:])


def _says_complete(tokens: Sentence) -> bool:
    for first, second in pairwise(tokens):
        if first.text in _COMPLETE and second.code:
            return True
        if first.text == "the" and second.text in _ONE_AND_ONLY:
            return True
        if first.text == ":" and second.code and tokens[0].text in _EVERY:
            return True
        if first.code and second.text in _COMPLETE_BEHIND:
            return True
    texts = {token.text for token in tokens if token.kind == "word"}
    denies = any(token.is_denial for token in tokens)
    return denies and not _OTHERS.isdisjoint(texts)


def _next_topic(statements: Sequence[AnswerStatement], topic: tuple[Atom, ...]) -> tuple[Atom, ...]:
    for statement in statements:
        if statement.clause.subjects and not statement.clause.has_owner:
            return statement.clause.subjects
    if topic:
        return topic
    # An opening such as "Look at `f`" introduces what is spoken of.
    for statement in statements:
        names = [name for name in statement.clause.names if not is_path(name)]
        if names:
            return tuple(names)
    return ()
