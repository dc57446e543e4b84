"""The kinds of falsehood, and how each is made."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, get_args

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.flipped_comparison import flip_comparisons
from goldwright.canaries.mutations.promoted_falsehoods import promote_falsehoods
from goldwright.canaries.mutations.renamed_symbol import rename_symbols
from goldwright.canaries.mutations.rewording import by_rewording
from goldwright.canaries.mutations.shifted_lines import shift_lines
from goldwright.canaries.mutations.swapped_calls import swap_calls
from goldwright.records import AnswerDraft, CanaryKind, OracleAnswer
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate

# A mutation that the gate lets pass comes early or not at all; each try costs a run of the gate.
MOST_TRIES: Final = 24
KINDS: Final[tuple[CanaryKind, ...]] = get_args(CanaryKind)

Mutator = Callable[[MutationCase], Iterator[Mutation]]
"""Yields ways to make one claim of an answer false, as many as there are."""

_MUTATORS: Final[Mapping[CanaryKind, Mutator]] = {
    "renamed_symbol": by_rewording(rename_symbols),
    "flipped_comparison": by_rewording(flip_comparisons),
    "swapped_caller_callee": by_rewording(swap_calls),
    "shifted_lines": shift_lines,
    "false_fact": promote_falsehoods,
}


@dataclass(frozen=True, slots=True)
class FalsifiedAnswer:
    """An answer with one false claim.

    Attributes:
        kind: How the claim was made false.
        claim_id: The claim.
        what: The claim before and after, with an arrow between them, on one line.
        answer: The whole answer, with the false claim in it.
    """

    kind: CanaryKind
    claim_id: str
    what: str
    answer: AnswerDraft


def falsify(
    answer: OracleAnswer, snapshot: Snapshot, kind: CanaryKind, chance: random.Random
) -> FalsifiedAnswer | None:
    """Make one claim of a good answer false.

    Args:
        answer: An answer that holds; it is left as it is.
        snapshot: The codebase that it is about.
        kind: How to make a claim false.
        chance: Decides between the claims that would do.

    Returns:
        The false answer, or None when the answer gives no ground for this kind.
    """
    case = MutationCase(answer, snapshot, chance)
    known_failures = set(run_gate(answer, snapshot))
    for mutation in islice(_MUTATORS[kind](case), MOST_TRIES):
        # Validated again, because a mutation may set any field to any value.
        fields = {**dict(answer), **mutation.fields}
        falsified = OracleAnswer.model_validate(fields)
        # What the gate stops by itself would test nobody.
        if known_failures.issuperset(run_gate(falsified, snapshot)):
            change = f"{mutation.before} -> {mutation.after}"
            what = " ".join(change.split())
            return FalsifiedAnswer(kind, mutation.claim_id, what, falsified)
    return None
