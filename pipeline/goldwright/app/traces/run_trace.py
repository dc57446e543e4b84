"""The whole way of a record through a run: who worked on it, what they saw, asked and said."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.errors import InputError
from goldwright.journal import CallEntry
from goldwright.llm.spend import Spend, change_of_spend
from goldwright.records import AdversaryReport, QueryCandidate, WorkStamp
from goldwright.stages.drafting import author_items
from goldwright.text import counted, name_some

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One thing that happened within a step.

    Attributes:
        kind: ``tool``, ``sent``, ``said``, ``fault``, ``given up``, ``finding`` or ``result``.
        text: What it was; a text of any length and of any origin.
        note: What it came to: lines shown, tokens and cost; empty where there is nothing to say.
    """

    kind: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """What one role, or the gate, did with a record.

    Attributes:
        name: The role or check.
        by: Who played it; empty for what code does.
        summary: What it cost and how long it took; empty where nothing says.
        lines: What happened, in order.
    """

    name: str
    by: str
    summary: str
    lines: tuple[TraceLine, ...]


@dataclass(frozen=True, slots=True)
class RecordTrace:
    """The whole way of one record.

    Attributes:
        query_id: The record.
        cell: Its task type and difficulty.
        fate: Where it stands.
        query_text: Its question.
        steps: What was done with it, in the order of the stages.
        spend: What the calls about it came to, without its Author's.
    """

    query_id: str
    cell: str
    fate: str
    query_text: str
    steps: tuple[TraceStep, ...]
    spend: Spend


@dataclass(frozen=True, slots=True)
class RunTrace:
    """The ways of some records of a run.

    Attributes:
        name: The run.
        records: The records.
    """

    name: str
    records: tuple[RecordTrace, ...]


def trace_run(name: str, query_id: str | None, environment: Environment) -> RunTrace:
    """Follow one record of a run, or all of them.

    Raises:
        InputError: There is no such run or record.
        DamagedStateError: A file of the run is not what was written.
    """
    directory = environment.workspace.find_run(name)
    with run_for_reading(directory) as run:
        candidates = run.stage_files.candidates.done
        if query_id is not None and query_id not in candidates:
            id_list = name_some(list(candidates))
            raise InputError(f"{query_id}: no record of {directory.name}; it has {id_list}")
        chosen = list(candidates) if query_id is None else [query_id]
        record_fates = report_on(run).record_fates
        fates = {record.query_id: record.fate for record in record_fates}
        entries = _entries_by_item(run)
        drafting = _Drafting(author_items(run.transcript), entries)
        traces: list[RecordTrace] = []
        for chosen_id in chosen:
            candidate = candidates[chosen_id]
            author_lines = _author_lines(candidate)
            author = _role_step("author", candidate, author_lines, drafting.lines_of(candidate))
            steps = (author, *_later_steps(run, chosen_id, entries))
            cell = f"{candidate.task_type}/{candidate.difficulty}"
            trace = RecordTrace(
                query_id=chosen_id,
                cell=cell,
                fate=fates.get(chosen_id, ""),
                query_text=candidate.query_text,
                steps=steps,
                spend=_spend_on(chosen_id, entries),
            )
            traces.append(trace)
    return RunTrace(directory.name, tuple(traces))


_Entries = Mapping[str, Sequence[CallEntry]]
"""The entries about each work item, in order."""


def _entries_by_item(run: OpenRun) -> _Entries:
    entries: dict[str, list[CallEntry]] = {}
    for entry in run.calls.entries:
        item = entry.body.get("item")
        if isinstance(item, str):
            entries.setdefault(item, []).append(entry)
    return entries


def _spend_on(query_id: str, entries: _Entries) -> Spend:
    spend = Spend()
    for item, of_item in entries.items():
        if item.partition(":")[2] != query_id:
            continue
        for entry in of_item:
            if entry.kind in {"intent", "reply", "void"}:
                spend.add(change_of_spend(entry.kind, entry.body))
    return spend


