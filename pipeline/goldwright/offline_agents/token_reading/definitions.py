"""What the Adversary can look at: definitions by their names, and words anywhere."""

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

from goldwright.agents.tools.outputs import SearchOutput
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.token_reading.definition_search import locate
from goldwright.offline_agents.token_reading.paged_reading import read_span
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.offline_agents.token_reading.token_lines import TokenLine, read_token_lines
from goldwright.offline_agents.token_reading.word_index import (
    lines_by_value,
    lines_by_word,
    lines_of_file,
    lines_with_texts,
)
from goldwright.records import FileRange
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Span, split_entity_id
from goldwright.snapshot.file_guard import FileMaterial
from goldwright.snapshot.product_code import is_product_code

# The longest words of a text stand on the fewest lines; each costs a search.
MOST_SEARCHED_WORDS: Final = 4

# A message may go over lines, with values in between.
_BETWEEN_WORDS: Final = "(?s:.{0,200})"
_LONG_WORD: Final = re.compile(r"[^\W\d]\w{3,}")
_WORD: Final = re.compile(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class TokenDefinition(FileMaterial):
    """A definition as lines of tokens.

    Attributes:
        entity_id: Its id.
        path: Its file.
        name: Its qualified name.
        lines: Its lines of code, what is defined inside it included.
    """

    entity_id: str
    path: str
    name: str
    lines: tuple[TokenLine, ...]

    @property
    def own_lines(self) -> tuple[TokenLine, ...]:
        """Its lines without those of definitions inside it."""
        return tuple(line for line in self.lines if line.owner == self.name)

    @property
    def range(self) -> FileRange:
        """From its first line to its last."""
        last = max(line.last for line in self.lines)
        return FileRange(file=self.path, start=self.lines[0].first, end=last)

    def at(self, line: TokenLine) -> FileRange:
        """Give the place of one of its lines."""
        return FileRange(file=self.path, start=line.first, end=line.last)


@dataclass(frozen=True, slots=True)
class WordUse:
    """A line of code that holds a word.

    Attributes:
        path: The file.
        owner: The qualified name of the innermost definition around it; empty for the module.
        line: The line of code.
        is_product_code: Whether the file is the project's own running code.
    """

    path: str
    owner: str
    line: TokenLine
    is_product_code: bool

    @property
    def entity_id(self) -> str:
        """The id of the definition around it."""
        return f"{self.path}::{self.owner}"

    @property
    def range(self) -> FileRange:
        """The place of the line."""
        return FileRange(file=self.path, start=self.line.first, end=self.line.last)

    def is_product_subclass(self, word: str) -> bool:
        """Find out whether it begins a class of product code with a word behind the name."""
        words = self.line.line.words()
        behind_name = words[2:]
        return self.is_product_code and words[0] == "class" and word in behind_name


class TokenCodebase:
    """Reads definitions and searches words through the tools of one piece of work."""

    def __init__(self, snapshot: Snapshot, toolset: Toolset, entity_ids: Sequence[str]) -> None:
        """Read the expected entities.

        Args:
            snapshot: The codebase.
            toolset: The tools through which everything is read.
            entity_ids: The entities that an answer expects.
        """
        self._snapshot = snapshot
        self._toolset = toolset
        self.definitions: list[TokenDefinition] = []
        for entity_id in entity_ids:
            self.definitions.extend(self._read(entity_id))

    def limited_to(self, cited: Sequence[FileRange]) -> "TokenCodebase":
        """Give the same codebase in which definitions have their heads and the cited lines."""
        limited = copy(self)
        limited.definitions = []
        for definition in self.definitions:
            head, *body = definition.lines
            cited_lines = [line for line in body if _is_cited(definition.at(line), cited)]
            limited.definitions.append(replace(definition, lines=(head, *cited_lines)))
        return limited

    def named(self, name: str) -> tuple[TokenDefinition, ...]:
        """Give the expected definitions with a qualified name.

        A method counts where its class is expected: it stands in what was read.
        """
        expected = tuple(definition for definition in self.definitions if definition.name == name)
        return expected or tuple(self._members(name))

    def definitions_around(self, use: WordUse) -> list[TokenDefinition]:
        """List the expected definitions of which a line is part: as a rule one."""
        definitions = self.named(use.owner)
        return [definition for definition in definitions if definition.path == use.path]

    def uses_of(self, word: str) -> tuple[WordUse, ...] | None:
        """List the lines of code anywhere that hold a word as a token; None where too many do."""
        pattern = rf"\b{re.escape(word)}\b"
        hits = self._toolset.search(pattern)
        return self._uses_on(hits, word)

    def uses_in_importing_files(self, word: str) -> tuple[WordUse, ...] | None:
        """List the lines that hold a word, in files that import it; None where too many do."""
        pattern = rf"^\s*(?:from|import)\s.*\b{re.escape(word)}\b"
        hits = self._toolset.search(pattern)
        return self._uses_on(hits, word)

    def subclass_lines(self, word: str) -> tuple[WordUse, ...] | None:
        """List the ``class`` lines that hold a word behind their own name; None for too many."""
        pattern = rf"^\s*class\s+\w+.*\b{re.escape(word)}\b"
        hits = self._toolset.search(pattern)
        return self._uses_on(hits, word)

    def _uses_on(self, hits: SearchOutput, word: str) -> tuple[WordUse, ...] | None:
        if hits.truncated:
            return None
        paths = dict.fromkeys(hit.path for hit in hits.hits)
        uses: list[WordUse] = []
        for path in paths:
            if path in self._snapshot.source_files:
                uses.extend(self._uses_in(path, word))
        return tuple(uses)

    def comments_of(self, definition: TokenDefinition) -> tuple[tuple[int, str], ...]:
        """List the comments on lines of their own inside a definition, with their line numbers."""
        place = definition.range
        file_lines = self._snapshot.source(place.file).lines
        source_lines = file_lines[place.start - 1 : place.end]
        comments: list[tuple[int, str]] = []
        for number, line in enumerate(source_lines, start=place.start):
            stripped_line = line.strip()
            if stripped_line[:1] == "#":
                text = stripped_line[1:].strip()
                comments.append((number, text))
        return tuple(comments)

    def comment_above(self, definition: TokenDefinition, line: int) -> tuple[str, int]:
        """Join the comment lines right above a line; with the number of the first of them."""
        comments = dict(self.comments_of(definition))
        first = line
        while first - 1 in comments:
            first -= 1
        words: list[str] = []
        for number in range(first, line):
            text = comments[number].lstrip("#")
            words.extend(text.split())
        return " ".join(words), first

    def first_string(self, definition: TokenDefinition) -> tuple[str, FileRange]:
        """Give the text with which the file of a definition begins, and the lines of it.

        Returns:
            An empty text where code comes first.
        """
        file_lines = lines_of_file(self._snapshot, definition.path)
        if not file_lines:
            return "", definition.range
        first = file_lines[0]
        is_string = first.keyword[-1:] in {'"', "'"}
        text = string_text(first.line) if is_string else ""
        return text, definition.at(first)

    def has_product_definition(self, word: str, *, is_method: bool) -> bool | None:
        """Find out whether product code defines a function or class so named; None for too many.

        Args:
            word: The name.
            is_method: Whether it is defined inside a class or function, or at the left margin.
        """
        margin = r"\s+" if is_method else ""
        escaped_word = re.escape(word)
        pattern = rf"^{margin}(?:async\s+)?(?:def|class)\s+{escaped_word}\b"
        hits = self._toolset.search(pattern)
        if any(is_product_code(self._snapshot, hit.path) for hit in hits.hits):
            return True
        return None if hits.truncated else False

    def uses_of_literal(self, text: str) -> tuple[WordUse, ...] | None:
        """List the lines of code anywhere with a string of exactly this text; None for too many."""
        # Whole words: of a large codebase, only the files that hold them are searched then.
        pattern = ""
        if text.isascii():
            pattern = _WORD.sub(r"\\b\g<0>\\b", re.escape(text))
        hits = self._toolset.search(pattern or text, literal=not pattern)
        if hits.truncated:
            return None
        uses: list[WordUse] = []
        for path in dict.fromkeys(hit.path for hit in hits.hits):
            if path in self._snapshot.source_files:
                uses.extend(self._literals_in(path, text))
        return tuple(uses)

    def uses_of_text(self, parts: Sequence[str]) -> tuple[WordUse, ...] | None:
        """List the lines of code anywhere whose strings hold some texts, one behind the other.

        Returns:
            None where each word of the texts stands on no line, or on too many to be looked at.
        """
        words = [word for part in parts for word in _LONG_WORD.findall(part)]
        longest = sorted(set(words), key=_longest_first)[:MOST_SEARCHED_WORDS]
        single = _as_patterns(longest)
        # Where each word is a common one, the first that follow one another are not.
        together = _BETWEEN_WORDS.join(_as_patterns(words[:MOST_SEARCHED_WORDS]))
        for pattern in (*single, together):
            hits = self._toolset.search(pattern)
            # A word may be part of a longer one where the text is cut.
            if hits.hits and not hits.truncated:
                paths = dict.fromkeys(hit.path for hit in hits.hits)
                source_paths = (path for path in paths if self._has_words(path, words))
                return tuple(use for path in source_paths for use in self._texts_in(path, parts))
        return None

    def _has_words(self, path: str, words: Sequence[str]) -> bool:
        """Find out whether a file of code holds all of some words: its tokens take longer."""
        if path not in self._snapshot.source_files:
            return False
        text = self._snapshot.source(path).text
        # Other letters may be escaped.
        return all(word in text for word in words if word.isascii())

    def class_headers(self, name: str) -> tuple[WordUse, ...] | None:
        """List the lines anywhere that begin a class of this simple name; None for too many."""
        pattern = rf"^\s*class\s+{re.escape(name)}\b"
        hits = self._toolset.search(pattern)
        if hits.truncated:
            return None
        headers: list[WordUse] = []
        for path in dict.fromkeys(hit.path for hit in hits.hits):
            if path in self._snapshot.source_files:
                uses = self._uses_in(path, name)
                headers.extend(use for use in uses if _begins_class(use, name))
        return tuple(headers)

    def _texts_in(self, path: str, parts: Sequence[str]) -> Iterator[WordUse]:
        parts_in_order = ".*".join(map(re.escape, parts))
        pattern = re.compile(parts_in_order)
        for line, text in lines_with_texts(self._snapshot, path):
            if pattern.search(text):
                yield self._use(path, line)

    def _literals_in(self, path: str, text: str) -> Iterator[WordUse]:
        for line in lines_by_value(self._snapshot, path).get(text, ()):
            yield self._use(path, line)

    def _members(self, name: str) -> Iterator[TokenDefinition]:
        class_name = name.rpartition(".")[0]
        for definition in self.definitions:
            if not class_name or definition.name != class_name:
                continue
            lines = [line for line in definition.lines if f"{line.owner}.".startswith(f"{name}.")]
            if lines:
                entity_id = f"{definition.path}::{name}"
                yield TokenDefinition(entity_id, definition.path, name, tuple(lines))

    def _use(self, path: str, line: TokenLine) -> WordUse:
        return WordUse(path, line.owner, line, is_product_code(self._snapshot, path))

    def _uses_in(self, path: str, word: str) -> Iterator[WordUse]:
        for line in lines_by_word(self._snapshot, path).get(word, ()):
            yield self._use(path, line)

    def _read(self, entity_id: str) -> Iterator[TokenDefinition]:
        path, name = split_entity_id(entity_id)
        if not name or not self._snapshot.has_text(path):
            return
        source_lines = self._snapshot.source(path).lines
        outer_name = name.rpartition(".")[0]
        for span in locate(source_lines, name) or self._indexed(entity_id):
            page = read_span(self._toolset, path, span)
            lines = read_token_lines(page, span.first, outer_name)
            if lines and lines[0].keyword not in {"@", "def", "class"}:
                lines = read_token_lines(page, span.first, name)
            if lines:
                yield TokenDefinition(entity_id, path, name, lines)

    def _indexed(self, entity_id: str) -> tuple[Span, ...]:
        """Take the index's word where the text alone does not show the definition."""
        entity = self._snapshot.entity(entity_id)
        return entity.spans if entity else ()


def _is_cited(place: FileRange, cited: Sequence[FileRange]) -> bool:
    in_file = [lines for lines in cited if lines.file == place.file]
    return any(_overlap(lines, place) for lines in in_file)


def _longest_first(word: str) -> tuple[int, str]:
    return -len(word), word


def _overlap(lines: FileRange, place: FileRange) -> bool:
    """Find out whether two ranges of one file have a line in common."""
    return lines.start <= place.end and place.start <= lines.end


def _as_patterns(words: Iterable[str]) -> Iterator[str]:
    """Yield what whole words are searched by."""
    return (rf"\b{word}\b" for word in words)


def _begins_class(use: WordUse, name: str) -> bool:
    """Find out whether a line begins the class of a name."""
    first_words = use.line.line.words()[:2]
    return first_words == ["class", name]
