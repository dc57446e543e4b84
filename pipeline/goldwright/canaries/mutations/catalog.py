"""The kinds of falsehood, and the one way to each."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.flipped_comparison import flipped
from goldwright.canaries.mutations.promoted_falsehoods import promoted
from goldwright.canaries.mutations.renamed_symbol import renamed
from goldwright.canaries.mutations.rewording import by_wording
from goldwright.canaries.mutations.shifted_lines import shifted
from goldwright.canaries.mutations.swapped_calls import swapped
from goldwright.records import AnswerDraft, OracleAnswer
from goldwright.snapshot import Snapshot

KINDS: Final = (
    "renamed_symbol",
    "flipped_comparison",
    "swapped_caller_callee",
    "shifted_lines",
    "false_fact",
)


@dataclass(frozen=True, slots=True)
class FalsifiedAnswer:
    """An answer with one false claim: the kind of it, its id, and what was changed, before and
    after.
    """

    kind: str
    claim_id: str
    what: str
    answer: AnswerDraft


def falsify(
    answer: OracleAnswer, snapshot: Snapshot, kind: str, chance: random.Random
) -> FalsifiedAnswer | None:
    """Make one claim of a good answer false; ``None`` when the answer gives no ground for that
    kind.

    Args:
        answer: An answer that holds; it is left as it is.
        snapshot: The codebase that it is about.
        kind: One of ``KINDS``.
        chance: What decides between the claims that would do.

    Raises:
        KeyError: There is no such kind.
    """
    found = _WAYS[kind](MutationCase(answer, snapshot, chance))
    change = next(found, None)
    if change is None:
        return None
    fields = {**dict(answer), **change.fields}
    what = " ".join(f"{change.before} -> {change.after}".split())
    return FalsifiedAnswer(kind, change.claim_id, what, type(answer).model_validate(fields))


_WAYS: Final[Mapping[str, Callable[[MutationCase], Iterator[Mutation]]]] = {
    "renamed_symbol": by_wording(renamed),
    "flipped_comparison": by_wording(flipped),
    "swapped_caller_callee": by_wording(swapped),
    "shifted_lines": shifted,
    "false_fact": promoted,
}
