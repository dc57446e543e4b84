"""Conditions as a list of what must hold, each with its sign.

"If a and b, unless c or d" is a, b, not c, not d, whether it is said in words or in code. What
cannot be taken apart so, as "if a or b", stays one condition.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.evaluation.answers.answer_code import CodePiece, read_code
from goldwright.evaluation.answers.answer_tokens import Token, word_token
from goldwright.evaluation.answers.answer_words import BEING, TRUTH_WORDS, meaning_of
from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_module

# Characters of code; longer code in an answer is no condition that somebody wrote.
_LONGEST_CODE: Final = 500
_PLURAL: Final = frozenset({"are", "were", "hold", "have"})
_OR: Final = word_token("or")
_CONNECTIVES: Final = frozenset({"and", "or"})
_POSITIVE: Final = {ast.IsNot: ast.Is, ast.NotIn: ast.In, ast.NotEq: ast.Eq}
# What the operators say in words; ``is`` and ``in`` say no more than their operands.
_COMPARISONS: Final = {
    ast.Eq: meaning_of("equal").concept,
    ast.Gt: meaning_of("exceed").concept,
    ast.Lt: meaning_of("below").concept,
    ast.GtE: meaning_of("atleast").concept,
    ast.LtE: meaning_of("atmost").concept,
}
COMPARISONS: Final = frozenset(_COMPARISONS.values())
_CATCH: Final = meaning_of("catch").concept
_INSTANCE: Final = meaning_of("instance").concept


@dataclass(frozen=True, slots=True)
class AnswerCondition:
    """Something that must hold, or must not.

    Attributes:
        is_denied: Whether it must not.
        pieces: Its code.
        concepts: What its words mean, and what the operators of its code say.
        spelled: Its words as they stand.
    """

    is_denied: bool
    pieces: tuple[CodePiece, ...]
    concepts: frozenset[str] = frozenset()
    spelled: tuple[str, ...] = ()


def read_conditions(tokens: Sequence[Token], *, is_denied: bool) -> list[AnswerCondition]:
    """Take apart what follows "if", or "unless", which denies it."""
    if tokens and tokens[0].text == "neither":
        # "Neither a nor b" is "not (a or b)".
        is_denied = not is_denied
        tokens = [_OR if token.text == "nor" else token for token in tokens[1:]]
    conditions: list[AnswerCondition] = []
    for part in _parts(tokens, "or" if is_denied else "and"):
        conditions.extend(_read_part(part, is_denied=is_denied))
    return conditions


def opposites(conditions: Sequence[AnswerCondition]) -> tuple[AnswerCondition, ...]:
    """Turn conditions into what holds where they do not: all of them together, if of one sign.

    Where it happens, in a loop or after an error, stays.
    """
    circumstances = tuple(condition for condition in conditions if _is_circumstance(condition))
    tests = [condition for condition in conditions if not _is_circumstance(condition)]
    signs = {condition.is_denied for condition in tests}
    if len(signs) != 1:
        # Whether "otherwise" means the one or the other is not said.
        return circumstances
    is_denied = not signs.pop()
    return (*circumstances, *_together(tests, is_denied=is_denied))


def _is_circumstance(condition: AnswerCondition) -> bool:
    is_loop = any(piece.text.startswith("for ") for piece in condition.pieces)
    return is_loop or _CATCH in condition.concepts


def _together(conditions: Sequence[AnswerCondition], *, is_denied: bool) -> list[AnswerCondition]:
    first = conditions[0]
    if len(conditions) == 1 and len(first.pieces) == 1:
        literals = _literals(first.pieces[0], is_denied=is_denied)
        if len(literals) > 1:
            return literals
        return [replace(first, is_denied=is_denied)]
    pieces = tuple(piece for condition in conditions for piece in condition.pieces)
    concepts = frozenset().union(*(condition.concepts for condition in conditions))
    words = tuple(word for condition in conditions for word in condition.spelled)
    return [AnswerCondition(is_denied, pieces, concepts, words)]


def _parts(tokens: Sequence[Token], connective: str) -> list[list[Token]]:
    """Split at a connective, where all parts can stand alone and no other connective does."""
    parts: list[list[Token]] = [[]]
    connectives: set[str] = set()
    for token in tokens:
        is_connective = token.kind == "word" and token.text in _CONNECTIVES
        if is_connective:
            connectives.add(token.text)
        if is_connective or token.kind == "mark":
            parts.append([])
        else:
            parts[-1].append(token)
    parts = [part for part in parts if part]
    if connectives <= {connective} and all(map(_can_stand_alone, parts)):
        return _with_shared_predicate(parts)
    return [[token for token in tokens if token.kind != "mark"]]


def _can_stand_alone(part: Sequence[Token]) -> bool:
    return any(token.code or token.concept for token in part)


def _with_shared_predicate(parts: list[list[Token]]) -> list[list[Token]]:
    """Read "`a` and `b` are empty" as "`a` is empty and `b` is empty"."""
    shared: list[list[Token]] = []
    predicate: list[Token] = []
    for part in reversed(parts):
        places = [place for place, token in enumerate(part) if token.text in _PLURAL]
        is_bare = all(token.code or not token.concept for token in part)
        if places:
            predicate = part[places[0] :]
            shared.append(part)
        elif is_bare and not any(token.text in BEING for token in part):
            shared.append([*part, *predicate])
        else:
            predicate = []
            shared.append(part)
    return shared[::-1]


def _read_part(part: Sequence[Token], *, is_denied: bool) -> Iterator[AnswerCondition]:
    words = [token for token in part if token.kind == "word"]
    # "Is neither a nor b" denies once.
    denials = [token for token in words if token.is_denial and token.text != "nor"]
    is_part_denied = (len(denials) + is_denied) % 2 == 1
    telling = [token for token in words if token.text not in TRUTH_WORDS]
    concepts = frozenset(token.concept for token in telling if token.concept)
    spelled = tuple(token.text for token in words)
    pieces = tuple(token.code for token in part if token.code)
    if len(pieces) != 1:
        yield AnswerCondition(is_part_denied, pieces, concepts, spelled)
        return
    for literal in _literals(pieces[0], is_denied=is_part_denied):
        yield replace(literal, concepts=literal.concepts | concepts, spelled=spelled)


def _literals(piece: CodePiece, *, is_denied: bool) -> list[AnswerCondition]:
    """Take a boolean expression apart; other code is one condition."""
    expression = _parse(piece.text)
    if expression is not None:
        try:
            return list(_literals_of(expression, is_denied=is_denied))
        except RecursionError:
            # Nobody wrote that to be read.
            pass
    return [AnswerCondition(is_denied, (piece,))]


def _parse(code: str) -> ast.expr | None:
    if len(code) > _LONGEST_CODE:
        return None
    try:
        body = parse_module(code).body
    except UnparsableError:
        return None
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        return body[0].value
    return None


def _literals_of(expression: ast.expr, *, is_denied: bool) -> Iterator[AnswerCondition]:
    match expression:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _literals_of(operand, is_denied=not is_denied)
        case ast.BoolOp(op=operator, values=values) if isinstance(operator, ast.Or) == is_denied:
            # Not (a or b) is not a and not b.
            for value in values:
                yield from _literals_of(value, is_denied=is_denied)
        case ast.Compare(ops=[operator]) if type(operator) in _POSITIVE:
            positive = _POSITIVE[type(operator)]()
            compared = ast.Compare(expression.left, [positive], expression.comparators)
            yield from _literals_of(compared, is_denied=not is_denied)
        case _:
            piece = read_code(ast.unparse(expression))
            yield AnswerCondition(is_denied, (piece,), _concepts_of(expression))


def _concepts_of(expression: ast.expr) -> frozenset[str]:
    match expression:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
            return frozenset({_COMPARISONS[type(operator)]})
        case ast.Call(func=ast.Name(id="isinstance")):
            return frozenset({_INSTANCE})
        case ast.BoolOp(values=values):
            return frozenset().union(*map(_concepts_of, values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _concepts_of(operand)
        case _:
            return frozenset()
