"""``goldwright show``: read records, with the source that they cite."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.show import Showing, ShownRecord, ShowRequest, show
from goldwright.cli import options
from goldwright.cli.printing import print_json
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.cli.terminal_view import (
    fact_lines,
    print_prose,
    print_wrapped,
    show_lines,
    shown_part,
)
from goldwright.records import AnswerDraft, FileRange
from goldwright.snapshot import Snapshot
from goldwright.text import counted, make_visible

# Ids, kinds and states stand in columns; longer ones push what follows aside.
_ID_WIDTH = 10
_KIND_WIDTH = 16
_STATE_WIDTH = 12
# The ids of our own records: they stand for the record alone.
_QUERY_ID = re.compile(r"q_\d+")


@click.command("show", cls=SettingsCommand)
@click.argument("source", metavar="[RUN|DATASET]", default="latest")
@click.argument("query_id", metavar="[QUERY_ID]", required=False)
@options.optional_repo
@options.rev
@click.option(
    "-k",
    "--matching",
    metavar="TEXT",
    default="",
    help='List only the records with this in their id, kind, state or question ("review/hard").',
)
@options.as_json
def command(
    *,
    source: str,
    query_id: str | None,
    repo: Path | None,
    rev: str | None,
    matching: str,
    as_json: bool,
) -> None:
    """Read a record of a run or dataset: question, claims, and the lines that they cite.

    Without QUERY_ID, lists the questions. The latest run is taken where none is named (as in "show
    q_00001"); a dataset is a file or a version in golden/, and shows source with --repo.
    """
    if query_id is None and _QUERY_ID.fullmatch(source) and not Path(source).exists():
        source, query_id = "latest", source
    options.tell_latest(source)
    if query_id is not None and matching:
        raise click.UsageError("-k shortens a list; leave it out to read a record")
    request = ShowRequest(source, query_id, repo, rev, matching)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        showing = show(request, environment, progress)
    if as_json:
        print_json([_as_json(record) for record in showing.records])
        return
    click.secho(make_visible(showing.title), dim=True)
    if query_id is None:
        _print_all(showing, matching)
        return
    for record in showing.records:
        _print_record(record, showing.snapshot)


def _print_all(showing: Showing, matching: str) -> None:
    if not showing.records and matching:
        click.echo(f"no record has “{make_visible(matching)}” in its id, kind, state or question")
    elif not showing.records:
        click.echo("no question is written yet; goldwright status says how it stands")
    for record in showing.records:
        _print_line(record)
    if showing.unlisted and not matching:
        questions = counted(showing.unlisted, "question")
        click.secho(
            f"not listed: {questions} rejected before anybody answered; see status", dim=True
        )


def _as_json(record: ShownRecord) -> dict[str, object]:
    answer = record.answer
    answer_ids = answer.entity_ids if answer else ()
    expected_ids = list(record.expected_ids or answer_ids)
    return {
        "query_id": record.query_id,
        "kind": record.kind,
        "state": record.state,
        "query_text": record.query_text,
        "expected_ids": expected_ids,
        "answer": answer.model_dump(mode="json") if answer else None,
        "why": list(record.why),
    }


def _print_line(record: ShownRecord) -> None:
    name = f"{make_visible(record.query_id):<{_ID_WIDTH - 1}} "
    columns = f"{name}{record.kind:<{_KIND_WIDTH}}"
    if record.state:
        columns += f"{record.state:<{_STATE_WIDTH - 1}} "
    print_wrapped(record.query_text, indent=columns)


def _print_record(record: ShownRecord, snapshot: Snapshot | None) -> None:
    heading = filter(None, (record.query_id, record.kind, record.state))
    click.echo("   ".join(heading))
    for reason in record.why:
        print_wrapped(reason, indent="", is_dim=True)
    click.echo("")
    print_wrapped(record.query_text, indent="", is_bold=True)
    click.echo("")
    if record.answer is None:
        _print_list("expected", record.expected_ids)
    else:
        _print_answer(record.answer)
    for cited in _whole_ranges(record.cited):
        if snapshot is not None and snapshot.has_text(cited.file):
            click.echo("")
            show_lines(snapshot, cited, _bearing_numbers(record, cited))


def _print_answer(answer: AnswerDraft) -> None:
    """Print an answer as it is read: in prose, then what is expected, required and wrong."""
    if answer.canonical_narrative:
        print_prose(answer.canonical_narrative)
        click.echo("")
    _print_list("expected", answer.entity_ids)
    # Numbered as the reasons of a record speak of them: fact-2, not-fact-1.
    _print_list("must mention", _numbered("fact", fact_lines(answer, "must_mention_fact")))
    _print_list("must not say", _numbered("not-fact", fact_lines(answer, "must_not_mention_fact")))


def _numbered(name: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        yield f"{name}-{number}: {line}"


def _print_list(heading: str, items: Iterable[str]) -> None:
    lines = list(items)
    if lines:
        click.secho(heading, dim=True)
    for line in lines:
        # An id is copied, so it stays on one line.
        if " " in line:
            print_wrapped(line, indent="  - ")
        else:
            click.echo(f"  - {make_visible(line)}")


def _whole_ranges(ranges: tuple[FileRange, ...]) -> list[FileRange]:
    """Leave out ranges whose lines are shown with others, so that no line is shown twice."""
    different = dict.fromkeys(ranges)
    return [inner for inner in different if not _is_shown_by_another(inner, ranges)]


def _is_shown_by_another(inner: FileRange, ranges: tuple[FileRange, ...]) -> bool:
    """Find out whether a wider range shows all lines of this one."""
    return any(outer != inner and _shows(outer, inner) for outer in ranges)


def _bearing_numbers(record: ShownRecord, cited: FileRange) -> set[int]:
    """Give the numbers of the lines in a range that bear facts."""
    bearing = [lines for lines in record.bearing if lines.file == cited.file]
    numbers: set[int] = set()
    for lines in bearing:
        numbers.update(range(lines.start, lines.end + 1))
    cited_numbers = range(cited.start, cited.end + 1)
    return numbers.intersection(cited_numbers)


def _shows(outer: FileRange, inner: FileRange) -> bool:
    shown_range = shown_part(outer)
    return (
        outer.file == inner.file
        and shown_range.start <= inner.start
        and inner.end <= shown_range.end
    )
