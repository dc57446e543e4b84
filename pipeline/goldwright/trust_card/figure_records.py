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
    value = estimate.value
    if value is not None:
        value = round(value, _DIGITS)
    record = TrustFigure(
        title=text.title,
        unit=text.unit,
        value=value,
        n=estimate.n,
        interval=_rounded(estimate.interval),
        verdict=figure.verdict,
    )
    if text.goal is None:
        return record
    goal = {"direction": text.goal.direction, "wanted": text.goal.limit}
    return record.model_copy(update=goal)


def _rounded(interval: Interval | None) -> Interval | None:
    if interval is None:
        return None
    low, high = interval
    return round(low, _DIGITS), round(high, _DIGITS)
