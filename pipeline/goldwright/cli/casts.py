"""``goldwright casts``: who made the most of the same plan on the same code."""

from collections.abc import Iterator
from dataclasses import asdict

import click

from goldwright.app.environment import current_environment
from goldwright.app.models.cast_comparison import CastResult, Contest, Share, compare_casts
from goldwright.cli import options
from goldwright.cli.number_text import number_or_dash
from goldwright.cli.printing import print_json, print_lines
from goldwright.llm.budget import MICRO, dollars
from goldwright.text import counted, make_visible

_ROW = "{:>3}{:>6}{:>11}{:>11}{:>12}{:>12}  {:<23}{:<23}"
_HEADER = _ROW.format(
    "", "runs", "survivors", "cost", "per dollar", "tokens each", "gate at first try", "canaries"
)


@click.command("casts")
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=options.complete_run)
@options.as_json
def command(runs: tuple[str, ...], *, as_json: bool) -> None:
    """Compare the casts of RUNs (all, when none is named), each with all its runs: records that
    survived for a dollar, answers that passed the gate as they were first handed in, falsified
    answers that were caught, tokens for a survivor, and why records were rejected.

    Casts are compared where plan and code are the same; others stand in tables of their own.
    Intervals are of 95 % (Wilson).
    """
    contests = compare_casts(runs, current_environment())
    if as_json:
        print_json([_contest_json(contest) for contest in contests])
    else:
        print_lines(_lines(contests))


def _lines(contests: tuple[Contest, ...]) -> Iterator[str]:
    if not contests:
        yield "no run yet"
    if len(contests) > 1:
        yield f"{counted(len(contests), 'pair')} of plan and code; no cast is compared across them"
        yield ""
    for number, contest in enumerate(contests):
        if number:
            yield ""
        yield from _table(contest)


def _table(contest: Contest) -> Iterator[str]:
    tree = contest.tree[:12]
    yield make_visible(f"{contest.plan} on {contest.repo}, tree {tree}")
    yield _HEADER.rstrip()
    for place, cast in enumerate(contest.casts, start=1):
        run_count = len(cast.runs)
        survivors = f"{cast.survivors}/{cast.emitted}"
        cost = dollars(cast.spend.micro_usd)
        per_dollar = number_or_dash(cast.survivors_per_dollar, ".2f")
        tokens_each = number_or_dash(cast.tokens_per_survivor, ",.0f")
        first_try = _share_text(cast.first_try)
        canary_power = _share_text(cast.canary_power)
        row = _ROW.format(
            place, run_count, survivors, cost, per_dollar, tokens_each, first_try, canary_power
        )
        yield row.rstrip()
    for place, cast in enumerate(contest.casts, start=1):
        yield ""
        players = [f"{role} {player}" for role, player in cast.players.items()]
        names = ", ".join(players)
        yield make_visible(f"{place}: {names}")
        if cast.rejections:
            yield f"   rejected: {_rejection_text(cast)}"


def _share_text(share: Share) -> str:
    if not share.total:
        return "-"
    low, high = share.interval
    interval = f"[{low:.2f}, {high:.2f}]"
    return f"{share.count} of {share.total} {interval}"


def _rejection_text(cast: CastResult) -> str:
    rejected = cast.rejections.total()
    reasons = []
    for reason, count in cast.rejections.most_common():
        share = f"{count / rejected:.0%}"
        reasons.append(f"{reason} {share}")
    return f"{rejected}: {', '.join(reasons)}"


def _contest_json(contest: Contest) -> dict[str, object]:
    casts = [_cast_json(cast) for cast in contest.casts]
    return {"plan": contest.plan, "repo": contest.repo, "tree": contest.tree, "casts": casts}


def _cast_json(cast: CastResult) -> dict[str, object]:
    return {
        "players": dict(cast.players),
        "runs": cast.runs,
        "emitted": cast.emitted,
        "survivors": cast.survivors,
        "rejections": dict(cast.rejections),
        "first_try": _share_json(cast.first_try),
        "canary_power": _share_json(cast.canary_power),
        "calls": cast.spend.calls,
        "usd": cast.spend.micro_usd / MICRO,
        "survivors_per_dollar": cast.survivors_per_dollar,
        "tokens_per_survivor": cast.tokens_per_survivor,
    }


def _share_json(share: Share) -> dict[str, object] | None:
    # A rate of nothing is none.
    if not share.total:
        return None
    return {**asdict(share), "interval": share.interval}
