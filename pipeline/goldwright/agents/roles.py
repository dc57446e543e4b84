"""What the roles are given and what they hand back, whoever plays them.

A role sees the snapshot only through its toolset: every call is capped, and the toolset records
what was shown, which is the proof of reading. Roles write drafts. Who wrote them, when and at which
cost is stamped by the stage that asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from goldwright.agents.toolset import Toolset
from goldwright.plan import Cell
from goldwright.records import (
    AnswerDraft,
    CandidateDraft,
    CheckFailure,
    Evidence,
    NarrativeVerdictDraft,
    PoolRuling,
    QueryCandidate,
    RejectedRecord,
    ReportDraft,
)

Findings = tuple[CheckFailure, ...]
"""What programs find wrong with a draft, in the codes under which records would carry it."""

Shown = tuple[Evidence, ...]
"""The lines that tools have shown so far."""

AnswerCheck = Callable[[AnswerDraft, Shown], Findings]
CandidateCheck = Callable[[tuple[CandidateDraft, ...], Shown], tuple[Findings, ...]]
"""Gives the findings of each draft, in the order of the drafts."""


class RoleRefusedError(Exception):
    """Who plays a role declines a piece of work: something for a person to see, and no verdict."""


def _pass_answer(_draft: AnswerDraft, _shown_ranges: Shown) -> Findings:
    return ()


def _pass_candidates(
    drafts: tuple[CandidateDraft, ...], _shown_ranges: Shown
) -> tuple[Findings, ...]:
    return ((),) * len(drafts)


@dataclass(frozen=True, slots=True)
class AuthorWork:
    """Write candidates for one cell, unlike those accepted so far.

    Attributes:
        cell: The cell.
        count: How many candidates to write.
        round: 0 for the first emission; the top-ups after it are counted from 1.
        cells: All cells of the plan with the numbers they ask for in this round, so that Authors
            who work in parallel can keep out of each other's way.
        accepted: The candidates that exist already.
        seed: Makes the choices of an offline Author.
        focus_area: The part of the codebase to write about; ``None`` for all of it.
        rejected: Drafts of earlier rounds for this cell, each with the reason why it was rejected.
        check: What the screen finds wrong with drafts, before they are handed in.
        start_area: Where to begin looking, which is no fence: a directory (``shop/``), the files
            right in one (``shop/*``) or a file; ``None`` for anywhere.
    """

    cell: Cell
    count: int
    round: int
    cells: tuple[tuple[Cell, int], ...]
    accepted: tuple[QueryCandidate, ...]
    seed: int
    focus_area: str | None = None
    rejected: tuple[RejectedRecord, ...] = ()
    check: CandidateCheck = _pass_candidates
    start_area: str | None = None


@dataclass(frozen=True, slots=True)
class OracleWork:
    """Answer one candidate.

    Attributes:
        candidate: The candidate; its hint, if any, is a person's advice for another attempt.
        check: What the gate finds wrong with an answer, before it is handed in.
    """

    candidate: QueryCandidate
    check: AnswerCheck = _pass_answer


@dataclass(frozen=True, slots=True)
class AdversaryWork:
    """Try to falsify an answer to a query, without being told who wrote it."""

    candidate: QueryCandidate
    answer: AnswerDraft


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """Say whether a narrative agrees with what the Adversary found."""

    query_id: str
    query_text: str
    narrative: str
    findings: str


@dataclass(frozen=True, slots=True)
class CompletenessWork:
    """Say which entities of a pool are part of a right answer to a query.

    Attributes:
        candidate: The query.
        expected: The entities that its answer expects.
        pooled: The entities that searches brought beside them; those that most searches brought
            come first.
    """

    candidate: QueryCandidate
    expected: tuple[str, ...]
    pooled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PoolJudgement:
    """What became of a pool.

    Attributes:
        rulings: A ruling on every entity of the pool, in any order.
        is_judged: Whether anything could be said of what belongs to the answer.
    """

    rulings: tuple[PoolRuling, ...]
    is_judged: bool


class Author(Protocol):
    """Writes queries about what it read."""

    identity: str

    async def play(self, work: AuthorWork, toolset: Toolset) -> tuple[CandidateDraft, ...]: ...


class Oracle(Protocol):
    """Answers a query from the source alone."""

    identity: str

    async def play(self, work: OracleWork, toolset: Toolset) -> AnswerDraft: ...


class Adversary(Protocol):
    """Attacks an answer claim by claim."""

    identity: str

    async def play(self, work: AdversaryWork, toolset: Toolset) -> ReportDraft: ...


class Judge(Protocol):
    """Compares a narrative with the findings; it has no toolset."""

    identity: str

    async def play(self, work: JudgeWork) -> NarrativeVerdictDraft: ...


class CompletenessReader(Protocol):
    """Says what of a pool is part of a right answer.

    Attributes:
        has_tools: Whether it reads through its toolset; rules look at the snapshot themselves.
    """

    identity: str
    has_tools: bool

    async def play(self, work: CompletenessWork, toolset: Toolset) -> PoolJudgement: ...


@dataclass(frozen=True, slots=True)
class Cast:
    """The agents that play the roles of a run."""

    author: Author
    oracle: Oracle
    adversary: Adversary
    completeness: CompletenessReader
    judge: Judge

    def identities(self) -> dict[str, str]:
        """The identity behind each role, as ``agent:<role>:<model>``."""
        return {
            "author": self.author.identity,
            "oracle": self.oracle.identity,
            "adversary": self.adversary.identity,
            "completeness": self.completeness.identity,
            "judge": self.judge.identity,
        }
