"""What is to be said aloud of an evaluation, beside its numbers."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from goldwright.errors import InputError
from goldwright.evaluation.id_resolution import IdResolution
from goldwright.evaluation.query_scoring import ScoredReply
from goldwright.evaluation.report import QueryScore
from goldwright.evaluation.strata import SATURATED, saturated

MOST_NAMED: Final = 3
# Of so few ids all may be foreign by chance.
LEAST_JUDGED: Final = 10


class ReplyNotes:
    """Counts what is odd about the replies: what of them the codebase does not know, and how they
    are made.
    """

    def __init__(self, resolving: IdResolution) -> None:
        """Start with nothing."""
        self._resolving = resolving
        self._known: dict[str, bool] = {}
        self.replies = self.rising = self.scored = 0

    def note(self, asked: ScoredReply) -> None:
        """Take note of one query's reply."""
        self.replies += 1
        self.rising += asked.retrieved.rises
        self.scored += asked.score.sufficiency_score is not None
        for name in asked.ranked:
            if name not in self._known:
                self._known[name] = self._resolving.is_known(name)

    @property
    def count(self) -> int:
        """How many ids came back, each counted once."""
        return len(self._known)

    @property
    def foreign(self) -> list[str]:
        """The ids that are no entity and no file."""
        return sorted(name for name, known in self._known.items() if not known)

    @property
    def are_files(self) -> bool:
        """Tell whether something came back, and nothing but files."""
        return bool(self._known) and not any(
            "::" in name for name, known in self._known.items() if known
        )


def check_known(found: ReplyNotes, example: str) -> None:
    """Make sure that what came back is about the codebase at all.

    Args:
        found: What came back.
        example: An id as it should be.

    Raises:
        InputError: Of at least ten ids none is an entity or a file, in any reading; the text shows
            one.
    """
    foreign = found.foreign
    if found.count >= LEAST_JUDGED and len(foreign) == found.count:
        raise InputError(
            f"none of {found.count} results is an entity or a file of the codebase; they look like {foreign[0]!r}, "
            f"wanted ids like {example!r}"
        )


def remarks(
    queries: Sequence[QueryScore], found: ReplyNotes, drifted: Sequence[str], *, depth: int
) -> Iterator[str]:
    """Say what makes the numbers of an evaluation less, or other, than they look."""
    if drifted:
        yield f"Drift was allowed: {name_some(drifted)} changed since the dataset was made, so labels may be wrong."
    yield from _of_measures(queries, depth)
    yield from _of_replies(queries, found)


def _of_measures(queries: Sequence[QueryScore], depth: int) -> Iterator[str]:
    means = {name: fmean(one.values[name] for one in queries) for name in queries[0].values}
    top = saturated(means)
    if top:
        yield f"Saturated (at {SATURATED} or above, so nothing better could show): {', '.join(top)}."
    cut = [name for name in means if int(name.partition("@")[2] or 0) > depth]
    if cut:
        yield f"Only {depth} results were asked for, so this is cut at {depth}: {', '.join(cut)}."
    judged = means.get("Judged@10", 1.0)
    if judged < 1:
        yield (
            f"Of the first ten results {1 - judged:.0%} are judged by nobody and count as wrong, "
            "so the values are lower bounds."
        )


def _of_replies(queries: Sequence[QueryScore], found: ReplyNotes) -> Iterator[str]:
    foreign = found.foreign
    if foreign:
        yield f"{len(foreign)} of {found.count} results are no entity and no file of the codebase ({name_some(foreign)})."
    if found.are_files:
        yield "All results are files, so measures of entities are 0 or near it; read file.MRR and file.R@10."
    empty = sum(not one.found for one in queries)
    if empty:
        yield f"{empty} of {len(queries)} queries came back without any result."
    if found.rising > found.replies / 2:
        yield (
            f"In {found.rising} of {found.replies} replies the scores rise down the list; scores count, not the order: "
            "leave them out, or turn them round."
        )
    if 0 < found.scored < found.replies:
        yield f"{found.scored} of {found.replies} replies carry a sufficiency_score; its calibration rests on these."


def name_some(names: Sequence[str]) -> str:
    """Name the first few, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
