"""What a person sees of a record, its digest, and the record as a person changed it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from goldwright.canonical import digest
from goldwright.records import AnswerDraft, EditEvent, QueryCandidate


@dataclass(frozen=True)
class RecordContent:
    """A query with an answer: what verdicts are bound to.

    ``edits`` are the changes by which it came about, oldest first.
    """

    candidate: QueryCandidate
    answer: AnswerDraft
    edits: tuple[EditEvent, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Name the content, without who wrote it, when and at which cost."""
        answer = {name: getattr(self.answer, name) for name in AnswerDraft.model_fields}
        return digest(
            {
                "query_text": self.candidate.query_text,
                "task_type": self.candidate.task_type,
                "difficulty": self.candidate.difficulty,
                "answer": AnswerDraft(**answer).model_dump(mode="json"),
            }
        )

    def changed(self, edits: Iterable[EditEvent]) -> "RecordContent":
        """Give the content after edits; one that was made on other content than it meets is passed
        over.
        """
        current = self
        for edit in edits:
            if edit.content == current.digest:
                fields = {edit.field: edit.after, "fact_citations": edit.citations}
                answer = current.answer.model_copy(update=fields)
                current = replace(current, answer=answer, edits=(*current.edits, edit))
        return current
