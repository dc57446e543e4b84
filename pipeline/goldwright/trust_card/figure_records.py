"""A trust card as records, to be stored."""

from typing import Final

from goldwright.records import TrustFigure
from goldwright.trust_card.card import TrustCard
from goldwright.trust_card.measure import Figure, Interval

# More digits than any figure is exact to, and few enough to be read.
_DIGITS: Final = 4


def figure_records(card: TrustCard) -> dict[str, TrustFigure]:
    """Give the figures of a card by their names, in the order of the table."""
    return {figure.text.name: figure_record(figure) for figure in card.figures}


def figure_record(figure: Figure) -> TrustFigure:
    """Give one figure as a record, its numbers rounded."""
    text = figure.text
    estimate = figure.estimate
    goal = text.goal
    return TrustFigure(
        title=text.title,
        unit=text.unit,
        value=None if estimate.value is None else round(estimate.value, _DIGITS),
        n=estimate.n,
        interval=_rounded(estimate.interval),
        direction=goal.direction if goal else None,
        wanted=goal.limit if goal else None,
        verdict=figure.verdict,
    )


def _rounded(interval: Interval | None) -> Interval | None:
    if interval is None:
        return None
    low, high = interval
    return round(low, _DIGITS), round(high, _DIGITS)
