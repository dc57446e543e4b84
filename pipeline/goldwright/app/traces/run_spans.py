"""A run as spans, by the semantic conventions of OpenTelemetry for generative AI.

Run > work item > turn > calls and tools. Names of attributes:
https://github.com/open-telemetry/semantic-conventions-genai (in development; v0.1.0).
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, TypeAlias

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.app.traces.run_calls import (
    Body,
    ModelCall,
    ModelTurn,
    TraceItem,
    parse_time,
    work_items,
)
from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.llm.budget import MICRO
from goldwright.records import AdversaryReport, NarrativeVerdict
from goldwright.scanners.secrets import mask_in_value, mask_secrets

Attribute = str | int | float | Sequence[str]
Attributes = Mapping[str, Attribute]
_GrowingAttributes: TypeAlias = dict[str, Attribute]

_PROVIDERS: Final = {"google": "gcp.gemini"}
"""Where the conventions call a provider otherwise than the settings do."""
_EVALUATION: Final = "gen_ai.evaluation.result"


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that was found at one moment.

    Attributes:
        name: What kind of event it is.
        at: When.
        attributes: The facts.
    """

    name: str
    at: datetime
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class RunSpan:
    """One span.

    Attributes:
        span_id: 16 hexadecimal digits.
        parent_id: That of the span around it; empty for the run.
        name: What it is called.
        kind: ``client`` for a call to a model, else ``internal``.
        start: When it began.
        end: When it ended.
        attributes: The facts.
        events: What was found in it.
        fault: Why it failed; empty where it did not.
    """

    span_id: str
    parent_id: str
    name: str
    kind: Literal["internal", "client"]
    start: datetime
    end: datetime
    attributes: Attributes
    events: tuple[SpanEvent, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class SpanTrace:
    """The spans of a run, each after the one around it.

    Attributes:
        trace_id: 32 hexadecimal digits, the same whenever the run is exported.
        resource: What all of them come from.
        spans: The spans.
    """

    trace_id: str
    resource: Attributes
    spans: tuple[RunSpan, ...]


def trace_spans(
    name: str, query_id: str | None, environment: Environment, *, with_content: bool
) -> SpanTrace:
    """Give the spans of a run, or of the work on one of its records.

    Args:
        name: The run.
        query_id: The record; None for all of the run.
        environment: Where the run is.
        with_content: Whether prompts, answers, arguments and results go along, secrets masked.

    Raises:
        InputError: There is no such run or record.
        DamagedStateError: A file of the run is not what was written.
    """
    directory = environment.workspace.find_run(name)
    with run_for_reading(directory) as run:
        if query_id is not None and query_id not in run.stage_files.candidates.done:
            raise InputError(f"{query_id}: no record of {directory.name}")
        writer = _SpanWriter(run, with_content=with_content)
        spans = tuple(writer.spans(query_id))
    manifest = run.manifest
    resource = {"service.name": "goldwright", "service.version": manifest.goldwright_version}
    return SpanTrace(writer.trace_id, resource, spans)


@dataclass
class _SpanWriter:
    """Writes the spans of one run."""

    run: OpenRun
    with_content: bool = field(kw_only=True)

    @property
    def trace_id(self) -> str:
        return self._digest("")[:32]

    def spans(self, query_id: str | None) -> Iterator[RunSpan]:
        manifest = self.run.manifest
        items = [item for item in work_items(self.run) if query_id in {None, item.case}]
        begun = parse_time(manifest.created_at)
        starts = [begun, *(item.start for item in items)]
        ends = [begun, *(item.end for item in items)]
        attributes: Attributes = {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.agent.name": manifest.plan.name,
            "goldwright.run": manifest.run,
            "goldwright.commit": manifest.commit,
        }
        name = f"invoke_workflow {manifest.plan.name}"
        root = RunSpan(
            span_id=self._span_id("run"),
            parent_id="",
            name=name,
            kind="internal",
            start=min(starts),
            end=max(ends),
            attributes=attributes,
        )
        yield root
        record_fates = report_on(self.run).record_fates
        fates = {record.query_id: record.fate for record in record_fates}
        for item in items:
            fate = fates.get(item.case, "")
            yield from self._item_spans(item, root.span_id, fate)

    def _item_spans(self, item: TraceItem, run_id: str, fate: str) -> Iterator[RunSpan]:
        span_id = self._span_id(item.name)
        conversation_id = f"{self.run.manifest.run}/{item.name}"
        attributes: _GrowingAttributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": item.role,
            "gen_ai.conversation.id": conversation_id,
            "gen_ai.provider.name": self._provider(item),
            "goldwright.item": item.name,
        }
        if item.by:
            attributes["goldwright.played_by"] = item.by
        stage_files = self.run.stage_files
        if item.case in stage_files.candidates.done:
            attributes["goldwright.query_id"] = item.case
            attributes["goldwright.cell"] = str(stage_files.cell_of(item.case))
            attributes["goldwright.fate"] = fate
        name = f"invoke_agent {item.role}"
        events = tuple(self._verdicts(item))
        yield RunSpan(span_id, run_id, name, "internal", item.start, item.end, attributes, events)
        for number, turn in enumerate(item.turns, start=1):
            yield from self._turn_spans(item, number, turn)
        for number, tool in enumerate(item.tools, start=1):
            tool_id = self._span_id(f"{item.name}/tool {number}")
            title = f"execute_tool {tool['tool']}"
            arguments = self._tool_attributes(tool["tool"], tool["arguments"])
            yield RunSpan(tool_id, span_id, title, "internal", item.start, item.end, arguments)

    def _turn_spans(self, item: TraceItem, number: int, turn: ModelTurn) -> Iterator[RunSpan]:
        place = f"{item.name}/{number}"
        turn_id = self._span_id(place)
        item_id = self._span_id(item.name)
        attributes: Attributes = {"goldwright.item": item.name, "goldwright.turn": number}
        yield RunSpan(
            turn_id,
            item_id,
            f"turn {number}",
            "internal",
            turn.start,
            turn.end,
            attributes,
        )
        for attempt, call in enumerate(turn.calls, start=1):
            call_id = self._span_id(f"{place}/call {attempt}")
            title = f"chat {call.intent['model']}"
            call_attributes = self._call_attributes(item, call)
            yield RunSpan(
                call_id,
                turn_id,
                title,
                "client",
                call.start,
                call.end,
                call_attributes,
                fault=call.fault or "",
            )
        yield from self._tool_spans(place, turn)

    def _tool_spans(self, place: str, turn: ModelTurn) -> Iterator[RunSpan]:
        if turn.reply is None:
            return
        turn_id = self._span_id(place)
        for number, use in enumerate(turn.reply["tool_uses"], start=1):
            result = turn.results.get(use["call_id"])
            attributes = self._tool_attributes(use["name"], use["arguments"])
            attributes["gen_ai.tool.call.id"] = use["call_id"]
            fault = ""
            if result is not None:
                if self.with_content:
                    attributes["gen_ai.tool.call.result"] = mask_secrets(result[2])
                fault = "tool_error" if result[3] else ""
            tool_id = self._span_id(f"{place}/tool {number}")
            title = f"execute_tool {use['name']}"
            yield RunSpan(
                tool_id,
                turn_id,
                title,
                "internal",
                # Tools run between a reply and the next request; no entry tells them apart.
                turn.calls[-1].end,
                turn.end,
                attributes,
                fault=fault,
            )

    def _call_attributes(self, item: TraceItem, call: ModelCall) -> Attributes:
        usd = call.micro_usd / MICRO
        attributes: _GrowingAttributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": self._provider(item),
            "gen_ai.request.model": call.intent["model"],
            "goldwright.usd": usd,
        }
        if self.with_content:
            attributes["gen_ai.input.messages"] = _masked_json(_input_messages(call))
        if call.reply is None:
            attributes["error.type"] = call.fault or ""
            return attributes
        reply = call.reply
        usage = reply["usage"]
        cached, written_tokens = usage["cached"], usage["cache_written"]
        attributes["gen_ai.response.model"] = reply["model"]
        attributes["gen_ai.response.finish_reasons"] = [reply["stop_reason"]]
        attributes["gen_ai.usage.input_tokens"] = usage["fresh"] + cached + written_tokens
        attributes["gen_ai.usage.output_tokens"] = usage["output"]
        attributes["gen_ai.usage.cache_read.input_tokens"] = cached
        attributes["gen_ai.usage.cache_creation.input_tokens"] = written_tokens
        if self.with_content:
            attributes["gen_ai.output.messages"] = _masked_json([_output_message(reply)])
        return attributes

    def _tool_attributes(self, name: str, arguments: object) -> dict[str, Attribute]:
        attributes: dict[str, Attribute] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
        }
        if self.with_content:
            attributes["gen_ai.tool.call.arguments"] = _masked_json(arguments)
        return attributes

    def _verdicts(self, item: TraceItem) -> Iterator[SpanEvent]:
        """Give the verdict that came of an item; an answer has that of the gate."""
        record = item.record
        if isinstance(record, AdversaryReport):
            explanation = "; ".join(record.blocking_issues)
            yield self._verdict(item, "answer", record.overall_verdict, explanation)
        elif isinstance(record, NarrativeVerdict):
            yield self._verdict(item, "narrative", record.verdict, record.reason)
        elif item.role == "oracle" and record is not None:
            failure = self.run.stage_files.failures.done.get(item.case)
            if failure is None:
                yield self._verdict(item, "gate", "pass", "")
                return
            for check in failure.failures:
                subject = f"gate {check.check}"
                yield self._verdict(item, subject, "fail", check.message)

    def _verdict(self, item: TraceItem, name: str, label: str, explanation: str) -> SpanEvent:
        attributes: dict[str, Attribute] = {
            "gen_ai.evaluation.name": name,
            "gen_ai.evaluation.score.label": label,
        }
        if explanation and self.with_content:
            attributes["gen_ai.evaluation.explanation"] = mask_secrets(explanation)
        return SpanEvent(_EVALUATION, item.end, attributes)

    def _provider(self, item: TraceItem) -> str:
        model_name: str | None = item.case
        if item.role != "preflight":
            model_name = self.run.manifest.models.get(item.role)
        if model_name is None:
            return "goldwright"
        provider = model_name.partition(":")[0]
        return _PROVIDERS.get(provider, provider)

    def _span_id(self, place: str) -> str:
        return self._digest(place)[:16]

    def _digest(self, place: str) -> str:
        manifest = self.run.manifest
        text = f"{manifest.run}\n{manifest.created_at}\n{place}"
        return hashlib.sha256(text.encode()).hexdigest()


