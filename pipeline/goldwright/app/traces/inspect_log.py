"""A run as an evaluation log of inspect_ai, written without that package.

A sample is a record, its messages are the turns of all roles about it, and its scores are what
gate, Adversary and judge made of its answer. The format is version 2 of ``EvalLog``
(inspect_ai/log/_log.py, read with 0.3.285).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.app.traces.run_calls import Body, ModelCall, TraceItem, parse_time, work_items
from goldwright.atomic_files import check_report, replace_report
from goldwright.canonical import canonical_json
from goldwright.errors import InputError
from goldwright.llm.budget import MICRO
from goldwright.scanners.secrets import mask_in_value

# Canonical JSON is sorted, and no log has a key before this one.
_HEAD: Final = b'{"eval":{'
_NO_USAGE: Final = {"fresh": 0, "cached": 0, "cache_written": 0, "output": 0}


def check_inspect_directory(directory: Path) -> None:
    """Make sure that there is a directory to write to.

    Raises:
        InputError: There is none.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: is no directory; inspect_ai looks for logs in one")


def write_inspect_log(
    directory: Path, name: str, query_id: str | None, environment: Environment
) -> Path:
    """Write the log of a run, or of one of its records; secrets are masked.

    Returns:
        The file, which is named as inspect_ai names logs.

    Raises:
        InputError: There is no such run or record, or the file cannot be written.
        DamagedStateError: A file of the run is not what was written.
    """
    with run_for_reading(environment.workspace.find_run(name)) as run:
        candidates = run.stage_files.candidates.done
        if query_id is not None and query_id not in candidates:
            raise InputError(f"{query_id}: no record of {run.directory.name}")
        chosen = list(candidates) if query_id is None else [query_id]
        log = _log(run, chosen, work_items(run))
        manifest = run.manifest
    moment = parse_time(manifest.created_at).strftime("%Y-%m-%dT%H-%M-%S+00-00")
    record = (query_id or "").replace("_", "")
    task_id = _task_id(manifest.run)
    task = f"{manifest.plan.name}_{task_id}{record}"
    path = directory / f"{moment}_{task}.json"
    check_report(path, head=_HEAD)
    data = canonical_json(mask_in_value(log)).encode("ascii")
    replace_report(path, data, head=_HEAD)
    return path


def _task_id(run: str) -> str:
    # inspect_ai reads a name of a file up to the next dash.
    return run.replace("-", "")


def _log(run: OpenRun, chosen: Sequence[str], items: Sequence[TraceItem]) -> dict[str, object]:
    manifest = run.manifest
    begun = parse_time(manifest.created_at)
    ends = [item.end for item in items]
    ended = max([begun, *ends])
    names = {**manifest.roles, **manifest.models}
    model_roles = {role: {"model": model} for role, model in names.items()}
    repo_name = Path(manifest.repo).name
    dataset = {
        "name": repo_name,
        "location": manifest.repo,
        "samples": len(chosen),
        "sample_ids": list(chosen),
    }
    spec = {
        "eval_id": manifest.run,
        "run_id": manifest.run,
        "created": begun.isoformat(),
        "task": manifest.plan.name,
        "task_id": _task_id(manifest.run),
        "dataset": dataset,
        "model": names["oracle"],
        "model_roles": model_roles,
        "config": {},
        "packages": {"goldwright": manifest.goldwright_version},
        "metadata": {"commit": manifest.commit, "tree": manifest.tree},
    }
    record_fates = report_on(run).record_fates
    fates = {record.query_id: record.fate for record in record_fates}
    by_case: dict[str, list[TraceItem]] = {}
    for item in items:
        by_case.setdefault(item.case, []).append(item)
    samples = []
    for case in chosen:
        items_of_case = by_case.get(case, [])
        fate = fates.get(case, "")
        samples.append(_sample(run, case, items_of_case, fate))
    stats = {
        "started_at": begun.isoformat(),
        "completed_at": ended.isoformat(),
        **_usages(items),
    }
    status = "success" if manifest.state == "complete" else "started"
    return {"version": 2, "status": status, "eval": spec, "samples": samples, "stats": stats}


