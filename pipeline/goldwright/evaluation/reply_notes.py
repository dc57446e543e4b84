"""Notes on an evaluation: what makes its numbers less, or other, than they look."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Final

from goldwright.errors import InputError
from goldwright.evaluation.id_resolution import IdResolution
from goldwright.evaluation.measures import SATURATED, saturated_measures
from goldwright.evaluation.query_scores import QueryScore, columns_of
from goldwright.evaluation.retriever_scoring import ScoredReply
from goldwright.text import counted, name_some

# Some ids may have no likely spelling, such as deleted files; this many are tried to find one.
MOST_IDS_RESPELLED: Final = 20

CHOSEN_BY_WORDS: Final = "The embedded Author chose questions"
"""How the note begins that a search by words chose what is asked."""


def doubt_of_difference(notes: Iterable[str]) -> str:
    """Say beside a difference that it may be one of how questions were chosen; empty where not."""
    if not any(note.startswith(CHOSEN_BY_WORDS) for note in notes):
        return ""
    return (
        "A word search (BM25) chose these questions, so a difference to it, or to what is like it, "
        "says little of other questions: compare on a list of your own too (goldwright adopt)."
    )


class ReplyNotes:
    """Collects what is odd about the replies to the queries of one evaluation.

    Attributes:
        replies: How many replies were noted.
        rising: In how many of them scores rise down the list.
        scored: How many of them carry a sufficiency score.
    """

    def __init__(self, resolution: IdResolution) -> None:
        """Start without replies.

        Args:
            resolution: Knows which ids are those of the codebase.
        """
        self._resolution = resolution
        self._is_known_by_id: dict[str, bool] = {}
        self.replies = 0
        self.rising = 0
        self.scored = 0

    def note(self, scored_reply: ScoredReply) -> None:
        """Take note of the reply to one query."""
        self.replies += 1
        if scored_reply.reply.rises:
            self.rising += 1
        if scored_reply.score.sufficiency_score is not None:
            self.scored += 1
        for result_id in scored_reply.ranked:
            if result_id not in self._is_known_by_id:
                self._is_known_by_id[result_id] = self._resolution.is_known(result_id)

    @property
    def count(self) -> int:
        """How many distinct ids came back."""
        return len(self._is_known_by_id)

    @property
    def foreign(self) -> list[str]:
        """The ids that are no entity and no file of the codebase, sorted."""
        return sorted(self._ids(is_known=False))

    @property
    def are_files(self) -> bool:
        """Whether something came back, and every id that the codebase knows is a file."""
        known_ids = self._ids(is_known=True)
        has_entity = any("::" in result_id for result_id in known_ids)
        return self.count > 0 and not has_entity

    def spelling_advice(self) -> str | None:
        """How the first unknown id whose meaning shows would have to be written."""
        for foreign_id in self.foreign[:MOST_IDS_RESPELLED]:
            spelling = self._resolution.nearest_spelling(foreign_id)
            if spelling is not None:
                return f"{foreign_id!r} would be known otherwise: {spelling.advice}"
        return None

    def unknown_remark(self) -> str | None:
        """Say which results the codebase does not know, and how one would have to be written."""
        foreign = self.foreign
        if not foreign:
            return None
        share = f"{len(foreign)} of {self.count} results"
        remark = f"{share} are no entity and no file of the codebase ({name_some(foreign)})"
        advice = self.spelling_advice()
        if advice:
            remark = f"{remark}; {advice}"
        return f"{remark}."

    def _ids(self, *, is_known: bool) -> Iterator[str]:
        for result_id, is_id_known in self._is_known_by_id.items():
            if is_id_known == is_known:
                yield result_id


def check_known(notes: ReplyNotes, example: str) -> None:
    """Make sure that the results are about the codebase at all.

    Args:
        notes: What was noted of the replies.
        example: An id in the form of the codebase.

    Raises:
        InputError: The codebase knows none of the ids in any reading; the text shows one, and how
            it would have to be written.
    """
    foreign = notes.foreign
    if foreign and len(foreign) == notes.count:
        subject = f"none of {notes.count} results is" if notes.count > 1 else "no result is"
        problem = f"{subject} an entity or a file of the codebase"
        advice = notes.spelling_advice()
        hint = advice or f"they look like {foreign[0]!r}, wanted ids like {example!r}"
        raise InputError(f"{problem}; {hint}")


def remarks(
    queries: Sequence[QueryScore],
    notes: ReplyNotes,
    *,
    depth: int,
    blank_docstrings: bool = False,
) -> Iterator[str]:
    """Yield the remarks that belong beside the numbers of an evaluation, a sentence each.

    Args:
        queries: The scores of all queries.
        notes: What was noted of the replies.
        depth: How many results were asked for.
        blank_docstrings: Whether docstrings were blanked out.
    """
    if blank_docstrings:
        yield (
            "Docstrings were blanked in the code that was searched, "
            "so nothing was found by their words."
        )
    yield from _remarks_on_measures(queries, depth)
    yield from _remarks_on_results(queries, notes)
    yield from _remarks_on_scores(notes)


def _remarks_on_measures(queries: Sequence[QueryScore], depth: int) -> Iterator[str]:
    means = {name: fmean(values) for name, values in columns_of(queries).items()}
    saturated = saturated_measures(means)
    if saturated:
        names = ", ".join(saturated)
        yield f"Saturated (at {SATURATED} or above, so nothing better could show): {names}."
    truncated = [name for name in means if _cutoff(name) > depth]
    if truncated:
        names = ", ".join(truncated)
        asked_for = counted(depth, "result was", "results were")
        yield f"Only {asked_for} asked for, so this is cut at {depth}: {names}."
    # Where it was not measured, nothing is known of judgements and nothing is said.
    unjudged = 1 - means.get("Judged@10", 1.0)
    if unjudged > 0:
        yield unjudged_remark([unjudged])


def unjudged_remark(shares: Sequence[float]) -> str:
    """Say how many of the first results nobody judged, once for all systems.

    Args:
        shares: The share of each system, from 0 to 1; at least one.
    """
    least = f"{min(shares):.0%}"
    most = f"{max(shares):.0%}"
    span = most if least == most else f"{least} to {most}"
    return (
        f"Of the first ten results {span} are judged by nobody and count as wrong, "
        "so the values are lower bounds."
    )


def _cutoff(measure: str) -> int:
    """The cutoff in the name of a measure; 0 where it has none."""
    _, _, cutoff = measure.partition("@")
    return int(cutoff or 0)


def _remarks_on_results(queries: Sequence[QueryScore], notes: ReplyNotes) -> Iterator[str]:
    unknown = notes.unknown_remark()
    if unknown:
        yield unknown
    expected_ids = (expected for query in queries for expected in query.expected)
    expects_entities = any("::" in expected for expected in expected_ids)
    if notes.are_files and expects_entities:
        yield (
            "All results are files, so measures of entities are 0 or near it; "
            "read file.MRR and file.R@10."
        )
    empty = sum(query.found == 0 for query in queries)
    if empty:
        yield f"{empty} of {len(queries)} queries came back without any result."


def _remarks_on_scores(notes: ReplyNotes) -> Iterator[str]:
    # One list in rising order may be chance; most of them are a habit of the retriever.
    if notes.rising > notes.replies / 2:
        share = f"In {notes.rising} of {notes.replies} replies"
        yield (
            f"{share} the scores rise down the list; scores count, not the order: "
            "leave them out, or turn them round."
        )
    if 0 < notes.scored < notes.replies:
        share = f"{notes.scored} of {notes.replies} replies"
        yield f"{share} carry a sufficiency_score; its calibration rests on these."
