"""``goldwright cells``: which model and chunking suits one source."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from goldwright.app.cells.cells import (
    CellsOutcome,
    CellsPlan,
    RankedShare,
    compare_source_cells,
    plan_cells_run,
    rank_share,
)
from goldwright.app.cells.cells_request import (
    DEFAULT_DOCUMENTS,
    DEFAULT_MODELS,
    DEFAULT_OUT,
    CellsRequest,
)
from goldwright.app.environment import current_environment
from goldwright.cells.cell_names import DEFAULT_CHUNKERS
from goldwright.cells.decision import CellResult
from goldwright.cells.measures import MEASURES
from goldwright.cells.pooling import POOL_DEPTH
from goldwright.cli import options
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.engine.shards import Shard
from goldwright.evaluation.text_columns import aligned
from goldwright.text import counted, make_visible


def _names(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """Split names at commas, each once."""
    parts = map(str.strip, value.split(","))
    names = dict.fromkeys(part for part in parts if part)
    if not names:
        raise click.BadParameter("wanted at least one name")
    return tuple(names)


@click.command("cells", cls=SettingsCommand)
@click.argument("source", type=options.path_type, metavar="SOURCE")
@click.option("--name", required=True, metavar="NAME", help="The name of the evaluation set.")
@click.option(
    "--queries",
    required=True,
    metavar="DATASET",
    help="At least 25 queries, in a file of any known format or a version in golden/.",
)
@options.fields
@click.option(
    "--models",
    default=",".join(DEFAULT_MODELS),
    show_default=True,
    callback=_names,
    metavar="MODEL,…",
    help="Embedders as compare has them, or bm25.",
)
@click.option(
    "--chunkers",
    default=",".join(DEFAULT_CHUNKERS),
    show_default=True,
    callback=_names,
    metavar="CHUNKER,…",
    help="Also markdown-512, html-512, entity, code-512, turns-512.",
)
@click.option("--hybrid", is_flag=True, help="Let each model also search together with words.")
@click.option(
    "--baseline",
    metavar="CELL",
    help="As in minilm/document.  [default: first model, first chunker]",
)
@click.option(
    "--judge",
    default="offline",
    show_default=True,
    metavar="JUDGE",
    help="offline (a rule over words), or PROVIDER:MODEL.",
)
@click.option(
    "--second-judge",
    default="offline",
    show_default=True,
    metavar="JUDGE",
    help="Who grades a tenth again.",
)
@click.option(
    "--predictions",
    type=options.path_type,
    metavar="FILE",
    help="Lines of {cell, predicted, why}.  [default: by a rule]",
)
@click.option(
    "--without-people", is_flag=True, help="Leave what two judges dispute without a label."
)
@click.option("--new-version", is_flag=True, help="Begin the next version; all is judged again.")
@click.option(
    "--documents",
    type=click.IntRange(min=20),
    default=DEFAULT_DOCUMENTS,
    show_default=True,
    metavar="N",
    help="Documents of the sample, by directory and kind.",
)
@click.option(
    "--depth",
    type=click.IntRange(10, 100),
    default=POOL_DEPTH,
    show_default=True,
    metavar="N",
    help="Documents of each cell and query that are judged.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N")
@options.rev
@options.allow_dirty
@click.option(
    "--budget-usd", type=options.FiniteNumber(min=0), metavar="USD", help="What judges may cost."
)
@click.option(
    "--out",
    type=options.path_type,
    default=DEFAULT_OUT,
    show_default=True,
    metavar="DIR",
    help="Where evaluation sets are kept.",
)
@options.shard("cells")
@click.option("--dry-run", is_flag=True, help="Print cells, pairs, tokens and dollars; do nothing.")
@options.as_json
def command(*, dry_run: bool, as_json: bool, **request_fields: Any) -> int:
    """Choose model and chunking for SOURCE, a directory of documents or code.

    Every cell ranks a sample; its first documents are pooled and graded blindly; the baseline stays
    unless a cell gains .02 nDCG@10 beyond chance. Labels and decision are frozen: the same command
    changes nothing, and what rests on something else is refused.
    """
    request = CellsRequest(**request_fields)
    environment = current_environment()
    with progress_on_stderr(environment.clock) as progress:
        if dry_run:
            plan = plan_cells_run(request, environment, progress)
        elif request.shard is not None:
            share = rank_share(request, environment, progress, request.shard)
        else:
            outcome = compare_source_cells(request, environment, progress)
    if dry_run:
        if as_json:
            print_json(asdict(plan))
        else:
            print_lines(_plan_lines(plan))
    elif request.shard is not None:
        if as_json:
            print_json(share.as_json())
        else:
            print_lines(_share_lines(share, request.shard))
    elif as_json:
        print_json(_as_json(outcome))
    else:
        print_lines(_lines(outcome))
    return 0


def _plan_lines(plan: CellsPlan) -> Iterator[str]:
    cells = counted(len(plan.cells), "cell")
    queries = counted(plan.queries, "query")
    documents = counted(plan.documents, "document")
    yield f"{cells}, {queries}, {documents}"
    for place, name in enumerate(plan.cells):
        mark = "  (baseline)" if place == 0 else ""
        yield f"  {make_visible(name)}{mark}"
    pairs = counted(plan.pairs, "pair")
    yield f"at most {pairs} to judge, and {plan.second.pairs} by a second judge"
    tokens = plan.first.tokens + plan.second.tokens
    usd = plan.first.usd + plan.second.usd
    yield f"about {tokens} tokens, ${usd:.2f}"
    for note in plan.notes:
        yield f"note: {note}"


def _share_lines(share: RankedShare, shard: Shard) -> Iterator[str]:
    yield f"shard {shard}: {share.ranked} of {share.cells} cells are ranked in {share.directory}"
    yield "goldwright merge brings shards together; the same command without --shard judges them"


def _lines(outcome: CellsOutcome) -> Iterator[str]:
    decision = outcome.decision
    header = ("cell", *MEASURES, "Judged@10", "Δ nDCG@10", "95 %", "p", "rule", "chance")
    rows = map(_row, decision.cells)
    yield from aligned([header, *rows])
    for sentence in decision.rationale:
        yield make_visible(sentence)
    judge = decision.judge
    controls = f"{judge.controls_passed}/{judge.controls} controls"
    duplicates = f"{judge.duplicates_same}/{judge.duplicates} duplicates"
    kappa = ""
    if judge.kappa is not None:
        kappa = f", weighted kappa {judge.kappa:.2f}"
    yield f"judge {judge.judge}: {controls}, {duplicates}{kappa}"
    if decision.excluded:
        excluded = counted(len(decision.excluded), "query")
        yield f"note: {excluded} without a relevant document, left out of the count"
    for note in outcome.notes:
        yield f"note: {note}"
    state = "frozen" if outcome.is_new else "unchanged"
    digest = outcome.digest[:19]
    yield f"{state}: {outcome.directory} ({digest})"


def _row(cell: CellResult) -> tuple[str, ...]:
    figures = [f"{cell.means[measure]:.3f}" for measure in MEASURES]
    judged_share = f"{cell.judged:.3f}"
    head = (make_visible(cell.cell), *figures, judged_share)
    if cell.ndcg is None or cell.adjusted_p is None:
        return (*head, "-", "-", "-", "-", "-")
    interval = "-"
    if cell.ndcg.interval is not None:
        low, high = cell.ndcg.interval
        interval = f"{low:+.3f} to {high:+.3f}"
    gain = f"{cell.ndcg.mean:+.3f}"
    p_value = f"{cell.adjusted_p:.4f}"
    rule_text = "met" if cell.is_flagged else "not met"
    return (*head, gain, interval, p_value, rule_text, cell.chance)


def _as_json(outcome: CellsOutcome) -> dict[str, object]:
    decision = outcome.decision.model_dump(mode="json")
    notes = list(outcome.notes)
    return {
        "directory": str(outcome.directory),
        "digest": outcome.digest,
        "is_new": outcome.is_new,
        "decision": decision,
        "notes": notes,
    }
