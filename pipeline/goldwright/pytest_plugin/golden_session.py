"""The dataset and the retriever of one pytest session, with the evaluation that its tests share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from goldwright.app.environment import Environment
from goldwright.app.scoring.baselines import as_in_baseline, baseline_of, known_failures
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.eval_setup import applicable_gates
from goldwright.app.scoring.evaluate import evaluate_retriever
from goldwright.atomic_files import locked_directory
from goldwright.engine.progress import SilentProgress
from goldwright.errors import GoldwrightError, InputError, QualityGateError, RetrieverError
from goldwright.evaluation.baselines.baseline import Baseline
from goldwright.evaluation.gates import Gate, choose_gates
from goldwright.evaluation.report import EvaluationReport, read_report
from goldwright.golden.datasets import LoadedDataset
from goldwright.interchange.opening import check_scorable, open_dataset
from goldwright.pytest_plugin.session_options import SessionOptions

# Files in the shared directory.
_REPORT: Final = "report.json"
_FAILURE: Final = "failure.txt"
_MISUSE: Final = "misuse"

BASELINE_GATE: Final = "baseline"
"""The gate that a baseline adds: that the retriever is no worse than it was."""


class GoldenSession:
    """The dataset, the rules and the retriever, which is asked once.

    The first test that needs the evaluation asks the retriever. With pytest-xdist, that is a test
    of one worker, and the other workers read the report from a directory that all share.

    Attributes:
        directory: The shared directory.
        retriever: The specification of the retriever.
        dataset: The dataset.
        each: The rule that every query must pass.
        checks_baseline: Whether the gate of a baseline counts.
        gates: The gates of the profile that were not left out, and further ones.
        gates_set_aside: The gates of the profile that the dataset can never show.
        baseline: What the retriever is held against; None where none is named.
        known_failures: The queries that missed their rule in every run of the baseline.
    """

    def __init__(self, config: pytest.Config, environment: Environment, directory: Path) -> None:
        """Read the dataset and the rules.

        Raises:
            GoldwrightError: One of them is wrong.
        """
        options = SessionOptions(config)
        self._config = config
        self._options = options
        self._environment = environment
        self._report: EvaluationReport | None = None
        self.directory = directory
        self.retriever = options.retriever
        golden_directory = environment.workspace.golden
        self.dataset: LoadedDataset = open_dataset(config.getoption("--golden"), golden_directory)
        check_scorable(self.dataset)
        self.each = Gate.read(f"each query: {options.each}")
        left_out = [name for name in options.gates_left_out if name != BASELINE_GATE]
        gates = _chosen_gates(left_out, options.gates)
        self.checks_baseline = left_out == list(options.gates_left_out)
        self.gates, self.gates_set_aside = applicable_gates(gates, self.dataset)
        self.known_failures: frozenset[str] = frozenset()
        self.baseline: Baseline | None = None
        if options.baseline is not None:
            path = Path(options.baseline)
            self.baseline = baseline_of(path, self.dataset)
            self.known_failures = known_failures(path, self.baseline, self.each)

    @property
    def codebase(self) -> Path | None:
        """The directory of the codebase; None where none is named."""
        return Path(self._options.repo).resolve() if self._options.repo else None

    @property
    def is_misused(self) -> bool:
        """Whether no test could be run, in any process, because what was handed over is wrong."""
        return (self.directory / _MISUSE).exists()

    def report_if_asked(self) -> EvaluationReport | None:
        """The evaluation, where a test of any process had the retriever asked."""
        path = self.directory / _REPORT
        if self._report is None and path.exists():
            self._report = read_report(path.read_bytes(), source=_REPORT)
        return self._report

    def report(self) -> EvaluationReport:
        """The evaluation; asks the retriever where no test did so far.

        Raises:
            GoldwrightError: The codebase is another, or the retriever failed, now or when it was
                asked first.
        """
        if self._report is not None:
            return self._report
        # The workers of pytest-xdist wait here while the first of them asks.
        with locked_directory(self.directory):
            failure = self.directory / _FAILURE
            if failure.exists():
                raise RetrieverError(failure.read_text("utf-8"))
            report = self.report_if_asked()
            if report is None:
                report = self._ask_and_share(failure)
        return report

    def report_or_fail(self) -> EvaluationReport:
        """The evaluation for a test, which fails in one line where the retriever does."""
        try:
            return self.report()
        except GoldwrightError as error:
            # The flags of pytest have names of their own.
            message = str(error).replace("--allow-drift", "--golden-allow-drift")
            pytest.fail(message, pytrace=False)

    def _ask_and_share(self, failure: Path) -> EvaluationReport:
        # A retriever in this process may end it. The other workers find this text then, and do not
        # ask again.
        failure.write_text(f"{self.retriever}: ended the process that asked it", "utf-8")
        try:
            report = self._ask()
        except Exception as error:
            reason = str(error) or type(error).__name__
            failure.write_text(reason, "utf-8")
            if isinstance(error, InputError | QualityGateError):
                (self.directory / _MISUSE).touch()
            raise
        self._report = report
        failure.unlink()
        shared_report = self.directory / _REPORT
        shared_report.write_text(report.model_dump_json(), "utf-8")
        return report

    def _repo(self) -> Path | None:
        """The codebase that is named; else none for a dataset with documents, or the rootdir."""
        if self._options.repo is not None:
            return Path(self._options.repo)
        return None if self.dataset.corpus is not None else self._config.rootpath

    def _ask(self) -> EvaluationReport:
        options = self._options
        dataset_path = str(self.dataset.path)
        gates = (self.each, *self.gates)
        request = EvalRequest(
            dataset=dataset_path,
            repo=self._repo(),
            rev=options.rev,
            retriever=self.retriever,
            timeout=options.timeout,
            allow_drift=options.allow_drift,
            allow_dirty=options.allow_dirty,
            gates=gates,
        )
        if self.baseline is not None:
            request = as_in_baseline(request, self.baseline)
        evaluation = evaluate_retriever(request, self._environment, SilentProgress())
        return evaluation.report


def _chosen_gates(left_out: Sequence[str], further: Sequence[str]) -> tuple[Gate, ...]:
    """Choose the gates.

    Raises:
        UsageError: One that is named is none; the flag is named that says so.
    """
    flag = "--golden-without-gate"
    try:
        choose_gates(left_out)
        flag = "--golden-gate"
        return choose_gates(left_out, further)
    except InputError as error:
        raise pytest.UsageError(f"{flag}: {error}") from error
