"""Lines of tokens with the whole condition under which each is reached.

A condition around a line is half of it: what stands above may leave the block, and then its
negation is on the way too. Blocks are told by indentation alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldwright.offline_agents.token_reading.line_blocks import (
    Block,
    CodeLine,
    Compound,
    HeaderBlock,
    read_blocks,
)
from goldwright.offline_agents.token_reading.ways_out import (
    ALWAYS,
    behind,
    caught_by,
    checked,
    error_condition,
    extended,
    if_clauses,
    loop_condition,
    loop_end,
    match_cases,
    ways_out,
    ways_out_of,
)
from goldwright.path_conditions import Condition, Path, sayable


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
        above: The line right before it in its block; None for the first, and behind a block.
    """

    line: CodeLine
    owner: str
    path: Path | None
    contexts: tuple[str, ...] = ()
    handlers: tuple[str, ...] = ()
    above: CodeLine | None = None

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
        return self.with_path(extended(self.path, *conditions))

    def with_path(self, path: Path | None) -> "_Place":
        return _Place(self.owner, path, self.contexts, self.handlers)


def read_token_lines(lines: Sequence[str], first: int, owner: str) -> tuple[TokenLine, ...]:
    """Read lines of code with their conditions.

    Args:
        lines: Consecutive lines of a file, at any indentation.
        first: The number of the first one.
        owner: The qualified name of what encloses them; empty at the level of the module.
    """
    block = read_blocks(lines, first)
    return tuple(_walk(block, _Place(owner, ())))


def _walk(block: Block, place: _Place) -> Iterator[TokenLine]:
    decorators: list[CodeLine] = []
    is_reached = True
    above: CodeLine | None = None
    for item in block.items:
        here = place if is_reached else place.with_path(None)
        if isinstance(item, CodeLine):
            if item.keyword == "@":
                decorators.append(item)
                continue
            yield _line(item, here, above)
        elif item.keyword in {"def", "class"}:
            yield from _definition(item.clauses[0], here, decorators)
            decorators = []
        else:
            yield from _compound(item, here)
        above = item if isinstance(item, CodeLine) else None
        ways = ways_out(item)
        if ways == ALWAYS:
            is_reached = False
        else:
            path = behind(place.path, ways, item)
            place = place.with_path(path)


def _line(line: CodeLine, place: _Place, above: CodeLine | None = None) -> TokenLine:
    path = sayable(place.path)
    return TokenLine(line, place.owner, path, place.contexts, place.handlers, above)


def _definition(
    clause: HeaderBlock, place: _Place, decorators: Sequence[CodeLine]
) -> Iterator[TokenLine]:
    header = clause.header
    words = header.words()
    name = words[words.index(header.keyword) + 1]
    owner = f"{place.owner}.{name}" if place.owner else name
    inner = _Place(owner, ())
    for decorator in decorators:
        yield _line(decorator, inner)
    yield _line(header, inner)
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
    for clause, conditions in if_clauses(compound):
        # The header of an ``elif`` is reached where the tests above it failed.
        is_else = clause.header.keyword == "else"
        failed = conditions if is_else else conditions[:-1]
        yield _line(clause.header, place.under(*failed))
        yield from _walk(clause.body, place.under(*conditions))


def _loop(compound: Compound, place: _Place) -> Iterator[TokenLine]:
    loop = compound.clauses[0]
    yield _line(loop.header, place)
    condition = loop_condition(loop.header)
    yield from _walk(loop.body, place.under(condition))
    for clause in compound.clauses[1:]:
        is_for = loop.header.keyword == "for"
        end = loop_end(loop.header) if is_for else None
        yield from _walk(clause.body, place.under(end))


def _try(compound: Compound, place: _Place) -> Iterator[TokenLine]:
    headers = [clause.header for clause in compound.clauses]
    caught = [header for header in headers if header.keyword == "except"]
    own_handlers = tuple(caught_by(header) for header in caught)
    handlers = (*own_handlers, *place.handlers)
    guarded = _Place(place.owner, place.path, place.contexts, handlers)
    body = compound.clauses[0].body
    for clause in compound.clauses:
        yield _line(clause.header, place)
        match clause.header.keyword:
            case "try":
                yield from _walk(clause.body, guarded)
            case "except":
                condition = error_condition("except", clause.header)
                yield from _walk(clause.body, place.under(condition))
            case "else":
                ways = ways_out_of(body)
                path = behind(place.path, ways, compound) if ways else place.path
                after_body = place.with_path(path)
                no_errors = [error_condition("no_error", header) for header in caught]
                yield from _walk(clause.body, after_body.under(*no_errors))
            case _:
                yield from _walk(clause.body, place)


def _match(clause: HeaderBlock, place: _Place) -> Iterator[TokenLine]:
    yield _line(clause.header, place)
    cases = match_cases(clause)
    for number, case in enumerate(cases):
        cases_so_far = cases[: number + 1]
        is_plain = all(_is_value(earlier.header) for earlier in cases_so_far)
        has_guard = "if" in case.header.words()
        is_sayable = not has_guard and (number == 0 or is_plain)
        condition = None
        if is_sayable:
            condition = checked("case", clause.header.operand, case.header.operand)
        yield from _walk(case.body, place.under(condition))


def _is_value(header: CodeLine) -> bool:
    """Find out whether a ``case`` matches a plain value: literals and dotted names."""
    words = header.words()[1:]
    if len(words) == 1:
        is_number_or_string = words[0][:1] in "\"'0123456789"
        return is_number_or_string or words[0] in {"None", "True", "False"}
    is_name = {"(", "|", "[", "{"}.isdisjoint(words)
    return is_name and "." in words
