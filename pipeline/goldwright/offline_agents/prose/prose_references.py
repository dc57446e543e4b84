"""Words that refer back: "it", "its docstring", "before that"; written, and read back.

Who writes a sentence says it in full first; ``with_pronoun`` and ``with_lead`` shorten it, and
``without_lead`` and ``with_subject`` give the full sentence again.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

# Where in the function something stands that is told beside the answer.
FURTHER_UP: Final = "Further up,"
FURTHER_DOWN: Final = "Further down,"
# That something is free although all do it.
LEADS: Final = (FURTHER_UP, FURTHER_DOWN)

# Instead of a lead: that what is set is what was said to be tested.
TESTED: Final = "tested"
_SETS: Final = re.compile(r"\bsets (`[^`]+`) to (`[^`]+`)")
_GETS: Final = re.compile(r"\bgets (`[^`]+`) from (`[^`]+`)")
_TAKES: Final = re.compile(r"\btakes the tested (`[^`]+`) from (?=`)")

# How the conditions of the sentence before are said again.
SAME_CONDITION: Final = "Under the same condition"
SAME_CONDITIONS: Final = "Under the same conditions"
# The same where a loop is all that was said.
IN_SAME_LOOP: Final = "In the same loop"
# How they are turned round.
OTHERWISE: Final = "Otherwise"
# How it is said that none of the checks told so far has left the function.
PAST_CHECK: Final = "Past that check"
PAST_CHECKS: Final = "Past these checks"
# The same, where something else was said to depend on a test of its own.
EITHER_WAY: Final = "Either way"
# What else is done there, in the same sentence.
AND_THERE: Final = "; it "
_PAST: Final = re.compile(rf"(?:{PAST_CHECKS}|{PAST_CHECK}|{EITHER_WAY}) it ")
# Behind one of these there is another check.
_LEAVES: Final = re.compile(r"\b(?:raises|returns) `")
# A loop, and how the one that was spoken of last is said again.
LOOP: Final = re.compile(r"for each `[^`]+` in `[^`]+`|in the loop `(?:for|while) [^`]+`")
SAME_LOOP: Final = "in the same loop"

_LOOP_OR_SAME: Final = re.compile(rf"({LOOP.pattern}|{SAME_LOOP})")
_NAME: Final = r"`(?P<name>[\w.]+)`"
_ONLY: Final = "In product code only"
# Sentences in full, and what stands for the name of their subject; in the order of trying.
_FULL_FORMS: Final = (
    (re.compile(rf"(?P<before>){_NAME} (?P<after>.*)", re.DOTALL), "{before}It {after}"),
    (
        re.compile(rf"(?P<before>)The docstring of {_NAME} (?P<after>.*)", re.DOTALL),
        "{before}Its docstring {after}",
    ),
    (
        re.compile(rf"(?P<before>)The module of {_NAME} (?P<after>.*)", re.DOTALL),
        "{before}Its module {after}",
    ),
    (
        re.compile(rf"The (?P<before>parameter `\w+`) of {_NAME} (?P<after>.*)", re.DOTALL),
        "Its {before} {after}",
    ),
    (
        re.compile(
            rf"(?P<before>Above `[^`]+`, a comment) in {_NAME} (?P<after>says .*)", re.DOTALL
        ),
        "{before} {after}",
    ),
)
_BELONGING: Final = ("The docstring of ", "The module of ")
# How a narrative may begin that is about a function.
_FOUND: Final = (
    re.compile(
        rf"(?:(?:It|The error) comes from|It is) {_NAME} in `[^`]+`(?:, which| that) .*", re.DOTALL
    ),
    re.compile(rf"{_ONLY} {_NAME} in `[^`]+` reads .*", re.DOTALL),
    re.compile(rf"{_ONLY} {_NAME} calls `[^`]+`(?: in `[^`]+`)?(?:, as `|: it ).*", re.DOTALL),
)
_ITS_PARAMETER: Final = re.compile(r"Its (?P<parameter>parameter `\w+`) (?P<after>.*)", re.DOTALL)
_ITS_OWN: Final = re.compile(r"Its (?P<what>docstring|module) (?P<after>.*)", re.DOTALL)
_A_COMMENT: Final = re.compile(
    r"(?P<before>Above `[^`]+`, a comment) (?P<after>says .*)", re.DOTALL
)


def with_pronoun(sentence: str, subject: str, owner: str = "") -> str:
    """Say a sentence without the name of its subject, where the sentence before has the same.

    Args:
        sentence: In full.
        subject: The name that "it" stands for behind the sentence before; empty for none.
        owner: The name that "its" stands for there, where "it" would be something else.
    """
    for pattern, short_form in _FULL_FORMS:
        match = pattern.fullmatch(sentence)
        if match is None:
            continue
        if match["name"] == subject or (match["name"] == owner and sentence.startswith("The ")):
            return short_form.format(**match.groupdict())
    return sentence


def with_subject(sentence: str, subject: str) -> str:
    """Give a sentence its subject back.

    Args:
        sentence: As it stands in a text, without what leads it in.
        subject: The name that the sentence before was about; empty for none.
    """
    if not subject:
        return sentence
    if sentence.startswith("It "):
        return f"`{subject}` {sentence.removeprefix('It ')}"
    own = _ITS_OWN.fullmatch(sentence)
    if own is not None:
        return f"The {own['what']} of `{subject}` {own['after']}"
    parameter = _ITS_PARAMETER.fullmatch(sentence)
    if parameter is not None:
        return f"The {parameter['parameter']} of `{subject}` {parameter['after']}"
    comment = _A_COMMENT.fullmatch(sentence)
    if comment is not None:
        return f"{comment['before']} in `{subject}` {comment['after']}"
    return sentence


def subject_named(sentence: str) -> str:
    """Give the name that a full sentence is about; empty where it begins with none."""
    patterns = (*(pattern for pattern, _ in _FULL_FORMS), *_FOUND)
    for pattern in patterns:
        match = pattern.fullmatch(sentence)
        if match is not None:
            return match["name"]
    return ""


def subject_after(sentence: str, about: str) -> str:
    """Give the name that "it" would stand for behind a sentence; empty where nobody would know.

    Args:
        sentence: In full.
        about: What it is about.
    """
    is_referring = sentence.startswith(
        (SAME_CONDITION, IN_SAME_LOOP, OTHERWISE, PAST_CHECK, PAST_CHECKS, EITHER_WAY)
    )
    # Behind a parameter or a docstring, "it" would be that.
    begins_with_name = sentence.startswith(("`", _ONLY))
    is_about_it = begins_with_name and subject_named(sentence) == about
    return about if is_referring or (about and is_about_it) else ""


def owner_after(sentence: str, about: str) -> str:
    """Give the name that "its" would stand for behind a sentence: that of a docstring, too."""
    is_of_name = sentence.startswith(_BELONGING) and subject_named(sentence) == about
    return about if about and is_of_name else subject_after(sentence, about)


def with_loops(text: str) -> str:
    """Give "the same loop" its code back."""
    spelled_out: list[str] = []
    last_loop = SAME_LOOP
    for piece in _LOOP_OR_SAME.split(text):
        if LOOP.fullmatch(piece):
            last_loop = piece
        spelled_out.append(last_loop if piece == SAME_LOOP else piece)
    return "".join(spelled_out)


def join_deeds_past_checks(sentences: Iterable[str]) -> Iterator[str]:
    """Say once that some checks are passed, where several sentences in a row begin with it."""
    joined = ""
    for sentence in sentences:
        past = _PAST.match(sentence)
        if past is not None and joined.startswith(past[0]) and not _LEAVES.search(joined):
            before = joined.removesuffix(".")
            deeds = sentence.removeprefix(past[0])
            joined = f"{before}{AND_THERE}{deeds}"
            continue
        if joined:
            yield joined
        joined = sentence
    if joined:
        yield joined


def with_lead(lead: str, sentence: str) -> str:
    """Say first where something stands; empty leads leave the sentence as it is."""
    if lead in {"", TESTED}:
        return sentence
    if not sentence.startswith("`"):
        first_letter = sentence[:1].lower()
        sentence = first_letter + sentence[1:]
    return f"{lead} {sentence}"


def as_tested(sentence: str) -> str:
    """Say of each value that is set that it is the tested one."""
    plainly_set = _GETS.sub(r"sets \1 to \2", sentence)
    return _SETS.sub(r"takes the tested \1 from \2", plainly_set)


def as_set(sentence: str) -> str:
    """Say what ``as_tested`` was given."""
    return _TAKES.sub(r"sets \1 to ", sentence)


def without_lead(sentence: str) -> str:
    """Leave out what leads a sentence in."""
    for lead in LEADS:
        if sentence.startswith(f"{lead} "):
            bare = sentence.removeprefix(f"{lead} ")
            first_letter = bare[:1].upper()
            return f"{first_letter}{bare[1:]}"
    return sentence
