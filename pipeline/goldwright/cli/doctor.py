"""``goldwright doctor``: whether everything is as a run needs it."""

import shutil
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from goldwright.app.doctor.examination import ExaminationRequest, examine
from goldwright.app.doctor.findings import HealthFinding
from goldwright.app.doctor.program import TerminalFacts
from goldwright.app.environment import current_environment
from goldwright.cli import options
from goldwright.cli.gate_exit_code import EXIT_OK
from goldwright.cli.printing import print_json
from goldwright.text import make_visible

# A cache of many codebases may be damaged in as many places, for one reason.
MOST_ALIKE: Final = 5


@click.command("doctor")
@click.option(
    "--repo",
    type=options.path_type,
    metavar="DIR",
    help="A codebase to be looked at as a run would.",
)
@options.rev
@click.option(
    "--heal",
    is_flag=True,
    help="Take out of the cache what is damaged or left over.",
)
@click.option(
    "--config",
    type=options.path_type,
    metavar="FILE",
    help="Settings to be looked at. [default: goldwright.toml, if there]",
)
@options.as_json
def command(
    repo: Path | None, rev: str | None, *, heal: bool, config: Path | None, as_json: bool
) -> int:
    """Look at Python, git, cache, limits, settings and keys, and at a codebase as a run would.

    Prints a line for each: ok, attention, or problem with what to do. Exits with 2 where
    something is in the way of a run, and with 4 where the cache is damaged.
    """
    request = ExaminationRequest(repo, rev, heal, _terminal_facts(), config)
    findings = []
    alike: Counter[str] = Counter()
    for finding in examine(request, current_environment()):
        findings.append(finding)
        alike[finding.topic] += 1
        if not as_json and alike[finding.topic] <= MOST_ALIKE:
            click.echo(_line(finding))
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for topic, count in alike.items():
            if count > MOST_ALIKE:
                further = count - MOST_ALIKE
                click.echo(f"{'…':<9}  {topic:<16}  {further} more (--json names all)")
    return max((finding.exit_code for finding in findings), default=EXIT_OK)


def _line(finding: HealthFinding) -> str:
    text = finding.text
    if finding.remedy:
        text = f"{text}; {finding.remedy}"
    visible = make_visible(text)
    return f"{finding.grade:<9}  {finding.topic:<16}  {visible}"


def _terminal_facts() -> TerminalFacts:
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    return TerminalFacts(is_terminal, shutil.get_terminal_size().columns, encoding)
