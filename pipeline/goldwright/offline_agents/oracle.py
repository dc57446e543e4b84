"""The offline Oracle: derives the answer from the code again, and puts it into a record."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from goldwright.agents.declined_cases import decline_unreadable
from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.roles import OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.answers.answer_writing import WrittenAnswer, write_answer
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.catalog import inquiry_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPart, AnswerPlan
from goldwright.offline_agents.inquiries.plain_reading import PlainReading
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.token_reading.paged_reading import read_span
from goldwright.records import (
    AnswerDraft,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    QueryCandidate,
)
from goldwright.snapshot import Snapshot

_NAMED_IN_HINT: Final = "The reviewer named it."


class OfflineOracle:
    """Answers by static analysis: trees for what the code does, closed sets for who uses what."""

    identity = OFFLINE_IDENTITIES["oracle"]

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._code = CodeContext(snapshot)

    async def play(self, work: OracleWork, toolset: Toolset) -> AnswerDraft:
        """Answer one candidate.

        Raises:
            RoleRefusedError: The code of its files cannot be read.
        """
        answer = partial(self._answer, work.candidate, toolset)
        return decline_unreadable(self._snapshot, work.candidate, "answering", answer)

    def _answer(self, candidate: QueryCandidate, toolset: Toolset) -> AnswerDraft:
        plan = self._plan(candidate)
        written_answer = write_answer(plan, self._code, asked=candidate.query_text)
        is_whole = written_answer is not None
        if written_answer is None:
            plan = PlainReading().answer_for(candidate.target_entity_ids, self._code)
            written_answer = write_answer(plan, self._code, whatever_length=True)
        assert written_answer is not None  # noqa: S101  # any length is taken
        hinted_parts = self._hinted(candidate, plan.parts)
        parts = [*plan.parts, *hinted_parts]
        return draft_answer(parts, written_answer, self._snapshot, toolset, is_whole=is_whole)

    def _plan(self, candidate: QueryCandidate) -> AnswerPlan:
        inquiry = inquiry_of(candidate.intent)
        if candidate.intent is not None and inquiry is not None:
            targets = candidate.target_entity_ids
            plan = inquiry.answer(candidate.intent, targets, self._code)
            if plan is not None:
                return plan
        return PlainReading().answer_for(candidate.target_entity_ids, self._code)

    def _hinted(
        self, candidate: QueryCandidate, parts: Sequence[AnswerPart]
    ) -> Iterator[AnswerPart]:
        """Add what a person's hint names by id; nothing else in it is advice to a parser."""
        answer_ids = {part.entity_id for part in parts}
        hint = candidate.hint or ""
        words = (word.strip(".,;()`'\"") for word in hint.split())
        for word in dict.fromkeys(words):
            if "::" in word and word not in answer_ids and self._snapshot.entity(word) is not None:
                yield AnswerPart(word, "supporting", _NAMED_IN_HINT)


def draft_answer(
    parts: Sequence[AnswerPart],
    written_answer: WrittenAnswer,
    snapshot: Snapshot,
    toolset: Toolset,
    *,
    is_whole: bool,
) -> AnswerDraft:
    """Put a written answer into a record; the code of its entities is read for it.

    Args:
        parts: The expected entities.
        written_answer: The facts, falsehoods and narrative.
        snapshot: The codebase.
        toolset: What the code is read with; it keeps what it showed.
        is_whole: Whether the answer settles its question.
    """
    entities = [entity for part in parts if (entity := snapshot.entity(part.entity_id))]
    for entity in entities:
        for span in entity.spans:
            read_span(toolset, entity.path, span)
    paths = [entity.path for entity in entities]
    files = tuple(dict.fromkeys(paths))
    ranges: list[FileRange] = []
    for entity in entities:
        entity_ranges = [
            FileRange(file=entity.path, start=s.first, end=s.last) for s in entity.spans
        ]
        ranges.extend(entity_ranges)
    expected_entities = [
        ExpectedEntity(entity_id=part.entity_id, role=part.role, rationale=part.rationale)
        for part in parts
    ]
    return AnswerDraft(
        expected_entities=tuple(expected_entities),
        expected_files=files,
        expected_line_ranges=tuple(ranges),
        must_mention_facts=tuple(fact.statement.sentence() for fact in written_answer.facts),
        must_not_mention_facts=tuple(
            fact.statement.sentence() for fact in written_answer.falsehoods
        ),
        fact_citations=(
            *_citations("fact", written_answer.facts),
            *_citations("not-fact", written_answer.falsehoods),
        ),
        canonical_narrative=written_answer.narrative,
        source_evidence=tuple(_evidence(toolset, files)),
        confidence="high" if is_whole else "low",
        uncertainty_notes=(
            None if is_whole else "The code of the targets alone does not settle the question."
        ),
    )


def _citations(prefix: str, findings: Sequence[Finding]) -> Iterator[FactCitation]:
    for number, finding in enumerate(findings, start=1):
        for lines in finding.cited_lines():
            yield FactCitation(
                claim_id=f"{prefix}-{number}", file=lines.file, start=lines.start, end=lines.end
            )


def _evidence(toolset: Toolset, files: Sequence[str]) -> Iterator[Evidence]:
    for evidence in toolset.shown:
        if evidence.file in files:
            yield evidence
