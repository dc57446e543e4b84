"""What was tried is said where its failure matters: "when `load(path)` fails with `OSError`".

A condition alone would say that an error was caught, and not out of what. ``say_failures`` puts in
what stands in the ``try``, and ``read_failures`` takes it out again.
"""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.bracketed_files import without_files
from goldwright.offline_agents.prose.prose_references import (
    subject_named,
    with_subject,
    without_lead,
)
from goldwright.offline_agents.prose.prose_sentences import sentences_as_written
from goldwright.offline_agents.statements.lists import either, read_choice
from goldwright.offline_agents.statements.tries import Tries

# Characters that are read in passing, in the midst of a condition.
_MOST_TRIED: Final = 90
# Of which nobody loses sight behind "neither".
_MOST_UNFAILED: Final = 2

_CAUGHT: Final = re.compile(r"after catching `(?P<error>[^`]+)`(?P<test>, when )?")
_NOT_CAUGHT: Final = re.compile(r"if no `(?P<error>[^`]+)` occurs")
# What opens a condition, and what ends the one before.
_OPENING: Final = re.compile(r"`[^`]*`|“[^”]*”|\b(when|unless|for each|if|in the loop)\b")
_STEPS: Final = r"(?P<steps>`[^`]+`(?:(?:, | or )`[^`]+`)*)"
_FAILS: Final = re.compile(
    rf"(?P<before>, and |(?:, )?when ){_STEPS} fails with `(?P<error>[^`]+)`(?P<test> and )?"
)
_FAILS_NOT: Final = re.compile(
    r"if (?P<steps>`[^`]+`) does not fail with `(?P<error>[^`]+)`|"
    r"if neither (?P<first>`[^`]+`) nor (?P<second>`[^`]+`) fails with `(?P<neither>[^`]+)`"
)


def say_failures(text: str, attempts: Sequence[Tries]) -> tuple[str, tuple[Tries, ...]]:
    """Say of caught errors, out of which steps they come.

    Args:
        text: Sentences without code blocks, the first one with its subject.
        attempts: What may be said.

    Returns:
        The text, and which attempts it says now.
    """
    said: dict[Tries, None] = {}
    spoken: list[str] = []
    subject = ""
    for sentence in sentences_as_written(text):
        bare_sentence = without_lead(without_files(sentence.strip()))
        in_full = with_subject(bare_sentence, subject)
        subject = subject_named(in_full) or subject
        told = sentence
        for attempt in attempts:
            if attempt.function != subject:
                continue
            before = told
            told = _with_attempt(before, attempt)
            if told != before:
                said[attempt] = None
        spoken.append(told)
    return "".join(spoken), tuple(said)


def read_failures(sentence: str) -> tuple[str, list[Tries]]:
    """Take out of a full sentence what was tried.

    Returns:
        The sentence with its conditions alone, and what it says of attempts.
    """
    function = subject_named(sentence)
    attempts: list[Tries] = []

    def note(steps: str, error: str) -> None:
        codes = read_choice(steps)
        if function and codes:
            attempts.append(Tries(function, error, codes))

    def caught(match: re.Match[str]) -> str:
        note(match["steps"], match["error"])
        joint = "" if match["before"] == "when " else ", "
        opening = ", when " if match["test"] else ""
        return f"{joint}after catching `{match['error']}`{opening}"

    def not_caught(match: re.Match[str]) -> str:
        error = match["error"] or match["neither"]
        note(match["steps"] or f"{match['first']} or {match['second']}", error)
        return f"if no `{error}` occurs"

    plain = _FAILS_NOT.sub(not_caught, _FAILS.sub(caught, sentence))
    return plain, attempts


def is_short(attempt: Tries) -> bool:
    """Find out whether the steps of an attempt are read in passing."""
    return sum(map(len, attempt.steps)) <= _MOST_TRIED


def _with_attempt(sentence: str, attempt: Tries) -> str:
    """Put an attempt into a sentence that speaks of its error once; or leave the sentence."""
    error = attempt.caught
    caught = [match for match in _CAUGHT.finditer(sentence) if match["error"] == error]
    if len(caught) == 1:
        (match,) = caught
        before = sentence[: match.start()]
        after = sentence[match.end() :]
        last_opening = _last_opening(before)
        is_second_test = before.endswith(", ") and last_opening == "when"
        opening = "and" if is_second_test else "when"
        joint = " and " if match["test"] else ""
        steps = either(attempt.steps)
        return f"{before}{opening} {steps} fails with `{error}`{joint}{after}"
    not_caught = [match for match in _NOT_CAUGHT.finditer(sentence) if match["error"] == error]
    if len(not_caught) == 1 and len(attempt.steps) <= _MOST_UNFAILED:
        (match,) = not_caught
        before = sentence[: match.start()]
        after = sentence[match.end() :]
        return f"{before}if {_not_failing(attempt)}{after}"
    return sentence


def _not_failing(attempt: Tries) -> str:
    match attempt.steps:
        case (only,):
            return f"`{only}` does not fail with `{attempt.caught}`"
        case (first, second, *_):
            return f"neither `{first}` nor `{second}` fails with `{attempt.caught}`"
        case _:
            raise AssertionError(attempt)


def _last_opening(text: str) -> str:
    openings = [match[1] for match in _OPENING.finditer(text) if match[1]]
    return openings[-1] if openings else ""
