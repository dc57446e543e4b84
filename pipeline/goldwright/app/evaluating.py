"""Scoring a retriever against a golden dataset."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.surroundings import Surroundings
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QualityGateError
from goldwright.evaluation.measures import DEFAULT_MEASURES, measures
from goldwright.evaluation.scoring import QueryScore, score_all
from goldwright.evaluation.summary import SATURATED, Stratum, saturated, strata
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.verification import drifted_files
from goldwright.golden.versions import checked, find_dataset
from goldwright.records import GoldenLabel
from goldwright.retrieval.connections import connect
from goldwright.retrieval.connections.runs import RunConnection
from goldwright.retrieval.order import Ties
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.snapshot.model import split_entity_id

DEPTH: Final = 100
SECONDS: Final = 60.0
MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """What to score: a dataset by version or path, over which codebase, and the retriever by its specification."""

    dataset: str
    repo: Path
    retriever: str
    rev: str | None = None
    measures: tuple[str, ...] = DEFAULT_MEASURES
    depth: int = DEPTH
    seconds: float = SECONDS
    ties: Ties = "id"
    allow_drift: bool = False
    allow_dirty: bool = False


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a retriever came to on a dataset: every query's score, the strata, and what is to be said about them.

    ``drifted`` are the cited files that are not what the dataset was made from, where that was allowed.
    """

    taken: str
    dataset_sha256: str
    status: str
    commit: str
    retriever: str
    depth: int
    ties: Ties
    scores: tuple[QueryScore, ...]
    strata: tuple[Stratum, ...]
    drifted: tuple[str, ...]
    notes: tuple[str, ...]


def evaluate(request: EvalRequest, around: Surroundings, progress: Progress) -> Evaluation:
    """Ask a retriever every query of a dataset and score the answers.

    Raises:
        InputError: The dataset, the codebase, a measure or a reply is wrong; the text names it.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: The retriever failed on a query.
    """
    wanted = measures(request.measures)
    found = find_dataset(request.dataset, around.workspace.golden)
    data = read_bytes(found.path, what="dataset")
    labels = parse_dataset(data, source=str(found.path))
    metadata = checked(found, data)
    if not labels:
        raise InputError(f"{found.path}: holds no record")
    progress.phase("reading the codebase")
    snapshot = open_snapshot(request.repo, rev=request.rev, cache=around.cache, allow_dirty=request.allow_dirty)
    drifted = drifted_files(metadata.source_file_hashes, snapshot) if metadata else ()
    if drifted and not request.allow_drift:
        raise QualityGateError(
            f"{found.path.name}: {len(drifted)} of its cited files are not what it was made from "
            f"({_some(drifted)}); rebase it, or pass --allow-drift"
        )
    _check_known(labels, snapshot, found.path)
    progress.phase(f"asking {len(labels)} queries")
    with connect(request.retriever, snapshot, root=around.root, seconds=request.seconds) as connection:
        if isinstance(connection, RunConnection):
            _check_run(connection, labels, request.retriever)
        scores = tuple(score_all(labels, connection, wanted, depth=request.depth, ties=request.ties))
    sums = tuple(strata(scores))
    return Evaluation(
        taken=found.sentence,
        dataset_sha256=found.sha256,
        status=metadata.dataset_status if metadata else "no metadata",
        commit=snapshot.commit,
        retriever=request.retriever,
        depth=request.depth,
        ties=request.ties,
        scores=scores,
        strata=sums,
        drifted=drifted,
        notes=tuple(_notes(scores, sums[0], snapshot, drifted)),
    )


def _check_known(labels: Sequence[GoldenLabel], snapshot: Snapshot, path: Path) -> None:
    for label in labels:
        unknown = [one for one in label.entity_ids if snapshot.entity(one) is None]
        if unknown:
            raise InputError(
                f"{path}: {label.query_id} expects {unknown[0]}, which is no entity of {snapshot.commit[:12]}; "
                "is it the codebase that the dataset was made from?"
            )


def _check_run(connection: RunConnection, labels: Sequence[GoldenLabel], retriever: str) -> None:
    asked = {label.query_id for label in labels}
    for what, names in (
        ("holds no results for", asked - connection.queries),
        ("has results for queries that the dataset has not:", connection.queries - asked),
    ):
        if names:
            raise InputError(f"{retriever}: {what} {_some(sorted(names))}")


def _notes(scores: Sequence[QueryScore], whole: Stratum, snapshot: Snapshot, drifted: Sequence[str]) -> Iterator[str]:
    if drifted:
        yield f"Drift was allowed: {_some(drifted)} changed since the dataset was made, so labels may be wrong."
    top = saturated(whole)
    if top:
        yield f"Saturated (at {SATURATED} or above, so nothing better could show): {', '.join(top)}."
    ids = {one for score in scores for one in score.ranked}
    foreign = sorted(one for one in ids if not _is_known(one, snapshot))
    if foreign:
        yield f"{len(foreign)} of {len(ids)} results are no entity and no file of the codebase ({_some(foreign)})."
    empty = sum(not score.ranked for score in scores)
    if empty:
        yield f"{empty} of {len(scores)} queries came back without any result."
    judged = whole.means.get("Judged@10")
    if judged is not None and judged.value < 1:
        yield (
            f"Of the first ten results {1 - judged.value:.0%} are judged by nobody and count as wrong, "
            "so the values are lower bounds."
        )


def _is_known(name: str, snapshot: Snapshot) -> bool:
    return snapshot.entity(name) is not None or snapshot.has_text(split_entity_id(name)[0])


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
