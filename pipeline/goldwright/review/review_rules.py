"""The rules that a verdict, an edit or a decision of a person must keep."""

from typing import Final

from goldwright.errors import InputError
from goldwright.plan import Cell
from goldwright.records import (
    CheckFailure,
    DecisionEvent,
    EditedField,
    ExpectedEntity,
    FactCitation,
    HumanVerdict,
    claims_of,
)
from goldwright.records.answer import ClaimType
from goldwright.records.label import EditedValue
from goldwright.records.review_events import LONGEST_NOTE
from goldwright.review.folded_events import UndoableEvent
from goldwright.review.passes import ADJUDICATION
from goldwright.review.record_content import RecordContent
from goldwright.review.review_state import REJECTING_VERDICTS
from goldwright.review.session_view import RecordView, SessionView
from goldwright.snapshot import Snapshot
from goldwright.snapshot.identifier_leaks import leaked_identifiers
from goldwright.stages.gate import run_gate
from goldwright.stages.screen.rules import may_name_its_target

# What a page or a terminal may send, in characters: no more than a person would write by hand.
LONGEST_FACT: Final = 2000
LONGEST_NARRATIVE: Final = 8000
LONGEST_QUESTION: Final = 1000
MOST_FACTS: Final = 20
# Of entities, and of ranges; more than anybody checks one by one.
MOST_ENTITIES: Final = 100

_LONGEST_TEXTS: Final[dict[EditedField, int]] = {
    "canonical_narrative": LONGEST_NARRATIVE,
    "query_text": LONGEST_QUESTION,
}

_FACT_FIELDS: Final[frozenset[EditedField]] = frozenset(
    {"must_mention_facts", "must_not_mention_facts"}
)
_FACTS: Final[frozenset[ClaimType]] = frozenset({"must_mention_fact", "must_not_mention_fact"})


RETRY_OF_ADOPTED: Final = (
    "was adopted, and another attempt would put an answer of the Oracle in place of its own; "
    "correct the list and adopt it again with --replace, or drop the record"
)


class StaleReviewError(InputError):
    """The record is not as the person saw it any more: somebody else changed or judged it."""


def current_content(view: SessionView, query_id: str, on_screen: RecordView) -> RecordContent:
    """The content that a person had on screen, if the record is still as they saw it.

    An adjudicator may choose any version of the record, others see one.

    Raises:
        StaleReviewError: The record is not as they saw it any more.
    """
    current = view.record_view(query_id)
    if on_screen.last != current.last:
        raise StaleReviewError(f"{query_id}: somebody else has spoken on it meanwhile; look again")
    if view.review_pass == ADJUDICATION:
        versions = view.review_state.versions(query_id)
        if on_screen.content in versions:
            return versions[on_screen.content]
    elif on_screen.content == current.content:
        return view.content(query_id)
    raise StaleReviewError(f"{query_id}: changed meanwhile; look again")


def check_verdict(
    view: SessionView, content: RecordContent, verdict: HumanVerdict, snapshot: Snapshot
) -> None:
    """Check that a verdict fits an edited record; any verdict fits one that nobody edited.

    A record that a person had to edit was not correct as the agents left it: otherwise their error
    rate would be measured after people had mended their records.

    Raises:
        InputError: An edited record is called correct, or is let through though it fails the gate.
    """
    original = view.review_state.original(content.candidate.query_id)
    if original is None or original.digest == content.digest:
        return
    if verdict == "correct":
        raise InputError(
            "somebody changed this record, so it was not correct as it stood: "
            "a minor issue at the least"
        )
    if verdict not in REJECTING_VERDICTS:
        check_gate(content, snapshot)


def check_reason(verdict: HumanVerdict, note: str | None, disputed: tuple[str, ...]) -> None:
    """Check that a verdict that condemns a record says what is wrong with it.

    Whoever does the batch again, and whoever settles a difference, has nothing else to go by.

    Raises:
        InputError: It has neither a note nor a claim marked as at fault.
    """
    if verdict in REJECTING_VERDICTS and not disputed and not (note and note.strip()):
        raise InputError(
            "say first what is wrong with it: in a note, or by marking the claim at fault"
        )


