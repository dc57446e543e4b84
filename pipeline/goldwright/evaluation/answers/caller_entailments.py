"""What a sentence says of callers: who alone calls what, and how each of them does."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.evaluation.answers.answer_shapes import (
    CALL,
    CODE,
    LIST,
    NAME,
    NAMES,
    NOBODY_ELSE,
    PLACED,
    SentenceShape,
)

# What answers the question before the sentence begins.
_VERDICT: Final = r"(?:[a-z ]+ : )?"
ONLY_CALLERS: Final = re.compile(rf"\bonly ({LIST}){PLACED} ({CALL}) ({NAME})\b")
CALLERS: Final = re.compile(rf"\b({LIST}){PLACED} ({CALL}) ({NAME}){PLACED}(?= |$)")
_NOBODY_DOES: Final = re.compile(
    rf"\b{NOBODY_ELSE} (?:does|do|{CALL} (?:it|them|that|this)|{CALL} ({NAME}))\b"
)
_CALLED_AS: Final = re.compile(rf"^({LIST}){PLACED} calls? ({NAME}) as (.+)$")
_CALL_OF: Final = re.compile(rf"(?:({LIST}) as )?({CODE})(?= |$)")
_DONE_ALONE: Final = re.compile(
    rf"^{_VERDICT}(?:it|{NAME}) is ({NAME}){PLACED} that .*? {NOBODY_ELSE} {CALL} ({NAME})"
    rf"(?:(?: ,)? and (?:none|nobody) {CALL} ({LIST}))?"
)


def only_callers(shape: SentenceShape) -> Iterator[str]:
    """Let "only `a` and `b` call `f`" stand apart from what else its sentence says."""
    for callers, verb, callee in ONLY_CALLERS.findall(shape.text):
        yield f"only {callers} {verb} {callee}"
    nobody = _NOBODY_DOES.search(shape.text)
    if nobody is None:
        return
    in_front = shape.text[: nobody.start()]
    calls = list(CALLERS.finditer(in_front))
    if not calls:
        calls = list(CALLERS.finditer(shape.before))
    if calls:
        callers, verb, callee = calls[-1].groups()
        yield f"only {callers} {verb} {callee}"


def called_as(shape: SentenceShape) -> Iterator[str]:
    """Read "`a` and `b` call `f` as `f(1)`; `c` as `f(2)` and `f(3)`", call by call."""
    for functions, callee, calls in _CALLED_AS.findall(shape.text):
        callers = NAMES.findall(functions)
        for caller_names, call in _CALL_OF.findall(calls):
            callers = NAMES.findall(caller_names) or callers
            yield from (f"{caller} calls {callee} as {call}" for caller in callers)


def done_alone(shape: SentenceShape) -> Iterator[str]:
    """Read "it is `f` that deletes files; no other code calls `os.remove`" as who calls it."""
    for function, callee, uncalled in _DONE_ALONE.findall(shape.text):
        yield f"in code , {callee} is called in {function} and nowhere else"
        if uncalled:
            yield f"code calls {callee} , and never {uncalled}"
