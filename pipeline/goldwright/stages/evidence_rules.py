"""What an answer and its report rest on: read lines, code rather than prose, and nothing that
speaks to a model.

These objections are facts that code finds out; whoever plays the roles has no say in them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from goldwright.records import AnswerDraft, Evidence, FileRange, QueryCandidate, ReportDraft
from goldwright.scanners.secrets import mask_secrets
from goldwright.snapshot import Snapshot
from goldwright.snapshot.comment_stripper import code_lines
from goldwright.stages.gate.checks.evidence_read import ShownLines

BEHAVIOUR = frozenset({"must_mention_fact", "must_not_mention_fact", "narrative"})


def unread_citations(report: ReportDraft, shown: Sequence[Evidence]) -> Iterator[str]:
    """Yield an objection for every verdict whose lines its Adversary was not shown."""
    read = ShownLines(shown)
    for verdict in report.claim_verdicts:
        if not read.hold(verdict.citation):
            yield f"unread_citation: {verdict.claim_id}: {verdict.citation} was not shown to the Adversary"


def repeated_secrets(
    candidate: QueryCandidate, answer: AnswerDraft, report: ReportDraft
) -> Iterator[str]:
    """Yield an objection for every part of a record that repeats a secret of the codebase."""
    texts = {
        "query": candidate.query_text,
        "narrative": answer.canonical_narrative,
        "findings": report.findings,
        **{f"fact-{n}": fact for n, fact in enumerate(answer.must_mention_facts, start=1)},
        **{f"not-fact-{n}": fact for n, fact in enumerate(answer.must_not_mention_facts, start=1)},
    }
    yield from (
        f"secret: {part} repeats what looks like a key"
        for part, text in texts.items()
        if mask_secrets(text) != text
    )


class EvidenceRules:
    """Looks up which lines of a snapshot are code."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._code = lru_cache(maxsize=256)(self._code_lines)

    def prose_only(self, answer: AnswerDraft, report: ReportDraft) -> Iterator[str]:
        """Yield an objection for every statement on behaviour that rests on comments or documents
        alone.
        """
        for citation in answer.fact_citations:
            if not self._shows_code(citation):
                yield f"prose_only: {citation.claim_id}: the Oracle cites no code ({citation})"
        for verdict in report.claim_verdicts:
            if verdict.claim_type in BEHAVIOUR and not self._shows_code(verdict.citation):
                yield f"prose_only: {verdict.claim_id}: the Adversary cites no code ({verdict.citation})"

    def _shows_code(self, cited: FileRange) -> bool:
        code = self._code(cited.file)
        return any(
            number in code
            for number in range(cited.start, min(cited.end, cited.start + 100_000) + 1)
        )

    def _code_lines(self, path: str) -> frozenset[int]:
        if not self._snapshot.has_text(path):
            return frozenset()
        return code_lines(
            path, "\n".join(line.rstrip("\r\n") for line in self._snapshot.source(path).lines)
        )
