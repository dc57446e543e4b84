"""The Author played by a model."""

from dataclasses import replace
from typing import Final

from goldwright.agents.roles import AuthorWork, RoleRefusedError
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import NOTHING, RoleClient
from goldwright.live_agents.tool_loop import Brief
from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.records import INTENT_MEANINGS, CandidateDraft, QueryCandidate, Record
from goldwright.task_types import definition_of

MOST_ACCEPTED: Final = 100
"""Candidates of which an Author is told that they exist already."""

WHOLE_CODEBASE: Final = "the whole codebase"


class CandidateBatch(Record):
    """What an Author hands back."""

    candidates: tuple[CandidateDraft, ...]


class LiveAuthor:
    """Has a model write the candidates of one cell."""

    def __init__(self, client: RoleClient, renderer: OutputRenderer) -> None:
        self.identity = client.identity
        self._client = client
        self._renderer = renderer

    async def play(self, work: AuthorWork, toolset: Toolset) -> tuple[CandidateDraft, ...]:
        """Ask for as many candidates as the work asks for; the stage cuts off further ones."""
        item = f"author:{work.round}:{work.cell}"
        brief = self._brief(item, work)
        tools = self._client.open_tools(item, toolset, self._renderer)
        try:
            batch = await self._client.play(brief, tools)
        except RoleRefusedError as refusal:
            # There is no record yet that a person could decide on.
            raise self._client.give_up(item, f"refused: {refusal}") from refusal
        return batch.candidates

    def _brief(self, item: str, work: AuthorWork) -> Brief[CandidateBatch]:
        values = self._prompt_values(work)
        brief = self._client.brief(item, "author_preamble", values, CandidateBatch)
        task_type = definition_of(work.cell.task_type)
        task_type_rules = self._client.prompts.render_declared(task_type.prompt, values)
        system = f"{brief.system}\n{task_type_rules}"
        return replace(brief, system=system)

    def _prompt_values(self, work: AuthorWork) -> dict[str, str]:
        cell = work.cell
        plan = [f"- {planned_cell}: {count}" for planned_cell, count in work.cells]
        scope = work.focus_area or WHOLE_CODEBASE
        return {
            "task_type": cell.task_type,
            "difficulty": cell.difficulty,
            "count": str(work.count),
            "scope": scope,
            "intent_kinds": list_intent_kinds(),
            "plan": "\n".join(plan),
            "accepted": _list_accepted(work),
            "lessons": self._client.lessons,
        }


def list_intent_kinds() -> str:
    """List the kinds of reasons for a prompt, each with its meaning and its lines."""
    lines = [
        f"- `{kind}`: {meaning.asks}; lines: {meaning.lines}"
        for kind, meaning in INTENT_MEANINGS.items()
    ]
    return "\n".join(lines)


def _list_accepted(work: AuthorWork) -> str:
    """List the candidates that were accepted already, those of the task type first."""

    def is_of_another_type(candidate: QueryCandidate) -> bool:
        return candidate.task_type != work.cell.task_type

    # A stable sort: within either group the order of acceptance stays.
    nearest = sorted(work.accepted, key=is_of_another_type)
    lines = [_candidate_line(candidate) for candidate in nearest[:MOST_ACCEPTED]]
    return "\n".join(lines) or NOTHING


def _candidate_line(candidate: QueryCandidate) -> str:
    return masked_json([candidate.query_text, *candidate.target_entity_ids])
