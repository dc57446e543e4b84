"""The content of a record that people judge, its digest, and the content after their edits."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from goldwright.canonical import digest
from goldwright.records import AnswerDraft, EditedField, EditEvent, OracleAnswer, QueryCandidate
from goldwright.records.label import EditedValue
from goldwright.snapshot.identifier_leaks import leaked_identifiers
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
        candidate = self.candidate
        answer = without_authorship(self.answer)
        # Verdicts name this digest, so a field more or less would make all of them stale.
        content = {
            "query_text": candidate.query_text,
            "task_type": candidate.task_type,
            "difficulty": candidate.difficulty,
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
            candidate = _edited_candidate(current.candidate, edit)
            answer = _edited_answer(current.answer, edit)
            edits_so_far = (*current.edits, edit)
            current = RecordContent(candidate=candidate, answer=answer, edits=edits_so_far)
        return current

    def value(self, field: EditedField) -> EditedValue:
        """What stands in a field that people may edit."""
        if field == "query_text":
            return self.candidate.query_text
        value: EditedValue = getattr(self.answer, field)
        return value


def _edited_candidate(candidate: QueryCandidate, edit: EditEvent) -> QueryCandidate:
    if not isinstance(edit.after, str) or edit.field != "query_text":
        return candidate
    leaked = leaked_identifiers(edit.after, candidate.target_entity_ids)
    fields = {"query_text": edit.after, "identifier_in_query": bool(leaked)}
    return candidate.model_copy(update=fields)


def _edited_answer(answer: AnswerDraft, edit: EditEvent) -> AnswerDraft:
    fields: dict[str, object] = {"fact_citations": edit.citations}
    if edit.field != "query_text":
        fields[edit.field] = edit.after
    if edit.files is not None:
        fields["expected_files"] = edit.files
    if edit.evidence is not None:
        fields["source_evidence"] = edit.evidence
    # An answer without digests was written from the lines of this commit and needs none.
    if isinstance(answer, OracleAnswer) and answer.cited_text:
        fields["cited_text"] = {**answer.cited_text, **edit.cited_text}
    return answer.model_copy(update=fields)
