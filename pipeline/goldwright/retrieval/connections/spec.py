"""A retriever by its specification: the value of ``--retriever``."""

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.connections.builtin import BuiltinConnection
from goldwright.retrieval.connections.callable_process import CallableProcessConnection
from goldwright.retrieval.connections.callables import CallableConnection, callable_name
from goldwright.retrieval.connections.http import HttpConnection, shown_address
from goldwright.retrieval.connections.port import Connection
from goldwright.retrieval.connections.processes import ProcessConnection
from goldwright.retrieval.connections.trec_runs import TrecRunConnection
from goldwright.retrieval.entity_documents import EntityDocument
from goldwright.retrieval.local_dense import open_dense_retriever
from goldwright.retrieval.port import SizedRetriever
from goldwright.retrieval.retrievers.bm25 import NAME as BM25_NAME
from goldwright.retrieval.retrievers.bm25 import VERSION as BM25_VERSION
from goldwright.retrieval.retrievers.bm25 import BM25Retriever
from goldwright.retrieval.retrievers.grep import GrepRetriever
from goldwright.snapshot import Snapshot

LEXICAL: Final[Mapping[str, type[BM25Retriever] | type[GrepRetriever]]] = {
    "bm25": BM25Retriever,
    "grep": GrepRetriever,
}
# Words and meaning together, by the way in which they are fused; without one, by z-scores.
HYBRID: Final[Mapping[str, str]] = {
    "hybrid": "zscore",
    "hybrid:zscore": "zscore",
    "hybrid:rrf": "rrf",
}
# Built-in as well, but they need packages of an extra.
ENCODER_BASED: Final = ("dense", *HYBRID)
# Those whose results depend on BM25 change with it, and carry its version in their name.
_VERSIONED_NAMES: Final[Mapping[str, str]] = {
    "bm25": BM25_NAME,
    **{spec: f"hybrid:{fusion}-{BM25_VERSION}" for spec, fusion in HYBRID.items()},
}
FORMS: Final = (
    *LEXICAL,
    *ENCODER_BASED,
    "py:MODULE:CALLABLE",
    "cmd:COMMAND",
    "http://…",
    "mcp:COMMAND",
    "mcp:http://…",
    "trec:FILE",
)
# A callable whose specification lacks "py:"; addresses and words with a hyphen are none.
_IMPORT_PATH: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
NO_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType({})

ReportProgress = Callable[[str], None]

RetrieverSpec = str | Callable[..., object]
"""A retriever as ``--retriever`` names it, or in Python the callable itself."""


def retriever_name(spec: RetrieverSpec) -> str:
    """Write a specification as reports show it.

    What may be secret in an address is left out. A built-in retriever has its version behind its
    name (``bm25-3``) where an earlier one ranked in another way.
    """
    if not isinstance(spec, str):
        return callable_name(spec)
    if spec in _VERSIONED_NAMES:
        return _VERSIONED_NAMES[spec]
    return shown_address(spec)


def searched_name(spec: RetrieverSpec, *, searches_dataset: bool) -> str:
    """Write a specification as ``retriever_name`` does, with what a built-in retriever searched.

    The documents that come with a dataset are other texts than those of the codebase, so an index
    of them goes by another name: ``bm25-3:documents``.
    """
    name = retriever_name(spec)
    if searches_dataset and searches_codebase(spec):
        return f"{name}:documents"
    return name


def searches_codebase(spec: RetrieverSpec) -> bool:
    """Return whether a retriever is one of ours that search the entities of the codebase."""
    return isinstance(spec, str) and (spec in LEXICAL or spec in ENCODER_BASED)


def is_built_in(spec: str) -> bool:
    """Whether a specification names a retriever of ours, or a file of results."""
    return searches_codebase(spec) or spec.startswith("trec:")


def refuse_own_index(spec: RetrieverSpec) -> None:
    """Refuse to blank docstrings for a retriever that indexed the code by itself, elsewhere.

    Its results would stand under a heading that is not true of them.

    Raises:
        InputError: The retriever is not a built-in one.
    """
    if searches_codebase(spec):
        return
    built_in = ", ".join((*LEXICAL, *ENCODER_BASED))
    raise InputError(
        f"{retriever_name(spec)}: holds an index of its own, in which no docstring can be blanked; "
        f"--blank-docstrings is for {built_in}"
    )