@dataclass
class _Drafting:
    """The conversations in which candidates were drafted; each is told once.

    Attributes:
        items: The work item of each draft, by the id of the draft.
        entries: The entries about each work item.
    """

    items: Mapping[str, str]
    entries: _Entries
    _told_with: dict[str, str] = field(default_factory=dict)

    def lines_of(self, candidate: QueryCandidate) -> Sequence[TraceLine]:
        """Tell the conversation, or with which record it was told; nothing where there is none."""
        item = self.items.get(candidate.query_id, "")
        if item not in self.entries:
            return ()
        told_with = self._told_with.setdefault(item, candidate.query_id)
        if told_with != candidate.query_id:
            return (
                TraceLine("sent", f"in one conversation with {told_with}, which tells it", item),
            )
        return tuple(_call_lines(self.entries[item]))


def _later_steps(run: OpenRun, query_id: str, entries: _Entries) -> Iterator[TraceStep]:
    files = run.stage_files
    answer = files.answers.done.get(query_id)
    if answer is not None:
        results = [TraceLine("result", f"confidence {answer.confidence}")]
        if answer.uncertainty_notes:
            results.append(TraceLine("result", answer.uncertainty_notes))
        calls = _calls_on("oracle", query_id, entries)
        yield _role_step("oracle", answer, results, calls)
    yield from _gate_steps(run, query_id)
    report = files.reports.done.get(query_id)
    if report is not None:
        calls = _calls_on("adversary", query_id, entries)
        results = list(_report_lines(report))
        yield _role_step("adversary", report, results, calls)
    pool = files.completeness.done.get(query_id)
    if pool is not None:
        results = []
        for entity in pool.pooled:
            text = f"{entity.entity_id}: {entity.verdict}: {entity.reason}"
            sources = ", ".join(entity.sources)
            results.append(TraceLine("result", text, sources))
        calls = _calls_on("completeness", query_id, entries)
        yield _role_step("completeness", pool, results, calls)
    judged = files.verdicts.done.get(query_id)
    if judged is not None:
        text = f"{judged.verdict}: {judged.reason}"
        results = [TraceLine("result", text)]
        calls = _calls_on("judge", query_id, entries)
        yield _role_step("judge", judged, results, calls)
    yield from _outcome_steps(run, query_id)


def _calls_on(role: str, query_id: str, entries: _Entries) -> tuple[TraceLine, ...]:
    """Return the lines of the calls by which a role worked on a record."""
    item = f"{role}:{query_id}"
    return tuple(_call_lines(entries.get(item, ())))


def _author_lines(candidate: QueryCandidate) -> list[TraceLine]:
    """What the Author gave."""
    targets = ", ".join(candidate.target_entity_ids)
    lines = [TraceLine("result", f"targets {targets}")]
    if candidate.intent is not None:
        intent = candidate.intent
        settles = "; ".join(intent.settles)
        cited_lines = intent.lines
        place = f"{cited_lines.file}:{cited_lines.start}-{cited_lines.end}"
        question = f"asks by {intent.kind} about {intent.subject}"
        lines.append(TraceLine("result", question, place))
        lines.append(TraceLine("result", f"to settle: {settles}"))
    if candidate.parent is not None:
        lines.append(TraceLine("result", f"a new attempt at {candidate.parent}"))
    if candidate.hint:
        lines.append(TraceLine("result", f"with the hint: {candidate.hint}"))
    return lines


def _report_lines(report: AdversaryReport) -> Iterator[TraceLine]:
    """The verdict on the whole answer, and all that speaks against it."""
    yield TraceLine("result", f"the answer as a whole: {report.overall_verdict}")
    for verdict in report.claim_verdicts:
        if verdict.verdict != "supported":
            text = f"{verdict.claim_id} {verdict.verdict}: {verdict.claim}"
            yield TraceLine("finding", text, verdict.note or "")
    for issue in report.blocking_issues:
        yield TraceLine("finding", issue)
    for name in report.missed_entities:
        yield TraceLine("finding", f"missed {name}")


def _gate_steps(run: OpenRun, query_id: str) -> Iterator[TraceStep]:
    failure = run.stage_files.failures.done.get(query_id)
    if failure is not None:
        lines = []
        for check in failure.failures:
            text = f"{check.check}: {check.claim}: {check.message}"
            lines.append(TraceLine("finding", text))
        yield TraceStep("gate", "", "stopped here", tuple(lines))
    elif query_id in run.stage_files.reports.done:
        yield TraceStep("gate", "", "passed", ())


