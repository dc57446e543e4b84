"""Turning files into a commit of a mirror, whose id follows from the content alone."""

from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final

from goldwright.errors import DamagedStateError
from goldwright.snapshot.directory_walk import DirectoryFile
from goldwright.snapshot.git import on_mirror
from goldwright.snapshot.work_tree_changes import WorkTreeChange

_REF: Final = b"refs/goldwright/imported"
_COMMITTER: Final = b"committer Goldwright <goldwright@localhost> 0 +0000\n"
_COMMAND: Final = (
    *("-c", "core.compression=1"),
    *("-c", "fastimport.unpackLimit=1"),
    *("-c", "core.protectNTFS=false"),
    *("-c", "core.protectHFS=false"),
    *("fast-import", "--quiet", "--force", "--depth=0", "--done"),
)


def create_mirror(mirror: Path) -> None:
    """Lay out an empty bare repository."""
    for folder in ("objects", "refs"):
        (mirror / folder).mkdir(parents=True, mode=0o700)
    (mirror / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
    )
    (mirror / "HEAD").write_text("ref: refs/heads/main\n")


def import_files(mirror: Path, files: Iterable[DirectoryFile]) -> str:
    """Commit files as a whole tree and return the commit's id."""
    return _import(mirror, b"deleteall\n", files, message=b"Files of a directory")


def import_changes(mirror: Path, changes: Iterable[WorkTreeChange], *, parent: str) -> str:
    """Commit changes on top of a commit and return the new commit's id."""
    gone, found = b"", []
    for change in changes:
        if change.found is None:
            gone += b"D %s\n" % _quoted(change.path.encode("utf-8"))
        else:
            found.append(change.found)
    start = b"from %s\n" % parent.encode("ascii") + gone
    return _import(mirror, start, found, message=b"Uncommitted work")


def _import(mirror: Path, start: bytes, files: Iterable[DirectoryFile], *, message: bytes) -> str:
    with on_mirror(mirror, _COMMAND, reads_stdin=True) as process:
        if process.stdin is None or process.stdout is None:
            raise DamagedStateError("git was started without a pipe")
        try:
            process.stdin.write(
                b"commit %s\nmark :1\n%sdata %d\n%s\n" % (_REF, _COMMITTER, len(message), message)
            )
            process.stdin.write(start)
            for found in files:
                _write(process.stdin, found)
            process.stdin.write(b"get-mark :1\ndone\n")
            process.stdin.close()
        except BrokenPipeError as error:
            raise DamagedStateError(
                f"{mirror}: git did not take the files of the codebase"
            ) from error
        commit = process.stdout.read(200).decode("ascii", "replace").strip()
        if process.wait() != 0 or not commit:
            raise DamagedStateError(f"{mirror}: git did not take the files of the codebase")
    return commit


def _write(stream: IO[bytes], found: DirectoryFile) -> None:
    mode = b"120000" if found.is_link else b"100755" if found.is_executable else b"100644"
    stream.write(b"M %s inline %s\ndata %d\n" % (mode, _quoted(found.path), len(found.data)))
    stream.write(found.data)
    stream.write(b"\n")


def _quoted(path: bytes) -> bytes:
    escaped = path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'
