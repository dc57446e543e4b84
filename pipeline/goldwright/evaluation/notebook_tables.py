"""The scores of queries as tables of a notebook: means, worst queries, and rows of a frame."""

from collections.abc import Mapping, Sequence
from typing import Final

from markupsafe import Markup

from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.query_scores import QueryScore, columns_of
from goldwright.evaluation.strata import MeanWithInterval, Stratum, mean_of
from goldwright.notebooks.frames import strata_columns
from goldwright.notebooks.html import interval_text, mean_bar, table

_TableRow = Sequence[str]
# Worst queries that are listed.
MOST_WORST: Final = 10
# Measures of a table of strata; all of them are in the frame.
_MOST_MEASURES: Final = 4


def means_table(queries: Sequence[QueryScore]) -> Markup:
    """Write the mean of every measure with its 95 % interval and number of queries."""
    header: _TableRow = ["", "mean", "", "95 %", "n"]
    rows = [header]
    for measure, values in columns_of(queries).items():
        cells = _mean_cells(mean_of(values))
        rows.append([measure, *cells])
    return table(rows)


def strata_table(strata: Sequence[Stratum]) -> Markup:
    """Write the means of the first measures of quality for each stratum but that of all."""
    measures = quality_measures(strata[0].means)[:_MOST_MEASURES]
    header: _TableRow = ["", "n", *measures]
    rows = [header]
    for stratum in strata[1:]:
        dimension = stratum.dimension.replace("_", " ")
        name = f"{dimension}: {stratum.name}"
        query_count = str(stratum.n)
        cells = [_short_mean(stratum.means[measure]) for measure in measures]
        rows.append([name, query_count, *cells])
    return table(rows)


def worst_table(queries: Sequence[QueryScore]) -> Markup:
    """Write the queries with the lowest values of the first measure of quality."""
    measures = tuple(queries[0].values)
    measure = quality_measures(measures)[0]

    def value(query: QueryScore) -> tuple[float, str]:
        return query.values[measure], query.query_id

    header: _TableRow = ["id", "query", measure, "first place"]
    rows = [header]
    for query in sorted(queries, key=value)[:MOST_WORST]:
        first_rank = query.first_rank
        place = "none" if first_rank is None else str(first_rank)
        figure = f"{query.values[measure]:.2f}"
        rows.append([query.query_id, query.query_text, figure, place])
    return table(rows, is_words=True)


# The columns of a frame that no measure has the name of.
_COLUMNS: Final = (
    "query_id",
    "query_text",
    "first_rank",
    "found",
    "expected_ids",
    "ranks",
    "retrieved",
    "sufficiency_score",
    "source",
    "answer_correct",
)


def score_rows(queries: Sequence[QueryScore]) -> Sequence[Mapping[str, object]]:
    """Give the scores as rows of a frame, one for each query."""
    reserved_names = (*_COLUMNS, *queries[0].values)
    strata = strata_columns([query.strata for query in queries], reserved_names)
    pairs = zip(queries, strata, strict=True)
    return [_row(query, of_query) for query, of_query in pairs]


def _row(query: QueryScore, strata: Mapping[str, str | None]) -> Mapping[str, object]:
    return {
        "query_id": query.query_id,
        "query_text": query.query_text,
        **strata,
        **query.values,
        "first_rank": query.first_rank,
        "found": query.found,
        "expected_ids": list(query.expected),
        "ranks": list(query.expected.values()),
        "retrieved": list(query.retrieved),
        "sufficiency_score": query.sufficiency_score,
        "source": query.source,
        "answer_correct": query.answer_correct,
    }


def _mean_cells(mean: MeanWithInterval) -> Sequence[str]:
    bar = mean_bar(mean.value, mean.interval)
    value = f"{mean.value:.3f}"
    interval = interval_text(mean.interval)
    return [value, bar, interval, str(mean.n)]


def _short_mean(mean: MeanWithInterval) -> str:
    interval = interval_text(mean.interval)
    return f"{mean.value:.2f} ({interval})"
