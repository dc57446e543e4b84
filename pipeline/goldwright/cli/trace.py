"""``goldwright trace``: the whole way of a record through a run."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.traces.run_trace import RecordTrace, RunTrace, trace_run
from goldwright.app.traces.trace_exports import TraceExport
from goldwright.app.traces.trace_outputs import check_trace_page, write_trace_page
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.settings_command import SettingsCommand
from goldwright.llm.budget import dollars
from goldwright.text import counted, make_visible, name_some, shorten

# A turn in a terminal is a line; the page has it in full.
_LONGEST_LINE = 160


@click.command("trace", cls=SettingsCommand)
@click.argument("run", metavar="[RUN]", default="latest", shell_complete=options.complete_run)
@click.argument("query_id", metavar="[QUERY_ID]", required=False)
@click.option("--html", type=options.path_type, metavar="FILE", help="Write it as a page.")
@click.option(
    "--otlp",
    type=options.path_type,
    metavar="FILE",
    help="Write it as OpenTelemetry spans in JSON Lines, as collectors read them.",
)
@click.option(
    "--otlp-endpoint",
    metavar="URL",
    help="Send the spans to a collector, as http://127.0.0.1:4318/v1/traces.",
)
@click.option(
    "--with-content",
    is_flag=True,
    help="Give spans the texts of prompts, answers and tools as well, with secrets masked.",
)
@click.option(
    "--inspect",
    type=options.path_type,
    metavar="DIR",
    help="Write it as a log of inspect_ai, with all texts, secrets masked.",
)
@options.as_json
def command(
    run: str,
    query_id: str | None,
    html: Path | None,
    otlp: Path | None,
    otlp_endpoint: str | None,
    inspect: Path | None,
    *,
    with_content: bool,
    as_json: bool,
) -> None:
    """Show the way of a record of RUN (latest, when none is named): who worked on it, what they
    sent, said and were shown, what they found, and what it cost.

    Without QUERY_ID every record gets a line.
    """
    options.tell_latest(run)
    export = TraceExport(run, query_id, otlp, otlp_endpoint, inspect, with_content=with_content)
    environment = current_environment()
    export.check()
    if html is not None:
        check_trace_page(html)
    trace = trace_run(run, query_id, environment)
    if html is not None:
        write_trace_page(html, trace)
    print_lines(map(make_visible, export.write(environment)), to_stderr=True)
    if as_json:
        print_json(asdict(trace))
    elif query_id is None:
        print_lines(_overview(trace))
    else:
        print_lines(_record_lines(trace.records[0]))


def _overview(trace: RunTrace) -> Iterator[str]:
    size = counted(len(trace.records), "record")
    yield f"{trace.name}: {size}"
    for record in trace.records:
        steps = " > ".join(step.name for step in record.steps)
        cost = dollars(record.spend.micro_usd) if record.spend.calls else ""
        start = f"{record.query_id}  {record.cell:<15} {record.fate:<11}"
        yield make_visible(f"{start} {cost:>10}  {steps}")


def _record_lines(record: RecordTrace) -> Iterator[str]:
    heading = f"{record.query_id} {record.cell}, {record.fate}"
    yield make_visible(f"{heading}: {record.query_text}")
    if record.spend.calls:
        calls = counted(record.spend.calls, "call")
        cost = dollars(record.spend.micro_usd)
        yield f"{calls}, {cost}, without its Author's"
    for step in record.steps:
        yield ""
        by = ""
        if step.by:
            by = f" ({step.by})"
        step_heading = f"{step.name}{by} {step.summary}"
        yield make_visible(step_heading.rstrip())
        for line in step.lines:
            note = line.note
            if line.kind == "tool":
                # A search may show a hundred places; the page names all of them.
                note = name_some(note.split(", "))
            note = f"  [{note}]" if note else ""
            single_line = " ".join(line.text.split())
            text = shorten(single_line, _LONGEST_LINE)
            yield make_visible(f"  {line.kind:<9} {text}{note}")
