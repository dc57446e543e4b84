"""Conditions in English: one grammar by which they are written and by which they are read back.

The code of a condition stands between code marks as it stands in the source. Several conditions
that must hold are joined by "and"; several that must not hold, by "or" behind "unless", which says
the same of each: ``unless `a` or `b``` is not a and not b.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.path_conditions import Condition, ConditionKind, Path


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


# ``if`` and ``unless`` are written in groups, below; each other condition is a phrase of its own.
_PHRASES: Final = (
    _Phrase("for", "in the loop over `{0}` with `{1}`", "in the loop `for {1} in {0}`"),
    _Phrase("while", "while `{0}`", "while `{0}`"),
    _Phrase("except", "after catching `{0}`", "after catching `{0}`"),
    _Phrase("no_error", "if no `{0}` was caught before", "if no `{0}` occurs"),
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
_JOINTS: Final[dict[ConditionKind, str]] = {"if": " and ", "unless": " or "}
_INVERTED: Final[dict[ConditionKind, ConditionKind]] = {"if": "unless", "unless": "if"}
_CODE: Final = re.compile(r"`([^`]+)`")
_BARE_NAME: Final = re.compile(r"(?!True$|False$|None$)[^\W\d]\w*(?:\.\w+)*")
_VERDICTS: Final[dict[ConditionKind, str]] = {"if": " is truthy", "unless": " is falsy"}


def write_conditions(path: Path) -> str:
    """Write conditions as the end of a sentence, with a blank before them; empty for none."""
    phrases = list(_phrases(path, _IF))
    return f" {', '.join(phrases)}" if phrases else ""


def describe_conditions(path: Path) -> str:
    """Write conditions the way a colleague says them, as in ``when `a > 1`, unless `b()` ``.

    Of bare names it says how their tests come out, as in ``when `a` is truthy and `b` is falsy``.
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
    phrase_texts = split_outside_code(text.strip(), ", ") if text.strip() else []
    conditions: list[Condition] = []
    for phrase in phrase_texts:
        phrase_conditions = _read_phrase(phrase, opening)
        if phrase_conditions is None:
            return None
        conditions.extend(phrase_conditions)
    return tuple(conditions)


def inverted_paths(path: Path) -> Iterator[Path]:
    """Yield the path with one test turned into its opposite, the test nearest to the end first."""
    for place in reversed(range(len(path))):
        condition = path[place]
        if condition.kind in _INVERTED:
            inverted = replace(condition, kind=_INVERTED[condition.kind])
            yield (*path[:place], inverted, *path[place + 1 :])


def same_conditions(first: Path, second: Path, *, normalise: Callable[[str], str]) -> bool:
    """Tell whether two paths state the same conditions; the order of tests in a group is free."""
    return _signature(first, normalise) == _signature(second, normalise)


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
    tests: list[Condition] = []
    for condition in path:
        if condition.kind in {"if", "unless"}:
            tests.append(condition)
            continue
        yield from _test_phrases(tests, opening)
        tests = []
        phrase = next(phrase for phrase in _PHRASES if phrase.kind == condition.kind)
        yield phrase.write(condition, opening)
    yield from _test_phrases(tests, opening)


def _test_phrases(tests: Sequence[Condition], opening: str) -> Iterator[str]:
    verdicts = [_verdict(test) if opening == _WHEN else "" for test in tests]
    holding = [
        verdict or f"`{test.code}`"
        for test, verdict in zip(tests, verdicts, strict=True)
        if test.kind == "if" or verdict
    ]
    failing = [
        f"`{test.code}`"
        for test, verdict in zip(tests, verdicts, strict=True)
        if test.kind == "unless" and not verdict
    ]
    if holding:
        yield opening + " and ".join(holding)
    if failing:
        yield _UNLESS + " or ".join(failing)


def _verdict(test: Condition) -> str:
    """Say how the test of a bare name comes out, which is no clause by itself; else nothing."""
    if _BARE_NAME.fullmatch(test.code) is None:
        return ""
    return f"`{test.code}`{_VERDICTS[test.kind]}"


def _read_verdict(operand: str, opening: str) -> Condition | None:
    for kind, verdict in _VERDICTS.items():
        code = operand.removesuffix(verdict)
        if opening == _WHEN and code != operand and _CODE.fullmatch(code):
            return Condition(kind, code.strip("`"))
    return None


def _read_phrase(phrase: str, opening: str) -> list[Condition] | None:
    for kind_phrase in _PHRASES:
        condition = kind_phrase.read(phrase, opening)
        if condition is not None:
            return [condition]
    forms: dict[str, ConditionKind] = {opening: "if", _UNLESS: "unless"}
    for start, kind in forms.items():
        if phrase.startswith(start):
            operands = split_outside_code(phrase.removeprefix(start), _JOINTS[kind])
            tests = [
                Condition(kind, code[1])
                if (code := _CODE.fullmatch(operand))
                else _read_verdict(operand, opening)
                for operand in operands
            ]
            if None not in tests:
                return [test for test in tests if test is not None]
    return None


def _signature(path: Path, normalise: Callable[[str], str]) -> tuple[object, ...]:
    """Describe a path so that equal descriptions mean the same: tests as sets between steps."""
    steps: list[object] = []
    tests: set[tuple[str, str]] = set()
    for condition in path:
        code = normalise(condition.code)
        if condition.kind in {"if", "unless"}:
            tests.add((condition.kind, code))
            continue
        steps.append(frozenset(tests))
        tests = set()
        detail = "" if condition.kind == "loop_end" else normalise(condition.detail)
        steps.append((condition.kind, code, detail))
    steps.append(frozenset(tests))
    return tuple(steps)
