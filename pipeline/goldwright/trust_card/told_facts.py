"""Whether a narrative tells a fact, by the code marks and words that both have."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from keyword import iskeyword
from typing import Final

from goldwright.trust_card.entity_names import called_by
from goldwright.trust_card.material import AnsweredQuery
from goldwright.trust_card.prose.sentences import (
    code_marks,
    quotations,
    sentences,
    without_code_marks,
    without_quotations,
)
from goldwright.trust_card.prose.stated_conditions import tests_said_in_words
from goldwright.trust_card.prose.words import content_words, words
from goldwright.trust_card.source.modules import parse_source

# The share that a passage has to hold of the words of a message, and of a fact without details.
_OF_QUOTATION: Final = 0.7
_OF_FACT: Final = 0.5
# Words that say the same of code, by their stems; a passage may use any of a row.
_SYNONYMS: Final = (
    "call invok instantiat use turn reli rely hand pass run ask go lead",
    "return give hand result back yield produc",
    "rais throw fail answer refus end reject",
    "deriv inherit bas subclass extend class build parent",
    "set stor assign becom valu put get keep writ",
    "check test branch whether depend",
    "catch caught swallow drop ignor handl silently silent",
    "default leav caller omit",
)
_SUBJECT: Final = re.compile(r"`[^`]+`")
_OTHERWISE: Final = "Otherwise"
_GOING_ON: Final = (_OTHERWISE, "Under the same", "In the same loop")
_PAST_CHECKS: Final = ("Past that check", "Past these checks", "Either way")
_LEAVING: Final = re.compile(r"\b(?:raises|returns)\b")
# What a test denies is what holds where it fails.
_DENIALS: Final = ((" not in ", " in "), (" is not ", " is "), (" != ", " == "))
_LOOP: Final = re.compile(
    r"\bloop (?:over )?(`[^`]+`)|\bfor (?:each|the first) (`[^`]+` in `[^`]+`)"
)
_SAME_LOOP: Final = "the same loop"
_QUOTES: Final = "\"'"
_NOTHING: Final = "None"
_BLANKS: Final = re.compile(r"\s+")
_LAYOUT_COMMA: Final = re.compile(r",(?=[)\]}])")
_IDEA_OF: Final = {stem: number for number, row in enumerate(_SYNONYMS) for stem in row.split()}


def is_told(fact: str, record: AnsweredQuery) -> bool:
    """Whether the narrative of a record tells a fact.

    The code marks of the fact that name no expected entity, and most words of its quotations, have
    to stand in one sentence, in two that follow one another, or in one block of quoted code; names
    of expected entities may stand anywhere in the narrative. Of a fact without such details all
    names and half of the words have to stand in one passage.
    """
    marks = code_marks(fact)
    subjects = [mark for mark in marks if called_by(mark, record.entity_ids)]
    # Keywords name nothing: "outside of any `try`" can be told in other words.
    details = [mark for mark in marks if mark not in subjects and not iskeyword(mark)]
    passages = list(_passages(record.prose))
    if details or quotations(fact):
        if not _holds_subjects(record.narrative, subjects):
            return False
        if any(_holds_details(text, fact, details) for text in passages):
            return True
        return any(_shows_details(code, fact, details) for code in record.quoted_code)
    with_subjects = [text for text in passages if _holds_subjects(text, subjects)]
    return any(_holds_ideas(text, fact) for text in with_subjects)


def holds_mark(text: str, mark: str) -> bool:
    """Whether a text holds a code mark, with or without backticks, or the last part of its name."""
    plain_text = text.replace("`", "")
    # A name in quotation marks is the same name.
    if mark in plain_text or (mark[:1] in _QUOTES and mark.strip(_QUOTES) in plain_text):
        return True
    name = mark.removesuffix("()")
    if not name.replace(".", "").isidentifier():
        return False
    return _holds_word(plain_text, name.rpartition(".")[2])


def _passages(narrative: str) -> Iterator[str]:
    """Yield every sentence, and every two that follow one another.

    A sentence that begins with "It" speaks of the name that the one before it began with, or spoke
    of itself; one that begins with "Otherwise" or "Under the same conditions", of the conditions of
    those before it; one that begins with "Past these checks", of those of all that raises or
    returns before it; and "the same loop" is the one that was named last.
    """
    parts: list[str] = []
    subject = loop = ""
    for written_sentence in sentences(narrative):
        # A test that is said in words is the same as its code.
        sentence = " ".join((written_sentence, *tests_said_in_words(written_sentence)))
        if sentence.startswith(_GOING_ON) and parts:
            before = parts[-1]
            turned = _without_denials(before) if sentence.startswith(_OTHERWISE) else ""
            parts.append(f"{before} {sentence} {turned}".rstrip())
            continue
        if sentence.startswith(_PAST_CHECKS):
            parts_that_leave = [part for part in parts if _LEAVING.search(part)]
            checks = " ".join(parts_that_leave)
            turned_checks = _without_denials(checks)
            parts.append(f"{checks} {turned_checks} {sentence}")
            continue
        loops = ["".join(groups) for groups in _LOOP.findall(sentence)]
        if loops:
            loop = loops[-1]
        elif _SAME_LOOP in sentence:
            sentence = f"{sentence} {loop}"
        subject_match = _SUBJECT.match(sentence)
        if subject_match is not None:
            subject = subject_match[0]
        is_about_subject = subject != "" and sentence.startswith("It ")
        passage = f"{subject} {sentence}" if is_about_subject else sentence
        parts.append(passage)
    yield from parts
    for first, second in pairwise(parts):
        yield f"{first} {second}"


def _without_denials(text: str) -> str:
    for denial, plain in _DENIALS:
        text = text.replace(denial, plain)
    return text


def _holds_subjects(text: str, subjects: Sequence[str]) -> bool:
    return all(_holds_subject(text, subject) for subject in subjects)


def _holds_subject(text: str, mark: str) -> bool:
    """Whether a text holds the name of an entity; a special method may go by that of its class."""
    if holds_mark(text, mark):
        return True
    owner, _, name = mark.removesuffix("()").rpartition(".")
    is_special = name.startswith("__") and name.endswith("__")
    return is_special and bool(owner) and holds_mark(text, owner)


def _holds_details(text: str, fact: str, details: Sequence[str]) -> bool:
    is_held = all(_holds_code(text, detail) for detail in details)
    return is_held and _holds_quotations(text, fact)


def _holds_quotations(text: str, fact: str) -> bool:
    """Whether a text has most words of everything that a fact quotes."""
    text_words = set(words(text))
    for quotation in quotations(fact):
        quoted_words = words(quotation)
        shared_words = [word for word in quoted_words if word in text_words]
        if len(shared_words) < _OF_QUOTATION * len(quoted_words):
            return False
    return True


def _shows_details(code: str, fact: str, details: Sequence[str]) -> bool:
    """Whether quoted code has all code marks of a fact, however it is laid out."""
    packed_code = _packed(code)
    are_details_shown = all(_is_shown(detail, packed_code) for detail in details)
    return are_details_shown and _holds_quotations(code, fact)


def _is_shown(detail: str, packed_code: str) -> bool:
    """Whether code has a mark, as it stands or as the test that it comes from."""
    # A bare ``return`` gives nothing, and whoever falls out of a function gets the same.
    if detail == _NOTHING:
        return True
    spellings = [detail, detail.strip(_QUOTES), *_with_denial_turned(detail)]
    if any(_packed(spelling) in packed_code for spelling in spellings):
        return True
    parts = _operands(detail)
    has_operands = len(parts) > 1
    return has_operands and all(_is_shown(part, packed_code) for part in parts)


def _with_denial_turned(test: str) -> Iterator[str]:
    """Yield a test with its comparison turned round: what does not hold where it fails."""
    for denial, plain in _DENIALS:
        if denial in test:
            yield test.replace(denial, plain)
        elif plain in test:
            yield test.replace(plain, denial)


def _packed(code: str) -> str:
    """Give code without blanks, line ends and the commas that only lay it out."""
    return _LAYOUT_COMMA.sub("", _BLANKS.sub("", code))


def _holds_code(text: str, code: str) -> bool:
    """Whether a text holds a code mark, in one piece or in the operands of ``and`` and ``or``."""
    if _holds_subject(text, code):
        return True
    return all(holds_mark(text, part) for part in _operands(code))


def _operands(code: str) -> list[str]:
    """Take a test apart; one that is no ``and``, ``or`` or ``not`` is its own operand."""
    in_brackets = f"({code})"
    tree = parse_source(in_brackets)
    body = tree.body if tree is not None else []
    test = None
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        test = body[0].value
    if isinstance(test, ast.BoolOp):
        parts = test.values
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        parts = [test.operand]
    else:
        return [code]
    sources = [ast.get_source_segment(in_brackets, part) or code for part in parts]
    return [operand for source in sources for operand in _operands(source)]


def _holds_ideas(text: str, fact: str) -> bool:
    """Whether a text holds half of the words of a fact, or others for the same."""
    fact_ideas = _ideas(without_quotations(fact))
    shared_ideas = fact_ideas & _ideas(text)
    return len(shared_ideas) >= _OF_FACT * len(fact_ideas)


def _ideas(text: str) -> set[str | int]:
    stems = content_words(without_code_marks(text))
    return {_IDEA_OF.get(stem, stem) for stem in stems}


def _holds_word(text: str, word: str) -> bool:
    escaped_word = re.escape(word)
    return re.search(rf"(?<!\w){escaped_word}(?!\w)", text) is not None
