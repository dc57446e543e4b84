"""Where two reviewers differ, by what it is about."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.records import HumanVerdict
from goldwright.review.review_state import REJECTING_VERDICTS, VERDICTS

_VerdictPair = tuple[HumanVerdict, HumanVerdict]
# From here on people ask why the two coefficients are so different.
PARTED: Final = 0.2


@dataclass(frozen=True, slots=True)
class VerdictDifference:
    """The records on which two reviewers gave the same two different verdicts.

    Attributes:
        verdicts: The two verdicts, the better one first, whoever gave which.
        query_ids: The records.
    """

    verdicts: _VerdictPair
    query_ids: tuple[str, ...]

    @property
    def is_about_standing(self) -> bool:
        """Whether one of the two would let the record stand, and the other would not."""
        first, second = self.verdicts
        return (first in REJECTING_VERDICTS) != (second in REJECTING_VERDICTS)


def differences_of(
    verdicts: Mapping[str, _VerdictPair],
) -> tuple[VerdictDifference, ...]:
    """Group the records on which two verdicts differ, the most frequent difference first.

    Args:
        verdicts: By query id what the first and the second reviewer said.
    """
    records: dict[_VerdictPair, list[str]] = {}
    for query_id, (first, second) in sorted(verdicts.items()):
        if first == second:
            continue
        better, worse = sorted((first, second), key=VERDICTS.index)
        records.setdefault((better, worse), []).append(query_id)
    by_count = sorted(records.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(VerdictDifference(pair, tuple(query_ids)) for pair, query_ids in by_count)


def difference_sentences(differences: tuple[VerdictDifference, ...]) -> Iterator[str]:
    """Say how often two reviewers differed, and about what; nothing where they did not."""
    counts: Counter[bool] = Counter()
    for difference in differences:
        counts[difference.is_about_standing] += len(difference.query_ids)
    if not counts:
        return
    texts = []
    for difference in differences:
        better, worse = map(_words, difference.verdicts)
        count = len(difference.query_ids)
        text = f"{better} against {worse} {count}"
        texts.append(text)
    list_of_kinds = ", ".join(texts)
    about_standing, about_gravity = counts[True], counts[False]
    yield (
        f"They differed on {counts.total()}, of these on {about_standing} about whether the record "
        f"may stand and on {about_gravity} about how grave a finding is: {list_of_kinds}."
    )


def parting_sentence(kappa: float | None, ac1: float | None) -> str | None:
    """Explain why kappa and AC1 are far apart; None where they are not."""
    if kappa is None or ac1 is None or ac1 - kappa < PARTED:
        return None
    return (
        "The two part because most verdicts are alike: kappa takes most of that for chance, "
        "so that a few differences weigh heavily; AC1 does not. Neither can tell much here of "
        "how well faults are found; the canaries can."
    )


def _words(verdict: HumanVerdict) -> str:
    return verdict.replace("_", " ")
