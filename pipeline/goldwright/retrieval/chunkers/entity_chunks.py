"""Code by entity: a chunk for each function and method, and what is left of classes and module."""

from collections.abc import Sequence

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument, make_chunk


class EntityChunker:
    """Gives each line to the outermost function around it, else to its class, else to the module.

    So a nested function stays with the function that holds it, and the chunk of a class is its
    header, docstring and class-level statements.
    """

    name = "entity"

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Cut a document; without entities it stays whole."""
        owner_of = [document.path] * len(document.lines)
        # Wide entities first, so that what stands inside has the last word.
        for kind in ("class", "function"):
            for entity in self._of_kind(document, kind):
                for first, last in entity:
                    owners = [entity.title] * (last - first + 1)
                    owner_of[first - 1 : last] = owners
        numbers_of: dict[str, list[int]] = {}
        for number, owner in enumerate(owner_of, start=1):
            numbers_of.setdefault(owner, []).append(number)
        return [make_chunk(document, numbers, title=owner) for owner, numbers in numbers_of.items()]

    def _of_kind(self, document: SourceDocument, kind: str) -> Sequence["_LineRanges"]:
        line_ranges = []
        for entity in document.entities:
            is_function = entity.kind in {"function", "method"}
            if (entity.kind == "class") if kind == "class" else is_function:
                spans = [(span.first, span.last) for span in entity.spans]
                line_ranges.append(_LineRanges(entity.entity_id, spans))
        # Outer classes before inner ones; outer functions after inner ones, which they take in.
        line_ranges.sort(key=_LineRanges.size, reverse=kind == "class")
        return line_ranges


class _LineRanges(list[tuple[int, int]]):
    """The lines of an entity under its id."""

    def __init__(self, title: str, spans: Sequence[tuple[int, int]]) -> None:
        super().__init__(spans)
        self.title = title

    def size(self) -> int:
        """The number of lines."""
        return sum(last - first + 1 for first, last in self)
