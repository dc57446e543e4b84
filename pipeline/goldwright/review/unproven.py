"""Why a sample that keeps the ceilings may prove nothing of its batch all the same."""

from collections.abc import Iterator

from goldwright.review.caught_by_reviewers import CaughtCanaries
from goldwright.review.error_bounds import Bounds


def reasons_of_doubt(
    canaries: CaughtCanaries | None,
    bounds: Bounds | None,
    population: int,
    *,
    is_whole: bool = False,
) -> Iterator[str]:
    """Say why the verdicts on a whole sample prove nothing.

    Args:
        canaries: What the reviewers made of falsified answers; None where none were planted.
        bounds: How many records may be bad; None where that cannot be said yet.
        population: How many records the sample was drawn from.
        is_whole: Whether the sample is all of them, so that no other could be falsified in it.
    """
    if canaries is None and is_whole:
        yield (
            "the sample is the whole batch, which leaves no record to hide a falsified answer in, "
            "so nothing shows that anybody would have noticed one"
        )
    if canaries is not None and canaries.leave_doubt:
        let_pass = canaries.planted - canaries.kept_out
        yield (
            f"the reviewers would have let {let_pass} of {canaries.planted} falsified answers "
            "pass, so their verdicts prove little"
        )
    if bounds is None or bounds.corrected is None:
        return
    if bounds.corrected >= population:
        planted = canaries.planted if canaries is not None else 0
        kept_out = canaries.kept_out if canaries is not None else 0
        so_few = f"{kept_out} of {planted} falsified answers kept out"
        yield (
            f"{so_few} may mean that reviewers miss most of what is wrong: all {population} "
            "records may be bad, and the bound says nothing"
        )
