"""The page that a trace is written to."""

from dataclasses import asdict
from pathlib import Path

from goldwright.app.traces.run_trace import RunTrace
from goldwright.atomic_files import check_report, replace_report
from goldwright.llm.budget import dollars
from goldwright.pages.trace_page import MARK, trace_page


def check_trace_page(path: Path) -> None:
    """Make sure that the page can be written.

    Raises:
        InputError: The directory is missing, or something else stands there.
    """
    check_report(path, head=MARK)


def write_trace_page(path: Path, trace: RunTrace) -> None:
    """Write the page, over an earlier one at most.

    Raises:
        InputError: Something else stands there, or it cannot be written.
    """
    records: list[dict[str, object]] = []
    for record in trace.records:
        row = asdict(record)
        spend = record.spend
        row["cost"] = dollars(spend.micro_usd) if spend.calls else ""
        records.append(row)
    replace_report(path, trace_page(trace.name, records), head=MARK)
