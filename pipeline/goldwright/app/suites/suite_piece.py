"""One codebase of a suite: its run, begun or carried on, and the dataset of it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from goldwright.app.datasets.export import ExportRequest, export_dataset
from goldwright.app.environment import Environment, current_environment
from goldwright.app.runs.resume import ResumeRequest, resume_run
from goldwright.app.runs.run import start_run
from goldwright.app.runs.run_preparation import RunRequest
from goldwright.app.runs.run_report import RunReport
from goldwright.app.suites.suite_checkpoints import SuiteCheckpoint
from goldwright.app.suites.suite_definition import SuiteCodebase
from goldwright.canonical import digest_bytes
from goldwright.engine.progress import Progress, SilentProgress
from goldwright.errors import QualityGateError
from goldwright.golden.loading import read_bytes
from goldwright.text import counted

# Datasets of codebases are parts of one; its version is the one that people see.
_VERSION: Final = "1.0"


@dataclass(frozen=True, slots=True)
class CodebaseTask:
    """A codebase and where its run goes; it can be sent to another process.

    Attributes:
        codebase: The codebase.
        directory: Where runs and dataset go.
        cache: A cache for this piece alone; None for that of the process.
    """

    codebase: SuiteCodebase
    directory: Path
    cache: Path | None = None

    def environment(self) -> Environment:
        """Give the surroundings of the run: those of the process, in the directory."""
        environment = replace(current_environment(), root=self.directory)
        if self.cache is None:
            return environment
        variables = {**environment.variables, "GOLDWRIGHT_CACHE": str(self.cache)}
        return replace(environment, variables=variables)


def compute_codebase(task: CodebaseTask) -> SuiteCheckpoint:
    """Run or carry on one codebase and write its dataset; gives the checkpoint, not yet written.

    Raises:
        GoldwrightError: It cannot be finished.
    """
    codebase = task.codebase
    task.directory.mkdir(parents=True, exist_ok=True)
    environment = task.environment()
    report = _play(codebase, environment, SilentProgress())
    if report.state != "complete":
        failed_cases = counted(len(report.failed), "case")
        raise QualityGateError(f"{report.name}: is not finished: {failed_cases} failed")
    # The directory is the suite's own, so what an earlier run left there may go.
    request = ExportRequest(report.name, _VERSION, draft=True, out=task.directory, replace=True)
    export = export_dataset(request, environment, SilentProgress())
    data = read_bytes(export.dataset, content="dataset")
    dataset_digest = digest_bytes(data)
    short_cells = tuple(map(str, report.short_cells))
    return SuiteCheckpoint(
        codebase=codebase.name,
        inputs=codebase.inputs,
        commit=report.commit,
        run=report.name,
        dataset=export.dataset.name,
        dataset_sha256=dataset_digest,
        records=export.records,
        short_cells=short_cells,
    )


def _play(codebase: SuiteCodebase, environment: Environment, progress: Progress) -> RunReport:
    # A run that was cut off before it had a manifest did nothing yet.
    if any(environment.workspace.all_runs()):
        return resume_run("latest", ResumeRequest(), environment, progress)
    request = RunRequest(
        plan=str(codebase.plan),
        repo=codebase.repo,
        rev=codebase.rev,
        config=codebase.config,
        seed=codebase.seed,
        allow_dirty=codebase.allow_dirty,
    )
    return start_run(request, environment, progress, announce=_announce_nothing)


def _announce_nothing(name: str) -> None:
    """The run of a codebase is carried on by its suite, not by its name."""
