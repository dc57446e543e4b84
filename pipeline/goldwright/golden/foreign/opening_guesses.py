"""How much the first words of a query say about its task type.

A dataset in which they give it away tests phrases and not retrieval.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from goldwright.records import TASK_TYPES, TaskType
from goldwright.stats.binomial import clopper_pearson

Opening = tuple[str, ...]
"""The first words of a query, three at most."""

_LONGEST_OPENING: Final = 3
# One word, such as "where", opens what it opens; it takes two to make a template.
_FEWEST_WORDS: Final = 2
_FEWEST_TASK_TYPES: Final = 2
# Two records may begin alike by chance.
_FEWEST_RECORDS: Final = 3


@dataclass(frozen=True, slots=True)
class TaskTypeGuess:
    """How often the first words give the right task type.

    Attributes:
        records: How many records have a known task type.
        right: For how many of them the first words give it.
        commonest: For how many of them saying the commonest type each time would be right.
        commonest_type: That type.
    """

    records: int
    right: int
    commonest: int
    commonest_type: TaskType

    def __str__(self) -> str:
        low, high = clopper_pearson(self.right, self.records)
        share = self.right / self.records
        commonest_share = self.commonest / self.records
        guesses = f"{self.right} of {self.records} records"
        accuracy = f"{share:.0%}, 95 % interval {low:.0%} to {high:.0%}"
        commonest = f"{self.commonest} ({commonest_share:.0%})"
        return (
            f"the first three words alone give the task type of {guesses} ({accuracy}); "
            f"always saying {self.commonest_type!r} is right for {commonest}"
        )


def guess_from_openings(
    openings: Sequence[Opening], task_types: Sequence[TaskType | None]
) -> TaskTypeGuess | None:
    """Guess each record's type from the other records that start with the same words.

    Those with the same three words vote, else those with the same two, else those with the same
    one. Where there are none, the guess is the commonest type of the others. A tie goes to the type
    that is commoner among the others, then to the one that comes first among the task types.

    Returns:
        None when fewer than two types occur, for then there is nothing to guess.
    """
    records = tuple(_typed_records(openings, task_types))
    totals = Counter(record.task_type for record in records)
    if len(totals) < _FEWEST_TASK_TYPES:
        return None
    votes = _count_votes(records)
    right = 0
    for record in records:
        right += _guess(record, votes) == record.task_type
    commonest_type = _winner(totals, totals)
    return TaskTypeGuess(len(records), right, totals[commonest_type], commonest_type)


def given_away(
    openings: Sequence[Opening], task_types: Sequence[TaskType | None]
) -> Mapping[int, Opening]:
    """Map the positions of records whose opening gives their type away to the words that do so.

    These are the fewest words, but two at least, that start two or more other records, all of one
    type. Where fewer than two types occur, there is nothing to give away.
    """
    records = tuple(_typed_records(openings, task_types))
    if len({record.task_type for record in records}) < _FEWEST_TASK_TYPES:
        return {}
    votes = _count_votes(records)
    telling_starts: dict[int, Opening] = {}
    for record in records:
        start = _telling_start(record.opening, votes)
        if start is not None:
            telling_starts[record.position] = start
    return telling_starts


class _TypedRecord(NamedTuple):
    """A record whose task type is known."""

    position: int
    opening: Opening
    task_type: TaskType


_Votes = Mapping[Opening, Counter[TaskType]]


def _typed_records(
    openings: Sequence[Opening], task_types: Sequence[TaskType | None]
) -> Iterator[_TypedRecord]:
    for position, opening in enumerate(openings):
        task_type = task_types[position]
        if task_type is not None:
            yield _TypedRecord(position, opening, task_type)


def _count_votes(records: Iterable[_TypedRecord]) -> _Votes:
    """Count the types by every start of an opening, the empty one included."""
    votes: defaultdict[Opening, Counter[TaskType]] = defaultdict(Counter)
    for record in records:
        longest = min(len(record.opening), _LONGEST_OPENING)
        for length in range(longest + 1):
            start = record.opening[:length]
            votes[start][record.task_type] += 1
    return votes


def _guess(record: _TypedRecord, votes: _Votes) -> TaskType:
    # With its own vote, a record with an opening of its own would always be guessed right.
    own_vote = Counter({record.task_type: 1})
    all_others = votes[()] - own_vote
    for length in range(len(record.opening), 0, -1):
        start = record.opening[:length]
        other_votes = votes[start] - own_vote
        if other_votes:
            return _winner(other_votes, all_others)
    return _winner(all_others, all_others)


def _winner(votes: Counter[TaskType], all_votes: Counter[TaskType]) -> TaskType:
    def rank(task_type: TaskType) -> tuple[int, int, int]:
        return -votes[task_type], -all_votes[task_type], TASK_TYPES.index(task_type)

    return min(votes, key=rank)


def _telling_start(opening: Opening, votes: _Votes) -> Opening | None:
    for length in range(_FEWEST_WORDS, len(opening) + 1):
        start = opening[:length]
        task_types = votes[start]
        if len(task_types) == 1 and task_types.total() >= _FEWEST_RECORDS:
            return start
    return None
