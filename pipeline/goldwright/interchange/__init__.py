"""Datasets in any format: how it is read and written, and what it has no place for."""

from goldwright.interchange.atomic_output import refuse_existing, write_atomically
from goldwright.interchange.catalog import BY_NAME, FORMATS, READABLE
from goldwright.interchange.corpus import Corpus
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.interchange.format import PIECES, Dataset, Format, Loss, losses
from goldwright.interchange.opening import check_scorable, open_dataset
from goldwright.interchange.reading import read_file, read_folder

__all__ = [
    "BY_NAME",
    "FORMATS",
    "PIECES",
    "READABLE",
    "Corpus",
    "Dataset",
    "FieldMapping",
    "Format",
    "Loss",
    "check_scorable",
    "losses",
    "open_dataset",
    "read_file",
    "read_folder",
    "refuse_existing",
    "write_atomically",
]
