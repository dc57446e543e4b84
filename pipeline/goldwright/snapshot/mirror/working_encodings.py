"""The encodings in which git checks text out that it keeps as UTF-8."""

import re
from collections.abc import Iterable
from typing import Final

from goldwright.snapshot.entities import FileEntry
from goldwright.snapshot.git.git_objects import ObjectStore

_ATTRIBUTES_FILE: Final = ".gitattributes"
# Most codebases have one file of attributes; some have one in every folder of test data.
_MOST_FILES: Final = 1000
_ENCODING: Final = re.compile(rb"\bworking-tree-encoding=([\w.:-]{1,40})")
# Plain character sets. Python has other codecs, too, some of which take very long or run code.
_CHARACTER_SET: Final = re.compile(
    r"utf-?(8|16|32)(-?[lb]e)?|iso-?8859-?\d+|latin-?\d+|(cp|windows-?)\d+|koi8-?[rtu]|"
    r"shift[_-]?jisx?\d*|euc-?(jp|kr|cn)|gb(k|2312|18030)|big5(-?hkscs)?|iso-?2022-?(jp|kr)|"
    r"mac-?roman"
)
# With a byte order mark, which Python's plain name reads and drops.
_MARKED: Final = re.compile(r"(utf-?(?:16|32))-?[lb]e-bom")


def working_encodings(entries: Iterable[FileEntry], store: ObjectStore) -> tuple[str, ...]:
    """Give the encodings that the attributes of a commit ask for, by Python's names, sorted."""
    names: set[str] = set()
    files = [entry for entry in entries if _holds_attributes(entry)]
    for entry in files[:_MOST_FILES]:
        for name in _ENCODING.findall(store.read(entry.oid)):
            lower = name.decode("ascii", "replace").lower()
            names.add(_MARKED.sub(r"\1", lower))
    character_sets = filter(_CHARACTER_SET.fullmatch, names)
    return tuple(sorted(character_sets))


def is_same_text(data: bytes, committed: bytes, encodings: Iterable[str]) -> bool:
    """Check whether content in one of some encodings is a committed text, line ends apart."""
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except (UnicodeError, LookupError):
            continue
        encoded = text.encode("utf-8", "surrogatepass")
        if encoded.replace(b"\r\n", b"\n") == committed.replace(b"\r\n", b"\n"):
            return True
    return False


def _holds_attributes(entry: FileEntry) -> bool:
    return entry.kind == "text" and entry.path.rpartition("/")[2] == _ATTRIBUTES_FILE
