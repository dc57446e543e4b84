"""Whether a further batch is like the golden dataset, and which agents should play no more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.app.datasets.batch_labels import batch_labels
from goldwright.app.datasets.dataset_content import DatasetContent, read_dataset
from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.agent_retirement import AgentRecord, judge_agents
from goldwright.golden.batch_drift import BatchDrift, compare_batch, is_of_batch
from goldwright.golden.judged_records import JudgedRecord, JudgedRole, judged_records
from goldwright.records import GoldenLabel
from goldwright.workspace import RunDirectory


@dataclass(frozen=True, slots=True)
class DriftReport:
    """A batch against a dataset, and the agents of all runs against one another.

    Attributes:
        run: The run whose batch was compared.
        dataset: The file name of the dataset.
        is_of_this_batch: Whether the dataset was made of this batch: by the run that its metadata
            name, or because it holds every query of the batch.
        drift: The comparison.
        agents: The agents of all runs, by role.
    """

    run: str
    dataset: str
    is_of_this_batch: bool
    drift: BatchDrift
    agents: dict[JudgedRole, tuple[AgentRecord, ...]]


def measure_drift(
    names: Sequence[str], against: str | None, environment: Environment, progress: Progress
) -> DriftReport:
    """Compare the first run with a dataset, and the agents of all runs with one another.

    Args:
        names: Runs by name or path, or ``latest``; one that is named twice counts once.
        against: The dataset by version or path; the newest blessed one where there is none.
        environment: Where runs and datasets are.
        progress: Learns how far things are.

    Raises:
        InputError: There is no such run or dataset, or they have no cell in common.
        QualityGateError: The dataset is not what its metadata say.
    """
    golden = read_dataset(against, environment.workspace.golden)
    compared, *further_runs = _find_runs(names, environment)
    # Agents are compared over all runs, for one run has too few records of them; the batch is that
    # of the first run alone.
    with run_for_reading(compared) as run:
        records = list(_records_of_agents(run))
        batch = batch_labels(run, environment, progress)
        seed = run.manifest.seed
    for directory in further_runs:
        with run_for_reading(directory) as run:
            records.extend(_records_of_agents(run))
    drift = _compare(batch, golden, run_name=compared.name, seed=seed)
    is_of_this_batch = _was_made_of(golden, compared.name, batch)
    agents = judge_agents(records)
    return DriftReport(
        run=compared.name,
        dataset=golden.file.path.name,
        is_of_this_batch=is_of_this_batch,
        drift=drift,
        agents=agents,
    )


def _was_made_of(golden: DatasetContent, run_name: str, batch: tuple[GoldenLabel, ...]) -> bool:
    if golden.metadata is not None and golden.metadata.run == run_name:
        return True
    return is_of_batch(golden.labels, batch)


def _find_runs(names: Sequence[str], environment: Environment) -> list[RunDirectory]:
    by_path: dict[Path, RunDirectory] = {}
    for name in names:
        run = environment.workspace.find_run(name)
        by_path[run.path] = run
    return list(by_path.values())


def _records_of_agents(run: OpenRun) -> Iterator[JudgedRecord]:
    fates = report_on(run).record_fates
    return judged_records(run.directory.name, run.review_state, fates)


def _compare(
    batch: tuple[GoldenLabel, ...], golden: DatasetContent, *, run_name: str, seed: int
) -> BatchDrift:
    try:
        return compare_batch(batch, golden.labels, seed=seed)
    except ValueError as error:
        dataset = golden.file.path.name
        raise InputError(
            f"{run_name}: has no cell in common with {dataset}: nothing to compare"
        ) from error
