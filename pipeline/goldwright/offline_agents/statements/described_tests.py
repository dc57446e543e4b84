"""Tests as a colleague says them, "when `a` is `None`, unless `b` equals `1`"; and read back."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from goldwright.equivalent_tests import denial_of, denied_by, is_one_test
from goldwright.path_conditions import Condition, ConditionKind
from goldwright.spoken_tests import read_test, say_test

WHEN: Final = "when "
UNLESS: Final = "unless "
NOT: Final = "not "
_CODE: Final = re.compile(r"`([^`]+)`")
# A name or an item, or a name that is given its value in the test.
_BARE_NAME: Final = re.compile(
    r"(?!True$|False$|None$)[^\W\d]\w*(?:(?:\.\w+|\[[^\[\]]+\])*| := .+)", re.DOTALL
)
# A plain call, and names of functions that ask something.
_CALL: Final = re.compile(r"(?:[\w.]+\.)?(?P<name>\w+)\([^()]*\)")
_QUESTION: Final = re.compile(
    r"_*(?:is|has|are|can|may|must|should|needs?|any|all|exists?|match|fullmatch|search|supports?|"
    r"contains|equals?|lacks?|allows?|accepts?|wants|issubclass)(?:_|$|[A-Z])|_*is[a-z]+$|"
    r"\w+able$|\w+ed$"
)
_VERDICTS: Final[dict[ConditionKind, str]] = {"if": " is truthy", "unless": " is falsy"}
_SHARED_VERDICTS: Final[dict[ConditionKind, str]] = {"if": " are truthy", "unless": " are falsy"}
_ORDER: Final = re.compile(r" [<>]=? ")
# From so many on, a list has commas.
_MANY: Final = 3


def describe_tests(tests: Sequence[Condition]) -> Iterator[str]:
    """Yield what is said of tests in a row: what has to hold, and what must not come before."""
    exceptions = _exceptions(tests)
    # What brings it about comes before what was passed on the way.
    remaining_tests = [test for test in tests if test not in exceptions]
    listed = sorted(remaining_tests, key=lambda test: test.is_passed)
    holding_codes = filter(None, map(_holding, listed))
    holding = list(dict.fromkeys(holding_codes))
    # "Not a and b" would be taken for neither of the two, so what fails comes last.
    denied_codes = (test.code for test in listed if not _holding(test))
    denied = list(dict.fromkeys(denied_codes))
    kinds = {test.kind for test in listed if _is_name(test)}
    if len(kinds) == 1 and all(map(_is_name, listed)):
        yield WHEN + _verdict(holding or denied, *kinds)
    elif listed:
        denials = [_denied(code) for code in denied]
        held = [_said(code) for code in holding]
        # A name beside what is said in words would be taken for a part of it.
        if any(map(_is_worded, (*held, *denials))):
            held = _with_verdicts(holding, held, "if")
            denials = _with_verdicts(denied, denials, "unless")
        all_said = [*_code_first(held), *_code_first(denials)]
        yield WHEN + list_operands(all_said, " and ")
    passed = dict.fromkeys(map(_failing, exceptions))
    operands = [_said(code) for code in passed]
    if operands:
        yield UNLESS + list_operands(_code_first(operands), " or ")


def _with_verdicts(codes: Sequence[str], said: Sequence[str], kind: ConditionKind) -> list[str]:
    """Say of bare names how their tests come out."""
    pairs = zip(codes, said, strict=True)
    return [
        _verdict([code], kind) if _BARE_NAME.fullmatch(code) else words for code, words in pairs
    ]


def _is_worded(operand: str) -> bool:
    """Find out whether words follow the code of an operand."""
    return not operand.endswith("`") or read_test(operand) is not None


def _code_first(operands: Iterable[str]) -> list[str]:
    """Put bare code first: behind words, it would be taken for what they compare with."""
    return sorted(operands, key=_is_worded)


def _exceptions(tests: Sequence[Condition]) -> list[Condition]:
    """Choose the tests that stand behind "unless": what only must not have come before.

    What brings something about is said first, and read first. Behind "unless", what denies would be
    denied twice.
    """
    passed = [test for test in tests if _is_passed_in_words(test)]
    # Tests that are joined cannot be turned round in words, so they are said as they stand.
    is_plain = all(is_one_test(test.code) for test in passed)
    if passed and len(passed) < len(tests):
        # In the last clause of several alternatives, it is none of them.
        is_none = all(_failing(test) == test.code for test in tests)
        return list(tests) if is_none else passed
    if passed and not is_plain:
        return passed
    failed_tests = [test for test in tests if test.kind == "unless"]
    denials = [test for test in failed_tests if not _is_name(test)]
    failing = [test for test in denials if not _is_denied_in_words(test.code)]
    codes = {test.code for test in failing}
    # One alone reads best behind all that holds, and "is not at most" is no English.
    is_alone = len(codes) == 1
    is_said_behind = is_alone or any(map(_ORDER.search, codes))
    return failing if is_said_behind else []


def _is_passed_in_words(test: Condition) -> bool:
    """Find out whether a test only must not have come before, and is not best said to fail."""
    failing = _failing(test) if test.is_passed else ""
    return failing != "" and not _is_denied_in_words(failing)


def _is_denied_in_words(code: str) -> bool:
    """Find out whether it is said best that a test fails, and not that something is unless it."""
    if denied_by(code):
        return True
    return " is neither " in say_test(code, holds=False)


def _failing(test: Condition) -> str:
    """Give the code that must not hold; empty where that would have to be a bare name, or denied.

    A name is no clause by itself, and "unless not" is one too many.
    """
    if _is_name(test):
        return ""
    if test.kind == "unless":
        return test.code
    return denied_by(test.code) or denial_of(test.code)


def _holding(test: Condition) -> str:
    """Give the code that has to hold; empty where a test can only be denied."""
    if test.kind == "if":
        return test.code
    if _is_name(test):
        return ""
    return denied_by(test.code) or denial_of(test.code)


def _denied(code: str) -> str:
    """Say that a test fails; what is joined or denied itself would be read in two ways."""
    if not is_one_test(code):
        return _verdict([code], "unless")
    spoken = say_test(code, holds=False)
    return spoken or f"{NOT}`{code}`"


def _said(code: str) -> str:
    """Say that a test holds; a call that is no question by its name is told to give something."""
    spoken = say_test(code)
    if spoken:
        return spoken
    called = _CALL.fullmatch(code)
    if called is None or _QUESTION.match(called["name"]) is not None:
        return f"`{code}`"
    return _verdict([code], "if")


def _is_name(test: Condition) -> bool:
    """Find out whether a test is a bare name, which is no clause by itself."""
    return _BARE_NAME.fullmatch(test.code) is not None


def _verdict(names: Sequence[str], kind: ConditionKind) -> str:
    """Say how the tests of bare names come out."""
    marked = [f"`{name}`" for name in names]
    if len(marked) == 1:
        return f"{marked[0]}{_VERDICTS[kind]}"
    return f"{list_operands(marked, ' and ')}{_SHARED_VERDICTS[kind]}"


def list_operands(operands: Sequence[str], joint: str) -> str:
    """Put operands one behind the other, the last one behind a joint."""
    if len(operands) < _MANY:
        return joint.join(operands)
    *earlier, last = operands
    listed = ", ".join(earlier)
    return f"{listed}{joint}{last}"


def read_described_tests(operands: Sequence[str]) -> Iterator[Condition | None]:
    """Read what is said of tests behind "when".

    A verdict on several names goes for all that stand before it.
    """
    names: list[str] = []
    for operand in operands:
        test = _read_test(operand)
        if test is not None:
            yield from (Condition("if", name) for name in names)
            names = []
            yield test
            continue
        code = _CODE.fullmatch(operand)
        if code is not None and _BARE_NAME.fullmatch(code[1]):
            names.append(code[1])
            continue
        kind, shared = _verdict_kind(operand, _SHARED_VERDICTS)
        if shared:
            yield from (Condition(kind, name) for name in (*names, shared))
        else:
            # Of a name with no verdict, nothing is said but that it holds.
            yield from (Condition("if", name) for name in names)
            kind, code_text = _verdict_kind(operand, _VERDICTS)
            if code is not None:
                code_text = code[1]
            yield Condition(kind, code_text) if code_text else None
        names = []
    yield from (Condition("if", name) for name in names)


def _read_test(operand: str) -> Condition | None:
    """Read a test that is said in words, or that does not hold."""
    if operand.startswith(NOT):
        denied = _CODE.fullmatch(operand.removeprefix(NOT))
        if denied is not None:
            return Condition("unless", denied[1])
    code, holds = read_test(operand) or ("", True)
    return Condition("if" if holds else "unless", code) if code else None


def read_truth(operand: str) -> tuple[str, bool] | None:
    """Read that something is truthy; None for other words."""
    kind, code = _verdict_kind(operand, _VERDICTS)
    if not code or kind != "if":
        return None
    return (code, True) if operand.endswith(_VERDICTS["if"]) else None


def _verdict_kind(operand: str, verdicts: Mapping[ConditionKind, str]) -> tuple[ConditionKind, str]:
    """Give the kind of test that a verdict on code comes to, and the code; empty for none."""
    for kind, verdict in verdicts.items():
        code = _CODE.fullmatch(operand.removesuffix(verdict))
        if code is not None and operand.endswith(verdict):
            return kind, code[1]
    return "if", ""
