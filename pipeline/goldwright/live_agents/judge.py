"""The narrative judge played by a model; it has no tools and sees no code."""

from dataclasses import replace
from typing import Final

from goldwright.agents.roles import JudgeWork
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.records import NarrativeVerdictDraft

MOST_OUTPUT_TOKENS: Final = 4096


class LiveJudge:
    """Has a model compare a narrative with the findings."""

    def __init__(self, client: RoleClient) -> None:
        self.identity = client.identity
        self._client = client

    async def play(self, work: JudgeWork) -> NarrativeVerdictDraft:
        """Ask for one verdict."""
        item = f"judge:{work.query_id}"
        values = {
            "query": masked_json(work.query_text),
            "narrative": masked_json(work.narrative),
            "findings": masked_json(work.findings),
        }
        brief = self._client.brief(item, "judge", values, NarrativeVerdictDraft)
        brief = replace(brief, max_output_tokens=MOST_OUTPUT_TOKENS)
        return await self._client.play(brief)
