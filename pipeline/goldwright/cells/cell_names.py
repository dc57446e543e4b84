"""Which cells are compared: models by chunkers, words alone, and both together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.errors import InputError
from goldwright.retrieval.chunkers.catalog import find_chunker

WORDS: Final = "bm25"
WHOLE: Final = "document"
DEFAULT_CHUNKERS: Final = ("window-512-50", "window-1024-100", WHOLE)

Search = Literal["words", "vectors", "hybrid"]


@dataclass(frozen=True, slots=True)
class RetrievalCell:
    """One set-up: how documents are cut, and what the pieces are searched with.

    Attributes:
        model: The specification of an embedder, or ``bm25``.
        chunker: The name of the chunker.
        search: Words alone, vectors alone, or both.
    """

    model: str
    chunker: str
    search: Search

    @property
    def name(self) -> str:
        """``MODEL/CHUNKER``, with ``bm25+`` before a hybrid."""
        prefix = f"{WORDS}+" if self.search == "hybrid" else ""
        return f"{prefix}{self.model}/{self.chunker}"


def plan_cells(
    models: Sequence[str], chunkers: Sequence[str], *, hybrid: bool, baseline: str | None
) -> tuple[Sequence[RetrievalCell], str]:
    """List the cells, the baseline first, and the name of the baseline.

    BM25 over whole documents is always among them, whatever the models.

    Args:
        models: Specifications of embedders; ``bm25`` searches the chunks by words.
        chunkers: The names of chunkers.
        hybrid: Whether each embedder also searches together with words.
        baseline: The name of a cell; the first model with the first chunker where there is none.

    Raises:
        InputError: A chunker is unknown, or the baseline is no cell.
    """
    for chunker in chunkers:
        find_chunker(chunker)
    cells = {cell.name: cell for cell in _products(models, chunkers, hybrid=hybrid)}
    words = RetrievalCell(WORDS, WHOLE, "words")
    cells.setdefault(words.name, words)
    name = baseline if baseline is not None else next(iter(cells))
    if name not in cells:
        raise InputError(f"{name}: the baseline is no cell; wanted one of {', '.join(cells)}")
    ordered = [cells.pop(name), *cells.values()]
    return ordered, name


def _products(
    models: Sequence[str], chunkers: Sequence[str], *, hybrid: bool
) -> Iterator[RetrievalCell]:
    for model in models:
        for chunker in chunkers:
            yield RetrievalCell(model, chunker, "words" if model == WORDS else "vectors")
            if hybrid and model != WORDS:
                yield RetrievalCell(model, chunker, "hybrid")
