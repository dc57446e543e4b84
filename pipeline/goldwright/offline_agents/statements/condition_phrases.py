"""Conditions in English: one grammar by which they are written and by which they are read back.

The code of a condition stands between code marks as it stands in the source. Several conditions
that must hold are joined by "and"; several that must not hold, by "or" behind "unless", which says
the same of each: ``unless `a` or `b``` is not a and not b.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from goldwright.path_conditions import (
    Condition,
    ConditionKind,
    Path,
    denial_of,
    denied_by,
    is_endless_loop,
    is_one_test,
    with_sorted_operands,
    without_implied,
)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """How a condition of one kind is put; ``{0}`` is its code, ``{1}`` its detail.

    Attributes:
        kind: The kind.
        form: As a fact states it.
        described: As a colleague says it.
    """

    kind: ConditionKind
    form: str
    described: str

    def write(self, condition: Condition, opening: str) -> str:
        return self._form_behind(opening).format(condition.code, condition.detail)

    def read(self, phrase: str, opening: str) -> Condition | None:
        pattern = re.escape(self._form_behind(opening))
        pattern = pattern.replace(r"\{0\}", "(?P<code>[^`]+)")
        # A variable of a loop ends before the first "in".
        pattern = pattern.replace(r"\{1\}", "(?P<detail>[^`]+?)")
        match = re.fullmatch(pattern, phrase)
        if match is None:
            return None
        parts = match.groupdict()
        return Condition(self.kind, parts["code"], parts.get("detail") or "")

    def _form_behind(self, opening: str) -> str:
        return self.described if opening == _WHEN else self.form


# Several such conditions in a row are said at once: "if no `KeyError` or `OSError` occurs".
_NO_ERROR: Final = "if no "
_OCCURS: Final = " occurs"
# ``if`` and ``unless`` are written in groups, below; each other condition is a phrase of its own.
_PHRASES: Final = (
    _Phrase("for", "in the loop over `{0}` with `{1}`", "in the loop `for {1} in {0}`"),
    _Phrase("while", "while `{0}`", "in the loop `while {0}`"),
    _Phrase("except", "after catching `{0}`", "after catching `{0}`"),
    _Phrase("no_error", "if no `{0}` was caught before", f"{_NO_ERROR}`{{0}}`{_OCCURS}"),
    _Phrase("case", "if `{0}` matches `{1}`", "if `{0}` matches `{1}`"),
    _Phrase(
        "loop_end",
        "once the loop over `{0}` has ended without leaving",
        "once the loop over `{0}` has run out",
    ),
)
_IF: Final = "if "
_UNLESS: Final = "unless "
_WHEN: Final = "when "
# The openings of facts.
_OPENINGS: Final[dict[str, ConditionKind]] = {_IF: "if", _UNLESS: "unless"}
_NOT: Final = "not "
_TEST: Final = "test"
_JOINTS: Final[dict[ConditionKind, str]] = {"if": " and ", "unless": " or "}
_INVERTED: Final[dict[ConditionKind, ConditionKind]] = {"if": "unless", "unless": "if"}
_CODE: Final = re.compile(r"`([^`]+)`")
# A name, or a name that is given its value in the test.
_BARE_NAME: Final = re.compile(r"(?!True$|False$|None$)[^\W\d]\w*(?:(?:\.\w+)*| := .+)", re.DOTALL)
_VERDICTS: Final[dict[ConditionKind, str]] = {"if": " is truthy", "unless": " is falsy"}
_SHARED_VERDICTS: Final[dict[ConditionKind, str]] = {"if": " are truthy", "unless": " are falsy"}
# From so many on, a list has commas.
_MANY: Final = 3


def write_conditions(path: Path) -> str:
    """Write conditions as the end of a sentence, with a blank before them; empty for none."""
    phrases = list(_phrases(path, _IF))
    return f" {', '.join(phrases)}" if phrases else ""


def describe_conditions(path: Path) -> str:
    """Write conditions the way a colleague says them, as in ``when `a > 1`, unless `b()` ``.

    Of bare names alone it says how their tests come out, as in ``when `a` and `b` are truthy``; and
    where several tests must fail they are denied: ``when `a != 1`, not `b()` and not `c()` ``.
    The others stay in their order: a test behind a caught error is another one than before it.
    """
    return ", ".join(_phrases(path, _WHEN))


def read_conditions(text: str) -> Path | None:
    """Read back what ``write_conditions`` wrote, without lines; None for anything else.

    The ``detail`` of a ``loop_end`` is not written, and so is not read.
    """
    return _read(text, _IF)


def read_described_conditions(text: str) -> Path | None:
    """Read back what ``describe_conditions`` wrote, without lines; None for anything else."""
    return _read(text, _WHEN)


def _read(text: str, opening: str) -> Path | None:
    conditions: list[Condition] = []
    for phrase in _split_phrases(text.strip()):
        phrase_conditions = _read_phrase(phrase, opening)
        if phrase_conditions is None:
            return None
        conditions.extend(phrase_conditions)
    return tuple(conditions)


def _split_phrases(text: str) -> Iterator[str]:
    """Yield phrase by phrase, with the joint of its list in the place of each comma."""
    phrase = ""
    for part in split_outside_code(text, ", ") if text else ():
        if phrase and part.startswith(("`", f"{_NOT}`")):
            is_choice = phrase.startswith((_UNLESS, _NO_ERROR))
            joint = _JOINTS["unless" if is_choice else "if"]
            phrase = f"{phrase}{joint}{part}"
            continue
        if phrase:
            yield phrase
        phrase = part
    if phrase:
        yield phrase


def inverted_paths(path: Path) -> Iterator[Path]:
    """Yield the path with one test turned into its opposite, the test nearest to the end first."""
    for place in reversed(range(len(path))):
        condition = path[place]
        if condition.kind in _INVERTED:
            inverted = replace(condition, kind=_INVERTED[condition.kind])
            yield (*path[:place], inverted, *path[place + 1 :])


def same_conditions(first: Path, second: Path, *, normalise: Callable[[str], str]) -> bool:
    """Tell whether two paths state the same conditions; the order of tests in a group is free.

    What goes without saying beside the others may be said or not.
    """
    return _signature(first, normalise) == _signature(second, normalise) or _signature(
        _telling(first), normalise
    ) == _signature(_telling(second), normalise)


def _telling(path: Path) -> Path:
    # By tokens nobody sees that a name was given another value, so it does not count here.
    steps = [replace(step, is_past=False) for step in path if not is_endless_loop(step)]
    return without_implied(steps)


def split_outside_code(text: str, separator: str) -> list[str]:
    """Cut a text at a separator, where it stands outside code marks."""
    parts = [""]
    for number, piece in enumerate(text.split("`")):
        # Pieces at odd places stand between code marks.
        if number % 2:
            parts[-1] += f"`{piece}`"
            continue
        first, *later_parts = piece.split(separator)
        parts[-1] += first
        parts.extend(later_parts)
    return parts


def _phrases(path: Path, opening: str) -> Iterator[str]:
    is_described = opening == _WHEN
    for kind, group in groupby(path, key=_sort_of):
        conditions = list(group)
        if kind == _TEST:
            yield from _described_tests(conditions) if is_described else _test_phrases(conditions)
        elif kind == "no_error" and is_described:
            errors = [f"`{condition.code}`" for condition in conditions]
            yield f"{_NO_ERROR}{_list(errors, ' or ', has_commas=True)}{_OCCURS}"
        else:
            phrase = next(phrase for phrase in _PHRASES if phrase.kind == kind)
            yield from (phrase.write(condition, opening) for condition in conditions)


def _sort_of(condition: Condition) -> str:
    return _TEST if condition.kind in {"if", "unless"} else condition.kind


def _test_phrases(tests: Sequence[Condition]) -> Iterator[str]:
    for opening, kind in _OPENINGS.items():
        codes = [f"`{test.code}`" for test in tests if test.kind == kind]
        if codes:
            yield opening + _JOINTS[kind].join(codes)


def _described_tests(tests: Sequence[Condition]) -> Iterator[str]:
    exceptions = _exceptions(tests)
    # What brings it about comes before what was passed on the way.
    listed = sorted(
        (test for test in tests if test not in exceptions), key=lambda test: test.is_passed
    )
    holding = list(dict.fromkeys(filter(None, map(_holding, listed))))
    # "Not a and b" would be taken for neither of the two, so what fails comes last.
    denied = list(dict.fromkeys(test.code for test in listed if not _holding(test)))
    kinds = {test.kind for test in listed if _is_name(test)}
    if len(kinds) == 1 and all(map(_is_name, listed)):
        yield _WHEN + _verdict(holding or denied, *kinds)
    elif listed:
        denials = [_denied(code) for code in denied]
        # A name beside a verdict would be taken for a part of it.
        has_verdict = any(denial.endswith(_VERDICTS["unless"]) for denial in denials)
        operands = [
            _verdict([code], "if") if has_verdict and _BARE_NAME.fullmatch(code) else f"`{code}`"
            for code in holding
        ]
        operands.extend(denials)
        yield _WHEN + _list(operands, " and ", has_commas=True)
    codes = [f"`{code}`" for code in dict.fromkeys(map(_failing, exceptions))]
    if codes:
        yield _UNLESS + _list(codes, " or ", has_commas=True)


def _exceptions(tests: Sequence[Condition]) -> list[Condition]:
    """Choose the tests that stand behind "unless": what only must not have come before.

    What brings something about is said first, and read first. Behind "unless", what denies would be
    denied twice.
    """
    passed = [
        test
        for test in tests
        if test.is_passed and _failing(test) and not denied_by(_failing(test))
    ]
    # Tests that are joined cannot be turned round in words, so they are said as they stand.
    is_plain = all(is_one_test(test.code) for test in passed)
    if passed and len(passed) < len(tests):
        # In the last clause of several alternatives, it is none of them.
        is_none = all(_failing(test) == test.code for test in tests)
        return list(tests) if is_none else passed
    if passed and not is_plain:
        return passed
    failing = [test for test in tests if test.kind == "unless" and not _is_name(test)]
    # One alone reads best behind all that holds.
    return failing if len({test.code for test in failing}) == 1 else []


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
    return "" if _is_name(test) else denial_of(test.code)


def _denied(code: str) -> str:
    """Say that a test fails; what is joined or denied itself would be read in two ways."""
    return f"{_NOT}`{code}`" if is_one_test(code) else _verdict([code], "unless")


def _is_name(test: Condition) -> bool:
    """Find out whether a test is a bare name, which is no clause by itself."""
    return _BARE_NAME.fullmatch(test.code) is not None


def _verdict(names: Sequence[str], kind: ConditionKind) -> str:
    """Say how the tests of bare names come out."""
    marked = [f"`{name}`" for name in names]
    if len(marked) == 1:
        return f"{marked[0]}{_VERDICTS[kind]}"
    return f"{_list(marked, ' and ', has_commas=True)}{_SHARED_VERDICTS[kind]}"


def _list(operands: Sequence[str], joint: str, *, has_commas: bool) -> str:
    if not has_commas or len(operands) < _MANY:
        return joint.join(operands)
    return f"{', '.join(operands[:-1])}{joint}{operands[-1]}"


def _read_described(operands: Sequence[str]) -> Iterator[Condition | None]:
    """Read what is said of tests; a verdict on several names goes for all that stand before it."""
    names: list[str] = []
    for operand in operands:
        denied = _CODE.fullmatch(operand.removeprefix(_NOT)) if operand.startswith(_NOT) else None
        if denied is not None:
            yield from (Condition("if", name) for name in names)
            names = []
            yield Condition("unless", denied[1])
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


def _verdict_kind(operand: str, verdicts: Mapping[ConditionKind, str]) -> tuple[ConditionKind, str]:
    """Give the kind of test that a verdict on code comes to, and the code; empty for none."""
    for kind, verdict in verdicts.items():
        code = _CODE.fullmatch(operand.removesuffix(verdict))
        if code is not None and operand.endswith(verdict):
            return kind, code[1]
    return "if", ""


def _read_errors(phrase: str) -> list[Condition]:
    """Read which errors have not occurred; nothing where that is not what is said."""
    listed = phrase.removeprefix(_NO_ERROR).removesuffix(_OCCURS)
    errors = [_CODE.fullmatch(operand) for operand in split_outside_code(listed, " or ")]
    is_whole = phrase == f"{_NO_ERROR}{listed}{_OCCURS}" and None not in errors
    return [Condition("no_error", error[1]) for error in errors if error] if is_whole else []


def _read_phrase(phrase: str, opening: str) -> list[Condition] | None:
    is_described = opening == _WHEN
    errors = _read_errors(phrase) if is_described else []
    if errors:
        return errors
    for kind_phrase in _PHRASES:
        condition = kind_phrase.read(phrase, opening)
        if condition is not None:
            return [condition]
    kinds: dict[str, ConditionKind] = {opening: "if", _UNLESS: "unless"}
    for start, kind in kinds.items():
        if not phrase.startswith(start):
            continue
        operands = split_outside_code(phrase.removeprefix(start), _JOINTS[kind])
        tests = list(_read_described(operands) if start == _WHEN else _read_tests(operands, kind))
        if None not in tests:
            return [test for test in tests if test is not None]
    return None


def _read_tests(operands: Sequence[str], kind: ConditionKind) -> Iterator[Condition | None]:
    for operand in operands:
        code = _CODE.fullmatch(operand)
        yield None if code is None else Condition(kind, code[1])


def _plain_test(kind: ConditionKind, code: str) -> tuple[ConditionKind, str]:
    """Describe a test by what is compared, whether that is to hold or is denied."""
    plain = denied_by(code)
    return (_INVERTED[kind], plain) if plain else (kind, with_sorted_operands(code))


def _signature(path: Path, normalise: Callable[[str], str]) -> tuple[object, ...]:
    """Describe a path so that equal descriptions mean the same: tests as sets between steps."""
    steps: list[object] = []
    tests: set[tuple[str, str]] = set()
    for condition in path:
        code = normalise(condition.code)
        if condition.kind in {"if", "unless"}:
            tests.add(_plain_test(condition.kind, code))
            continue
        steps.append(frozenset(tests))
        tests = set()
        detail = "" if condition.kind == "loop_end" else normalise(condition.detail)
        steps.append((condition.kind, code, detail))
    steps.append(frozenset(tests))
    return tuple(steps)
