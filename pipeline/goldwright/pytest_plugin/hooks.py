"""The hooks of a pytest session that was given a dataset."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from goldwright.app.environment import current_environment
from goldwright.errors import GoldwrightError
from goldwright.evaluation.report import EvaluationReport
from goldwright.pytest_plugin.golden_session import GoldenSession
from goldwright.pytest_plugin.items import GoldenDataset
from goldwright.text import counted

# The key under which a worker of pytest-xdist is told the shared directory.
_SHARED_DIRECTORY: Final = "goldwright_directory"


def start_session(config: pytest.Config) -> GoldenSession:
    """Read the options, and register the hooks.

    Raises:
        UsageError: Something is wrong with an option.
    """
    worker_input = getattr(config, "workerinput", {})
    shared: str | None = worker_input.get(_SHARED_DIRECTORY)
    own_directory = None
    if shared is None:
        own_directory = TemporaryDirectory(prefix="goldwright-")
        shared = own_directory.name
    try:
        session = GoldenSession(config, current_environment(), Path(shared))
    except GoldwrightError as error:
        raise pytest.UsageError(f"--golden: {error}") from error
    config.pluginmanager.register(GoldenHooks(session, own_directory), "goldwright-session")
    dataset = session.dataset.main_file.resolve()
    # The dataset is collected like a file of tests. Where the command line names some of its tests
    # one by one, only these are.
    named_files = [argument.partition("::")[0] for argument in config.args]
    if dataset not in map(_resolve, named_files):
        config.args.append(str(dataset))
    return session


def _resolve(path: str) -> Path:
    return Path(path).resolve()


class GoldenHooks:
    """The hooks."""

    def __init__(
        self, session: GoldenSession, own_directory: "TemporaryDirectory[str] | None"
    ) -> None:
        """Take the session.

        Args:
            session: The session.
            own_directory: The shared directory where this process made it, and removes it at the
                end; None in a worker.
        """
        self._session = session
        self._own_directory = own_directory

    @pytest.hookimpl(optionalhook=True)  # pytest knows this hook only beside pytest-xdist
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist the shared directory."""
        node.workerinput[_SHARED_DIRECTORY] = str(self._session.directory)

    def pytest_report_header(self) -> str:
        """Name the dataset and the retriever."""
        dataset = self._session.dataset.description
        header = f"golden: {dataset}; retriever: {self._session.retriever}"
        if self._session.gates_set_aside:
            names = ", ".join(gate.name for gate in self._session.gates_set_aside)
            header = f"{header}; gates that this dataset cannot show: {names}"
        return header

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Leave the tests of the codebase alone where it lies below the tests that are asked for.

        It is what is searched, and its own dependencies need not be installed.
        """
        codebase = self._session.codebase
        if codebase is None or not collection_path.is_relative_to(codebase):
            return None
        dataset = self._session.dataset.main_file.resolve()
        asked_paths = [_resolve(argument.partition("::")[0]) for argument in config.args]
        is_asked = any(path.is_relative_to(codebase) for path in asked_paths if path != dataset)
        return None if is_asked or collection_path == dataset else True

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Collect the dataset; of one that is a folder, the file that stands for it."""
        if file_path != self._session.dataset.main_file.resolve():
            return None
        return GoldenDataset.from_parent(parent, path=file_path, golden_session=self._session)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the means, where the retriever was asked."""
        report = self._session.report_if_asked()
        if report is None:
            return
        terminalreporter.section("golden")
        means = "  ".join(_means(report))
        count = len(report.queries)
        terminalreporter.write_line(f"{report.retriever} on {counted(count, 'query')}: {means}")
        for note in report.notes:
            terminalreporter.write_line(f"note: {note}")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Tell a wrong retriever or codebase apart from a search that became worse."""
        if self._session.is_misused:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_unconfigure(self) -> None:
        """Remove the shared directory."""
        if self._own_directory is not None:
            self._own_directory.cleanup()


def _means(report: EvaluationReport) -> Iterator[str]:
    for name in report.measures:
        mean = report.mean(name)
        yield f"{name} {mean:.3f}"
