"""The Oracle played by a model."""

import json

from goldwright.agents.roles import OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import NOTHING, RoleClient
from goldwright.live_agents.tool_loop import Brief
from goldwright.live_agents.untrusted_markers import masked
from goldwright.llm.reply_parsing import read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import AnswerDraft, QueryCandidate


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
            "candidate": _question(work.candidate),
            "hint": json.dumps(masked(work.candidate.hint)) if work.candidate.hint else NOTHING,
            "lessons": self._client.lessons,
        }
        rules, task = self._client.prompts.halves("oracle", values)
        brief = Brief(
            item=item,
            model=self._client.model,
            system=rules,
            task=task,
            schema=reply_schema(AnswerDraft),
            read=lambda text: read_reply(text, AnswerDraft),
        )
        return await self._client.play(brief, self._client.toolbox(item, toolset, self._renderer))


def _question(candidate: QueryCandidate) -> str:
    wanted = {"query_text", "task_type", "difficulty", "focus_area", "target_entity_ids"}
    return json.dumps(masked(candidate.model_dump(mode="json", include=wanted)))
