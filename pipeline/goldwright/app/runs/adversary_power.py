"""How an Adversary did on canaries: rates by kind, and what they show of its power, in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from goldwright.canaries.catch_counts import (
    CatchCounts,
    KindCatches,
    catches_by_kind,
    count_catches,
)
from goldwright.canaries.power import AdversaryPower, PowerVerdict
from goldwright.golden.catch_rates import CanaryRate, CatchRate
from goldwright.manifest import RunManifest
from goldwright.records import CanaryOutcome, TrustFigure, WeakAdversary
from goldwright.stats.binomial import wilson

ALL_KINDS: Final = "all"
"""Stands in the place of a kind for the canaries of all kinds together."""

UNKNOWN_POWER: Final = (
    "No falsified answers were given to the Adversary, so nobody knows what it lets through."
)

_CARD_VERDICTS: Final[Mapping[PowerVerdict, str]] = {
    "shown": "ok",
    "undecided": "too few",
    "below": "short",
}
# As many digits as the other figures of a card.
_DIGITS: Final = 4


def canary_rates(outcomes: Sequence[CanaryOutcome]) -> dict[str, CanaryRate]:
    """Give the shares of caught canaries by kind and in all, with 95 % Wilson intervals.

    Kinds of which none was made are left out; without any canary there is no rate at all.
    """
    by_kind = catches_by_kind(outcomes)
    if not by_kind:
        return {}
    rates = {}
    for kind, catches in by_kind.items():
        rates[str(kind)] = _canary_rate(catches)
    rates[ALL_KINDS] = _canary_rate(count_catches(outcomes))
    return rates


def measured_power(rates: Mapping[str, CanaryRate], stated: float | None) -> AdversaryPower | None:
    """Hold what an Adversary caught against the power that was stated for it.

    Returns:
        None where no power was stated, or no canary was made.
    """
    if stated is None or ALL_KINDS not in rates:
        return None
    rate = rates[ALL_KINDS]
    return AdversaryPower(stated, CatchCounts(rate.caught, rate.released))


def is_unmeasured(manifest: RunManifest, rates: Mapping[str, CanaryRate]) -> bool:
    """Return whether a model attacked answers of which none was falsified.

    What the embedded Adversary catches is known of the program; and a batch that came back was not
    attacked by anybody.
    """
    is_attacked = "adversary" in manifest.models and not manifest.plan.is_return
    rate = rates.get(ALL_KINDS)
    has_canaries = rate is not None and rate.released > 0
    return is_attacked and not has_canaries


def power_limits(
    rates: Mapping[str, CanaryRate],
    power: AdversaryPower | None,
    weak_adversaries: Iterable[WeakAdversary] = (),
    *,
    is_unknown: bool,
) -> Iterator[str]:
    """Say in sentences what an Adversary lets through, as far as canaries show it."""
    for weak in weak_adversaries:
        yield f"{weak_sentence(weak)}."
    if is_unknown:
        yield UNKNOWN_POWER
        return
    if ALL_KINDS not in rates or not rates[ALL_KINDS].released:
        return
    catches = catch_phrase(rates[ALL_KINDS])
    yield f"The Adversary caught {catches}{_missed_kinds(rates)}."
    if power is not None and power.verdict != "shown":
        yield f"{power_phrase(power).capitalize()}."


def weak_sentence(weak: WeakAdversary) -> str:
    """Say what a weak Adversary caught, and who has attacked since."""
    interval = wilson(weak.caught, weak.released)
    rate = CatchRate(caught=weak.caught, released=weak.released, interval=interval)
    text = f"{weak.agent} was found to be a weak Adversary: it caught {catch_phrase(rate)}"
    return f"{text}; all answers were attacked again by {weak.followed_by}"


def catch_phrase(rate: CatchRate) -> str:
    """Write a rate as in ``7 of 12 falsified answers (58 %, 95 % interval 32 to 81 %)``."""
    low, high = rate.interval
    share = rate.caught / rate.released
    percent = 100 * share
    low_percent = 100 * low
    high_percent = 100 * high
    interval = f"95 % interval {low_percent:.0f} to {high_percent:.0f} %"
    caught_share = f"{rate.caught} of {rate.released} falsified answers"
    return f"{caught_share} ({percent:.0f} %, {interval})"


def power_phrase(power: AdversaryPower) -> str:
    """Say how the measured power stands to the stated one."""
    percent = 100 * power.stated
    stated = f"the stated power of {percent:.0f} %"
    match power.verdict:
        case "below":
            return f"that is below {stated}, so what it lets through counts for little"
        case "undecided":
            return f"that does not decide whether it has {stated}; more canaries would"
        case "shown":
            return f"that shows {stated}"


def power_figures(rates: Mapping[str, CanaryRate], stated: float | None) -> dict[str, TrustFigure]:
    """Give the power of the Adversary as figures of a card: in all, and by kind."""
    if ALL_KINDS not in rates:
        return {}
    in_all = _figure("falsified answers that the Adversary caught", rates[ALL_KINDS])
    power = measured_power(rates, stated)
    if power is not None:
        goal = {
            "direction": "at least",
            "wanted": power.stated,
            "verdict": _CARD_VERDICTS[power.verdict],
        }
        in_all = in_all.model_copy(update=goal)
    figures = {"adversary_power": in_all}
    for kind, rate in rates.items():
        if kind != ALL_KINDS:
            name = kind.replace("_", " ")
            title = f"– of the kind {name}"
            figures[f"adversary_power_{kind}"] = _figure(title, rate)
    return figures


def _figure(title: str, rate: CatchRate) -> TrustFigure:
    if not rate.released:
        return TrustFigure(title=title, unit="share", value=None, n=0, interval=None)
    low, high = rate.interval
    share = rate.caught / rate.released
    rounded_interval = (round(low, _DIGITS), round(high, _DIGITS))
    return TrustFigure(
        title=title,
        unit="share",
        value=round(share, _DIGITS),
        n=rate.released,
        interval=rounded_interval,
    )


def _missed_kinds(rates: Mapping[str, CanaryRate]) -> str:
    """Name the kinds of which some got past it; empty where it caught all."""
    missed = []
    for kind, rate in rates.items():
        if kind != ALL_KINDS and rate.caught < rate.released:
            name = kind.replace("_", " ")
            missed.append(f"of the kind {name} {rate.caught} of {rate.released}")
    return f"; {', '.join(missed)}" if missed else ""


def _canary_rate(catches: KindCatches) -> CanaryRate:
    adversary = catches.adversary
    return CanaryRate(
        caught=adversary.caught,
        released=adversary.total,
        interval=wilson(adversary.caught, adversary.total),
        gate=_catch_rate(catches.gate),
        judge=_catch_rate(catches.judge),
        stopped=_catch_rate(catches.stopped),
    )


def _catch_rate(counts: CatchCounts) -> CatchRate | None:
    if not counts.total:
        return None
    interval = wilson(counts.caught, counts.total)
    return CatchRate(caught=counts.caught, released=counts.total, interval=interval)
