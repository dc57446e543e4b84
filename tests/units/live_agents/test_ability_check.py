"""Trying a model out: what it cannot do is said, and what it can is not doubted."""

import asyncio
from collections.abc import Sequence

import pytest

from goldwright.live_agents.ability_check import (
    CALLS_NO_TOOLS,
    DOES_AS_TOLD_NOT,
    READS_NO_RESULTS,
    WORD,
    WRITES_NO_FORM,
    WRITES_NO_FORM_EITHER,
    AbilityCheck,
)
from goldwright.llm.port import Reply, Request, ToolUse, Usage
from goldwright.llm.providers.scripted import ScriptedProvider


def calls() -> Reply:
    use = ToolUse("c", "look_up", {"name": "test"})
    return Reply("", (use,), "tools", "tools", Usage(), "m", echo={})


def says(text: str) -> Reply:
    return Reply(text, (), "done", "end", Usage(), "m", echo={})


RIGHT = says(f'{{"word": "{WORD}"}}')
OTHER = says('{"word": "test"}')
PROSE = says("Sure!")


def problem_of(*story: Reply, needs_tools: bool = True) -> tuple[str | None, Sequence[Request]]:
    replies = list(story)
    provider = ScriptedProvider(lambda _: replies.pop(0))
    check = AbilityCheck(provider, "m", "check", needs_tools)
    problem = asyncio.run(check.find_problem())
    assert replies == []
    return problem, provider.requests


@pytest.mark.parametrize(
    ("story", "problem"),
    [
        ((calls(), RIGHT), None),
        # Either may miss it once.
        ((PROSE, calls(), PROSE, RIGHT), None),
        ((PROSE, PROSE), CALLS_NO_TOOLS),
        # A guess is no call.
        ((RIGHT, RIGHT), CALLS_NO_TOOLS),
        ((calls(), PROSE, PROSE), WRITES_NO_FORM),
        ((calls(), OTHER, OTHER), READS_NO_RESULTS),
    ],
)
def test_a_model_with_tools_calls_one_and_answers_from_it(
    story: Sequence[Reply], problem: str | None
) -> None:
    assert problem_of(*story)[0] == problem


@pytest.mark.parametrize(
    ("story", "problem"),
    [
        ((RIGHT,), None),
        ((PROSE, RIGHT), None),
        ((PROSE, PROSE), WRITES_NO_FORM_EITHER),
        ((OTHER, OTHER), DOES_AS_TOLD_NOT),
    ],
)
def test_a_judge_is_asked_for_no_call(story: Sequence[Reply], problem: str | None) -> None:
    found, asked = problem_of(*story, needs_tools=False)
    assert found == problem
    assert all(request.tools == () and request.schema is not None for request in asked)


def test_a_schema_goes_out_only_once_the_tools_are_closed() -> None:
    _, asked = problem_of(PROSE, calls(), RIGHT)
    assert [(request.tools_closed, request.schema is None) for request in asked] == [
        (False, True),
        (False, True),
        (True, False),
    ]
