"""The classes and functions of a codebase as documents of a lexical search."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from goldwright.trust_card.search import LexicalIndex, Terms, search_terms
from goldwright.trust_card.source.codebase import CodeReading
from goldwright.trust_card.source.modules import CodeDefinition, ModuleReading


@dataclass(frozen=True, slots=True)
class CodeDocument:
    """The terms of one class or function.

    Attributes:
        definition: What is described.
        code: The terms of its path, its name and its lines without docstrings; of a class without
            those of its members.
        docstrings: The terms of the docstrings in these lines.
    """

    definition: CodeDefinition
    code: Terms
    docstrings: Terms


class CodeSearch:
    """Searches over a codebase: with docstrings, without them, and over docstrings alone."""

    def __init__(self, code: CodeReading) -> None:
        self._code = code

    @cached_property
    def whole(self) -> LexicalIndex:
        """Over everything."""
        return LexicalIndex(
            (document.definition.entity_id, document.code + document.docstrings)
            for document in self._documents
        )

    @cached_property
    def without_docstrings(self) -> LexicalIndex:
        """Over everything but docstrings."""
        return LexicalIndex(
            (document.definition.entity_id, document.code) for document in self._documents
        )

    @cached_property
    def first_sentences(self) -> LexicalIndex:
        """Over the first sentence of every docstring, and nothing else."""
        return LexicalIndex(
            (definition.entity_id, Counter(search_terms(first_sentence(definition.docstring))))
            for definition in self._code.definitions()
            if definition.docstring
        )

    @cached_property
    def _documents(self) -> Sequence[CodeDocument]:
        documents: list[CodeDocument] = []
        for path, module in self._code.modules.items():
            documents.extend(_documents_of(module, self._code.lines(path)))
        return documents


def first_sentence(docstring: str) -> str:
    """The docstring up to the end of its first sentence or paragraph."""
    paragraph = docstring.strip().partition("\n\n")[0]
    sentence = re.split(r"(?<=[.!?])\s", paragraph, maxsplit=1)[0]
    return " ".join(sentence.split())


def _documents_of(module: ModuleReading, lines: Sequence[str]) -> Iterator[CodeDocument]:
    # By line number, from 1; each line is split once for all definitions around it.
    line_terms = [[], *(list(search_terms(line)) for line in lines)]
    docstring_lines = set(_docstring_lines(module))
    members = _member_lines(module)
    for definition in module.definitions:
        code = Counter(search_terms(f"{definition.path} {definition.name}"))
        docstrings: Terms = Counter()
        for number in range(definition.span.first, definition.span.last + 1):
            # Lines that no line of the snapshot has come from a form feed inside a string.
            if number >= len(line_terms) or number in members.get(definition.entity_id, ()):
                continue
            terms = docstrings if number in docstring_lines else code
            terms.update(line_terms[number])
        yield CodeDocument(definition, code, docstrings)


def _docstring_lines(module: ModuleReading) -> Iterator[int]:
    for definition in module.definitions:
        span = definition.docstring_span
        if span is not None:
            yield from range(span.first, span.last + 1)


def _member_lines(module: ModuleReading) -> dict[str, set[int]]:
    """The lines of the members of each class, by its id."""
    members: dict[str, set[int]] = {}
    for definition in module.definitions:
        if definition.in_class:
            class_id = f"{module.path}::{definition.owner_name}"
            span = definition.span
            members.setdefault(class_id, set()).update(range(span.first, span.last + 1))
    return members