def _outcome_steps(run: OpenRun, query_id: str) -> Iterator[TraceStep]:
    queued = run.stage_files.queue.done.get(query_id)
    if queued is not None:
        lines = [TraceLine("finding", reason) for reason in queued.reasons]
        yield TraceStep("queue", "", "waits for a person", tuple(lines))
    rejected = run.stage_files.rejected.done.get(query_id)
    if rejected is not None:
        text = f"{rejected.reason}: {rejected.message}"
        line = TraceLine("finding", text)
        yield TraceStep("rejected", "", "", (line,))


def _role_step(
    name: str, stamp: WorkStamp, results: Sequence[TraceLine], calls: Sequence[TraceLine]
) -> TraceStep:
    turns = counted(stamp.turns, "turn")
    tools = counted(stamp.tool_calls, "tool")
    seconds = f"{stamp.wall_clock_s:g} s"
    summary = [seconds, turns, tools]
    if stamp.total_tokens:
        tokens = counted(stamp.total_tokens, "token")
        summary += [tokens, f"${stamp.usd:.4f}"]
    note = ", ".join(summary)
    lines = (*calls, *results)
    return TraceStep(name, stamp.authored_by, note, lines)


def _call_lines(entries: Sequence[CallEntry]) -> Iterator[TraceLine]:
    """What was sent and said, call by call, and the tools with what they showed."""
    if all(entry.kind == "tools" for entry in entries):
        # Embedded agents write theirs at once: what comes before the last was done again since.
        entries = entries[-1:]
    for entry in entries:
        body: Mapping[str, Any] = entry.body
        match entry.kind:
            case "intent":
                receiver = body.get("model", "")
                sent_text = _sent_text(body.get("sent"))
                yield TraceLine("sent", sent_text, f"to {receiver}")
            case "reply":
                yield _reply_line(body)
            case "void":
                fault = body.get("fault")
                message = body.get("message")
                yield TraceLine("fault", f"{fault}: {message}")
            case "quarantine":
                yield TraceLine("given up", str(body.get("why")))
            case "tools":
                yield from _tool_lines(body)


def _sent_text(sent: object) -> str:
    """Write the turns that a model had not seen: what it was told, and what its tools gave."""
    if not isinstance(sent, list):
        # Of turns that are too long to be kept, the entry says their length alone.
        return _text_of(sent)
    parts: list[str] = []
    for turn in sent:
        if not isinstance(turn, dict):
            parts.append(_text_of(turn))
            continue
        told_texts = (turn.get("said"), turn.get("note"))
        parts += [str(text) for text in told_texts if text]
        for shown_item in turn.get("shown", []):
            # The call, the tool, what it gave, and whether that was cut.
            has_text = len(shown_item) > 2
            parts.append(str(shown_item[2]) if has_text else _text_of(shown_item))
    return "\n".join(parts) or _text_of(sent)


def _reply_line(body: Mapping[str, Any]) -> TraceLine:
    reply = body["reply"]
    texts = [reply["text"]] if reply["text"] else []
    for use in reply["tool_uses"]:
        if isinstance(use, dict):
            arguments = _text_of(use.get("arguments"))
            name = use.get("name")
            texts.append(f"{name}({arguments})")
    usage = reply["usage"]
    tokens_in = usage["fresh"] + usage["cached"] + usage["cache_written"]
    usd = body["micro_usd"] / _MILLION
    tokens_out = usage["output"]
    note = f"{tokens_in:,} tokens in, {tokens_out:,} out, ${usd:.6f}"
    model = reply["model"]
    said_text = "\n".join(texts)
    return TraceLine("said", said_text, f"{model}: {note}")


def _tool_lines(body: Mapping[str, Any]) -> Iterator[TraceLine]:
    for call in body["calls"]:
        places = [f"{file}:{first}-{last}" for file, first, last in call["shown"]]
        tool = call["tool"]
        arguments = _text_of(call["arguments"])
        text = f"{tool}({arguments})"
        yield TraceLine("tool", text, ", ".join(places))
    for flag in body.get("flags", []):
        yield TraceLine("finding", f"text that addresses models: {flag}")
    for note in body.get("notes", []):
        yield TraceLine("finding", str(note))


def _text_of(value: object) -> str:
    """Write what an entry holds as text; JSON for anything that is none."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
