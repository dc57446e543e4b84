"""Traces for other programs: OpenTelemetry in a file or at a collector, and logs of inspect_ai."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from goldwright.app.environment import Environment
from goldwright.app.traces.inspect_log import check_inspect_directory, write_inspect_log
from goldwright.app.traces.run_spans import trace_spans
from goldwright.app.traces.span_outputs import check_span_file, send_spans, write_span_file
from goldwright.errors import InputError
from goldwright.text import counted


@dataclass(frozen=True, slots=True)
class TraceExport:
    """What is exported of a run, and where to.

    Attributes:
        run: The run.
        query_id: One record of it; None for all of it.
        otlp: The file for spans.
        endpoint: The address of a collector.
        inspect_directory: The directory for a log of inspect_ai.
        with_content: Whether spans hold texts; a log of inspect_ai always does.
    """

    run: str
    query_id: str | None
    otlp: Path | None = None
    endpoint: str | None = None
    inspect_directory: Path | None = None
    with_content: bool = field(default=False, kw_only=True)

    @property
    def has_spans(self) -> bool:
        """Whether spans are wanted anywhere."""
        return self.otlp is not None or self.endpoint is not None

    def check(self) -> None:
        """Make sure, before anything is read or sent, that everything can be written.

        Raises:
            InputError: Something stands in the way, or the address is none.
        """
        if self.otlp is not None:
            check_span_file(self.otlp)
        if self.inspect_directory is not None:
            check_inspect_directory(self.inspect_directory)
        if self.endpoint is not None:
            _check_endpoint(self.endpoint)
        if self.with_content and not self.has_spans:
            raise InputError("--with-content: goes with --otlp or --otlp-endpoint")

    def write(self, environment: Environment) -> Iterator[str]:
        """Export, and say in a line each what went where.

        Raises:
            InputError: There is no such run or record, a file cannot be written, or the extra
                ``otel`` is not installed.
            ProviderError: The collector cannot be reached, or refused spans.
            DamagedStateError: A file of the run is not what was written.
        """
        if self.has_spans:
            trace = trace_spans(
                self.run, self.query_id, environment, with_content=self.with_content
            )
            spans = counted(len(trace.spans), "span")
            if self.otlp is not None:
                write_span_file(self.otlp, trace)
                yield f"{spans} in {self.otlp}, trace {trace.trace_id}"
            if self.endpoint is not None:
                send_spans(self.endpoint, trace)
                yield f"{spans} sent to {self.endpoint}, trace {trace.trace_id}"
        if self.inspect_directory is not None:
            path = write_inspect_log(self.inspect_directory, self.run, self.query_id, environment)
            yield f"log of inspect_ai in {path}"


def _check_endpoint(endpoint: str) -> None:
    scheme, _, address = endpoint.partition("://")
    if scheme not in {"http", "https"} or not address.strip("/"):
        raise InputError(
            f"--otlp-endpoint: {endpoint} is no address such as http://127.0.0.1:4318/v1/traces"
        )
    if "@" in address.partition("/")[0]:
        # An address is printed, and stays in the history of a shell.
        raise InputError(
            "--otlp-endpoint: holds a user or a key; these belong in OTEL_EXPORTER_OTLP_HEADERS"
        )
