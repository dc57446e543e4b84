"""Code by its structure, packed up to a budget."""

from collections.abc import Iterator, Sequence

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument
from goldwright.retrieval.chunkers.token_windows import TokenWindowChunker
from goldwright.retrieval.source_tokens import count_tokens
from goldwright.snapshot.entities import Entity

# Line numbers from 1, the last one included.
_Block = tuple[int, int]


class CodeBudgetChunker:
    """Packs neighbouring definitions into chunks of a size; opens what is larger at its members.

    A function that is larger than the budget is cut at lines.

    Source: the split-then-merge of Y. Zhang et al., "cAST: Enhancing Code Retrieval-Augmented
    Generation with Structural Chunking via Abstract Syntax Tree" (2025), over entities in place of
    syntax nodes.
    """

    def __init__(self, size: int) -> None:
        self.name = f"code-{size}"
        self._size = size
        self._windows = TokenWindowChunker(size, 0)

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Cut a document."""
        if not document.lines:
            return []
        sizes = [count_tokens(line) for line in document.lines]
        chunks: list[Chunk] = []
        packed: list[int] = []
        for first, last in self._blocks(document, (1, len(document.lines)), sizes):
            block = range(first, last + 1)
            if packed and _total(sizes, [*packed, *block]) > self._size:
                chunks.extend(self._windows.windows(document, packed, sizes))
                packed = []
            packed.extend(block)
        chunks.extend(self._windows.windows(document, packed, sizes))
        return chunks

    def _blocks(
        self, document: SourceDocument, block: _Block, sizes: Sequence[int]
    ) -> Iterator[_Block]:
        """Yield consecutive blocks that are no larger than the budget where they can be opened."""
        first, last = block
        members = list(_outermost(document.entities, block))
        if not members:
            yield block
            return
        place = first
        for member in members:
            if member[0] > place:
                yield (place, member[0] - 1)
            if _total(sizes, range(member[0], member[1] + 1)) > self._size:
                yield from self._blocks(document, member, sizes)
            else:
                yield member
            place = member[1] + 1
        if place <= last:
            yield (place, last)


def _outermost(entities: Sequence[Entity], block: _Block) -> Iterator[_Block]:
    """Yield the widest definitions that lie inside a block, without those inside others."""
    block_first, block_last = block
    spans = {(span.first, span.last) for entity in entities for span in entity.spans}
    spans.discard(block)
    inside = [(first, last) for first, last in spans if block_first <= first and last <= block_last]
    # Of those with the same first line, the widest comes first.
    inside.sort(key=lambda span: (span[0], -span[1]))
    end = 0
    for first, last in inside:
        if first > end:
            yield (first, last)
            end = last


def _total(sizes: Sequence[int], numbers: Sequence[int]) -> int:
    return sum(sizes[number - 1] for number in numbers)
