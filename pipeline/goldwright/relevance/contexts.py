"""What a solver is shown: documents of a pool, with filler in the place of those left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

# A line of filler says nothing about anything, and is about as long as a line of code.
_FILLER_LINE = "# This part of the page was left blank; nothing is written here.\n"


@dataclass(frozen=True, slots=True)
class PoolDocument:
    """A document that may matter.

    Attributes:
        document_id: By which results name it; a solver never sees it.
        text: What a solver sees.
        origin: Where it came from: "seeded", "retrieved" or "random"; a solver never sees it.
    """

    document_id: str
    text: str
    origin: str


def build_pool(
    seeded: Sequence[PoolDocument],
    retrieved: Sequence[PoolDocument],
    random: Sequence[PoolDocument],
    *,
    seed: int,
) -> list[PoolDocument]:
    """Put a pool together, each document once, in an order that tells nothing of its origin."""
    documents: dict[str, PoolDocument] = {}
    for document in (*seeded, *retrieved, *random):
        documents.setdefault(document.document_id, document)
    pool = [documents[document_id] for document_id in sorted(documents)]
    Random(seed).shuffle(pool)  # noqa: S311  # orders documents, no secret
    return pool


def render_context(pool: Sequence[PoolDocument], included: Sequence[bool], *, seed: int) -> str:
    """Write the context of one trial.

    A document that is left out leaves filler of its length at its place, so that all contexts of a
    pool are equally long and a document's effect is not that of a shorter page. Places and numbers
    are drawn again for every trial.

    Args:
        pool: The documents.
        included: Which of them are shown, in the order of the pool.
        seed: Chooses the places.
    """
    order = list(range(len(pool)))
    Random(seed).shuffle(order)  # noqa: S311  # orders documents, no secret
    parts = []
    for place, number in enumerate(order, start=1):
        text = pool[number].text
        shown_text = text if included[number] else filler(len(text))
        parts.append(f"[document {place}]\n{shown_text}")
    return "\n\n".join(parts)


def filler(length: int) -> str:
    """Write so many characters that say nothing about anything."""
    lines = length // len(_FILLER_LINE) + 1
    return (_FILLER_LINE * lines)[:length]
