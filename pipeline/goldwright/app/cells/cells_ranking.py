"""Ranking the documents of a source by cells: one model and one index at a time."""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial

from goldwright.app.cells.cells_request import CellsSetup
from goldwright.app.environment import Environment
from goldwright.cells.cell_names import WORDS, RetrievalCell
from goldwright.cells.ranking import ChunkIndex, VectorPlace, rank_cell
from goldwright.cells.records import CellRanking
from goldwright.engine.clock import Clock
from goldwright.engine.progress import Progress
from goldwright.retrieval.embedders.catalog import open_embedder
from goldwright.retrieval.embedders.port import Embedder


def rank_cells(
    cells: Sequence[RetrievalCell],
    setup: CellsSetup,
    environment: Environment,
    progress: Progress,
) -> Iterator[CellRanking]:
    """Yield the ranking of each cell.

    Raises:
        RetrieverError: A model is out of reach.
    """
    place = VectorPlace(environment.cache, setup.snapshot.mirror.stem)
    indexes: dict[str, ChunkIndex] = {}
    embedders: dict[str, Embedder] = {}
    wait = partial(_wait, environment.clock)
    for cell in cells:
        model = cell.model
        progress.phase(f"ranking with {cell.name}")
        if cell.chunker not in indexes:
            indexes[cell.chunker] = ChunkIndex(setup.documents, cell.chunker)
        if model != WORDS and model not in embedders:
            embedders[model] = open_embedder(
                model,
                root=environment.root,
                variables=environment.variables,
                wait=wait,
            )
        embedder = embedders.get(model)
        index = indexes[cell.chunker]
        yield rank_cell(cell, index, setup.queries, embedder, place, progress.phase)


def _wait(clock: Clock, seconds: float) -> None:
    asyncio.run(clock.sleep(seconds))
