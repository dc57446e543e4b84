"""Statement: the reason that a comment gives for the code below it."""

import re
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from goldwright.offline_agents.statements.comment_words import CommentWords
from goldwright.offline_agents.statements.statement import Example

LONGEST_REASON: Final = 160
# What announces the reason, and two words at least.
FEWEST_WORDS: Final = 3

_SENTENCE: Final = re.compile(
    r"The reason that a comment in `(?P<subject>[\w.]+)` gives at `(?P<code>[^`]+)` is "
    r"“(?P<words>[^”]+)”\."
)
# A dot behind a word; those of "e.g." and the like end nothing.
_SENTENCE_END: Final = re.compile(r"(?<=[a-z)])(?<!e\.g)(?<!i\.e)(?<!\bvs)(?<!\bcf)\.(?:\s|$)")
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
class Reasoned(CommentWords):
    """A comment gives a reason for the statement right below it.

    Its words are those of the comment from the one that announces a reason.
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

    def sentence(self) -> str:
        place = f"in `{self.function}` gives at `{self.code}`"
        return f"The reason that a comment {place} is “{self.words}”."

    @classmethod
    def read(cls, sentence: str) -> Self | None:
        match = _SENTENCE.fullmatch(sentence)
        if match is None:
            return None
        return cls(match["subject"], match["code"], match["words"])

    @classmethod
    def choose_words(cls, comment: str) -> str:
        _, reason = split_reason(comment)
        return reason


def split_reason(text: str) -> tuple[str, str]:
    """Split a comment into what it says of the code and the reason for it; empty for no reason.

    Only the first sentence counts, and both halves have to say something.
    """
    sentence = _SENTENCE_END.split(text, maxsplit=1)[0].strip()
    mark = _MARKS.search(sentence)
    if mark is not None and _IS_CONSEQUENCE.match(sentence, mark.start()):
        return "", ""
    if mark is None or re.search(r"[`“”\"]", sentence) or len(sentence) > LONGEST_REASON:
        return "", ""
    claim = sentence[: mark.start()].strip(" ,;:-")
    reason = sentence[mark.start() :].rstrip(" .:")
    if not _is_whole(claim) or not _is_whole(reason):
        return "", ""
    has_enough_words = len(reason.split()) >= FEWEST_WORDS
    return (claim, reason) if has_enough_words else ("", "")


def _is_whole(text: str) -> bool:
    return text.count("(") == text.count(")")
