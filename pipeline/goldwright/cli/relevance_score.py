"""``goldwright relevance score``: retrievers against proven relevance."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from goldwright.app.environment import current_environment
from goldwright.app.relevance.relevance_scoring import RelevanceScore, score_retriever
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.cli import options
from goldwright.cli.number_text import mean_text
from goldwright.cli.printing import print_json, print_lines
from goldwright.cli.progress_bars import progress_on_stderr
from goldwright.cli.settings_command import SettingsCommand
from goldwright.relevance.failure_buckets import REMEDIES, Failure
from goldwright.text import make_visible

_DEFAULT_CUTOFF = 5


@click.command("score", cls=SettingsCommand, section="relevance")
@click.argument("results", type=options.path_type, metavar="RESULTS")
@options.repo
@options.rev
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    required=True,
    metavar="SPEC",
    help=f"{options.RETRIEVER_FORMS} May be repeated.",
)
@click.option(
    "--cutoff",
    type=click.IntRange(1, options.MAX_DEPTH),
    default=_DEFAULT_CUTOFF,
    show_default=True,
    help="How many results count as found.",
)
@options.as_json
@options.config
def command(
    *,
    results: Path,
    repo: Path,
    rev: str | None,
    retrievers: tuple[str, ...],
    cutoff: int,
    as_json: bool,
    config: Path | None,  # noqa: ARG001  # read by the settings of the command
) -> None:
    """Score retrievers against RESULTS, a retrieval_dataset.yaml.

    Prints the means of MRR, R, P, nDCG and Success at --cutoff with their 95 % intervals, how often
    a sufficient set was found as a whole, and why relevant documents were missed, with what helps.
    """
    environment = current_environment()
    families = ("R", "P", "nDCG", "Success")
    measures_at_cutoff = [f"{family}@{cutoff}" for family in families]
    measures = ("MRR", *measures_at_cutoff)
    depth = max(100, cutoff)
    scores = []
    with progress_on_stderr(environment.clock) as progress:
        for retriever in retrievers:
            request = EvalRequest(
                str(results), repo, retriever, rev=rev, measures=measures, depth=depth
            )
            scores.append(score_retriever(request, cutoff, environment, progress))
    if as_json:
        print_json([_as_json(score) for score in scores])
    else:
        print_lines(score_lines(scores))


def score_lines(scores: Sequence[RelevanceScore]) -> Iterator[str]:
    """Lay scores out, a measure a line, and the reasons of failures below them."""
    for score in scores:
        yield make_visible(score.retriever)
        if score.verbatim:
            yield (
                f"  {score.verbatim} of {score.queries} queries stand word for word in a relevant "
                "document: search by words has an easy task"
            )
        for measure, mean in score.means.items():
            figures = mean_text(mean)
            yield f"  {measure:<14}{figures}"
        counts = Counter(failure.bucket for failure in score.failures)
        for bucket, remedy in REMEDIES.items():
            yield f"  {counts[bucket]:>3} missed by {bucket}: {remedy}"


def _as_json(score: RelevanceScore) -> dict[str, object]:
    failures = [_failure_json(failure) for failure in score.failures]
    means = {
        measure: {"value": mean.value, "interval": mean.interval}
        for measure, mean in score.means.items()
    }
    return {
        "retriever": score.retriever,
        "cutoff": score.cutoff,
        "queries": score.queries,
        "verbatim_queries": score.verbatim,
        "means": means,
        "failures": failures,
    }


def _failure_json(failure: Failure) -> dict[str, object]:
    return {
        "query_id": failure.query_id,
        "document_id": failure.document_id,
        "bucket": failure.bucket.value,
        "rank": failure.rank,
    }
