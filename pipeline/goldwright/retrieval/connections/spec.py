"""A retriever by its specification: what stands behind ``--retriever``."""

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.connections.builtin import BuiltinConnection
from goldwright.retrieval.connections.callables import CallableConnection, callable_name
from goldwright.retrieval.connections.http import HttpConnection, shown_address
from goldwright.retrieval.connections.port import Connection
from goldwright.retrieval.connections.processes import ProcessConnection
from goldwright.retrieval.connections.trec_runs import TrecRunConnection
from goldwright.retrieval.port import Retriever
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.retrieval.retrievers.grep import GrepRetriever
from goldwright.snapshot import Snapshot

OWN: Final[Mapping[str, Callable[[Snapshot], Retriever]]] = {
    "bm25": BM25Retriever.over,
    "grep": GrepRetriever.over,
}
ENCODED: Final = ("dense", "hybrid")
FORMS: Final = (
    *OWN, *ENCODED, "py:MODULE:CALLABLE", "cmd:COMMAND", "http://…", "mcp:COMMAND", "mcp:http://…", "trec:FILE",
)  # fmt: skip
Tell = Callable[[str], None]

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


RetrieverSpec = str | Callable[..., object]
"""A retriever as ``--retriever`` names it, or in Python the callable itself."""


def retriever_name(spec: RetrieverSpec) -> str:
    """Write a specification as reports name it: without what may be secret in an address."""
    return shown_address(spec) if isinstance(spec, str) else callable_name(spec)


def connect(
    spec: RetrieverSpec,
    snapshot: Snapshot,
    *,
    root: Path,
    seconds: float,
    cache: Path | None = None,
    environment: Mapping[str, str] = NOTHING,
    tell: Tell | None = None,
) -> AbstractContextManager[Connection]:
    """Make the connection that a specification names; what it holds is let go at the end of the
    block.

    Args:
        spec: One of ``FORMS``, or a callable.
        snapshot: What the program's own retrievers search.
        root: Where modules and files of the specification start.
        seconds: How long one question may take.
        cache: Where vectors are kept between runs; without it they are made anew each time.
        environment: What the command of an MCP server is started with, beside ``PATH``, ``HOME``
            and the like.
        tell: Is told what takes long: how many entities are encoded, and the tool of an MCP server
            that was found.

    Raises:
        InputError: It names none, or what it names is not there, or its packages are not installed.
        RetrieverError: It cannot be brought to the point where it could be asked.
    """
    if not isinstance(spec, str):
        return CallableConnection.of(spec, seconds=seconds)
    kind, _, rest = spec.partition(":")
    if spec in OWN or spec in ENCODED:
        return nullcontext(BuiltinConnection(_own(spec, snapshot, cache, tell or _nothing)))
    if kind in {"http", "https"}:
        return HttpConnection(spec, seconds=seconds)
    if kind == "py":
        return CallableConnection.named(rest, root=root, seconds=seconds)
    if kind == "cmd":
        return ProcessConnection(rest, seconds=seconds)
    if kind == "mcp":
        return _tool(
            rest, root=root, seconds=seconds, environment=environment, tell=tell or _nothing
        )
    if kind == "trec":
        return nullcontext(TrecRunConnection(root / rest))
    raise InputError(f"{spec}: no retriever; wanted one of {', '.join(FORMS)}")


def _own(spec: str, snapshot: Snapshot, cache: Path | None, tell: Tell) -> Retriever:
    if spec in OWN:
        return OWN[spec](snapshot)
    with _extra("dense", spec):
        dense, hybrid, encoder = (
            importlib.import_module(f"goldwright.retrieval.retrievers.{name}")
            for name in ("dense", "hybrid", "text_encoder")
        )
        model = encoder.MiniLM()
    meaning: Retriever = dense.DenseRetriever.over(snapshot, model, cache=cache, tell=tell)
    if spec == "dense":
        return meaning
    both: Retriever = hybrid.HybridRetriever(BM25Retriever.over(snapshot), meaning)
    return both


def _tool(
    place: str, *, root: Path, seconds: float, environment: Mapping[str, str], tell: Tell
) -> AbstractContextManager[Connection]:
    with _extra("mcp", "mcp"):
        module = importlib.import_module("goldwright.retrieval.connections.mcp")
    connection: AbstractContextManager[Connection] = module.McpConnection(
        place, root=root, seconds=seconds, environment=environment, tell=tell
    )
    return connection


@contextmanager
def _extra(name: str, spec: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise InputError(
            f"{spec}: needs {error.name or error}; pip install 'goldwright[{name}]'"
        ) from error


def _nothing(_text: str) -> None:
    """Say nothing."""
