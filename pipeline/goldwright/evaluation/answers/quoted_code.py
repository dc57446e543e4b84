"""Code that an answer quotes, as the sentences that somebody would say instead of it.

Answers of retrieval systems quote code as readily as they speak of it. A block that is Python is
read statement by statement, each with the conditions under which the block reaches it.
"""

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.code_blocks import GAP, texts_and_blocks
from goldwright.code_reading.messages import log_template, message_template
from goldwright.code_reading.source_text import NodeText
from goldwright.snapshot.languages.python.parsing import UnparsableError, parse_module

_FENCE: Final = "```"
_LEVELS: Final = frozenset("debug info warn warning error exception critical".split())
_SIMPLE: Final = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
_MOST_TRIED: Final = 2
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_GAP_LINE: Final = re.compile(rf"^(\s*){re.escape(GAP)}\s*$", re.MULTILINE)
# A gap among parameters or arguments.
_GAP_INSIDE: Final = re.compile(rf"(?<=[(,\[{{])\n\s*{re.escape(GAP)}(?=\n)")
# A statement of its own that says nothing, for a gap at any place.
_NOTHING: Final = r"\1pass"
# The subject of what stands in no function of the block.
_NO_SUBJECT: Final = "It"


def with_code_spoken(text: str) -> str:
    """Write sentences in the place of blocks of code; what is no Python is left out."""
    if _FENCE not in text:
        return text
    passages: list[str] = []
    for passage, _, block in texts_and_blocks(text):
        passages.extend((passage.strip(), *_sentences_of(block)))
    return "\n\n".join(filter(None, passages))


def _sentences_of(block: Sequence[str]) -> Iterator[str]:
    dedented = textwrap.dedent("\n".join(block))
    source = _GAP_LINE.sub(_NOTHING, _GAP_INSIDE.sub("", dedented))
    tree = _parse(source)
    if tree is not None:
        speaker = _Speaker(NodeText(source.splitlines()))
        yield from speaker.block(tree.body, "", ())


def _parse(source: str) -> ast.Module | None:
    try:
        return parse_module(source.encode("utf-8", "surrogatepass"))
    except UnparsableError:
        return None


