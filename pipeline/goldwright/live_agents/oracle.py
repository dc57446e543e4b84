"""The Oracle played by a model."""

from typing import Final

from goldwright.agents.roles import OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import NOTHING, RoleClient
from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.records import AnswerDraft, QueryCandidate

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


class LiveOracle:
    """Has a model answer one candidate; the gate decides afterwards what its answer is worth."""

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
        brief = self._client.brief(item, "oracle", values, AnswerDraft)
        tools = self._client.open_tools(item, toolset, self._renderer)
        return await self._client.play(brief, tools)


def _question_json(candidate: QueryCandidate) -> str:
    question = candidate.model_dump(mode="json", include=_FIELDS_OF_A_QUESTION)
    return masked_json(question)


def _hint_json(candidate: QueryCandidate) -> str:
    if not candidate.hint:
        return NOTHING
    return masked_json(candidate.hint)
