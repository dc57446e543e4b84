"""What came of a comparison with and without a tool: JSON, a table, sentences, a page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from goldwright.app.benefit.benefit import BenefitResult
from goldwright.atomic_files import replace_file, replace_report
from goldwright.benefit.findings import PairedMean, StratumFinding
from goldwright.benefit.surface import Handshake
from goldwright.benefit.trials import ScoredTrial
from goldwright.pages.benefit_page import MARK, benefit_page
from goldwright.records import Record
from goldwright.text import counted, make_visible

RESULT_FILE: Final = "benefit_v1.0.json"
PAGE_FILE: Final = "benefit.html"


class BenefitReport(Record):
    """``benefit_v1.0.json``.

    Attributes:
        schema_version: The version of this form.
        measured: Whether the tool started, and answered a call.
        agent: Who tried.
        commit: The commit of the codebase.
        dataset: The dataset, with its digest.
        fault: Why nothing was measured; empty where something was.
        native_reach: Share of native trials that read a line of an expected file, in 0..1.
        left_out: Queries without facts, which no answer can be judged by.
        is_native_competent: Whether the arm without the tool is a searcher worth comparing with.
        handshake: What the tool said of itself; null where it did not start.
        strata: By stratum, then over all tasks.
        trials: Every trial, judged.
    """

    schema_version: Literal["1.0.0"]
    measured: bool
    agent: str
    commit: str
    dataset: str
    fault: str
    native_reach: float
    left_out: int
    is_native_competent: bool
    handshake: Handshake | None
    strata: tuple[StratumFinding, ...]
    trials: tuple[ScoredTrial, ...]


def write_benefit(result: BenefitResult, out: Path) -> None:
    """Write result and page, each whole or not at all."""
    text = json.dumps(benefit_fields(result), indent=2) + "\n"
    page = benefit_page(benefit_rows(result), benefit_notes(result))
    replace_report(out / PAGE_FILE, page, head=MARK)
    replace_file(out / RESULT_FILE, text.encode("ascii"))


def benefit_fields(result: BenefitResult) -> dict[str, object]:
    """Give the fields of ``benefit_v1.0.json``."""
    report = BenefitReport(
        schema_version="1.0.0",
        measured=not result.fault,
        agent=result.agent,
        commit=result.commit,
        dataset=result.dataset,
        fault=result.fault,
        native_reach=result.native_reach,
        left_out=result.left_out,
        is_native_competent=result.is_native_competent,
        handshake=result.handshake,
        strata=result.findings,
        trials=result.trials,
    )
    return report.model_dump(mode="json")


def benefit_rows(result: BenefitResult) -> list[list[str]]:
    """Lay the strata out as a table, headings first."""
    heading = ["stratum", "tasks", "success without → with", "lift [95 %]", "tokens saved [95 %]"]
    heading += ["calls", "turns", "seconds", "tokens/success", "both succeeded", "success", "cost"]
    return [heading, *(_row(finding) for finding in result.findings)]


def _row(finding: StratumFinding) -> list[str]:
    without_tool, with_tool = finding.success
    success = f"{without_tool:.2f} → {with_tool:.2f}"
    lift = _mean_text(finding.success_lift, "+.2f")
    saved = _mean_text(finding.net_tokens, "+.0f")
    calls = f"{finding.tool_calls.mean:+.1f}"
    turns = f"{finding.turns.mean:+.1f}"
    seconds = f"{finding.wall_clock_s.mean:+.2f}"
    tokens = finding.tokens_per_success
    per_success = ["none" if count is None else f"{count:.0f}" for count in tokens]
    tokens_text = "-"
    saved_by_both = finding.net_tokens_both_succeeded
    if saved_by_both is not None:
        tokens_text = f"{saved_by_both:+.0f} ({finding.both_succeeded})"
    per_success_text = " → ".join(per_success)
    effects = [success, lift, saved, calls, turns, seconds, per_success_text, tokens_text]
    verdicts = [finding.verdict, finding.cost_verdict]
    task_count = str(finding.tasks)
    return [finding.stratum, task_count, *effects, *verdicts]


def _mean_text(mean: PairedMean, form: str) -> str:
    """Write a mean with its interval, if it has one."""
    interval = ""
    if mean.interval is not None:
        low, high = mean.interval
        interval = f"[{low:{form}}, {high:{form}}]"
    return f"{mean.mean:{form}} {interval}"


def benefit_notes(result: BenefitResult) -> Iterator[str]:
    """Say what the figures rest on."""
    if result.fault:
        yield f"not measured: {make_visible(result.fault)}"
    handshake = result.handshake
    if handshake is None:
        return
    tools = ", ".join(map(make_visible, handshake.tools))
    short_digest = handshake.tools_sha256[:12]
    yield f"{handshake.name} {handshake.server}: {tools} ({short_digest})"
    trials = [trial for trial in result.trials if trial.arm == "with_tool"]
    called = sum(trial.tool_uptake > 0 for trial in trials)
    failed = sum(trial.tool_errors for trial in trials)
    yield f"the tool answered in {called} of {len(trials)} trials; {failed} calls of it failed"
    state = "competent" if result.is_native_competent else "no competent searcher"
    yield f"without it, an expected file was read in {result.native_reach:.0%} of trials: {state}"
    if result.unfinished:
        yield (
            f"{counted(result.unfinished, 'trial')} not finished by their provider; "
            "run it again for them"
        )
    usd = sum(trial.usd for trial in result.trials)
    if usd:
        yield f"${usd:.2f} for all trials"
    all_trials = counted(len(result.trials), "trial")
    left_out = counted(result.left_out, "query")
    yield (
        f"{all_trials}, {result.made} of them made now; agent {result.agent}; "
        f"{left_out} without facts left out"
    )
