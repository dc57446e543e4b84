"""What to do with a blessed batch: the export that fits the versions there are."""

from goldwright.app.environment import Environment
from goldwright.app.run_report import RunReport
from goldwright.errors import GoldwrightError
from goldwright.golden.loading import read_metadata
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import Version, published_versions


def suggest_export_command(report: RunReport, environment: Environment) -> str:
    """Give the command that exports a run: a first version, an addition to the one it belongs to,
    or a new one.

    A run of records that a rebase returned belongs to the version that was carried; another run
    belongs to the newest version where that is of the same commit. On another commit it begins a
    version of its own.
    """
    try:
        versions = [
            (one.version, read_metadata(one.path))
            for one in published_versions(environment.workspace.golden)
        ]
    except GoldwrightError:
        versions = []
    if not versions:
        return f"goldwright export {report.name} --version 1.0"
    newest = versions[-1][0]
    if any(
        metadata and metadata.run == report.name and metadata.rebased is None
        for _, metadata in versions
    ):
        return f"goldwright verify {newest}"
    base = next(
        (version for version, metadata in reversed(versions) if _belongs(report, metadata)), None
    )
    if base is None:
        return f"goldwright export {report.name} --version {Version(newest.major + 1, 0)}"
    return f"goldwright export {report.name} --version {Version(newest.major, newest.minor + 1)} --base {base}"


def _belongs(report: RunReport, metadata: DatasetMetadata | None) -> bool:
    if metadata is None:
        return False
    if report.plan.is_return:
        return metadata.rebased is not None and metadata.rebased.returned_to == report.name
    return metadata.repo_commit == report.commit
