"""Whether rows of tokens bear a statement out: one small rule for each kind."""

import ast
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.behaviour_text import GAP
from goldwright.offline_agents.behaviours import Behaviour, PathCondition
from goldwright.offline_agents.condition_wording import squash
from goldwright.offline_agents.token_lines import TokenLine, bare, caught_by, loop_parts, text_of

_UNCONDITIONAL: Final = frozenset(
    {"refers", "placed", "bound", "literal", "made", "entry", "listed"}
)
_WHOLE: Final = frozenset(
    {"raises", "returns", "stops", "yields", "sets", "asserts", "unlocked", "rebinds", "opens"}
)


@dataclass(frozen=True, slots=True)
class EvidenceContext:
    """The lines that bear a statement out, from the token that decides to the end of what must be
    read with it.
    """

    first: int
    last: int


def bearings(statement: Behaviour, rows: Sequence[TokenLine]) -> Iterator[EvidenceContext]:
    """Yield every place among the rows that makes a statement true, conditions included."""
    own = [row for row in rows if row.owner == statement.subject]
    if statement.kind == "order":
        yield from _order(statement, own)
    elif statement.kind == "never":
        yield from _never(statement, own)
    elif statement.kind in {"swallows", "reraises"}:
        yield from _handlers(statement, own)
    elif statement.kind in _ABOUT_MEMBERS:
        yield from _ABOUT_MEMBERS[statement.kind](statement, rows)
    else:
        for row in own:
            line = _RULES[statement.kind](statement, row)
            if line and (statement.kind in _UNCONDITIONAL or agree(statement.guards, row.guards)):
                yield EvidenceContext(line, row.last if statement.kind in _WHOLE else line)


def agree(said: Sequence[PathCondition], found: Sequence[PathCondition]) -> bool:
    """Tell whether the conditions of a statement are those a row stands under."""
    if [guard.kind for guard in said] == ["some"]:
        return bool(found)
    return len(said) == len(found) and all(
        _same_guard(one, other) for one, other in zip(said, found, strict=True)
    )


def _same_guard(one: PathCondition, other: PathCondition) -> bool:
    if one.kind != other.kind or _code(one.text) != _code(other.text):
        return False
    return one.kind not in {"each", "case"} or _code(one.detail) == _code(other.detail)


def _code(text: str) -> str:
    return squash(bare(text))


def _has(code: str, row: TokenLine) -> int:
    """The line on which a piece of code starts in a row; 0 when it does not stand there."""
    wanted = squash(code).split(" ")
    pieces = [
        (piece, token.start[0]) for token in row.tokens for piece in squash(token.string).split(" ")
    ]
    words = [piece for piece, _ in pieces]
    for place in range(len(words) - len(wanted) + 1):
        if words[place] == wanted[0] and words[place : place + len(wanted)] == wanted:
            if place and words[place - 1] in {".", "def", "class"} and wanted[0] != ".":
                continue
            return pieces[place][1]
    return 0


def _has_call(callee: str, row: TokenLine) -> int:
    return 0 if row.keyword in {"def", "class", "@"} else _has(f"{callee}(", row)


def _says(message: str, row: TokenLine) -> bool:
    text = " ".join("".join(_literal(token) for token in row.tokens).split())
    position = 0
    for piece in message.split(GAP):
        place = text.find(piece.strip(), position)
        if place < 0:
            return False
        position = place + len(piece.strip())
    return True


def _literal(token: tokenize.TokenInfo) -> str:
    if token.type != tokenize.STRING:
        return token.string if "STRING_MIDDLE" in tokenize.tok_name[token.type] else ""
    try:
        value = ast.literal_eval(token.string)
    except (ValueError, SyntaxError):
        body = re.sub(r"^[A-Za-z]*(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$", "", token.string)
        return (
            body.replace("\\n", "\n")
            .replace("\\'", "'")
            .replace('\\"', '"')
            .replace("{{", "{")
            .replace("}}", "}")
        )
    return value if isinstance(value, str) else ""


