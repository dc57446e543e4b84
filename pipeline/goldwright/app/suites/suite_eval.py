"""Scoring one retriever on every codebase of a suite."""

import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.evaluate import evaluate_retriever
from goldwright.app.suites.suite_checkpoints import SuiteDirectory, record_of, refuse_other_suite
from goldwright.app.suites.suite_definition import Suite, SuiteCodebase
from goldwright.app.suites.suite_run import suite_state
from goldwright.engine.progress import Progress
from goldwright.engine.shards import Shard
from goldwright.errors import GoldwrightError, InputError, NoRoomError, OutputError
from goldwright.evaluation.measures import find_measures
from goldwright.evaluation.suite_report import SuiteReport, summarize_suite

REPO_PLACEHOLDER: Final = "{repo}"
NAME_PLACEHOLDER: Final = "{codebase}"


@dataclass(frozen=True, slots=True)
class SuiteEvalRequest:
    """A suite that was run, and how a retriever is asked about each codebase.

    Attributes:
        suite: The codebases.
        directory: Of their datasets.
        ask: The request for each; dataset, codebase, commit and placeholders are filled in.
        shard: The share of this call; everything without one.
    """

    suite: Suite
    directory: Path
    ask: EvalRequest
    shard: Shard | None = None


def evaluate_suite(
    request: SuiteEvalRequest, environment: Environment, progress: Progress
) -> SuiteReport:
    """Ask a retriever every query of every codebase that is done, and average by codebase.

    A codebase that cannot be scored is left out and named.

    Raises:
        InputError: The directory or a measure is wrong, or no codebase could be scored.
    """
    find_measures(request.ask.all_measures)
    place = SuiteDirectory(request.directory.absolute())
    record = place.record()
    refuse_other_suite(record, record_of(request.suite), place.root)
    codebases_of_shard = request.suite.of_shard(request.shard)
    codebases = {codebase.name: codebase for codebase in codebases_of_shard}
    state = suite_state(place, list(codebases))
    failures = dict.fromkeys(state.missing, "its dataset is not done")
    reports = {}
    for checkpoint in state.done:
        codebase = codebases[checkpoint.codebase]
        progress.phase(codebase.name)
        dataset = place.dataset(checkpoint)
        single = _request_for(request.ask, codebase, dataset, checkpoint.commit)
        try:
            reports[codebase.name] = evaluate_retriever(single, environment, progress).report
        except (NoRoomError, OutputError):
            raise
        except GoldwrightError as error:
            failures[codebase.name] = str(error)
    if not reports:
        failure_texts = [f"{name}: {failure}" for name, failure in failures.items()]
        reasons = "; ".join(failure_texts)
        raise InputError(f"{state.name}: no codebase could be scored: {reasons}")
    return summarize_suite(state.name, reports, failures)


def _request_for(
    ask: EvalRequest, codebase: SuiteCodebase, dataset: Path, commit: str
) -> EvalRequest:
    retriever = ask.retriever
    if isinstance(retriever, str):
        retriever = fill_in(retriever, codebase)
    # The very commit that the dataset was made at, whatever the revision means by now. A plain
    # directory has none to choose.
    has_history = (codebase.repo / ".git").exists()
    rev = commit if has_history and not codebase.allow_dirty else codebase.rev
    return replace(
        ask,
        dataset=str(dataset),
        repo=codebase.repo,
        rev=rev,
        retriever=retriever,
        allow_dirty=codebase.allow_dirty,
    )


def fill_in(retriever: str, codebase: SuiteCodebase) -> str:
    """Put directory and name of a codebase into a specification.

    In a command the directory is quoted, so that its blanks end no word.
    """
    directory = str(codebase.repo)
    if retriever.startswith("cmd:"):
        directory = shlex.quote(directory)
    spec = retriever.replace(NAME_PLACEHOLDER, codebase.name)
    return spec.replace(REPO_PLACEHOLDER, directory)
