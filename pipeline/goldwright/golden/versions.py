"""The published versions of a directory, and which of them a reader gets."""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple, Self

from goldwright.canonical import digest_bytes
from goldwright.errors import GoldwrightError, InputError, QualityGateError
from goldwright.golden.loading import metadata_path, read_bytes, read_metadata
from goldwright.golden.metadata import VERSION_STATUSES, DatasetMetadata
from goldwright.text import make_visible

NEWEST: Final = "latest"
# Without leading zeros each version has one file name only, so no two files can claim one version.
_NUMBER: Final = "(0|[1-9][0-9]{0,5})"
_VERSION: Final = re.compile(rf"(?:golden_v|v)?{_NUMBER}\.{_NUMBER}")
_BLESSED_NAME: Final = re.compile(rf"golden_v{_NUMBER}\.{_NUMBER}\.json")
_DRAFT_NAME: Final = re.compile(rf"golden_v{_NUMBER}\.{_NUMBER}\.draft\.json")


class Version(NamedTuple):
    """A version of a dataset; versions are ordered as numbers, so 1.10 is newer than 1.9."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``1.0``, ``v1.0`` or ``golden_v1.0``.

        Raises:
            InputError: The text is none of these.
        """
        match = _VERSION.fullmatch(text)
        if match is None:
            raise InputError(f"{text}: no version; wanted MAJOR.MINOR, as in 1.0")
        return cls.of(match)

    @classmethod
    def of(cls, match: re.Match[str]) -> Self:
        """Give the version whose two numbers a pattern matched."""
        major, minor = match.groups()
        return cls(int(major), int(minor))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


def version_path(directory: Path, version: Version, *, is_draft: bool) -> Path:
    """Give the path of the dataset of a version.

    A draft has a name that is no version, so nobody takes it for the newest one.
    """
    ending = ".json"
    if is_draft:
        ending = ".draft.json"
    return directory / f"golden_v{version}{ending}"


