"""What the plugin does in a pytest that was given a dataset."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from goldwright.app.environment import current_environment
from goldwright.errors import GoldwrightError
from goldwright.pytest_plugin.items import GoldenDataset
from goldwright.pytest_plugin.request import PytestRequest

_SHARED: Final = "goldwright_directory"


def begin(config: pytest.Config) -> PytestRequest:
    """Read what was asked for, and register the hooks.

    Raises:
        UsageError: Something is wrong with it.
    """
    given = getattr(config, "workerinput", {}).get(_SHARED)
    own = None if given else TemporaryDirectory(prefix="goldwright-")
    try:
        plan = PytestRequest(
            config, current_environment(), Path(given or (own.name if own else ""))
        )
    except GoldwrightError as error:
        raise pytest.UsageError(f"--golden: {error}") from error
    config.pluginmanager.register(Hooks(plan, own), "goldwright-session")
    # The file is collected as any file of tests; where some of its tests are named one by one, only
    # these.
    path = str(plan.dataset.path.resolve())
    if not any(Path(one.partition("::")[0]).resolve() == Path(path) for one in config.args):
        config.args.append(path)
    return plan


class Hooks:
    """The hooks of a session with a dataset."""

    def __init__(self, plan: PytestRequest, own: "TemporaryDirectory[str] | None") -> None:
        """Take the plan, and the directory to remove at the end where it is this process's own."""
        self._plan = plan
        self._own = own

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist where to share."""
        node.workerinput[_SHARED] = str(self._plan.directory)

    def pytest_report_header(self) -> str:
        """Say which dataset, and whom it asks."""
        return f"golden: {self._plan.dataset.description}; retriever: {self._plan.retriever}"

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Make tests of the dataset's file."""
        if file_path != self._plan.dataset.path.resolve():
            return None
        return GoldenDataset.from_parent(parent, path=file_path, plan=self._plan)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the means, where the retriever was asked."""
        report = self._plan.known
        if report is not None:
            terminalreporter.section("golden")
            means = "  ".join(f"{name} {report.mean(name):.3f}" for name in report.measures)
            terminalreporter.write_line(
                f"{report.retriever} on {len(report.queries)} queries: {means}"
            )
            for note in report.notes:
                terminalreporter.write_line(f"note: {note}")

    def pytest_unconfigure(self) -> None:
        """Remove what was shared."""
        if self._own is not None:
            self._own.cleanup()
