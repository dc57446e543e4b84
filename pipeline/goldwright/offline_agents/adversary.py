"""The offline Adversary: looks every claim up again, by names, indentation and tokens."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from goldwright.agents.declined_cases import decline_unreadable
from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.roles import AdversaryWork
from goldwright.agents.toolset import Toolset
from goldwright.code_blocks import without_code_blocks
from goldwright.offline_agents.findings_text import write_findings, write_sets
from goldwright.offline_agents.questions.question_reading import open_points, quote_reason
from goldwright.offline_agents.statement_verdicts import (
    StatementVerdict,
    false_sentences,
    weigh_fact,
    weigh_falsehood,
)
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
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
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Span, split_entity_id
from goldwright.snapshot.mentions import mention_coverage

# Lines of a file that are shown where a claim has no place of its own.
FIRST_LINES: Final = 20

_STRUCTURAL: Final = frozenset({"entity", "file", "line_range"})


class OfflineAdversary:
    """Breaks answers by reading again; it has no parser and does not know who wrote an answer."""

    identity = OFFLINE_IDENTITIES["adversary"]

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    async def play(self, work: AdversaryWork, toolset: Toolset) -> ReportDraft:
        """Give a verdict on every claim of an answer, and name what it lacks.

        Raises:
            RoleRefusedError: The code of its files cannot be read.
        """
        examine = partial(self._examine, work, toolset)
        return decline_unreadable(self._snapshot, work.candidate, "examining", examine)

    def _examine(self, work: AdversaryWork, toolset: Toolset) -> ReportDraft:
        attack = _Attack(self._snapshot, toolset, work)
        claims = claims_of(work.answer)
        verdicts = tuple(attack.judge(claim) for claim in claims)
        issues = (*_issues(verdicts), *attack.open_points())
        findings = attack.findings()
        return ReportDraft(
            claim_verdicts=verdicts,
            overall_verdict=_overall(verdicts, issues),
            blocking_issues=issues,
            missed_entities=tuple(attack.missed()),
            findings=findings or "Nothing of what the answer expects could be found in the source.",
        )


class _Attack:
    """One answer under examination, with what was read for it."""

    def __init__(self, snapshot: Snapshot, toolset: Toolset, work: AdversaryWork) -> None:
        self._snapshot = snapshot
        self._toolset = toolset
        self._answer: AnswerDraft = work.answer
        self._targets = work.candidate.target_entity_ids
        intent = work.candidate.intent
        self._intent = intent
        self._named = intent.named if intent is not None else ()
        self.code = TokenCodebase(snapshot, toolset, work.answer.entity_ids)

    def judge(self, claim: Claim) -> ClaimVerdict:
        verdict = self._weigh(claim)
        return ClaimVerdict(
            claim_id=claim.claim_id,
            claim_type=claim.claim_type,
            claim=claim.claim,
            verdict=verdict.verdict,
            citation=verdict.lines or self._any_lines(),
            note=verdict.note,
        )

    def missed(self) -> Iterator[str]:
        """Name the targets that the answer lacks."""
        listed = set(self._answer.entity_ids)
        for target in self._targets:
            if target not in listed and self._snapshot.entity(target):
                yield target

    def open_points(self) -> Iterator[str]:
        """Say what the answer leaves open of its question."""
        if self._intent is not None:
            for point in open_points(self._intent, self._answer, self.code):
                yield f"question: {point}"

    def findings(self) -> str:
        """Tell what was read: first what the question turns on, then the definitions."""
        reason = None
        if self._intent is not None:
            reason = quote_reason(self._intent, self.code)
        cited = self._answer.fact_citations
        findings = write_findings(self.code.definitions, cited)
        sets = write_sets(self._answer.must_mention_facts, self.code)
        sentences = filter(None, (reason, *sets, findings))
        return " ".join(sentences)

    def _weigh(self, claim: Claim) -> StatementVerdict:
        match claim.claim_type:
            case "entity":
                return self._entity(claim.claim)
            case "file":
                return self._file(claim.claim)
            case "line_range":
                number = int(claim.claim_id.rpartition("-")[2])
                return self._range(self._answer.expected_line_ranges[number - 1])
            case "narrative":
                return self._narrative(claim.claim)
            case "must_not_mention_fact":
                return weigh_falsehood(claim.claim, self.code)
            case "must_mention_fact":
                all_cited = self._answer.fact_citations
                citations = [cited for cited in all_cited if cited.claim_id == claim.claim_id]
                return weigh_fact(claim.claim, citations, self.code)

    def _entity(self, entity_id: str) -> StatementVerdict:
        definitions = self.code.definitions
        places = [
            definition.range for definition in definitions if definition.entity_id == entity_id
        ]
        if not places:
            path = split_entity_id(entity_id)[0]
            note = f"nothing of that name is defined in {path}"
            return StatementVerdict("unsupported", None, note)
        further_ids = set(self._answer.entity_ids) - {entity_id}
        answer_ids = set(self._targets) | further_ids
        linked_ids = self._snapshot.graph.linked(entity_id)
        is_linked = not answer_ids.isdisjoint(linked_ids)
        if entity_id not in self._targets and not is_linked:
            note = "it exists, but nothing joins it to what was asked about"
            return StatementVerdict("partial", places[0], note)
        return StatementVerdict("supported", places[0])

    def _file(self, path: str) -> StatementVerdict:
        places = self._ranges_in(path)
        if places:
            return StatementVerdict("supported", places[0])
        if not self._snapshot.has_text(path):
            return StatementVerdict("unsupported", None, "there is no such text file")
        last = min(FIRST_LINES, self._snapshot.line_count(path))
        first_lines = self._show(path, 1, last)
        if any(cited.file == path for cited in self._answer.expected_line_ranges):
            return StatementVerdict("supported", first_lines)
        return StatementVerdict("partial", first_lines, "nothing of the answer stands in it")

    def _range(self, cited: FileRange) -> StatementVerdict:
        if not self._snapshot.has_text(cited.file):
            return StatementVerdict("unsupported", None, "there is no such text file")
        if not 1 <= cited.start <= cited.end <= self._snapshot.line_count(cited.file):
            return StatementVerdict("unsupported", None, "there are no such lines")
        cited_lines = self._show(cited.file, cited.start, cited.end)
        file_lines = self._snapshot.source(cited.file).lines
        lines = file_lines[cited.start - 1 : cited.end]
        if not any(line.strip() for line in lines):
            return StatementVerdict("unsupported", cited_lines, "the lines are blank")
        definition_ranges = self._ranges_in(cited.file)
        if not definition_ranges or self._wraps_definition(cited, lines):
            return StatementVerdict("supported", cited_lines)
        verdict, note = self._place_of(cited, definition_ranges)
        return StatementVerdict(verdict, cited_lines, note or None)

    def _place_of(
        self, cited: FileRange, definition_ranges: Sequence[FileRange]
    ) -> tuple[SupportVerdict, str]:
        """Judge where lines lie beside the expected definitions of their file."""
        if not any(
            place.start <= cited.end and cited.start <= place.end for place in definition_ranges
        ):
            return "unsupported", "the lines hold no expected entity"
        headless = self._headless(cited)
        if headless is not None:
            return "partial", f"the lines leave out the head of the definition on {headless.start}"
        first = min(place.start for place in definition_ranges)
        last = max(place.end for place in definition_ranges)
        if not first <= cited.start <= cited.end <= last:
            return "partial", f"the lines go beyond the entity, which is on {first} to {last}"
        return "supported", ""

    def _wraps_definition(self, cited: FileRange, lines: Sequence[str]) -> bool:
        """Find out whether lines put something around an expected entity, in its place.

        So does ``parse = lru_cache(parse)`` below the definition of ``parse``.
        """
        definitions = self.code.definitions
        names = {definition.name for definition in definitions if definition.path == cited.file}
        simple_names = {name.rpartition(".")[2] for name in names}
        statement = " ".join(lines)
        return any(_is_made_from_itself(name, statement) for name in simple_names)

    def _headless(self, cited: FileRange) -> FileRange | None:
        """Find a definition of which a range shows the inside, and no range the beginning.

        A range may show a part of a definition beside the whole of a smaller one.
        """
        definition_ranges = self._ranges_in(cited.file)
        if any(_holds_start(cited, place) for place in definition_ranges):
            return None
        expected_ranges = self._answer.expected_line_ranges
        file_ranges = [lines for lines in expected_ranges if lines.file == cited.file]
        for place in definition_ranges:
            is_touched = place.start < cited.start <= place.end
            if is_touched and not any(
                _holds_start(expected_range, place) for expected_range in file_ranges
            ):
                return place
        return None

    def _ranges_in(self, path: str) -> list[FileRange]:
        """List where the definitions of a file are."""
        definitions = self.code.definitions
        return [definition.range for definition in definitions if definition.path == path]

    def _narrative(self, text: str) -> StatementVerdict:
        answer = self._answer
        # What the question names, the answer may name too.
        entity_ids = frozenset((*answer.entity_ids, *self._named))
        files = frozenset(answer.expected_files)
        lines = (*answer.expected_line_ranges, *answer.fact_citations)
        scope = mention_coverage.MentionScope(entity_ids, files, lines)
        sentences = without_code_blocks(text)
        outside = mention_coverage.uncovered_mentions(sentences, scope, self._snapshot)
        if outside:
            note = f"it names {outside[0].text}, which is not expected"
            return StatementVerdict("unsupported", None, note)
        for sentence in false_sentences(text, self.code):
            return StatementVerdict("unsupported", None, f"the code says otherwise: {sentence}")
        return StatementVerdict("supported", None)

    def _show(self, path: str, first: int, last: int) -> FileRange:
        lines = FileRange(file=path, start=first, end=last)
        if not self._toolset.has_shown(lines):
            read_span(self._toolset, path, Span(first, last))
        return lines

    def _any_lines(self) -> FileRange:
        """Give lines that were read, for a claim that has none: a verdict needs a place."""
        if self.code.definitions:
            return self.code.definitions[0].range
        python_files = self._snapshot.files_in("python")
        paths = (*self._answer.expected_files, *python_files)
        text_path = next(filter(self._snapshot.has_text, paths))
        last = min(FIRST_LINES, self._snapshot.line_count(text_path))
        return self._show(text_path, 1, max(1, last))


def _is_made_from_itself(name: str, statement: str) -> bool:
    """Find out whether a statement gives a name a value in which that name stands."""
    word = re.escape(name)
    made_from_itself = rf"\s*{word}\s*=(?!=).*\b{word}\b"
    return re.match(made_from_itself, statement) is not None


def _holds_start(lines: FileRange, definition: FileRange) -> bool:
    return lines.start <= definition.start <= lines.end


def _overall(verdicts: Sequence[ClaimVerdict], issues: Sequence[str]) -> SupportVerdict:
    unsupported = {verdict.claim_type for verdict in verdicts if verdict.verdict == "unsupported"}
    if unsupported & _STRUCTURAL:
        return "unsupported"
    if issues or any(verdict.verdict != "supported" for verdict in verdicts):
        return "partial"
    return "supported"


def _issues(verdicts: Sequence[ClaimVerdict]) -> Iterator[str]:
    for verdict in verdicts:
        blocks = verdict.claim_type in _STRUCTURAL | {"narrative"}
        if verdict.verdict == "unsupported" and blocks:
            yield f"{verdict.claim_id}: {verdict.note}"
