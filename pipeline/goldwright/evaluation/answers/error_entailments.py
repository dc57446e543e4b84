"""What a sentence says of errors: who catches them, who lets them through, and what comes after."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.evaluation.answers.answer_shapes import (
    CALL,
    CODE,
    CODES,
    LIST,
    NAME,
    NAMES,
    NOBODY_ELSE,
    PLACED,
    THE,
    SentenceShape,
)
from goldwright.evaluation.answers.caller_entailments import CALLERS, ONLY_CALLERS

_CATCH: Final = "(?:catch|catches|handles?|intercepts?|traps?)"
_UNCAUGHT: Final = re.compile(
    rf"\b(?:and|but) (?:(?:none|neither) of (?:them|these|those) {_CATCH}|"
    rf"(?:(?:it|they) )?(?:does|do) not {_CATCH}) {THE}({NAME})(?: |$)"
)
_UNCAUGHT_FROM: Final = re.compile(
    rf"\b({LIST}) (?:does|do) not {_CATCH} {THE}({NAME}) "
    rf"(?:out of|from|of|(?:that|which)) ({NAME})\b"
)
_CATCHING: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} {THE}({NAME})(?: out of {NAME})? with ({CODE})\b"
)
_ONLY_CATCHES: Final = re.compile(
    rf"\bonly ({NAME}){PLACED} {CALL} ({NAME})(?: ,)? and (?:it )?{_CATCH} "
    rf"{THE}({NAME}) with ({CODE})\b"
)
_LETTING: Final = re.compile(rf"\b({LIST}) lets? (?:it|{THE}({NAME})) through\b")
_CATCHING_LIST: Final = re.compile(
    rf"\b({LIST}){PLACED} {_CATCH} {THE}({NAME}) with ({CODE})(?= |$)"
)
_RAISING: Final = re.compile(rf"\b({NAME}){PLACED}(?: , which)? (?:raises?|throws?) ({NAME})\b")
_CATCHES_THAT: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} (?:it|that|this|that error|the error) with ({CODE})\b"
)
_ENDS: Final = re.compile(
    rf"\bends in ({NAME}){PLACED} , which {_CATCH} (?:it|that|this|the error) with ({CODE})\b"
)
_STARTS: Final = re.compile(
    rf"\b(?:it|error) (?:comes|starts) (?:from|in) ({NAME}){PLACED} , which "
    rf"(?:raises?|throws?) ({NAME})\b"
)
_TURNS: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} {THE}({CODE})\b.*? "
    rf"and ((?:goes on|leaves) .*?{CODE})(?= |$)"
)
_ELSEWHERE: Final = re.compile(
    rf"\b(?:where else|wherever else|everywhere else|elsewhere) .*?({NAME}) is called , "
    rf"(?:(?:it|the error|{THE}{NAME}) is not (?:caught|handled)"
    r"|nothing around the call (?:catches|handles) it)\b"
    rf"|{NOBODY_ELSE} that calls ({NAME}) {_CATCH} it\b"
)
_GUARDED: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} {THE}({CODE}) (?:around only|only around) ({CODES})(?= |$)"
)


def uncaught(shape: SentenceShape) -> Iterator[str]:
    """Say of each caller that it lets an error through."""
    for callers, error, callee in _UNCAUGHT_FROM.findall(shape.text):
        yield from _passing_through(callers, error, callee)
    for match in _UNCAUGHT.finditer(shape.text):
        calls = list(CALLERS.finditer(shape.text[: match.start()]))
        if len(calls) == 1:
            callers, _, callee = calls[0].groups()
            yield from _passing_through(callers, match[1], callee)


def _passing_through(callers: str, error: str, callee: str) -> Iterator[str]:
    for caller in NAMES.findall(callers):
        yield f"{error} out of {callee} passes through {caller} uncaught"


def catchers(shape: SentenceShape) -> Iterator[str]:
    """Say who catches an error and that no other caller does."""
    for caller, callee, error, clause in _ONLY_CATCHES.findall(shape.text):
        yield f"{error} out of {callee} is caught in {caller} by {clause}"
    raisings = _RAISING.findall(shape.before)
    if len(raisings) == 1:
        callee, error = raisings[0]
        for caller, clause in _CATCHES_THAT.findall(shape.text):
            yield f"{error} out of {callee} is caught in {caller} by {clause}"
    elsewhere = _ELSEWHERE.search(shape.text)
    catching = _CATCHING.findall(shape.text)
    if elsewhere is None or not catching:
        return
    callee = elsewhere[1] or elsewhere[2]
    for caller, error, clause in catching:
        yield f"{error} out of {callee} is caught in {caller} by {clause}"
    callers = " and ".join(dict.fromkeys(caller for caller, _, _ in catching))
    _, error, _ = catching[0]
    yield f"of the code that calls {callee} , only {callers} catch {error} around the call"


def end_of_error(shape: SentenceShape) -> Iterator[str]:
    """Read "it ends in `g`, which catches it with `except E`" with where it comes from."""
    ends = _ENDS.findall(shape.before)
    starts = _STARTS.findall(shape.text)
    if len(ends) == len(starts) == 1:
        (caller, clause), (callee, error) = ends[0], starts[0]
        yield f"{error} out of {callee} is caught in {caller} by {clause}"


def turns(shape: SentenceShape) -> Iterator[str]:
    """Read "`f` catches `E` and goes on with the next turn of the loop" as what comes after."""
    for name, error, predicate in _TURNS.findall(shape.text):
        yield f"after {name} has caught {error} , it {predicate}"


def fates(shape: SentenceShape) -> Iterator[str]:
    """Say of each caller whether an error is caught there, where the callers are told before."""
    calls = ONLY_CALLERS.search(shape.text)
    if calls is None:
        return
    callee, behind = calls[3], shape.text[calls.end() :]
    catching = _CATCHING_LIST.findall(behind)
    for callers, error, clause in catching:
        for caller in NAMES.findall(callers):
            yield f"{error} out of {callee} is caught in {caller} by {clause}"
    errors = {error for _, error, _ in catching}
    for callers, named_error in _LETTING.findall(behind):
        error = named_error or (errors.pop() if len(errors) == 1 else "")
        if error:
            yield from _passing_through(callers, error, callee)


def guarded(shape: SentenceShape) -> Iterator[str]:
    """Read "catches `E` around only `x`" as what the ``try`` holds."""
    for name, error, guarded in _GUARDED.findall(shape.text):
        yield f"the try of {name} that catches {error} holds only {guarded}"