def is_version(selector: str | None) -> bool:
    """Return whether a selector names a published version, and not a path."""
    if selector is None or selector == NEWEST:
        return True
    return _VERSION.fullmatch(selector) is not None


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A version, or a draft, and where it lies."""

    version: Version
    path: Path


@dataclass(frozen=True, slots=True)
class DatasetFile:
    """The file of a dataset that was looked up.

    Attributes:
        path: The file.
        version: Its version; None for a file that is no published version.
        sha256: The digest of its content when it was found.
        is_newest: Whether it is the newest blessed version of its directory.
        how: Why this file was chosen, in a few words.
    """

    path: Path
    version: Version | None
    sha256: str
    is_newest: bool
    how: str

    @property
    def description(self) -> str:
        """Which file it is, why it was chosen, and its digest, in one line."""
        name = self.path.name if self.version else str(self.path)
        visible_name = make_visible(name)
        return f"{visible_name} ({self.how}), {self.sha256}"


def published_versions(directory: Path) -> tuple[PublishedVersion, ...]:
    """List the blessed versions of a directory, oldest first; a missing directory holds none.

    Raises:
        InputError: The directory cannot be read.
    """
    return _versions_named(_BLESSED_NAME, directory)


def drafts_in(directory: Path) -> tuple[PublishedVersion, ...]:
    """List the drafts of a directory, the lowest version first; a missing one holds none.

    Raises:
        InputError: The directory cannot be read.
    """
    return _versions_named(_DRAFT_NAME, directory)


def find_dataset(selector: str | None, directory: Path) -> DatasetFile:
    """Find a dataset: the newest one, unless a version or a path is named.

    Args:
        selector: None or ``latest`` for the newest blessed version, or the newest draft of a run as
            long as people have blessed none; a version to pin it, anything else a path.
        directory: Where versions are published.

    Raises:
        InputError: There is no such dataset; the text lists what there is.
    """
    versions = published_versions(directory)
    # A version comes before a path, so a file called 1.0 has to be named ./1.0.
    if selector is None or selector == NEWEST:
        return _newest_dataset(versions, directory)
    if _VERSION.fullmatch(selector):
        return _pinned_dataset(Version.parse(selector), versions, directory)
    return _dataset_at(Path(selector), versions, directory)


def latest_in(directory: Path) -> Path | None:
    """Give the dataset that ``latest`` means in a directory; None where there is none to read."""
    try:
        return find_dataset(None, directory).path
    except GoldwrightError:
        return None


def checked_metadata(dataset_file: DatasetFile, data: bytes) -> DatasetMetadata | None:
    """Read the metadata of a dataset and check the content against them.

    Args:
        dataset_file: The dataset as it was found.
        data: The content that was read from it.

    Returns:
        The metadata; None where there are none.

    Raises:
        QualityGateError: The content has another digest than when it was found or than its metadata
            name, or a blessed version has metadata that do not call it blessed.
        InputError: The metadata cannot be read.
    """
    path = dataset_file.path
    # Between finding a file and reading it, somebody may have replaced it.
    sha256 = digest_bytes(data)
    if sha256 != dataset_file.sha256:
        raise QualityGateError(
            f"{path}: changed while it was read: {dataset_file.sha256} before, {sha256} now"
        )
    metadata = read_metadata(path)
    if metadata is None:
        return None
    metadata_name = metadata_path(path).name
    if dataset_file.version is not None and metadata.dataset_status not in VERSION_STATUSES:
        raise QualityGateError(
            f"{path}: is named as a blessed version, and {metadata_name} calls it no such thing"
        )
    if metadata.dataset_sha256 != sha256:
        raise QualityGateError(
            f"{path}: is {sha256}, where {metadata_name} names {metadata.dataset_sha256}"
        )
    return metadata


def _newest_dataset(versions: tuple[PublishedVersion, ...], directory: Path) -> DatasetFile:
    if not versions:
        draft = _newest_draft(directory)
        if draft is None:
            offer = _offer(versions, directory)
            raise InputError(
                f"{offer}; "
                f"goldwright export {NEWEST} --version 1.0 --draft writes one of the newest run"
            )
        return draft
    count = len(versions)
    how = f"the newest of {count}" if count > 1 else "the only version"
    return _published_dataset(versions[-1], versions, how)


def _newest_draft(directory: Path) -> DatasetFile | None:
    drafts = drafts_in(directory)
    if not drafts:
        return None
    # A list of others is asked for by its name: a gate on the draft of a run must not turn to it.
    of_runs = [draft for draft in drafts if not is_adopted_list(draft.path)]
    path = (of_runs or drafts)[-1].path
    data = read_bytes(path, content="dataset")
    count = len(drafts)
    how = "the only draft" if count == 1 else f"the newest of {count} drafts"
    if of_runs and len(of_runs) < len(drafts):
        how = f"{how} that is not adopted"
    return DatasetFile(
        path=path,
        version=None,
        sha256=digest_bytes(data),
        is_newest=False,
        how=f"{how}; people have blessed no version",
    )


def is_adopted_list(path: Path) -> bool:
    """Find out whether a dataset is a list of others that people have not decided on yet."""
    try:
        metadata = read_metadata(path)
    except GoldwrightError:
        return False
    return metadata is not None and metadata.dataset_status == "adopted_pending_human_review"


def _versions_named(name: re.Pattern[str], directory: Path) -> tuple[PublishedVersion, ...]:
    versions: list[PublishedVersion] = []
    for path in _files(directory):
        match = name.fullmatch(path.name)
        if match is not None:
            versions.append(PublishedVersion(Version.of(match), path))
    return tuple(sorted(versions, key=attrgetter("version")))


def _pinned_dataset(
    version: Version, versions: tuple[PublishedVersion, ...], directory: Path
) -> DatasetFile:
    for published in versions:
        if published.version == version:
            how = "pinned"
            if published is not versions[-1]:
                how = f"pinned; the newest is {versions[-1].version}"
            return _published_dataset(published, versions, how)
    draft = directory / f"golden_v{version}.draft.json"
    if draft.is_file():
        raise InputError(f"no blessed version {version}, only a draft, named by its path: {draft}")
    offer = _offer(versions, directory)
    raise InputError(f"no blessed version {version}; {offer}")


def _published_dataset(
    published: PublishedVersion, versions: tuple[PublishedVersion, ...], how: str
) -> DatasetFile:
    data = read_bytes(published.path, content="dataset")
    return DatasetFile(
        path=published.path,
        version=published.version,
        sha256=digest_bytes(data),
        is_newest=published is versions[-1],
        how=how,
    )


def _dataset_at(path: Path, versions: tuple[PublishedVersion, ...], directory: Path) -> DatasetFile:
    try:
        data = read_bytes(path, content="dataset")
    except InputError as error:
        # A file beside it that has nearly its name is advice enough.
        advice = ""
        if "did you mean" not in str(error):
            advice = _advice(path, versions, directory)
        raise InputError(f"{error}{advice}") from error
    version = _version_at(path, versions)
    is_newest = version is not None and version == versions[-1].version
    return DatasetFile(
        path=path,
        version=version,
        sha256=digest_bytes(data),
        is_newest=is_newest,
        how="named by its path",
    )


def _version_at(path: Path, versions: tuple[PublishedVersion, ...]) -> Version | None:
    # A published version stays one when it is named by its path, even through a link.
    resolved = path.resolve()
    for published in versions:
        if published.path.resolve() == resolved:
            return published.version
    return None


def _advice(path: Path, versions: tuple[PublishedVersion, ...], directory: Path) -> str:
    """Say what may have been meant by a path that cannot be read, as the end of a sentence."""
    drafts = _draft_names(directory)
    version_names = [published.path.name for published in versions]
    names = [NEWEST, *version_names, *drafts]
    suggestions = get_close_matches(path.name, names, n=1)
    if suggestions == [NEWEST]:
        return f"; did you mean {NEWEST}?"
    # A list of one's own has nothing to do with the versions there are.
    if not suggestions and path.suffix not in ("", ".json"):
        return ""
    return f"; {_offer(versions, directory)}"


def _offer(versions: tuple[PublishedVersion, ...], directory: Path) -> str:
    """Say which blessed versions and which drafts a directory holds."""
    if not directory.exists():
        return f"there is no {directory}: go where the runs are, or name a file"
    names = ", ".join(published.path.name for published in versions)
    blessed = f"{directory} holds {names or 'no version that people blessed'}"
    drafts = _draft_names(directory)
    if not drafts:
        return blessed
    draft_names = ", ".join(sorted(drafts))
    return f"{blessed} (and drafts, to be named by their paths: {draft_names})"


def _draft_names(directory: Path) -> list[str]:
    """List the names of the drafts that a directory holds."""
    names = [path.name for path in _files(directory)]
    return list(filter(_DRAFT_NAME.fullmatch, names))


def _files(directory: Path) -> tuple[Path, ...]:
    try:
        return tuple(filter(Path.is_file, directory.iterdir()))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"{directory}: cannot be read: {error.strerror}") from error
