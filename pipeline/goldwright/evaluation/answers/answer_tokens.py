"""Texts as tokens: words with what they mean, code, numbers and marks, sentence by sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from goldwright.evaluation.answers.answer_code import (
    CodePiece,
    plain_text,
    read_code,
    read_quotation,
)
from goldwright.evaluation.answers.answer_words import (
    NEGATIONS,
    NUMBER_WORDS,
    find_phrase,
    meaning_of,
    stem,
)

TokenKind = Literal["word", "code", "mark"]

# Tokens of a sentence; a longer one is cut, so that a runaway answer takes linear time.
MOST_TOKENS: Final = 300

# Lengths inside quotes and brackets are bounded for the same reason.
_TOKEN: Final = re.compile(
    r"""`(?P<marked>[^`]{1,1000})`
    |“(?P<quoted>[^”]{1,1000})”|"(?P<straight>[^"\n]*)"
    |(?P<bare>
        (?:[\w.-]+/)+[\w-]+(?:\.\w+)*(?:::[\w.]+)?      # a path, perhaps with an entity
        |[^\W\d]\w*(?:\.[^\W\d]\w*)+(?:\((?:[^()]|\([^()]{0,80}\)){0,80}\))?  # a dotted name
        |[^\W\d]\w*\((?:[^()]|\([^()]{0,80}\)){0,80}\)    # a call
        |\w*[^\W_]_\w+|_+\w+                              # an underscore inside or before
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
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e)\.,?")
_SENTENCE_END: Final = frozenset(".!?\n")
_OPERATORS: Final = {
    "==": "equal",
    "!=": "unequal",
    ">": "exceed",
    "<": "below",
    ">=": "atleast",
    "<=": "atmost",
}
# In capitals these are stressed; another word that denies, as ``UNSET``, is a constant there.
_STRESSED: Final = frozenset({"never", "no", "nor", "not"})


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
        spelling: What stands in the text, where a word was put in the place of others.
    """

    kind: TokenKind
    text: str
    stem: str = ""
    concept: str = ""
    is_denial: bool = False
    code: CodePiece | None = None
    spelling: str | None = None


Sentence = Sequence[Token]


def letters_of(sentence: Sentence) -> str:
    """Join the letters and digits of a sentence as they stand in the text, in lower case."""
    parts = [token.text if token.spelling is None else token.spelling for token in sentence]
    return plain_text("".join(parts))


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text as tokens."""
    sentence: list[Token] = []
    for token in _tokens(text):
        ends_sentence = token.kind == "mark" and token.text in _SENTENCE_END
        if not ends_sentence:
            sentence.append(token)
        if sentence and (ends_sentence or len(sentence) == MOST_TOKENS):
            yield list(_with_phrases(sentence))
            sentence = []
    if sentence:
        yield list(_with_phrases(sentence))


def _tokens(text: str) -> Iterator[Token]:
    plain = _ABBREVIATION.sub("", text)
    for match in _TOKEN.finditer(plain):
        kind = match.lastgroup or ""
        yield from _tokens_of(kind, match[kind])


def _tokens_of(kind: str, text: str) -> Iterator[Token]:
    match kind:
        case "marked" | "bare" | "number":
            yield Token("code", text, code=read_code(text))
        case "quoted" | "straight":
            yield Token("code", text, code=read_quotation(text))
        case "operator":
            yield word_token(_OPERATORS[text])
        case "word":
            yield from _words(text)
        case "gap":
            yield Token("mark", "\n")
        case _:
            yield Token("mark", text.strip())


def _words(text: str) -> Iterator[Token]:
    lowered = text.lower()
    if text.isupper() and lowered in NEGATIONS - _STRESSED:
        yield Token("code", text, code=read_code(text))
        return
    with_plain_marks = lowered.replace("’", "'")
    word, _, ending = with_plain_marks.partition("'")
    if ending == "t":
        # "isn't" and "don't" keep their verb; "can't" loses one letter, which changes no stem.
        yield replace(word_token(word.removesuffix("n")), spelling=lowered)
        yield replace(word_token("not"), spelling="")
    elif word in NUMBER_WORDS and word != "one":
        # "One" is an article more often than a number.
        number = str(NUMBER_WORDS.index(word))
        yield Token("code", word, code=read_code(number))
    else:
        yield word_token(word)


def word_token(text: str) -> Token:
    """Look up a word in lower case."""
    meaning = meaning_of(text)
    return Token("word", text, stem(text), meaning.concept, meaning.is_denial)


def _with_phrases(tokens: Sequence[Token]) -> Iterator[Token]:
    """Put one word in the place of each phrase that means it."""
    stems = [token.stem for token in tokens]
    place = 0
    while place < len(tokens):
        phrase = find_phrase(stems[place:])
        if phrase is None:
            yield tokens[place]
            place += 1
        else:
            size = len(phrase.stems)
            spoken_tokens = tokens[place : place + size]
            spelling = "".join(token.text for token in spoken_tokens)
            for word in phrase.meaning:
                yield replace(word_token(word), spelling=spelling)
                spelling = ""
            place += size
