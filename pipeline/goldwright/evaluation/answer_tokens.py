"""Texts as tokens: words with what they mean, code, numbers and marks, sentence by sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.evaluation.answer_code import CodePiece, read_code, read_quotation
from goldwright.evaluation.answer_vocabulary import (
    NEGATIONS,
    NUMBER_WORDS,
    find_phrase,
    meaning_of,
    stem,
)

TokenKind = Literal["word", "code", "mark"]

_TOKEN: Final = re.compile(
    r"""`(?P<marked>[^`]+)`
    |“(?P<quoted>[^”]+)”|"(?P<straight>[^"\n]*)"
    |(?P<bare>
        (?:[\w.-]+/)+[\w-]+(?:\.\w+)*(?:::[\w.]+)?      # a path, perhaps with an entity
        |[^\W\d]\w*(?:\.[^\W\d]\w*)+(?:\((?:[^()]|\([^()]*\))*\))?       # a dotted name
        |[^\W\d]\w*\((?:[^()]|\([^()]*\))*\)                  # a call
        |(?:\w*[^\W_]_\w+|_+\w+)                          # an underscore inside or before
        |\b[A-Z]*[a-z]+[A-Z]\w*|\b[A-Z]{2,}[a-z]{2,}\w*   # capitals inside
        |\b(?:None|True|False)\b(?!\s+of\b)
        |\[\]|\{\}                                        # an empty container
    )
    |(?P<number>(?<![\w.])-?\d[\d_]*(?:\.\d+)?)
    |(?P<operator>[=!<>]=|[<>])
    |(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)
    |(?P<gap>\n\s*\n|\n\s*(?=[-*•]|\d+[.)]))
    |(?P<mark>[.!?](?=\s|$|["”)])|[,;:()—]|\s[-–]\s)""",
    re.VERBOSE,
)
# In capitals these are stressed; another word that denies, as ``UNSET``, is a constant there.
_STRESSED: Final = frozenset({"never", "no", "nor", "not"})
_OPERATORS: Final = {
    "==": "equal",
    "!=": "unequal",
    ">": "exceed",
    "<": "below",
    ">=": "atleast",
    "<=": "atmost",
}
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e)\.,?")
_SENTENCE_END: Final = frozenset(".!?\n")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text.

    Attributes:
        kind: A word, a piece of code or a number, or a mark of punctuation.
        text: A word in lower case, or a mark; code as it was written.
        stem: The stem of a word; empty for others.
        concept: What a word means, one name for all synonyms; empty where it means nothing that
            could be right or wrong.
        is_denial: Whether a word denies.
        code: What code consists of; None for others.
    """

    kind: TokenKind
    text: str
    stem: str = ""
    concept: str = ""
    is_denial: bool = False
    code: CodePiece | None = None


Sentence = Sequence[Token]


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text as tokens."""
    sentence: list[Token] = []
    for token in _tokens(text):
        if token.kind == "mark" and token.text in _SENTENCE_END:
            if sentence:
                yield _with_phrases(sentence)
            sentence = []
        else:
            sentence.append(token)
    if sentence:
        yield _with_phrases(sentence)


def _tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(_ABBREVIATION.sub("", text)):
        found = match[match.lastgroup or 0]
        match match.lastgroup:
            case "marked" | "bare" | "number":
                yield Token("code", found, code=read_code(found))
            case "quoted" | "straight":
                yield Token("code", found, code=read_quotation(found))
            case "operator":
                yield _word(_OPERATORS[found])
            case "word" if found.isupper() and found.lower() in NEGATIONS - _STRESSED:
                yield Token("code", found, code=read_code(found))
            case "word":
                yield from _words(found.lower())
            case "gap":
                yield Token("mark", "\n")
            case "mark":
                yield Token("mark", found.strip())


def _words(text: str) -> Iterator[Token]:
    word, _, ending = text.replace("’", "'").partition("'")
    if ending == "t":
        # "isn't" and "don't" keep their verb; "can't" loses one letter, which changes no stem.
        yield _word(word.removesuffix("n"))
        yield _word("not")
        return
    if word in NUMBER_WORDS:
        number = str(NUMBER_WORDS.index(word))
        yield Token("code", word, code=read_code(number))
        return
    yield _word(word)


def _word(text: str) -> Token:
    meaning = meaning_of(text)
    return Token("word", text, stem(text), meaning.concept, meaning.is_denial)


def _with_phrases(tokens: Sequence[Token]) -> Sentence:
    """Put one word in the place of each phrase that means it."""
    rest = list(tokens)
    replaced: list[Token] = []
    while rest:
        stems = [token.stem for token in rest]
        length, words = find_phrase(stems)
        if length:
            replaced.extend(_word(word) for word in words)
            del rest[:length]
        else:
            replaced.append(rest.pop(0))
    return replaced
