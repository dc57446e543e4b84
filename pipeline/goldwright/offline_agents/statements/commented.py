"""Statement: what a comment says above a line of code."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.offline_agents.statements.comment_words import CommentWords
from goldwright.offline_agents.statements.statement import Example

# Shorter ones are headings; longer ones say more than one thing.
FEWEST_WORDS: Final = 4
LONGEST_COMMENT: Final = 160

_SENTENCE: Final = re.compile(
    r"Above `(?P<code>[^`]+)`, a comment in `(?P<subject>[\w.]+)` says “(?P<words>[^”]+)”\."
)
# Notes to tools and to oneself, and code that was taken out.
_NO_PROSE: Final = re.compile(
    r"(?i:^(?:todo|fixme|xxx|hack|type:|noqa|pragma|pylint|mypy|ruff|pyright|fmt:))"
    r"|[`“”\"=|{}\[\]\\]|\w\(|https?:|:$"
)


@dataclass(frozen=True, slots=True)
class Commented(CommentWords):
    """A comment stands right above a statement and says this.

    Its words are the first sentence of the comment.
    """

    kind: ClassVar[str] = "commented"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def close(shop):
    # Lock the door before
    # the lights go out. Twice is fine.
    shop.lock()
    if shop.lights:
        # TODO: ask the electrician first
        shop.dark()
    # Somebody has to come back.
    return shop.keys
""",
            holds=(
                (
                    "Above `shop.lock()`, a comment in `close` says “Lock the door before the "
                    "lights go out”."
                ),
                "Above `return shop.keys`, a comment in `close` says “Somebody has to come back”.",
            ),
            fails=(
                "Above `shop.dark()`, a comment in `close` says “Somebody has to come back”.",
                "Above `shop.lock()`, a comment in `close` says “Somebody has to come back”.",
            ),
        ),
    )

    def sentence(self) -> str:
        return f"Above `{self.code}`, a comment in `{self.function}` says “{self.words}”."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["subject"], match["code"], match["words"])

    @classmethod
    def choose_words(cls, comment: str) -> str:
        return _first_sentence(comment)


def _first_sentence(text: str) -> str:
    opening, *_ = re.split(r"(?<=[\w)])\.(?:\s|$)", text, maxsplit=1)
    sentence = opening.strip(" .:-")
    is_whole = sentence.count("(") == sentence.count(")")
    is_prose = is_whole and _NO_PROSE.search(sentence) is None
    is_short = len(sentence) <= LONGEST_COMMENT
    is_telling = len(sentence.split()) >= FEWEST_WORDS
    return sentence if is_prose and is_short and is_telling else ""
