"""Labels out of judgements, and what the judgements say of the judge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.cells.records import (
    CellQuery,
    PairJudgement,
    PersonGrade,
    PooledPair,
    RelevanceLabel,
)
from goldwright.records import Record
from goldwright.stats.weighted_kappa import compare_grades

RELEVANT: Final = 2
"""The lowest grade of a document that counts as found; below, it is about the same subject."""

# Grades of two judges this far apart are decided by a person; those next to each other stay.
_DISAGREEMENT: Final = 2


class JudgeQuality(Record):
    """What was measured of a judge.

    Attributes:
        judge: Its name.
        second_judge: The name of the second one.
        controls: Pairs of a query and a document that no cell brought for it.
        controls_passed: How many of these the judge did not call relevant.
        duplicates: Pairs that it was shown twice.
        duplicates_same: How many of these got the same grade.
        compared: Pairs that both judges graded.
        compared_same: How many of these got the same grade from both.
        kappa: Quadratically weighted kappa of both judges; None where no grade varies.
        kappa_interval: Its 95 % interval.
        for_people: Pairs on which they are two grades or more apart.
        decided: How many of these a person decided.
    """

    judge: str
    second_judge: str
    controls: int
    controls_passed: int
    duplicates: int
    duplicates_same: int
    compared: int
    compared_same: int
    kappa: float | None
    kappa_interval: tuple[float, float] | None
    for_people: int
    decided: int


@dataclass(frozen=True, slots=True)
class PairGrades:
    """The grades of both judges by the numbers of pairs."""

    first: Mapping[int, int]
    second: Mapping[int, int]

    @classmethod
    def of(cls, records: Iterable[PairJudgement]) -> "PairGrades":
        """Sort judgements by judge; of two for one pair the earlier one counts."""
        first: dict[int, int] = {}
        second: dict[int, int] = {}
        for record in records:
            grades = first if record.judge == "first" else second
            grades.setdefault(record.number, record.grade)
        return cls(first, second)

    @property
    def disputed(self) -> Sequence[int]:
        """The pairs that people decide: the grades are far apart."""
        numbers = []
        for number, grade in sorted(self.second.items()):
            distance = abs(self.first[number] - grade)
            if distance >= _DISAGREEMENT:
                numbers.append(number)
        return numbers


def make_labels(
    queries: Sequence[CellQuery],
    pairs: Sequence[PooledPair],
    judgements: PairGrades,
    people: Iterable[PersonGrade],
) -> Sequence[RelevanceLabel]:
    """Make the labels, by query and path.

    The dataset has the first word, then a person, then the judge. What two judges disagree on and
    nobody decided has no label: grades are never averaged.
    """
    by_number = {person.number: person.grade for person in people if person.grade is not None}
    judged_labels = _judged(pairs, judgements, by_number)
    labels = [*_given(queries), *judged_labels]
    return sorted(labels, key=lambda label: (label.query_id, label.path))


def measure_judge(
    names: tuple[str, str],
    pairs: Sequence[PooledPair],
    judgements: PairGrades,
    people: Sequence[PersonGrade],
    *,
    seed: int,
) -> JudgeQuality:
    """Count what was hidden among the pairs, and compare both judges."""
    first = judgements.first
    controls = [pair for pair in pairs if pair.role == "control"]
    control_grades = [first[pair.number] for pair in controls]
    pooled = [pair for pair in pairs if pair.role == "pooled"]
    grade_of = {(pair.query_id, pair.path): first[pair.number] for pair in pooled}
    duplicates = [pair for pair in pairs if pair.role == "duplicate"]
    repeats = []
    for pair in duplicates:
        pooled_grade = grade_of[pair.query_id, pair.path]
        repeats.append((pooled_grade, first[pair.number]))
    second_grades = sorted(judgements.second.items())
    grade_pairs = [(first[number], grade) for number, grade in second_grades]
    agreement = compare_grades(grade_pairs, seed=seed)
    decided = sum(person.grade is not None for person in people)
    controls_passed = sum(grade < RELEVANT for grade in control_grades)
    graded_alike = sum(before == after for before, after in repeats)
    return JudgeQuality(
        judge=names[0],
        second_judge=names[1],
        controls=len(controls),
        controls_passed=controls_passed,
        duplicates=len(repeats),
        duplicates_same=graded_alike,
        compared=agreement.pairs,
        compared_same=agreement.exact,
        kappa=agreement.kappa,
        kappa_interval=agreement.interval,
        for_people=len(judgements.disputed),
        decided=decided,
    )


def _given(queries: Iterable[CellQuery]) -> Iterator[RelevanceLabel]:
    for query in queries:
        for path, grade in query.expected.items():
            yield RelevanceLabel(
                query_id=query.query_id, path=path, grade=grade, given_by="dataset"
            )


def _judged(
    pairs: Iterable[PooledPair], judgements: PairGrades, by_number: Mapping[int, int]
) -> Iterator[RelevanceLabel]:
    disputed = frozenset(judgements.disputed)
    for pair in pairs:
        if pair.role != "pooled":
            continue
        if pair.number in by_number:
            yield RelevanceLabel(
                query_id=pair.query_id,
                path=pair.path,
                grade=by_number[pair.number],
                given_by="person",
            )
        elif pair.number not in disputed:
            yield RelevanceLabel(
                query_id=pair.query_id,
                path=pair.path,
                grade=judgements.first[pair.number],
                given_by="judge",
            )