def _input_messages(call: ModelCall) -> list[object]:
    """Give the messages that the model had not seen, as the conventions write them."""
    sent = call.intent.get("sent")
    if not isinstance(sent, list):
        return [_text_message("user", str(sent))]
    messages: list[object] = []
    for turn in sent:
        parts = list(map(_tool_response, turn.get("shown", ())))
        if parts:
            messages.append({"role": "tool", "parts": parts})
        text = turn.get("said") or turn.get("note")
        if text:
            messages.append(_text_message("user", text))
    return messages


def _tool_response(row: Sequence[str]) -> object:
    return {"type": "tool_call_response", "id": row[0], "response": row[2]}


def _output_message(reply: Body) -> object:
    parts: list[object] = []
    if reply["text"]:
        parts.append({"type": "text", "content": reply["text"]})
    for use in reply["tool_uses"]:
        name, arguments = use["name"], use["arguments"]
        parts.append(
            {"type": "tool_call", "id": use["call_id"], "name": name, "arguments": arguments}
        )
    return {"role": "assistant", "parts": parts, "finish_reason": reply["stop_reason"]}


def _text_message(role: str, text: str) -> object:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _masked_json(value: object) -> str:
    # Keys of several lines are found in texts as they are, names with their values in the JSON.
    return mask_secrets(canonical_json(mask_in_value(value)))
