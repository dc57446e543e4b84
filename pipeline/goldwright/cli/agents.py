"""``goldwright agents``: what can be asked of the models before a run."""

from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.models.model_check import ModelCheck, check_models
from goldwright.cli import options
from goldwright.cli.command_group import CommandGroup
from goldwright.cli.gate_exit_code import EXIT_OK
from goldwright.cli.printing import print_json
from goldwright.errors import ProviderError
from goldwright.llm.budget import MICRO, dollars
from goldwright.text import counted


@click.group("agents", cls=CommandGroup)
def command() -> None:
    """Look after the models that are to play the roles."""


@command.command("check")
@options.config
@options.as_json
def check(config: Path | None, *, as_json: bool) -> int:
    """Have each configured model call a tool and fill in a form. Exits with 6 when one cannot."""
    checks = check_models(config, current_environment())
    if as_json:
        documents = [_as_json(model_check) for model_check in checks]
        print_json(documents)
    elif not checks:
        click.echo("all roles are played offline; there is nothing to check")
    else:
        for model_check in checks:
            click.echo(_line(model_check))
    if any(model_check.problem for model_check in checks):
        return ProviderError.exit_code
    return EXIT_OK


def _line(check: ModelCheck) -> str:
    roles = ", ".join(check.roles)
    player = f"{check.model}  ({roles})"
    if check.problem is not None:
        return f"FAILED  {player}  {check.problem}"
    tokens = counted(check.tokens, "token")
    cost = dollars(check.micro_usd)
    figures = f"{check.seconds:.1f} s, {tokens}, {cost}"
    return f"ok      {player}  {figures}"


def _as_json(check: ModelCheck) -> dict[str, object]:
    return {
        "model": check.model,
        "roles": list(check.roles),
        "ok": check.problem is None,
        "problem": check.problem,
        "seconds": round(check.seconds, 3),
        "tokens": check.tokens,
        "usd": check.micro_usd / MICRO,
    }
