"""The judge of a retriever's answers, played by a model: which facts an answer states, and which
falsehoods.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import masked
from goldwright.llm.port import Provider
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.prompts import PromptLibrary
from goldwright.records import AnswerVerdict

PROMPT = "answer_judge"
MOST_OUTPUT_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class AnswerWork:
    """One answer, the facts that it must state and the falsehoods that it must not."""

    query_id: str
    query_text: str
    facts: tuple[str, ...]
    falsehoods: tuple[str, ...]
    answer: str


class LiveAnswerJudge:
    """Has a model go through an answer fact by fact."""

    def __init__(self, model: str, provider: Provider, prompts: PromptLibrary) -> None:
        """Take a line to a model, and a library that holds the prompt."""
        self._model = model
        self._provider = provider
        self._prompts = prompts

    async def play(self, work: AnswerWork) -> AnswerVerdict:
        """Ask for one verdict, with a value for every statement.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
            ProviderError: The provider does.
        """
        values = {
            "query": json.dumps(masked(work.query_text)),
            "facts": _listed(work.facts),
            "falsehoods": _listed(work.falsehoods),
            "answer": json.dumps(masked(work.answer)),
        }
        rules, task = self._prompts.halves(PROMPT, values)
        brief = Brief(
            item=f"answer:{work.query_id}",
            model=self._model,
            system=rules,
            task=task,
            schema=reply_schema(AnswerVerdict),
            read=lambda text: _read(text, work),
            max_output_tokens=MOST_OUTPUT_TOKENS,
        )
        return await converse(self._provider, brief)


def _read(text: str, work: AnswerWork) -> AnswerVerdict:
    verdict = read_reply(text, AnswerVerdict)
    for name, found, wanted in (
        ("stated", verdict.stated, work.facts),
        ("asserted", verdict.asserted, work.falsehoods),
    ):
        if len(found) != len(wanted):
            raise ReplyError(
                f"{name}: {len(found)} values where there are {len(wanted)} statements"
            )
    return verdict


def _listed(statements: Sequence[str]) -> str:
    return json.dumps([masked(one) for one in statements], indent=1)
