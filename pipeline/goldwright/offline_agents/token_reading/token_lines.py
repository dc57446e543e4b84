"""Lines of tokens with the whole condition under which each is reached.

A condition around a line is half of it: what stands above may leave the block, and then its
negation is on the way too. Blocks are told by indentation alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.offline_agents.token_reading.code_text import bare, plain_code, text_of
from goldwright.offline_agents.token_reading.line_blocks import (
    Block,
    Clause,
    CodeLine,
    Compound,
    Tokens,
    read_blocks,
)
from goldwright.path_conditions import (
    LONGEST_CONDITION,
    MOST_CONDITIONS,
    Condition,
    ConditionKind,
    Path,
)

# Ways out of a block: a path each, relative to its beginning; None for one that cannot be said.
_Ways = tuple[Path | None, ...]
_ALWAYS: Final[_Ways] = ((),)
_LEAVING: Final = frozenset({"return", "raise", "continue", "break"})
_OPPOSITES: Final[dict[ConditionKind, ConditionKind]] = {
    "if": "unless",
    "unless": "if",
    "except": "no_error",
    "no_error": "except",
}
_COMPOUND_WORDS: Final = frozenset({"or", "and", "if", "lambda"})


@dataclass(frozen=True, slots=True)
class TokenLine:
    """One line of code, or the header of a clause.

    Attributes:
        line: Its tokens.
        owner: The qualified name of the definition around it; a ``def`` or ``class`` line and its
            decorators belong to what they define.
        path: All the conditions under which it is reached inside its owner; None where they
            cannot be said.
        contexts: The ``with`` items around it, as written.
        handlers: The ``except`` headers of the ``try`` blocks whose bodies it stands in, the
            innermost first.
    """

    line: CodeLine
    owner: str
    path: Path | None
    contexts: tuple[str, ...] = ()
    handlers: tuple[str, ...] = ()

    @property
    def first(self) -> int:
        """Its first line, from 1."""
        return self.line.first

    @property
    def last(self) -> int:
        """Its last line."""
        return self.line.last

    @property
    def keyword(self) -> str:
        """Its first word; ``async`` does not count."""
        return self.line.keyword

    @property
    def operand(self) -> str:
        """What follows the keyword."""
        return self.line.operand


@dataclass(frozen=True, slots=True)
class _Place:
    owner: str
    path: Path | None
    contexts: tuple[str, ...] = ()
    handlers: tuple[str, ...] = ()

    def under(self, *conditions: Condition | None) -> "_Place":
        return _Place(self.owner, _extended(self.path, *conditions), self.contexts, self.handlers)


def read_token_lines(lines: Sequence[str], first: int, owner: str) -> tuple[TokenLine, ...]:
    """Read lines of code with their conditions.

    Args:
        lines: Consecutive lines of a file, at any indentation.
        first: The number of the first one.
        owner: The qualified name of what encloses them; empty at the level of the module.
    """
    return tuple(_walk(read_blocks(lines, first), _Place(owner, ())))


def loop_parts(header: CodeLine) -> tuple[str, str]:
    """Give the variable and the iterable of a ``for`` header, as written."""
    is_async = header.tokens[0].string == "async"
    tokens = header.tokens[2 if is_async else 1 :]
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.string in "([{") - (token.string in ")]}")
        if token.string == "in" and depth == 0:
            return text_of(tokens[:place]), bare(text_of(tokens[place + 1 :]))
    return text_of(tokens), ""


def caught_by(header: CodeLine) -> str:
    """Give what an ``except`` header catches, as written; ``BaseException`` for a bare one."""
    words = header.words()
    end = words.index("as") if "as" in words else len(words)
    return CodeLine(header.tokens[:end]).operand or "BaseException"


def _walk(block: Block, place: _Place) -> Iterator[TokenLine]:
    decorators: list[CodeLine] = []
    is_reached = True
    for item in block.items:
        here = place if is_reached else _Place(place.owner, None, place.contexts, place.handlers)
        if isinstance(item, CodeLine):
            if item.keyword == "@":
                decorators.append(item)
                continue
            yield _line(item, here)
        elif item.keyword in {"def", "class"}:
            yield from _definition(item.clauses[0], here, decorators)
            decorators = []
        else:
            yield from _compound(item, here)
        ways = _ways_out(item)
        if ways == _ALWAYS:
            is_reached = False
        else:
            path = _behind(place.path, ways, item)
            place = _Place(place.owner, path, place.contexts, place.handlers)


def _line(line: CodeLine, place: _Place) -> TokenLine:
    path = place.path
    if path is not None and len(path) > MOST_CONDITIONS:
        path = None
    return TokenLine(line, place.owner, path, place.contexts, place.handlers)


def _definition(
    clause: Clause, place: _Place, decorators: Sequence[CodeLine]
) -> Iterator[TokenLine]:
    words = clause.header.words()
    name = words[words.index(clause.header.keyword) + 1]
    owner = f"{place.owner}.{name}" if place.owner else name
    inner = _Place(owner, ())
    for decorator in decorators:
        yield _line(decorator, inner)
    yield _line(clause.header, inner)
    yield from _walk(clause.body, inner)


def _compound(compound: Compound, place: _Place) -> Iterator[TokenLine]:
    match compound.keyword:
        case "if":
            yield from _if(compound, place)
        case "for" | "while":
            yield from _loop(compound, place)
        case "with":
            clause = compound.clauses[0]
            yield _line(clause.header, place)
            contexts = (*place.contexts, clause.header.operand)
            inner = _Place(place.owner, place.path, contexts, place.handlers)
            yield from _walk(clause.body, inner)
        case "try":
            yield from _try(compound, place)
        case "match":
            yield from _match(compound.clauses[0], place)
        case _:
            for clause in compound.clauses:
                yield _line(clause.header, place.under(None))
                yield from _walk(clause.body, place.under(None))


def _if(compound: Compound, place: _Place) -> Iterator[TokenLine]:
    for clause, conditions in _if_clauses(compound):
        # The header of an ``elif`` is reached where the tests above it failed.
        failed = conditions[:-1] if clause.header.keyword != "else" else conditions
        yield _line(clause.header, place.under(*failed))
        yield from _walk(clause.body, place.under(*conditions))


def _if_clauses(compound: Compound) -> Iterator[tuple[Clause, list[Condition | None]]]:
    failed: list[Condition | None] = []
    for clause in compound.clauses:
        if clause.header.keyword == "else":
            yield clause, failed
            continue
        yield clause, [*failed, _test(clause.header, is_true=True)]
        failed = [*failed, _test(clause.header, is_true=False)]


def _loop(compound: Compound, place: _Place) -> Iterator[TokenLine]:
    loop = compound.clauses[0]
    yield _line(loop.header, place)
    yield from _walk(loop.body, place.under(_loop_condition(loop.header)))
    for clause in compound.clauses[1:]:
        end = _loop_end(loop.header) if loop.header.keyword == "for" else None
        yield from _walk(clause.body, place.under(end))


def _try(compound: Compound, place: _Place) -> Iterator[TokenLine]:
    caught = [c.header for c in compound.clauses if c.header.keyword == "except"]
    own_handlers = tuple(caught_by(header) for header in caught)
    guarded = _Place(place.owner, place.path, place.contexts, (*own_handlers, *place.handlers))
    body = compound.clauses[0].body
    for clause in compound.clauses:
        yield _line(clause.header, place)
        match clause.header.keyword:
            case "try":
                yield from _walk(clause.body, guarded)
            case "except":
                yield from _walk(clause.body, place.under(_error("except", clause.header)))
            case "else":
                ways = _ways_out_of(body)
                path = _behind(place.path, ways, compound) if ways else place.path
                behind = _Place(place.owner, path, place.contexts, place.handlers)
                no_errors = [_error("no_error", header) for header in caught]
                yield from _walk(clause.body, behind.under(*no_errors))
            case _:
                yield from _walk(clause.body, place)


def _match(clause: Clause, place: _Place) -> Iterator[TokenLine]:
    yield _line(clause.header, place)
    cases = [
        case for item in clause.body.items if isinstance(item, Compound) for case in item.clauses
    ]
    for number, case in enumerate(cases):
        is_plain = all(_is_value(earlier.header) for earlier in cases[: number + 1])
        is_sayable = "if" not in case.header.words() and (number == 0 or is_plain)
        condition = None
        if is_sayable:
            condition = _checked(
                "case", clause.header.operand, case.header.operand, case.header.first
            )
        yield from _walk(case.body, place.under(condition))


def _behind(path: Path | None, ways: _Ways, item: CodeLine | Compound) -> Path | None:
    for way in ways:
        if path is None or way is None:
            return None
        known = {(condition.kind, condition.code) for condition in path}
        new = tuple(step for step in way if (step.kind, step.code) not in known)
        path = _extended(path, _negation(new, item))
    return path


def _negation(way: Path, item: CodeLine | Compound) -> Condition | None:
    if len(way) == 1 and way[0].kind in _OPPOSITES:
        return Condition(_OPPOSITES[way[0].kind], way[0].code, way[0].detail, way[0].line)
    if way and all(condition.kind in {"if", "unless"} for condition in way):
        operands = [_operand(condition, len(way)) for condition in way]
        return _checked("unless", " and ".join(operands), "", way[0].line)
    is_loop = isinstance(item, Compound) and item.keyword == "for"
    if isinstance(item, Compound) and is_loop and len(way) == 1 and way[0].kind == "for":
        return _loop_end(item.clauses[0].header)
    return None


def _ways_out(item: CodeLine | Compound) -> _Ways:  # noqa: PLR0911  # one arm a form
    if isinstance(item, CodeLine):
        return _ALWAYS if item.keyword in _LEAVING else ()
    match item.keyword:
        case "if":
            return _ways_out_of_if(item)
        case "with":
            return _ways_out_of_with(item.clauses[0])
        case "for":
            return _ways_out_of_for(item)
        case "while":
            return _ways_out_of_while(item)
        case "try":
            return _ways_out_of_try(item)
        case "match":
            cases = [inner for inner in item.clauses[0].body.items if isinstance(inner, Compound)]
            leaves = any(_ways_out_of(case.body) for inner in cases for case in inner.clauses)
            return (None,) if leaves else ()
        case _:
            return ()


def _ways_out_of(block: Block) -> _Ways:
    ways: list[Path | None] = []
    for item in block.items:
        item_ways = _ways_out(item)
        if item_ways == _ALWAYS:
            return _ALWAYS
        ways.extend(item_ways)
    return tuple(ways)


def _ways_out_of_if(compound: Compound) -> _Ways:
    inner = [_ways_out_of(clause.body) for clause in compound.clauses]
    has_else = compound.clauses[-1].header.keyword == "else"
    if has_else and all(ways == _ALWAYS for ways in inner):
        return _ALWAYS
    ways_out: list[Path | None] = []
    for (_, conditions), ways in zip(_if_clauses(compound), inner, strict=True):
        ways_out.extend(_prefixed(conditions, ways))
    return tuple(ways_out)


def _ways_out_of_with(clause: Clause) -> _Ways:
    ways = _ways_out_of(clause.body)
    suppressed = _suppressed(clause.header)
    if suppressed is None or not ways:
        return ways
    if ways != _ALWAYS:
        return (None,)
    condition = _checked("no_error", suppressed, "", clause.header.first)
    return (None,) if condition is None else ((condition,),)


def _ways_out_of_for(compound: Compound) -> _Ways:
    loop = compound.clauses[0]
    if not _holds_line(loop.body, {"return", "raise"}):
        return _ways_out_of(compound.clauses[1].body) if len(compound.clauses) > 1 else ()
    condition = _loop_condition(loop.header)
    if len(compound.clauses) > 1 or condition is None:
        return (None,)
    return ((condition,),)


def _ways_out_of_while(compound: Compound) -> _Ways:
    loop = compound.clauses[0]
    is_endless = loop.header.operand in {"True", "1"}
    if is_endless and not _holds_line(loop.body, {"break"}):
        return _ALWAYS
    leaves = _holds_line(loop.body, {"return", "raise"}) or len(compound.clauses) > 1
    return (None,) if leaves else ()


def _ways_out_of_try(compound: Compound) -> _Ways:
    by_keyword: dict[str, list[Clause]] = {}
    for clause in compound.clauses:
        by_keyword.setdefault(clause.header.keyword, []).append(clause)
    if any(_ways_out_of(clause.body) for clause in by_keyword.get("finally", ())):
        return (None,)
    going_through = [compound.clauses[0], *by_keyword.get("else", ())]
    merged = Block([item for clause in going_through for item in clause.body.items])
    in_body = _ways_out_of(merged)
    handlers = by_keyword.get("except", [])
    in_handlers = [_ways_out_of(handler.body) for handler in handlers]
    if in_body == _ALWAYS:
        return _left_unless_caught(handlers, in_handlers)
    ways_out = list(in_body)
    for handler, ways in zip(handlers, in_handlers, strict=True):
        ways_out.extend(_prefixed([_error("except", handler.header)], ways))
    return tuple(ways_out)


def _left_unless_caught(handlers: Sequence[Clause], in_handlers: Sequence[_Ways]) -> _Ways:
    pairs = zip(handlers, in_handlers, strict=True)
    going_on = [handler for handler, ways in pairs if ways != _ALWAYS]
    if not going_on:
        return _ALWAYS
    leaves_sometimes = any(ways not in (_ALWAYS, ()) for ways in in_handlers)
    if len(going_on) > 1 or leaves_sometimes:
        return (None,)
    condition = _error("no_error", going_on[0].header)
    return (None,) if condition is None else ((condition,),)


def _holds_line(block: Block, keywords: set[str]) -> bool:
    """Look for a line with a keyword in a block, but for what stands in definitions inside it."""
    for item in block.items:
        if isinstance(item, CodeLine):
            if item.keyword in keywords:
                return True
        elif item.keyword not in {"def", "class"} and any(
            _holds_line(clause.body, keywords) for clause in item.clauses
        ):
            return True
    return False


def _suppressed(header: CodeLine) -> str | None:
    """Give the first error that a ``with suppress(...)`` keeps to itself."""
    words = header.words()
    for place, word in enumerate(words[:-2]):
        if word == "suppress" and words[place + 1] == "(":
            return _first_argument(header.tokens[place + 2 :])
    return None


def _first_argument(tokens: Tokens) -> str | None:
    depth = 0
    for place, token in enumerate(tokens):
        if depth == 0 and token.string in {",", ")"}:
            return text_of(tokens[:place]) or None
        depth += (token.string in "([{") - (token.string in ")]}")
    return None


def _test(header: CodeLine, *, is_true: bool) -> Condition | None:
    code = header.operand
    while code.startswith("not ") and _is_one_operand(code[4:]):
        code, is_true = bare(code[4:]), not is_true
    return _checked("if" if is_true else "unless", code, "", header.first)


def _is_one_operand(code: str) -> bool:
    """Find out whether ``not`` in front of the code would apply to all of it."""
    depth = 0
    for piece in plain_code(f"_ {code}").split()[1:]:
        depth += (piece in "([{") - (piece in ")]}")
        if depth == 0 and piece in {"and", "or", "if", "else", "lambda", ":="}:
            return False
    return True


def _loop_condition(header: CodeLine) -> Condition | None:
    if header.keyword == "while":
        return _checked("while", header.operand, "", header.first)
    variable, iterable = loop_parts(header)
    return _checked("for", iterable, variable, header.first)


def _loop_end(header: CodeLine) -> Condition | None:
    variable, iterable = loop_parts(header)
    return _checked("loop_end", iterable, variable, header.first)


def _error(kind: ConditionKind, header: CodeLine) -> Condition | None:
    return _checked(kind, caught_by(header), "", header.first)


def _operand(condition: Condition, parts: int) -> str:
    is_compound = not _COMPOUND_WORDS.isdisjoint(condition.code.split())
    if condition.kind == "unless":
        return f"not ({condition.code})" if is_compound else f"not {condition.code}"
    return f"({condition.code})" if parts > 1 and is_compound else condition.code


def _checked(kind: ConditionKind, code: str, detail: str, line: int) -> Condition | None:
    if not code or "`" in code or len(code) + len(detail) > LONGEST_CONDITION:
        return None
    return Condition(kind, code, detail, line)


def _extended(path: Path | None, *conditions: Condition | None) -> Path | None:
    for condition in conditions:
        if path is None or condition is None:
            return None
        path = (*path, condition)
    return path


def _prefixed(conditions: Sequence[Condition | None], ways: _Ways) -> _Ways:
    prefix = _extended((), *conditions)
    if prefix is None:
        return (None,) if ways else ()
    return tuple(None if way is None else (*prefix, *way) for way in ways)


def _is_value(header: CodeLine) -> bool:
    """Find out whether a ``case`` matches a plain value: literals and dotted names."""
    words = header.words()[1:]
    if len(words) == 1:
        return words[0][:1] in "\"'0123456789" or words[0] in {"None", "True", "False"}
    return "." in words and not {"(", "|", "[", "{"}.intersection(words)
