"""The manifest of several repositories: a TOML file with a table for each."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from goldwright.errors import InputError
from goldwright.golden.loading import read_bytes
from goldwright.records.validation_problems import first_validation_problem
from goldwright.text import counted

_FEWEST: Final = 2


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(min_length=1, max_length=60)]
    repo: Annotated[str, Field(min_length=1)]
    dataset: Annotated[str, Field(min_length=1)]
    rev: str | None = None


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    repos: tuple[_Row, ...]


@dataclass(frozen=True, slots=True)
class RepositoryEntry:
    """A repository of a manifest.

    Attributes:
        name: What tables call it.
        repo: Its directory.
        dataset: The dataset of its queries.
        rev: The commit; HEAD where there is none.
    """

    name: str
    repo: Path
    dataset: str
    rev: str | None = None


def read_manifest(path: Path) -> tuple[RepositoryEntry, ...]:
    """Read a manifest; relative paths in it start at its own directory.

    Raises:
        InputError: It cannot be read, is no such TOML, names a repository twice, or fewer than
            two.
    """
    data = read_bytes(path, content="manifest")
    try:
        fields = tomllib.loads(data.decode("utf-8-sig"))
        document = _Document.model_validate(fields)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: no TOML: {error}") from error
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{path}: {problem}; wanted [[repos]] with name, repo, dataset") from error
    names = [row.name for row in document.repos]
    if len(set(names)) < len(names):
        raise InputError(f"{path}: names a repository twice")
    if len(names) < _FEWEST:
        repositories = counted(len(names), "repository")
        shortage = f"names {repositories}; wanted {_FEWEST} or more"
        raise InputError(f"{path}: {shortage}")
    directory = path.parent
    return tuple(_entry(row, directory) for row in document.repos)


def _entry(row: _Row, directory: Path) -> RepositoryEntry:
    dataset = directory / row.dataset
    # A dataset that is no file beside the manifest is a version in golden/.
    name = str(dataset) if dataset.exists() else row.dataset
    repo = directory / row.repo
    return RepositoryEntry(row.name, repo, name, row.rev)
