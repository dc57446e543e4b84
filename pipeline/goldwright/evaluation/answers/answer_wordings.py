"""Whole phrases of an answer that the matcher reads as others: around code, in one text.

What is failing, made, logged or told in brackets is said in many ways; these are put into the words
that facts use before a text is taken apart. Code in backticks stays as it stands.
"""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.bracketed_files import told_files, without_files

_STEPS: Final = r"`[^`]+`(?:(?:, | or |, or )`[^`]+`)*"
_FAILS: Final = r"(?:fails?|failed) with (?:an? )?(`[^`]+`)"
_FUNCTIONS: Final = r"`[\w.]+`(?:(?:, | and |, and )`[\w.]+`)*"
_LEVELS: Final = "debug|info|warning|warn|error|critical"
# A default, with its parameter; and what is done about one that is not given.
_DEFAULT: Final = r"(`(\w+)` defaults to `[^`]+`)"
_GIVES: Final = r"(`[^`]+`(?: in `[^`]+`)? (?:sets|gets) `[^`]+` (?:to|from) `[^`]+`)"

# In this order: a failure behind another test is no test by itself.
_PHRASES: Final = (
    (rf"\b(?:when|if) {_STEPS} {_FAILS}, ?and (?=`)", r"after catching \1, when "),
    (rf"\b(?:when|if) {_STEPS} {_FAILS} and (?=`)", r"after catching \1, when "),
    (rf"\b(?:when|if) {_STEPS} {_FAILS}", r"after catching \1"),
    (rf",? and {_STEPS} {_FAILS}", r", after catching \1"),
    (rf"\bfor which {_STEPS} {_FAILS}", r", after catching \1"),
    (r"\b(?:if|as) `[^`]+` does not fail with (`[^`]+`)", r"if no \1 occurs"),
    (r"\bif neither `[^`]+` nor `[^`]+` fails with (`[^`]+`)", r"if no \1 occurs"),
    (r"\bfor (?:the first|an?y?|some) (`[^`]+` in `[^`]+`) for which ", r"for each \1, when "),
    (r"\bfor the first (`[^`]+` in `[^`]+`)", r"for each \1"),
    (rf"(“[^”]*”) at (?:level )?`?({_LEVELS})`?(?: level)?(?=[ .,;])", r"\1 as `\2`"),
    (r"(“[^”]*”) with (?:the|a|its) traceback", r"\1 as `exception`"),
    (r"\binstantiate(s?) `([\w.]+)`", r"call\1 `\2.__init__`"),
    (rf"{_DEFAULT}, and then {_GIVES}", r"\1, and \3 if `\2 is None`"),
    (rf"{_DEFAULT}, and where it is falsy, {_GIVES}", r"\1, and \3 if `not \2`"),
)
_READINGS: Final = tuple((re.compile(pattern), plain) for pattern, plain in _PHRASES)
_ONLY_CALLS: Final = re.compile(
    rf"\b([Oo]nly {_FUNCTIONS} calls?) (?P<callees>`[\w.]+`(?:, `[\w.]+`)* and `[\w.]+`)"
)
_ATTEMPT: Final = re.compile(
    r"(?:if|when|and|which|neither) (?P<steps>`[^`]+`(?:(?:, | n?or )`[^`]+`)*) "
    r"(?:fails?|failed|does not fail) with (?:an? )?(?P<error>`[^`]+`)"
)
_FUNCTION: Final = re.compile(
    r"(`[\w.]+`)(?: in `[^`]+`)?(?:, which)? "
    r"(?:raises|returns|logs|sets|gets|puts|calls|runs|passes)\b"
)
_CALLS_ALIKE: Final = re.compile(
    rf"(?P<callers>{_FUNCTIONS}) call (?P<callee>`[\w.]+`)"
    r"|(?P<each>(?:Both(?: of them)? call|All of them call|Each(?: of them)? calls) it) as (?=`)"
)


def in_words_of_facts(text: str) -> str:
    """Put what an answer says in whole phrases into those of facts."""
    plain = without_files(text)
    for pattern, words in _READINGS:
        plain = pattern.sub(words, plain)
    plain = _ONLY_CALLS.sub(_each_callee, plain)
    places = [f"`{name}` is in `{path}`." for name, path in told_files(text)]
    attempts = _attempts(without_files(text))
    with_callers = _with_callers(plain)
    return " ".join((with_callers, *places, *attempts))


def _attempts(text: str) -> Iterator[str]:
    """Say of each failure what stands in the ``try``, where the function was named before."""
    for match in _ATTEMPT.finditer(text):
        functions = _FUNCTION.findall(text, 0, match.start())
        steps = re.findall(r"`[^`]+`", match["steps"])
        if functions:
            *first_steps, last_step = steps
            listed = last_step
            if first_steps:
                listed = ", ".join(first_steps) + f" and {last_step}"
            function = functions[-1]
            error = match["error"]
            yield f"The `try` of {function} that catches {error} holds only {listed}."


def _each_callee(match: re.Match[str]) -> str:
    """Say of each of several functions that nobody else calls it."""
    opening = match[1]
    callees = re.findall(r"`[^`]+`", match["callees"])
    calls = (f"{opening} {callee}" for callee in callees)
    return " and ".join(calls)


def _with_callers(text: str) -> str:
    """Name the callers again where "each of them" stands for those that were named last."""
    callers = callee = ""

    def name(match: re.Match[str]) -> str:
        nonlocal callers, callee
        if not match["each"]:
            callers, callee = match["callers"], match["callee"]
            return match[0]
        if not callers:
            return match[0]
        return f"{callers} call {callee} as "

    return _CALLS_ALIKE.sub(name, text)
