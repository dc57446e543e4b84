"""How many facts records have, and how many of them say nothing."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.records import FileRange
from goldwright.trust_card.estimates import mean, share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial, StatedFact
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.sentences import (
    code_marks,
    without_code_marks,
    without_quotations,
)

_FEWEST_FACTS: Final = 3
_NUMBER_OR_QUOTATION: Final = re.compile(r'[\d“”"]')
# A check of which nothing follows: what happens then is not said.
_MERE_CHECK: Final = re.compile(
    r"\b(?:checks?|branches|branch|tests?|depends|turns) (?:on )?(?:whether|if)\b", re.IGNORECASE
)
_OUTCOME: Final = re.compile(
    r"\b(?:raises|returns|calls|sets|yields|logs|skips|stops|writes|adds|removes|sends|closes|keeps"
    r"|drops|gives|otherwise|then)\b"
)
# What a class leaves to others is a contract, although it stands in the head of a method.
_CONTRACT: Final = re.compile(r"\b(?:subclass|abstract|implement|overrid)", re.IGNORECASE)
# Questions that a signature answers.
_ASKS_FOR_SIGNATURE: Final = re.compile(
    r"\b(?:default|parameter|argument|signature|decorat|option|flag|accept|pass)", re.IGNORECASE
)


def _observe_counts(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        fact_count = float(len(record.facts))
        yield Observation(record.query_id, fact_count)


def _observe_enough(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        problem = ""
        fact_count = len(record.facts)
        if fact_count < _FEWEST_FACTS:
            problem = f"has {fact_count} facts: {record.query}"
        yield Observation.of_merit(record.query_id, problem)


def _observe_vacuous(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for fact in record.facts:
            problem = _why_vacuous(fact, record, material)
            yield Observation.of_fault(record.query_id, problem)


def _why_vacuous(fact: StatedFact, record: AnsweredQuery, material: CardMaterial) -> str:
    """Why a fact says nothing; empty where it may say something."""
    text = fact.text
    if not code_marks(text) and not _NUMBER_OR_QUOTATION.search(text):
        return f"names nothing and no number: {text}"
    prose = without_code_marks(without_quotations(text))
    if _MERE_CHECK.search(prose) and not _OUTCOME.search(prose):
        return f"tells a check and not what follows: {text}"
    if _CONTRACT.search(prose) or _ASKS_FOR_SIGNATURE.search(record.query):
        return ""
    # In which file a name is defined answers where it is, although its head is what shows it.
    if any(mark in record.cited_paths for mark in code_marks(text)):
        return ""
    if _is_signature(fact, material):
        return f"restates a signature: {text}"
    return ""


def _is_signature(fact: StatedFact, material: CardMaterial) -> bool:
    """Whether all cited lines are those of the head of a function, up to its body."""
    if not fact.citations:
        return False
    return all(_is_in_head(citation, material) for citation in fact.citations)


def _is_in_head(cited: FileRange, material: CardMaterial) -> bool:
    module = material.code.modules.get(cited.file)
    if module is None:
        return False
    for definition in module.definitions:
        # A function on one line has no head of its own.
        if definition.kind == "class" or definition.span == definition.header:
            continue
        if definition.header.contains(cited.start, cited.end):
            return True
    return False


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "facts_per_record",
            "must-mention facts a record",
            "The mean number of must-mention facts.",
            unit="number",
        ),
        _observe_counts,
        mean,
    ),
    FigureMeasure(
        FigureText(
            "enough_facts",
            "records with at least three facts",
            "Records with at least three must-mention facts.",
            goal=FigureGoal("at least", 0.95),
        ),
        _observe_enough,
        share,
    ),
    FigureMeasure(
        FigureText(
            "vacuous_facts",
            "facts that say nothing",
            "Must-mention facts without code mark, quotation or number; that tell a check and not "
            "what follows from it; or that cite nothing but the head of a function, where the "
            "question does not ask for parameters or the like.",
            goal=FigureGoal("at most", 0.05),
        ),
        _observe_vacuous,
        share,
    ),
)
