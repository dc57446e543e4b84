"""``goldwright adopt``: a dataset of others becomes one of ours, for people to confirm."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from goldwright.app.datasets.adopt import Adoption, AdoptRequest, adopt_dataset
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.golden.adoption import AdoptedRecord
from goldwright.golden.versions import Version
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.records import TASK_TYPES, TaskType

# Problems of a record that its line names; the review page has all of them.
_MOST_PROBLEMS: Final = 2


@click.command("adopt", cls=SettingsCommand)
@options.dataset_argument
@options.repo
@options.rev
@click.option(
    "--version", metavar="X.Y", help="The version to write.  [default: the first free one]"
)
@click.option("--out", type=options.path_type, metavar="DIR", help="Where to.  [default: golden/]")
@click.option(
    "--task-type",
    type=click.Choice(TASK_TYPES),
    default="general",
    show_default=True,
    help="The task type of queries that state none of ours.",
)
@click.option("--replace", is_flag=True, help="Let the draft replace one adopted earlier.")
@options.fields
@options.allow_dirty
@options.as_json
def command(
    dataset: str,
    repo: Path,
    rev: str | None,
    version: str | None,
    out: Path | None,
    task_type: TaskType,
    *,
    replace: bool,
    fields: FieldMapping | None,
    allow_dirty: bool,
    as_json: bool,
) -> int:
    """Make DATASET, a file or folder of any format, a dataset of ours.

    Ids are resolved, files, lines and hashes filled in, and every check is made that can be. What
    passes is written as a draft with the status adopted_pending_human_review; all records wait in
    a run of their own for people, who keep or drop each. Exits with 1 when a query does not come
    along; those that pass are written all the same.
    """
    request = AdoptRequest(
        dataset, repo, rev, version, out, task_type, allow_dirty, fields, replace
    )
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        adoption = adopt_dataset(request, environment, progress)
    if as_json:
        print_json(_as_json(adoption))
    else:
        print_lines(_lines(adoption), to_stderr=True)
        if adoption.dataset is not None:
            click.echo(str(adoption.dataset))
    return gate_exit_code(passes=adoption.dataset is not None and not adoption.stopped)


def _lines(adoption: Adoption) -> Iterator[str]:
    total = len(adoption.adopted) + len(adoption.stopped)
    yield f"from {adoption.source}"
    count = len(adoption.adopted)
    commit = adoption.commit[:12]
    yield f"{count} of {total} queries pass every check that can be made at {commit}"
    for record in adoption.stopped:
        yield f"  {_stopped_line(record)}"
    if adoption.stopped and adoption.dataset is not None:
        version = Version.parse(adoption.dataset.name.removesuffix(".draft.json"))
        yield (
            "        once the list is right: the same command with "
            f"--version {version} --replace, so that it takes the place of this draft"
        )
    for note in adoption.notes:
        yield f"note: {note}"
    yield f"next    goldwright review {adoption.run} --reviewer NAME   (keep or drop each record)"
    # To eval, latest stays a dataset of questions that were made here.
    yield f"        goldwright eval {adoption.dataset} …   (by its path: latest is another dataset)"
    yield "        (to show, review and other commands about runs, latest is this run from now on)"


def _stopped_line(record: AdoptedRecord) -> str:
    problems = "; ".join(record.problems[:_MOST_PROBLEMS])
    further = len(record.problems) - _MOST_PROBLEMS
    ending = ""
    if further > 0:
        ending = f" (and {further} more)"
    place = record.place.rpartition(": ")[2]
    return f"{record.label.query_id} ({place}): {problems}{ending}"


def _as_json(adoption: Adoption) -> dict[str, object]:
    stopped = [
        {
            "query_id": record.label.query_id,
            "place": record.place,
            "problems": list(record.problems),
        }
        for record in adoption.stopped
    ]
    return {
        "source": adoption.source,
        "format": adoption.format,
        "commit": adoption.commit,
        "dataset": str(adoption.dataset) if adoption.dataset else None,
        "run": adoption.run,
        "adopted": [record.label.query_id for record in adoption.adopted],
        "stopped": stopped,
        "notes": list(adoption.notes),
    }
