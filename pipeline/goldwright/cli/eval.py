"""``goldwright eval``: a retriever against a golden dataset."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from goldwright.app.evaluating import DEPTH, SECONDS, EvalRequest, Evaluation, evaluate
from goldwright.app.surroundings import here
from goldwright.cli import options
from goldwright.cli.funnel import watching
from goldwright.evaluation.measures import DEFAULT_MEASURES
from goldwright.evaluation.scoring import QueryScore
from goldwright.evaluation.summary import Mean, Stratum
from goldwright.snapshot.visible import make_visible

TITLES: Final = {"all": "", "task_type": "by task type", "difficulty": "by difficulty", "cell": "by cell"}
SHOWN_RESULTS: Final = 10
NAME_WIDTH: Final = 22
COLUMN_WIDTH: Final = 15


@click.command("eval")
@click.argument("dataset", metavar="DATASET")
@options.repo
@options.rev
@click.option(
    "--retriever",
    required=True,
    metavar="SPEC",
    help="bm25, grep, py:MODULE:CALLABLE, cmd:COMMAND, an http address, or trec:FILE.",
)
@click.option("--measure", "names", multiple=True, metavar="NAME", help="MRR, R@10, file.P@1 …; may be repeated.")
@click.option("--depth", type=click.IntRange(1, 1000), default=DEPTH, show_default=True, help="Results to ask for.")
@click.option("--timeout", "seconds", type=click.FloatRange(0.1, 3600), default=SECONDS, show_default=True,
              help="Seconds that one query may take.")  # fmt: skip
@click.option("--ties", type=click.Choice(["id", "trec"]), default="id", show_default=True,
              help="How equal scores are told apart.")  # fmt: skip
@click.option("--allow-drift", is_flag=True, help="Score although cited files changed since; the report says so.")
@options.allow_dirty
@options.as_json
def command(dataset: str, repo: Path, rev: str | None, names: tuple[str, ...], *, as_json: bool, **given: Any) -> None:
    """Score a retriever against DATASET, a file or a version in golden/ (or latest).

    Prints each measure with its 95 % interval, in all and by stratum. A query on which the retriever fails ends it.
    """
    request = EvalRequest(dataset, repo, rev=rev, measures=names or DEFAULT_MEASURES, **given)
    with watching() as progress:
        done = evaluate(request, here(), progress)
    click.echo(f"dataset: {done.taken}, {done.status}", err=True)
    if as_json:
        click.echo(json.dumps(as_dict(done), indent=2))
        return
    for line in lines(done):
        click.echo(line)


def lines(done: Evaluation) -> Iterator[str]:
    """The evaluation as a page of text."""
    whole = done.strata[0]
    yield f"{make_visible(done.retriever)} on {whole.n} queries at {done.commit[:12]}"
    yield ""
    for name, mean in whole.means.items():
        yield f"{name:<16}{_told(mean)}"
    for dimension, title in TITLES.items():
        rows = [one for one in done.strata if one.dimension == dimension and title]
        if rows:
            yield from ("", *_table(title, rows))
    if done.notes:
        yield ""
    yield from (f"note: {make_visible(note)}" for note in done.notes)


def _table(title: str, rows: list[Stratum]) -> Iterator[str]:
    names = list(rows[0].means)
    fitting = names[: max((shutil.get_terminal_size().columns - NAME_WIDTH) // COLUMN_WIDTH, 1)]
    yield f"{title:<18}{'n':>4}" + "".join(f"{name:>{COLUMN_WIDTH}}" for name in fitting)
    for row in rows:
        yield f"{row.name:<18}{row.n:>4}" + "".join(f"{row.means[name].value:>{COLUMN_WIDTH}.3f}" for name in fitting)


def _told(mean: Mean) -> str:
    if mean.interval is None:
        return f"{mean.value:.3f}   one query, so no interval"
    low, high = mean.interval
    return f"{mean.value:.3f}   [{low:.3f}, {high:.3f}]"


def as_dict(done: Evaluation) -> dict[str, object]:
    """The evaluation as JSON types, every query's values among them."""
    return {
        "dataset": done.taken,
        "dataset_sha256": done.dataset_sha256,
        "dataset_status": done.status,
        "commit": done.commit,
        "retriever": done.retriever,
        "depth": done.depth,
        "ties": done.ties,
        "strata": [asdict(one) for one in done.strata],
        "queries": [_query(one) for one in done.scores],
        "drifted": list(done.drifted),
        "notes": list(done.notes),
    }


def _query(one: QueryScore) -> dict[str, object]:
    label, ranked = one.label, one.ranked
    return {
        "query_id": label.query_id,
        "task_type": label.task_type,
        "difficulty": label.difficulty,
        "values": dict(one.values),
        "expected": {name: ranked.index(name) + 1 if name in ranked else None for name in label.entity_ids},
        "retrieved": list(ranked[:SHOWN_RESULTS]),
        "sufficiency_score": one.retrieved.sufficiency_score,
        "source": one.retrieved.source,
    }
