"""When the verdicts of reviewers settle a record, and when an adjudicator has to decide."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from goldwright.records import HumanVerdict, VerdictEvent
from goldwright.review.record_content import RecordContent

SettlementStage = Literal["unreviewed", "once", "disputed", "settled"]


@dataclass(frozen=True, slots=True)
class Settlement:
    """How far people are with one record.

    Attributes:
        stage: ``once`` when one of two reviewers has judged the record; ``disputed`` when the two
            differ in their verdicts or in the text they would leave.
        verdict: The verdict so far; None while there is none or while it is disputed.
        content: The content so far.
        first: The verdict of the first reviewer that still holds.
        second: That of the second reviewer.
        adjudication: That of the adjudicator.
    """

    stage: SettlementStage
    verdict: HumanVerdict | None
    content: RecordContent
    first: VerdictEvent | None = None
    second: VerdictEvent | None = None
    adjudication: VerdictEvent | None = None


Settlements = Mapping[str, Settlement | None]
"""The settlements of a sample by id; None for a record that has no answer any more."""


def differ(first: VerdictEvent, second: VerdictEvent) -> bool:
    """Whether two reviewers differ about a record: in their verdicts, or in the text they leave."""
    # The same verdict on two texts is a difference: which text goes into the dataset?
    return first.verdict != second.verdict or first.content != second.content


def settle_by_one(content: RecordContent, event: VerdictEvent | None) -> Settlement:
    """How far a record is that one reviewer judges."""
    if event is None:
        return Settlement("unreviewed", None, content)
    return Settlement("settled", event.verdict, content, event)


def settle_by_two(
    content: RecordContent, first: VerdictEvent | None, second: VerdictEvent | None
) -> Settlement:
    """How far a record is that two reviewers judge, who do not differ so far."""
    if first is not None and second is not None:
        return Settlement("settled", first.verdict, content, first, second)
    event = first or second
    if event is None:
        return Settlement("unreviewed", None, content)
    return Settlement("once", event.verdict, content, first, second)


def settle_difference(
    content: RecordContent,
    first: VerdictEvent,
    second: VerdictEvent,
    adjudication: VerdictEvent | None,
    versions: Mapping[str, RecordContent],
) -> Settlement:
    """How far a record is on which two reviewers differ: an adjudicator decides.

    Args:
        content: The record as the first reviewer left it.
        first: The verdict of the first reviewer.
        second: That of the second.
        adjudication: That of the adjudicator, if there is one.
        versions: The contents that an adjudicator may choose from, by digest.
    """
    last_number = max(first.number, second.number)
    if adjudication is None or adjudication.number < last_number:
        # An adjudication from before one of these verdicts settled another difference.
        return Settlement("disputed", None, content, first, second)
    chosen = versions[adjudication.content]
    return Settlement("settled", adjudication.verdict, chosen, first, second, adjudication)
