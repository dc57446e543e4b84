"""How much the first words of a query tell of its task type: a dataset in which they tell it tests
phrases.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.records import TASK_TYPES, TaskType
from goldwright.stats.binomial import clopper_pearson

Opening = tuple[str, ...]
Prefixes = Mapping[Opening, Counter[TaskType]]

_LONGEST: Final = 3
_FEWEST_WORDS: Final = 2
_FEWEST_OTHERS: Final = 2


@dataclass(frozen=True, slots=True)
class TaskTypeGuess:
    """How often the first words gave the right task type, and how often the commonest type alone
    would have.

    ``right`` and ``commonest`` count records out of ``records``.
    """

    records: int
    right: int
    commonest: int
    commonest_type: TaskType

    def __str__(self) -> str:
        low, high = clopper_pearson(self.right, self.records)
        return (
            f"the first three words alone give the task type of {self.right} of {self.records} records "
            f"({self.right / self.records:.0%}, 95 % interval {low:.0%} to {high:.0%}); always saying "
            f"{self.commonest_type!r} is right for {self.commonest} ({self.commonest / self.records:.0%})"
        )


def guess_from_openings(openings: Sequence[Opening], types: Sequence[TaskType | None]) -> TaskTypeGuess | None:
    """Guess each record's type from the others: those that start with the same 3, else 2, else 1
    words vote.

    Where none does, the commonest type of the others is said. A tie goes to the type that is
    commoner among the others, then to the one that stands first among the task types. ``None`` when
    fewer than two types occur, for then there is nothing to guess.
    """
    known = [(start, kind) for start, kind in zip(openings, types, strict=True) if kind is not None]
    totals = Counter(kind for _, kind in known)
    if len(totals) < _FEWEST_WORDS:
        return None
    prefixes = _prefixes(known)
    right = sum(_guess(start, kind, prefixes) == kind for start, kind in known)
    commonest = _winner(totals, totals)
    return TaskTypeGuess(len(known), right, totals[commonest], commonest)


def given_away(openings: Sequence[Opening], types: Sequence[TaskType | None]) -> Mapping[int, Opening]:
    """Map the positions of records whose type the opening gives away to the words that do.

    They do when they are two or more, start two or more other records, and all of these have one
    type.
    """
    known = [(start, kind) for start, kind in zip(openings, types, strict=True) if kind is not None]
    if len({kind for _, kind in known}) < _FEWEST_WORDS:
        return {}
    prefixes = _prefixes(known)
    tell = {
        start
        for start, votes in prefixes.items()
        if len(start) >= _FEWEST_WORDS and len(votes) == 1 and votes.total() > _FEWEST_OTHERS
    }
    found: dict[int, Opening] = {}
    for position, (start, kind) in enumerate(zip(openings, types, strict=True)):
        telling = [start[:length] for length in range(_FEWEST_WORDS, len(start) + 1) if start[:length] in tell]
        if kind is not None and telling:
            found[position] = telling[0]
    return found


def _prefixes(known: Sequence[tuple[Opening, TaskType]]) -> Prefixes:
    """Count the types by every start of an opening, the empty one included."""
    found: dict[Opening, Counter[TaskType]] = defaultdict(Counter)
    for start, kind in known:
        for length in range(min(len(start), _LONGEST) + 1):
            found[start[:length]][kind] += 1
    return found


def _guess(start: Opening, kind: TaskType, prefixes: Prefixes) -> TaskType:
    own = Counter({kind: 1})
    others = prefixes[()] - own
    for length in range(len(start), 0, -1):
        votes = prefixes[start[:length]] - own
        if votes:
            return _winner(votes, others)
    return _winner(others, others)


def _winner(votes: Counter[TaskType], others: Counter[TaskType]) -> TaskType:
    return min(votes, key=lambda kind: (-votes[kind], -others[kind], TASK_TYPES.index(kind)))
