"""Drawing the sample that people review: stratified, seeded, and the same whoever draws it."""

import math
from collections.abc import Sequence
from random import Random

from goldwright.plan import Cell, Plan

Population = Sequence[tuple[str, Cell]]


def sample_size(population: Population, plan: Plan) -> int:
    """How many records people review: the plan's share, and one of each cell where the plan wants that."""
    share = math.ceil(len(population) * plan.sample_share - 1e-9)
    cells = len({cell for _, cell in population}) if plan.sample_every_cell else 0
    return min(max(share, cells), len(population))


def draw_sample(population: Population, plan: Plan, *, seed: str) -> tuple[str, ...]:
    """Draw the sample; ids come back in their order.

    With one record of each cell guaranteed, what is left of the size goes to the cells that are sampled
    most thinly. Without that, every record has the same chance, spread over the cells as they stand in
    the list (systematic sampling with a random start).
    """
    chance = Random(seed)  # noqa: S311  # draws a sample, no secret
    size = sample_size(population, plan)
    if plan.sample_every_cell:
        return tuple(sorted(_by_cells(population, size, chance)))
    return tuple(sorted(_evenly(population, size, chance)))


def _by_cells(population: Population, size: int, chance: Random) -> list[str]:
    members: dict[Cell, list[str]] = {}
    for query_id, cell in sorted(population):
        members.setdefault(cell, []).append(query_id)
    for names in members.values():
        chance.shuffle(names)
    taken = dict.fromkeys(members, 1)
    order = list(members)
    chance.shuffle(order)
    for _ in range(size - len(members)):
        open_cells = [cell for cell in order if taken[cell] < len(members[cell])]
        thinnest = min(open_cells, key=lambda cell: taken[cell] / len(members[cell]))
        taken[thinnest] += 1
    return [name for cell, names in members.items() for name in names[: taken[cell]]]


def _evenly(population: Population, size: int, chance: Random) -> list[str]:
    by_cell: dict[Cell, list[str]] = {}
    for query_id, cell in sorted(population):
        by_cell.setdefault(cell, []).append(query_id)
    line: list[str] = []
    for names in by_cell.values():
        chance.shuffle(names)
        line.extend(names)
    if not size:
        return []
    step = len(line) / size
    start = chance.random() * step
    return [line[int(start + turn * step)] for turn in range(size)]
