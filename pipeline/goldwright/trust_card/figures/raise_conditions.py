"""Whether facts that something is raised state every condition of the path that leads there."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import CardMaterial, StatedFact
from goldwright.trust_card.measure import NO_FAULT, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.identifiers import split_identifier
from goldwright.trust_card.prose.sentences import code_marks, mask_code_marks, without_quotations
from goldwright.trust_card.prose.stated_conditions import stated_conditions
from goldwright.trust_card.prose.words import content_words, words
from goldwright.trust_card.source.cited_statements import CitedStatement
from goldwright.trust_card.source.conditions import ReachingCondition, names_in, source_of

_SAYS_RAISED: Final = re.compile(
    r"""
    \b(?: rais(?:e|es|ed|ing) | throw(?:s|n|ing)? | fails?\ with | gives\ up\ with
        | is\ the\ message\ of | ends?\ in\ an? \b )
    """,
    re.VERBOSE,
)
_SAYS_NOT_RAISED: Final = re.compile(r"\b(?:neither|nor|not|never|nothing|without)\b[^,;]*\brais")
_VAGUE: Final = re.compile(
    r"\b(?:on (?:one|some) of (?:its|the) paths?|on some paths?"
    r"|in (?:some|certain|other) cases?)\b",
    re.IGNORECASE,
)
# What opens a condition in English.
_OPENING: Final = r"""
    \b(?: when(?:ever)? | if | unless | once | while | after | before | as\ long\ as | in\ case
        | where | without | except | otherwise | else | only | given | provided | for )\b
"""
# What becomes of an error that was caught, whatever led to it.
_CAUGHT_FIRST: Final = re.compile(r"When `[^`]+` catches `[^`]+`, ")
# A condition reaches up to the next one, or to the next comma.
_CLAUSE: Final = re.compile(
    rf"{_OPENING} (?P<clause> .*? ) (?= {_OPENING} | [,;] | $ )", re.VERBOSE | re.IGNORECASE
)
_NO_ERROR: Final = re.compile(
    r"\b(?:unless|without|no|not|succe\w+|otherwise|else)\b", re.IGNORECASE
)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Names that stand in conditions of any kind. A fixed list: those of Python change with its version.
_SAYS_NOTHING: Final = frozenset(
    """
    self cls None True False TYPE_CHECKING __debug__ abs all any bool bytes callable dict float
    frozenset getattr hasattr id int isinstance issubclass iter len list max min object set sorted
    str sum tuple type
    """.split()
)


def _observe(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for fact in record.facts:
            # A message may hold any words.
            prose = without_quotations(fact.text)
            if not _SAYS_RAISED.search(prose) or _SAYS_NOT_RAISED.search(prose):
                continue
            problem = _problem(fact, material)
            if problem is not None:
                yield Observation.of_fault(record.query_id, problem)


def _problem(fact: StatedFact, material: CardMaterial) -> str | None:
    """What is wrong with a fact: empty where nothing is, None where that cannot be told."""
    if _VAGUE.search(fact.text):
        return f"says no condition: {fact.text}"
    cited_statements = material.statements.at(fact.citations)
    raising = [statement for statement in cited_statements if isinstance(statement.node, ast.Raise)]
    candidates = [statement for statement in raising if _names_its_type(fact, statement)]
    if not candidates:
        return None
    omitted = None
    for statement in candidates:
        omitted = _surely_omitted(fact, statement)
        if omitted is None:
            return ""
    line = candidates[-1].node.lineno
    return f"omits {omitted} (line {line}): {fact.text}"


def _names_its_type(fact: StatedFact, statement: CitedStatement) -> bool:
    """Whether the type that a statement raises stands in the fact; one without a type passes."""
    raised = getattr(statement.node, "exc", None)
    if raised is None:
        return True
    if isinstance(raised, ast.Call):
        raised = raised.func
    names = names_in(raised)
    if not names:
        return True
    return bool(names & _identifiers(fact.text))


def _surely_omitted(fact: StatedFact, statement: CitedStatement) -> str | None:
    """The first condition of a path of which nothing stands in the fact; None where there is none.

    A clause in plain words may stand for any condition, so each one excuses everything.
    """
    if _has_clause_in_words(fact.text):
        return None
    conditions_text = _text_that_may_mention(fact, statement)
    for condition in _conditions_to_tell(fact, statement):
        text = conditions_text
        if condition.kind == "handler":
            # What is caught need not be told as a condition: "it raises the `KeyError` again".
            text = fact.text
        if not _is_mentioned(condition, text):
            return _described(condition)
    return None


def _conditions_to_tell(fact: StatedFact, statement: CitedStatement) -> list[ReachingCondition]:
    """The conditions that a fact has to name: who catches an error has come as far as that."""
    conditions = list(statement.conditions)
    if _CAUGHT_FIRST.match(fact.text):
        handlers = [place for place, c in enumerate(conditions) if c.kind == "handler"]
        return conditions[handlers[-1] :] if handlers else conditions
    return conditions


def _text_that_may_mention(fact: StatedFact, statement: CitedStatement) -> str:
    """The part of a fact that may speak of a condition.

    That is the conditions of the fact, where every one of them is a condition of the path. Where
    one is not, nobody knows what it stands for, and every word of the fact counts.
    """
    stated = list(stated_conditions(fact.text))
    stated_code = " ".join(condition.code for condition in stated)
    stated_names = _identifiers(stated_code)
    for clause in _clauses(fact.text):
        if not _identifiers(" ".join(code_marks(clause))) <= stated_names:
            return fact.text
    for condition in stated:
        if not statement.tests.issuperset(condition.tests):
            return fact.text
    return stated_code


def _is_mentioned(condition: ReachingCondition, text: str) -> bool:
    if condition.kind == "try_else":
        return _NO_ERROR.search(text) is not None
    if condition.node is None:
        return True
    names = names_in(condition.node)
    if condition.kind != "handler":
        names -= _SAYS_NOTHING
    if not names:
        return True
    if names & _identifiers(text):
        return True
    text_words = frozenset(words(text))
    return any(text_words.issuperset(split_identifier(name)) for name in names)


def _identifiers(text: str) -> frozenset[str]:
    return frozenset(_IDENTIFIER.findall(text))


def _has_clause_in_words(text: str) -> bool:
    clauses = [clause for clause in _clauses(text) if not code_marks(clause)]
    return any(content_words(clause) for clause in clauses)


def _clauses(text: str) -> Iterator[str]:
    """Yield the part of a text behind each word that opens a condition, up to a comma."""
    prose = without_quotations(text)
    # Of the same length, so that places in one are places in the other.
    for match in _CLAUSE.finditer(mask_code_marks(prose)):
        yield prose[slice(*match.span("clause"))]


def _described(condition: ReachingCondition) -> str:
    if condition.node is None:
        return "that no exception was caught before"
    source = source_of(condition.node)
    if condition.kind == "handler":
        return f"that `{source}` was caught"
    if condition.holds:
        return f"that `{source}` is true"
    return f"that `{source}` is false"


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "raise_conditions_omitted",
            "facts of a raise that leave a condition unnamed",
            "Of the facts that say that something is raised and cite the statement: those that say "
            "`on one of its paths` or the like, and those of whose path an if, elif, else, "
            "fall-through after an early exit, handler or try/else condition has no name in the "
            "fact. A condition in plain words, without code marks, counts as any of them.",
            goal=NO_FAULT,
        ),
        _observe,
        share,
    ),
)
