"""Conditions in English: one grammar by which they are written and by which they are read back.

The code of a condition stands between code marks as it stands in the source. Several conditions
that must hold are joined by "and"; several that must not hold, by "or" behind "unless", which says
the same of each: ``unless `a` or `b``` is not a and not b.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from goldwright.equivalent_tests import denied_by, with_sorted_operands
from goldwright.offline_agents.statements.described_tests import (
    NOT,
    UNLESS,
    WHEN,
    describe_tests,
    list_operands,
    read_described_tests,
    read_truth,
)
from goldwright.path_conditions import (
    Condition,
    ConditionKind,
    Path,
    is_endless_loop,
    without_implied,
)
from goldwright.spoken_tests import read_test


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
        detail = parts.get("detail") or ""
        return Condition(self.kind, parts["code"], detail)

    def _form_behind(self, opening: str) -> str:
        return self.described if opening == WHEN else self.form


# Several such conditions in a row are said at once: "if no `KeyError` or `OSError` occurs".
_NO_ERROR: Final = "if no "
_OCCURS: Final = " occurs"
# ``if`` and ``unless`` are written in groups, below; each other condition is a phrase of its own.
_PHRASES: Final = (
    _Phrase("for", "in the loop over `{0}` with `{1}`", "for each `{1}` in `{0}`"),
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
# Of a loop that may be left early nobody should think that it goes through all items.
_LEFT_EARLY: Final = replace(_PHRASES[0], described="in the loop `for {1} in {0}`")
_IF: Final = "if "
# The openings of facts.
_OPENINGS: Final[dict[str, ConditionKind]] = {_IF: "if", UNLESS: "unless"}
_TEST: Final = "test"
_JOINTS: Final[dict[ConditionKind, str]] = {"if": " and ", "unless": " or "}
_INVERTED: Final[dict[ConditionKind, ConditionKind]] = {"if": "unless", "unless": "if"}
_CODE: Final = re.compile(r"`([^`]+)`")


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
    return ", ".join(_phrases(path, WHEN))


def read_conditions(text: str) -> Path | None:
    """Read back what ``write_conditions`` wrote, without lines; None for anything else.

    The ``detail`` of a ``loop_end`` is not written, and so is not read.
    """
    return _read(text, _IF)


def read_described_conditions(text: str) -> Path | None:
    """Read back what ``describe_conditions`` wrote, without lines; None for anything else."""
    return _read(text, WHEN)


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
        if phrase and part.startswith(("`", f"{NOT}`")):
            is_choice = phrase.startswith((UNLESS, _NO_ERROR))
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
            behind = path[place + 1 :]
            yield (*path[:place], inverted, *behind)


def same_conditions(first: Path, second: Path, *, normalise: Callable[[str], str]) -> bool:
    """Tell whether two paths state the same conditions; the order of tests in a group is free.

    What goes without saying beside the others may be said or not.
    """
    if _signature(first, normalise) == _signature(second, normalise):
        return True
    first_telling = _signature(_telling(first), normalise)
    second_telling = _signature(_telling(second), normalise)
    return first_telling == second_telling


def _telling(path: Path) -> Path:
    steps = [step for step in path if not is_endless_loop(step)]
    # By tokens nobody sees that a name was given another value, so it does not count here.
    return without_implied([replace(step, is_past=False) for step in steps])


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
    is_described = opening == WHEN
    for kind, group in groupby(path, key=_sort_of):
        conditions = list(group)
        if kind == _TEST:
            yield from describe_tests(conditions) if is_described else _test_phrases(conditions)
        elif kind == "no_error" and is_described:
            errors = [f"`{condition.code}`" for condition in conditions]
            listed_errors = list_operands(errors, " or ")
            yield f"{_NO_ERROR}{listed_errors}{_OCCURS}"
        else:
            yield from (_phrase_of(condition).write(condition, opening) for condition in conditions)


def _phrase_of(condition: Condition) -> _Phrase:
    if condition.is_left:
        return _LEFT_EARLY
    return next(phrase for phrase in _PHRASES if phrase.kind == condition.kind)


def _sort_of(condition: Condition) -> str:
    return _TEST if condition.kind in {"if", "unless"} else condition.kind


def _test_phrases(tests: Sequence[Condition]) -> Iterator[str]:
    for opening, kind in _OPENINGS.items():
        of_kind = [test for test in tests if test.kind == kind]
        codes = [f"`{test.code}`" for test in of_kind]
        if codes:
            yield opening + _JOINTS[kind].join(codes)


def _read_errors(phrase: str) -> list[Condition]:
    """Read which errors have not occurred; nothing where that is not what is said."""
    listed = phrase.removeprefix(_NO_ERROR).removesuffix(_OCCURS)
    operands = split_outside_code(listed, " or ")
    errors = [_CODE.fullmatch(operand) for operand in operands]
    if None in errors or phrase != f"{_NO_ERROR}{listed}{_OCCURS}":
        return []
    return [Condition("no_error", error[1]) for error in errors if error]


def _read_phrase(phrase: str, opening: str) -> list[Condition] | None:
    is_described = opening == WHEN
    errors = _read_errors(phrase) if is_described else []
    if errors:
        return errors
    for kind_phrase in (*_PHRASES, _LEFT_EARLY):
        condition = kind_phrase.read(phrase, opening)
        if condition is not None:
            return [condition]
    kinds: dict[str, ConditionKind] = {opening: "if", UNLESS: "unless"}
    for start, kind in kinds.items():
        if not phrase.startswith(start):
            continue
        operands = split_outside_code(phrase.removeprefix(start), _JOINTS[kind])
        if start == WHEN:
            tests = list(read_described_tests(operands))
        else:
            tests = list(_read_tests(operands, kind, is_described=is_described))
        if None not in tests:
            return [test for test in tests if test is not None]
    return None


def _read_tests(
    operands: Sequence[str], kind: ConditionKind, *, is_described: bool
) -> Iterator[Condition | None]:
    for operand in operands:
        code = _CODE.fullmatch(operand)
        spoken = None
        if is_described:
            spoken = read_test(operand) or read_truth(operand)
        if code is not None:
            yield Condition(kind, code[1])
        elif spoken is not None and spoken[1]:
            yield Condition(kind, spoken[0])
        else:
            yield None


def _plain_test(kind: ConditionKind, code: str) -> tuple[ConditionKind, str]:
    """Describe a test by what is compared, whether that is to hold or is denied."""
    plain = denied_by(code)
    if plain:
        return _INVERTED[kind], plain
    return kind, with_sorted_operands(code)


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