def check_looked_at(view: SessionView, query_id: str, reviewer: str) -> None:
    """Check that a person looked at every claim whose code changed since people blessed it.

    Raises:
        InputError: They did not; the message names the claims.
    """
    changes = view.review_state.changed_claims(query_id)
    looks = view.review_state.events.looks
    looked_at = looks.get((query_id, reviewer), set())
    unseen = [change.claim_id for change in changes if change.claim_id not in looked_at]
    if unseen:
        names = ", ".join(dict.fromkeys(unseen))
        raise InputError(f"{query_id}: its code has changed; look first at {names}")


def record_failures(content: RecordContent, snapshot: Snapshot) -> tuple[CheckFailure, ...]:
    """Run the gate over a content, and the screen's rule about names over an edited question."""
    failures = run_gate(content.answer, snapshot)
    if not any(edit.field == "query_text" for edit in content.edits):
        return failures
    candidate = content.candidate
    leaked = leaked_identifiers(candidate.query_text, candidate.target_entity_ids)
    if not leaked or may_name_its_target(Cell(candidate.task_type, candidate.difficulty)):
        return failures
    message = f"the question holds {leaked[0]!r}, an identifier of its target"
    failure = CheckFailure(check="identifier_leak", claim="question", message=message)
    return (failure, *failures)


def check_gate(content: RecordContent, snapshot: Snapshot) -> None:
    """Check that a record passes the gate.

    Raises:
        InputError: It does not; the message names the first failure.
    """
    failures = record_failures(content, snapshot)
    if not failures:
        return
    first = failures[0]
    first_failure = f"{first.check}: {first.claim}: {first.message}"
    message = f"as it stands, the gate stops it: {first_failure}"
    if len(failures) > 1:
        further_failures = len(failures) - 1
        message += f" (and {further_failures} more)"
    raise InputError(message)


def check_undo(view: SessionView, event: UndoableEvent) -> None:
    """Check that an event can still be taken back.

    Raises:
        InputError: It is a decision that the runner has acted on.
    """
    # The runner filed the record away and perhaps made a new attempt of it.
    is_rejected = event.query_id in view.review_state.stage_files.rejected.done
    if isinstance(event, DecisionEvent) and is_rejected:
        raise InputError(
            f"{event.query_id}: the run acted on this already; it cannot be taken back"
        )


def check_note(text: str) -> None:
    """Check the length of a note.

    Raises:
        InputError: It is too long.
    """
    if len(text) > LONGEST_NOTE:
        raise InputError(f"the note: {len(text)} characters; the most is {LONGEST_NOTE}")


def check_text(field: EditedField, after: EditedValue) -> None:
    """Check the new value of an edited field.

    Raises:
        InputError: It is not of the field's type, too long, or has an empty text.
    """
    is_one_text = field in _LONGEST_TEXTS
    if is_one_text != isinstance(after, str):
        shape = "one text" if is_one_text else "a list"
        raise InputError(f"{field}: wanted {shape}")
    if isinstance(after, str):
        _check_length(field, after, _LONGEST_TEXTS[field])
        return
    most = MOST_FACTS if field in _FACT_FIELDS else MOST_ENTITIES
    count = len(after)
    if count > most:
        raise InputError(f"{field}: {count} of them; the most is {most}")
    for item in after:
        match item:
            case str():
                _check_length(field, item, LONGEST_FACT)
            case ExpectedEntity():
                _check_length(field, item.rationale, LONGEST_FACT)


def check_citations(
    content: RecordContent,
    field: EditedField,
    after: EditedValue,
    citations: tuple[FactCitation, ...],
) -> None:
    """Check that every fact has lines after an edit, and that no lines are left without a fact.

    Raises:
        InputError: A fact has no lines, or lines have no fact.
    """
    answer = content.answer
    if field != "query_text":
        answer = answer.model_copy(update={field: after})
    facts = [claim for claim in claims_of(answer) if claim.claim_type in _FACTS]
    fact_ids = [fact.claim_id for fact in facts]
    cited_ids = {citation.claim_id for citation in citations}
    for fact_id in fact_ids:
        if fact_id not in cited_ids:
            raise InputError(f"{fact_id}: has no lines that bear it")
    # Sorted, so that the same edit is always refused for the same claim.
    for cited_id in sorted(cited_ids.difference(fact_ids)):
        raise InputError(f"{cited_id}: lines of a fact that is not there")


def _check_length(field: EditedField, text: str, longest: int) -> None:
    if not text.strip():
        raise InputError(f"{field}: a text is empty")
    length = len(text)
    if length > longest:
        raise InputError(f"{field}: {length} characters; the most is {longest}")
