"""Conditions in words: one grammar by which facts are written and by which they are read back."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.offline_agents.behaviours import PathCondition

_ATOM: Final = r"[\w.]+(?:\[[^\[\]]*\]|\([^()]*\))?"
_PIECE: Final = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|\w+|[^\w\s]')
_NEGATIONS: Final = ((" is not ", " is "), (" not in ", " in "), (" != ", " == "))
_WORDED: Final[tuple[tuple[re.Pattern[str], str, str], ...]] = (
    (re.compile(rf"({_ATOM}) is None"), "`{0}` is `None`", "{0} is None"),
    (re.compile(rf"({_ATOM}) is not None"), "`{0}` is not `None`", "{0} is not None"),
    (
        re.compile(rf"isinstance\(({_ATOM}), ([^`]+)\)"),
        "`{0}` is an instance of `{1}`",
        "isinstance({0}, {1})",
    ),
    (
        re.compile(rf"not isinstance\(({_ATOM}), ([^`]+)\)"),
        "`{0}` is no instance of `{1}`",
        "not isinstance({0}, {1})",
    ),
    (
        re.compile(rf"({_ATOM}|'[^']*'|\"[^\"]*\") not in ({_ATOM})"),
        "`{0}` is not in `{1}`",
        "{0} not in {1}",
    ),
    (re.compile(rf"({_ATOM}|'[^']*'|\"[^\"]*\") in ({_ATOM})"), "`{0}` is in `{1}`", "{0} in {1}"),
    (re.compile(rf"not ({_ATOM})"), "`{0}` is falsy", "not {0}"),
    (re.compile(rf"(?!not )({_ATOM})"), "`{0}` is truthy", "{0}"),
    (re.compile(rf"({_ATOM}) == ([\w.]+|'[^']*'|\"[^\"]*\")"), "`{0}` equals `{1}`", "{0} == {1}"),
    (
        re.compile(rf"({_ATOM}) != ([\w.]+|'[^']*'|\"[^\"]*\")"),
        "`{0}` differs from `{1}`",
        "{0} != {1}",
    ),
    (re.compile(r"not \((.+)\)"), "`{0}` does not hold", "not ({0})"),
    (re.compile(r"(.+)"), "`{0}` holds", "{0}"),
)
_READ: Final = tuple(
    (re.compile(re.escape(words).replace(r"\{0\}", "([^`]+)").replace(r"\{1\}", "([^`]+)")), code)
    for _, words, code in _WORDED
)
_EACH: Final = re.compile(r"for each `([^`]+)` in `([^`]+)`")
_WHILE: Final = re.compile(r"as long as `([^`]+)` holds")
_HANDLING: Final = re.compile(r"after catching `([^`]+)`")
_CASE: Final = re.compile(r"when `([^`]+)` matches `([^`]+)`")
_SOME: Final = "on one of its paths"


def squash(code: str) -> str:
    """Write code with one blank between its tokens, so that layout makes no difference."""
    return (
        " ".join(_PIECE.findall(code))
        .replace(", )", " )")
        .replace(", ]", " ]")
        .replace(", }", " }")
    )


def negate(condition: str) -> str:
    """Write the opposite of a condition the way a person would."""
    text = condition.strip()
    if text.startswith("not ") and _is_atomic(text[4:]):
        return _unwrapped(text[4:])
    if _is_atomic(text):
        return f"not {text}"
    if _is_one_comparison(text):
        for with_not, without in _NEGATIONS:
            if with_not in text:
                return text.replace(with_not, without)
            if without in text:
                return text.replace(without, with_not)
    return f"not ({text})"


def worded(condition: str) -> str:
    """Say a condition in words, its operands as code."""
    for pattern, words, _ in _WORDED:
        if match := pattern.fullmatch(condition):
            return words.format(*match.groups())
    return f"`{condition}` holds"


def condition_of(words: str) -> str | None:
    """Read back what `worded` wrote; ``None`` when it is nothing of the kind."""
    for pattern, code in _READ:
        if match := pattern.fullmatch(words):
            return code.format(*match.groups())
    return None


def worded_guards(guards: Sequence[PathCondition]) -> str:
    """Say conditions in words, from the outside in; empty for none."""
    parts: list[str] = []
    for number, guard in enumerate(guards):
        follows = number > 0 and guard.kind == "when" == guards[number - 1].kind
        if follows:
            parts[-1] += f" and {worded(guard.text)}"
        else:
            parts.append(_worded_guard(guard))
    return ", ".join(parts)


def guards_of(words: str) -> tuple[PathCondition, ...] | None:
    """Read back what `worded_guards` wrote; ``None`` when it is nothing of the kind."""
    if not words:
        return ()
    found: list[PathCondition] = []
    for part in _split(words):
        guards = list(_guards_of_part(part))
        if not guards:
            return None
        found.extend(guards)
    return tuple(found)


def _worded_guard(guard: PathCondition) -> str:
    if guard.kind == "when":
        return f"when {worded(guard.text)}"
    if guard.kind == "each":
        return f"for each `{guard.detail}` in `{guard.text}`"
    if guard.kind == "while":
        return f"as long as `{guard.text}` holds"
    if guard.kind == "handling":
        return f"after catching `{guard.text}`"
    return _SOME if guard.kind == "some" else f"when `{guard.text}` matches `{guard.detail}`"


def _guards_of_part(part: str) -> Iterator[PathCondition]:
    if part == _SOME:
        yield PathCondition("some")
    elif match := _EACH.fullmatch(part):
        yield PathCondition("each", match[2], match[1])
    elif match := _WHILE.fullmatch(part):
        yield PathCondition("while", match[1])
    elif match := _HANDLING.fullmatch(part):
        yield PathCondition("handling", match[1])
    elif match := _CASE.fullmatch(part):
        yield PathCondition("case", match[1], match[2])
    elif part.startswith("when "):
        conditions = [condition_of(one) for one in _outside_code(part[5:], " and ")]
        yield from (
            (PathCondition("when", one) for one in conditions if one is not None)
            if None not in conditions
            else ()
        )


def _split(words: str) -> list[str]:
    return _outside_code(words, ", ")


def _outside_code(words: str, separator: str) -> list[str]:
    """Cut a text at a separator that stands outside code marks."""
    parts = [""]
    for number, piece in enumerate(words.split("`")):
        if number % 2:
            parts[-1] += f"`{piece}`"
            continue
        first, *others = piece.split(separator)
        parts[-1] += first
        parts.extend(others)
    return parts


def _is_atomic(text: str) -> bool:
    return re.fullmatch(_ATOM, text) is not None or (
        text.startswith("(") and text.endswith(")") and _closes_last(text)
    )


def _closes_last(text: str) -> bool:
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return place == len(text) - 1
    return False


def _unwrapped(text: str) -> str:
    return text[1:-1] if text.startswith("(") else text


def _is_one_comparison(text: str) -> bool:
    words = re.findall(r"\b(?:and|or|if|lambda|for)\b|[<>=!]=|[<>]|\bis\b|\bin\b", text)
    return (len(words) == 1 and not words[0].isalpha()) or (
        len(words) == 1 and words[0] in {"is", "in"}
    )
