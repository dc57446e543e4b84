"""The module that tests import in place of the answer: every use of it is asked of its process."""

import builtins
import socket
from types import ModuleType
from typing import Any

from goldwright.relevance.isolated.plain_values import dump, load

# A longer reply is a trap for the reader, not an answer.
_LONGEST_REPLY = 4 << 20


class AnswerError(BaseException):
    """The answer's process did what no test expects: it ended, talked nonsense, or left Python.

    No `Exception`: a test that waits for any of these would take the end of the process for one.
    """


class AnswerModule(ModuleType):
    """Stands for the answer's module; it holds none of its code.

    Attributes:
        is_broken: Whether its process has ended, or said what cannot be understood.
    """

    def __init__(self, name: str, connection: socket.socket) -> None:
        """Talk over the connection whenever an attribute is asked for."""
        super().__init__(name)
        self.is_broken = False
        self._lines = connection.makefile("r", encoding="utf-8", newline="\n")
        self._requests = connection.makefile("w", encoding="utf-8", newline="\n")

    # What a test imports from the answer is asked for by name.
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        reply = self._ask({"name": name})
        if "missing" in reply:
            raise AttributeError(f"the answer has no {name}")
        if "callable" in reply:
            return AnswerFunction(name, self._call)
        return _result(reply)

    def _call(self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        question = {"name": name, "arguments": arguments, "keywords": keywords}
        return _result(self._ask(question))

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            self._requests.write(dump(request) + "\n")
            self._requests.flush()
            line = self._lines.readline(_LONGEST_REPLY)
            reply = load(line) if line.endswith("\n") else None
        except (OSError, ValueError) as error:
            self.is_broken = True
            raise AnswerError("the answer's process cannot be understood") from error
        if not isinstance(reply, dict):
            self.is_broken = True
            raise AnswerError("the answer's process has ended, or says too much")
        return reply


class AnswerFunction:
    """Stands for a function of the answer."""

    def __init__(self, name: str, call: Any) -> None:
        """Remember what to ask for."""
        self.__name__ = name
        self._call = call

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the function in the answer's process; raise what it raised there."""
        return self._call(self.__name__, arguments, keywords)


def _result(reply: dict[str, Any]) -> Any:
    if "value" in reply:
        return reply["value"]
    names = reply.get("raised")
    text = str(reply.get("text"))
    for name in names if isinstance(names, list) else ():
        error = _built_in(str(name), text)
        if error is not None:
            raise error
    raise AnswerError(f"{names}: {text}")


def _built_in(name: str, text: str) -> Exception | None:
    """Make an ordinary built-in error, which a test may wait for; what would end it is none."""
    kind = getattr(builtins, name, None)
    if not isinstance(kind, type) or not issubclass(kind, Exception):
        return None
    try:
        return kind(text)
    except TypeError:
        # It wants more than a text; the next one up will do.
        return None
