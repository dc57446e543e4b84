"""Traces in the hands of other programs: collectors of OpenTelemetry, and inspect_ai."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from goldwright.journal import CallLog
from journeys.conftest import Command
from journeys.live import KEYS, Live, report
from journeys.workplace import Workplace, write_manifest

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@dataclass
class Collector:
    """A collector on this machine: decodes what it is sent, by the protobuf of OTLP."""

    url: str = ""
    status: int = 200
    spans: list[Span] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def take(self, body: bytes) -> None:
        self.bodies.append(body)
        request = ExportTraceServiceRequest.FromString(body)
        for resource_spans in request.resource_spans:
            for scope_spans in resource_spans.scope_spans:
                self.spans += scope_spans.spans


@contextmanager
def collecting(status: int = 200) -> Iterator[Collector]:
    collector = Collector(status=status)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if collector.status == 200:
                collector.take(body)
            self.send_response(collector.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        collector.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
        yield collector
        server.shutdown()
        thread.join()


def attributes(span: Span) -> dict[str, Any]:
    values = {}
    for attribute in span.attributes:
        kind = attribute.value.WhichOneof("value")
        values[attribute.key] = getattr(attribute.value, str(kind))
    return values


def operation(span: Span) -> str:
    return str(span.name).partition(" ")[0]


@pytest.fixture
def finished_live(live: Live, finished_live_run: Path) -> Live:
    """A complete run that models played."""
    live.take(finished_live_run)
    return live


def rewrite_calls(run: Path, change: Any) -> None:
    """Write the calls of a run again, as a run would have them in which other things happened."""
    path = run / "calls.jsonl"
    manifest = json.loads((run / "run.json").read_text())
    with CallLog.open(path, manifest["run"], writable=False) as log:
        entries = [(entry.kind, dict(entry.body)) for entry in log.entries]
    path.unlink()
    with CallLog.open(path, manifest["run"], writable=True) as log:
        for kind, body in change(entries):
            log.append(kind, body)
    del manifest["seals"]["calls.jsonl"]
    write_manifest(run, manifest)


def test_a_collector_gets_the_spans_of_a_run_through_the_sdk(
    finished_live: Live, tmp_path: Path
) -> None:
    file = tmp_path / "spans.jsonl"
    with collecting() as collector:
        told = finished_live("trace", "--otlp", file, "--otlp-endpoint", collector.url)
    assert told.returncode == 0, told.stderr
    spans = {span.span_id: span for span in collector.spans}
    assert len(spans) == len(collector.spans)
    assert f"{len(spans)} spans sent to {collector.url}" in told.stderr
    assert len({span.trace_id for span in spans.values()}) == 1
    parents = {operation(span): set[str]() for span in spans.values()}
    for span in spans.values():
        parent = spans.get(span.parent_span_id)
        parents[operation(span)].add("" if parent is None else operation(parent))
        if parent is not None:
            assert parent.start_time_unix_nano <= span.start_time_unix_nano
            assert span.end_time_unix_nano <= parent.end_time_unix_nano
        assert span.start_time_unix_nano <= span.end_time_unix_nano
    assert parents == {
        "invoke_workflow": {""},
        "invoke_agent": {"invoke_workflow"},
        "turn": {"invoke_agent"},
        "chat": {"turn"},
        "execute_tool": {"turn"},
    }
    assert_sums_are_those_of_the_cost_report(finished_live, collector.spans)
    sent_at = [_nanoseconds(entry["at"]) for entry in entries(finished_live, "intent")]
    ended_at = [_nanoseconds(entry["at"]) for entry in entries(finished_live, "reply")]
    calls = [span for span in collector.spans if operation(span) == "chat"]
    assert sorted(span.start_time_unix_nano for span in calls) == sorted(sent_at)
    assert sorted(span.end_time_unix_nano for span in calls) == sorted(ended_at)
    in_file = [
        span
        for line in file.read_text().splitlines()
        for span in json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ]
    assert {row["spanId"]: row["name"] for row in in_file} == {
        span.span_id.hex(): span.name for span in spans.values()
    }
    starts = {row["spanId"]: int(row["startTimeUnixNano"]) for row in in_file}
    assert all(starts[key.hex()] == span.start_time_unix_nano for key, span in spans.items())


def entries(live: Live, kind: str) -> list[dict[str, Any]]:
    return [row for row in live.records("calls.jsonl") if row["t"] == kind]


def _nanoseconds(time: str) -> int:
    return round(datetime.fromisoformat(time).timestamp() * 1000) * 1_000_000


def assert_sums_are_those_of_the_cost_report(live: Live, spans: list[Span]) -> None:
    total = report(live("cost", "--json"))["total"]
    calls = [attributes(span) for span in spans if operation(span) == "chat"]
    for name, told in (
        ("gen_ai.usage.input_tokens", "input_tokens"),
        ("gen_ai.usage.output_tokens", "output_tokens"),
        ("gen_ai.usage.cache_read.input_tokens", "cached_tokens"),
        ("goldwright.usd", "usd"),
    ):
        assert sum(call.get(name, 0) for call in calls) == pytest.approx(total[told]), name
    answered = [call for call in calls if "error.type" not in call]
    assert len(answered) == total["calls"]


def test_spans_tell_who_worked_on_what_by_which_model_and_what_was_found(
    finished_live: Live,
) -> None:
    first = finished_live.records("00_candidates.jsonl")[0]["query_id"]
    with collecting() as collector:
        finished_live("trace", "latest", first, "--otlp-endpoint", collector.url)
    items = {attributes(span)["gen_ai.agent.name"]: span for span in collector.spans
             if operation(span) == "invoke_agent"}  # fmt: skip
    assert set(items) == {"oracle", "adversary", "completeness", "judge"}
    oracle = attributes(items["oracle"])
    assert oracle["gen_ai.operation.name"] == "invoke_agent"
    assert oracle["gen_ai.provider.name"] == "openai"
    assert oracle["goldwright.query_id"] == first
    assert attributes(items["judge"])["gen_ai.provider.name"] == "gcp.gemini"
    verdicts = {}
    for item in items.values():
        for event in item.events:
            assert event.name == "gen_ai.evaluation.result"
            facts = {fact.key: fact.value.string_value for fact in event.attributes}
            label = facts["gen_ai.evaluation.score.label"]
            verdicts[facts["gen_ai.evaluation.name"]] = label
    assert verdicts == {"gate": "pass", "answer": "supported", "narrative": "equivalent"}


def test_texts_go_along_when_asked_for_and_secrets_never(
    finished_live: Live,
) -> None:
    def plant(entries: list[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for kind, body in entries:
            if kind == "intent" and isinstance(body["sent"], list) and "said" in body["sent"][0]:
                body["sent"][0]["said"] += f" The key is {SECRET}."
            yield kind, body

    rewrite_calls(finished_live.run, plant)
    query = finished_live.records("00_candidates.jsonl")[0]["query_text"][:30].encode()
    with collecting() as without_texts:
        finished_live("trace", "--otlp-endpoint", without_texts.url)
    with collecting() as with_texts:
        finished_live("trace", "--otlp-endpoint", with_texts.url, "--with-content")
    folder = finished_live.workplace / "logs"
    folder.mkdir()
    assert finished_live("trace", "--inspect", folder).returncode == 0
    (log,) = folder.iterdir()
    sent = b"".join(without_texts.bodies)
    assert query not in sent
    assert b"<secret:" not in sent
    sent_with_texts = b"".join(with_texts.bodies)
    assert query in sent_with_texts
    assert b"<secret:" in sent_with_texts
    assert b"<secret:" in log.read_bytes()
    for data in (sent, sent_with_texts, log.read_bytes()):
        assert SECRET.encode() not in data
        assert not any(key.encode() in data for key in KEYS.values() if key.startswith("key"))


def test_attempts_of_a_turn_stand_beside_one_another_with_their_faults(
    finished_live: Live,
) -> None:
    def fail_once(
        entries: list[tuple[str, dict[str, Any]]],
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        item = next(
            body["item"] for kind, body in entries if body.get("item", "").startswith("oracle")
        )
        (last,) = [body for kind, body in entries if kind == "reply" and body["item"] == item][-1:]
        for kind, body in entries:
            if kind == "intent" and body["key"] == last["key"] and body["item"] == item:
                yield kind, body
                lost = {name: body[name] for name in ("item", "key", "at", "expected", "reserved")}
                cost = {"micro_usd": 7, "most_micro_usd": 9}
                yield "void", {**lost, **cost, "fault": "overloaded", "message": "busy"}
            yield kind, body
        # The run ended while this request was under way.
        begun = next(body for kind, body in entries if kind == "intent")
        yield "intent", {**begun, "at": entries[-2][1].get("at", begun["at"]), "key": "0" * 32}

    rewrite_calls(finished_live.run, fail_once)
    with collecting() as collector:
        finished_live("trace", "--otlp-endpoint", collector.url)
    failed = [span for span in collector.spans if span.status.code == 2]
    assert [span.status.message for span in failed] == ["interrupted", "overloaded"]
    overloaded = failed[1]
    beside = [span for span in collector.spans if span.parent_span_id == overloaded.parent_span_id]
    assert [operation(span) for span in beside][:2] == ["chat", "chat"]
    assert_sums_are_those_of_the_cost_report(finished_live, collector.spans)


def test_a_run_without_models_has_spans_of_its_tools(
    finished: Workplace, goldwright: Command, tmp_path: Path
) -> None:
    del finished
    path = tmp_path / "spans.jsonl"
    assert goldwright("trace", "--otlp", path).returncode == 0
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    spans = lines[0]["resourceSpans"][0]["scopeSpans"][0]["spans"]
    names = {span["name"].partition(" ")[0] for span in spans}
    assert names == {"invoke_workflow", "invoke_agent", "execute_tool"}
    first = path.read_bytes()
    assert goldwright("trace", "--otlp", path).returncode == 0
    assert path.read_bytes() == first


def test_a_log_of_inspect_ai_holds_the_records_their_turns_and_what_they_cost(
    finished_live: Live, tmp_path: Path
) -> None:
    told = finished_live("trace", "--inspect", tmp_path)
    assert told.returncode == 0, told.stderr
    (path,) = tmp_path.glob("*.json")
    log = json.loads(path.read_text())
    candidates = finished_live.records("00_candidates.jsonl")
    assert [sample["id"] for sample in log["samples"]] == [row["query_id"] for row in candidates]
    assert [sample["input"] for sample in log["samples"]] == [
        row["query_text"] for row in candidates
    ]
    total = report(finished_live("cost", "--json"))["total"]
    usages = log["stats"]["model_usage"].values()
    tokens = total["input_tokens"] + total["output_tokens"]
    assert sum(usage["total_tokens"] for usage in usages) == tokens
    assert sum(usage["total_cost"] for usage in usages) == pytest.approx(total["usd"])
    for sample in log["samples"]:
        called = {
            call["id"] for message in sample["messages"] for call in message.get("tool_calls", ())
        }
        answered = {
            message["tool_call_id"] for message in sample["messages"] if message["role"] == "tool"
        }
        assert answered
        assert answered <= called


def test_inspect_ai_opens_the_log(finished_live: Live, tmp_path: Path) -> None:
    # It pulls in packages that change how a provider's SDK works, so it is no part of the extras.
    inspect_log = pytest.importorskip("inspect_ai.log")
    finished_live("trace", "--inspect", tmp_path)
    (found,) = inspect_log.list_eval_logs(str(tmp_path))
    log = inspect_log.read_eval_log(found)
    assert (log.status, log.eval.task, found.task) == ("success", "small", "small")
    assert len(log.samples) == len(finished_live.records("00_candidates.jsonl"))
    roles = [message.metadata["role"] for message in log.samples[0].messages]
    assert list(dict.fromkeys(roles)) == ["oracle", "adversary", "completeness", "judge"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--with-content",), "--with-content: goes with --otlp or --otlp-endpoint"),
        (("--otlp-endpoint", "localhost:4318"), "is no address such as"),
        (("--otlp-endpoint", "http://me:key@127.0.0.1/"), "OTEL_EXPORTER_OTLP_HEADERS"),
        (("--inspect", "nowhere"), "nowhere: is no directory"),
        (("--otlp", "goldwright.toml"), "holds something else"),
    ],
)
def test_what_cannot_be_exported_is_said_in_a_line(
    finished: Workplace, goldwright: Command, arguments: tuple[str, ...], complaint: str
) -> None:
    (finished.root / "goldwright.toml").touch()
    (finished.root / "goldwright.toml").write_text("[run]\n")
    told = goldwright("trace", *arguments)
    assert told.returncode == 2
    assert complaint in told.stderr
    assert "me:key" not in told.stderr


def test_a_collector_that_refuses_ends_in_six(finished: Workplace, goldwright: Command) -> None:
    del finished
    with collecting(status=400) as collector:
        told = goldwright("trace", "--otlp-endpoint", collector.url)
    assert told.returncode == 6
    assert len(told.stderr.splitlines()) == 1
    assert "it took 0 of" in told.stderr
