"""A document as one chunk."""

from collections.abc import Sequence

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument, make_chunk


class WholeDocumentChunker:
    """Leaves documents whole; what an embedder does not read of a long one is lost to it."""

    name = "document"

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Give the document."""
        if not document.lines:
            return []
        numbers = range(1, len(document.lines) + 1)
        return [make_chunk(document, numbers, title=document.path)]
