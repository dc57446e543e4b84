"""A dataset and the codebase it is about, opened for an evaluation and checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.answer_judging import AnswerJudgeSetup, find_judge
from goldwright.app.codebase import open_codebase
from goldwright.app.environment import Environment
from goldwright.app.eval_request import EvalRequest
from goldwright.engine.progress import Progress
from goldwright.errors import InputError, QualityGateError
from goldwright.evaluation.gates import refuse_unknown_strata
from goldwright.evaluation.query_scoring import strata_of
from goldwright.evaluation.reply_notes import name_some
from goldwright.golden.datasets import LoadedDataset, load_dataset
from goldwright.golden.verification import drifted_files
from goldwright.retrieval.connections import refuse_own_index
from goldwright.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class EvalSetup:
    """What an evaluation rests on.

    Attributes:
        dataset: The dataset.
        snapshot: The codebase.
        drifted: The cited files that are not what the dataset was made from, where that was
            allowed.
        judge: The model that judges answers; None where they are matched literally.
    """

    dataset: LoadedDataset
    snapshot: Snapshot
    drifted: tuple[str, ...]
    judge: AnswerJudgeSetup | None = None


def set_up_evaluation(
    request: EvalRequest, environment: Environment, progress: Progress
) -> EvalSetup:
    """Open a dataset and its codebase, and find the model that judges.

    Raises:
        InputError: One of them is wrong, or they do not belong together, or the retriever cannot
            be asked in this way.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
    """
    if request.blank_docstrings:
        refuse_own_index(request.retriever)
    judge = None
    # A missing key shows before the codebase is read.
    if request.judge:
        judge = find_judge(request.config, request.budget_usd, environment)
    dataset = load_dataset(request.dataset, environment.workspace.golden)
    # A gate on a stratum that no query has would otherwise fail after the last query.
    strata = [strata_of(label) for label in dataset.labels]
    refuse_unknown_strata(request.gates, strata)
    progress.phase("reading the codebase")
    snapshot = open_codebase(request, environment)
    drifted = _drifted_files(dataset, snapshot)
    _refuse_other_codebase(dataset, drifted, snapshot, request.repo)
    if drifted and not request.allow_drift:
        count = len(drifted)
        raise QualityGateError(
            f"{dataset.name}: {count} of its cited files are not what it was made from "
            f"({name_some(drifted)}); rebase it, or pass --allow-drift"
        )
    _check_entities(dataset, snapshot)
    return EvalSetup(dataset, snapshot, drifted, judge)


def _drifted_files(dataset: LoadedDataset, snapshot: Snapshot) -> tuple[str, ...]:
    if dataset.metadata is None:
        return ()
    return drifted_files(dataset.metadata.source_file_hashes, snapshot)


def _refuse_other_codebase(
    dataset: LoadedDataset, drifted: Sequence[str], snapshot: Snapshot, repo: Path
) -> None:
    """Refuse a codebase that has none of the files that the dataset cites."""
    # As long as one cited file is as it was, it is the right codebase at another commit.
    if not drifted or len(drifted) < len(dataset.cited_files):
        return
    if not any(snapshot.has_text(path) for path in drifted):
        raise InputError(
            f"{dataset.name}: cites {name_some(drifted)}, of which {repo} has none; "
            "is it the codebase that the dataset was made from?"
        )


def _check_entities(dataset: LoadedDataset, snapshot: Snapshot) -> None:
    """Make sure that a retriever can find what the dataset expects."""
    commit = snapshot.commit[:12]
    for label in dataset.labels:
        for entity_id in label.entity_ids:
            if snapshot.entity(entity_id) is None:
                raise InputError(
                    f"{dataset.path}: {label.query_id} expects {entity_id}, "
                    f"which is no entity of {commit}; "
                    "is it the codebase that the dataset was made from?"
                )
