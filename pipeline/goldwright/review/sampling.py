"""Drawing the sample that people review: stratified, seeded, and the same whoever draws it."""

import math
from collections.abc import Sequence
from random import Random

from goldwright.plan import Cell, Plan

Population = Sequence[tuple[str, Cell]]


def sample_size(population: Population, plan: Plan) -> int:
    """How many records people review: the plan's share, and one of each cell where the plan wants
    that.
    """
    share = math.ceil(len(population) * plan.sample_share - 1e-9)
    cells = len({cell for _, cell in population}) if plan.sample_every_cell else 0
    return min(max(share, cells), len(population))


def draw_sample(population: Population, plan: Plan, *, seed: str) -> tuple[str, ...]:
    """Draw the sample; ids come back in their order.

    With one record of each cell guaranteed, what is left of the size goes to the cells that are
    sampled most thinly. Without that, every set of this size has the same chance (simple random
    sampling), for that is what the hypergeometric bound is exact for.
    """
    chance = Random(seed)  # noqa: S311  # draws a sample, no secret
    size = sample_size(population, plan)
    if plan.sample_every_cell:
        return tuple(sorted(_by_cells(population, size, chance)))
    return tuple(sorted(chance.sample(sorted(query_id for query_id, _ in population), size)))


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
