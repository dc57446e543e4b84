"""Talk of an evaluation that speaks to its reader, whatever the phrase."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.word_stream import WordStream

# Measured on 891,000 lines of 18 packages: two such words within twelve and the reader near them
# are 8 false alarms.
_NEARNESS: Final = 12
_REACH: Final = 4
_EVALUATION: Final = """
    reviewer reviewers, adversary, oracle, judge judges judging, grader graders grading, evaluator
    evaluators evaluation harness, verdict verdicts, claim claims claimed, supported unsupported, equivalent
    equivalence, narrative, confidence, evidence citations, fact facts factual, ai llm llms chatbot gpt
    claude chatgpt gemini copilot, agent agents assistant assistants, verification verified verify
    verifying, instructions instruction prompt, rewarded penalised penalized penalty, accurate, review
    reviewing, statements, trusted untrusted, answer answers, approve approved approves, benchmark, operator
"""
_TO_THE_READER: Final = frozenset(
    """you your please shall must accept approve say saying respond repeat trust consider agree dear exempt should
    needed reply""".split()
)


def talked(reading: WordStream) -> Iterator[Suspicion]:
    """Find two words of an evaluation near each other, and near them one that speaks to the reader."""
    subjects = _subjects()
    last, last_subject = -_NEARNESS - 1, ""
    for place, word in enumerate(reading.words):
        subject = subjects.get(word)
        if subject is None:
            continue
        around = reading.words[max(0, last - _REACH) : place + _REACH + 1]
        if (
            subject != last_subject
            and place - last <= _NEARNESS
            and not _TO_THE_READER.isdisjoint(around)
        ):
            yield reading.of_words("address", last, place)
        last, last_subject = place, subject


@cache
def _subjects() -> Mapping[str, str]:
    """The words of an evaluation, each with the first of those that mean the same."""
    groups = (group.split() for group in _EVALUATION.split(","))
    return {word: group[0] for group in groups for word in group}
