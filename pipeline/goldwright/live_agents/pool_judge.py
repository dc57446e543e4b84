"""A judge of pooled pairs that is played by a model: it grades queries and documents."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.live_agents.document_reranker import RelevanceReply
from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import mask_secrets_in
from goldwright.llm.port import Provider
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.prompts import PromptLibrary
from goldwright.text import counted

PROMPT: Final = "pool_judge"
# A hundred small numbers, with room for thinking before them.
MOST_OUTPUT_TOKENS: Final = 16_384


@dataclass(frozen=True, slots=True)
class ShownPair:
    """What a judge sees of a pair."""

    query: str
    document: str

    @property
    def as_json(self) -> Mapping[str, str]:
        """The pair as it stands in the prompt, without secrets."""
        query, document = mask_secrets_in([self.query, self.document])
        return {"query": query, "document": document}


class LivePoolJudge:
    """Has a model grade pairs."""

    def __init__(self, model: str, provider: Provider, prompts: PromptLibrary) -> None:
        """Take the name of a model, its provider, and a library that holds the prompt."""
        self._model = model
        self._provider = provider
        self._prompts = prompts

    async def grade(self, item: str, pairs: Sequence[ShownPair]) -> Sequence[int]:
        """Ask for the grades of some pairs, under the name of a work item.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
            ProviderError: The provider refuses or is out of reach.
        """
        rules, task = self._prompts.halves(PROMPT, {"pairs": pairs_text(pairs)})

        def read_grades(text: str) -> RelevanceReply:
            reply = read_reply(text, RelevanceReply)
            if len(reply.grades) != len(pairs):
                raise ReplyError(
                    f"grades: {len(reply.grades)} where there are {counted(len(pairs), 'pair')}"
                )
            return reply

        brief = Brief(
            item=item,
            model=self._model,
            system=rules,
            task=task,
            schema=reply_schema(RelevanceReply),
            parse_reply=read_grades,
            max_output_tokens=MOST_OUTPUT_TOKENS,
        )
        reply = await converse(self._provider, brief)
        return reply.grades


def pairs_text(pairs: Sequence[ShownPair]) -> str:
    """Write pairs as they stand in the prompt."""
    return json.dumps([pair.as_json for pair in pairs], indent=1)
