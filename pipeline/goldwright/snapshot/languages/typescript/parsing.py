"""The bytes of one TypeScript file as a syntax tree, whatever the bytes are.

The parser is an extra. It is loaded when the first file is read, and it never leaves the process:
its grammars are compiled into the packages.
"""

import importlib
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

from goldwright.errors import GoldwrightError
from goldwright.snapshot.file_guard import TOO_DEEP
from goldwright.snapshot.languages.typescript.line_ends import with_written_ends
from goldwright.snapshot.languages.typescript.unknown_words import without_unknown_words
from goldwright.snapshot.languages.typescript.unread_syntax import without_unread_syntax
from goldwright.snapshot.size_limits import DEEPEST_TREE

Node: TypeAlias = Any
"""A node of tree-sitter, which is there only with the extra."""

EXTRA: Final = "goldwright[typescript]"
"""What brings the parser along."""

_PACKAGES: Final = ("tree_sitter", "tree_sitter_typescript")
# The second grammar reads what holds markup (``.tsx``). It cannot come first: it takes the type
# assertion ``<Cart>value`` for the beginning of an element.
_GRAMMARS: Final = ("language_typescript", "language_tsx")
# Each moves nothing, so that lines and bytes stay those of the file.
_MENDINGS: Final = (without_unread_syntax, without_unknown_words, with_written_ends)


class UnreadableError(GoldwrightError):
    """A file is no TypeScript that the grammars know; the text says why, in one line."""


def is_parser_installed() -> bool:
    """Return whether the parser is there, without loading it."""
    return all(importlib.util.find_spec(name) is not None for name in _PACKAGES)


def normalized(data: bytes) -> bytes:
    """Write all line ends as line feeds, and leave out a byte order mark."""
    lines = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    return lines.replace(b"\r", b"\n")


def parse(data: bytes) -> Node:
    """Parse normalized content without an error.

    Raises:
        UnreadableError: Neither grammar reads it, or it is nested too deeply.
    """
    root = parse_with_errors(data)
    if root.has_error:
        raise _syntax_error(root)
    return root


def parse_in_part(data: bytes) -> Node:
    """Parse normalized content; statements of the file may have errors, each within itself.

    The grammars lag behind the language, so a valid file may hold what they do not read. As long as
    all of it lies inside statements of the file, the others begin and end where they seem to.

    Raises:
        UnreadableError: What cannot be read stands between statements, or all of them have errors,
            or it is nested too deeply.
    """
    root = parse_with_errors(data)
    if root.has_error:
        is_between = any(child.is_error or child.is_missing for child in root.children)
        if is_between or root.is_error or all(child.has_error for child in root.named_children):
            raise _syntax_error(root)
    return root


def parse_with_errors(data: bytes) -> Node:
    """Parse normalized content; what neither grammar reads has nodes of errors.

    Words that no grammar knows, and that name nothing, are blank in such a tree; what ends a member
    with its line may be written there.

    Raises:
        UnreadableError: It is nested too deeply.
    """
    root = _parse_by_either_grammar(data)
    for mended in _MENDINGS:
        if not root.has_error:
            break
        readable = mended(data, leaves(root))
        if readable != data:
            data = readable
            root = _parse_by_either_grammar(data)
    return root


def _parse_by_either_grammar(data: bytes) -> Node:
    roots: list[Node] = []
    for grammar in _GRAMMARS:
        root = _parser(grammar).parse(data).root_node
        roots.append(root)
        if not root.has_error:
            break
    # Where no grammar fits, the one that reads more; the first one of equals.
    chosen = min(roots, key=_unread_bytes)
    _refuse_deep_trees(chosen)
    return chosen


def _unread_bytes(root: Node) -> int:
    """Count the bytes of the statements of a file that have errors."""
    if root.is_error:
        return int(root.end_byte)
    return sum(child.end_byte - child.start_byte for child in root.children if child.has_error)


def leaves(root: Node) -> Iterator[Node]:
    """Yield the comments and the nodes without children, in file order."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "comment" or not node.children:
            yield node
        else:
            stack.extend(reversed(node.children))


@lru_cache(maxsize=len(_GRAMMARS))
def _parser(grammar: str) -> Any:
    tree_sitter = importlib.import_module("tree_sitter")
    grammars = importlib.import_module("tree_sitter_typescript")
    language = tree_sitter.Language(getattr(grammars, grammar)())
    return tree_sitter.Parser(language)


def _refuse_deep_trees(root: Node) -> None:
    """Refuse what is nested deeper than any code reader goes.

    Raises:
        UnreadableError: It is.
    """
    level = [root]
    for _ in range(DEEPEST_TREE):
        level = [child for node in level for child in node.children]
        if not level:
            return
    raise UnreadableError(TOO_DEEP)


def _syntax_error(root: Node) -> UnreadableError:
    return UnreadableError(f"line {_first_error_line(root)}: invalid syntax")


def _first_error_line(root: Node) -> int:
    node = root
    while not (node.is_error or node.is_missing):
        faulty = [child for child in node.children if child.has_error or child.is_missing]
        if not faulty:
            break
        node = faulty[0]
    return int(node.start_point[0]) + 1