def _raises(said: Behaviour, row: TokenLine) -> int:
    if row.keyword != "raise":
        return 0
    rest, name = squash(row.rest), squash(said.text)
    named = rest == name or rest.startswith((f"{name} (", f"{name} from "))
    return row.first if named and (not said.detail or _says(said.detail, row)) else 0


def _returns(said: Behaviour, row: TokenLine) -> int:
    if row.keyword != "return":
        return 0
    return (
        row.first
        if _code(row.rest) == _code(said.text) or (not row.rest and said.text == "None")
        else 0
    )


def _stops(_: Behaviour, row: TokenLine) -> int:
    return row.first if row.keyword == "return" and not row.rest else 0


def _yields(said: Behaviour, row: TokenLine) -> int:
    return row.first if row.keyword == "yield" and _code(row.rest) == _code(said.text) else 0


def _calls(said: Behaviour, row: TokenLine) -> int:
    return _has_call(said.text, row)


def _passes(said: Behaviour, row: TokenLine) -> int:
    return _has_call(said.text, row) if _has(said.detail, row) else 0


def _sets(said: Behaviour, row: TokenLine) -> int:
    target, value = _assignment(row)
    return (
        row.first if _code(target) == _code(said.text) and _code(value) == _code(said.detail) else 0
    )


def _assignment(row: TokenLine) -> tuple[str, str]:
    """Split ``target = value`` and ``target: annotation = value``; two empty texts for anything
    else.
    """
    depth = 0
    target_end = None
    for place, token in enumerate(row.tokens):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if depth == 0 and token.string == ":" and target_end is None:
                target_end = place
            if depth == 0 and token.string == "=":
                return text_of(row.tokens[: target_end or place]), text_of(row.tokens[place + 1 :])
    return "", ""


def _loops(said: Behaviour, row: TokenLine) -> int:
    if row.keyword != "for":
        return 0
    variable, iterated = loop_parts(row)
    same = _code(iterated) == _code(said.text) and (
        not said.detail or _code(variable) == _code(said.detail)
    )
    return row.first if same else 0


def _enters(said: Behaviour, row: TokenLine) -> int:
    if row.keyword != "with":
        return 0
    items = [_code(re.sub(r"\s+as\s+[^,]+$", "", item)) for item in _split_top(row.rest)]
    return row.first if _code(said.text) in items else 0


def _holds(said: Behaviour, row: TokenLine) -> int:
    return _enters(said, row) if "lock" in said.text.lower() else 0


def _opens(said: Behaviour, row: TokenLine) -> int:
    return (
        _has(said.text, row)
        if row.keyword != "with" and not row.contexts and said.text.startswith("open(")
        else 0
    )


def _tells(said: Behaviour, row: TokenLine) -> int:
    return _has_call(said.text, row) if _says(said.detail, row) else 0


def _asserts(said: Behaviour, row: TokenLine) -> int:
    if row.keyword != "assert":
        return 0
    condition = _split_top(row.rest)
    return row.first if _code(condition[0] if condition else "") == _code(said.text) else 0


def _checks(said: Behaviour, row: TokenLine) -> int:
    return row.first if row.keyword in {"if", "elif"} and _code(row.rest) == _code(said.text) else 0


def _rebinds(said: Behaviour, row: TokenLine) -> int:
    return row.first if _code(_assignment(row)[0]) == _code(said.text) else 0


def _unlocked(said: Behaviour, row: TokenLine) -> int:
    is_locked = any("lock" in context.lower() for context in row.contexts)
    return row.first if not is_locked and _code(_assignment(row)[0]) == _code(said.text) else 0


def _default(said: Behaviour, row: TokenLine) -> int:
    for name, value, line in _parameters(row):
        if name == said.text and value is not None and _code(value) == _code(said.detail):
            return line
    return 0


