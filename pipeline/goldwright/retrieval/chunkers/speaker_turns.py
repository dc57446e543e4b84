"""Transcripts by who speaks."""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument, make_chunk
from goldwright.retrieval.source_tokens import count_tokens

# ``Ada:``, ``[00:12:03] Ada Lovelace:`` or ``**Ada**:`` at the start of a line: one to four words
# with a capital or of digits, so that no sentence with a colon is taken for a speaker.
_TURN: Final = re.compile(
    r"\s*(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?[\])]?\s*[-–]?\s*)?"
    r"\**(?P<speaker>(?:[A-Z0-9][\w.'-]*)(?:\s+[A-Z0-9][\w.'-]*){0,3})\**\s*:\**(?:\s|$)"
)


class SpeakerTurnChunker:
    """Packs whole turns up to a size; a turn that is longer is a chunk of its own.

    A chunk is called by those who speak in it. Without any speaker the document stays whole.
    """

    def __init__(self, size: int = 512) -> None:
        self.name = f"turns-{size}"
        self._size = size

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Cut a document."""
        chunks: list[Chunk] = []
        packed: list[int] = []
        speakers: dict[str, None] = {}
        packed_size = 0
        for speaker, numbers in _turns(document.lines):
            lines = [document.lines[number - 1] for number in numbers]
            tokens = sum(map(count_tokens, lines))
            if packed and packed_size + tokens > self._size:
                title = ", ".join(speakers)
                chunks.append(make_chunk(document, packed, title=title))
                packed, speakers, packed_size = [], {}, 0
            packed.extend(numbers)
            packed_size += tokens
            if speaker:
                speakers[speaker] = None
        if packed:
            title = ", ".join(speakers)
            chunks.append(make_chunk(document, packed, title=title))
        return chunks


def _turns(lines: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Split lines at the names of speakers; what stands above the first has none."""
    turns: list[tuple[str, list[int]]] = []
    for number, line in enumerate(lines, start=1):
        match = _TURN.match(line)
        if match:
            turns.append((match["speaker"], []))
        elif not turns:
            turns.append(("", []))
        turns[-1][1].append(number)
    return turns
