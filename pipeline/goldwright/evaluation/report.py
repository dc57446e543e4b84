"""The report of an evaluation, query by query: what is printed, saved, compared and drawn."""

from collections.abc import Mapping
from math import fsum
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from goldwright.errors import InputError
from goldwright.evaluation.notebook_tables import means_table, score_rows, worst_table
from goldwright.evaluation.query_scores import QueryScore, value_of
from goldwright.evaluation.report_comparison import ReportComparison, compare_in_full
from goldwright.notebooks.frames import FrameLibrary, make_frame
from goldwright.notebooks.html import block, folded, paragraph, paragraphs
from goldwright.records.validation_problems import first_validation_problem
from goldwright.retrieval.hit_order import Ties
from goldwright.strict_json import strict_json
from goldwright.text import counted

# Results of each query that a report lists: those that measures at a cutoff of 10 look at.
SHOWN_RESULTS: Final = 10


class EvaluationReport(BaseModel):
    """An evaluation: which dataset, which codebase, which retriever asked how, and every query.

    Attributes:
        dataset: The name of the dataset, or its path.
        dataset_sha256: The digest of its file.
        dataset_status: How far people have reviewed it.
        commit: The commit of the codebase; empty where there was none.
        retriever: The name of the retriever.
        searched: What a built-in retriever searched: how many documents, and whose; empty for any
            other one.
        depth: How many results were asked for.
        ties: The rule for ties.
        queries: The scores of the queries, in the order of the dataset.
        drifted: The cited files that changed since the dataset was made, where that was allowed.
        notes: What makes the numbers less, or other, than they look.
        warning: The one of the notes that comes before the numbers: ids that name nothing.
        judged_by: Who decided which answers are correct; None where no answer was judged.
        blank_docstrings: Whether the code that was searched had its docstrings blanked out.
        product_code: Whether results outside of product code were left out.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    dataset: str
    dataset_sha256: str
    dataset_status: str
    commit: str
    retriever: str
    searched: str = ""
    depth: int = Field(ge=1)
    ties: Ties
    queries: tuple[QueryScore, ...] = Field(min_length=1)
    drifted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warning: str | None = None
    judged_by: str | None = None
    blank_docstrings: bool = False
    product_code: bool = False

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order in which they were asked for."""
        return tuple(self.queries[0].values)

    @property
    def by_id(self) -> Mapping[str, QueryScore]:
        """Every query by its id."""
        return {query.query_id: query for query in self.queries}

    def mean(self, measure: str, **strata: str) -> float:
        """The mean of a measure, 0..1, over all queries or those of some strata.

        Args:
            measure: Its name, as in ``MRR``.
            strata: Strata by dimension, as in ``task_type="locate"``; a query must be of all.

        Raises:
            InputError: There is no such query, or it has no such measure.
        """
        values = []
        for query in self.queries:
            if strata.items() <= query.strata.items():
                value = value_of(query, measure)
                values.append(value)
        if not values:
            labels = map(" ".join, strata.items())
            names = ", ".join(labels)
            known_strata: set[str] = set()
            for query in self.queries:
                dimensions = strata.keys() & query.strata.keys()
                known_strata.update(query.strata[dimension] for dimension in dimensions)
            there_are = ""
            if known_strata:
                known_names = ", ".join(sorted(known_strata))
                there_are = f"; there are {known_names}"
            raise InputError(f"no query is of {names}{there_are}")
        return fsum(values) / len(values)

    def compare(self, other: "EvaluationReport") -> ReportComparison:
        """Compare another evaluation of the same queries with this one.

        Args:
            other: The later one: differences are its values less those of this one.

        Returns:
            For every measure that both hold the difference of means with its 95 % interval and
            p-value, alone and over all measures.

        Raises:
            InputError: They were not made on the same queries in the same way.

        Examples:
            >>> before.report.compare(after.report).measures[0].measure
            'MRR'
        """
        return compare_in_full(self, other)

    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Give the scores as a data frame: a row for each query, in the order of the dataset.

        The columns are ``query_id`` and ``query_text``, a column for each dimension of strata and
        for each measure (0..1), then ``first_rank`` (from 1), ``found``, ``expected_ids``,
        ``ranks``, ``retrieved`` (at most 10 ids), ``sufficiency_score``, ``source`` and
        ``answer_correct``.

        Args:
            library: ``pandas`` or ``polars``; by default the first that is installed.

        Raises:
            InputError: Neither is installed.

        Examples:
            >>> frame = before.report.to_frame()
            >>> len(frame), list(frame.columns[:2])
            (3, ['query_id', 'query_text'])
        """
        return make_frame(score_rows(self.queries), library)

    def __repr__(self) -> str:
        return f"<EvaluationReport: {self._title}>"

    def _repr_html_(self) -> str:
        """Show the report in a notebook."""
        dataset = paragraph(self.dataset, is_soft=True)
        worst = folded("The worst queries", worst_table(self.queries))
        means = means_table(self.queries)
        notes = paragraphs(self.notes)
        return block(self._title, dataset, means, worst, notes)

    @property
    def _title(self) -> str:
        """What was asked, and how much."""
        size = counted(len(self.queries), "query")
        return f"{self.retriever} on {size}"


def read_report(data: bytes, *, source: str) -> EvaluationReport:
    """Read a report that ``goldwright eval --json`` wrote.

    Args:
        data: The file.
        source: The name of the file, for errors.

    Raises:
        InputError: The data is no report; the text names the place.
    """
    fields = strict_json(data, source=source)
    try:
        report = EvaluationReport.model_validate(fields)
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{source}: no evaluation: {problem}") from error
    if len(report.by_id) < len(report.queries):
        raise InputError(f"{source}: names a query twice")
    return report
