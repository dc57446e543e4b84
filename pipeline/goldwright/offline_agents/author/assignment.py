"""Who writes what: the material of a code base dealt out to the cells of one round, without
collisions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from goldwright.offline_agents.author.context import AuthorContext, QueryIdea
from goldwright.offline_agents.author.finders.debug import find_debug
from goldwright.offline_agents.author.finders.explain import find_explain
from goldwright.offline_agents.author.finders.extend import find_extend
from goldwright.offline_agents.author.finders.general import find_general
from goldwright.offline_agents.author.finders.locate import find_locate
from goldwright.offline_agents.author.finders.review import find_review
from goldwright.offline_agents.author.query_wording import QueryWording
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate, TaskType
from goldwright.snapshot import Snapshot
from goldwright.task_types import tier_rule

Assignment = dict[Cell, tuple[CandidateDraft, ...]]
Order = Literal["scarcest", "emptiest"]
Finder = Callable[[AuthorContext], Iterator[QueryIdea]]

ORDERS: Final[tuple[Order, ...]] = ("scarcest", "emptiest")
FINDERS: Final[dict[TaskType, Finder]] = {
    "locate": find_locate,
    "explain": find_explain,
    "debug": find_debug,
    "extend": find_extend,
    "review": find_review,
    "general": find_general,
}
LARGEST_OVERLAP: Final = 0.5
MOST_USES: Final = 3
MOST_USES_IN_SMALL: Final = 4
HARD_FIRST: Final = 0.7
SMALL: Final = 1200
PLENTY: Final = 4.0
CROWDED: Final = 0.35
CONSIDERED: Final = 400
ENOUGH: Final = 0.6


@dataclass
class TakenTargets:
    """What is taken: the subjects of queries, their targets and the files they stand in."""

    most_uses: int = MOST_USES
    sets: list[frozenset[str]] = field(default_factory=list)
    subjects: Counter[str] = field(default_factory=Counter)
    spoken_of: set[tuple[TaskType, str]] = field(default_factory=set)
    files: Counter[str] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)

    def take(self, task_type: TaskType, targets: Iterable[str]) -> None:
        """Note the targets of a query, its subject first."""
        ordered = tuple(targets)
        self.sets.append(frozenset(ordered))
        self.subjects.update(ordered[:1])
        self.spoken_of.add((task_type, ordered[0]))
        self.uses.update(ordered)
        self.files[ordered[0].partition("::")[0]] += 1

    def is_free(self, idea: QueryIdea) -> bool:
        """Tell whether an idea shares neither its subject nor half of its targets with another
        query.
        """
        if (idea.cell.task_type, idea.primary) in self.spoken_of or self.subjects[idea.primary] >= (
            2 if len(idea.targets) > 2 else 1
        ):
            return False
        if any(self.uses[target] >= self.most_uses for target in idea.targets):
            return False
        mine = frozenset(idea.targets)
        return all(
            len(mine & other) <= LARGEST_OVERLAP * min(len(mine), len(other))
            for other in self.sets
            if mine & other
        )


def assign(
    ground: AuthorContext,
    asks: tuple[tuple[Cell, int], ...],
    accepted: tuple[QueryCandidate, ...],
    focus_area: str | None,
) -> Assignment:
    """Write the drafts of every cell of a round, in the order of dealing that fills most cells."""
    ideas = _by_cell(ground, asks, focus_area)
    wanted = dict(asks)
    dealt = [_deal_by(order, ground, asks, accepted, ideas) for order in ORDERS]
    return max(dealt, key=lambda agenda: _fullness(agenda, wanted))


def _fullness(agenda: Assignment, wanted: Mapping[Cell, int]) -> tuple[int, int]:
    """The cells that got as much as a complete batch needs, and the drafts in all."""
    full = sum(len(drafts) >= ENOUGH * wanted[cell] for cell, drafts in agenda.items())
    return full, sum(len(drafts) for drafts in agenda.values())


def _deal_by(
    order: Order,
    ground: AuthorContext,
    asks: tuple[tuple[Cell, int], ...],
    accepted: tuple[QueryCandidate, ...],
    ideas: Mapping[Cell, list[QueryIdea]],
) -> Assignment:
    wording = QueryWording(ground, sum(count for _, count in asks) + len(accepted))
    ledger = TakenTargets(MOST_USES_IN_SMALL if len(ground.survey.functions) < SMALL else MOST_USES)
    for candidate in accepted:
        wording.remember(Cell(candidate.task_type, candidate.difficulty), candidate.query_text)
        ledger.take(candidate.task_type, candidate.target_entity_ids)
    shares = [
        _CellShare(cell, count, _ranked(ideas[cell]), _choice(cell, count, ideas[cell]))
        for cell, count in asks
        if count > 0
    ]
    while (hungry := [one for one in shares if one.is_hungry]) != []:
        _serve(min(hungry, key=lambda one: one.urgency(order)), wording, ledger)
    dealt = {one.cell: tuple(one.drafts) for one in shares}
    return {cell: dealt.get(cell, ()) for cell, _ in asks}


@dataclass
class _CellShare:
    """What one cell has been dealt so far, and the ideas it may still choose from."""

    cell: Cell
    count: int
    left: list[QueryIdea]
    choice: float
    drafts: list[CandidateDraft] = field(default_factory=list)

    @property
    def is_hungry(self) -> bool:
        """Tell whether the cell wants more and there is more."""
        return len(self.drafts) < self.count and bool(self.left)

    def urgency(self, order: Order) -> tuple[bool, float, float, str]:
        """Cells that may run short come before those with plenty: the emptiest or the scarcest of
        them first.
        """
        share = len(self.drafts) / self.count
        if self.choice >= PLENTY or order == "emptiest":
            return (self.choice >= PLENTY, share, self.choice, str(self.cell))
        return (False, self.choice, share, str(self.cell))


def _serve(share: _CellShare, wording: QueryWording, ledger: TakenTargets) -> None:
    """Deal one more draft to a cell, or use its ideas up."""
    while share.left:
        best = max(
            share.left,
            key=lambda one: (
                one.score - CROWDED * ledger.files[one.primary.partition("::")[0]],
                one.targets,
            ),
        )
        share.left.remove(best)
        draft = (
            wording.draft(best)
            if ledger.is_free(best) and holds(best, wording.ground.snapshot)
            else None
        )
        if draft is not None:
            share.drafts.append(draft)
            ledger.take(best.cell.task_type, best.targets)
            return


def _choice(cell: Cell, count: int, ideas: list[QueryIdea]) -> float:
    """How many subjects stand behind each draft wanted; what serves a hard cell would often serve a
    medium one too.
    """
    return (
        len({one.primary for one in ideas})
        / count
        * (HARD_FIRST if cell.difficulty == "hard" else 1.0)
    )


def _ranked(ideas: list[QueryIdea]) -> list[QueryIdea]:
    return sorted(ideas, key=lambda one: (-one.score, one.targets))[:CONSIDERED]


def _by_cell(
    ground: AuthorContext, asks: tuple[tuple[Cell, int], ...], focus_area: str | None
) -> dict[Cell, list[QueryIdea]]:
    found: dict[Cell, list[QueryIdea]] = {cell: [] for cell, _ in asks}
    for task_type in dict.fromkeys(cell.task_type for cell, _ in asks):
        for idea in FINDERS[task_type](ground):
            if idea.cell in found and (focus_area is None or idea.primary.startswith(focus_area)):
                found[idea.cell].append(idea)
    return found


def holds(idea: QueryIdea, snapshot: Snapshot) -> bool:
    """Tell whether the targets are what the tier of the cell asks for."""
    tier = tier_rule(idea.cell)
    entities = [snapshot.entity(target) for target in idea.targets]
    known = [entity for entity in entities if entity is not None]
    files = len({entity.path for entity in known})
    if len(known) < len(idea.targets) or len(set(idea.targets)) < len(idea.targets):
        return False
    if not (
        tier.entities[0] <= len(known) <= tier.entities[1]
        and tier.files[0] <= files <= tier.files[1]
    ):
        return False
    longest = max(sum(span.last - span.first + 1 for span in entity.spans) for entity in known)
    if tier.max_lines is not None and longest > tier.max_lines:
        return False
    return tier.bond == "none" or _is_joined(
        idea.targets, _hops(snapshot, calls_only=tier.bond == "call_chain")
    )


def _hops(snapshot: Snapshot, *, calls_only: bool) -> Callable[[str], frozenset[str]]:
    graph = snapshot.graph
    if not calls_only:
        return graph.linked
    return lambda one: frozenset(
        site.entity_id for site in (*graph.callees(one), *graph.callers(one))
    )


def _is_joined(targets: tuple[str, ...], hops: Callable[[str], frozenset[str]]) -> bool:
    neighbours = {one: hops(one) for one in targets}
    reached = {targets[0]}
    frontier = [targets[0]]
    while frontier:
        current = frontier.pop()
        new = [
            one
            for one in targets
            if one not in reached and (one in neighbours[current] or current in neighbours[one])
        ]
        reached.update(new)
        frontier.extend(new)
    return len(reached) == len(targets)
