"""What came of a comparison with and without a tool: JSON, a table, sentences, a page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from goldwright.app.benefit.benefit import BenefitResult
from goldwright.atomic_files import replace_file, replace_report
from goldwright.benefit.findings import StratumFinding
from goldwright.benefit.surface import Handshake
from goldwright.benefit.trials import ScoredTrial
from goldwright.pages.benefit_page import MARK, benefit_page
from goldwright.records import Record
from goldwright.text import make_visible

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
    lift, saved = finding.success_lift, finding.net_tokens
    per_success = " → ".join(
        "none" if tokens is None else f"{tokens:.0f}" for tokens in finding.tokens_per_success
    )
    both = finding.net_tokens_both_succeeded
    return [
        finding.stratum,
        str(finding.tasks),
        f"{finding.success[0]:.2f} → {finding.success[1]:.2f}",
        f"{lift.mean:+.2f} {_span(lift.interval, '+.2f')}",
        f"{saved.mean:+.0f} {_span(saved.interval, '+.0f')}",
        f"{finding.tool_calls.mean:+.1f}",
        f"{finding.turns.mean:+.1f}",
        f"{finding.wall_clock_s.mean:+.2f}",
        per_success,
        "-" if both is None else f"{both:+.0f} ({finding.both_succeeded})",
        finding.verdict,
        finding.cost_verdict,
    ]


def _span(interval: tuple[float, float] | None, form: str) -> str:
    return "" if interval is None else f"[{interval[0]:{form}}, {interval[1]:{form}}]"


def benefit_notes(result: BenefitResult) -> Iterator[str]:
    """Say what the figures rest on."""
    if result.fault:
        yield f"not measured: {make_visible(result.fault)}"
    handshake = result.handshake
    if handshake is None:
        return
    tools = ", ".join(map(make_visible, handshake.tools))
    yield f"{handshake.name} {handshake.server}: {tools} ({handshake.tools_sha256[:12]})"
    trials = [trial for trial in result.trials if trial.arm == "with_tool"]
    called = sum(trial.tool_uptake > 0 for trial in trials)
    failed = sum(trial.tool_errors for trial in trials)
    yield f"the tool answered in {called} of {len(trials)} trials; {failed} calls of it failed"
    state = "competent" if result.is_native_competent else "no competent searcher"
    yield f"without it, an expected file was read in {result.native_reach:.0%} of trials: {state}"
    if result.unfinished:
        yield f"{result.unfinished} trials not finished by their provider; run it again for them"
    usd = sum(trial.usd for trial in result.trials)
    if usd:
        yield f"${usd:.2f} for all trials"
    yield (
        f"{len(result.trials)} trials, {result.made} of them made now; agent {result.agent}; "
        f"{result.left_out} queries without facts left out"
    )
