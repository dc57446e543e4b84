"""What people and the pipeline made of an agent's records: for the agent, or against it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from goldwright.review.review_state import REJECTING_VERDICTS, ReviewState
from goldwright.stages.agreement import compare_structure
from goldwright.stages.fates import Fate, RecordFate

# A queued record that people kept has another fate.
TURNED_AWAY: Final[frozenset[Fate]] = frozenset({"queued", "failed_gate", "rejected"})

JudgedRole = Literal["oracle", "adversary"]
JUDGED_ROLES: Final[tuple[JudgedRole, ...]] = get_args(JudgedRole)


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """One record that counts for an agent or against it.

    Attributes:
        role: The role that the agent played.
        agent: The agent.
        run: The run of the record.
        stratum: Only records of one stratum are compared with one another: those of a cell, and
            for an Adversary those of a cell that it either stopped or let pass.
        is_against: Whether the record counts against the agent.
    """

    role: JudgedRole
    agent: str
    run: str
    stratum: str
    is_against: bool


def judged_records(
    run: str, review_state: ReviewState, standings: Sequence[RecordFate]
) -> Iterator[JudgedRecord]:
    """List what counts for and against the agents of a run.

    An Oracle: every answer whose record is not open any more, by cell. Against it count those that
    the gate turned away, that wait in the queue, or that people dropped, sent back or judged
    ``major_issue`` or ``wrong``; a queued one that people kept counts for it.

    An Adversary: only what people have spoken about, by cell and by what it did. What it let pass
    (its report leaves nothing against the answer) counts against it where people settled on
    ``major_issue`` or ``wrong`` or took the record out, and for it where they settled on anything
    better. What it stopped (its report alone leaves an objection: a claim not supported, a blocking
    issue, an entity missed) counts against it where people kept the record as it was, and for it
    where they kept it only with a change, dropped it or sent it back. What others stopped (the
    gate, the judge, the checks of its citations) and what people have not settled counts nowhere;
    nor do falsified answers, of which a run reports its own rates.
    """
    for standing in standings:
        oracle_record = _judge_oracle(run, review_state, standing)
        if oracle_record is not None:
            yield oracle_record
        adversary_record = _judge_adversary(run, review_state, standing)
        if adversary_record is not None:
            yield adversary_record


def _judge_oracle(run: str, review_state: ReviewState, standing: RecordFate) -> JudgedRecord | None:
    answer = review_state.stage_files.answers.done.get(standing.query_id)
    if answer is None or standing.fate == "open":
        return None
    return JudgedRecord(
        role="oracle",
        agent=answer.authored_by,
        run=run,
        stratum=str(standing.cell),
        is_against=standing.fate in TURNED_AWAY,
    )


def _judge_adversary(
    run: str, review_state: ReviewState, standing: RecordFate
) -> JudgedRecord | None:
    query_id = standing.query_id
    answer = review_state.stage_files.answers.done.get(query_id)
    report = review_state.stage_files.reports.done.get(query_id)
    if answer is None or report is None:
        return None
    # The report alone: what the judge or the gate objected to is not the Adversary's doing.
    if compare_structure(answer, report).objections:
        action = "stopped"
        is_against = _was_wrong_to_stop(query_id, review_state)
    else:
        action = "let pass"
        is_against = _was_wrong_to_let_pass(query_id, review_state)
    if is_against is None:
        return None
    return JudgedRecord(
        role="adversary",
        agent=report.authored_by,
        run=run,
        stratum=f"{standing.cell}, {action}",
        is_against=is_against,
    )


def _was_wrong_to_stop(query_id: str, review_state: ReviewState) -> bool | None:
    """Return whether people kept what an Adversary stopped; None where they have not decided."""
    if query_id in review_state.rulings.reinstated:
        # What people kept only with a change was rightly stopped.
        content = review_state.seen_by(query_id, "first")
        return content is not None and not content.edits
    if _is_out(query_id, review_state) or query_id in review_state.retries():
        return False
    return None


def _was_wrong_to_let_pass(query_id: str, review_state: ReviewState) -> bool | None:
    """Whether people condemned what an Adversary let pass; None where that is not settled."""
    events = review_state.events
    # A queued record was stopped by somebody else, and a canary's verdict is about a falsified
    # answer.
    if query_id in review_state.stage_files.queue.done or query_id in events.canaries:
        return None
    settlement = review_state.settlement(query_id, twice=query_id in events.sampled)
    if settlement is not None and settlement.stage == "settled":
        return settlement.verdict in REJECTING_VERDICTS
    if _is_out(query_id, review_state):
        return True
    return None


def _is_out(query_id: str, review_state: ReviewState) -> bool:
    is_dropped = query_id in review_state.rulings.dropped
    return is_dropped or query_id in review_state.stage_files.rejected.done
