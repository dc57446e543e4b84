"""The queries that went worst, with the code that each should have found and what came instead."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.evaluation.query_scores import QueryScore
from goldwright.evaluation.report import EvaluationReport
from goldwright.snapshot import Snapshot
from goldwright.text import shorten

# The measure by which queries are called good or bad: the first of these that was taken.
MAIN_MEASURES: Final = ("MRR", "nDCG@10", "R@10")
# Queries that are shown with all their results.
MOST_WORST: Final = 15
# Enough for a signature and the beginning of a docstring; the page holds two for each query.
MOST_LINES: Final = 8
# Characters of a line; generated code has lines of a megabyte.
LONGEST_LINE: Final = 160


@dataclass(frozen=True, slots=True)
class Snippet:
    """The first lines of an entity, or of a file.

    Attributes:
        entity_id: What it is of.
        first_line: The number of its first line in the file, from 1.
        lines: The lines, the long ones cut.
        left_out: How many lines more the entity has.
    """

    entity_id: str
    first_line: int
    lines: tuple[str, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class SnippetPair:
    """What a query should have found beside what it found; None where that is no code we know."""

    expected: Snippet | None
    retrieved: Snippet | None


def choose_main_measure(report: EvaluationReport) -> str:
    """Choose the measure by which cells and the worst queries are shown."""
    for measure in MAIN_MEASURES:
        if measure in report.measures:
            return measure
    return report.measures[0]


def worst_queries(report: EvaluationReport) -> Sequence[QueryScore]:
    """Choose the queries that went worst, the worst first."""
    main_measure = choose_main_measure(report)

    def badness(query: QueryScore) -> tuple[float, float, str]:
        total = sum(query.values.values())
        return query.values[main_measure], total, query.query_id

    return sorted(report.queries, key=badness)[:MOST_WORST]


def snippets_of_worst(
    report: EvaluationReport, snapshot: Snapshot | None
) -> Mapping[str, SnippetPair]:
    """Cut snippets for the worst queries out of a codebase, by query id.

    What is shown is the expected entity that was found last, or not at all, and the first result
    that was not expected. Without a codebase there are none.
    """
    pairs: dict[str, SnippetPair] = {}
    if snapshot is None:
        return pairs
    for query in worst_queries(report):
        wrong_results = [hit for hit in query.retrieved if hit not in query.expected]
        expected = _first_snippet(_worst_first(query.expected), snapshot)
        retrieved = _first_snippet(wrong_results[:1], snapshot)
        pair = SnippetPair(expected=expected, retrieved=retrieved)
        if pair.expected is not None or pair.retrieved is not None:
            pairs[query.query_id] = pair
    return pairs


def _worst_first(ranks: Mapping[str, int | None]) -> Sequence[str]:
    def badness(entity_id: str) -> float:
        rank = ranks[entity_id]
        return float("-inf") if rank is None else -rank

    return sorted(ranks, key=badness)


def _first_snippet(entity_ids: Iterable[str], snapshot: Snapshot) -> Snippet | None:
    """Cut the snippet of the first id that the codebase knows; None where it knows none of them."""
    for entity_id in entity_ids:
        snippet = _snippet(entity_id, snapshot)
        if snippet is not None:
            return snippet
    return None


def _snippet(entity_id: str, snapshot: Snapshot) -> Snippet | None:
    path = entity_id.partition("::")[0]
    if not snapshot.has_text(path):
        return None
    lines = snapshot.source(path).lines
    first_line = 1
    last_line = len(lines)
    if path != entity_id:
        entity = snapshot.entity(entity_id)
        if entity is None:
            return None
        span = entity.spans[0]
        first_line = span.first
        last_line = span.last
    shown_end = min(last_line, first_line + MOST_LINES - 1)
    shown_lines = lines[first_line - 1 : shown_end]
    cut_lines = tuple(shorten(line, LONGEST_LINE) for line in shown_lines)
    return Snippet(entity_id, first_line, cut_lines, last_line - shown_end)
