"""``py:MODULE:CALLABLE``: a retriever that is a Python callable."""

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.connection import Question, Retrieved
from goldwright.retrieval.connections.replies import read_reply

LIMITS: Final = ("limit", "k", "top_k", "n")


class CallableConnection:
    """Calls ``retrieve(query)``, and gives it the limit where it has a ``limit``, ``k``, ``top_k`` or ``n``.

    Where the callable is a class or a function without parameters, it is called once and gives the callable.
    """

    def __init__(self, retrieve: Callable[..., object], *, name: str) -> None:
        """Take a callable; ``name`` is what messages call it."""
        self._name = name
        self._retrieve = self._made(retrieve)
        names = inspect.signature(self._retrieve).parameters
        self._limit = next((one for one in LIMITS if one in names), None)

    @classmethod
    def named(cls, place: str, *, root: Path) -> Self:
        """Import a callable by ``MODULE:CALLABLE``; modules of the directory ``root`` are found too.

        Raises:
            InputError: There is no such module or callable.
        """
        module, _, attribute = place.partition(":")
        if not module or not attribute:
            raise InputError(f"py:{place}: wanted py:MODULE:CALLABLE")
        if str(root) not in sys.path:
            sys.path.insert(0, str(root))
        try:
            found: object = importlib.import_module(module)
            for part in attribute.split("."):
                found = getattr(found, part)
        except Exception as error:  # importing runs code of the user, which may raise anything
            raise InputError(f"py:{place}: can not be imported: {type(error).__name__}: {error}") from error
        if not callable(found):
            raise InputError(f"py:{place}: is no callable")
        return cls(found, name=f"py:{place}")

    def ask(self, question: Question) -> Retrieved:
        """Call it."""
        extra = {self._limit: question.limit} if self._limit else {}
        return read_reply(self._call(self._retrieve, question.text, **extra), limit=question.limit)

    def _made(self, retrieve: Callable[..., object]) -> Callable[..., object]:
        if not inspect.isclass(retrieve) and inspect.signature(retrieve).parameters:
            return retrieve
        made = self._call(retrieve)
        if not callable(made):
            raise InputError(f"{self._name}: gives {type(made).__name__}, which is no callable")
        return made

    def _call(self, function: Callable[..., object], *arguments: object, **named: object) -> object:
        try:
            return function(*arguments, **named)
        except Exception as error:
            raise RetrieverError(f"{self._name}: raised {type(error).__name__}: {error}") from error