def connect(
    spec: RetrieverSpec,
    snapshot: Snapshot | None,
    *,
    root: Path,
    seconds: float,
    corpus: Callable[[], Iterable[EntityDocument]] | None = None,
    cache: Path | None = None,
    environment: Mapping[str, str] = NO_ENVIRONMENT,
    blank_docstrings: bool = False,
    report_progress: ReportProgress | None = None,
) -> AbstractContextManager[Connection]:
    """Make the connection that a specification names; the end of the block closes it.

    Args:
        spec: One of ``FORMS``, or a callable.
        snapshot: What the built-in retrievers search; None where there is no codebase.
        root: Where modules and files of the specification are looked for.
        seconds: How long one question may take.
        corpus: Gives what ``bm25`` and ``grep`` search where there is no codebase.
        cache: Where vectors are kept between runs; without it they are computed each time.
        environment: What the command of an MCP server is started with, beside ``PATH``, ``HOME``
            and the like.
        blank_docstrings: Whether the built-in retrievers search code without its docstrings.
        report_progress: Receives how many entities are encoded, and the chosen tool of an MCP
            server.

    Raises:
        InputError: It has none of the forms, or what it names does not exist, or its packages are
            not installed, or it cannot search without docstrings.
        RetrieverError: The retriever cannot be made ready for questions.
    """
    report = report_progress or _ignore
    if blank_docstrings:
        refuse_own_index(spec)
    if not isinstance(spec, str):
        return CallableConnection.from_callable(spec, seconds=seconds)
    if snapshot is None and (spec in LEXICAL or spec in ENCODER_BASED):
        over_corpus = _corpus_retriever(spec, corpus)
        return nullcontext(BuiltinConnection(over_corpus, documents=len(over_corpus)))
    if snapshot is not None and spec in LEXICAL:
        lexical = LEXICAL[spec].over(snapshot, blank_docstrings=blank_docstrings)
        return nullcontext(BuiltinConnection(lexical, documents=len(lexical)))
    if snapshot is not None and spec in ENCODER_BASED:
        encoder_based = _encoder_based_retriever(
            spec, snapshot, cache, report, blank_docstrings=blank_docstrings
        )
        return nullcontext(BuiltinConnection(encoder_based, documents=len(encoder_based)))
    kind, _, place = spec.partition(":")
    if kind == "mcp":
        return _mcp_connection(place, root, seconds, environment, report)
    return _foreign_connection(spec, kind, place, root=root, seconds=seconds)


def _foreign_connection(
    spec: str, kind: str, place: str, *, root: Path, seconds: float
) -> AbstractContextManager[Connection]:
    match kind:
        case "http" | "https":
            return HttpConnection(spec, seconds=seconds)
        case "py":
            _refuse_file_name(spec, place)
            return CallableProcessConnection(place, root=root, seconds=seconds)
        case "cmd":
            return ProcessConnection(place, seconds=seconds)
        case "trec":
            return nullcontext(TrecRunConnection(root / place))
        case _:
            suggestion = _meant_by(spec, root)
            advice = f"wanted one of {', '.join(FORMS)}"
            if suggestion:
                advice = f"did you mean {suggestion}?"
            raise InputError(f"{spec}: no retriever; {advice}")


def _refuse_file_name(spec: str, place: str) -> None:
    """Refuse a file where a module is wanted: Python would look for a module ``py`` in it."""
    module, _, name = place.partition(":")
    if module.endswith(".py"):
        module_path = module.removesuffix(".py").strip("./")
        module_name = module_path.replace("/", ".")
        raise InputError(
            f"{spec}: names a file; did you mean py:{module_name}:{name or 'CALLABLE'}?"
        )


def _meant_by(spec: str, root: Path) -> str | None:
    """Guess what a specification lacks: the word before its colon, or a letter of its name."""
    if _IMPORT_PATH.fullmatch(spec):
        module, _, name = spec.partition(":")
        return f"py:{module.removesuffix('.py')}:{name}"
    path = Path(spec)
    if path.suffix == ".py":
        return f"py:{path.stem}:CALLABLE"
    if path.name != spec and (root / path).is_file():
        return f"cmd:{spec}"
    return next(iter(get_close_matches(spec, FORMS, n=1)), None)


def _corpus_retriever(
    spec: str, corpus: Callable[[], Iterable[EntityDocument]] | None
) -> BM25Retriever | GrepRetriever:
    """Search the documents that come with a dataset, in place of a codebase."""
    if spec not in LEXICAL:
        raise InputError(f"{spec}: searches a codebase; name it with --repo DIR")
    if corpus is None:
        raise InputError(
            f"{spec}: has nothing to search: name the codebase with --repo DIR; "
            "the dataset comes without documents"
        )
    return LEXICAL[spec](corpus())


def _encoder_based_retriever(
    spec: str,
    snapshot: Snapshot,
    cache: Path | None,
    report: ReportProgress,
    *,
    blank_docstrings: bool,
) -> SizedRetriever:
    with _naming_extra("dense", spec):
        hybrid = importlib.import_module("goldwright.retrieval.retrievers.hybrid")
        dense_retriever = open_dense_retriever(
            snapshot, cache=cache, report=report, blank_docstrings=blank_docstrings
        )
    if spec == "dense":
        return dense_retriever
    bm25_retriever = BM25Retriever.over(snapshot, blank_docstrings=blank_docstrings)
    fusion_of_spec = hybrid.FUSIONS[HYBRID[spec]]
    hybrid_retriever: SizedRetriever = hybrid.HybridRetriever(
        bm25_retriever, dense_retriever, fusion_of_spec
    )
    return hybrid_retriever


def _mcp_connection(
    place: str,
    root: Path,
    seconds: float,
    environment: Mapping[str, str],
    report: ReportProgress,
) -> AbstractContextManager[Connection]:
    with _naming_extra("mcp", "mcp"):
        module = importlib.import_module("goldwright.retrieval.connections.mcp")
    connection: AbstractContextManager[Connection] = module.McpConnection(
        place, root=root, seconds=seconds, environment=environment, report_progress=report
    )
    return connection


@contextmanager
def _naming_extra(extra: str, spec: str) -> Iterator[None]:
    """Turn a missing package into an error that says how to install it."""
    try:
        yield
    except ImportError as error:
        package = error.name or error
        raise InputError(
            f"{spec}: pip install 'goldwright[{extra}]' ({package} is missing)"
        ) from error


def _ignore(_text: str) -> None:
    """Report nothing."""
