"""Which definitions of a Python file a change touches, and whether their own code changed.

A changed line belongs to the innermost function, method or class around it, decorators included.
A line alone proves little: a comment, a docstring, a blank line or another layout changes no code,
and where a new function stands behind an old one a diff may begin inside the old one. So the own
code of a touched definition is compared as well, as a syntax tree.
"""

import ast
import hashlib
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldwright.snapshot.changed_definitions import ChangedDefinition, DefinitionChanges, Hunk
from goldwright.snapshot.languages.python.decoding import decode_source
from goldwright.snapshot.languages.python.definitions import first_line, lines_of
from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_module
from goldwright.snapshot.languages.python.syntax_nodes import DEFINITIONS, STATEMENT_LISTS, Node

_NO_FILE: Final = b""
# Git counts lines by line feeds; Python also by carriage returns that stand alone.
_LONE_RETURN: Final = re.compile(rb"\r(?!\n)")
# The prefix of ``u"text"`` means nothing since Python 3.
_UNICODE_PREFIX: Final = re.compile(r", kind='u'(?=\))")
# A ``pass`` does nothing, and goes when the first statement comes.
_NOT_OWN: Final = DEFINITIONS | {ast.Pass}
# In bytes; two definitions of one history do not meet by chance.
_DIGEST_BYTES: Final = 12


def compare_code(old: bytes | None, new: bytes | None, hunks: Sequence[Hunk]) -> DefinitionChanges:
    """Compare two contents of a file by the lines that differ; None is a file that is not there."""
    try:
        before = _read(old)
        after = _read(new)
    except UnparsableError as error:
        return DefinitionChanges(reason=str(error))
    old_ranges = ((hunk.old_first, hunk.old_count) for hunk in hunks)
    old_names = before.names_at(old_ranges)
    new_ranges = ((hunk.new_first, hunk.new_count) for hunk in hunks)
    new_names = after.names_at(new_ranges)
    changed: list[ChangedDefinition] = []
    for name in sorted(old_names | new_names):
        definition = ChangedDefinition(name, before.digest(name), after.digest(name))
        if definition.before != definition.after:
            changed.append(definition)
    changes_code = bool(changed) or before.own_code("") != after.own_code("")
    changes_prose = False
    if not changes_code:
        # Comments are compared last, for cutting a file into tokens takes longer than parsing it.
        changes_prose = (
            before.docstrings != after.docstrings or before.comments() != after.comments()
        )
    return DefinitionChanges(tuple(changed), changes_code, changes_prose)


@dataclass(slots=True)
class _FileCode:
    """The definitions of a file, taken apart.

    Attributes:
        data: The content.
        nodes: The definitions of each qualified name, without docstrings and inner definitions;
            what is left of the module has the empty name.
        owners: The qualified name of the innermost definition around each line, from line 1.
        docstrings: All docstrings, blanks folded, those of outer definitions first.
    """

    data: bytes
    nodes: dict[str, list[Node]] = field(default_factory=dict)
    owners: list[str] = field(default_factory=list)
    docstrings: list[str] = field(default_factory=list)

    def names_at(self, ranges: Iterator[tuple[int, int]]) -> set[str]:
        """Collect the definitions that own any line of some ranges, each a line and a count."""
        names: set[str] = set()
        for first, count in ranges:
            if count:
                start = first - 1
                names.update(self.owners[start : start + count])
        names.discard("")
        return names

    def own_code(self, name: str) -> str:
        """Write the own code of a name as a text, the same for the same code in another layout."""
        trees = [ast.dump(node) for node in self.nodes.get(name, ())]
        return _UNICODE_PREFIX.sub("", "\n".join(trees))

    def digest(self, name: str) -> str:
        """Give the digest of the own code of a name; empty where there is no such definition."""
        if name not in self.nodes:
            return ""
        code = self.own_code(name).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(code, digest_size=_DIGEST_BYTES).hexdigest()

    def comments(self) -> Sequence[str]:
        """Give the comments, blanks folded."""
        return list(_comments(self.data))


def _read(data: bytes | None) -> _FileCode:
    """Take a file apart.

    Raises:
        UnparsableError: It does not parse, or its lines cannot be counted as git does.
    """
    content = _NO_FILE if data is None else data
    if _LONE_RETURN.search(content):
        raise UnparsableError("a carriage return stands alone")
    module = parse_module(content)
    lines = lines_of(content)
    code = _FileCode(content, owners=[""] * len(lines))
    _take_apart(module, lines, code)
    return code


def _take_apart(module: ast.Module, lines: Sequence[bytes], code: _FileCode) -> None:
    """Take the definitions out of a tree, the outer ones before the inner ones."""
    code.nodes[""] = [module]
    stack: list[tuple[Node, str]] = [(module, "")]
    while stack:
        definition, name = stack.pop()
        _remove_docstring(definition, code)
        inner: list[tuple[Node, str]] = []
        for node in _remove_definitions(definition):
            inner_name = f"{name}.{node.name}" if name else node.name
            inner.append((node, inner_name))
            code.nodes.setdefault(inner_name, []).append(node)
            first, last = first_line(node, lines), node.end_lineno
            # An inner definition is met after the one around it, and so has the last word.
            names_of_lines = [inner_name] * (last - first + 1)
            code.owners[first - 1 : last] = names_of_lines
        stack.extend(reversed(inner))


def _remove_docstring(definition: Node, code: _FileCode) -> None:
    first = definition.body[0] if definition.body else None
    if first.__class__ is not ast.Expr or first.value.__class__ is not ast.Constant:
        return
    if isinstance(first.value.value, str):
        words = first.value.value.split()
        code.docstrings.append(" ".join(words))
        del definition.body[0]


def _remove_definitions(outer: Node) -> Iterator[Node]:
    """Take the definitions out of a body and of the blocks inside it, in file order."""
    stack: list[Node] = [outer]
    collected: list[Node] = []
    while stack:
        node = stack.pop()
        for list_name in STATEMENT_LISTS:
            statements = getattr(node, list_name, None)
            # A lambda and a conditional expression have a body that is no list.
            if not isinstance(statements, list):
                continue
            collected += [inner for inner in statements if inner.__class__ in DEFINITIONS]
            own_statements = [inner for inner in statements if inner.__class__ not in _NOT_OWN]
            setattr(node, list_name, own_statements)
            stack.extend(own_statements)
    collected.sort(key=_position)
    yield from collected


def _position(node: Node) -> int:
    return int(node.lineno)


def _comments(data: bytes) -> Iterator[str]:
    """Yield the comments of a file, as far as it can be cut into tokens."""
    text = decode_source(data)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield " ".join(token.string.lstrip("#").split())
    except (tokenize.TokenError, SyntaxError):
        return
