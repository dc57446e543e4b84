"""Arguments as callers of the library give them, and as use cases take them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from goldwright.app.environment import Environment, current_environment
from goldwright.errors import InputError
from goldwright.golden.datasets import LoadedDataset
from goldwright.golden.versions import is_version
from goldwright.interchange.field_mapping import FieldMapping

StrPath = str | Path


def environment_in(workspace: StrPath) -> Environment:
    """Give the environment of this process, with a workspace in place of its directory."""
    root = Path(workspace).resolve()
    return replace(current_environment(), root=root)


def optional_path(path: StrPath | None) -> Path | None:
    """Read a path, where there is one."""
    if path is None:
        return None
    return Path(path)


def dataset_selector(dataset: StrPath | LoadedDataset) -> str:
    """Name a dataset as use cases look it up; an opened one is read again, as it is then."""
    if not isinstance(dataset, LoadedDataset):
        return str(dataset)
    path = str(dataset.path)
    # A file may have the name of a version.
    return f"./{path}" if is_version(path) else path


def field_mapping(
    fields: Mapping[str, str] | None, dataset: StrPath | LoadedDataset | None
) -> FieldMapping | None:
    """Take the names of fields that are stated, or those that a dataset was opened with.

    Raises:
        InputError: What a field is to hold is no part of a query.
    """
    if not fields and isinstance(dataset, LoadedDataset):
        fields = dataset.fields
    return FieldMapping.of(fields) if fields else None


def at_least_one(value: int, name: str) -> int:
    """Give a number that counts something.

    Raises:
        InputError: It is below 1.
    """
    if value < 1:
        raise InputError(f"{name}={value}: wanted at least 1")
    return value


def check_choice(value: str, choices: Sequence[str], name: str) -> None:
    """Refuse a word that is no choice.

    Raises:
        InputError: It is none; the text lists them.
    """
    if value not in choices:
        raise InputError(f"{name}={value!r}: wanted one of {', '.join(choices)}")
