"""How many facts records have, and how many of them say nothing."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.trust_card.estimates import mean, share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial, CitedFact
from goldwright.trust_card.measure import FigureText, Goal, Measure, Observation
from goldwright.trust_card.prose.sentences import (
    code_marks,
    without_code_marks,
    without_quotations,
)
from goldwright.trust_card.source.modules import CodeDefinition

_FEWEST_FACTS: Final = 3
_NUMBER: Final = re.compile(r"\d")
_QUOTED: Final = re.compile('[“”"]')
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
        yield Observation(record.query_id, float(len(record.facts)))


def _observe_enough(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        is_enough = len(record.facts) >= _FEWEST_FACTS
        note = "" if is_enough else f"has {len(record.facts)} facts: {record.query}"
        yield Observation(record.query_id, float(is_enough), note)


def _observe_vacuous(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for fact in record.facts:
            reason = _why_vacuous(fact, record, material)
            note = f"{reason}: {fact.text}" if reason else ""
            yield Observation(record.query_id, float(bool(reason)), note)


def _why_vacuous(fact: CitedFact, record: AnsweredQuery, material: CardMaterial) -> str:
    """Why a fact says nothing; empty where it may say something."""
    text = fact.text
    if not code_marks(text) and not _NUMBER.search(text) and not _QUOTED.search(text):
        return "names nothing and no number"
    prose = without_code_marks(without_quotations(text))
    if _MERE_CHECK.search(prose) and not _OUTCOME.search(prose):
        return "tells a check and not what follows"
    if _CONTRACT.search(prose) or _ASKS_FOR_SIGNATURE.search(record.query):
        return ""
    return "restates a signature" if _is_signature(fact, material) else ""


def _is_signature(fact: CitedFact, material: CardMaterial) -> bool:
    """Whether all cited lines are those of the head of a function, up to its body."""
    if not fact.citations:
        return False
    for citation in fact.citations:
        heads = [
            definition.header
            for definition in _functions(citation.file, material)
            if definition.header.first <= citation.start and citation.end <= definition.header.last
        ]
        if not heads:
            return False
    return True


def _functions(path: str, material: CardMaterial) -> Iterator[CodeDefinition]:
    module = material.code.modules.get(path)
    for definition in module.definitions if module is not None else ():
        # A function on one line has no head of its own.
        if definition.kind == "function" and definition.span != definition.header:
            yield definition


MEASURES: Final = (
    Measure(
        FigureText(
            "facts_per_record",
            "must-mention facts a record",
            "The mean number of must-mention facts.",
            unit="number",
        ),
        _observe_counts,
        mean,
    ),
    Measure(
        FigureText(
            "enough_facts",
            "records with at least three facts",
            "Records with at least three must-mention facts.",
            goal=Goal("at least", 0.95),
        ),
        _observe_enough,
        share,
    ),
    Measure(
        FigureText(
            "vacuous_facts",
            "facts that say nothing",
            "Must-mention facts without code mark, quotation or number; that tell a check and not "
            "what follows from it; or that cite nothing but the head of a function, where the "
            "question does not ask for parameters or the like.",
            goal=Goal("at most", 0.05),
        ),
        _observe_vacuous,
        share,
    ),
)
