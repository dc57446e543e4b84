"""A reranker that is played by a model: it grades the first results of a search."""

import json
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field

from goldwright.engine.task_groups import task_group
from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import mask_secrets_in, masked_json
from goldwright.llm.port import Provider
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.prompts import PromptLibrary
from goldwright.records import Record

PROMPT: Final = "rerank_documents"
# Documents of one question: more of them are compared less carefully, fewer cost more calls.
BATCH_SIZE: Final = 10
# Ten small numbers, with room for thinking before them.
MOST_OUTPUT_TOKENS: Final = 4096
# Characters of a document that are shown: most functions are shorter, and what one of them is for
# stands at its top.
LONGEST_TEXT: Final = 2_000


class RelevanceReply(Record):
    """What the reranker hands back.

    Attributes:
        grades: For each document, in order, how far it answers the question, from 0 to 3.
    """

    grades: tuple[Annotated[int, Field(ge=0, le=3)], ...]


class LiveDocumentReranker:
    """Has a model grade documents for a query."""

    def __init__(self, model: str, provider: Provider, prompts: PromptLibrary) -> None:
        """Take the name of a model, its provider, and a library that holds the prompt."""
        self._model = model
        self._provider = provider
        self._prompts = prompts

    async def grade(self, query: str, texts: Sequence[str]) -> Sequence[int]:
        """Ask for the grades of documents, ten at a time and all tens at once.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
            ProviderError: The provider refuses or is out of reach.
        """
        starts = range(0, len(texts), BATCH_SIZE)
        batches = [texts[start : start + BATCH_SIZE] for start in starts]
        async with task_group() as group:
            gradings = [self._grade_batch(query, batch) for batch in batches]
            tasks = [group.create_task(grading) for grading in gradings]
        return [grade for task in tasks for grade in task.result()]

    async def _grade_batch(self, query: str, texts: Sequence[str]) -> Sequence[int]:
        shown_texts = [text[:LONGEST_TEXT] for text in texts]
        values = {
            "query": masked_json(query),
            "documents": json.dumps(mask_secrets_in(shown_texts), indent=1),
        }
        rules, task = self._prompts.halves(PROMPT, values)

        def read_grades(text: str) -> RelevanceReply:
            reply = read_reply(text, RelevanceReply)
            if len(reply.grades) != len(texts):
                raise ReplyError(
                    f"grades: {len(reply.grades)} where there are {len(texts)} entries"
                )
            return reply

        brief = Brief(
            item="rerank",
            model=self._model,
            system=rules,
            task=task,
            schema=reply_schema(RelevanceReply),
            parse_reply=read_grades,
            max_output_tokens=MOST_OUTPUT_TOKENS,
        )
        reply = await converse(self._provider, brief)
        return reply.grades
