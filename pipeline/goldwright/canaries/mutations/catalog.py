"""The kinds of falsehood, and how each is made."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from goldwright.canaries.kinds import MEANING_KINDS
from goldwright.canaries.mutations.case import AnsweredCandidate, Mutation, MutationCase
from goldwright.canaries.mutations.flipped_comparison import flip_comparisons
from goldwright.canaries.mutations.inverted_guard import invert_guards
from goldwright.canaries.mutations.missed_question import miss_questions
from goldwright.canaries.mutations.missing_member import leave_members_out
from goldwright.canaries.mutations.promoted_falsehoods import promote_falsehoods
from goldwright.canaries.mutations.renamed_symbol import rename_symbols
from goldwright.canaries.mutations.rewording import by_rewording
from goldwright.canaries.mutations.shifted_lines import shift_lines
from goldwright.canaries.mutations.swapped_calls import swap_calls
from goldwright.records import CanaryKind, CheckFailure, OracleAnswer
from goldwright.snapshot import Snapshot
from goldwright.stages.gate import run_gate

# A mutation that the gate lets pass comes early or not at all; each try costs a run of the gate.
MOST_TRIES: Final = 24

Mutator = Callable[[MutationCase], Iterator[Mutation]]
"""Yields ways to make one claim of an answer false, as many as there are."""

_MUTATORS: Final[Mapping[CanaryKind, Mutator]] = {
    "renamed_symbol": by_rewording(rename_symbols),
    "flipped_comparison": by_rewording(flip_comparisons),
    "swapped_caller_callee": by_rewording(swap_calls),
    "shifted_lines": shift_lines,
    "false_fact": promote_falsehoods,
    "missed_question": miss_questions,
    "missing_member": leave_members_out,
    "inverted_guard": invert_guards,
}


@dataclass(frozen=True, slots=True)
class FalsifiedAnswer:
    """An answer with one false claim, or one that misses its question.

    Attributes:
        kind: How the answer was falsified.
        claim_id: The claim that is false, or that answers something else.
        what: The claim before and after, with an arrow between them, on one line.
        answer: The whole answer, with the false claim in it.
        other_claims: Further claims that are wrong for the same reason.
        left_out: The id of an entity that the answer should expect and does not; empty for none.
        gate_failures: What the gate has against the answer; only kinds of meaning have any.
        before: The claim before, as it stood.
        after: The claim as it stands now.
    """

    kind: CanaryKind
    claim_id: str
    what: str
    answer: OracleAnswer
    other_claims: tuple[str, ...] = ()
    left_out: str = ""
    gate_failures: tuple[CheckFailure, ...] = ()
    before: str = ""
    after: str = ""


def falsify(
    record: AnsweredCandidate, snapshot: Snapshot, kind: CanaryKind, chance: random.Random
) -> FalsifiedAnswer | None:
    """Make a good answer a bad one.

    Args:
        record: The query and its answer, which is left as it is.
        snapshot: The codebase that it is about.
        kind: How to falsify it.
        chance: Decides between the changes that would do.

    Returns:
        The false answer, or None when the answer gives no ground for this kind. What the gate
        stops is returned only for a kind of meaning, and only where nothing else would do.
    """
    case = MutationCase(record.candidate, record.answer, snapshot, chance)
    known_failures = set(run_gate(record.answer, snapshot, intent=record.candidate.intent))
    stopped_answer = None
    for mutation in islice(_MUTATORS[kind](case), MOST_TRIES):
        falsified = _apply(case, kind, mutation, known_failures)
        if not falsified.gate_failures:
            return falsified
        stopped_answer = stopped_answer or falsified
    # A false fact that the gate stops by itself would test nobody.
    return stopped_answer if kind in MEANING_KINDS else None


def _apply(
    case: MutationCase, kind: CanaryKind, mutation: Mutation, known_failures: set[CheckFailure]
) -> FalsifiedAnswer:
    # Validated again, because a mutation may set any field to any value.
    fields = {**dict(case.answer), **mutation.fields}
    answer = OracleAnswer.model_validate(fields)
    failures = run_gate(answer, case.snapshot, intent=case.candidate.intent)
    new_failures = [failure for failure in failures if failure not in known_failures]
    change = f"{mutation.before} -> {mutation.after}"
    change_in_one_line = " ".join(change.split())
    return FalsifiedAnswer(
        kind=kind,
        claim_id=mutation.claim_id,
        what=change_in_one_line,
        answer=answer,
        before=mutation.before,
        after=mutation.after,
        other_claims=mutation.other_claims,
        left_out=mutation.left_out,
        gate_failures=tuple(new_failures),
    )
