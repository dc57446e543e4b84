"""Every reranker that is opened by a specification; ``model`` is opened by the use case."""

from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.rerankers.cross_encoder import CrossEncoderReranker
from goldwright.retrieval.rerankers.lexical_features import LexicalFeatureReranker
from goldwright.retrieval.rerankers.port import Reranker
from goldwright.retrieval.retrievers.bm25 import BM25Retriever

FORMS: Final = ("lexical", "cross-encoder:DIRECTORY", "model")
DEFAULT_RERANKER: Final = "lexical"


def open_reranker(spec: str, bm25: BM25Retriever, *, root: Path) -> Reranker:
    """Open a reranker.

    Args:
        spec: One of ``FORMS``.
        bm25: The lexical index of the codebase.
        root: Where a relative directory is looked for.

    Raises:
        InputError: It has none of the forms, or what it names is not there.
    """
    if spec == "lexical":
        return LexicalFeatureReranker(bm25)
    kind, _, place = spec.partition(":")
    if kind == "cross-encoder" and place:
        return CrossEncoderReranker(root / place)
    forms = ", ".join(FORMS)
    raise InputError(f"{spec}: no reranker; wanted one of {forms}")