class _Speaker:
    """Says what the statements of a block do.

    Conditions are phrases such as "if `a`", from the outside in.
    """

    def __init__(self, text: NodeText) -> None:
        self._text = text

    def block(
        self, body: Sequence[ast.stmt], owner: str, conditions: tuple[str, ...]
    ) -> Iterator[str]:
        """Say what a block does; behind a test that always leaves, the test did not hold."""
        for node in body:
            if isinstance(node, _DEFINITIONS):
                name = f"{owner}.{node.name}" if owner else node.name
                yield from self.block(node.body, name, ())
                continue
            subject = f"`{owner}`" if owner else _NO_SUBJECT
            for deed in self._deeds(node):
                deed_with_conditions = (deed, *conditions)
                predicate = " ".join(deed_with_conditions).rstrip(",")
                yield f"{subject} {predicate}."
            yield from self._inner_blocks(node, owner, conditions)
            conditions = (*conditions, *self._passed(node))

    def _passed(self, node: ast.stmt) -> Iterator[str]:
        """Say what holds behind a statement that leaves the block in other cases."""
        match node:
            case ast.If(test=test, body=body, orelse=[]) if _leaves(body):
                yield f"unless {self._code(test)}"
            case ast.Try(handlers=handlers) | ast.TryStar(handlers=handlers):
                for handler in handlers:
                    if _leaves(handler.body):
                        yield f"if no {self._caught(handler)} was caught before,"
            case ast.For() | ast.AsyncFor() if any(map(_is_way_out, ast.walk(node))):
                items = self._code(node.iter)
                yield f"once the loop over {items} has ended without leaving,"
            case _:
                return

    def _inner_blocks(
        self, node: ast.stmt, owner: str, conditions: tuple[str, ...]
    ) -> Iterator[str]:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                condition = self._code(test)
                met = f"if {condition}"
                unmet = f"unless {condition}"
                yield from self.block(body, owner, (*conditions, met))
                yield from self.block(orelse, owner, (*conditions, unmet))
            case ast.For() | ast.AsyncFor():
                items = self._code(node.iter)
                item = self._code(node.target)
                inside = f"in the loop over {items} with {item},"
                yield from self.block(node.body, owner, (*conditions, inside))
            case ast.While(test=test, body=body):
                inside = f"while {self._code(test)},"
                yield from self.block(body, owner, (*conditions, inside))
            case ast.With(body=body) | ast.AsyncWith(body=body):
                yield from self.block(body, owner, conditions)
            case ast.Try() | ast.TryStar():
                yield from self._try(node, owner, conditions)
            case _:
                return

    def _try(
        self, node: ast.Try | ast.TryStar, owner: str, conditions: tuple[str, ...]
    ) -> Iterator[str]:
        yield from self.block(node.body, owner, conditions)
        caught = [self._caught(handler) for handler in node.handlers]
        for name, handler in zip(caught, node.handlers, strict=True):
            yield from self._tried(node.body, owner, name)
            after = f"after catching {name},"
            yield from self.block(handler.body, owner, (*conditions, after))
        without = (f"if no {name} was caught before," for name in caught)
        else_conditions = (*conditions, *without)
        yield from self.block(node.orelse, owner, else_conditions)
        yield from self.block(node.finalbody, owner, conditions)

    def _tried(self, body: Sequence[ast.stmt], owner: str, caught: str) -> Iterator[str]:
        """Say what stands in a ``try``, if that is little, and all of it is there."""
        if all(isinstance(node, _SIMPLE) for node in body) and len(body) <= _MOST_TRIED:
            around = f" of `{owner}`" if owner else ""
            quotations = (f"`{self._text.of(node)}`" for node in body)
            quoted_body = " and ".join(quotations)
            yield f"The `try`{around} that catches {caught} holds only {quoted_body}."

    def _caught(self, handler: ast.ExceptHandler) -> str:
        return "`BaseException`" if handler.type is None else self._code(handler.type)

    def _deeds(self, node: ast.stmt) -> Iterator[str]:
        """Say what a statement does by itself; nothing for what only opens a block."""
        deed = self._deed(node)
        if deed:
            yield deed
            calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
            for call in calls:
                named_keywords = [keyword for keyword in call.keywords if keyword.arg]
                for keyword in named_keywords:
                    value = self._code(keyword.value)
                    callee = self._code(call.func)
                    yield f"passes {value} to {callee} as `{keyword.arg}`"

    def _deed(self, node: ast.stmt) -> str:
        match node:
            case ast.Raise(exc=ast.expr() as error):
                return self._raising(error)
            case ast.Return(value=value):
                returned = "`None`" if value is None else self._code(value)
                return f"returns {returned}"
            case ast.Assign(targets=[target], value=value):
                return self._assigning(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._assigning(target, value)
            case ast.Expr(value=ast.Call() | ast.Await() as call):
                return self._logging(call) or f"runs {self._code(call)}"
            case _:
                return ""

    def _assigning(self, target: ast.expr, value: ast.expr) -> str:
        target_code = self._code(target)
        value_code = self._code(value)
        if isinstance(target, ast.Subscript):
            return f"puts {value_code} into {target_code}"
        return f"sets {target_code} to {value_code}"

    def _raising(self, error: ast.expr) -> str:
        if not isinstance(error, ast.Call):
            return f"raises {self._code(error)}"
        message = message_template(error.args[0]) if error.args else None
        quoted = f" with the message “{message}”" if message else ""
        return f"raises {self._code(error.func)}{quoted}"

    def _logging(self, call: ast.expr) -> str:
        """Say what is logged; empty for another call."""
        match call:
            case ast.Call(func=ast.Attribute(attr=level), args=[_, *_]) if level in _LEVELS:
                message = log_template(call)
                return f"logs “{message}” as `{level}`" if message else ""
            case _:
                return ""

    def _code(self, node: ast.expr) -> str:
        """Give the text of an expression on one line, in code marks."""
        return f"`{self._text.of(node)}`"


def _is_way_out(node: ast.AST) -> bool:
    return isinstance(node, ast.Return | ast.Break | ast.Raise)


def _leaves(body: Sequence[ast.stmt]) -> bool:
    if not body:
        return False
    return isinstance(body[-1], _LEAVING)
