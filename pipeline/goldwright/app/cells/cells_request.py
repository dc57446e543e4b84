"""What a user asks of ``cells``, and what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from goldwright.app.cells.cells_judging import PairJudge, find_pair_judge
from goldwright.app.environment import Environment
from goldwright.canonical import digest
from goldwright.cells.cell_names import DEFAULT_CHUNKERS, RetrievalCell, plan_cells
from goldwright.cells.corpus import SampledDocument, sample_documents
from goldwright.cells.pooling import POOL_DEPTH
from goldwright.cells.records import CellQuery, CellSettings, Origin
from goldwright.engine.progress import Progress
from goldwright.engine.shards import Shard
from goldwright.errors import InputError
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.interchange.json_records import check_distinct
from goldwright.interchange.opening import open_dataset
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.snapshot.entities import split_entity_id
from goldwright.text import counted

DEFAULT_OUT: Final = Path("eval-sets")
DEFAULT_MODELS: Final = ("minilm",)
DEFAULT_DOCUMENTS: Final = 1000
FEWEST_QUERIES: Final = 25
# Formats of cases that come from a history.
_MINED_FORMATS: Final = frozenset({"coderag", "swe-bench"})
_HIGHEST_GRADE: Final = 3


@dataclass(frozen=True, slots=True)
class CellsRequest:
    """What a user asks.

    Attributes:
        source: The directory of documents, in a repository or not.
        name: The name of the evaluation set.
        queries: The dataset of queries: a path, or a version in ``golden/``.
        fields: Which field of it holds what.
        models: Specifications of embedders, or ``bm25``.
        chunkers: Names of chunkers.
        hybrid: Whether each embedder also searches together with words.
        baseline: The cell that is deployed unless another is shown to be better.
        judge: ``offline`` or ``provider:model``.
        second_judge: The same, for a tenth of the pairs.
        predictions: A file of predictions.
        without_people: Whether to freeze although people decided nothing of what judges dispute.
        new_version: Whether to begin the next version.
        documents: How many documents the sample holds at most.
        depth: How many documents of each cell are pooled.
        seed: Settles every draw.
        rev: The commit of a repository.
        allow_dirty: Whether to take the files of its work tree.
        budget_usd: The most that the judges may cost.
        out: Where evaluation sets are.
        shard: The share of the cells that this call ranks, and no more is done; all of it without.
    """

    source: Path
    name: str
    queries: str
    fields: FieldMapping | None = None
    models: tuple[str, ...] = DEFAULT_MODELS
    chunkers: tuple[str, ...] = DEFAULT_CHUNKERS
    hybrid: bool = False
    baseline: str | None = None
    judge: str = "offline"
    second_judge: str = "offline"
    predictions: Path | None = None
    without_people: bool = False
    new_version: bool = False
    documents: int = DEFAULT_DOCUMENTS
    depth: int = POOL_DEPTH
    seed: int = 0
    rev: str | None = None
    allow_dirty: bool = False
    budget_usd: float | None = None
    out: Path = DEFAULT_OUT
    shard: Shard | None = None


@dataclass(frozen=True)
class CellsSetup:
    """What a comparison rests on, read before anything is written.

    Attributes:
        request: What was asked.
        cells: The cells, the baseline first.
        baseline: Its name.
        snapshot: The source.
        documents: The sample.
        queries: The queries.
        judge: Who grades.
        second_judge: Who grades a tenth again.
        notes: What a user should know, a sentence each.
    """

    request: CellsRequest
    cells: Sequence[RetrievalCell]
    baseline: str
    snapshot: Snapshot
    documents: Sequence[SampledDocument]
    queries: Sequence[CellQuery]
    judge: PairJudge
    second_judge: PairJudge
    notes: tuple[str, ...]

    @property
    def expected(self) -> Mapping[str, Mapping[str, int]]:
        """What the dataset says is to be found, by query."""
        return {query.query_id: query.expected for query in self.queries}

    @cached_property
    def settings(self) -> CellSettings:
        """What the evaluation set rests on."""
        request = self.request
        entries = [document.entry.model_dump() for document in self.documents]
        queries = [query.model_dump(mode="json") for query in self.queries]
        prompts = [self.judge.prompt_digest, self.second_judge.prompt_digest]
        return CellSettings(
            corpus=digest(entries),
            queries=digest(queries),
            models=request.models,
            chunkers=request.chunkers,
            hybrid=request.hybrid,
            baseline=self.baseline,
            judge=self.judge.name,
            second_judge=self.second_judge.name,
            prompt=digest(prompts),
            depth=request.depth,
            seed=request.seed,
            documents=request.documents,
        )


def set_up_cells(request: CellsRequest, environment: Environment, progress: Progress) -> CellsSetup:
    """Read queries and source, and find cells and judges.

    Raises:
        InputError: Something of it is not as it should be; the text says in one line what.
    """
    cells, baseline = plan_cells(
        request.models, request.chunkers, hybrid=request.hybrid, baseline=request.baseline
    )
    judge = find_pair_judge(request.judge, "first", request.budget_usd, environment)
    second = find_pair_judge(request.second_judge, "second", request.budget_usd, environment)
    dataset = open_dataset(request.queries, environment.workspace.golden, request.fields)
    check_distinct(dataset.queries)
    progress.phase("reading the source")
    snapshot = open_snapshot(
        request.source,
        rev=request.rev,
        cache=environment.cache,
        allow_dirty=request.allow_dirty,
        chance=environment.chance,
    )
    queries, notes = read_queries(dataset, frozenset(snapshot.files))
    required = {path for query in queries for path in query.expected}
    documents = sample_documents(
        snapshot, required=required, most=request.documents, seed=request.seed
    )
    return CellsSetup(
        request, cells, baseline, snapshot, documents, queries, judge, second, tuple(notes)
    )


def read_queries(
    dataset: LoadedDataset, paths: frozenset[str]
) -> tuple[Sequence[CellQuery], Sequence[str]]:
    """Read the queries of any dataset; what it expects is taken by document.

    A query that expects only what the source lacks is left out and mentioned.

    Raises:
        InputError: Fewer than 25 are left.
    """
    queries: list[CellQuery] = []
    lost: list[str] = []
    for query in dataset.queries:
        expected = _expected_documents(query)
        present = {path: grade for path, grade in expected.items() if path in paths}
        if expected and not present:
            lost.append(query.query_id)
            continue
        origin = _origin(query, dataset)
        grades_by_path = dict(sorted(present.items()))
        cell_query = CellQuery(
            query_id=query.query_id,
            text=query.query_text,
            origin=origin,
            expected=grades_by_path,
        )
        queries.append(cell_query)
    if len(queries) < FEWEST_QUERIES:
        raise InputError(
            f"{dataset.path}: {counted(len(queries), 'query')} that the source can answer; "
            f"wanted at least {FEWEST_QUERIES}: fewer tell no two cells apart"
        )
    left_out = counted(len(lost), "query that expects", "queries that expect")
    notes = [f"{left_out} only what the source lacks, left out"]
    return queries, notes if lost else []


def _expected_documents(query: DatasetQuery) -> dict[str, int]:
    """Take each expected entity for its file, with the highest grade that the file gets."""
    grades: dict[str, int] = {}
    for expected in (*query.expected_ids, *query.expected_files):
        path, _ = split_entity_id(expected)
        grade = _HIGHEST_GRADE
        if query.is_graded:
            grade = query.grades.get(expected, _HIGHEST_GRADE)
        grade = max(1, min(_HIGHEST_GRADE, grade))
        earlier_grade = grades.get(path, 0)
        grades[path] = max(grade, earlier_grade)
    return grades


def _origin(query: DatasetQuery, dataset: LoadedDataset) -> Origin:
    """Say who wrote a query: its own word for it, else its format."""
    match query.strata.get("origin"):
        case "hand":
            return "hand"
        case "author":
            return "author"
        case "mined":
            return "mined"
    if query.label is not None:
        return "author"
    return "mined" if dataset.format in _MINED_FORMATS else "hand"