def _mutable_default(said: Behaviour, row: TokenLine) -> int:
    return _default(said, row) if re.match(r"[\[{]|set\(|list\(|dict\(", said.detail) else 0


def _requires(said: Behaviour, row: TokenLine) -> int:
    return next(
        (line for name, value, line in _parameters(row) if name == said.text and value is None), 0
    )


def _parameters(row: TokenLine) -> Iterator[tuple[str, str | None, int]]:
    if row.keyword != "def":
        return
    depth = 0
    start = 0
    for place, token in enumerate(row.tokens):
        opening, closing = token.string in {"(", "[", "{"}, token.string in {")", "]", "}"}
        depth += opening - closing
        if (
            (opening and depth == 1)
            or (depth == 1 and token.string == ",")
            or (closing and depth == 0)
        ):
            piece = row.tokens[start:place]
            if piece and start and piece[0].type == tokenize.NAME:
                yield _parameter(piece)
            start = place + 1
        if closing and depth == 0:
            return


def _parameter(piece: Sequence[tokenize.TokenInfo]) -> tuple[str, str | None, int]:
    depth = 0
    for place, token in enumerate(piece):
        depth += (token.string in {"(", "[", "{"}) - (token.string in {")", "]", "}"})
        if token.string == "=" and depth == 0:
            return piece[0].string, text_of(piece[place + 1 :]), piece[0].start[0]
    return piece[0].string, None, piece[0].start[0]


def _decorated(said: Behaviour, row: TokenLine) -> int:
    return (
        row.first
        if row.keyword == "@" and _code(text_of(row.tokens[1:])) == _code(said.text)
        else 0
    )


def _inherits(said: Behaviour, row: TokenLine) -> int:
    if row.keyword != "class" or row.tokens[-1].string != ")":
        return 0
    inside = text_of(row.tokens[3:-1])
    return _has(said.text, row) if _code(said.text) in map(_code, _split_top(inside)) else 0


def _field(said: Behaviour, row: TokenLine) -> int:
    return row.first if squash(f"{said.text}: {said.detail}") == row.code else 0


def _bound(said: Behaviour, row: TokenLine) -> int:
    value = _assignment(row)[1]
    return row.first if value and _code(value) == _code(said.text) else 0


def _entry(said: Behaviour, row: TokenLine) -> int:
    return _has(f"{said.text}: {said.detail}", row)


def _listed(said: Behaviour, row: TokenLine) -> int:
    value = bare(_assignment(row)[1])
    inside = value[1:-1] if value[:1] in {"[", "{", "("} else value
    return _has(said.text, row) if _code(said.text) in map(_code, _split_top(inside)) else 0


def _order(said: Behaviour, own: Sequence[TokenLine]) -> Iterator[EvidenceContext]:
    before = [line for row in own if not row.guards and (line := _has_call(said.text, row))]
    after = [line for row in own if not row.guards and (line := _has_call(said.detail, row))]
    if before and after and max(before) < min(after):
        yield EvidenceContext(max(before), min(after))


def _never(said: Behaviour, own: Sequence[TokenLine]) -> Iterator[EvidenceContext]:
    words = {
        "for": {"for", "while"},
        "try": {"try"},
        "if": {"if"},
        "raise": {"raise"},
        "return": {"return"},
    }.get(said.text)
    if own and words and not any(row.keyword in words for row in own):
        yield EvidenceContext(
            next((row.first for row in own if row.keyword != "@"), own[0].first), own[-1].last
        )


def _handlers(said: Behaviour, own: Sequence[TokenLine]) -> Iterator[EvidenceContext]:
    for place, row in enumerate(own):
        if (
            row.keyword != "except"
            or _code(caught_by(row)) != _code(said.text)
            or not agree(said.guards, row.guards)
        ):
            continue
        body = list(_body(own[place + 1 :], row))
        is_silent = all(
            len(one.tokens) == 1 and one.keyword in {"pass", "continue", "break"} for one in body
        )
        raises_again = any(len(one.tokens) == 1 and one.keyword == "raise" for one in body)
        if body and (is_silent if said.kind == "swallows" else raises_again):
            yield EvidenceContext(row.first, body[-1].last)


