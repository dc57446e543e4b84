"""Spans in a file that a collector reads, and spans sent to a collector."""

import importlib
import json
import logging
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from goldwright.app.traces.run_spans import Attribute, Attributes, RunSpan, SpanEvent, SpanTrace
from goldwright.atomic_files import check_report, replace_report
from goldwright.canonical import canonical_json
from goldwright.errors import InputError, ProviderError

# Canonical JSON has sorted keys, and the only key on top is this one.
_HEAD: Final = b'{"resourceSpans":'
_SCOPE: Final = "goldwright"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# The collector's receiver takes lines of up to 1 MiB; a line holds whole spans.
_LONGEST_LINE: Final = 512 * 1024
# Spans of one request; the batches of OpenTelemetry's own processor have as many.
_BATCH: Final = 512
_EXTRA: Final = "pip install 'goldwright[otel]'"


def check_span_file(path: Path) -> None:
    """Make sure that the file can be written.

    Raises:
        InputError: The directory is missing, or something else stands there.
    """
    check_report(path, head=_HEAD)


def write_span_file(path: Path, trace: SpanTrace) -> None:
    """Write spans as OTLP in JSON Lines, over an earlier such file at most.

    Source: https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/

    Raises:
        InputError: Something else stands there, or it cannot be written.
    """
    lines = "".join(f"{line}\n" for line in _otlp_lines(trace))
    replace_report(path, lines.encode("ascii"), head=_HEAD)


def send_spans(endpoint: str, trace: SpanTrace) -> None:
    """Send spans to a collector by OTLP over HTTP, through the SDK of OpenTelemetry.

    The SDK takes headers, certificates and patience from its own variables, such as
    ``OTEL_EXPORTER_OTLP_HEADERS``.

    Raises:
        InputError: The extra ``otel`` is not installed.
        ProviderError: The collector cannot be reached, or refused them.
    """
    try:
        sdk = importlib.import_module("opentelemetry.sdk.trace")
        export = importlib.import_module("opentelemetry.sdk.trace.export")
        http = importlib.import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError as error:
        raise InputError(f"--otlp-endpoint: is not installed: {_EXTRA}") from error
    # What goes wrong is said once, by the error below.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    spans = list(_sdk_spans(sdk, trace))
    exporter = http.OTLPSpanExporter(endpoint=endpoint)
    try:
        for first in range(0, len(spans), _BATCH):
            batch = spans[first : first + _BATCH]
            result = exporter.export(batch)
            if result is not export.SpanExportResult.SUCCESS:
                raise ProviderError(
                    f"{endpoint}: cannot be reached, or refuses spans: it took {first} of "
                    f"{len(spans)}; sent again, they have the same ids"
                )
    finally:
        exporter.shutdown()


def _otlp_lines(trace: SpanTrace) -> Iterator[str]:
    resource = {"attributes": _otlp_attributes(trace.resource)}
    spans: list[str] = []
    length = 0
    for span in trace.spans:
        encoded = canonical_json(_otlp_span(trace.trace_id, span))
        if spans and length + len(encoded) > _LONGEST_LINE:
            yield _otlp_line(resource, spans)
            spans, length = [], 0
        spans.append(encoded)
        length += len(encoded)
    yield _otlp_line(resource, spans)


def _otlp_line(resource: object, encoded_spans: Sequence[str]) -> str:
    spans = [json.loads(encoded) for encoded in encoded_spans]
    scope_spans = [{"scope": {"name": _SCOPE}, "spans": spans}]
    return canonical_json({"resourceSpans": [{"resource": resource, "scopeSpans": scope_spans}]})


def _otlp_span(trace_id: str, span: RunSpan) -> dict[str, object]:
    events = [_otlp_event(event) for event in span.events]
    document: dict[str, object] = {
        "traceId": trace_id,
        "spanId": span.span_id,
        "name": span.name,
        # Numbers of the protocol: internal is 1 and client is 3; an error is 2.
        "kind": 3 if span.kind == "client" else 1,
        "startTimeUnixNano": str(_nanoseconds(span.start)),
        "endTimeUnixNano": str(_nanoseconds(span.end)),
        "attributes": _otlp_attributes(span.attributes),
        "events": events,
    }
    if span.parent_id:
        document["parentSpanId"] = span.parent_id
    if span.fault:
        document["status"] = {"code": 2, "message": span.fault}
    return document


def _otlp_event(event: SpanEvent) -> dict[str, object]:
    return {
        "name": event.name,
        "timeUnixNano": str(_nanoseconds(event.at)),
        "attributes": _otlp_attributes(event.attributes),
    }


def _otlp_attributes(attributes: Attributes) -> list[dict[str, object]]:
    return [{"key": name, "value": _otlp_value(value)} for name, value in attributes.items()]


def _otlp_value(value: Attribute) -> dict[str, object]:
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, int):
        # The JSON form of protobuf has integers of 64 bits as texts.
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    return {"arrayValue": {"values": [_otlp_value(member) for member in value]}}


def _sdk_spans(sdk: Any, trace: SpanTrace) -> Iterator[Any]:
    """Make spans of the SDK with the ids and times of ours, which no tracer would take."""
    api = importlib.import_module("opentelemetry.trace")
    resources = importlib.import_module("opentelemetry.sdk.resources")
    scopes = importlib.import_module("opentelemetry.sdk.util.instrumentation")
    resource = resources.Resource(dict(trace.resource))
    scope = scopes.InstrumentationScope(_SCOPE)
    kinds = {"client": api.SpanKind.CLIENT, "internal": api.SpanKind.INTERNAL}

    def context(span_id: str) -> Any:
        flags = api.TraceFlags(api.TraceFlags.SAMPLED)
        return api.SpanContext(int(trace.trace_id, 16), int(span_id, 16), False, flags)  # noqa: FBT003  # not remote

    for span in trace.spans:
        parent = None
        if span.parent_id:
            parent = context(span.parent_id)
        status = api.Status(api.StatusCode.UNSET)
        if span.fault:
            status = api.Status(api.StatusCode.ERROR, span.fault)
        events = [_sdk_event(sdk, event) for event in span.events]
        yield sdk.ReadableSpan(
            name=span.name,
            context=context(span.span_id),
            parent=parent,
            resource=resource,
            attributes=dict(span.attributes),
            events=events,
            kind=kinds[span.kind],
            status=status,
            start_time=_nanoseconds(span.start),
            end_time=_nanoseconds(span.end),
            instrumentation_scope=scope,
        )


def _nanoseconds(moment: datetime) -> int:
    """Count from the epoch, without the rounding of floats."""
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000


def _sdk_event(sdk: Any, event: SpanEvent) -> Any:
    return sdk.Event(event.name, dict(event.attributes), _nanoseconds(event.at))
