"""The Author played by a model."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from goldwright.agents.roles import AuthorWork, Findings, RoleRefusedError
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.draft_submission import numbered
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.tool_loop import Brief
from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.llm.reply_parsing import read_reply
from goldwright.prompts import NOTHING
from goldwright.records import (
    INTENT_MEANINGS,
    CandidateDraft,
    CheckFailure,
    QueryCandidate,
    Record,
    RejectedRecord,
    TaskType,
)
from goldwright.task_types import TASK_TYPE_DEFINITIONS, definition_of
from goldwright.text import name_all

MOST_ACCEPTED: Final = 100
"""Candidates of which an Author is told that they exist already."""

MOST_REJECTED: Final = 20
"""Rejected drafts of its cell of which an Author is told why."""

WHOLE_CODEBASE: Final = "the whole codebase"
ANYWHERE: Final = "wherever you like"


class CandidateBatch(Record):
    """What an Author hands back."""

    candidates: tuple[CandidateDraft, ...]


class CandidateReview:
    """Keeps the candidates that the screen lets through, and has the others mended alone."""

    def __init__(self, work: AuthorWork, toolset: Toolset) -> None:
        self._work = work
        self._toolset = toolset
        self._taken: tuple[CandidateDraft, ...] = ()

    @property
    def advice(self) -> str:
        """What to do about findings."""
        return (
            f"{len(self._taken)} of {self._work.count} candidates are taken. Hand in the others "
            "alone, mended or replaced by better ones; a missing one is better than a bad one."
        )

    def findings(self, drafts: tuple[CandidateDraft, ...]) -> Findings:
        """Give what is wrong with candidates, by their numbers in the draft."""
        findings: list[CheckFailure] = []
        for number, draft_findings in self._numbered_findings(drafts):
            findings += numbered(draft_findings, f"candidate-{number}")
        return tuple(findings)

    def take(self, drafts: tuple[CandidateDraft, ...]) -> tuple[CandidateDraft, ...]:
        """Take the good ones; gives all good ones so far, and behind them the bad ones."""
        good: list[CandidateDraft] = []
        bad: list[CandidateDraft] = []
        for number, draft_findings in self._numbered_findings(drafts):
            draft = drafts[number - 1]
            if draft not in self._taken:
                (bad if draft_findings else good).append(draft)
        self._taken = (*self._taken, *good)
        return (*self._taken, *bad)

    def _numbered_findings(
        self, drafts: tuple[CandidateDraft, ...]
    ) -> Iterator[tuple[int, Findings]]:
        """Give the findings of each draft, and none of one that was taken before."""
        # Drafts are held against one another too: what was taken comes first.
        taken_texts = tuple(dict.fromkeys((*self._taken, *drafts)))
        findings = dict(
            zip(taken_texts, self._work.check(taken_texts, self._toolset.shown), strict=True)
        )
        for number, draft in enumerate(drafts, start=1):
            is_taken = draft in self._taken
            yield number, () if is_taken else findings[draft]


class LiveAuthor:
    """Has a model write the candidates of one cell."""

    def __init__(self, client: RoleClient, renderer: OutputRenderer) -> None:
        self.identity = client.identity
        self._client = client
        self._renderer = renderer

    async def play(self, work: AuthorWork, toolset: Toolset) -> tuple[CandidateDraft, ...]:
        """Ask for as many candidates as the work asks for; the stage cuts off further ones."""
        item = f"author:{work.round}:{work.cell}"
        review = CandidateReview(work, toolset)
        brief = replace(self._brief(item, work), review=review)
        tools = self._client.open_tools(item, toolset, self._renderer)
        try:
            return await self._client.play(brief, tools)
        except RoleRefusedError as refusal:
            # There is no record yet that a person could decide on.
            raise self._client.give_up(item, f"refused: {refusal}") from refusal

    def _brief(self, item: str, work: AuthorWork) -> Brief[tuple[CandidateDraft, ...]]:
        values = self._prompt_values(work)
        brief = self._client.brief(item, "author_preamble", values, CandidateBatch, _read_batch)
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
            "start_area": masked_json(work.start_area) if work.start_area else ANYWHERE,
            "intent_kinds": list_intent_kinds(),
            **task_type_lists(cell.task_type),
            "plan": "\n".join(plan),
            "accepted": _list_accepted(work),
            "rejected": _list_rejected(work.rejected),
            "lessons": self._client.lessons,
        }


def _read_batch(text: str) -> tuple[CandidateDraft, ...]:
    return read_reply(text, CandidateBatch).candidates


def list_intent_kinds() -> str:
    """List the kinds of reasons for a prompt, each with its meaning and its lines."""
    lines = []
    for kind, meaning in INTENT_MEANINGS.items():
        lines.append(f"- `{kind}`: {meaning.asks}; lines: {meaning.lines}")
    return "\n".join(lines)


def task_type_lists(task_type: TaskType) -> dict[str, str]:
    """Name other task types for the prompts of one: all of them, and those that may name targets.

    Returns:
        Lists in words, by the placeholder that they are for.
    """
    definitions = TASK_TYPE_DEFINITIONS
    naming = [other.name for other in definitions if other.may_name_target_when_easy]
    hiding = [other.name for other in definitions if other.name not in naming]
    others = [other.name for other in definitions if other.name != task_type]
    return {
        "other_types": name_all(others),
        "hiding_types": name_all(hiding),
        "naming_types": name_all(naming),
    }


def _list_accepted(work: AuthorWork) -> str:
    """List the candidates that were accepted already, those of the task type first."""

    def is_of_another_type(candidate: QueryCandidate) -> bool:
        return candidate.task_type != work.cell.task_type

    # A stable sort: within either group the order of acceptance stays.
    nearest = sorted(work.accepted, key=is_of_another_type)
    lines = [_candidate_line(candidate) for candidate in nearest[:MOST_ACCEPTED]]
    return "\n".join(lines) or NOTHING


def _list_rejected(rejected: Sequence[RejectedRecord]) -> str:
    """List what was rejected of this cell, each with its reason; the latest are the nearest."""
    rows = [[record.query_text, record.reason, record.message] for record in rejected]
    lines = map(masked_json, rows[-MOST_REJECTED:])
    return "\n".join(lines) or NOTHING


def _candidate_line(candidate: QueryCandidate) -> str:
    return masked_json([candidate.query_text, *candidate.target_entity_ids])
