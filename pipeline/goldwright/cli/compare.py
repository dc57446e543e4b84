"""``goldwright compare``: two saved evaluations, or retrieval arms on one index."""

import re
from pathlib import Path
from typing import Any, Final

import click

from goldwright.app.arms.arm_comparison import compare_arms
from goldwright.app.arms.arm_json import comparison_json, repositories_json
from goldwright.app.arms.arm_outputs import ArmOutputs
from goldwright.app.arms.arm_request import ArmRequest
from goldwright.app.arms.repository_comparison import (
    DEFAULT_ARM,
    ManifestRequest,
    compare_repositories,
)
from goldwright.app.environment import current_environment
from goldwright.app.scoring.compare_reports import compare_report_files
from goldwright.cli import options
from goldwright.cli.model_list import model_lines
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.report_comparison_text import report_comparison_json, report_comparison_lines
from goldwright.cli.settings_command import SettingsCommand, typed_or_default
from goldwright.evaluation.arms.arm_text import arm_lines
from goldwright.evaluation.arms.repository_text import repository_lines
from goldwright.retrieval.arms.catalog import ARMS
from goldwright.retrieval.embedders.catalog import DEFAULT_EMBEDDER
from goldwright.retrieval.fusions.catalog import DEFAULT_FUSION, FUSIONS
from goldwright.retrieval.rerankers.catalog import DEFAULT_RERANKER

_FORMS: Final = (
    "two reports (compare BEFORE.json AFTER.json), "
    "or a dataset and its codebase (compare DATASET --repo DIR), "
    "or a manifest of several (compare --manifest repos.toml)"
)
_CUTOFFS: Final = re.compile(r"\d+(,\d+)*")


