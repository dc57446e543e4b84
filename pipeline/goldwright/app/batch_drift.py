"""Phase 2: whether a further batch is like the golden dataset, and which agents should play no
more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from goldwright.app.environment import Environment
from goldwright.app.export import batch_labels
from goldwright.app.run_files import run_for_reading
from goldwright.app.run_report import report_on
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.golden.agent_retirement import AgentRecord, judge_agents
from goldwright.golden.batch_drift import BatchDrift, compare_batch, is_of_batch
from goldwright.golden.judged_records import JudgedRecord, JudgedRole, judged_records
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.versions import checked_metadata, find_dataset
from goldwright.records import GoldenLabel


@dataclass(frozen=True, slots=True)
class DriftReport:
    """A batch against a dataset, and the agents of all the runs that were named, by role.

    ``is_of_this_batch`` tells that the dataset was made of the batch it is compared with: by the
    run that its metadata name, or because it holds every query of the batch.
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

    Raises:
        InputError: There is no such run or dataset, or they have no cell in common.
    """
    found = find_dataset(against, environment.workspace.golden)
    data = read_bytes(found.path, what="dataset")
    metadata = checked_metadata(found, data)
    golden = parse_dataset(data, source=str(found.path))
    judged: list[JudgedRecord] = []
    batch: tuple[GoldenLabel, ...] = ()
    seed = 0
    runs = {run.path: run for run in map(environment.workspace.find_run, names)}
    compared = next(iter(runs.values()))
    for directory in runs.values():
        with run_for_reading(directory) as run:
            judged.extend(
                judged_records(directory.name, run.review_state, report_on(run).standings)
            )
            if directory is compared:
                batch, seed = batch_labels(run, environment, progress), run.manifest.seed
    try:
        drift = compare_batch(batch, golden, seed=seed)
    except ValueError as error:
        raise InputError(
            f"{compared.name}: has no cell in common with {found.path.name}: nothing to compare"
        ) from error
    is_own = is_of_batch(golden, batch) or (metadata is not None and metadata.run == compared.name)
    return DriftReport(compared.name, found.path.name, is_own, drift, judge_agents(judged))
