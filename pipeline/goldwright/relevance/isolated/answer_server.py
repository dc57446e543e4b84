"""The process of an answer: loads its code, and calls its functions when the tests ask.

It sees no test. Requests and replies are lines of JSON over one socket: `{"name": …}` asks whether
there is such a thing, `{"name": …, "arguments": …}` calls it. Whatever this process does or says,
it can only hand over values; what they are worth is decided in the other process.

It loads as little as it can: for many answers, to start takes longer than to be called.
"""

import os
import sys
import types
from typing import Any

from goldwright.relevance.isolated.plain_values import dump, load


def serve(descriptor: int, source: str) -> None:
    """Answer requests until the other side closes."""
    lines = os.fdopen(os.dup(descriptor), "r", encoding="utf-8", newline="\n")
    replies = os.fdopen(descriptor, "w", encoding="utf-8", newline="\n")
    answer = types.ModuleType("answer")
    # Only a failing load is remembered: a test that needs nothing of the answer would pass anyway.
    fault = None
    if source.strip():
        fault = _attempt(exec, compile_answer(source), vars(answer))
    for line in lines:
        reply = _reply(answer, fault, load(line))
        replies.write(dump(reply) + "\n")
        replies.flush()


def compile_answer(source: str) -> types.CodeType | str:
    """Compile an answer; a syntax error shows when it is executed."""
    try:
        return compile(source, "<answer>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"raise SyntaxError({str(error)!r})"


def _attempt(function: Any, *arguments: Any, **keywords: Any) -> dict[str, Any] | None:
    reply = _call(function, arguments, keywords)
    return reply if "raised" in reply else None


def _reply(answer: types.ModuleType, fault: Any, request: dict[str, Any]) -> dict[str, Any]:
    if fault:
        return dict(fault)
    name = request["name"]
    if not hasattr(answer, name):
        return {"missing": name}
    attribute = getattr(answer, name)
    if "arguments" in request:
        return _call(attribute, request["arguments"], request["keywords"])
    return {"callable": True} if callable(attribute) else {"value": attribute}


def _call(function: Any, arguments: Any, keywords: dict[str, Any]) -> dict[str, Any]:
    try:
        value = function(*arguments, **keywords)
        dump(value)
    except BaseException as error:  # noqa: BLE001  # whatever an answer raises is its result
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return {"raised": kinds, "text": _text(error)}
    return {"value": value}


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  # an answer's own error class may fail at anything
        return ""


def main() -> None:
    """Serve on the descriptor that is the first argument; the answer's file is the second."""
    descriptor = int(sys.argv[1])
    path = sys.argv[2]
    with open(path, encoding="utf-8") as file:  # noqa: PTH123  # fewer modules for the answer
        source = file.read()
    serve(descriptor, source)
    # Without the handlers that an answer may have left behind.
    os._exit(0)
