"""One file's bytes to its facts, whatever the bytes are."""

import ast
import importlib
import re
import warnings
from collections.abc import Sequence
from typing import Final

from goldwright.errors import GoldwrightError
from goldwright.snapshot.file_facts import Definition, FileFacts
from goldwright.snapshot.python.definitions import Row, definitions
from goldwright.snapshot.python.references import ReferenceCollector

LARGEST_NEWER_FILE: Final = 256 * 1024
# Type parameters, type statements and template strings; then what 3.11 says of newer f-strings and
# excepts.
_NEWER_SYNTAX: Final = re.compile(
    rb"^[ \t]*(?:(?:async )?def|class) \w+\[|^[ \t]*type \w+|\b[tT][rR]?[\"']", re.MULTILINE
)
_NEWER_MESSAGES: Final = ("f-string", "multiple exception types", "unterminated string")


class UnparsableError(GoldwrightError):
    """A file that is no Python this program can read; the text says why, in one line."""


def parse_module(data: bytes) -> ast.Module:
    """Parse Python source.

    Raises:
        UnparsableError: It does not parse.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        raise UnparsableError(f"{place}{_one_line(error.msg)}") from error
    except RecursionError as error:
        raise UnparsableError("nested too deeply to parse") from error
    except MemoryError as error:
        raise UnparsableError("too large to parse") from error
    except (ValueError, LookupError) as error:
        raise UnparsableError(_one_line(str(error))) from error


def read_facts(data: bytes) -> FileFacts:
    """Parse a file and collect its definitions and references; a file that does not parse says why."""
    try:
        module = parse_module(data)
        rows = definitions(module, _lines(data))
        collector = ReferenceCollector(name for name, _, _, _ in rows if "." not in name)
        return collector.collect(module, tuple(Definition(*row) for row in rows))
    except UnparsableError as error:
        return FileFacts(reason=str(error))
    except RecursionError:
        return FileFacts(reason="nested too deeply to index")


def _lines(data: bytes) -> Sequence[bytes]:
    if b"\r" not in data:
        return data.split(b"\n")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")


def read_newer_facts(data: bytes) -> FileFacts:
    """Collect the definitions of a file whose syntax only libcst knows.

    Its parser can overflow the stack of the process on hostile input, so call this in a worker.
    """
    # libcst takes a fifth of a second to load, and hardly any codebase needs it here.
    newer = importlib.import_module("goldwright.snapshot.python.newer_syntax")
    rows: list[Row] = newer.newer_definitions(data)
    return FileFacts(
        tuple(Definition(*row) for row in rows),
        reason="" if rows else "libcst cannot parse it either",
    )


def may_be_newer(data: bytes, reason: str) -> bool:
    """Tell whether a file that does not parse looks like Python newer than this interpreter."""
    if len(data) > LARGEST_NEWER_FILE or "nested parentheses" in reason:
        return False
    return any(word in reason for word in _NEWER_MESSAGES) or _NEWER_SYNTAX.search(data) is not None


def _one_line(text: str) -> str:
    return " ".join(text.split())[:160]
