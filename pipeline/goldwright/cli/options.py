"""Options that several commands share."""

import importlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from goldwright.app.environment import current_environment
from goldwright.app.shell_completions import dataset_versions, known_plans, run_names
from goldwright.cli.click_completion import completed_by
from goldwright.cli.settings_command import take_settings
from goldwright.engine.shards import Shard, read_shard
from goldwright.text import name_some

RETRIEVER_FORMS: Final = (
    "bm25, grep, dense, hybrid, py:MODULE:CALLABLE, cmd:COMMAND, mcp:…, "
    "an http address, or trec:FILE."
)
# A retriever may be asked for up to this many results to a query.
MAX_DEPTH: Final = 1000
# More connections than that are a load test.
MAX_CONCURRENCY: Final = 64
MIN_TIMEOUT_SECONDS: Final = 0.1
MAX_TIMEOUT_SECONDS: Final = 3600
DEFAULT_TIMEOUT_SECONDS: Final = 60.0

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., Any])


class FiniteNumber(click.FloatRange):
    """A finite number in a range; click's own type lets NaN pass, which lies in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number.

        Raises:
            BadParameter: It is not a finite number of the range.
        """
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no finite number.", param, ctx)
        return number


def field_mapping(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> object:
    """Read the names of fields; None where none are stated."""
    if not values:
        return None
    # Not before: it reads files of many forms, and hardly any call of any command names fields.
    module = importlib.import_module("goldwright.interchange.field_mapping")
    mapping: object = module.FieldMapping.read(values)
    return mapping


def _read_shard(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> Shard | None:
    return None if value is None else read_shard(value)


path_type: Final = click.Path(path_type=Path)

complete_run = completed_by(run_names)
complete_dataset = completed_by(dataset_versions, or_file=True)
complete_plan = completed_by(known_plans, or_file=True)


def tell_latest(run: str) -> None:
    """Say which newer runs ``latest`` passes over, since they hold no question."""
    workspace = current_environment().workspace
    names = [passed_over.name for passed_over in workspace.passed_over(run)]
    if names:
        run_name = workspace.find_run(run).name
        newer_names = name_some(names)
        click.echo(f"{run} is {run_name}; newer, without a question: {newer_names}", err=True)


def _told_latest(context: click.Context, _: click.Parameter, run: str) -> str:
    if not context.resilient_parsing:
        tell_latest(run)
    return run


run_argument = click.argument(
    "run", metavar="RUN", shell_complete=complete_run, callback=_told_latest
)
dataset_argument = click.argument("dataset", metavar="DATASET", shell_complete=complete_dataset)
repo = click.option(
    "--repo",
    type=path_type,
    required=True,
    metavar="DIR",
    help="The codebase: a git repository or a plain directory.",
)
optional_repo = click.option(
    "--repo",
    type=path_type,
    metavar="DIR",
    help="The codebase. Without one the dataset's ids are taken as they are.",
)
rev = click.option("--rev", metavar="REV", help="The commit to pin it to. [default: HEAD]")
allow_dirty = click.option(
    "--allow-dirty",
    is_flag=True,
    help="Pin the files of the work tree as they are, with uncommitted changes.",
)
decisions = click.option(
    "--decisions",
    type=path_type,
    metavar="DIR",
    help="What was decided on pull requests. [default: golden/guard]",
)
config = click.option(
    "--config",
    type=path_type,
    metavar="FILE",
    is_eager=True,
    callback=take_settings,
    help="Settings. [default: goldwright.toml, if there]",
)
fields = click.option(
    "--fields",
    multiple=True,
    callback=field_mapping,
    metavar="ROLE=FIELD,…",
    help="Which field of a list or table holds what, as in query=question,expected=gold.",
)
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON on stdout."
)


def shard(pieces: str) -> Callable[[CommandFunction], CommandFunction]:
    """Add the option that takes one of several equal shares.

    Args:
        pieces: What is shared out, in the plural.
    """
    return click.option(
        "--shard",
        callback=_read_shard,
        metavar="I/N",
        help=f"Take the I-th of N equal shares of the {pieces} only; merge joins them.",
    )


def evaluation(command: CommandFunction) -> CommandFunction:
    """Add the options of every command that asks a retriever.

    They are named after the fields of an evaluation request.
    """
    return _add_all(command, _EVALUATION_OPTIONS)


def asking(command: CommandFunction) -> CommandFunction:
    """Add the options of a command that asks several retrievers: all but the retriever."""
    return _add_all(command, _ASKING_OPTIONS)


def one_retriever(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> str:
    """Take the only retriever; of several, none is dropped in silence.

    Raises:
        UsageError: There are several.
    """
    if len(values) > 1:
        raise click.UsageError(
            f"--retriever: {len(values)} are named; one is asked here, and goldwright bench "
            "compares several"
        )
    return values[0]


def _add_all(
    command: CommandFunction, additions: Sequence[Callable[[Any], Any]]
) -> CommandFunction:
    # A decorator that is applied first stands last in the help.
    for add_option in reversed(additions):
        command = add_option(command)
    return command


_retriever = click.option(
    "--retriever",
    multiple=True,
    required=True,
    callback=one_retriever,
    metavar="SPEC",
    help=RETRIEVER_FORMS,
)
_measures = click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="MRR, R@10, file.P@1 …; may be repeated.",
)
_depth = click.option(
    "--depth", type=click.IntRange(1, MAX_DEPTH), help="Results to ask for.  [default: 100]"
)
_timeout = click.option(
    "--timeout",
    type=FiniteNumber(MIN_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS),
    default=DEFAULT_TIMEOUT_SECONDS,
    show_default=True,
    help="Seconds that one query may take.",
)
_ties = click.option(
    "--ties",
    type=click.Choice(["id", "trec"]),
    help="How equal scores are told apart.  [default: id]",
)
_missing_as_zero = click.option(
    "--missing-as-zero",
    is_flag=True,
    help="Count a query that a TREC run does not hold as not found.",
)
_blank_docstrings = click.option(
    "--blank-docstrings",
    is_flag=True,
    help="Search code without its docstrings; for bm25, grep, dense and hybrid.",
)
_product_code = click.option(
    "--product-code",
    is_flag=True,
    help="Leave results outside of product code (tests, documents, copies) out.",
)
_allow_drift = click.option(
    "--allow-drift",
    is_flag=True,
    help="Leave out records whose code has changed, and count expected ids that name nothing any"
    " more as not found; the report names them.",
)
_strict_drift = click.option(
    "--strict-drift",
    is_flag=True,
    help="Mind any change of a cited file, and not of cited code alone.",
)

_concurrency = click.option(
    "--concurrency",
    type=click.IntRange(1, MAX_CONCURRENCY),
    default=1,
    show_default=True,
    help="Queries to ask at a time, each over a connection of its own.",
)
_limit = click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask N queries only, spread over the dataset.",
)

_EVALUATION_OPTIONS: Final[tuple[Callable[[Any], Any], ...]] = (
    dataset_argument,
    optional_repo,
    rev,
    fields,
    _retriever,
    _measures,
    _depth,
    _timeout,
    _ties,
    _missing_as_zero,
    _blank_docstrings,
    _product_code,
    _allow_drift,
    _strict_drift,
    allow_dirty,
    _concurrency,
    _limit,
)
_ASKING_OPTIONS: Final = tuple(option for option in _EVALUATION_OPTIONS if option is not _retriever)
