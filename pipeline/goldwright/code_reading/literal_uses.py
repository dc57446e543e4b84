"""Where a string literal stands: a set that is closed only where two derivations agree.

The walk reads syntax trees; the search counts the quoted text in the bytes of the files.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Final, Literal, NamedTuple
from zlib import crc32

from goldwright.code_reading.child_nodes import child_nodes
from goldwright.code_reading.modules import Definition, Module, name_inside, open_module, reading_of
from goldwright.code_reading.name_lines import lines_quoting, statement_lines
from goldwright.code_reading.name_uses import is_export
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code
from goldwright.snapshot.word_files import files_with

PROCESS_ENVIRONMENT: Final = "os.environ"
Manner = Literal["read", "stored", "exported", "other"]

# Questions are asked about names with a handful of users.
MOST_QUOTING_FILES: Final = 16
# Longer texts are messages and no names.
LONGEST_NAME: Final = 60

_NAME: Final = re.compile(r"[A-Za-z_*.-][\w./*+-]+")
_QUOTED: Final = re.compile(rb"([\"'])([A-Za-z_*.-][\w./*+-]{1,59})\1")
# No checksum of 32 bits.
_SEVERAL: Final = -1
_READERS: Final = re.compile(r"^get\w*$|^pop$|^has_\w+$|^\w+_get$")
# Objects that may be parsers of files with sections.
_PARSERS: Final = frozenset({"cfg", "conf", "config", "config_parser", "parser"})
_KEPT_BY: Final = frozenset({"setdefault", "set", "add", "append", "set_cookie", "putenv"})


@dataclass(frozen=True, slots=True)
class LiteralUse:
    """One place of a literal.

    Attributes:
        path: The file.
        owner: The qualified name of the innermost function or class around it; a decorator and a
            default belong to what they stand at; empty at the level of the module.
        line: The line, from 1.
        manner: ``read``: something is looked up by it or compared with it. ``stored``: something
            is kept under it. ``exported``: it stands in ``__all__``. ``other``: anything else.
        receiver: The last name of what it is looked up or kept in, as in ``headers``; for the
            environment of the process ``os.environ``; may be empty.
    """

    path: str
    owner: str
    line: int
    manner: Manner
    receiver: str

    @property
    def entity_id(self) -> str:
        """The id of the definition around it."""
        return f"{self.path}::{self.owner}"


def closed_literal_uses(snapshot: Snapshot, literal: str) -> tuple[LiteralUse, ...] | None:
    """List every use of a literal in product code; None where the two derivations differ.

    Neither is known of a literal that is quoted in many files, nor of one with which longer texts
    begin, such as the line of a header: there the name is used, and no search for it finds that.
    """
    paths = files_with(snapshot, literal)
    if paths is None:
        return None
    by_text: Counter[tuple[str, int]] = Counter()
    plain_literal = re.escape(literal.encode())
    longer_text = re.compile(rb"[\"']" + plain_literal + rb"\s*[:=;]")
    for path in paths:
        if is_product_code(snapshot, path):
            data = snapshot.data(path)
            if longer_text.search(data):
                return None
            by_text.update((path, number) for number in _quoted_lines(data, literal))
    # The walk finds a literal only where it is quoted, so the other files need not be parsed.
    quoting_paths = dict.fromkeys(path for path, _ in by_text)
    if len(quoting_paths) > MOST_QUOTING_FILES:
        return None
    uses: list[LiteralUse] = []
    for path in quoting_paths:
        uses.extend(literal_uses_in(snapshot, path, literal))
    if by_text != Counter((use.path, use.line) for use in uses):
        return None
    return tuple(uses)


def literal_uses_in(snapshot: Snapshot, path: str, literal: str) -> tuple[LiteralUse, ...]:
    """List the uses of a literal in one file."""
    module = open_module(snapshot, path)
    if module is None:
        return ()
    places = reading_of(module, _literals_by_text).get(literal, ())
    if not places:
        return ()
    lines = lines_quoting(module, literal)
    # A literal in pieces stands in no line as a whole: the search would miss it too.
    quoted = [place for place in places if lines.touch(place.first, place.last)]
    return tuple(place.use for place in quoted)


def _quoted_lines(data: bytes, literal: str) -> Iterator[int]:
    text = literal.encode()
    number = 1
    counted_to = 0
    found_at = data.find(text)
    # From one line with the text to the next: most lines of a file have nothing to do with it.
    while found_at >= 0:
        start = data.rfind(b"\n", 0, found_at) + 1
        number += data.count(b"\n", counted_to, start)
        counted_to = start
        end = data.find(b"\n", found_at)
        line = data[start:end] if end >= 0 else data[start:]
        yield from (number for match in _QUOTED.finditer(line) if match[2] == text)
        found_at = data.find(text, end) if end >= 0 else -1


def has_other_spelling(snapshot: Snapshot, literal: str) -> bool:
    """Check whether product code quotes a literal in capitals or small letters as well."""
    spelling = _spellings(snapshot).get(_mark(literal.casefold()))
    return spelling is not None and spelling != _mark(literal)


def is_quoted(snapshot: Snapshot, literal: str) -> bool:
    """Check whether product code quotes a literal, in whatever letters."""
    return _mark(literal.casefold()) in _spellings(snapshot)


@lru_cache(maxsize=2)
def _spellings(snapshot: Snapshot) -> Mapping[int, int]:
    """Give the spelling of every quoted literal by its folded letters, both as marks.

    Where there are several spellings, ``_SEVERAL`` stands for them. Marks keep what is held of a
    codebase small: it may quote a million literals.
    """
    spellings: dict[int, int] = {}
    for path in snapshot.files_in("python"):
        if not is_product_code(snapshot, path) or not snapshot.has_text(path):
            continue
        for literal in {match[2].decode() for match in _QUOTED.finditer(snapshot.data(path))}:
            mark = _mark(literal)
            folded = _mark(literal.casefold())
            if spellings.setdefault(folded, mark) != mark:
                spellings[folded] = _SEVERAL
    return spellings


def _mark(text: str) -> int:
    return crc32(text.encode())


class _Around(NamedTuple):
    """What is done with a node, and where.

    Attributes:
        owner: The qualified name of the innermost definition around it.
        lines: The first and last line of the innermost statement around it.
        manner: As in ``LiteralUse``.
        receiver: As in ``LiteralUse``.
    """

    owner: str
    lines: tuple[int, int]
    manner: Manner = "other"
    receiver: str = ""


class _LocatedLiteral(NamedTuple):
    """A literal, and the lines of the innermost statement that it stands in."""

    text: str
    use: LiteralUse
    first: int
    last: int


def literals_in(module: Module) -> tuple[tuple[str, LiteralUse], ...]:
    """List the literals of a file that are shaped like a name, with what is done with them."""
    places = reading_of(module, _literals)
    return tuple((place.text, place.use) for place in places)


def _literals_by_text(module: Module) -> Mapping[str, Sequence[_LocatedLiteral]]:
    places: dict[str, list[_LocatedLiteral]] = {}
    for place in reading_of(module, _literals):
        places.setdefault(place.text, []).append(place)
    return places


def _literals(module: Module) -> tuple[_LocatedLiteral, ...]:
    """List the literals of a file in one walk; several kinds of inquiry ask for each of them."""
    places: list[_LocatedLiteral] = []
    nothing_around = _Around("", (0, 0))
    pending: list[tuple[ast.AST, _Around]] = [(module.tree, nothing_around)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, ast.Name):
            continue
        if isinstance(node, ast.Constant):
            literal = _literal(node)
            if literal:
                use = LiteralUse(
                    module.path, around.owner, node.lineno, around.manner, around.receiver
                )
                places.append(_LocatedLiteral(literal, use, *around.lines))
            continue
        owner = around.owner
        if isinstance(node, Definition):
            owner = name_inside(owner, node.name)
        lines = statement_lines(node) if isinstance(node, ast.stmt) else around.lines
        inner = _Around(owner, lines)
        if around.manner == "exported" or is_export(node):
            exported = inner._replace(manner="exported")
            pending.extend(zip(child_nodes(node), repeat(exported), strict=False))
            continue
        children = child_nodes(node)
        used = _used_by(node, inner)
        if used:
            pending.extend((child, used.get(id(child), inner)) for child in children)
        else:
            pending.extend(zip(children, repeat(inner), strict=False))
    return tuple(places)


def _literal(node: ast.Constant) -> str:
    value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        return ""
    return value if _NAME.fullmatch(value) else ""


def _used_by(node: ast.AST, around: _Around) -> dict[int, _Around]:
    """Tell of the literals right below a node what is done with them, by their identity."""

    def use(manner: Manner, receiver: str) -> _Around:
        return around._replace(manner=manner, receiver=receiver)

    match node:
        case ast.Subscript(value=value, slice=key):
            is_read = isinstance(node.ctx, ast.Load)
            return {id(key): use("read" if is_read else "stored", last_name(value))}
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=[key, *_]) if (
            not _names_section(node)
        ):
            if _READERS.search(method):
                receiver = last_name(value) if method != "getenv" else PROCESS_ENVIRONMENT
                return {id(key): use("read", receiver)}
            if method in _KEPT_BY:
                return {id(key): use("stored", last_name(value))}
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[container]):
            return {id(left): use("read", last_name(container))}
        case ast.Compare(left=left, comparators=[*others]):
            return {id(side): use("read", last_name(left)) for side in (left, *others)}
        case _:
            pass
    return {}


def _names_section(call: ast.AST) -> bool:
    """Find out whether the first name in a call may be that of a section: another one follows."""
    match call:
        case ast.Call(func=ast.Attribute(value=parser), args=[_, ast.Constant(value=str()), *_]):
            return last_name(parser) in _PARSERS
        case _:
            return False


def last_name(node: ast.AST) -> str:
    """Give the last name of an expression, as ``headers`` for ``self.response.headers``.

    The environment of the process keeps its whole name: a request has an ``environ`` too.
    """
    match node:
        case ast.Attribute(value=ast.Name(id="os"), attr="environ"):
            return PROCESS_ENVIRONMENT
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Call(func=function):
            return last_name(function)
        case _:
            return ""
