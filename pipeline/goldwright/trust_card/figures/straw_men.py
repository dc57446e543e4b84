"""Whether must-not facts are straw men: what nobody who has seen the code would say."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from goldwright.trust_card.estimates import share
from goldwright.trust_card.material import AnsweredQuery, CardMaterial, StatedFact
from goldwright.trust_card.measure import FigureGoal, FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.sentences import code_marks, without_code_marks
from goldwright.trust_card.source.conditions import always_leaves, source_of
from goldwright.trust_card.source.modules import FunctionNode

_CONSTANT: Final = r"`(?P<constant>None|True|False|\(\)|\[\]|\{\}|''|\"\"|-?\d+)`"
_RETURNS: Final = re.compile(
    rf"(?:returns?|(?:gives?|hands?) back(?: is)?|yields?|result is)\s+{_CONSTANT}", re.IGNORECASE
)
_DEFAULTS: Final = re.compile(rf"(?:defaults? to|takes|uses)\s+{_CONSTANT}", re.IGNORECASE)
_DERIVES: Final = re.compile(r"\b(?:derives?|inherits?|base class|subclass)\b", re.IGNORECASE)
_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|unless|neither|nor|cannot|falsy|differs?|\w+n't)\b", re.IGNORECASE
)


def _observe_straw_men(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for falsehood in record.falsehoods:
            problem = _why_straw(falsehood, record, material)
            yield Observation.of_fault(record.query_id, problem)


def _why_straw(falsehood: StatedFact, record: AnsweredQuery, material: CardMaterial) -> str:
    """Why nobody would say a falsehood; empty where somebody could."""
    text = falsehood.text
    if _DERIVES.search(text) and "object" in code_marks(text):
        return f"every class derives from `object`: {text}"
    function = _function(text, record, material)
    if function is None:
        return ""
    returned = _RETURNS.search(text)
    if returned is not None and returned["constant"] not in _returned_values(function):
        return f"no path of the function returns that: {text}"
    default = _DEFAULTS.search(text)
    if default is not None and default["constant"] not in _default_values(function):
        return f"no parameter of the function has that default: {text}"
    return ""


def _function(text: str, record: AnsweredQuery, material: CardMaterial) -> FunctionNode | None:
    """The first function that a text names, if it is one that the record cites or expects."""
    for mark in code_marks(text):
        name = mark.removesuffix("()")
        for path in record.cited_paths:
            definition_id = f"{path}::{name}"
            definition = material.code.names.definition(definition_id)
            if definition is not None and definition.kind == "function":
                return material.code.function_at(path, definition.header.last)
    return None


def _returned_values(function: FunctionNode) -> frozenset[str]:
    """The plain values that a function returns somewhere, ``None`` at its end among them."""
    returned_values: set[str] = set()
    for node in _own_nodes(function):
        if isinstance(node, ast.Return | ast.Yield):
            returned_values.update(_possible_values(node.value))
    if not always_leaves(function.body):
        returned_values.add("None")
    return frozenset(returned_values)


def _possible_values(value: ast.expr | None) -> Iterator[str]:
    if value is None:
        yield "None"
    elif isinstance(value, ast.IfExp):
        yield from _possible_values(value.body)
        yield from _possible_values(value.orelse)
    elif isinstance(value, ast.BoolOp):
        for operand in value.values:
            yield from _possible_values(operand)
    else:
        yield source_of(value)


def _default_values(function: FunctionNode) -> frozenset[str]:
    arguments = function.args
    defaults = [*arguments.defaults, *arguments.kw_defaults]
    return frozenset(source_of(default) for default in defaults if default is not None)


def _own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions inside it."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, FunctionNode | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


def _observe_negations(material: CardMaterial) -> Iterator[Observation]:
    for record in material.records:
        for falsehood in record.falsehoods:
            problem = ""
            for fact in record.facts:
                if _differ_by_negation(fact.text, falsehood.text):
                    problem = f"{fact.text} | {falsehood.text}"
                    break
            yield Observation.of_fault(record.query_id, problem)


def _differ_by_negation(fact: str, falsehood: str) -> bool:
    """Whether two sentences have the same code marks, and one of them a negation more."""
    marks = Counter(code_marks(fact))
    if not marks or marks != Counter(code_marks(falsehood)):
        return False
    difference = _negation_count(fact) - _negation_count(falsehood)
    return abs(difference) == 1


def _negation_count(text: str) -> int:
    negations = _NEGATION.findall(without_code_marks(text))
    return len(negations)


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "straw_men",
            "must-nots that are straw men",
            "Must-not facts that a class derives from `object`, that a function returns a plain "
            "value such as `None` that no path of it returns, or that a parameter has a plain "
            "default that no parameter of the function has.",
            goal=FigureGoal("at most", 0.10),
        ),
        _observe_straw_men,
        share,
    ),
    FigureMeasure(
        FigureText(
            "mere_negations",
            "must-nots that differ from a fact by a negation alone",
            "Must-not facts with the same code marks as a fact of the record, and one negation "
            "more or less.",
        ),
        _observe_negations,
        share,
    ),
)
