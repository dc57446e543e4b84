"""Every chunker by name."""

from collections.abc import Mapping
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.chunkers.code_budget import CodeBudgetChunker
from goldwright.retrieval.chunkers.entity_chunks import EntityChunker
from goldwright.retrieval.chunkers.html_sections import HtmlSectionChunker
from goldwright.retrieval.chunkers.markdown_sections import MarkdownSectionChunker
from goldwright.retrieval.chunkers.port import Chunker
from goldwright.retrieval.chunkers.speaker_turns import SpeakerTurnChunker
from goldwright.retrieval.chunkers.token_windows import TokenWindowChunker
from goldwright.retrieval.chunkers.whole_documents import WholeDocumentChunker

_ALL: Final[tuple[Chunker, ...]] = (
    EntityChunker(),
    CodeBudgetChunker(512),
    TokenWindowChunker(512, 50),
    TokenWindowChunker(1024, 100),
    WholeDocumentChunker(),
    MarkdownSectionChunker(),
    HtmlSectionChunker(),
    SpeakerTurnChunker(),
)
CHUNKERS: Final[Mapping[str, Chunker]] = {chunker.name: chunker for chunker in _ALL}


def find_chunker(name: str) -> Chunker:
    """Find a chunker.

    Raises:
        InputError: No chunker has this name.
    """
    if name not in CHUNKERS:
        names = ", ".join(CHUNKERS)
        raise InputError(f"{name}: no chunker; wanted one of {names}")
    return CHUNKERS[name]
