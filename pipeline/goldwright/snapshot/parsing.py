"""One file's bytes to its facts, whatever the bytes are."""

import ast
import gc
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from goldwright.errors import GoldwrightError
from goldwright.snapshot.facts import Definition, FileFacts
from goldwright.snapshot.references import Collector
from goldwright.snapshot.symbols import Row, definitions

LARGEST_NEWER_FILE: Final = 256 * 1024


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
        collector = Collector(name for name, _, _, _ in rows if "." not in name)
        collector.module(module)
        return collector.facts(tuple(Definition(*row) for row in rows))
    except UnparsableError as error:
        newer = _newer_rows(data) if isinstance(error.__cause__, SyntaxError) else []
        if newer:
            return FileFacts(tuple(Definition(*row) for row in newer))
        return FileFacts(reason=str(error))
    except RecursionError:
        return FileFacts(reason="nested too deeply to index")


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the garbage collector away from the many short-lived nodes of a parse, which hold no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _lines(data: bytes) -> Sequence[bytes]:
    if b"\r" not in data:
        return data.split(b"\n")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")


def _newer_rows(data: bytes) -> list[Row]:
    """The definitions of a file whose syntax only libcst knows; none when it does not parse there either."""
    if len(data) > LARGEST_NEWER_FILE:
        return []
    from goldwright.snapshot.newer import newer_definitions  # libcst takes a fifth of a second to load

    return newer_definitions(data)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:160]
