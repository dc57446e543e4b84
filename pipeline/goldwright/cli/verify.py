"""``goldwright verify``: a finished dataset or a run against a codebase, whoever made it."""

import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final, NotRequired, TypedDict

import click

from goldwright.app.datasets.verify import Verification, VerifyRequest, verify_dataset
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.audit_text import finding_lines, measurement_lines
from goldwright.cli.gate_exit_code import gate_exit_code
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.settings_command import SettingsCommand
from goldwright.golden.datasets import OWN_FORMAT
from goldwright.golden.foreign import Defect
from goldwright.golden.ledger_replay import Replay
from goldwright.golden.verification import RecordFindings
from goldwright.records import TrustFigure
from goldwright.text import counted, make_visible
from goldwright.trust_card.card import TrustCard
from goldwright.trust_card.figure_records import figure_records
from goldwright.trust_card.presentation import table_lines

# Of the records that a figure holds against the dataset, so many stand in its JSON.
_MOST_EXAMPLES: Final = 20


class _FindingRow(TypedDict):
    """A record with a finding, as a line of JSON; the number is that of a record without an id."""

    query_id: str
    record: NotRequired[int]
    failures: list[dict[str, str]]


@click.command("verify", cls=SettingsCommand)
@options.dataset_argument
@options.repo
@options.rev
@click.option("--allow-drift", is_flag=True, help="Do not mind that cited files changed since.")
@options.allow_dirty
@click.option(
    "--card",
    "wants_card",
    is_flag=True,
    help="Print the trust card, too: figures that need no person.",
)
@click.option(
    "--require-card",
    "requires_card",
    is_flag=True,
    help="Exit with 1 where a figure of the trust card surely misses what is wanted.",
)
@click.option(
    "--allowed-signers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Ask that each reviewer signed all they said with an SSH key of this file.",
)
@options.as_json
def command(
    dataset: str,
    repo: Path,
    rev: str | None,
    allowed_signers: Path | None,
    *,
    allow_drift: bool,
    allow_dirty: bool,
    wants_card: bool,
    requires_card: bool,
    as_json: bool,
) -> int:
    """Check DATASET, a file, a version in golden/ (or latest), or a run.

    Ours: the gate on every record, and the hashes of the files it cites. Anybody's, in any format
    that eval takes: an audit that shows how many records each defect hits. Either way tiers are
    measured by BM25, and leaks and overlaps by both readings of their rules. Prints one JSON line
    for each record with a finding, in a terminal a line for each check. Exits with 1 when the gate
    stops a record of ours, when a file is another, or when anything is found in a list of others.
    """
    request = VerifyRequest(
        dataset,
        repo,
        rev,
        allow_drift,
        allow_dirty,
        card=wants_card or requires_card,
        allowed_signers=allowed_signers,
    )
    verification = verify_dataset(request, current_environment())
    if as_json:
        print_json(_as_json(verification))
    else:
        _print_findings(verification)
        # Apart from the findings, so that stdout is JSON Lines alone.
        print_lines(_summary_lines(verification), to_stderr=True)
        print_lines(_card_lines(verification))
        print_lines(_next_lines(verification, request), to_stderr=True)
    passes = verification.is_sound
    if requires_card and verification.misses_figures:
        passes = False
    return gate_exit_code(passes=passes)


def _print_findings(verification: Verification) -> None:
    is_for_people = sys.stdout is not None and sys.stdout.isatty()
    for row in _finding_rows(verification):
        if is_for_people:
            print_lines(finding_lines(row["query_id"], row["failures"]))
        else:
            print_json(row, indent=None)


def _next_lines(verification: Verification, request: VerifyRequest) -> Iterator[str]:
    """Name the command that brings a dataset to the code as it is now."""
    if verification.drifted and verification.failing:
        words = ["goldwright", "rebase", request.dataset, "--repo", str(request.repo)]
        rebasing = shlex.join(words)
        yield f"next    {rebasing}   (keeps what still holds, and names the rest)"


def _finding_rows(verification: Verification) -> Iterator[_FindingRow]:
    """Give a row for each record: what the gate stops in ours, and what the audit finds."""
    for record in verification.failing:
        yield _failing_json(record)
    yield from _defect_rows(verification)


