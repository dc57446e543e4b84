"""A file of mined cases, and beside it the account of how they were mined.

The account says how many bytes of the file it answers for. A file is first written, in one step
with all that it held, and then its account: a crash between the two leaves cases behind that no
account answers for. These are cut off and mined again, which gives the same ones.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from goldwright.atomic_files import READABLE, is_taken, locked_directory, replace_file
from goldwright.canonical import digest_bytes
from goldwright.errors import BusyError, InputError
from goldwright.mining.filters import FILTERS, Filter
from goldwright.mining.settings import LeakRule, MiningSettings
from goldwright.records import MinedCase, MiningLevel, Record
from goldwright.regular_files import open_regular

_ENDING: Final = ".mining.json"
# Far beyond the 100 MB that a million cases take.
_MOST_BYTES: Final = 1 << 30


class MiningAccountSettings(Record):
    """The settings of a file; their names and meanings are those of ``MiningSettings``."""

    level: MiningLevel
    max_files: int
    max_symbols: int
    min_words: int
    leaks: LeakRule
    with_body: bool
    with_tests: bool
    at_parent: bool


class MiningPass(Record):
    """One mining of a part of the history.

    Attributes:
        since: The last commit of the pass before; empty where the history was read from its start.
        tip: The last commit that was looked at.
        looked_at: How many commits were: as many as there are cases and filtered ones.
        cases: How many became cases.
        filtered: How many each filter took.
    """

    since: str
    tip: str
    looked_at: int = Field(ge=0)
    cases: int = Field(ge=0)
    filtered: dict[Filter, int]


class MiningAccount(Record):
    """How a file of cases was mined.

    Attributes:
        format: What this is.
        program: The version of the program that wrote it last.
        settings: The settings of every pass.
        passes: The passes, in their order.
        bytes: For how much of the file this answers.
        sha256: The digest of that much.
    """

    format: Literal["goldwright-mining-1"] = "goldwright-mining-1"
    program: str
    settings: MiningAccountSettings
    passes: tuple[MiningPass, ...] = ()
    bytes: int = Field(default=0, ge=0)
    sha256: str = ""

    @property
    def tip(self) -> str | None:
        """The last commit that was looked at; None where none was."""
        return self.passes[-1].tip if self.passes else None

    @property
    def totals(self) -> MiningPass:
        """All passes as one."""
        filtered: Counter[Filter] = Counter()
        for mining_pass in self.passes:
            filtered.update(mining_pass.filtered)
        since = self.passes[0].since if self.passes else ""
        looked_at = sum(mining_pass.looked_at for mining_pass in self.passes)
        cases = sum(mining_pass.cases for mining_pass in self.passes)
        return MiningPass(
            since=since,
            tip=self.tip or "",
            looked_at=looked_at,
            cases=cases,
            filtered={name: filtered[name] for name in FILTERS},
        )


@dataclass(frozen=True, slots=True)
class MinedFile:
    """A file of cases as it lies on disk.

    Attributes:
        path: The file.
        account: Its account.
        data: The bytes that the account answers for.
        cases: The cases in them.
    """

    path: Path
    account: MiningAccount
    data: bytes = b""
    cases: tuple[MinedCase, ...] = ()


def account_path(path: Path) -> Path:
    """Tell where the account of a file lies: ``cases.jsonl`` has ``cases.mining.json``."""
    return path.with_name(f"{path.stem}{_ENDING}")


def open_mined(path: Path, settings: MiningSettings, *, program: str) -> MinedFile:
    """Open a file to which cases may be added, or begin one.

    Raises:
        InputError: The name is taken by something else, the file was changed, or it was mined with
            other settings.
    """
    own_settings = _account_settings(settings)
    account_file = account_path(path)
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no directory {path.parent}")
    if not is_taken(account_file):
        if is_taken(path) and _read(path):
            raise InputError(
                f"{path}: was not written by mine, so nothing is added to it; give another --out"
            )
        return MinedFile(path, MiningAccount(program=program, settings=own_settings))
    account = _read_account(account_file)
    differences = _differences(account.settings, own_settings)
    if differences:
        raise InputError(f"{path}: was mined with {differences}; give these, or another --out")
    data = _read(path)[: account.bytes] if is_taken(path) else b""
    if len(data) != account.bytes or (data and digest_bytes(data) != account.sha256):
        raise InputError(
            f"{path}: is not what {account_file.name} says that it was; give another --out"
        )
    return MinedFile(path, account, data, _parse(path, data))


def add_cases(
    file: MinedFile, cases: Sequence[MinedCase], mining_pass: MiningPass, *, program: str
) -> MinedFile:
    """Add the cases of a pass behind those that are there.

    Raises:
        InputError: The file cannot be written.
        BusyError: Another process has added to it meanwhile.
    """
    lines = "".join(f"{case.as_json()}\n" for case in cases)
    data = file.data + lines.encode("ascii")
    passes = (*file.account.passes, mining_pass)
    update = {
        "program": program,
        "passes": passes,
        "bytes": len(data),
        "sha256": digest_bytes(data),
    }
    account = file.account.model_copy(update=update)
    with locked_directory(file.path.parent):
        _check_unchanged(file)
        if not is_taken(account_path(file.path)):
            # So that the file is known for ours should we die right behind it.
            _write_account(file.path, file.account)
        replace_file(file.path, data, mode=READABLE)
        _write_account(file.path, account)
    return MinedFile(file.path, account, data, (*file.cases, *cases))


def _check_unchanged(file: MinedFile) -> None:
    path = account_path(file.path)
    current = _read_account(path).passes if is_taken(path) else ()
    if current != file.account.passes:
        raise BusyError(f"{file.path}: another process added to it meanwhile; mine again")


def _write_account(path: Path, account: MiningAccount) -> None:
    text = account.model_dump_json(indent=2)
    replace_file(account_path(path), f"{text}\n".encode(), mode=READABLE)


def _read_account(path: Path) -> MiningAccount:
    try:
        account = MiningAccount.model_validate_json(_read(path))
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
        raise InputError(
            f"{path}: is no account of a mining ({reason}); give another --out"
        ) from error
    for mining_pass in account.passes:
        if mining_pass.filtered.keys() != set(FILTERS):
            raise InputError(f"{path}: was written by another version; give another --out")
    return account


def _parse(path: Path, data: bytes) -> tuple[MinedCase, ...]:
    cases: list[MinedCase] = []
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            cases.append(MinedCase.model_validate_json(line))
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise InputError(f"{path}: line {number}: is no mined case: {reason}") from error
    return tuple(cases)


def _read(path: Path) -> bytes:
    try:
        with open_regular(path) as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > _MOST_BYTES:
        raise InputError(f"{path}: is too large for a file of cases; give another --out")
    return data


def _account_settings(settings: MiningSettings) -> MiningAccountSettings:
    return MiningAccountSettings(
        level=settings.level,
        max_files=settings.max_files,
        max_symbols=settings.max_symbols,
        min_words=settings.min_words,
        leaks=settings.leaks,
        with_body=settings.with_body,
        with_tests=settings.with_tests,
        at_parent=settings.at_parent,
    )


def _differences(old: MiningAccountSettings, new: MiningAccountSettings) -> str:
    """Name the settings that differ, as an older file has them."""
    parts: list[str] = []
    for name, value in old.model_dump().items():
        if getattr(new, name) != value:
            parts.append(f"{name} = {value}")
    return ", ".join(parts)
