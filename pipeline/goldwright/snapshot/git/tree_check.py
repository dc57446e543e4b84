"""Comparing what git lists of a tree with the tree objects themselves.

Listing does not compare an object with its name, so a mirror could list what no commit holds. A
tree object that is read by its name is what the commit says.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, TypeAlias

from goldwright.errors import DamagedStateError
from goldwright.snapshot.git.git_objects import ObjectStore
from goldwright.snapshot.git.git_tree import TreeListing

# All directories of most codebases. They are read in a few milliseconds.
MOST_DIRECTORIES: Final = 200

_ROOT: Final = ""

_Children: TypeAlias = set[tuple[str, str]]
"""Names and object ids of what stands in a directory."""


def drawn_directories(listing: TreeListing, chance: Random | None) -> list[str]:
    """Draw up to 200 directories by chance; without it, take the first ones."""
    paths = sorted(listing.directories)
    if chance is not None and len(paths) > MOST_DIRECTORIES:
        paths = chance.sample(paths, MOST_DIRECTORIES)
    return paths[:MOST_DIRECTORIES]


def directories_above(paths: Iterable[str], listing: TreeListing) -> list[str]:
    """Give the directories in which some files lie, and those in which these lie."""
    directories: set[str] = set()
    for path in paths:
        parent = path.rpartition("/")[0]
        while parent and parent not in directories:
            directories.add(parent)
            parent = parent.rpartition("/")[0]
    # Old trees may hold a whole path as a name, whose folders are none.
    return sorted(directories & listing.directories.keys())


def check_trees(listing: TreeListing, store: ObjectStore, paths: Iterable[str]) -> None:
    """Compare the listing of the root and of some directories with their objects.

    Raises:
        DamagedStateError: One of them lists something else.
    """
    oids = {_ROOT: store.tree()}
    for path in paths:
        oids[path] = listing.directories[path]
    listed = _children_of(oids, listing)
    distinct_oids = set(oids.values())
    objects = dict(store.read_many(sorted(distinct_oids)))
    for path, oid in oids.items():
        children = set(_read_tree(objects[oid], digest_bytes=len(oid) // 2))
        # A listing does not tell a whole path as a name from folders.
        holds_paths = any("/" in name for name, _ in children)
        if children != listed[path] and not holds_paths:
            raise DamagedStateError(f"{store.mirror}: lists a folder that is not in the commit")


def _children_of(directories: Iterable[str], listing: TreeListing) -> dict[str, _Children]:
    """Collect what is listed in some directories."""
    children: dict[str, _Children] = {path: set() for path in directories}
    for path, oid in _listed(listing):
        parent, _, name = path.rpartition("/")
        if parent in children:
            children[parent].add((name, oid))
    return children


def _listed(listing: TreeListing) -> Iterator[tuple[str, str]]:
    for entry in listing.entries:
        yield entry.path, entry.oid
    yield from listing.directories.items()


def _read_tree(content: bytes, *, digest_bytes: int) -> Iterator[tuple[str, str]]:
    """Read the entries of a tree object: a mode, a space, a name, a NUL and a binary object id."""
    position = 0
    while position < len(content):
        name_end = content.index(b"\0", position)
        header = content[position:name_end]
        _, _, name = header.partition(b" ")
        position = name_end + 1 + digest_bytes
        oid = content[name_end + 1 : position].hex()
        yield name.decode("utf-8", "backslashreplace"), oid
