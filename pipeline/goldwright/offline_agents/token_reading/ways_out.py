"""How blocks of lines are left, and the conditions that hold behind them.

What stands above a line may leave its block: an early ``return``, a ``continue``, a clause that
raises again. Its negation is then a condition of the line.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from goldwright.offline_agents.token_reading.code_text import bare, plain_code, text_of
from goldwright.offline_agents.token_reading.line_blocks import (
    Block,
    CodeLine,
    Compound,
    HeaderBlock,
    Tokens,
)
from goldwright.path_conditions import (
    BROAD_ERRORS,
    LONGEST_CONDITION,
    Condition,
    ConditionKind,
    Path,
    is_end_of_process,
)

# Ways out of a block: a path each, relative to its beginning; None for one that cannot be said.
Ways = tuple[Path | None, ...]
ALWAYS: Final[Ways] = ((),)
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_LEAVING: Final = frozenset({"return", "raise", "continue", "break"})
_OPPOSITES: Final[dict[ConditionKind, ConditionKind]] = {
    "if": "unless",
    "unless": "if",
    "except": "no_error",
    "no_error": "except",
}
# What binds less than ``not`` and ``and``; inside brackets it would do no harm, but both readings
# write their negations alike.
_LOOSE: Final = re.compile(r"\b(?:or|and|if|lambda)\b|:=")


def loop_parts(header: CodeLine) -> tuple[str, str]:
    """Give the variable and the iterable of a ``for`` header, as written."""
    is_async = header.tokens[0].string == "async"
    tokens = header.tokens[2 if is_async else 1 :]
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.string in "([{") - (token.string in ")]}")
        if token.string == "in" and depth == 0:
            iterable = bare(text_of(tokens[place + 1 :]))
            return text_of(tokens[:place]), iterable
    return text_of(tokens), ""


def caught_by(header: CodeLine) -> str:
    """Give what an ``except`` header catches, as written; ``BaseException`` for a bare one."""
    words = header.words()
    end = words.index("as") if "as" in words else len(words)
    return CodeLine(header.tokens[:end]).operand or "BaseException"


def if_clauses(compound: Compound) -> Iterator[tuple[HeaderBlock, list[Condition | None]]]:
    """Yield the clauses of an ``if`` with the conditions of each, failed tests above included."""
    failed: list[Condition | None] = []
    for clause in compound.clauses:
        if clause.header.keyword == "else":
            yield clause, failed
            continue
        yield clause, [*failed, _test(clause.header, is_true=True)]
        failed = [*failed, _test(clause.header, is_true=False)]


def match_cases(clause: HeaderBlock) -> list[HeaderBlock]:
    """List the ``case`` clauses of a ``match``."""
    compounds = [item for item in clause.body.items if isinstance(item, Compound)]
    return [case for compound in compounds for case in compound.clauses]


def behind(path: Path | None, ways: Ways, item: CodeLine | Compound) -> Path | None:
    """Give the conditions behind an item that leaves its block in some ways; None if unclear."""
    for way_out in ways:
        if path is None or way_out is None:
            return None
        # Tests alone: of errors and loops each is another one, whatever its code.
        known_tests = {(step.kind, step.code) for step in path if step.kind in {"if", "unless"}}
        new = tuple(step for step in way_out if (step.kind, step.code) not in known_tests)
        path = extended(path, _negation(new, item))
    return path


def _negation(way_out: Path, item: CodeLine | Compound) -> Condition | None:
    if len(way_out) == 1 and way_out[0].kind in _OPPOSITES:
        (only_condition,) = way_out
        opposite = _OPPOSITES[only_condition.kind]
        return Condition(opposite, only_condition.code, only_condition.detail)
    if way_out and all(condition.kind in {"if", "unless"} for condition in way_out):
        operands = [_operand(condition, len(way_out)) for condition in way_out]
        return checked("unless", " and ".join(operands), "")
    is_loop = isinstance(item, Compound) and item.keyword == "for"
    if isinstance(item, Compound) and is_loop and len(way_out) == 1 and way_out[0].kind == "for":
        return loop_end(item.clauses[0].header)
    return None


def ways_out(item: CodeLine | Compound) -> Ways:  # noqa: PLR0911  # one arm a form
    """Give the ways in which an item leaves the block that it stands in."""
    if isinstance(item, CodeLine):
        return ALWAYS if item.keyword in _LEAVING or _is_end(item) else ()
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
            cases = match_cases(item.clauses[0])
            leaves = any(ways_out_of(case.body) for case in cases)
            return (None,) if leaves else ()
        case _:
            return ()


def ways_out_of(block: Block) -> Ways:
    """Give the ways in which a block is left before its end."""
    ways: list[Path | None] = []
    for item in block.items:
        item_ways = ways_out(item)
        if item_ways == ALWAYS:
            return ALWAYS
        ways.extend(item_ways)
    return tuple(ways)


def _ways_out_of_if(compound: Compound) -> Ways:
    inner = [ways_out_of(clause.body) for clause in compound.clauses]
    staying = [place for place, ways in enumerate(inner) if ways != ALWAYS]
    has_else = compound.clauses[-1].header.keyword == "else"
    # From here on every clause leaves: one way out, under the tests that failed above.
    first_of_tail = staying[-1] + 1 if staying else 0
    if not has_else:
        first_of_tail = len(inner)
    if first_of_tail == 0:
        return ALWAYS
    ways_out: list[Path | None] = []
    for place, (clause, conditions) in enumerate(if_clauses(compound)):
        if place == first_of_tail:
            is_else = clause.header.keyword == "else"
            failed = conditions if is_else else conditions[:-1]
            return (*ways_out, *_prefixed(failed, ALWAYS))
        ways_out.extend(_prefixed(conditions, inner[place]))
    return tuple(ways_out)


def _ways_out_of_with(clause: HeaderBlock) -> Ways:
    ways = ways_out_of(clause.body)
    suppressed = _suppressed(clause.header)
    if suppressed is None or not ways:
        return ways
    if ways != ALWAYS:
        return (None,)
    condition = checked("no_error", suppressed, "")
    return (None,) if condition is None else ((condition,),)


def _ways_out_of_for(compound: Compound) -> Ways:
    loop, *further_clauses = compound.clauses
    if not _holds_line(loop.body, {"return", "raise"}):
        in_else = ways_out_of(further_clauses[0].body) if further_clauses else ()
        # A break passes the ``else`` by, so what leaves there leaves only now and then.
        if in_else and _holds_line(loop.body, {"break"}):
            return (None,)
        return in_else
    condition = loop_condition(loop.header)
    if further_clauses or condition is None:
        return (None,)
    return ((condition,),)


def _ways_out_of_while(compound: Compound) -> Ways:
    loop = compound.clauses[0]
    is_endless = loop.header.operand in {"True", "1"}
    if is_endless and not _holds_line(loop.body, {"break"}):
        return ALWAYS
    has_else = len(compound.clauses) > 1
    leaves = has_else or _holds_line(loop.body, {"return", "raise"})
    return (None,) if leaves else ()


def _ways_out_of_try(compound: Compound) -> Ways:
    by_keyword: dict[str, list[HeaderBlock]] = {}
    for clause in compound.clauses:
        by_keyword.setdefault(clause.header.keyword, []).append(clause)
    if any(ways_out_of(clause.body) for clause in by_keyword.get("finally", ())):
        return (None,)
    going_through = [compound.clauses[0], *by_keyword.get("else", ())]
    merged = Block([item for clause in going_through for item in clause.body.items])
    in_body = ways_out_of(merged)
    handlers = by_keyword.get("except", [])
    in_handlers = [ways_out_of(handler.body) for handler in handlers]
    if in_body == ALWAYS:
        return _left_unless_caught(handlers, in_handlers)
    goes_on = any(ways != ALWAYS for ways in in_handlers)
    if in_body and goes_on:
        # Past an error that a clause lets go on, nobody knows how the tests would have come out.
        return (None,)
    if _has_broad_clause_behind(handlers, in_handlers):
        return (None,)
    ways_out = list(in_body)
    for handler, ways in zip(handlers, in_handlers, strict=True):
        condition = error_condition("except", handler.header)
        ways_out.extend(_prefixed([condition], ways))
    return tuple(ways_out)


def _has_broad_clause_behind(handlers: Sequence[HeaderBlock], in_handlers: Sequence[Ways]) -> bool:
    """Find out whether a clause for any error leaves behind one that goes on."""
    for place, handler in enumerate(handlers):
        goes_on = any(ways != ALWAYS for ways in in_handlers[:place])
        if goes_on and in_handlers[place] and caught_by(handler.header) in BROAD_ERRORS:
            return True
    return False


def _left_unless_caught(handlers: Sequence[HeaderBlock], in_handlers: Sequence[Ways]) -> Ways:
    pairs = zip(handlers, in_handlers, strict=True)
    going_on = [handler for handler, ways in pairs if ways != ALWAYS]
    if not going_on:
        return ALWAYS
    leaves_sometimes = any(ways not in (ALWAYS, ()) for ways in in_handlers)
    if len(going_on) > 1 or leaves_sometimes:
        return (None,)
    condition = error_condition("no_error", going_on[0].header)
    return (None,) if condition is None else ((condition,),)


def _is_end(line: CodeLine) -> bool:
    """Find out whether a line is a call that ends the process, and nothing else."""
    words = line.words()
    if "(" not in words or words[-1] != ")":
        return False
    opened = words.index("(")
    steps = ((word in _OPENING) - (word in _CLOSING) for word in words[opened:])
    *depths_inside, _ = accumulate(steps)
    is_one_call = all(depth > 0 for depth in depths_inside)
    return is_one_call and is_end_of_process("".join(words[:opened]))


def _holds_line(block: Block, keywords: set[str]) -> bool:
    """Look for a line with a keyword in a block, but for what stands in definitions inside it.

    What ends the process goes for a ``raise``.
    """
    for item in block.items:
        if isinstance(item, CodeLine):
            if item.keyword in keywords or ("raise" in keywords and _is_end(item)):
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
        code = bare(code[4:])
        is_true = not is_true
    return checked("if" if is_true else "unless", code, "")


def _is_one_operand(code: str) -> bool:
    """Find out whether ``not`` in front of the code would apply to all of it."""
    depth = 0
    for piece in plain_code(f"_ {code}").split()[1:]:
        depth += (piece in "([{") - (piece in ")]}")
        if depth == 0 and piece in {"and", "or", "if", "else", "lambda", ":="}:
            return False
    return True


def loop_condition(header: CodeLine) -> Condition | None:
    """Give the condition of being inside a loop; None where it cannot be said."""
    if header.keyword == "while":
        return checked("while", header.operand, "")
    variable, iterable = loop_parts(header)
    return checked("for", iterable, variable)


def loop_end(header: CodeLine) -> Condition | None:
    """Give the condition of being behind a loop that ended by itself."""
    variable, iterable = loop_parts(header)
    return checked("loop_end", iterable, variable)


def error_condition(kind: ConditionKind, header: CodeLine) -> Condition | None:
    """Give the condition of being in, or past, an ``except`` clause."""
    return checked(kind, caught_by(header), "")


def _operand(condition: Condition, parts: int) -> str:
    is_compound = _LOOSE.search(condition.code) is not None
    in_brackets = f"({condition.code})"
    if condition.kind == "unless":
        return f"not {in_brackets}" if is_compound else f"not {condition.code}"
    return in_brackets if parts > 1 and is_compound else condition.code


def checked(kind: ConditionKind, code: str, detail: str) -> Condition | None:
    """Make a condition; None where its code is too long to be said."""
    if not code or "`" in code or len(code) + len(detail) > LONGEST_CONDITION:
        return None
    return Condition(kind, code, detail)


def extended(path: Path | None, *conditions: Condition | None) -> Path | None:
    """Add conditions to a path; None where the path or one of them is unclear."""
    for condition in conditions:
        if path is None or condition is None:
            return None
        path = (*path, condition)
    return path


def _prefixed(conditions: Sequence[Condition | None], ways: Ways) -> Ways:
    prefix = extended((), *conditions)
    if prefix is None:
        return (None,) if ways else ()
    return tuple(None if way_out is None else (*prefix, *way_out) for way_out in ways)
