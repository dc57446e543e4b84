"""Rules on what an answer and its report rest on: lines that were read, and code, not prose.

The objections of these rules are facts that code finds out; the roles have no say in them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from goldwright.records import AnswerDraft, Evidence, FileRange, QueryCandidate, ReportDraft
from goldwright.records.answer import ClaimType
from goldwright.scanners.secrets import mask_secrets
from goldwright.snapshot import Snapshot
from goldwright.snapshot.comment_stripper import code_lines
from goldwright.snapshot.file_guard import guarded
from goldwright.stages.line_coverage import LineCoverage

# What code does must show in code. Whether entities, files and lines exist is the gate's business.
BEHAVIOUR_CLAIMS: Final[frozenset[ClaimType]] = frozenset(
    {"must_mention_fact", "must_not_mention_fact", "narrative"}
)
# Citations come from models: an absurdly long one is searched for code no further than this.
_MOST_CITED_LINES: Final = 100_000
# Citations of one batch return to the same files again and again.
_CACHED_FILES: Final = 256


def unread_citations(report: ReportDraft, shown_lines: Sequence[Evidence]) -> Iterator[str]:
    """Yield an objection for every verdict whose lines its Adversary was not shown."""
    coverage = LineCoverage(shown_lines)
    for verdict in report.claim_verdicts:
        if not coverage.covers(verdict.citation):
            problem = f"{verdict.citation} was not shown to the Adversary"
            yield f"unread_citation: {verdict.claim_id}: {problem}"


def repeated_secrets(
    candidate: QueryCandidate, answer: AnswerDraft, report: ReportDraft
) -> Iterator[str]:
    """Yield an objection for every part of a record that repeats a secret of the codebase."""
    for part, text in _published_texts(candidate, answer, report):
        if mask_secrets(text) != text:
            yield f"secret: {part} repeats what looks like a key"


class EvidenceRules:
    """Knows which lines of a snapshot are code; the last files that were looked up are kept."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._code_lines_of = lru_cache(maxsize=_CACHED_FILES)(self._read_code_lines)

    def prose_only(self, answer: AnswerDraft, report: ReportDraft) -> Iterator[str]:
        """Yield an objection for every statement on behaviour that rests on no line of code.

        A comment or a document may say anything, also to a model that reads it.
        """
        for citation in answer.fact_citations:
            if not self._shows_code(citation):
                yield f"prose_only: {citation.claim_id}: the Oracle cites no code ({citation})"
        for verdict in report.claim_verdicts:
            cited = verdict.citation
            is_about_behaviour = verdict.claim_type in BEHAVIOUR_CLAIMS
            if is_about_behaviour and not self._shows_code(cited):
                yield f"prose_only: {verdict.claim_id}: the Adversary cites no code ({cited})"

    def _shows_code(self, cited: FileRange) -> bool:
        code_line_numbers = self._code_lines_of(cited.file)
        end = min(cited.end, cited.start + _MOST_CITED_LINES)
        cited_line_numbers = range(cited.start, end + 1)
        return not code_line_numbers.isdisjoint(cited_line_numbers)

    def _read_code_lines(self, path: str) -> frozenset[int]:
        if not self._snapshot.has_text(path):
            return frozenset()
        source = self._snapshot.source(path)
        # One newline behind each line, whatever the file has, so that line numbers stay.
        lines = [line.rstrip("\r\n") for line in source.lines]
        text = "\n".join(lines)

        def read() -> frozenset[int]:
            return code_lines(path, text)

        return guarded(self._snapshot, path, "looking for lines of code", read, frozenset())


def _published_texts(
    candidate: QueryCandidate, answer: AnswerDraft, report: ReportDraft
) -> Iterator[tuple[str, str]]:
    """Yield the parts of a record that people and datasets get to see, each with its name."""
    yield "query", candidate.query_text
    yield "narrative", answer.canonical_narrative
    yield "findings", report.findings
    for number, fact in enumerate(answer.must_mention_facts, start=1):
        yield f"fact-{number}", fact
    for number, fact in enumerate(answer.must_not_mention_facts, start=1):
        yield f"not-fact-{number}", fact
