"""A suite: a TOML file that names codebases, each with its revision, plan and settings."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from goldwright import __version__
from goldwright.canonical import digest, digest_bytes
from goldwright.engine.shards import Shard
from goldwright.errors import InputError
from goldwright.golden.loading import read_bytes
from goldwright.plan import read_plan
from goldwright.records.validation_problems import first_validation_problem
from goldwright.workspace import find_plan

# A name becomes a directory and the first part of query ids, so it is plain on every system.
_NAME: Final = r"^[a-z0-9][a-z0-9._-]{0,59}$"
_WANTED: Final = "wanted name, and [[codebases]] with name and repo"


class _CodebaseRow(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=_NAME)]
    repo: Annotated[str, Field(min_length=1)]
    rev: str | None = None
    plan: str | None = None
    config: str | None = None
    seed: int | None = None
    allow_dirty: bool = False


class _SuiteDocument(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=_NAME)]
    plan: str = "phase1"
    config: str | None = None
    seed: int | None = None
    codebases: Annotated[tuple[_CodebaseRow, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class SuiteCodebase:
    """A codebase of a suite: one piece of its work.

    Attributes:
        name: What tables, query ids and directories call it.
        repo: Its directory.
        rev: The commit; HEAD where there is none.
        plan: The file of its plan.
        config: Its settings; None for the defaults.
        seed: Goes before the seed of the settings.
        allow_dirty: Whether to pin the files of the work tree as they are.
        inputs: The digest of all that its dataset rests on and this machine can know unopened:
            name, revision, plan, settings, seed and version of the program, but no directory.
    """

    name: str
    repo: Path
    rev: str | None
    plan: Path
    config: Path | None
    seed: int | None
    allow_dirty: bool
    inputs: str


@dataclass(frozen=True, slots=True)
class Suite:
    """Codebases whose datasets make one.

    Attributes:
        name: The suite's name.
        codebases: At least one, in the order of the file.
    """

    name: str
    codebases: tuple[SuiteCodebase, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the codebases, in the order of the file."""
        return tuple(codebase.name for codebase in self.codebases)

    def of_shard(self, shard: Shard | None) -> tuple[SuiteCodebase, ...]:
        """Give the codebases of a shard; all of them without one."""
        if shard is None:
            return self.codebases
        return shard.share_of(self.codebases)


def read_suite(path: Path) -> Suite:
    """Read a suite; relative paths in it start at its own directory.

    Raises:
        InputError: It or a file that it names cannot be read, it is no such TOML, or names a
            codebase twice.
    """
    document = _read_document(path)
    names = [row.name for row in document.codebases]
    repeated_names = [name for name in names if names.count(name) > 1]
    if repeated_names:
        repeated_name = min(repeated_names)
        raise InputError(f"{path}: names {repeated_name} twice")
    directory = path.parent
    codebases = [_codebase(row, document, directory) for row in document.codebases]
    return Suite(document.name, tuple(codebases))


def _read_document(path: Path) -> _SuiteDocument:
    data = read_bytes(path, content="suite")
    try:
        return _SuiteDocument.model_validate(tomllib.loads(data.decode("utf-8-sig")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: no TOML: {error}") from error
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{path}: {problem}; {_WANTED}") from error


def _codebase(row: _CodebaseRow, document: _SuiteDocument, directory: Path) -> SuiteCodebase:
    plan_name = row.plan or document.plan
    plan_path = find_plan(plan_name, directory.absolute())
    config_name = row.config or document.config
    config = None
    settings = None
    if config_name is not None:
        config = (directory / config_name).absolute()
        settings = digest_bytes(read_bytes(config, content="settings"))
    seed = document.seed if row.seed is None else row.seed
    inputs = {
        "name": row.name,
        "rev": row.rev,
        "plan": read_plan(plan_path).model_dump(mode="json"),
        "settings": settings,
        "seed": seed,
        "allow_dirty": row.allow_dirty,
        "goldwright": __version__,
    }
    repo = (directory / row.repo).absolute()
    return SuiteCodebase(
        name=row.name,
        repo=repo,
        rev=row.rev,
        plan=plan_path.absolute(),
        config=config,
        seed=seed,
        allow_dirty=row.allow_dirty,
        inputs=digest(inputs),
    )


def is_codebase_name(name: str) -> bool:
    """Whether a text could be the name of a codebase of a suite."""
    return re.fullmatch(_NAME, name) is not None
