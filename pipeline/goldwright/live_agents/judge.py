"""The narrative judge played by a model; it has no tools and sees no code."""

import json

from goldwright.agents.roles import JudgeWork
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.tool_loop import Brief
from goldwright.live_agents.untrusted_markers import masked
from goldwright.llm.reply_parsing import read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import NarrativeVerdictDraft


class LiveJudge:
    """Has a model compare a narrative with the findings."""

    def __init__(self, client: RoleClient) -> None:
        self.identity = client.identity
        self._client = client

    async def play(self, work: JudgeWork) -> NarrativeVerdictDraft:
        """Ask for one verdict."""
        values = {
            "query": json.dumps(masked(work.query_text)),
            "narrative": json.dumps(masked(work.narrative)),
            "findings": json.dumps(masked(work.findings)),
        }
        rules, task = self._client.prompts.halves("judge", values)
        brief = Brief(
            item=f"judge:{work.query_id}",
            model=self._client.model,
            system=rules,
            task=task,
            schema=reply_schema(NarrativeVerdictDraft),
            read=lambda text: read_reply(text, NarrativeVerdictDraft),
            max_output_tokens=4096,
        )
        return await self._client.play(brief)
