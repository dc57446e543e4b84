"""The shape of a sentence: its words, with a letter and a number for each piece of code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.answers.answer_code import Atom, is_path, is_value, piece_of, read_code
from goldwright.evaluation.answers.answer_tokens import Sentence, Token, word_token

# Letters for code: a name, a path, a text in quotes, and what is neither of them.
NAME: Final = r"n\d+"
PATH: Final = r"p\d+"
TEXT: Final = r"t\d+"
CODE: Final = r"[nptv]\d+"
LIST: Final = rf"{NAME}(?:(?: ,)?(?: and| or)? {NAME})*"
CODES: Final = rf"{CODE}(?:(?: ,)?(?: and)? {CODE})*"
PLACED: Final = rf"(?: in {PATH})?"
NAMES: Final = re.compile(NAME)
# Words in the patterns of several kinds of sentences.
THE: Final = r"(?:(?:the|a|an|that|this|its) )?"
CALL: Final = "(?:calls?|invokes?|runs?|executes?|uses?)"
NOBODY_ELSE: Final = (
    r"(?:nobody else|nothing else|no one else|none else|"
    r"no other(?: (?:code|function|method|class|caller|callers|place|one|module))?)"
)
_MARKS: Final = frozenset(",;:()")


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was said before a sentence.

    Attributes:
        tokens: The sentence in front of it.
        topic: The names that it is about.
        holder: The names that the last text in quotes was told of.
    """

    tokens: Sentence = ()
    topic: tuple[Atom, ...] = ()
    holder: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceShape:
    """A sentence and the one before it, as words and numbered code."""

    text: str
    before: str
    topic: str
    holder: str
    tokens: dict[str, Token]

    @classmethod
    def of(cls, sentence: Sentence, spoken: Spoken) -> "SentenceShape":
        """Take a sentence apart, with what was said before it."""
        tokens: dict[str, Token] = {}
        topic = _numbered(_name_tokens(spoken.topic), tokens)
        holder = _numbered(_name_tokens(spoken.holder), tokens)
        before = _numbered(spoken.tokens, tokens)
        text = _numbered(sentence, tokens)
        if topic:
            # "It" at the beginning is what was spoken of.
            text = re.sub(r"^it(?= )", topic, text)
        return cls(text, before, topic, holder, tokens)

    def add(self, code: str) -> str:
        """Number a piece of code that the sentence holds as a part of another one."""
        token = Token("code", code, code=read_code(code))
        return _numbered([token], self.tokens)


def _name_tokens(names: Sequence[Atom]) -> list[Token]:
    """The first of some names, as a sentence would hold it."""
    if not names:
        return []
    first_name = names[0]
    text = ".".join(first_name)
    return [Token("code", text, code=piece_of(first_name))]


def _numbered(sentence: Sequence[Token], tokens: dict[str, Token]) -> str:
    words: list[str] = []
    for token in sentence:
        word = token.text
        if token.code:
            word = f"{letter_of(token)}{len(tokens)}"
            tokens[word] = token
        words.append(word)
    return " ".join(words)


def letter_of(token: Token) -> str:
    """Give the letter of a piece of code: ``n`` a name, ``p`` a path, ``t`` a text, else ``v``."""
    code = token.code
    if code is None or len(code.atoms) != 1:
        return "v"
    atom = code.atoms[0]
    if code.is_quoted:
        return "t"
    if is_path(atom):
        return "p"
    return "v" if is_value(atom) else "n"


def plain_token(text: str) -> Token:
    """Make the token of a word, or of a mark, that stands for no code."""
    if text in _MARKS:
        return Token("mark", text)
    return word_token(text)
