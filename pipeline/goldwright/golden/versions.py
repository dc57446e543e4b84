"""The published versions of a directory, and which of them a reader takes."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Self

from goldwright.canonical import digest_bytes
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.loading import metadata_path, parse_metadata, read_bytes
from goldwright.golden.metadata import DatasetMetadata
from goldwright.text import make_visible

NEWEST: Final = "latest"
_NUMBER: Final = "(0|[1-9][0-9]{0,5})"
_VERSION: Final = re.compile(rf"(?:golden_v|v)?{_NUMBER}\.{_NUMBER}")
_BLESSED: Final = re.compile(rf"golden_v{_NUMBER}\.{_NUMBER}\.json")
_DRAFT: Final = re.compile(rf"golden_v{_NUMBER}\.{_NUMBER}\.draft\.json")


class Version(NamedTuple):
    """A version of a dataset; versions are ordered as numbers, so 1.10 is newer than 1.9."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``1.0``, ``v1.0`` or ``golden_v1.0``.

        Raises:
            InputError: It is none of these.
        """
        found = _VERSION.fullmatch(text)
        if found is None:
            raise InputError(f"{text}: no version; wanted MAJOR.MINOR, as in 1.0")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A blessed version and where it lies."""

    version: Version
    path: Path


@dataclass(frozen=True, slots=True)
class DatasetFile:
    """The dataset that was taken; ``version`` is ``None`` for a file that is no published version.

    ``how`` says in a few words why this one was taken.
    """

    path: Path
    version: Version | None
    sha256: str
    is_newest: bool
    how: str

    @property
    def sentence(self) -> str:
        """One plain line: what was taken, why, and its hash."""
        name = self.path.name if self.version else str(self.path)
        return f"{make_visible(name)} ({self.how}), {self.sha256}"


def published_versions(directory: Path) -> tuple[PublishedVersion, ...]:
    """List the blessed versions of a directory, oldest number first; a missing directory holds
    none.

    Raises:
        InputError: The directory cannot be read.
    """
    matches = ((path, _BLESSED.fullmatch(path.name)) for path in _files(directory))
    found = (PublishedVersion(Version(int(match[1]), int(match[2])), path) for path, match in matches if match)
    return tuple(sorted(found, key=lambda one: one.version))


def find_dataset(asked: str | None, directory: Path) -> DatasetFile:
    """Find the dataset that somebody asked for: the newest unless it is pinned.

    Args:
        asked: Nothing or ``latest`` for the newest blessed version, a version to pin it, anything
            else a path. A draft has no version, and so is taken by its path only.
        directory: Where versions are published.

    Raises:
        InputError: There is no such dataset; the text lists what there is.
    """
    versions = published_versions(directory)
    if asked is None or asked == NEWEST:
        return _newest(versions, directory)
    if _VERSION.fullmatch(asked):
        return _pinned(Version.parse(asked), versions, directory)
    return _named(Path(asked), versions, directory)


def checked_metadata(found: DatasetFile, data: bytes) -> DatasetMetadata | None:
    """Make sure that bytes are the dataset that was found, and give its metadata; ``None`` where
    there is none.

    Raises:
        QualityGateError: They have another hash than the metadata beside the file says, or than
            when it was found.
        InputError: The metadata cannot be read.
    """
    now = digest_bytes(data)
    if now != found.sha256:
        raise QualityGateError(f"{found.path}: changed while it was read: {found.sha256} before, {now} now")
    metadata = parse_metadata(found.path)
    beside = metadata_path(found.path).name
    if found.version is not None and metadata is not None and metadata.dataset_status != "human_blessed":
        raise QualityGateError(f"{found.path}: is named as a blessed version, and {beside} calls it no such thing")
    if metadata is not None and metadata.dataset_sha256 != now:
        raise QualityGateError(f"{found.path}: is {now}, where {beside} names {metadata.dataset_sha256}")
    return metadata


def _newest(versions: tuple[PublishedVersion, ...], directory: Path) -> DatasetFile:
    if not versions:
        raise InputError(f"{_offer(versions, directory)}; goldwright export writes one")
    how = f"the newest of {len(versions)}" if len(versions) > 1 else "the only version"
    return _found(versions[-1], versions, how)


def _pinned(version: Version, versions: tuple[PublishedVersion, ...], directory: Path) -> DatasetFile:
    for one in versions:
        if one.version == version:
            is_last = one is versions[-1]
            return _found(one, versions, "pinned" if is_last else f"pinned; the newest is {versions[-1].version}")
    raise InputError(f"{directory}: no blessed version {version}; {_offer(versions, directory)}")


def _named(path: Path, versions: tuple[PublishedVersion, ...], directory: Path) -> DatasetFile:
    try:
        data = read_bytes(path, what="dataset")
    except InputError as error:
        raise InputError(f"{error}; {_offer(versions, directory)}") from error
    is_the_same = (one for one in versions if one.path.resolve() == path.resolve())
    version = next((one.version for one in is_the_same), None)
    is_newest = version is not None and version == versions[-1].version
    return DatasetFile(path, version, digest_bytes(data), is_newest, "named by its path")


def _found(one: PublishedVersion, versions: tuple[PublishedVersion, ...], how: str) -> DatasetFile:
    data = read_bytes(one.path, what="dataset")
    return DatasetFile(one.path, one.version, digest_bytes(data), one is versions[-1], how)


def _offer(versions: tuple[PublishedVersion, ...], directory: Path) -> str:
    drafts = sorted(path.name for path in _files(directory) if _DRAFT.fullmatch(path.name))
    blessed = f"{directory} holds {', '.join(one.path.name for one in versions) or 'no version that people blessed'}"
    return f"{blessed} (and drafts, to be named by their paths: {', '.join(drafts)})" if drafts else blessed


def _files(directory: Path) -> tuple[Path, ...]:
    try:
        return tuple(path for path in directory.iterdir() if path.is_file())
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"{directory}: cannot be read: {error.strerror}") from error
