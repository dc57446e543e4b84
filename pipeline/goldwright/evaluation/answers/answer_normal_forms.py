"""Ways to say one thing that differ by more than a word, put into one of them.

Facts and answers are both read so. What stands between the words is code, which no table of phrases
can hold.
"""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.evaluation.answers.answer_code import read_code
from goldwright.evaluation.answers.answer_tokens import Sentence, Token, word_token
from goldwright.evaluation.answers.answer_words import meaning_of

_RAISE: Final = meaning_of("raise").concept
_CONDITION_WORDS: Final = frozenset("if when where provided assuming unless".split())
_OCCURRING: Final = frozenset(
    "occurs occurred happens happened arises arose appears appeared".split()
)
_RAISED: Final = frozenset("raised thrown caught".split())
_LIST_MARKS: Final = frozenset({",", "or", "nor", "and"})
_WAS: Final = frozenset("is was".split())
_GIVEN: Final = frozenset("given passed supplied specified provided".split())
_INSIDE: Final = frozenset("in inside within".split())
_GETTING: Final = frozenset("gets get got obtains".split())
_OF_IT: Final = frozenset("it one is are was has been a another explicitly".split())


_FOR_EACH: Final = re.compile(r"\bfor (?:each|every) `([^`]+)` (?:in|of) `([^`]+)`")
# A loop with its code, or one that was spoken of before.
_LOOP_OR_SAME: Final = re.compile(
    r"(the loop `(?:for|while) [^`]+`|(?:the same|that) loop(?! (?:`|over\b)))"
)


def with_loops_named(text: str) -> str:
    """Write "the same loop" with the code of the loop that was named last."""
    named_pieces: list[str] = []
    last_loop = ""
    with_heads = _FOR_EACH.sub(r"in the loop `for \1 in \2`", text)
    for piece in _LOOP_OR_SAME.split(with_heads):
        is_loop = _LOOP_OR_SAME.fullmatch(piece) is not None
        if is_loop and piece.endswith("`"):
            last_loop = piece
        named_pieces.append(last_loop or piece if is_loop else piece)
    return "".join(named_pieces)


def in_normal_form(sentence: Sentence) -> Sentence:
    """Put what can be said in several ways into one of them."""
    tokens: list[Token] = []
    place = 0
    while place < len(sentence):
        following = sentence[place:]
        replacement, size = _replacement(following, tokens)
        tokens.extend(replacement)
        place += size
    return tokens


def _replacement(following: Sentence, before: Sequence[Token]) -> tuple[Sequence[Token], int]:
    """What to read for the tokens that come next, and for how many of them."""
    for read_form in (_message_in_brackets, _error_that_did_not_occur, _default, _got_from):
        replacement, size = read_form(following, before)
        if size:
            return replacement, size
    replacement, size = _loop(following)
    return (replacement, size) if size else (following[:1], 1)


def _message_in_brackets(
    following: Sentence, before: Sequence[Token]
) -> tuple[Sequence[Token], int]:
    """Read "raises `E` (“text”)" as "raises `E` with the message “text”"."""
    if len(following) < 3 or following[0].text != "(" or following[2].text != ")":
        return (), 0
    code = following[1].code
    is_quoted = code is not None and code.is_quoted
    is_raised = any(token.concept == _RAISE for token in before)
    if not is_quoted or not is_raised or not before[-1].code:
        return (), 0
    return (*_words("with the message"), following[1]), 3


def _error_that_did_not_occur(
    following: Sentence, before: Sequence[Token]
) -> tuple[Sequence[Token], int]:
    """Read "if no `E` occurs" as "if no `E` was caught before", and so for several in a row."""
    if not following or following[0].text != "no":
        return (), 0
    if not before or before[-1].text not in _CONDITION_WORDS:
        return (), 0
    errors, size = _listed_code(following[1:])
    size += 1
    next_tokens = following[size : size + 3]
    ending = [token.text for token in next_tokens]
    if ending and ending[0] in _OCCURRING:
        size += 1
    elif len(ending) > 1 and ending[0] in _WAS and ending[1] in _RAISED:
        size += 2
    else:
        return (), 0
    if following[size : size + 1] and following[size].text == "before":
        size += 1
    tokens: list[Token] = []
    for error in errors:
        opening = _words("if no") if tokens else following[:1]
        tokens.extend((*opening, error, *_words("was caught before")))
    return tokens, size


def _listed_code(tokens: Sentence) -> tuple[list[Token], int]:
    """Read "`a`, `b` or `c`" at the beginning of some tokens; with how many tokens that takes."""
    listed: list[Token] = []
    size = 0
    for token in tokens:
        if token.code:
            listed.append(token)
        elif not listed or token.text not in _LIST_MARKS:
            break
        size += 1
    return listed, size


def _default(following: Sentence, before: Sequence[Token]) -> tuple[Sequence[Token], int]:
    """Read "is `x` unless it is given" as "defaults to `x`"."""
    if len(following) < 4 or following[0].text not in _WAS or not following[1].code:
        return (), 0
    if following[2].text != "unless" or not before:
        return (), 0
    for size, token in enumerate(following[3:], 4):
        if token.text in _GIVEN:
            return (*_words("defaults to"), following[1]), size
        if token.text not in _OF_IT:
            break
    return (), 0


def _got_from(following: Sentence, _: Sequence[Token]) -> tuple[Sequence[Token], int]:
    """Read "gets `name` from `call()`" as "sets `name` to `call()`"."""
    if len(following) < 4 or following[0].text not in _GETTING or following[2].text != "from":
        return (), 0
    if not following[1].code or not following[3].code:
        return (), 0
    target = following[1]
    value = following[3]
    return (*_words("sets"), target, *_words("to"), value), 4


def _loop(following: Sentence) -> tuple[Sequence[Token], int]:
    """Read "in the loop over `xs` with `x`" and "in the loop `for x in xs`" as conditions.

    "In the loop `while x`" is "while `x`".
    """
    texts = [token.text for token in following[:4]]
    if len(texts) < 4 or texts[0] not in _INSIDE or texts[1] != "the" or texts[2] != "loop":
        return (), 0
    if following[3].code:
        test = following[3].text.removeprefix("while ")
        if test != following[3].text:
            condition = Token("code", test, code=read_code(test))
            return (*_words("while"), condition), 4
        return (*_words("for each"), following[3]), 4
    if texts[3] != "over" or not following[4:5] or not following[4].code:
        return (), 0
    iterated = following[4]
    if len(following) > 6 and following[5].text == "with" and following[6].code:
        element = following[6]
        line = f"for {element.text} in {iterated.text}"
        loop = Token("code", line, code=read_code(line))
        return (*_words("for each"), loop), 7
    return (*_words("for each"), iterated), 5


def _words(text: str) -> list[Token]:
    return list(map(word_token, text.split()))
