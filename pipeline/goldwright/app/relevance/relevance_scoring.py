"""Scoring a retriever against proven relevance: measures, and why it misses what it misses."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.evaluate import evaluate_retriever
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.evaluation.strata import MeanWithInterval, mean_of
from goldwright.interchange.plain_yaml import plain_yaml
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import read_regular
from goldwright.relevance.failure_buckets import Failure, ProvenQuery, failures_of
from goldwright.retrieval.connections.spec import RetrieverSpec, is_built_in
from goldwright.retrieval.tokens import code_tokens


class ProvenCandidate(BaseModel):
    """A document of a pair; further fields are not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    fqn: str = Field(min_length=1)
    text: str = ""
    empirical_relevance: Literal["YES", "NO", "UNDECIDED"]


class ProvenPair(BaseModel):
    """A query with its candidates; further fields are not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str = Field(min_length=1)
    query: str = Field(min_length=1)
    candidates: tuple[ProvenCandidate, ...]
    sufficient_sets: tuple[tuple[str, ...], ...] = ()
    asked_of: str | None = None


class _ProvenPairs(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    pairs: tuple[ProvenPair, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class RelevanceScore:
    """How a retriever does against proven relevance.

    Attributes:
        retriever: Its name.
        means: By measure, the mean over all queries with a relevant document.
        failures: Relevant documents that it missed where no sufficient set was among the first.
        cutoff: How many results count.
        queries: How many were asked.
        verbatim: How many of these stand word for word in a relevant document that it searched.
    """

    retriever: str
    means: Mapping[str, MeanWithInterval]
    failures: tuple[Failure, ...]
    cutoff: int
    queries: int
    verbatim: int


def _read_pairs(path: Path) -> list[ProvenPair]:
    """Read `retrieval_dataset.yaml`; queries without a relevant document are left out.

    Raises:
        InputError: It cannot be read, or is none.
    """
    try:
        text = read_regular(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    try:
        fields = plain_yaml(text, source=str(path))
        pairs = _ProvenPairs.model_validate_json(json.dumps(fields)).pairs
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{path}: {problem}") from error
    return [pair for pair in pairs if _judged_query(pair).relevant]


def _judged_query(pair: ProvenPair) -> ProvenQuery:
    texts: dict[str, dict[str, str]] = {"YES": {}, "NO": {}, "UNDECIDED": {}}
    for candidate in pair.candidates:
        texts[candidate.empirical_relevance][candidate.fqn] = candidate.text
    return ProvenQuery(pair.id, pair.query, texts["YES"], texts["NO"], pair.sufficient_sets)


def score_retriever(
    request: EvalRequest, cutoff: int, environment: Environment, progress: Progress
) -> RelevanceScore:
    """Ask a retriever every query, and score it.

    A built-in retriever searches the codebase without the sentences that queries were taken from.

    Args:
        request: The dataset, the codebase and the retriever; its measures are not read.
        cutoff: How many results count, at least 1.
        environment: The machine.
        progress: Hears of it.

    Raises:
        InputError: Dataset, codebase or retriever is wrong.
        RetrieverError: The retriever failed on a query.
    """
    pairs = _read_pairs(Path(request.dataset))
    queries = [_judged_query(pair) for pair in pairs]
    sentences = {pair.asked_of: pair.query for pair in pairs if pair.asked_of is not None}
    request = replace(request, left_out=sentences)
    evaluation = evaluate_retriever(request, environment, progress)
    values: dict[str, list[float]] = {}
    for score in evaluation.report.queries:
        for measure, value in score.values.items():
            values.setdefault(measure, []).append(value)
    served: list[float] = []
    failures: list[Failure] = []
    for query in queries:
        ranking: Sequence[str] = evaluation.rankings.get(query.query_id, ())
        served.append(float(query.is_served(ranking, cutoff)))
        failures += failures_of(query, ranking, cutoff, code_tokens)
    values[f"Sufficient@{cutoff}"] = served
    means = {measure: mean_of(column) for measure, column in values.items()}
    return RelevanceScore(
        evaluation.report.retriever,
        means,
        tuple(failures),
        cutoff,
        queries=len(queries),
        verbatim=_verbatim(pairs, request.retriever),
    )


def _verbatim(pairs: Sequence[ProvenPair], retriever: RetrieverSpec) -> int:
    """Count the queries that stand word for word in a relevant document that was searched."""
    if isinstance(retriever, str) and is_built_in(retriever):
        return sum(_is_verbatim(_judged_query(pair)) for pair in pairs)
    # What others search holds the sentence that the documents of the dataset were shown without.
    count = 0
    for pair in pairs:
        if pair.asked_of is not None or _is_verbatim(_judged_query(pair)):
            count += 1
    return count


def _is_verbatim(query: ProvenQuery) -> bool:
    """Tell whether a relevant document holds a query's words in their order, as docstrings do."""
    words = _plain_words(query.text)
    return any(words in _plain_words(text) for text in query.relevant.values())


def _plain_words(text: str) -> str:
    return " ".join(text.lower().split())
