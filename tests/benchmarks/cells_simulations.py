"""How often a cell replaces a baseline that it equals, and how often a better one is found.

    python tests/benchmarks/cells_simulations.py [COMPARISONS]

Each comparison draws nDCG@10 and recall@10 of a baseline and of other cells for so many queries.
Equal cells differ by noise alone (standard deviation .15 a query, as between chunkers of one
model); a planted one is better by some amount in truth. The rule alone is shown beside ours.
"""

import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from goldwright.cells.decision import CellResult, choose, compare_cells
from goldwright.cells.measures import MEASURES, NDCG, CellMeasures

SPREAD: Final = 0.15
BASELINE: Final = "baseline"
PLANTED: Final = "cell-1"


def simulate(
    comparisons: int, queries: int, cells: int, gain: float, *, seed: int = 0
) -> Iterator[Sequence[CellResult]]:
    """Yield the results of comparisons with a baseline; the first cell gains so much in truth."""
    random = Random(seed)  # a simulation
    for number in range(comparisons):
        abilities = [random.betavariate(2, 1.2) for _ in range(queries)]
        measured = [_cell(BASELINE, abilities, 0.0, random)]
        for place in range(1, cells + 1):
            shift = gain if place == 1 else 0.0
            measured.append(_cell(f"cell-{place}", abilities, shift, random))
        origins = dict.fromkeys(measured[0].values[NDCG], "hand")
        yield compare_cells(measured, origins, seed=number)


def replaced_share(results: Sequence[Sequence[CellResult]]) -> float:
    """Give the share of comparisons in which some cell replaces the baseline."""
    return sum(choose(cells).cell != BASELINE for cells in results) / len(results)


def flagged_share(results: Sequence[Sequence[CellResult]]) -> float:
    """Give the share in which some cell meets the rule, chance or not."""
    return sum(any(cell.is_flagged for cell in cells) for cells in results) / len(results)


def planted_share(results: Sequence[Sequence[CellResult]]) -> float:
    """Give the share in which the planted cell is deployed."""
    return sum(choose(cells).cell == PLANTED for cells in results) / len(results)


def _cell(name: str, abilities: Sequence[float], shift: float, random: Random) -> CellMeasures:
    # Two cells differ by two such draws.
    noise = SPREAD / 2**0.5
    values = {
        measure: {
            f"q{place}": min(1.0, max(0.0, random.gauss(ability + shift, noise)))
            for place, ability in enumerate(abilities)
        }
        for measure in MEASURES
    }
    return CellMeasures(name, values, 1.0, 0.0)


def main() -> None:
    """Print a row for each number of queries and cells."""
    comparisons = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{comparisons} comparisons a row; standard deviation {SPREAD} a query")
    print("queries  other cells  true gain  rule met  replaced  planted deployed")
    for queries in (25, 50, 100):
        for cells, gain in ((1, 0.0), (7, 0.0), (7, 0.1), (7, 0.15)):
            results = list(simulate(comparisons, queries, cells, gain))
            figures = (flagged_share(results), replaced_share(results), planted_share(results))
            shares = "".join(f"{share:>10.3f}" for share in figures)
            print(f"{queries:>7}{cells:>13}{gain:>11.2f}{shares}")


if __name__ == "__main__":
    main()
