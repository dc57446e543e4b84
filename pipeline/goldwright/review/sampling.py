"""Drawing the sample that people review: stratified, seeded, and the same whoever draws it."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from goldwright.plan import Cell, Plan

Population = Sequence[tuple[str, Cell]]

USUAL_CANARIES: Final = 4
"""How many falsified answers are hidden in a sample: a fifth of the 17 records of a sample of
sixty, rounded up. With fewer, no catch rate could show that the bound on bad records says anything.
"""

# 0.07 of 100 is 7.000000000000001 in binary fractions and would round up to 8 without this.
_ROUNDING_SLACK: Final = 1e-9


def sample_size(population: Population, plan: Plan) -> int:
    """The number of records people review.

    That is the plan's share of the population, rounded up, and with ``sample_every_cell`` at least
    one record of each cell.
    """
    share = len(population) * plan.sample_share
    size = math.ceil(share - _ROUNDING_SLACK)
    if plan.sample_every_cell:
        cells = {cell for _, cell in population}
        size = max(size, len(cells))
    return min(size, len(population))


def draw_sample(population: Population, plan: Plan, *, seed: str) -> tuple[str, ...]:
    """Draw the sample; the ids come back sorted.

    With ``sample_every_cell``, each cell gives one record, and the remaining places go one by one
    to the cell with the smallest share of its records drawn. Without it, every set of this size has
    the same chance (simple random sampling), for which the hypergeometric bound is exact.
    """
    chance = Random(seed)  # noqa: S311  # draws a sample, no secret
    size = sample_size(population, plan)
    if plan.sample_every_cell:
        return tuple(sorted(_draw_by_cell(population, size, chance)))
    query_ids = sorted(query_id for query_id, _ in population)
    return tuple(sorted(chance.sample(query_ids, size)))


def draw_further(
    population: Population, drawn: Collection[str], plan: Plan, count: int, *, seed: str
) -> tuple[str, ...]:
    """Draw more records to a sample, as if it had been drawn larger; the ids come back sorted.

    Args:
        population: What may yet be drawn, and what was.
        drawn: The ids of the sample so far.
        plan: The plan of the run.
        count: How many records to draw; fewer come back where fewer are left.
        seed: What decides which.
    """
    chance = Random(seed)  # noqa: S311  # draws a sample, no secret
    left_pairs = sorted(pair for pair in population if pair[0] not in drawn)
    chance.shuffle(left_pairs)
    if not plan.sample_every_cell:
        first_pairs = left_pairs[:count]
        return tuple(sorted(query_id for query_id, _ in first_pairs))
    sizes = Counter(cell for _, cell in population)
    drawn_cells = (cell for query_id, cell in population if query_id in drawn)
    places = Counter(drawn_cells)

    def drawn_share(pair: tuple[str, Cell]) -> float:
        _, cell = pair
        return places[cell] / sizes[cell]

    further: list[str] = []
    while left_pairs and len(further) < count:
        # The first of the cell with the smallest share drawn; of equal ones, as they were shuffled.
        thinnest = min(left_pairs, key=drawn_share)
        left_pairs.remove(thinnest)
        places[thinnest[1]] += 1
        further.append(thinnest[0])
    return tuple(sorted(further))


def _draw_by_cell(population: Population, size: int, chance: Random) -> list[str]:
    # Sorted before anything is shuffled, so the order of the population makes no difference.
    members: dict[Cell, list[str]] = {}
    for query_id, cell in sorted(population):
        members.setdefault(cell, []).append(query_id)
    for query_ids in members.values():
        chance.shuffle(query_ids)
    drawn: list[str] = []
    for cell, count in _places_by_cell(members, size, chance).items():
        drawn.extend(members[cell][:count])
    return drawn


def _places_by_cell(members: dict[Cell, list[str]], size: int, chance: Random) -> dict[Cell, int]:
    places = dict.fromkeys(members, 1)
    # Of equally thin cells the first in this order is served first.
    order = list(members)
    chance.shuffle(order)

    def share_drawn(cell: Cell) -> float:
        return places[cell] / len(members[cell])

    # A cell that is drawn completely has a share of 1, and the size never exceeds the population.
    for _ in range(size - len(members)):
        thinnest = min(order, key=share_drawn)
        places[thinnest] += 1
    return places
