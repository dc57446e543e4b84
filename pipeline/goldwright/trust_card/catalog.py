"""All figures of the trust card, in the order of the table."""

from typing import Final

from goldwright.trust_card.figures import (
    callers,
    docstrings,
    facts,
    families,
    identifiers_in_quotes,
    inverted_guards,
    leaked_identifiers,
    narratives,
    overlap,
    questions,
    raise_conditions,
    repository_claims,
    straw_men,
    tiers,
)
from goldwright.trust_card.measure import FigureMeasure

MEASURES: Final[tuple[FigureMeasure, ...]] = (
    *families.MEASURES,
    *callers.MEASURES,
    *raise_conditions.MEASURES,
    *facts.MEASURES,
    *straw_men.MEASURES,
    *narratives.MEASURES,
    *inverted_guards.MEASURES,
    *repository_claims.MEASURES,
    *identifiers_in_quotes.MEASURES,
    *leaked_identifiers.MEASURES,
    *docstrings.MEASURES,
    *tiers.MEASURES,
    *overlap.MEASURES,
    *questions.MEASURES,
)
