"""The Oracle played by a model.

What it read stands in its toolset, so it does not write that down once more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from goldwright.agents.roles import Findings, OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.draft_submission import WholeDraftReview
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.llm.reply_parsing import read_reply
from goldwright.prompts import NOTHING
from goldwright.records import (
    AnswerDraft,
    Confidence,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    QueryCandidate,
    Record,
)

ADVICE: Final = (
    "Mend these with what the code shows, look again where you have to, and hand the whole object "
    "in again. What the code does not bear out, do not write to please a check."
)

# The Oracle is told the query, its scope and its reason, and nothing of where the candidate comes
# from. The reason is a lead: its prompt has it derive all of it again.
_FIELDS_OF_A_QUESTION: Final = {
    "query_text",
    "task_type",
    "difficulty",
    "focus_area",
    "target_entity_ids",
    "intent",
}


class AnswerReply(Record):
    """What an Oracle hands back: an answer without the evidence, which its toolset holds."""

    expected_entities: tuple[ExpectedEntity, ...]
    expected_files: tuple[str, ...]
    expected_line_ranges: tuple[FileRange, ...]
    must_mention_facts: tuple[str, ...]
    must_not_mention_facts: tuple[str, ...]
    fact_citations: tuple[FactCitation, ...]
    canonical_narrative: str
    confidence: Confidence
    uncertainty_notes: str | None = None


class LiveOracle:
    """Has a model answer one candidate.

    The checks of the gate speak to it while it can still mend; the gate decides afterwards what
    its answer is worth.
    """

    def __init__(self, client: RoleClient, renderer: OutputRenderer) -> None:
        self.identity = client.identity
        self._client = client
        self._renderer = renderer

    async def play(self, work: OracleWork, toolset: Toolset) -> AnswerDraft:
        """Ask for the answer to one candidate."""
        item = f"oracle:{work.candidate.query_id}"
        values = {
            "candidate": _question_json(work.candidate),
            "hint": _hint_json(work.candidate),
            "lessons": self._client.lessons,
        }

        def read_answer(text: str) -> AnswerDraft:
            reply = read_reply(text, AnswerReply)
            evidence = _evidence_of(reply, toolset.shown)
            return AnswerDraft(**dict(reply), source_evidence=tuple(evidence))

        def check(draft: AnswerDraft) -> Findings:
            return work.check(draft, toolset.shown)

        brief = self._client.brief(item, "oracle", values, AnswerReply, read_answer)
        brief = replace(brief, review=WholeDraftReview(check, ADVICE))
        tools = self._client.open_tools(item, toolset, self._renderer)
        return await self._client.play(brief, tools)


def _evidence_of(reply: AnswerReply, shown_evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """Yield what was shown of the files that an answer rests on, the same lines once."""
    files = {*reply.expected_files, *(cited.file for cited in reply.fact_citations)}
    ranges: set[str] = set()
    for evidence in shown_evidence:
        if evidence.file in files and str(evidence) not in ranges:
            ranges.add(str(evidence))
            yield evidence


def _question_json(candidate: QueryCandidate) -> str:
    question = candidate.model_dump(mode="json", include=_FIELDS_OF_A_QUESTION)
    return masked_json(question)


def _hint_json(candidate: QueryCandidate) -> str:
    if not candidate.hint:
        return NOTHING
    return masked_json(candidate.hint)
