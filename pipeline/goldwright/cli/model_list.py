"""The models that a comparison of arms can use, and what each still lacks."""

from collections.abc import Iterator

from goldwright.retrieval.embedders.catalog import EMBEDDER_FORMS
from goldwright.retrieval.rerankers.catalog import FORMS


def model_lines() -> Iterator[str]:
    """Write a line for each way to an embedder, and one for the rerankers."""
    yield "--embedder"
    for entry in EMBEDDER_FORMS:
        state = "ready"
        if entry.missing:
            missing = ", ".join(entry.missing)
            state = f"lacks {missing}: {entry.remedy}"
        yield f"  {entry.form:<28}{entry.title}; {state}"
    yield "--reranker"
    for form in FORMS:
        yield f"  {form}"
