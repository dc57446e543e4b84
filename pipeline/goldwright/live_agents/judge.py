"""The narrative judge played by a model; it has no tools and sees no code."""

from dataclasses import replace
from functools import partial
from typing import Final

from goldwright.agents.roles import JudgeWork
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.llm.reply_parsing import read_reply
from goldwright.records import NarrativeEquivalence, NarrativeVerdictDraft, Record

MOST_OUTPUT_TOKENS: Final = 4096

NO_ANSWER: Final = "The narrative does not answer the question."


class JudgeReply(Record):
    """What a judge hands back.

    Attributes:
        answers_question: Whether the narrative answers the question at all, which is decided
            before the two texts are compared.
        verdict: How narrative and findings compare.
        reason: The point that decided.
    """

    answers_question: bool
    verdict: NarrativeEquivalence
    reason: str


class LiveJudge:
    """Has a model hold a narrative against its question and against the findings."""

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
        reader = partial(read_reply, model=JudgeReply)
        brief = self._client.brief(item, "judge", values, JudgeReply, reader)
        brief = replace(brief, max_output_tokens=MOST_OUTPUT_TOKENS)
        reply = await self._client.play(brief)
        return _verdict(reply)


def _verdict(reply: JudgeReply) -> NarrativeVerdictDraft:
    """Give the verdict of a reply; a narrative that answers nothing agrees with nothing."""
    if reply.answers_question:
        return NarrativeVerdictDraft(verdict=reply.verdict, reason=reply.reason)
    reason = f"{NO_ANSWER} {reply.reason}"
    return NarrativeVerdictDraft(verdict="significant_divergence", reason=reason)
