"""The content of a record that people judge, its digest, and the content after their edits."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from goldwright.canonical import digest
from goldwright.records import AnswerDraft, EditEvent, QueryCandidate
from goldwright.stages.context import without_authorship


@dataclass(frozen=True)
class RecordContent:
    """A query with an answer: what verdicts are bound to.

    Attributes:
        candidate: The query.
        answer: The answer, with all edits in it.
        edits: The edits that led to this answer, oldest first.
    """

    candidate: QueryCandidate
    answer: AnswerDraft
    edits: tuple[EditEvent, ...] = ()

    @cached_property
    def digest(self) -> str:
        """The digest of the content, without its authors, times and costs."""
        answer = without_authorship(self.answer)
        # Verdicts name this digest, so a field more or less would make all of them stale.
        content = {
            "query_text": self.candidate.query_text,
            "task_type": self.candidate.task_type,
            "difficulty": self.candidate.difficulty,
            "answer": answer.model_dump(mode="json"),
        }
        return digest(content)

    def with_edits(self, edits: Iterable[EditEvent]) -> "RecordContent":
        """Apply edits in their order.

        An edit names the digest of the content it was made on. One that meets another content, for
        instance because the edit before it was undone, is skipped.
        """
        current = self
        for edit in edits:
            if edit.content != current.digest:
                continue
            fields = {edit.field: edit.after, "fact_citations": edit.citations}
            answer = current.answer.model_copy(update=fields)
            edits_so_far = (*current.edits, edit)
            current = replace(current, answer=answer, edits=edits_so_far)
        return current
