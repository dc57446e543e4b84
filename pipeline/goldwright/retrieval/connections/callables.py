"""``py:MODULE:CALLABLE``: a retriever that is a Python callable."""

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from contextlib import redirect_stdout
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.retrieval.connections.daemon_threads import CallThread
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.replies import read_reply
from goldwright.text import in_seconds, make_visible, shorten

# What searches call the number of results that they are to give.
LIMIT_NAMES: Final = (
    *("limit", "k", "top_k", "topk", "n", "top_n", "max_results", "num_results", "n_results"),
    *("size", "count", "top", "max_hits"),
)
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
# Characters of an exception's text in a message.
_LONGEST_ERROR: Final = 200


class CallableConnection:
    """Calls ``retrieve(query)``, with the limit as well where it takes one.

    The limit goes to the parameter with one of ``LIMIT_NAMES``, or else to the second one where
    that has no default.

    A class, or a function without parameters, is a factory: it is called once and returns the
    callable. Each of them may be a coroutine function. Importing and building may take any time.
    A question that is not answered in time ends the evaluation, and the thread in which it hangs
    is abandoned.
    """

    def __init__(self, load: Callable[[], object], *, name: str, seconds: float) -> None:
        """Load a callable, in the thread that will call it.

        Args:
            load: Returns the callable or its factory.
            name: What messages call it.
            seconds: How long one question may take.

        Raises:
            InputError: What was loaded is not callable.
            RetrieverError: The factory raised.
        """
        self._name = name
        self._seconds = seconds
        self._call_thread = CallThread()
        try:
            loaded = self._call(load, seconds=None)
            self._retrieve = self._build(loaded)
        except BaseException:
            self._call_thread.close()
            raise
        self._limit = _limit_parameter(self._parameters(self._retrieve))

    @classmethod
    def from_path(cls, import_path: str, *, root: Path, seconds: float) -> Self:
        """Import a callable by ``MODULE:CALLABLE``; modules in the directory ``root`` count too.

        Raises:
            InputError: There is no such module or callable.
            RetrieverError: The factory of the callable raised.
        """
        module, _, attribute = import_path.partition(":")
        if not module or not attribute:
            raise InputError(f"py:{import_path}: wanted py:MODULE:CALLABLE, as in py:mysearch:find")
        if str(root) not in sys.path:
            sys.path.insert(0, str(root))
        load = partial(_import_attribute, module, attribute, root)
        return cls(load, name=f"py:{import_path}", seconds=seconds)

    @classmethod
    def from_callable(cls, retriever: Callable[..., object], *, seconds: float) -> Self:
        """Take a callable as it is.

        Raises:
            InputError: It returns no callable that takes a query.
            RetrieverError: It is a factory, and raised.
        """

        def load() -> object:
            return retriever

        return cls(load, name=callable_name(retriever), seconds=seconds)

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Call it."""
        call = partial(self._retrieve, question.text)
        if self._limit is not None and self._limit.kind is inspect.Parameter.POSITIONAL_ONLY:
            call = partial(self._retrieve, question.text, question.limit)
        elif self._limit is not None:
            limit_argument = {self._limit.name: question.limit}
            call = partial(self._retrieve, question.text, **limit_argument)
        reply = self._call(call, seconds=self._seconds)
        return read_reply(reply, limit=question.limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._call_thread.close()

    def _build(self, loaded: object) -> Callable[..., object]:
        """Return what was loaded, or call it if it is a factory."""
        if not callable(loaded):
            raise InputError(f"{self._name}: is not callable")
        is_class = isinstance(loaded, type)
        if not is_class and self._parameters(loaded):
            return loaded
        product = self._call(loaded, seconds=None)
        if not callable(product):
            kind = type(product).__name__
            raise InputError(f"{self._name}: returns {kind}, which is not callable")
        return product

    def _parameters(self, function: Callable[..., object]) -> Sequence[inspect.Parameter]:
        try:
            return tuple(inspect.signature(function).parameters.values())
        except (TypeError, ValueError) as error:
            # As some builtins, whose signature Python does not know.
            raise InputError(f"{self._name}: its parameters cannot be read: {error}") from error

    def _call(self, call: Callable[[], object], *, seconds: float | None) -> object:
        # What a callable prints must not mix with the output of the program.
        with redirect_stdout(sys.stderr):
            future = self._call_thread.start(call)
            wait([future], seconds)
        if seconds is not None and not future.done():
            time_allowed = in_seconds(seconds)
            raise RetrieverError(f"{self._name}: no reply within {time_allowed}")
        error = future.exception()
        if error is not None:
            raise self._failure(error) from error
        return future.result()

    def _failure(self, error: BaseException) -> GoldwrightError:
        if isinstance(error, InputError):
            return InputError(f"{self._name}: {error}")
        kind = type(error).__name__
        text = shorten(make_visible(str(error)), _LONGEST_ERROR)
        line = _raising_line(error)
        return RetrieverError(f"{self._name}: raised {kind}: {text}{line}")


def callable_name(retriever: Callable[..., object]) -> str:
    """Name a callable as its specification would, ``py:MODULE:CALLABLE``."""
    module = getattr(retriever, "__module__", None) or "?"
    class_name = type(retriever).__qualname__
    # An object that is called has no name of its own, so its class stands for it.
    name = getattr(retriever, "__qualname__", None) or class_name
    return f"py:{module}:{name}"


def _limit_parameter(parameters: Sequence[inspect.Parameter]) -> inspect.Parameter | None:
    """Find the parameter that takes the limit; the first one takes the query."""
    by_name = {parameter.name: parameter for parameter in parameters[1:]}
    for name in LIMIT_NAMES:
        if name in by_name:
            return by_name[name]
    second = parameters[1] if len(parameters) > 1 else None
    if second is None or second.kind not in _POSITIONAL or second.default is not second.empty:
        return None
    return second


def _raising_line(error: BaseException) -> str:
    """Name the file and line that raised, in parentheses; empty where they are not known."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    innermost = frames[-1]
    file_name = Path(innermost.filename).name
    return f" ({file_name}:{innermost.lineno})"


def _import_attribute(module: str, attribute: str, root: Path) -> object:
    value: object = None
    try:
        value = importlib.import_module(module)
        for name in attribute.split("."):
            value = getattr(value, name)
    except Exception as error:  # importing runs code of the user, which may raise anything
        kind = type(error).__name__
        advice = _import_advice(error, value, root)
        raise InputError(f"cannot be imported: {kind}: {error}{advice}") from error
    return value


def _import_advice(error: Exception, holder: object, root: Path) -> str:
    """Say what may have been meant, or where modules are looked for; as the end of a sentence."""
    if isinstance(error, AttributeError) and holder is not None:
        missing_name = str(error.name)
        suggestions = get_close_matches(missing_name, dir(holder), n=1)
        return f"; did you mean {suggestions[0]}?" if suggestions else ""
    if isinstance(error, ModuleNotFoundError):
        return f"; modules are looked for in {root} and where packages are installed"
    return ""
