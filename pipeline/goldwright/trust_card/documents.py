"""The classes and functions of a codebase as documents of a lexical search."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from goldwright.trust_card.search import LexicalIndex, Terms, search_terms
from goldwright.trust_card.source.codebase import CodeReading
from goldwright.trust_card.source.modules import CodeDefinition, ModuleReading

_AFTER_SENTENCE: Final = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class CodeDocument:
    """The terms of one class or function.

    Attributes:
        entity_id: What is described.
        code: The terms of its path, its name and its lines without docstrings; of a class without
            those of its members.
        docstrings: The terms of the docstrings in these lines.
    """

    entity_id: str
    code: Terms
    docstrings: Terms


class CodeSearch:
    """Searches over a codebase: with docstrings, without them, and over docstrings alone."""

    def __init__(self, code: CodeReading) -> None:
        self._code = code

    @property
    def whole(self) -> LexicalIndex:
        """Over everything."""
        return self._indexes[0]

    @property
    def without_docstrings(self) -> LexicalIndex:
        """Over everything but docstrings."""
        return self._indexes[1]

    @cached_property
    def first_sentences(self) -> LexicalIndex:
        """Over the first sentence of every docstring, and nothing else."""
        index = LexicalIndex()
        for definition in self._code.definitions():
            if definition.docstring:
                sentence = first_sentence(definition.docstring)
                index.add(definition.entity_id, Counter(search_terms(sentence)))
        return index

    @cached_property
    def _indexes(self) -> tuple[LexicalIndex, LexicalIndex]:
        """Both indexes from one reading: the documents of a large codebase are not kept."""
        full_index = LexicalIndex()
        without_docstrings = LexicalIndex()
        for path, module in self._code.modules.items():
            for document in _documents_of(module, self._code.lines(path)):
                full_index.add(document.entity_id, document.code + document.docstrings)
                without_docstrings.add(document.entity_id, document.code)
        return full_index, without_docstrings


def first_sentence(docstring: str) -> str:
    """The docstring up to the end of its first sentence or paragraph, on one line."""
    paragraph = docstring.strip().partition("\n\n")[0]
    sentence = _AFTER_SENTENCE.split(paragraph, maxsplit=1)[0]
    return " ".join(sentence.split())


def _documents_of(module: ModuleReading, lines: Sequence[str]) -> Iterator[CodeDocument]:
    # Each line is split once for all definitions around it.
    line_terms = [list(search_terms(line)) for line in lines]
    docstring_lines = set(_docstring_lines(module))
    member_lines = _member_lines(module)
    for definition in module.definitions:
        name_and_path = f"{definition.path} {definition.name}"
        code = Counter(search_terms(name_and_path))
        docstrings: Terms = Counter()
        elsewhere = member_lines.get(definition.entity_id, set())
        for number in _line_numbers(definition, len(lines)):
            terms = line_terms[number - 1]
            if number in elsewhere:
                continue
            if number in docstring_lines:
                docstrings.update(terms)
            else:
                code.update(terms)
        yield CodeDocument(definition.entity_id, code, docstrings)


def _line_numbers(definition: CodeDefinition, line_count: int) -> range:
    # Python counts a form feed in a string as a line end where the snapshot does not.
    last_line = min(definition.span.last, line_count)
    return range(definition.span.first, last_line + 1)


def _docstring_lines(module: ModuleReading) -> Iterator[int]:
    for definition in module.definitions:
        span = definition.docstring_span
        if span is not None:
            yield from range(span.first, span.last + 1)


def _member_lines(module: ModuleReading) -> dict[str, set[int]]:
    """The lines of the members of each class, by its id."""
    member_lines: dict[str, set[int]] = {}
    for definition in module.definitions:
        if definition.in_class:
            class_id = f"{module.path}::{definition.owner_name}"
            span = definition.span
            class_lines = member_lines.setdefault(class_id, set())
            class_lines.update(range(span.first, span.last + 1))
    return member_lines
