"""The completeness reader played by a model: what of a pool is part of a right answer.

Rulings that leave an entity out, or cite lines that were not read, are sent back.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.agents.roles import CompletenessWork, PoolJudgement
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.live_agents.untrusted_markers import (
    describe_suspicions,
    masked_json,
)
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.prompts import NOTHING
from goldwright.records import PoolRuling, Record
from goldwright.scanners.secrets import mask_secrets
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id
from goldwright.text import counted

PROMPT: Final = "completeness"
# Nine pools in ten are smaller (scrapy 2.19, phase1: median 8, largest 55 of 82).
MOST_JUDGED: Final = 24
BEYOND_LIMIT: Final = f"beyond the {MOST_JUDGED} entities that are judged"
UNNAMEABLE: Final = "its name looks like a key, which no model is shown"
MOST_PROBLEMS: Final = 8
"""Problems of a reply that are named when it is sent back; further ones are counted."""

_LONGEST_ID: Final = 120


class CompletenessReply(Record):
    """What a completeness reader hands back: a ruling on each entity it was given."""

    rulings: tuple[PoolRuling, ...]


class LiveCompletenessReader:
    """Has a model go through a pool entity by entity."""

    has_tools = True

    def __init__(self, client: RoleClient, snapshot: Snapshot) -> None:
        self.identity = client.identity
        self._client = client
        # It decides, so text in comments and documents that speaks to models must not reach it.
        self._renderer = OutputRenderer(snapshot, hides_prose=True)

    async def play(self, work: CompletenessWork, toolset: Toolset) -> PoolJudgement:
        """Ask for a ruling on each entity; an empty pool costs nothing.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
            ProviderError: The provider refuses or is out of reach.
        """
        nameable = [entity_id for entity_id in work.pooled if _is_nameable(entity_id)]
        judged = nameable[:MOST_JUDGED]
        rulings: list[PoolRuling] = []
        if judged:
            rulings.extend(await self._ask(work, judged, toolset))
        unjudged = [entity_id for entity_id in work.pooled if entity_id not in judged]
        rulings.extend(_left_open(entity_id) for entity_id in unjudged)
        return PoolJudgement(tuple(rulings), is_judged=True)

    async def _ask(
        self, work: CompletenessWork, judged: Sequence[str], toolset: Toolset
    ) -> tuple[PoolRuling, ...]:
        item = f"completeness:{work.candidate.query_id}"

        def read_rulings(text: str) -> CompletenessReply:
            reply = read_reply(text, CompletenessReply)
            _check_rulings(reply.rulings, judged, toolset)
            return reply

        values = self._prompt_values(work, judged, toolset)
        brief = self._client.brief(item, PROMPT, values, CompletenessReply, read_rulings)
        tools = self._client.open_tools(item, toolset, self._renderer)
        reply = await self._client.play(brief, tools)
        return reply.rulings

    def _prompt_values(
        self, work: CompletenessWork, judged: Sequence[str], toolset: Toolset
    ) -> dict[str, str]:
        query = work.candidate.query_text
        for flag in describe_suspicions("the query", query):
            toolset.flag(flag)
        expected = [_entity_line(toolset.snapshot, entity_id) for entity_id in work.expected]
        pooled = [_entity_line(toolset.snapshot, entity_id) for entity_id in judged]
        listed_expected = "\n".join(expected) or NOTHING
        return {
            "query": masked_json(query),
            "expected": listed_expected,
            "pooled": "\n".join(pooled),
            "lessons": self._client.lessons,
        }


def _is_nameable(entity_id: str) -> bool:
    """Check whether a model can be asked about an entity: one like a key would be masked."""
    return mask_secrets(entity_id) == entity_id


def _left_open(entity_id: str) -> PoolRuling:
    reason = BEYOND_LIMIT if _is_nameable(entity_id) else UNNAMEABLE
    return PoolRuling(entity_id=entity_id, verdict="open", reason=reason, citation=None)


def _entity_line(snapshot: Snapshot, entity_id: str) -> str:
    """Write an entity for a prompt, with the lines where it stands."""
    entity = snapshot.entity(entity_id)
    spans = () if entity is None else entity.spans
    lines = [[span.first, span.last] for span in spans]
    return masked_json({"entity_id": entity_id, "lines": lines})


def _check_rulings(rulings: Sequence[PoolRuling], judged: Sequence[str], toolset: Toolset) -> None:
    """Make sure that rulings cover each entity once and rest on lines of it that were shown.

    Raises:
        ReplyError: They do not; the text says which to mend.
    """
    problems = [*_coverage_problems(rulings, judged), *_citation_problems(rulings, toolset)]
    if problems:
        text = "; ".join(problems[:MOST_PROBLEMS])
        unnamed = len(problems) - MOST_PROBLEMS
        raise ReplyError(text if unnamed <= 0 else f"{text} (and {unnamed} more)")
    # Reasons are shown to people, so they could carry on what was planted in the code.
    reasons = "\n".join(ruling.reason for ruling in rulings)
    for flag in describe_suspicions("the reasons", reasons):
        toolset.flag(flag)


def _coverage_problems(rulings: Sequence[PoolRuling], judged: Sequence[str]) -> Iterator[str]:
    counts = Counter(ruling.entity_id for ruling in rulings)
    for entity_id in judged:
        if counts[entity_id] != 1:
            yield f"{counted(counts[entity_id], 'ruling')} on {entity_id}"
    for entity_id in counts.keys() - set(judged):
        yield f"{entity_id[:_LONGEST_ID]!r} was not asked about"


def _citation_problems(rulings: Sequence[PoolRuling], toolset: Toolset) -> Iterator[str]:
    for ruling in rulings:
        name = ruling.entity_id[:_LONGEST_ID]
        citation = ruling.citation
        if citation is None:
            # Only doubt needs no proof.
            if ruling.verdict != "open":
                yield f"no citation for {name}"
        elif not toolset.has_shown(citation):
            yield f"the citation of {name} ({citation}) is not all lines you were shown"
        elif not _touches(toolset.snapshot, ruling):
            yield f"the citation of {name} ({citation}) is not of its own lines"


def _touches(snapshot: Snapshot, ruling: PoolRuling) -> bool:
    """Check whether the cited lines are lines of the entity itself."""
    citation = ruling.citation
    entity = snapshot.entity(ruling.entity_id)
    if citation is None or entity is None:
        return False
    path, _ = split_entity_id(ruling.entity_id)
    return citation.file == path and entity.touches(citation.start, citation.end)
