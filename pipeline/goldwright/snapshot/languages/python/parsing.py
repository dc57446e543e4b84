"""The bytes of one Python file as a syntax tree and as facts, whatever the bytes are."""

import ast
import importlib
import re
import warnings
from collections.abc import Sequence
from typing import Final

from goldwright.errors import GoldwrightError
from goldwright.snapshot.file_facts import Definition, FileFacts
from goldwright.snapshot.file_guard import TOO_DEEP, TOO_LARGE
from goldwright.snapshot.languages.python.backporting import backport
from goldwright.snapshot.languages.python.decoding import decode_strictly
from goldwright.snapshot.languages.python.definitions import definitions, lines_of
from goldwright.snapshot.languages.python.references import ReferenceCollector
from goldwright.snapshot.languages.python.string_scanning import MalformedSourceError

# In bytes. libcst takes 36 times as long as ``ast`` where positions are wanted (decision 6).
LARGEST_NEWER_FILE: Final = 256 * 1024
# In characters; some messages of the parser quote the source.
_LONGEST_REASON: Final = 160
# Type parameters, type statements and template strings.
_NEWER_SYNTAX: Final = re.compile(
    rb"^[ \t]*(?:(?:async )?def|class) \w+\[|^[ \t]*type \w+|\b[tT][rR]?[\"']", re.MULTILINE
)
# What Python 3.11 says of newer f-strings, and of several exception types without brackets.
_NEWER_MESSAGES: Final = ("f-string", "multiple exception types", "unterminated string")
# What ``ast`` would read nearly to its end, and then again with other rules, before it gives up:
# such files are rewritten first. The search takes 2 % of the time of a parse (measured).
_NEWER_STATEMENT: Final = (
    r"\n[ \t]*+(?:(?:async )?def \w++\[|class \w++\[|type \w++|except\*?+ [^\n(:]*+,"
    r"|lazy (?:import|from) )|[ \n\t(\[{,=:+][tT][rR]?[\"']"
)
_NEWER_TEXT: Final = re.compile(_NEWER_STATEMENT)
_NEWER_DATA: Final = re.compile(_NEWER_STATEMENT.encode())


# A hexadecimal number of 3,570 digits has 4,300 in decimals, Python's limit for writing one.
_LONG_NUMBER: Final = r"0[xXoObB][0-9a-fA-F_]{3500}"
_LONG_TEXT: Final = re.compile(_LONG_NUMBER)
_LONG_DATA: Final = re.compile(_LONG_NUMBER.encode())


class UnparsableError(GoldwrightError):
    """A file is no Python that this interpreter can read; the text says why, in one line."""


def parse_module(source: bytes | str) -> ast.Module:
    """Parse Python source; what is newer than this interpreter is rewritten, line by line.

    Raises:
        UnparsableError: It does not parse.
    """
    if _looks_newer(source):
        tree = _parse_backported(source)
        if tree is not None:
            return tree
    try:
        return parse_strictly(source)
    except UnparsableError:
        tree = _parse_backported(source)
        if tree is None:
            raise
        return tree


def _refuse_endless_numbers(tree: ast.Module, source: bytes | str) -> None:
    """Refuse a number that Python itself would not write in decimals, whoever meets it later.

    Raises:
        UnparsableError: It holds one.
    """
    long_number = (
        _LONG_DATA.search(source) if isinstance(source, bytes) else _LONG_TEXT.search(source)
    )
    # Most long rows of digits stand in strings, so the tree decides.
    if long_number is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            try:
                str(node.value)
            except ValueError as error:
                raise UnparsableError(f"line {node.lineno}: a number of too many digits") from error


def parse_strictly(source: bytes | str) -> ast.Module:
    """Parse Python source of this interpreter's own version.

    Raises:
        UnparsableError: It does not parse.
    """
    try:
        with warnings.catch_warnings():
            # Strange escapes in the code of others are no business of our stderr.
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            _refuse_endless_numbers(tree, source)
            return tree
    except SyntaxError as error:
        reason = _one_line(error.msg)
        if error.lineno:
            reason = f"line {error.lineno}: {reason}"
        raise UnparsableError(reason) from error
    except RecursionError as error:
        raise UnparsableError(TOO_DEEP) from error
    except MemoryError as error:
        raise UnparsableError(TOO_LARGE) from error
    except (ValueError, LookupError) as error:
        raise UnparsableError(_one_line(str(error))) from error


def _looks_newer(source: bytes | str) -> bool:
    if isinstance(source, bytes):
        return _NEWER_DATA.search(source) is not None
    return _NEWER_TEXT.search(source) is not None


def _parse_backported(source: bytes | str) -> ast.Module | None:
    """Parse what newer source becomes as older source; None where that does not help."""
    try:
        text = decode_strictly(source) if isinstance(source, bytes) else source
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        older_text = backport(text)
        if older_text == text:
            # It is parsed as it came, in bytes: an error then says what the interpreter says.
            return None
        return parse_strictly(older_text)
    except (MalformedSourceError, UnparsableError, UnicodeError, LookupError, SyntaxError):
        return None


def read_facts(data: bytes) -> FileFacts:
    """Collect definitions and references; the facts of a file that does not parse say why."""
    try:
        module = parse_module(data)
        module_definitions = definitions(module, lines_of(data))
        collector = ReferenceCollector(_top_level_names(module_definitions))
        return collector.collect(module, tuple(module_definitions))
    except UnparsableError as error:
        return FileFacts(reason=str(error))
    except RecursionError:
        return FileFacts(reason=TOO_DEEP)


def read_newer_facts(data: bytes) -> FileFacts:
    """Collect the definitions of a file that only libcst can read.

    Its parser can overflow the stack of the process on hostile input, so call this in a worker.
    """
    # libcst takes a fifth of a second to load, and hardly any codebase needs it here.
    newer_syntax = importlib.import_module("goldwright.snapshot.languages.python.newer_syntax")
    newer: list[Definition] = newer_syntax.newer_definitions(data)
    if not newer:
        return FileFacts(reason="libcst cannot parse it either")
    return FileFacts(tuple(newer))


def may_be_newer(data: bytes, reason: str) -> bool:
    """Return whether a file that does not parse looks like Python newer than this interpreter."""
    # libcst overflows the stack of its process on what is nested too deeply for ``ast``.
    if len(data) > LARGEST_NEWER_FILE or "nested parentheses" in reason:
        return False
    if reason in (TOO_DEEP, TOO_LARGE):
        return False
    if any(message in reason for message in _NEWER_MESSAGES):
        return True
    return _NEWER_SYNTAX.search(data) is not None


def _top_level_names(module_definitions: Sequence[Definition]) -> set[str]:
    names: set[str] = set()
    for definition in module_definitions:
        if "." not in definition.name:
            names.add(definition.name)
    return names


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_REASON]