def _defect_rows(verification: Verification) -> Iterator[_FindingRow]:
    # By number: a foreign record may have no id, or share one.
    defects: dict[int, list[Defect]] = {}
    for defect in verification.audit.defects:
        defects.setdefault(defect.record, []).append(defect)
    for number in sorted(defects):
        of_record = defects[number]
        query_id = of_record[-1].query_id
        failures = [_failure_json(defect) for defect in of_record]
        yield {"query_id": query_id, "record": number, "failures": failures}


def _failure_json(defect: Defect) -> dict[str, str]:
    """Give a defect the shape of a failure of the gate, so that a reader needs to know only one."""
    return {"check": defect.code, "claim": "record", "message": defect.message}


def _summary_lines(verification: Verification) -> Iterator[str]:
    total = verification.records
    commit = verification.commit[:12]
    audit = verification.audit
    size = counted(total, "record")
    yield f"{verification.source}: {verification.format}, {size}, at {commit}"
    for path in verification.drifted:
        yield f"drift: {make_visible(path)} is not the file the dataset was made from"
    if verification.format == OWN_FORMAT:
        hashes = "no metadata, so no hashes compared"
        if verification.has_metadata:
            hashes = "hashes compared"
        passed = total - len(verification.failing)
        yield f"{passed} of {total} records pass the gate at {commit}; {hashes}"
        yield from _limit_of_gate(verification)
    if verification.replay is not None:
        yield from _replay_lines(verification.replay)
    for code, count in audit.counts().items():
        if count:
            yield f"{count:>6} of {total} records  {code}"
    sound_count = total - audit.records_hit
    yield f"{sound_count:>6} of {total} records without a defect"
    yield from measurement_lines(audit.measurements)
    for note in audit.notes:
        yield f"note: {note}"


def _limit_of_gate(verification: Verification) -> Iterator[str]:
    """Say what the gate does not compare at another commit than that of the dataset."""
    if verification.made_at not in {"", verification.commit}:
        yield (
            f"note: made at {verification.made_at[:12]}; what its facts say of all code, such as "
            "that nobody else calls, goldwright guard compares, and not the gate"
        )


def _replay_lines(replay: Replay) -> Iterator[str]:
    noun = "entry" if replay.entries == 1 else "entries"
    yield f"the ledger: {replay.entries} {noun}, and everything is what it says"
    for run in replay.absent_runs:
        yield f"note: the run {run} is not here, so its reviews are compared with nothing"
    for problem in replay.unsigned:
        yield f"unsigned: {make_visible(problem)}"


def _card_lines(verification: Verification) -> Iterator[str]:
    if verification.card is not None:
        yield from table_lines({**figure_records(verification.card), **verification.power})


def _as_json(verification: Verification) -> dict[str, object]:
    audit = verification.audit
    failing = [_failing_json(record) for record in verification.failing]
    defects = [_defect_json(defect) for defect in audit.defects]
    return {
        "dataset": verification.source,
        "format": verification.format,
        "records": verification.records,
        "commit": verification.commit,
        "failing": failing,
        "drifted": list(verification.drifted),
        "has_metadata": verification.has_metadata,
        "defects": defects,
        "records_hit": dict(audit.counts()),
        "notes": list(audit.notes),
        "measurements": asdict(audit.measurements),
        "sound": verification.is_sound,
        "ledger": None if verification.replay is None else asdict(verification.replay),
        "trust_card": _card_json(verification.card, verification.power),
    }


def _card_json(
    card: TrustCard | None, power: Mapping[str, TrustFigure]
) -> dict[str, object] | None:
    if card is None:
        return None
    records = figure_records(card)
    figures: dict[str, object] = {}
    for figure in card.figures:
        name = figure.text.name
        first_examples = figure.examples[:_MOST_EXAMPLES]
        examples = [asdict(example) for example in first_examples]
        record_fields = records[name].model_dump(mode="json")
        figures[name] = {
            **record_fields,
            "method": figure.text.method,
            "offending": len(figure.examples),
            "examples": examples,
        }
    adversary = {name: figure.model_dump(mode="json") for name, figure in power.items()}
    return {"records": card.records, "figures": figures, "adversary": adversary}


def _failing_json(record: RecordFindings) -> _FindingRow:
    failures = [failure.model_dump() for failure in record.failures]
    return {"query_id": record.query_id, "failures": failures}


def _defect_json(defect: Defect) -> dict[str, object]:
    return {
        "query_id": defect.query_id,
        "record": defect.record,
        "check": defect.code,
        "message": defect.message,
    }
