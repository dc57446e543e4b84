"""Whether an answer is correct: it states every fact that it must, and no known falsehood.

Facts are matched literally, clause by clause: see ``answer_alignment``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from goldwright.evaluation.answers.answer_alignment import is_contradicted, is_stated
from goldwright.evaluation.answers.answer_coverage import FOR_FACTS, FOR_FALSEHOODS
from goldwright.evaluation.answers.answer_statements import Text, parse_text
from goldwright.evaluation.answers.answer_wordings import in_words_of_facts
from goldwright.evaluation.answers.quoted_code import with_code_spoken

LITERAL: Final = "a literal matcher"
# Characters of an answer that are read, which bounds the time that a runaway answer takes.
MOST_READ: Final = 50_000

_DISTINCT_FACTS: Final = 1 << 12
# Labels add to a falsehood why it is false, as in "(it is not, the session holds it)".
_EXPLANATION: Final = re.compile(r"\s*\((?:it|they|this|that)\b[^()]*\)\s*\.?$", re.IGNORECASE)


class AnswerKey(Protocol):
    """What an answer is judged by: a golden label has it, and the query of any dataset."""

    @property
    def must_mention_facts(self) -> tuple[str, ...]:
        """What an answer has to say."""
        ...

    @property
    def must_not_mention_facts(self) -> tuple[str, ...]:
        """What an answer must not say."""
        ...


@dataclass(frozen=True, slots=True)
class LiteralJudgement:
    """The judgement of the literal matcher on one answer.

    Attributes:
        missing_facts: The facts of the label that the answer does not state.
        stated_falsehoods: The falsehoods of the label that the answer states.
    """

    missing_facts: tuple[str, ...]
    stated_falsehoods: tuple[str, ...]

    @property
    def is_correct(self) -> bool:
        """Whether no fact is missing and no falsehood is stated."""
        return not self.missing_facts and not self.stated_falsehoods


def judge_answer(key: AnswerKey, answer: str) -> LiteralJudgement | None:
    """Match an answer against the facts and falsehoods of a query.

    The matcher is strict: an answer in entirely other words counts as missing the fact, so the
    share of correct answers is a lower bound.

    Returns:
        None where the query has no fact that must be stated.
    """
    if not key.must_mention_facts:
        return None
    spoken_answer = with_code_spoken(answer[:MOST_READ])
    text = parse_text(in_words_of_facts(spoken_answer))
    missing_facts = tuple(_missing_facts(key, text))
    falsehoods = tuple(_stated_falsehoods(key, text))
    return LiteralJudgement(missing_facts=missing_facts, stated_falsehoods=falsehoods)


def _missing_facts(key: AnswerKey, answer: Text) -> Iterator[str]:
    for fact in key.must_mention_facts:
        parsed = _parse_fact(fact)
        if not is_stated(parsed, answer, FOR_FACTS) or is_contradicted(parsed, answer):
            yield fact


def _stated_falsehoods(key: AnswerKey, answer: Text) -> Iterator[str]:
    for falsehood in key.must_not_mention_facts:
        claim = _EXPLANATION.sub("", falsehood)
        if is_stated(_parse_fact(claim), answer, FOR_FALSEHOODS):
            yield falsehood


# A baseline judges several runs by the same facts.
@lru_cache(maxsize=_DISTINCT_FACTS)
def _parse_fact(fact: str) -> Text:
    return parse_text(fact)
