"""A batch and the review events about it at one moment, as one review pass may see them."""

from dataclasses import dataclass
from functools import cached_property

from goldwright.errors import InputError
from goldwright.plan import Plan
from goldwright.records import ReviewPass, TrustCardRecord
from goldwright.review.queues import QueueItem, ReviewQueue, review_queues
from goldwright.review.record_content import RecordContent
from goldwright.review.review_state import ReviewState
from goldwright.stages.stage_files import StageFiles


@dataclass(frozen=True, slots=True)
class ReviewBatch:
    """The run under review as its files are now.

    Attributes:
        plan: Its plan.
        stage_files: Its records.
        run: Its name, which decides what is drawn and falsified of it.
        seed: Its seed.
        round: The number of this look at the batch, from 1.
        is_complete: Whether the run has done all it can without people.
        trust_card: What was measured of its records when it ended; None where nothing was.
    """

    plan: Plan
    stage_files: StageFiles
    run: str
    seed: int
    round: int
    is_complete: bool
    trust_card: TrustCardRecord | None = None


@dataclass(frozen=True, slots=True)
class RecordView:
    """What a person had on screen when they judged, edited or decided.

    Attributes:
        content: The digest of the content.
        last: The number of the last event on the record in this pass; 0 when there was none.
    """

    content: str
    last: int


@dataclass
class SessionView:
    """The batch and its review events at one moment, as one review pass may see them."""

    batch: ReviewBatch
    review_state: ReviewState
    review_pass: ReviewPass

    @cached_property
    def queues(self) -> tuple[ReviewQueue, ...]:
        """The queues of this pass."""
        return review_queues(self.batch.plan, self.review_state, self.review_pass)

    @property
    def items(self) -> tuple[QueueItem, ...]:
        """Every record of every queue, in order."""
        items: list[QueueItem] = []
        for queue in self.queues:
            items.extend(queue.items)
        return tuple(items)

    @property
    def done(self) -> int:
        """How many records have a verdict or decision of this pass."""
        return sum(queue.done for queue in self.queues)

    def item(self, query_id: str) -> QueueItem:
        """Find a record of this pass.

        Raises:
            InputError: It is in none of the queues.
        """
        for item in self.items:
            if item.query_id == query_id:
                return item
        raise InputError(f"{query_id}: is not among the records of this review")

    def next_open(self, after: str | None) -> QueueItem | None:
        """Find the next open record behind another one, and then from the beginning.

        Args:
            after: The record to begin behind; None or one of no queue begins with the first record.
        """
        items = self.items
        query_ids = [item.query_id for item in items]
        start = 0
        if after in query_ids:
            start = query_ids.index(after) + 1
        # Behind the last record comes the first: what was skipped comes up again.
        rotated = items[start:] + items[:start]
        for item in rotated:
            if item.is_open:
                return item
        return None

    def content(self, query_id: str) -> RecordContent:
        """The record as this pass sees it.

        Raises:
            InputError: It has no answer.
        """
        content = self.review_state.seen_by(query_id, self.review_pass)
        if content is None:
            raise InputError(f"{query_id}: has no answer to review")
        return content

    def record_view(self, query_id: str) -> RecordView:
        """What somebody has on screen who looks at a record now.

        Raises:
            InputError: It has no answer.
        """
        content = self.content(query_id)
        last_numbers = self.review_state.events.last_numbers
        last_number = last_numbers.get((query_id, self.review_pass), 0)
        return RecordView(content.digest, last_number)
