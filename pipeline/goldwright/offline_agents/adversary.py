"""The offline Adversary: looks every claim up in the text itself, by names, indentation and tokens."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.agents.roles import AdversaryWork
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.adversary_findings import write_findings
from goldwright.offline_agents.statement_verdicts import (
    StatementContext,
    StatementVerdict,
    weigh_fact,
    weigh_falsehood,
)
from goldwright.offline_agents.token_lines import read_rows
from goldwright.offline_agents.token_reading.definition_search import locate
from goldwright.offline_agents.token_reading.paged_reading import read_span
from goldwright.records import (
    AnswerDraft,
    Claim,
    ClaimVerdict,
    FileRange,
    ReportDraft,
    SupportVerdict,
    claims_of,
)
from goldwright.snapshot import Snapshot, mention_coverage
from goldwright.snapshot.entities import Span, split_entity_id

_EXCEPTION: Final = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt)\b")
_STRUCTURAL: Final = frozenset({"entity", "file", "line_range"})


class OfflineAdversary:
    """Breaks answers by re-reading; it neither parses with ``ast`` nor looks at who wrote an
    answer.
    """

    identity = "agent:adversary:offline-1"

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    async def play(self, work: AdversaryWork, toolset: Toolset) -> ReportDraft:
        """Give a verdict on every claim of an answer, and say what it lacks."""
        answer = work.answer
        case = _AnswerUnderAttack(self._snapshot, toolset, work)
        verdicts = tuple(case.judge(claim) for claim in claims_of(answer))
        findings = write_findings(
            [
                (split_entity_id(one.entity_id)[1], one.path, one.rows)
                for one in case.grounds
                if one.rows
            ]
        )
        return ReportDraft(
            claim_verdicts=verdicts,
            overall_verdict=_overall(verdicts),
            blocking_issues=tuple(_issues(verdicts)),
            missed_entities=tuple(case.missed()),
            findings=findings or "Nothing of what the answer expects could be found in the source.",
        )


class _AnswerUnderAttack:
    """One answer under examination, with what was read for it."""

    def __init__(self, snapshot: Snapshot, toolset: Toolset, work: AdversaryWork) -> None:
        self._snapshot = snapshot
        self._toolset = toolset
        self._answer: AnswerDraft = work.answer
        self._targets = work.candidate.target_entity_ids
        self.grounds: list[StatementContext] = []
        for identifier in work.answer.entity_ids:
            self.grounds.extend(self._read(identifier))

    def judge(self, claim: Claim) -> ClaimVerdict:
        finding = self._finding(claim)
        return ClaimVerdict(
            claim_id=claim.claim_id,
            claim_type=claim.claim_type,
            claim=claim.claim,
            verdict=finding.verdict,
            citation=finding.citation,
            note=finding.note,
        )

    def missed(self) -> Iterator[str]:
        """Name the targets that the answer lacks, and the one link that joins its parts where there
        is just one.
        """
        listed = set(self._answer.entity_ids)
        lacking = [
            target
            for target in self._targets
            if target not in listed and self._snapshot.entity(target)
        ]
        yield from lacking
        if not lacking and len(listed) > 1 and not self._hangs_together(listed):
            joints = self._joints(sorted(listed))
            if len(joints) == 1:
                yield joints[0]

    def _read(self, identifier: str) -> Iterator[StatementContext]:
        path, name = split_entity_id(identifier)
        if not name or not self._snapshot.has_text(path):
            return
        lines = self._snapshot.source(path).lines
        for span in locate(lines, name) or self._indexed(identifier):
            page = read_span(self._toolset, path, span)
            rows = read_rows(page.lines, span.first, name.rpartition(".")[0])
            if rows and rows[0].keyword not in {"@", "def", "class"}:
                rows = read_rows(page.lines, span.first, name)
            yield StatementContext(identifier, path, span.first, span.last, rows)

    def _indexed(self, identifier: str) -> tuple[Span, ...]:
        """Take the index's word where the text alone does not show the definition."""
        entity = self._snapshot.entity(identifier)
        return entity.spans if entity else ()

    def _finding(self, claim: Claim) -> StatementVerdict:
        place = int(claim.claim_id.rpartition("-")[2]) - 1 if claim.claim_id != "narrative" else 0
        if claim.claim_type == "entity":
            return self._entity(claim.claim)
        if claim.claim_type == "file":
            return self._file(claim.claim)
        if claim.claim_type == "line_range":
            return self._range(self._answer.expected_line_ranges[place])
        if claim.claim_type == "narrative":
            return self._narrative(claim.claim)
        if claim.claim_type == "must_not_mention_fact":
            return weigh_falsehood(claim.claim, self.grounds)
        citations = [
            cited for cited in self._answer.fact_citations if cited.claim_id == claim.claim_id
        ]
        return weigh_fact(claim.claim, citations, self.grounds)

    def _entity(self, identifier: str) -> StatementVerdict:
        ground = next((one for one in self.grounds if one.entity_id == identifier), None)
        if ground is None:
            return StatementVerdict(
                "unsupported",
                self._anything(),
                f"nothing of that name is defined in {split_entity_id(identifier)[0]}",
            )
        here = FileRange(file=ground.path, start=ground.first, end=ground.last)
        others = set(self._targets) | set(self._answer.entity_ids) - {identifier}
        if identifier not in self._targets and others.isdisjoint(
            self._snapshot.graph.linked(identifier)
        ):
            return StatementVerdict(
                "partial", here, "it exists, but nothing joins it to what was asked about"
            )
        return StatementVerdict("supported", here)

    def _file(self, path: str) -> StatementVerdict:
        ground = next((one for one in self.grounds if one.path == path), None)
        if ground is not None:
            return StatementVerdict("supported", ground.lines)
        if not self._snapshot.has_text(path):
            return StatementVerdict("unsupported", self._anything(), "there is no such text file")
        here = self._show(path, 1, min(20, self._snapshot.line_count(path)))
        is_cited = any(cited.file == path for cited in self._answer.expected_line_ranges)
        return (
            StatementVerdict("supported", here)
            if is_cited
            else StatementVerdict("partial", here, "nothing of the answer stands in it")
        )

    def _range(self, cited: FileRange) -> StatementVerdict:
        if not self._snapshot.has_text(cited.file):
            return StatementVerdict("unsupported", self._anything(), "there is no such text file")
        if not 1 <= cited.start <= cited.end <= self._snapshot.line_count(cited.file):
            return StatementVerdict("unsupported", self._anything(), "there are no such lines")
        here = self._show(cited.file, cited.start, cited.end)
        own = [one for one in self.grounds if one.path == cited.file]
        first, last = (
            min((one.first for one in own), default=0),
            max((one.last for one in own), default=0),
        )
        lines = self._snapshot.source(cited.file).lines[cited.start - 1 : cited.end]
        if not any(line.strip() for line in lines):
            return StatementVerdict("unsupported", here, "the lines are blank")
        if own and not any(one.first <= cited.end and cited.start <= one.last for one in own):
            return StatementVerdict("unsupported", here, "the lines hold no expected entity")
        if own and not first <= cited.start <= cited.end <= last:
            return StatementVerdict(
                "partial", here, f"the lines go beyond the entity, which is on {first} to {last}"
            )
        return StatementVerdict("supported", here)

    def _narrative(self, text: str) -> StatementVerdict:
        answer = self._answer
        ranges = (*answer.expected_line_ranges, *answer.fact_citations)
        ground = mention_coverage.MentionScope(
            frozenset(answer.entity_ids), frozenset(answer.expected_files), ranges
        )
        outside = mention_coverage.uncovered_mentions(text, ground, self._snapshot)
        if outside:
            return StatementVerdict(
                "unsupported",
                self._anything(),
                f"it names {outside[0].text}, which is not expected",
            )
        words = {token.string for one in self.grounds for row in one.rows for token in row.tokens}
        foreign = [
            name
            for name in _EXCEPTION.findall(text)
            if name not in words and not any(name in word for word in words)
        ]
        if foreign:
            return StatementVerdict(
                "unsupported",
                self._anything(),
                f"it speaks of {foreign[0]}, which the source does not name",
            )
        return StatementVerdict("supported", self._anything())

    def _show(self, path: str, first: int, last: int) -> FileRange:
        wanted = FileRange(file=path, start=first, end=last)
        if not self._toolset.has_shown(wanted):
            read_span(self._toolset, path, Span(first, last))
        return wanted

    def _anything(self) -> FileRange:
        if self.grounds:
            return self.grounds[0].lines
        path = next(
            (one for one in self._answer.expected_files if self._snapshot.has_text(one)), None
        )
        path = path or self._snapshot.files_in("python")[0]
        return self._show(path, 1, max(1, min(20, self._snapshot.line_count(path))))

    def _hangs_together(self, listed: set[str]) -> bool:
        graph = self._snapshot.graph
        start = min(listed)
        reached, waiting = {start}, [start]
        while waiting:
            here = waiting.pop()
            following = sorted((graph.linked(here) & listed) - reached)
            reached.update(following)
            waiting.extend(following)
        return reached == listed

    def _joints(self, listed: Sequence[str]) -> list[str]:
        graph = self._snapshot.graph
        called = [{site.entity_id for site in graph.callees(one)} for one in listed]
        calling = [{site.entity_id for site in graph.callers(one)} for one in listed]
        return sorted(
            {
                middle
                for first, callees in enumerate(called)
                for second, callers in enumerate(calling)
                if first != second
                for middle in callees & callers
            }
            - set(listed)
        )


def _overall(verdicts: Sequence[ClaimVerdict]) -> SupportVerdict:
    if any(one.verdict == "unsupported" and one.claim_type in _STRUCTURAL for one in verdicts):
        return "unsupported"
    return "supported" if all(one.verdict == "supported" for one in verdicts) else "partial"


def _issues(verdicts: Sequence[ClaimVerdict]) -> Iterator[str]:
    for one in verdicts:
        if one.verdict == "unsupported" and one.claim_type in _STRUCTURAL | {"narrative"}:
            yield f"{one.claim_id}: {one.note}"
