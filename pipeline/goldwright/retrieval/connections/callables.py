"""``py:MODULE:CALLABLE``: a retriever that is a Python callable."""

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Collection
from concurrent.futures import wait
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.daemon_threads import CallThread
from goldwright.retrieval.connections.port import Question, RetrieverReply
from goldwright.retrieval.connections.replies import read_reply
from goldwright.text import make_visible, shorten

LIMITS: Final = ("limit", "k", "top_k", "n")
LONGEST_TOLD: Final = 200


class CallableConnection:
    """Calls ``retrieve(query)``, and gives it the limit where it has a ``limit``, ``k``, ``top_k``
    or ``n``.

    Where the callable is a class or a function without parameters, it is called once and gives the
    callable. Each of them may be a coroutine function. Importing and making may take as long as
    they take; a question that takes longer than its time ends the evaluation, and the thread that
    it hangs in is left to itself.
    """

    def __init__(self, find: Callable[[], object], *, name: str, seconds: float) -> None:
        """Find a callable, in the thread that will call it; ``name`` is what messages call it.

        Raises:
            InputError: What was found gives no callable.
            RetrieverError: It raised while it made one.
        """
        self._name = name
        self._seconds = seconds
        self._caller = CallThread()
        try:
            self._retrieve = self._made(self._call(find, None))
        except BaseException:
            self._caller.close()
            raise
        names = self._parameters(self._retrieve)
        self._limit = next((one for one in LIMITS if one in names), None)

    @classmethod
    def named(cls, place: str, *, root: Path, seconds: float) -> Self:
        """Import a callable by ``MODULE:CALLABLE``; modules of the directory ``root`` are found
        too.

        Raises:
            InputError: There is no such module or callable.
            RetrieverError: It raised while it made the callable that answers.
        """
        module, _, attribute = place.partition(":")
        if not module or not attribute:
            raise InputError(f"py:{place}: wanted py:MODULE:CALLABLE")
        if str(root) not in sys.path:
            sys.path.insert(0, str(root))
        return cls(partial(_imported, module, attribute), name=f"py:{place}", seconds=seconds)

    @classmethod
    def of(cls, retriever: Callable[..., object], *, seconds: float) -> Self:
        """Take a callable as it is.

        Raises:
            InputError: It gives no callable that takes a query.
            RetrieverError: It raised while it made one.
        """
        return cls(lambda: retriever, name=callable_name(retriever), seconds=seconds)

    def ask(self, question: Question) -> RetrieverReply:
        """Call it."""
        extra = {self._limit: question.limit} if self._limit else {}
        reply = self._call(partial(self._retrieve, question.text, **extra), self._seconds)
        return read_reply(reply, limit=question.limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._caller.close()

    def _made(self, found: object) -> Callable[..., object]:
        if not callable(found):
            raise InputError(f"{self._name}: is no callable")
        if not isinstance(found, type) and self._parameters(found):
            return found
        made = self._call(found, None)
        if not callable(made):
            raise InputError(f"{self._name}: gives {type(made).__name__}, which is no callable")
        return made

    def _parameters(self, function: Callable[..., object]) -> Collection[str]:
        try:
            return inspect.signature(function).parameters
        except (TypeError, ValueError) as error:
            raise InputError(f"{self._name}: its parameters cannot be read: {error}") from error

    def _call(self, call: Callable[[], object], seconds: float | None) -> object:
        # What a callable prints is no part of what this program prints.
        with redirect_stdout(sys.stderr):
            future = self._caller.start(call)
            wait([future], seconds)
        if not future.done():
            raise RetrieverError(f"{self._name}: no reply within {seconds:g} seconds")
        error = future.exception()
        if isinstance(error, InputError):
            raise InputError(f"{self._name}: {error}") from error
        if error is not None:
            text = shorten(make_visible(str(error)), LONGEST_TOLD)
            raise RetrieverError(
                f"{self._name}: raised {type(error).__name__}: {text}{_where(error)}"
            ) from error
        return future.result()


def callable_name(retriever: Callable[..., object]) -> str:
    """Name a callable as its specification would, ``py:MODULE:CALLABLE``."""
    module = getattr(retriever, "__module__", None) or "?"
    name = getattr(retriever, "__qualname__", None) or type(retriever).__qualname__
    return f"py:{module}:{name}"


def _where(error: BaseException) -> str:
    """Name the line of the user's code that raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


def _imported(module: str, attribute: str) -> object:
    try:
        found: object = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # importing runs code of the user, which may raise anything
        raise InputError(f"cannot be imported: {type(error).__name__}: {error}") from error
    return found
