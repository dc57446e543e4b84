"""How many pieces of work each role has where every candidate that a plan emits goes through."""

from collections.abc import Mapping

from goldwright.plan import Plan


def planned_pieces(plan: Plan, canaries: int) -> Mapping[str, int]:
    """Count the pieces of each role before top-ups.

    Args:
        plan: The plan of the run.
        canaries: The falsified answers, which go to Adversary and judge as well.
    """
    cells = tuple(plan.filled_cells())
    targets = [plan.target(cell) for cell in cells]
    emitted = sum(map(plan.emission, targets))
    return {
        # An Author writes the queries of a whole cell; the other roles take them one by one.
        "author": len(cells),
        "oracle": emitted,
        "adversary": emitted + canaries,
        "completeness": emitted,
        # Three kinds of canaries in eight are judged as well; all are counted.
        "judge": emitted + canaries,
    }
