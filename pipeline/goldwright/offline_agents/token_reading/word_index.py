"""The lines of a file by what stands on them: its words, plain strings and texts."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

from goldwright.offline_agents.token_reading.string_text import plain_value, string_text
from goldwright.offline_agents.token_reading.token_lines import TokenLine, read_token_lines
from goldwright.snapshot import Snapshot
from goldwright.snapshot.file_guard import guarded

# Several facts about one neighbourhood look through the same files.
_FILES_IN_MEMORY: Final = 32


@lru_cache(maxsize=_FILES_IN_MEMORY)
def lines_of_file(snapshot: Snapshot, path: str) -> tuple[TokenLine, ...]:
    """Give all lines of a file; none where its tokens cannot be read."""

    def read() -> tuple[TokenLine, ...]:
        return read_token_lines(snapshot.source(path).lines, 1, "")

    return guarded(snapshot, path, "reading its tokens", read, ())


@lru_cache(maxsize=_FILES_IN_MEMORY)
def lines_by_word(snapshot: Snapshot, path: str) -> Mapping[str, tuple[TokenLine, ...]]:
    """Give the lines of a file by their tokens, with and without quotation marks."""
    file_lines = lines_of_file(snapshot, path)
    return _lines_by_name((line, _words_on(line)) for line in file_lines)


def _words_on(line: TokenLine) -> set[str]:
    words = line.line.words()
    bare_words = {word.strip("\"'") for word in words}
    return {*words, *bare_words}


@lru_cache(maxsize=_FILES_IN_MEMORY)
def lines_by_value(snapshot: Snapshot, path: str) -> Mapping[str, tuple[TokenLine, ...]]:
    """Give the lines of a file by the texts of their plain strings."""
    file_lines = lines_of_file(snapshot, path)
    return _lines_by_name((line, _values_on(line)) for line in file_lines)


def _values_on(line: TokenLine) -> set[str | None]:
    return {plain_value(token) for token in line.line.tokens} - {None}


@lru_cache(maxsize=_FILES_IN_MEMORY)
def lines_with_texts(snapshot: Snapshot, path: str) -> tuple[tuple[TokenLine, str], ...]:
    """Give the lines of a file, each with the texts of its strings."""
    file_lines = lines_of_file(snapshot, path)
    return tuple((line, string_text(line.line)) for line in file_lines)


def _lines_by_name(
    names_of: Iterable[tuple[TokenLine, Collection[str | None]]],
) -> dict[str, tuple[TokenLine, ...]]:
    lines: dict[str, list[TokenLine]] = {}
    for line, names in names_of:
        for name in names:
            if name is not None:
                lines.setdefault(name, []).append(line)
    return {name: tuple(of_name) for name, of_name in lines.items()}
