"""``goldwright guard``: what a change of the code does to a dataset, before it is merged."""

from pathlib import Path
from typing import Final

import click

from goldwright.app.datasets.guard import GuardRequest, guard_dataset
from goldwright.app.environment import current_environment
from goldwright.atomic_files import check_report, replace_report
from goldwright.cli import options
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.golden.guard_report import GuardReport, guard_lines, guard_markdown
from goldwright.golden.rebase import CodeChange

# How our own file begins: a report replaces an earlier report and nothing else.
MARKDOWN_HEAD: Final = b"<!-- goldwright guard -->\n"


@click.command("guard", cls=SettingsCommand)
@options.dataset_argument
@options.repo
@options.rev
@click.option(
    "--markdown", type=options.path_type, metavar="FILE", help="Write it for a pull request."
)
@click.option(
    "--links",
    metavar="URL",
    help="How addresses of files at REV begin, such as https://HOST/OWNER/NAME/blob/COMMIT/.",
)
@click.option(
    "--decide",
    metavar="URL",
    help="Where files are made on the branch, such as https://HOST/OWNER/NAME/new/BRANCH.",
)
@options.decisions
@options.allow_dirty
@options.as_json
def command(
    dataset: str,
    repo: Path,
    rev: str | None,
    markdown: Path | None,
    links: str | None,
    decide: str | None,
    decisions: Path | None,
    *,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Show which records of DATASET a change of the code touches, before it is merged.

    DATASET is a file or a version in golden/ (or latest); REV is what is to be merged. Records
    whose code is unchanged or only moved come along with a rebase; of the others the reason and
    the changed code are shown. Nothing is written but the report. With --decide it links to files
    that say keep, fix or drop, which a rebase after the merge goes by. Exits with 1 when a record
    is open that needs people.
    """
    if markdown is not None:
        check_report(markdown, head=MARKDOWN_HEAD)
    environment = current_environment()
    request = GuardRequest(dataset, repo, rev, allow_dirty, decisions)
    with progress_on_stderr(environment.clock) as progress:
        report = guard_dataset(request, environment, progress)
    if markdown is not None:
        text = guard_markdown(report, links, decide)
        data = MARKDOWN_HEAD + text.encode("utf-8", "backslashreplace")
        replace_report(markdown, data, head=MARKDOWN_HEAD)
    if as_json:
        print_json(_as_json(report))
    else:
        print_lines(guard_lines(report))
    return gate_exit_code(passes=not report.needs_people)


def _as_json(report: GuardReport) -> dict[str, object]:
    returned: list[dict[str, object]] = []
    for guarded in report.returned:
        record = guarded.record
        decision = report.decisions.get(record.query_id)
        returned.append(
            {
                "query_id": record.query_id,
                "kind": record.kind,
                "query_text": guarded.query_text,
                "reasons": list(record.reasons),
                "hints": list(record.hints),
                "decision": decision.decision if decision else None,
                "changes": [_change_json(change) for change in guarded.changes],
            }
        )
    return {
        "from": report.source,
        "status": report.status,
        "old_commit": report.old_commit,
        "new_commit": report.new_commit,
        "counts": dict(report.counts),
        "records": returned,
    }


def _change_json(change: CodeChange) -> dict[str, object]:
    return {
        "path": change.path,
        "new_path": change.new_path,
        "new_lines": change.new_lines,
        "diff": list(change.diff),
    }
