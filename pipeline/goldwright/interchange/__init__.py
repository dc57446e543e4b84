"""Taking a dataset elsewhere and back: one module a format, and what each can not say."""

from goldwright.interchange.catalog import BY_NAME, FORMATS
from goldwright.interchange.corpus import Corpus
from goldwright.interchange.model import PIECES, Dataset, Document, Fields, Format, Loss, losses
from goldwright.interchange.placing import place, refuse_taken

__all__ = [
    "BY_NAME",
    "FORMATS",
    "PIECES",
    "Corpus",
    "Dataset",
    "Document",
    "Fields",
    "Format",
    "Loss",
    "losses",
    "place",
    "refuse_taken",
]
