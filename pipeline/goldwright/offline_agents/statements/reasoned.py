"""Statement: the reason that a comment gives for the code below it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

from goldwright.code_reading.comments import comments_of, first_line
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.statements.assigned import LONGEST_VALUE
from goldwright.offline_agents.statements.statement import Example, Finding, Shown, Statement
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import FileRange

LONGEST_REASON: Final = 160
# What announces the reason, and two words at least.
FEWEST_WORDS: Final = 3

_SENTENCE: Final = re.compile(
    r"The reason that a comment in `(?P<subject>[\w.]+)` gives at `(?P<code>[^`]+)` is "
    r"“(?P<reason>[^”]+)”\."
)
# Words such as "since" and "otherwise" say when as often as they say why.
_MARKS: Final = re.compile(
    r"(?<!expected )(?<!need )(?<!needs )(?<!have )(?<!has )(?<!want )(?<!able )(?<!used )"
    r"(?<!try )(?<!trying )(?<!allowed )(?<!required )(?<!supposed )(?<!not )"
    r"\b(?:because|so that|to avoid|in order to|to prevent|to make sure|to ensure|"
    r"to keep|to allow)\b",
    re.IGNORECASE,
)
# "So that can go" and "so that door is shut" say what follows, and not what something is for.
_IS_CONSEQUENCE: Final = re.compile(
    r"so that (?!we |it |they |you |there |the |a |an |its |their |our |your |his |this |these |"
    r"those |no |all |any |each |every |both |only |nobody |nothing |everything |if |when |in )"
    r"(?:\w+ (?:can|could|will|would|may|must|is|has|should|does)\b|"
    r"(?:can|could|will|would|may|must|is|has|should|does)\b|\w+'\w+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reasoned(Statement):
    """A comment gives a reason for the statement right below it.

    Attributes:
        function: The qualified name of the function.
        code: The first line of the statement, as written, without the colon of a clause.
        reason: The words of the comment from the one that announces a reason.
    """

    kind: ClassVar[str] = "reasoned"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            code="""
def close(shop):
    # Lock the door first so that
    # nobody walks in.
    shop.lock()
    if shop.lights:
        # Save power because it is dear.
        shop.dark()
""",
            holds=(
                (
                    "The reason that a comment in `close` gives at `shop.lock()` is "
                    "“so that nobody walks in”."
                ),
                (
                    "The reason that a comment in `close` gives at `shop.dark()` is "
                    "“because it is dear”."
                ),
            ),
            fails=(
                (
                    "The reason that a comment in `close` gives at `shop.dark()` is "
                    "“so that nobody walks in”."
                ),
            ),
        ),
    )

    function: str
    code: str
    reason: str

    @property
    def subject(self) -> str:
        return self.function

    def sentence(self) -> str:
        return (
            f"The reason that a comment in `{self.function}` gives at `{self.code}` is "
            f"“{self.reason}”."
        )

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        return None if match is None else cls(match["subject"], match["code"], match["reason"])

    @classmethod
    def find(cls, module: Module, name: str, function: Function) -> Iterator[Finding]:
        for comment in comments_of(module, function):
            _, reason = split_reason(comment.text)
            code = first_line(comment.statement, module)
            if reason and 0 < len(code) <= LONGEST_VALUE and "`" not in code:
                last = comment.statement.lineno
                lines = FileRange(file=module.path, start=comment.first, end=last)
                yield Finding(cls(name, code, reason), f"{module.path}::{name}", lines)

    def is_shown(self, code: TokenCodebase) -> tuple[Shown, FileRange | None]:
        definitions = code.named(self.function)
        for definition in definitions:
            for line in definition.own_lines:
                if plain_code(line.line.code) != plain_code(self.code):
                    continue
                text, first = code.comment_above(definition, line.first)
                if self.reason in text:
                    place = FileRange(file=definition.path, start=first, end=line.first)
                    return "shown", place
        return ("refuted", definitions[0].range) if definitions else ("unclear", None)

    def falsehoods(self, others: Sequence[Statement]) -> Iterator[Statement]:
        for other in others:
            if isinstance(other, Reasoned) and other.reason != self.reason:
                yield replace(self, reason=other.reason)


def split_reason(text: str) -> tuple[str, str]:
    """Split a comment into what it says of the code and the reason for it; empty for no reason.

    Only the first sentence counts, and both halves have to say something.
    """
    sentence = re.split(r"(?<=[a-z)])\.(?:\s|$)", text, maxsplit=1)[0].strip()
    mark = _MARKS.search(sentence)
    if mark is not None and _IS_CONSEQUENCE.match(sentence, mark.start()):
        return "", ""
    if mark is None or re.search(r"[`“”\"]", sentence) or len(sentence) > LONGEST_REASON:
        return "", ""
    claim = sentence[: mark.start()].strip(" ,;:-")
    reason = sentence[mark.start() :].rstrip(" .:")
    are_whole = all(half.count("(") == half.count(")") for half in (claim, reason))
    return (claim, reason) if are_whole and len(reason.split()) >= FEWEST_WORDS else ("", "")
