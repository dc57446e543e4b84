"""Only regular files are opened, so that nothing is waited for and nothing has no end."""

import errno
import os
import socket
from pathlib import Path

import pytest

from goldwright.regular_files import IrregularFileError, open_regular, read_regular


def _make_pipe(path: Path) -> None:
    os.mkfifo(path)


def _make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


def _link_to_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [_make_pipe, _make_socket, _link_to_device])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, make: object) -> None:
    path = tmp_path / "x"
    assert callable(make)
    make(path)
    with pytest.raises(IrregularFileError, match="not a regular file"):
        open_regular(path)


def test_a_directory_and_a_name_with_a_nul_are_errors_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with pytest.raises(OSError, match="NUL"):
        open_regular(tmp_path / "a\0b")


@pytest.mark.parametrize("size", [0, 1, 9, 10])
def test_all_bytes_are_read_up_to_the_limit(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a" * size)
    assert read_regular(path, most=10) == b"a" * size


def test_beyond_the_limit_nothing_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match="over 10 bytes") as raised:
        read_regular(path, most=10)
    assert raised.value.errno == errno.EFBIG


def test_a_file_that_says_it_is_empty_is_read_to_its_end_and_limit() -> None:
    """As those of /proc do, which are made up while they are read."""
    path = Path("/proc/self/maps")
    assert len(read_regular(path)) > path.stat().st_size
    with pytest.raises(OSError, match="over 10 bytes"):
        read_regular(path, most=10)
