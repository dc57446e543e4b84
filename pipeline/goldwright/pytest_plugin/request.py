"""What one pytest was asked for, and the one evaluation that all its tests look at."""

from pathlib import Path

import pytest

from goldwright.app.environment import Environment
from goldwright.app.eval_request import EvalRequest
from goldwright.app.evaluate import evaluate_retriever
from goldwright.atomic_files import locked_directory
from goldwright.engine.progress import SilentProgress
from goldwright.errors import GoldwrightError, RetrieverError
from goldwright.evaluation.gates import Gate, choose_gates
from goldwright.evaluation.report import EvaluationReport, read_report
from goldwright.golden.datasets import LoadedDataset, load_dataset

_REPORT = "report.json"
_FAILURE = "failure.txt"


class PytestRequest:
    """The dataset, the rules and the retriever, which is asked once, by the first test that needs
    it.

    With pytest-xdist, the first worker that needs it asks, and the others read from the directory
    that all share.
    """

    def __init__(self, config: pytest.Config, environment: Environment, directory: Path) -> None:
        """Read the dataset and the rules.

        Raises:
            GoldwrightError: One of them is wrong.
        """
        self._config = config
        self._around = environment
        self._report: EvaluationReport | None = None
        self.directory = directory
        self.retriever: str = config.getoption("--retriever")
        self.dataset: LoadedDataset = load_dataset(
            config.getoption("--golden"), environment.workspace.golden
        )
        self.each = Gate.read(f"each query: {config.getoption('--golden-each')}")
        self.gates = choose_gates(
            config.getoption("--golden-without-gate"), config.getoption("--golden-gate")
        )

    @property
    def known(self) -> EvaluationReport | None:
        """What the retriever came to, where it was asked."""
        path = self.directory / _REPORT
        if self._report is None and path.exists():
            self._report = read_report(path.read_bytes(), source=_REPORT)
        return self._report

    def report(self) -> EvaluationReport:
        """Ask the retriever, if nobody did so far.

        Raises:
            GoldwrightError: The codebase is another, or the retriever failed, now or when it was
                asked first.
        """
        if self._report is not None:
            return self._report
        with locked_directory(self.directory):
            failure = self.directory / _FAILURE
            if failure.exists():
                raise RetrieverError(failure.read_text("utf-8"))
            if self.known is not None:
                return self.known
            # Who is asked may end the process; then the others do not ask again.
            failure.write_text(f"{self.retriever}: ended the process that asked it", "utf-8")
            try:
                self._report = self._ask()
            except Exception as error:
                failure.write_text(str(error) or type(error).__name__, "utf-8")
                raise
            failure.unlink()
            (self.directory / _REPORT).write_text(self._report.model_dump_json(), "utf-8")
        return self._report

    def report_or_fail(self) -> EvaluationReport:
        """Ask the retriever for a test, which fails in one line where that does."""
        try:
            return self.report()
        except GoldwrightError as error:
            pytest.fail(str(error), pytrace=False)

    def _ask(self) -> EvaluationReport:
        option = self._config.getoption
        request = EvalRequest(
            dataset=str(self.dataset.path),
            repo=Path(option("--golden-repo") or self._config.rootpath),
            rev=option("--golden-rev"),
            retriever=self.retriever,
            timeout=option("--golden-timeout"),
            allow_drift=option("--golden-allow-drift"),
            allow_dirty=option("--golden-allow-dirty"),
            gates=(self.each, *self.gates),
        )
        return evaluate_retriever(request, self._around, SilentProgress()).report
