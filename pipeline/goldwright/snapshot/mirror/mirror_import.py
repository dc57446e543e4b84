"""Turning files into a commit of a mirror, whose id follows from the content alone."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

from goldwright.errors import DamagedStateError, GoldwrightError
from goldwright.snapshot.git.git_process import Process, lack_of_room, on_mirror
from goldwright.snapshot.git.object_ids import ObjectFormat
from goldwright.snapshot.mirror.directory_walk import DirectoryFile
from goldwright.snapshot.mirror.mirror_faults import HEAD, mirror_config
from goldwright.snapshot.mirror.mirror_place import cache_failure
from goldwright.snapshot.mirror.work_tree_changes import WorkTreeChange

_REF: Final = b"refs/goldwright/imported"
# A fixed name and the year 1970, so that the same content is the same commit.
_COMMITTER: Final = b"committer Goldwright <goldwright@localhost> 0 +0000\n"
# Names that other file systems cannot hold are imported too: nothing is ever checked out.
_COMMAND: Final = (
    *("-c", "core.compression=1"),
    *("-c", "fastimport.unpackLimit=1"),
    *("-c", "core.protectNTFS=false"),
    *("-c", "core.protectHFS=false"),
    *("fast-import", "--quiet", "--force", "--depth=0", "--done"),
)
_LONGEST_ANSWER: Final = 200
_LONGEST_COMPLAINT: Final = 64 * 1024


def create_mirror(mirror: Path, object_format: ObjectFormat = "sha1") -> None:
    """Lay out an empty bare repository.

    Raises:
        InputError: There is no room, or the directory cannot be written.
    """
    try:
        for folder in ("objects", "refs"):
            (mirror / folder).mkdir(parents=True, mode=0o700)
        (mirror / "config").write_bytes(mirror_config(object_format))
        (mirror / "HEAD").write_bytes(HEAD)
        # Git takes refs and objects that others may write for theirs, too.
        mirror.chmod(0o700)
    except OSError as error:
        raise cache_failure(mirror, error) from error


def import_files(mirror: Path, files: Iterable[DirectoryFile]) -> str:
    """Commit files as a complete tree and return the commit's id."""
    header = _commit_header(b"Files of a directory") + b"deleteall\n"
    return _import(mirror, header, files)


def import_changes(mirror: Path, changes: Iterable[WorkTreeChange], *, parent: str) -> str:
    """Commit changes on top of a commit and return the new commit's id."""
    header = _commit_header(b"Uncommitted work")
    header += b"from %s\n" % parent.encode("ascii")
    files: list[DirectoryFile] = []
    for change in changes:
        if change.file is None:
            path = change.path.encode("utf-8")
            header += b"D %s\n" % _quote(path)
        else:
            files.append(change.file)
    return _import(mirror, header, files)


def _commit_header(message: bytes) -> bytes:
    return b"commit %s\nmark :1\n%sdata %d\n%s\n" % (_REF, _COMMITTER, len(message), message)


def _import(mirror: Path, header: bytes, files: Iterable[DirectoryFile]) -> str:
    with on_mirror(mirror, _COMMAND, reads_stdin=True, complains=True) as process:
        if process.stdin is None or process.stdout is None:
            raise DamagedStateError("git was started without a pipe")
        try:
            _write_stream(process.stdin, header, files)
        except BrokenPipeError as error:
            raise _refusal(mirror, process) from error
        answer = process.stdout.read(_LONGEST_ANSWER)
        commit = answer.decode("ascii", "replace").strip()
        if process.wait() != 0 or not commit:
            raise _refusal(mirror, process)
    return commit


def _write_stream(stream: IO[bytes], header: bytes, files: Iterable[DirectoryFile]) -> None:
    """Write the input of git fast-import, which answers with the id of the commit."""
    stream.write(header)
    for file in files:
        for piece in _file_command(file):
            stream.write(piece)
    stream.write(b"get-mark :1\ndone\n")
    stream.close()


def _file_command(file: DirectoryFile) -> Iterator[bytes]:
    # These are all the modes that git knows for files.
    if file.is_link:
        mode = b"120000"
    elif file.is_executable:
        mode = b"100755"
    else:
        mode = b"100644"
    path = _quote(file.path)
    yield b"M %s inline %s\ndata %d\n" % (mode, path, len(file.data))
    yield file.data
    yield b"\n"


def _quote(path: bytes) -> bytes:
    escaped = path.replace(b"\\", b"\\\\")
    escaped = escaped.replace(b'"', b'\\"')
    escaped = escaped.replace(b"\n", b"\\n")
    return b'"%s"' % escaped


def _refusal(mirror: Path, process: Process) -> GoldwrightError:
    complaint = b""
    if process.stderr is not None:
        # Git has ended or is about to: it stopped reading.
        complaint = process.stderr.read(_LONGEST_COMPLAINT)
    reason = lack_of_room(complaint.decode("utf-8", "replace"), process.wait())
    if reason is not None:
        return cache_failure(mirror, reason)
    return DamagedStateError(f"{mirror}: git did not take the files of the codebase")
