"""``goldwright agents``: what can be asked of the models before a run."""

import json
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.model_check import ModelCheck, check_models
from goldwright.cli import options
from goldwright.llm.budget import MICRO, dollars

UNAVAILABLE = 6


@click.group("agents")
def command() -> None:
    """Look after the models that are to play the roles."""


@command.command("check")
@click.option(
    "--config",
    type=options.a_path,
    metavar="FILE",
    help="Settings. [default: goldwright.toml, if there]",
)
@options.as_json
def check(config: Path | None, *, as_json: bool) -> int:
    """Ask each configured model one tiny question. Exits with 6 when one of them does not answer."""
    found = check_models(config, current_environment())
    if as_json:
        click.echo(json.dumps([_json(one) for one in found], indent=2))
    elif not found:
        click.echo("all roles are played offline; there is nothing to check")
    else:
        for one in found:
            click.echo(_line(one))
    return UNAVAILABLE if any(one.problem for one in found) else 0


def _line(one: ModelCheck) -> str:
    roles = ", ".join(one.roles)
    if one.problem is not None:
        return f"FAILED  {one.model}  ({roles})  {one.problem}"
    return f"ok      {one.model}  ({roles})  {one.seconds:.1f} s, {one.tokens} tokens, {dollars(one.micro_usd)}"


def _json(one: ModelCheck) -> dict[str, object]:
    return {
        "model": one.model,
        "roles": list(one.roles),
        "ok": one.problem is None,
        "problem": one.problem,
        "seconds": round(one.seconds, 3),
        "tokens": one.tokens,
        "usd": one.micro_usd / MICRO,
    }
