"""Whether a person may judge a record, by the part that they have had in it."""

from typing import Final

from goldwright.errors import InputError
from goldwright.records import ReviewPass
from goldwright.review.passes import FIRST, SECOND
from goldwright.review.person_names import same_person
from goldwright.review.session_view import SessionView

# An adjudicator may be one of the two: who would settle a difference where there are no others?
_INDEPENDENT_OF: Final[dict[ReviewPass, ReviewPass]] = {FIRST: SECOND, SECOND: FIRST}


def check_independence(view: SessionView, query_id: str, reviewer: str) -> None:
    """Check that no person judges a record in both independent passes.

    Raises:
        InputError: This person judged, edited or decided on it in the other pass.
    """
    other_pass = _INDEPENDENT_OF.get(view.review_pass)
    # Verdicts that were replaced count too: undoing the later one would bring them back.
    for event in view.review_state.events.undoable:
        if event.query_id != query_id or event.sitting != other_pass:
            continue
        if same_person(event.reviewer, reviewer):
            raise InputError(
                f"{query_id}: {event.reviewer} judged it already; "
                "the second look wants another person"
            )