def _body(following: Sequence[TokenLine], row: TokenLine) -> Iterator[TokenLine]:
    depth = len(row.guards)
    for one in following:
        if len(one.guards) <= depth or one.guards[depth] != PathCondition(
            "handling", caught_by(row)
        ):
            return
        yield one


def _defines(said: Behaviour, rows: Sequence[TokenLine]) -> Iterator[EvidenceContext]:
    name = f"{said.subject}.{said.text}"
    yield from (
        EvidenceContext(row.first, row.first)
        for row in rows
        if row.owner == name and row.keyword == "def"
    )


def _abstract(said: Behaviour, rows: Sequence[TokenLine]) -> Iterator[EvidenceContext]:
    own = [row for row in rows if row.owner == f"{said.subject}.{said.text}"]
    is_left = any(
        (row.keyword == "@" and row.code.endswith("abstractmethod"))
        or (
            row.keyword == "raise" and not row.guards and row.rest.startswith("NotImplementedError")
        )
        for row in own
    )
    if is_left:
        yield from (EvidenceContext(row.first, row.first) for row in own if row.keyword == "def")


def _split_top(text: str) -> list[str]:
    """Split at the commas outside brackets and quotes."""
    parts = [""]
    depth = 0
    quote = ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        else:
            depth += (character in "([{") - (character in ")]}")
            if character == "," and depth == 0:
                parts.append("")
                continue
        parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _result(said: Behaviour, row: TokenLine) -> int:
    return (
        row.first
        if row.keyword == "return" and squash(row.rest).startswith(squash(f"{said.text}("))
        else 0
    )


def _changes(said: Behaviour, row: TokenLine) -> int:
    return row.first if _code(_assignment(row)[0]) == _code(said.text) else 0


def _refers(said: Behaviour, row: TokenLine) -> int:
    return 0 if row.keyword in {"def", "class", "@"} else _has(said.text, row)


def _literal_of(said: Behaviour, row: TokenLine) -> int:
    try:
        value = ast.literal_eval(_assignment(row)[1] or "?")
    except (ValueError, SyntaxError):
        return 0
    return row.first if type(value).__name__ == said.text else 0


def _made(said: Behaviour, row: TokenLine) -> int:
    return row.first if squash(bare(_assignment(row)[1])).startswith(squash(f"{said.text}(")) else 0


def _placed(said: Behaviour, row: TokenLine) -> int:
    return (
        row.first if (said.text == "class") == ("." in said.subject) and _assignment(row)[0] else 0
    )


_RULES: Final[dict[str, Callable[[Behaviour, TokenLine], int]]] = {
    "raises": _raises, "returns": _returns, "stops": _stops, "yields": _yields,
    "calls": _calls, "passes": _passes, "sets": _sets, "loops": _loops, "holds": _holds, "enters": _enters, "opens": _opens,
    "warns": _tells, "logs": _tells, "asserts": _asserts, "checks": _checks, "rebinds": _rebinds, "unlocked": _unlocked,
    "default": _default, "mutable_default": _mutable_default, "requires": _requires, "decorated": _decorated,
    "inherits": _inherits, "attribute": _sets, "field": _field, "bound": _bound, "entry": _entry, "listed": _listed,
    "result": _result, "changes": _changes, "refers": _refers, "literal": _literal_of, "made": _made, "placed": _placed,
}  # fmt: skip
_ABOUT_MEMBERS: Final[
    dict[str, Callable[[Behaviour, Sequence[TokenLine]], Iterable[EvidenceContext]]]
] = {
    "defines": _defines,
    "abstract": _abstract,
}