def _sample(
    run: OpenRun, query_id: str, items: Sequence[TraceItem], fate: str
) -> dict[str, object]:
    files = run.stage_files
    candidate = files.candidates.done[query_id]
    answer = files.answers.done.get(query_id)
    entities = () if answer is None else answer.expected_entities
    narrative = "" if answer is None else answer.canonical_narrative
    by = "" if answer is None else answer.authored_by
    final_message = {"role": "assistant", "content": narrative}
    choice = {"message": final_message, "stop_reason": "stop"}
    messages = [message for item in items for message in _messages(item)]
    times = [time for item in items for time in (item.start, item.end)]
    sample: dict[str, object] = {
        "id": query_id,
        "epoch": 1,
        "input": candidate.query_text,
        "target": [entity.entity_id for entity in entities],
        "messages": messages,
        "output": {"model": by, "choices": [choice]},
        "scores": dict(_scores(run, query_id, fate)),
        "metadata": {"cell": str(files.cell_of(query_id)), "fate": fate},
        **_usages(items),
    }
    if times:
        sample |= _sample_times(min(times), max(times))
    return sample


def _sample_times(start: datetime, end: datetime) -> dict[str, object]:
    duration = end - start
    return {
        "started_at": start.isoformat(),
        "completed_at": end.isoformat(),
        "total_time": duration.total_seconds(),
    }


def _scores(run: OpenRun, query_id: str, fate: str) -> Iterator[tuple[str, dict[str, object]]]:
    files = run.stage_files
    yield "fate", {"value": fate}
    if query_id in files.answers.done:
        failure = files.failures.done.get(query_id)
        failures = () if failure is None else failure.failures
        explanations = [f"{check.check}: {check.message}" for check in failures]
        text = "; ".join(explanations)
        outcome = "fail" if failures else "pass"
        yield "gate", {"value": outcome, "explanation": text}
    report = files.reports.done.get(query_id)
    if report is not None:
        explanation = "; ".join(report.blocking_issues) or report.findings
        yield "adversary", {"value": report.overall_verdict, "explanation": explanation}
    verdict = files.verdicts.done.get(query_id)
    if verdict is not None:
        yield "judge", {"value": verdict.verdict, "explanation": verdict.reason}


def _messages(item: TraceItem) -> Iterator[dict[str, object]]:
    metadata = {"role": item.role, "by": item.by}
    for turn in item.turns:
        for message in _turn_messages(item.role, turn.calls[-1]):
            yield {**message, "metadata": metadata}


def _turn_messages(role: str, call: ModelCall) -> Iterator[dict[str, object]]:
    # Ids of calls begin again with every work item, and a sample holds several of these.
    for call_id, name, text, _ in call.results.values():
        yield {
            "role": "tool",
            "content": text,
            "function": name,
            "tool_call_id": f"{role}-{call_id}",
        }
    sent_text = _said_text(call.intent.get("sent"))
    if sent_text:
        yield {"role": "user", "content": sent_text}
    if call.reply is None:
        return
    reply = call.reply
    message = {"role": "assistant", "content": reply["text"], "model": reply["model"]}
    uses = [_tool_call(role, use) for use in reply["tool_uses"]]
    yield {**message, "tool_calls": uses} if uses else message


def _tool_call(role: str, use: Body) -> dict[str, object]:
    call_id = f"{role}-{use['call_id']}"
    return {
        "id": call_id,
        "function": use["name"],
        "arguments": use["arguments"] or {},
        "type": "function",
    }


def _said_text(sent: object) -> str:
    """Give what the model was told; of turns that are too long to be kept, the entry's note."""
    if not isinstance(sent, list):
        return str(sent)
    texts = [turn.get("said") or turn.get("note") or "" for turn in sent]
    return "\n".join(texts).strip()


def _usages(items: Sequence[TraceItem]) -> dict[str, object]:
    """Add up tokens and costs by model and by role."""
    by_model: dict[str, Counter[str]] = {}
    by_role: dict[str, Counter[str]] = {}
    for item in items:
        for turn in item.turns:
            for call in turn.calls:
                usage = _usage(call)
                model = call.intent["model"]
                by_model.setdefault(model, Counter()).update(usage)
                by_role.setdefault(item.role, Counter()).update(usage)
    return {"model_usage": _in_dollars(by_model), "role_usage": _in_dollars(by_role)}


def _usage(call: ModelCall) -> dict[str, int]:
    usage: Body = _NO_USAGE
    if call.reply is not None:
        usage = call.reply["usage"]
    names = ("fresh", "cached", "cache_written", "output")
    total = sum(usage[name] for name in names)
    return {
        "input_tokens": usage["fresh"],
        "input_tokens_cache_read": usage["cached"],
        "input_tokens_cache_write": usage["cache_written"],
        "output_tokens": usage["output"],
        "total_tokens": total,
        "total_cost": call.micro_usd,
    }


def _in_dollars(usages: Mapping[str, Counter[str]]) -> dict[str, dict[str, float]]:
    return {
        name: {**usage, "total_cost": usage["total_cost"] / MICRO} for name, usage in usages.items()
    }
