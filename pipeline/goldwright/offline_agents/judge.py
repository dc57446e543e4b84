"""The offline Judge: whether a narrative answers the query and agrees with the Adversary."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.agents.roles import JudgeWork
from goldwright.offline_agents.prose_reading import read_narrative
from goldwright.offline_agents.statements.condition_phrases import same_conditions
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.token_reading.code_text import plain_code
from goldwright.path_conditions import Path
from goldwright.records import NarrativeVerdictDraft

FEWEST_WORDS: Final = 20
# A narrative that holds fewer of the words that the query quotes is about something else.
LEAST_SHARE: Final = 0.5

_CODE: Final = re.compile(r"`([^`]+)`")
_QUOTATION: Final = re.compile(r'"([^"]{6,})"')
_LONG_WORD: Final = re.compile(r"[a-z]{4,}")


class OfflineJudge:
    """Compares by rules: what both say of errors and results, and whether the query is met."""

    identity = "agent:judge:offline-2"

    async def play(self, work: JudgeWork) -> NarrativeVerdictDraft:
        """Compare the two texts; in doubt between two verdicts, the worse one is given."""
        for reason in _contradictions(work.narrative, work.findings):
            return NarrativeVerdictDraft(verdict="significant_divergence", reason=reason)
        for reason in (*_misses(work), *_gaps(work.narrative, work.findings)):
            return NarrativeVerdictDraft(verdict="minor_divergence", reason=reason)
        common = _common_code(work.narrative, work.findings)
        reason = "Nothing in one text rules out the other."
        if common:
            reason = f"Both speak of {', '.join(common[:3])}, and neither rules out the other."
        return NarrativeVerdictDraft(verdict="equivalent", reason=reason)


def _contradictions(narrative: str, findings: str) -> Iterator[str]:
    """Yield what the narrative says under other conditions than any that was found."""
    found = list(_statements(findings))
    for said in _statements(narrative):
        paths = [path for other in found if (path := _path_of_same(said, other)) is not None]
        own = _path(said)
        if own is None or not paths:
            continue
        if not any(same_conditions(own, path, normalise=plain_code) for path in paths):
            yield f"The findings have other conditions for this: {said.sentence()}"


def _misses(work: JudgeWork) -> Iterator[str]:
    """Yield what the query quotes and the narrative does not speak of."""
    narrative = " ".join(work.narrative.split())
    for quotation in _QUOTATION.findall(work.query_text):
        words = _LONG_WORD.findall(quotation.lower())
        spoken = [word for word in words if word in narrative.lower()]
        if len(spoken) < LEAST_SHARE * len(words):
            yield f"The query is about “{quotation}”, which the narrative does not speak of."


def _gaps(narrative: str, findings: str) -> Iterator[str]:
    subjects = _CODE.findall(findings)
    if subjects and not _speaks_of(subjects[0], narrative):
        yield f"The findings are about {subjects[0]}, which the narrative does not speak of."
    if len(narrative.split()) < FEWEST_WORDS:
        yield "The narrative is too short to say what was found."
    if not subjects and not _shared_words(narrative, findings):
        yield "The two texts hardly share a word."


def _statements(text: str) -> Iterator[Statement]:
    for _, statement in read_narrative(text):
        yield statement


def _path(statement: Statement) -> Path | None:
    return statement.path if isinstance(statement, Raises | Returned) else None


def _path_of_same(said: Statement, found: Statement) -> Path | None:
    """Give the conditions of a finding that is about the same thing; None for another thing."""
    match said, found:
        case Raises(), Raises() if (said.function, said.error) == (found.function, found.error):
            return found.path
        case Returned(), Returned() if said.function == found.function:
            is_same = plain_code(said.value) == plain_code(found.value)
            return found.path if is_same else None
        case _:
            return None


def _speaks_of(name: str, text: str) -> bool:
    simple_name = re.escape(name.rpartition(".")[2])
    return re.search(rf"(?<!\w){simple_name}(?!\w)", text) is not None


def _shared_words(first: str, second: str) -> bool:
    words, others = (set(re.findall(r"[a-z]{5,}", text.lower())) for text in (first, second))
    # Three long words in common are more than chance gives to two short texts.
    return len(words & others) >= 3


def _common_code(narrative: str, findings: str) -> list[str]:
    pieces = dict.fromkeys(_CODE.findall(findings))
    return [piece for piece in pieces if f"`{piece}`" in narrative]
