"""The judge of a retriever's answers, played by a model.

It says which facts an answer states, and which falsehoods it asserts.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import mask_secrets_in, masked_json
from goldwright.llm.port import Provider
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.prompts import PromptLibrary
from goldwright.records import AnswerVerdict
from goldwright.text import counted

PROMPT: Final = "answer_judge"
# A verdict is two short lists of booleans, with room for thinking before them.
MOST_OUTPUT_TOKENS: Final = 4096


@dataclass(frozen=True, slots=True)
class AnswerWork:
    """One answer to judge.

    Attributes:
        query_id: The query that it answers.
        query_text: The text of the query.
        facts: What it must state.
        falsehoods: What it must not assert.
        answer: The answer.
    """

    query_id: str
    query_text: str
    facts: tuple[str, ...]
    falsehoods: tuple[str, ...]
    answer: str


class LiveAnswerJudge:
    """Has a model go through an answer fact by fact."""

    def __init__(self, model: str, provider: Provider, prompts: PromptLibrary) -> None:
        """Take the name of a model, its provider, and a library that holds the prompt."""
        self._model = model
        self._provider = provider
        self._prompts = prompts

    async def play(self, work: AnswerWork) -> AnswerVerdict:
        """Ask for one verdict, with a value for every statement.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
            ProviderError: The provider refuses or is out of reach.
        """
        values = {
            "query": masked_json(work.query_text),
            "answer": masked_json(work.answer),
            "facts": _json_array(work.facts),
            "falsehoods": _json_array(work.falsehoods),
        }
        rules, task = self._prompts.halves(PROMPT, values)

        def read_verdict(text: str) -> AnswerVerdict:
            verdict = read_reply(text, AnswerVerdict)
            return _check_verdict(verdict, work)

        brief = Brief(
            item=f"answer:{work.query_id}",
            model=self._model,
            system=rules,
            task=task,
            schema=reply_schema(AnswerVerdict),
            parse_reply=read_verdict,
            max_output_tokens=MOST_OUTPUT_TOKENS,
        )
        return await converse(self._provider, brief)


def _check_verdict(verdict: AnswerVerdict, work: AnswerWork) -> AnswerVerdict:
    """Give a verdict that has a value for every statement.

    Raises:
        ReplyError: It has more or fewer.
    """
    _check_count("stated", verdict.stated, work.facts)
    _check_count("asserted", verdict.asserted, work.falsehoods)
    return verdict


def _check_count(name: str, values: Sequence[bool], statements: Sequence[str]) -> None:
    count = len(values)
    wanted_count = len(statements)
    if count != wanted_count:
        raise ReplyError(
            f"{name}: {counted(count, 'value')} where there are {wanted_count} statements"
        )


def _json_array(statements: Sequence[str]) -> str:
    """Write statements as a JSON array with one a line."""
    return json.dumps(mask_secrets_in(list(statements)), indent=1)
