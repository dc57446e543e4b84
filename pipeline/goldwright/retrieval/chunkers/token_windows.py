"""Windows of so many tokens that overlap."""

from collections.abc import Sequence

from goldwright.retrieval.chunkers.port import Chunk, SourceDocument, make_chunk
from goldwright.retrieval.source_tokens import count_tokens


class TokenWindowChunker:
    """Fills windows with whole lines up to a size, and repeats the last lines in the next one.

    A line that is longer than the size is a window of its own.
    """

    def __init__(self, size: int, overlap: int) -> None:
        """Set the tokens of a window, and those of it that the next one repeats at most.

        Raises:
            ValueError: The overlap leaves no room for anything new.
        """
        if not 0 <= overlap < size:
            raise ValueError(f"an overlap of {overlap} does not fit into windows of {size}")
        self.name = f"window-{size}-{overlap}"
        self._size = size
        self._overlap = overlap

    def chunk(self, document: SourceDocument) -> Sequence[Chunk]:
        """Cut a document into windows."""
        sizes = [count_tokens(line) for line in document.lines]
        numbers = range(1, len(sizes) + 1)
        return self.windows(document, numbers, sizes)

    def windows(
        self,
        document: SourceDocument,
        numbers: Sequence[int],
        sizes: Sequence[int],
        *,
        title: str = "",
    ) -> list[Chunk]:
        """Cut some lines into windows.

        Args:
            document: Holds the lines.
            numbers: Their numbers, rising.
            sizes: The tokens of every line of the document.
            title: What the chunks are called.
        """
        chunks: list[Chunk] = []
        start = 0
        repeated = 0
        while start + repeated < len(numbers):
            end = self._end(numbers, sizes, start, start + repeated)
            chunk = make_chunk(document, numbers[start:end], title=title, overlap=repeated)
            chunks.append(chunk)
            next_start = self._start_of_next(numbers, sizes, start, end)
            repeated = end - next_start
            start = next_start
        return chunks

    def _end(self, numbers: Sequence[int], sizes: Sequence[int], start: int, first_new: int) -> int:
        """Find the place behind the last line that fits; at least one line is new."""
        window = numbers[start : first_new + 1]
        window_sizes = [sizes[number - 1] for number in window]
        total = sum(window_sizes)
        end = first_new + 1
        while end < len(numbers) and total + sizes[numbers[end] - 1] <= self._size:
            total += sizes[numbers[end] - 1]
            end += 1
        return end

    def _start_of_next(
        self, numbers: Sequence[int], sizes: Sequence[int], start: int, end: int
    ) -> int:
        """Find the first line that the next window repeats; ``end`` where it repeats none."""
        if end >= len(numbers):
            return end
        # What is repeated must leave room for the next line.
        next_size = sizes[numbers[end] - 1]
        room = min(self._overlap, self._size - next_size)
        total = 0
        place = end
        while place - 1 > start and total + sizes[numbers[place - 1] - 1] <= room:
            place -= 1
            total += sizes[numbers[place] - 1]
        return place
