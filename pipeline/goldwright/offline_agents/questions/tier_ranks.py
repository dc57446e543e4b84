"""How hard a question is to find: the ranks at which searches put its targets, tier by tier."""

import math
from collections.abc import Collection, Mapping
from typing import Final

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.questions.question_wording import WordedQuestion
from goldwright.plan import Cell
from goldwright.records import Difficulty
from goldwright.retrieval.lexical_index import lexical_index
from goldwright.retrieval.tokens import plain_words

# What a search finds behind these is not found.
DEEPEST_RANK: Final = 128
# Where a lexical search should put the best target: first, near the top, far behind. The hard
# questions of many codebases are found at once, so medium ones that are not would be harder.
WANTED_RANK: Final[Mapping[Difficulty, int]] = {"easy": 1, "medium": 2, "hard": 64}
# The ranks at which a question counts as hard as its tier. Others are taken only where so many
# questions were looked at that waiting for a better one would not end.
FITTING_RANKS: Final[Mapping[Difficulty, tuple[int, int]]] = {
    "easy": (1, 1),
    "medium": (2, 5),
    "hard": (6, DEEPEST_RANK + 1),
}
# What a search finds later is not easy, however few places it stands in: it is not asked as such.
LATEST_RANK_OF_EASY: Final = FITTING_RANKS["medium"][1]


def best_rank(code: CodeContext, query: str, targets: Collection[str]) -> int:
    """Give the rank, from 1, at which a lexical search puts the best of some entities.

    A target that is not found counts as one behind ``DEEPEST_RANK``.
    """
    key = (query, frozenset(targets))
    # A question that is not chosen for one place is compared for the next one again.
    if key not in code.ranks:
        hits = lexical_index(code.snapshot).search(query, limit=DEEPEST_RANK)
        ranks = (rank for rank, hit in enumerate(hits, start=1) if hit.entity_id in targets)
        code.ranks[key] = next(ranks, DEEPEST_RANK + 1)
    return code.ranks[key]


def rank_of(worded: WordedQuestion, cell: Cell, code: CodeContext) -> int:
    """Say where lexical searches put the best target of a question.

    Some searches know whole identifiers, and some only the words in them. What is hard is hard for
    both, and anything else is found by both.
    """
    targets = worded.question.targets
    by_identifiers = best_rank(code, worded.text, targets)
    by_words = best_rank(code, plain_words(worded.text), targets)
    pick = min if cell.difficulty == "hard" else max
    return pick(by_identifiers, by_words)


def fits(rank: int, cell: Cell) -> bool:
    """Find out whether a question is as hard to find as its tier says."""
    lowest, highest = FITTING_RANKS[cell.difficulty]
    return lowest <= rank <= highest


def is_late(rank: int, cell: Cell) -> bool:
    """Find out whether a search finds a question too late for an easy one."""
    return cell.difficulty == "easy" and rank > LATEST_RANK_OF_EASY


def misfit_of(rank: int, cell: Cell) -> float:
    """Say how far a query is from being as hard to find as its tier says, in doublings of ranks."""
    # Any rank that fits is nearer than any that does not.
    beyond = 0.0 if fits(rank, cell) else math.log2(DEEPEST_RANK)
    doublings = math.log2(rank / WANTED_RANK[cell.difficulty])
    return beyond + abs(doublings)