def _read_names(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """Split names that are separated by commas."""
    if value is None:
        return None
    parts = map(str.strip, value.split(","))
    return tuple(part for part in parts if part)


def _read_cutoffs(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> tuple[int, ...] | None:
    """Split ranks that are separated by commas.

    Raises:
        BadParameter: It is no such list.
    """
    if value is None:
        return None
    if not _CUTOFFS.fullmatch(value):
        raise click.BadParameter(f"{value!r}: wanted ranks as in 1,5,10")
    cutoffs = map(int, value.split(","))
    return tuple(dict.fromkeys(cutoffs))


@click.command("compare", cls=SettingsCommand)
@click.argument("inputs", nargs=-1, type=str, metavar="[BEFORE AFTER | DATASET]")
@click.option("--repo", type=options.path_type, metavar="DIR", help="The codebase of DATASET.")
@options.rev
@click.option(
    "--arms",
    callback=_read_names,
    metavar="LIST",
    help=f"Some of {','.join(ARMS)}.  [default: all]",
)
@click.option(
    "--ks", "cutoffs", callback=_read_cutoffs, metavar="LIST", help="Ranks.  [default: 1,5,10]"
)
@click.option(
    "--level",
    type=click.Choice(["symbol", "file"]),
    help="What counts as found.  [default: symbol]",
)
@click.option(
    "--fusion",
    type=click.Choice([*FUSIONS]),
    help=f"How hybrids fuse.  [default: {DEFAULT_FUSION}]",
)
@click.option(
    "--embedder",
    "embedders",
    multiple=True,
    metavar="SPEC",
    help=f"A model; repeated, a table for each; see --list-models.  [default: {DEFAULT_EMBEDDER}]",
)
@click.option(
    "--reranker",
    metavar="SPEC",
    help=f"The second stage of hybrid+rerank.  [default: {DEFAULT_RERANKER}]",
)
@click.option(
    "--budget-usd",
    type=options.FiniteNumber(min=0),
    metavar="USD",
    help="The most that --reranker model may spend.",
)
@click.option(
    "--callers",
    "with_callers",
    is_flag=True,
    default=None,
    help="hybrid+graph follows callers as well as callees.",
)
@click.option(
    "--docstrings",
    type=click.Choice(["both", "with", "without"]),
    help="Index code with its docstrings, without them, or both in turn.  [default: both]",
)
@click.option(
    "--depth", type=click.IntRange(1, options.MAX_DEPTH), help="Results to ask for. [default: 100]"
)
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Ask N queries only, spread over all."
)
@click.option(
    "--allow-drift",
    is_flag=True,
    default=None,
    help="Leave out records whose code has changed.",
)
@click.option(
    "--manifest",
    type=options.path_type,
    metavar="FILE",
    help="Several repositories in place of DATASET: [[repos]] with name, repo, dataset and rev.",
)
@click.option(
    "--default",
    "default_arm",
    metavar="ARM",
    help=f"The arm that others would replace, with --manifest.  [default: {DEFAULT_ARM}]",
)
@click.option("--html", type=options.path_type, metavar="FILE", help="Draw the comparison of arms.")
@click.option("--list-models", is_flag=True, help="List embedders and rerankers, and end.")
@options.as_json
@click.pass_context
def command(
    context: click.Context,
    /,
    *,
    inputs: tuple[str, ...],
    repo: Path | None,
    manifest: Path | None,
    default_arm: str | None,
    html: Path | None,
    list_models: bool,
    as_json: bool,
    **arm_options: Any,
) -> None:
    """Compare two saved evaluations, or retrieval arms on one index.

    Two reports of goldwright eval --json (compare BEFORE.json AFTER.json): for every measure the
    difference of means with its 95 % interval, the p-value of a paired permutation test, the same
    over all measures, and the smallest difference that these queries could have shown.

    A dataset and its codebase (compare DATASET --repo DIR): dense, bm25, hybrid, hybrid+rerank,
    hybrid+graph and adaptive on one index, by rank and by tokens of source, with docstrings and
    without; who cannot be told apart, and what could have been shown.

    A manifest of several repositories (compare --manifest repos.toml): each one's tables, averages
    over them, and whether an arm may replace the default, with the reasons.
    """
    if list_models:
        print_lines(model_lines())
        return
    if len(inputs) != 1:
        # The settings are about arms, and no reason to refuse two reports or a manifest.
        settled = typed_or_default(context, {"repo": repo, "html": html, **arm_options})
        repo = settled.pop("repo")
        html = settled.pop("html")
        arm_options = settled
    given_options = {name: value for name, value in arm_options.items() if value not in (None, ())}
    if manifest is not None:
        if inputs or repo is not None or "rev" in given_options or html is not None:
            run_options = {"--repo": repo, "--rev": given_options.get("rev"), "--html": html}
            names = [name for name, value in run_options.items() if value is not None]
            beside = ", ".join(names) or "a dataset"
            raise click.UsageError(f"{beside}: does not go with --manifest; compare takes {_FORMS}")
        _compare_repositories(manifest, default_arm, given_options, as_json=as_json)
        return
    if default_arm is not None:
        raise click.UsageError("--default goes with --manifest")
    if repo is not None:
        _compare_arms(inputs, repo, html, given_options, as_json=as_json)
        return
    if html is not None:
        given_options["html"] = html
    _compare_reports(inputs, given_options, as_json=as_json)


def _compare_arms(
    inputs: tuple[str, ...],
    repo: Path,
    html: Path | None,
    given_options: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    if len(inputs) != 1:
        raise click.UsageError(f"--repo goes with one dataset; compare takes {_FORMS}")
    request = ArmRequest(inputs[0], repo, **given_options)
    outputs = ArmOutputs(html)
    # Before any arm is asked: the work must not end at a path that cannot be written.
    outputs.check()
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        comparison = compare_arms(request, environment, progress)
    outputs.write(comparison)
    if as_json:
        print_json(comparison_json(comparison))
    else:
        print_lines(arm_lines(comparison))


def _compare_repositories(
    manifest: Path, default_arm: str | None, given_options: dict[str, Any], *, as_json: bool
) -> None:
    arms = ArmRequest("", Path(), **given_options)
    request = ManifestRequest(manifest, arms, default_arm or DEFAULT_ARM)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        comparison = compare_repositories(request, environment, progress)
    if as_json:
        print_json(repositories_json(comparison))
    else:
        print_lines(repository_lines(comparison))


def _compare_reports(
    inputs: tuple[str, ...], given_options: dict[str, Any], *, as_json: bool
) -> None:
    if given_options:
        dashed_names = (name.replace("_", "-") for name in given_options)
        names = ", ".join(f"--{name}" for name in dashed_names)
        raise click.UsageError(f"{names}: goes with --repo or --manifest; compare takes {_FORMS}")
    if len(inputs) != 2:
        raise click.UsageError(f"compare takes {_FORMS}")
    before, after = map(Path, inputs)
    comparison = compare_report_files(before, after)
    if as_json:
        print_json(report_comparison_json(comparison))
    else:
        print_lines(report_comparison_lines(comparison))
