"""A retriever by its specification: what stands behind ``--retriever``."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.connections.builtins import OwnConnection
from goldwright.retrieval.connections.callables import CallableConnection
from goldwright.retrieval.connections.connection import Connection
from goldwright.retrieval.connections.processes import ProcessConnection
from goldwright.retrieval.connections.runs import RunConnection
from goldwright.retrieval.connections.servers import ServerConnection
from goldwright.retrieval.port import Retriever
from goldwright.retrieval.retrievers.bm25 import BM25
from goldwright.retrieval.retrievers.grep import Grep
from goldwright.snapshot import Snapshot

OWN: Final[Mapping[str, Callable[[Snapshot], Retriever]]] = {"bm25": BM25.over, "grep": Grep.over}
FORMS: Final = (*OWN, "py:MODULE:CALLABLE", "cmd:COMMAND", "http://…", "trec:FILE")


def connect(spec: str, snapshot: Snapshot, *, root: Path, seconds: float) -> AbstractContextManager[Connection]:
    """Make the connection that a specification names; what it holds is let go at the end of the block.

    Args:
        spec: One of ``FORMS``.
        snapshot: What the program's own retrievers search.
        root: Where modules and files of the specification start.
        seconds: How long one question may take.

    Raises:
        InputError: It names none, or what it names is not there.
    """
    kind, _, rest = spec.partition(":")
    if spec in OWN:
        return nullcontext(OwnConnection(OWN[spec](snapshot)))
    if kind in {"http", "https"}:
        return ServerConnection(spec, seconds=seconds)
    if kind == "py":
        return nullcontext(CallableConnection.named(rest, root=root))
    if kind == "cmd":
        return ProcessConnection(rest, seconds=seconds)
    if kind == "trec":
        return nullcontext(RunConnection(root / rest))
    raise InputError(f"{spec}: no retriever; wanted one of {', '.join(FORMS)}")
