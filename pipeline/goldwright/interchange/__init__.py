"""Datasets in other formats, and back: one module a format, and what each has no place for."""

from goldwright.interchange.atomic_output import refuse_existing, write_atomically
from goldwright.interchange.catalog import BY_NAME, FORMATS
from goldwright.interchange.corpus import Corpus
from goldwright.interchange.format import (
    PIECES,
    CorpusDocument,
    Dataset,
    Fields,
    Format,
    Loss,
    losses,
)

__all__ = [
    "BY_NAME",
    "FORMATS",
    "PIECES",
    "Corpus",
    "CorpusDocument",
    "Dataset",
    "Fields",
    "Format",
    "Loss",
    "losses",
    "refuse_existing",
    "write_atomically",
]
