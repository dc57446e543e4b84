"""A cache that anything may have happened to: what is read from a codebase stays the same."""

import os
import shutil
import stat
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeAlias

import msgspec
import pytest

from goldwright.errors import DamagedStateError, InputError
from goldwright.snapshot import Snapshot, commit_log, open_snapshot
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.indexing.fact_cache import FactCache
from journeys.hostile import plain_git

Poison: TypeAlias = Callable[[Path], object]
"""Does something to a cache."""

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "class Cart:\n    def add(self, item):\n        return total(item)\n",
    "shop/prices.py": "def total(item):\n    return item.price\n",
    "shop/deep/tax.py": "RATE = 0.2\n\n\ndef tax(sum):\n    return sum * RATE\n",
    "tools/run.py": "from shop.cart import Cart\n\nCart().add(1)\n",
    "README": "A shop.\n",
}


def make_repository(root: Path, files: dict[str, str]) -> Path:
    """A repository with two commits."""
    root.mkdir()
    plain_git(root, "init", "--quiet", "--initial-branch=main")
    for subject in ("First", "Second"):
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content + (f"# {subject}\n" if name.endswith("run.py") else ""))
        plain_git(root, "add", "--all")
        plain_git(root, "commit", "--quiet", "-m", subject)
    return root


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The codebase."""
    return make_repository(tmp_path_factory.mktemp("code") / "repo", FILES)


@pytest.fixture(scope="module")
def warm_cache(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds all of the codebase, and another one."""
    cache = tmp_path_factory.mktemp("cache") / "cache"
    other = make_repository(repo.parent / "other", {"other.py": "def other():\n    return 1\n"})
    open_snapshot(other, cache=cache).close()
    # The codebase itself last, so that it is what ``newest`` finds.
    open_snapshot(repo, cache=cache).close()
    return cache


@pytest.fixture
def cache(warm_cache: Path, tmp_path: Path) -> Path:
    """A copy of the warm cache, to be damaged."""
    return Path(shutil.copytree(warm_cache, tmp_path / "cache", symlinks=True))


def reading(snapshot: Snapshot) -> object:
    """All that a run gets from a snapshot."""
    with_text = [path for path in snapshot.files if snapshot.has_text(path)]
    history = commit_log(snapshot.mirror, snapshot.commit, path=None, limit=9)
    result = (
        snapshot.commit,
        snapshot.tree,
        snapshot.notes,
        {path: snapshot.data(path) for path in with_text},
        list(snapshot.entities()),
        dict(snapshot.unparsed),
        [commit.subject for commit in history],
    )
    snapshot.close()
    return result


@pytest.fixture(scope="module")
def cold_reading(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> object:
    """What a run without any cache gets."""
    return reading(open_snapshot(repo, cache=tmp_path_factory.mktemp("cold")))


def mirror_in(cache: Path) -> Path:
    """The mirror of the codebase: the one that holds the larger pack."""
    return max((cache / "mirrors").glob("*.git"), key=lambda path: pack_in(path).stat().st_size)


def other_mirror_in(cache: Path) -> Path:
    return min((cache / "mirrors").glob("*.git"), key=lambda path: pack_in(path).stat().st_size)


def pack_in(mirror: Path) -> Path:
    return next((mirror / "objects/pack").glob("*.pack"))


def facts_in(cache: Path) -> Path:
    return next((cache / "index").glob(f"{mirror_in(cache).stem}*"))


def flip_bit(path: Path, share: float) -> None:
    """Flip one bit at a share of a file's length."""
    path.chmod(0o600)
    data = bytearray(path.read_bytes())
    data[int(len(data) * share)] ^= 16
    path.write_bytes(data)


def cut(path: Path, share: float) -> None:
    """Keep a share of a file."""
    path.chmod(0o600)
    os.truncate(path, int(path.stat().st_size * share))


def replace_by_directory(path: Path) -> None:
    path.unlink()
    (path / "inside").mkdir(parents=True)


def replace_by_empty_directory(path: Path) -> None:
    shutil.rmtree(path)
    path.mkdir(mode=0o700)


def replace_by_file(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("no directory\n")


def replace_by_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def replace_by_link(path: Path) -> None:
    """Move a thing away and lead to it."""
    moved = path.with_name(f"moved-{path.name}")
    path.rename(moved)
    path.symlink_to(moved)


def replace_by_dead_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def give_away(path: Path) -> None:
    os.lchown(path, 12345, 12345)


def add_line(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(f"{line}\n")


def unpack(mirror: Path) -> None:
    """Turn a mirror's pack into loose objects."""
    pack = pack_in(mirror)
    data = pack.read_bytes()
    shutil.rmtree(mirror / "objects/pack")
    subprocess.run(["git", f"--git-dir={mirror}", "unpack-objects", "-q"], input=data, check=True)


def forge(cache: Path, path: str, replacement: str) -> None:
    """Give the object of one path the content of another, under its own name."""
    mirror = mirror_in(cache)
    unpack(mirror)
    contents = []
    for name in (path, replacement):
        command = ["git", f"--git-dir={mirror}", "rev-parse", f"refs/goldwright/head:{name}"]
        oid = subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()
        contents.append(mirror / "objects" / oid[:2] / oid[2:])
    data = contents[1].read_bytes()
    contents[0].chmod(0o600)
    contents[0].write_bytes(data)


def forge_code(cache: Path) -> None:
    """Let a file of code be another one, which no facts tell apart any more."""
    forge(cache, "shop/cart.py", "shop/prices.py")
    shutil.rmtree(cache / "index")


def swap_facts(cache: Path) -> None:
    """Let every file have the facts of another, each whole."""
    path = facts_in(cache)
    entries = msgspec.msgpack.decode(path.read_bytes(), type=dict[str, bytes])
    values = list(entries.values())
    swapped = dict(zip(entries, [*values[1:], values[0]], strict=True))
    path.write_bytes(msgspec.msgpack.encode(swapped))


def forge_facts(cache: Path) -> None:
    """Write facts that the code does not show, as the program itself would write them."""
    path = facts_in(cache)
    fact_cache = FactCache(path.parent, mirror_in(cache).stem, "python")
    assert fact_cache.path == path
    nothing = msgspec.msgpack.encode(FileFacts())
    fact_cache.save(dict.fromkeys(fact_cache.load().by_oid, nothing))


def copy_over(source: Path, target: Path) -> None:
    if target.is_dir():
        shutil.rmtree(target)
        shutil.copytree(source, target)
    else:
        target.write_bytes(source.read_bytes())


def cut_history_off(cache: Path) -> None:
    mirror = mirror_in(cache)
    (mirror / "shallow").write_text((mirror / "refs/goldwright/head").read_text())


def borrow_objects(cache: Path) -> None:
    info = mirror_in(cache) / "objects/info"
    info.mkdir(exist_ok=True)
    add_line(info / "alternates", "../../objects")


DAMAGE: dict[str, Poison] = {
    "pack cut": lambda cache: cut(pack_in(mirror_in(cache)), 0.5),
    "pack empty": lambda cache: cut(pack_in(mirror_in(cache)), 0),
    "pack gone": lambda cache: pack_in(mirror_in(cache)).unlink(),
    "pack a pipe": lambda cache: replace_by_pipe(pack_in(mirror_in(cache)).with_suffix(".idx")),
    "pack a directory": lambda cache: replace_by_directory(pack_in(mirror_in(cache))),
    "pack of another": lambda cache: copy_over(
        pack_in(other_mirror_in(cache)), pack_in(mirror_in(cache))
    ),
    "index of the pack gone": lambda cache: pack_in(mirror_in(cache)).with_suffix(".idx").unlink(),
    "index of the pack cut": lambda cache: cut(pack_in(mirror_in(cache)).with_suffix(".idx"), 0.5),
    "index of the pack flipped": lambda cache: flip_bit(
        pack_in(mirror_in(cache)).with_suffix(".idx"), 0.6
    ),
    "objects gone": lambda cache: shutil.rmtree(mirror_in(cache) / "objects"),
    "objects a file": lambda cache: replace_by_file(mirror_in(cache) / "objects"),
    "objects a link": lambda cache: replace_by_link(mirror_in(cache) / "objects"),
    "refs gone": lambda cache: shutil.rmtree(mirror_in(cache) / "refs"),
    "HEAD gone": lambda cache: (mirror_in(cache) / "HEAD").unlink(),
    "HEAD a pipe": lambda cache: replace_by_pipe(mirror_in(cache) / "HEAD"),
    "HEAD garbage": lambda cache: flip_bit(mirror_in(cache) / "HEAD", 0.2),
    "config empty": lambda cache: cut(mirror_in(cache) / "config", 0),
    "config runs commands": lambda cache: add_line(
        mirror_in(cache) / "config", "[core]\n\tfsmonitor = touch /tmp/owned"
    ),
    "config of another version": lambda cache: add_line(
        mirror_in(cache) / "config", "[extensions]\n\tobjectformat = sha256"
    ),
    "packed-refs a pipe": lambda cache: replace_by_pipe(mirror_in(cache) / "packed-refs"),
    "history cut off": cut_history_off,
    "objects of others": borrow_objects,
    "mirror a file": lambda cache: replace_by_file(mirror_in(cache)),
    "mirror a link": lambda cache: replace_by_link(mirror_in(cache)),
    "mirror empty": lambda cache: replace_by_empty_directory(mirror_in(cache)),
    "mirror anybody may write": lambda cache: mirror_in(cache).chmod(0o777),
    "forged file": forge_code,
    "forged text": lambda cache: forge(cache, "README", "shop/prices.py"),
    "forged folder": lambda cache: forge(cache, "shop/deep", "tools"),
    "facts cut": lambda cache: cut(facts_in(cache), 0.7),
    "facts empty": lambda cache: cut(facts_in(cache), 0),
    "facts flipped early": lambda cache: flip_bit(facts_in(cache), 0.2),
    "facts flipped late": lambda cache: flip_bit(facts_in(cache), 0.9),
    "facts swapped": swap_facts,
    "facts forged": forge_facts,
    "facts of another format": lambda cache: facts_in(cache).write_text("{}"),
    "facts a directory": lambda cache: replace_by_directory(facts_in(cache)),
    "facts a pipe": lambda cache: replace_by_pipe(facts_in(cache)),
    "facts a link": lambda cache: replace_by_link(facts_in(cache)),
    "facts a dead link": lambda cache: replace_by_dead_link(facts_in(cache)),
}
"""What is noticed, said in one line, and mended."""

FOR_ROOT: dict[str, Poison] = {
    "mirror of another user": lambda cache: give_away(mirror_in(cache)),
    "facts of another user": lambda cache: give_away(facts_in(cache)),
}


def beside_lost_mirror(suffix: str, spoil: Callable[[Path], object]) -> Poison:
    """Spoil what stands beside a mirror, and remove the mirror, so that it has to be made."""

    def poison(cache: Path) -> None:
        mirror = mirror_in(cache)
        spoil(mirror.with_suffix(suffix))
        shutil.rmtree(mirror)

    return poison


def replace_index_by_pipe(cache: Path) -> None:
    shutil.rmtree(cache / "index")
    os.mkfifo(cache / "index")


def replace_lock_by_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


HARMLESS: dict[str, Poison] = {
    "everything gone": shutil.rmtree,
    "mirrors gone": lambda cache: shutil.rmtree(cache / "mirrors"),
    "mirrors a file": lambda cache: replace_by_file(cache / "mirrors"),
    "index a file": lambda cache: replace_by_file(cache / "index"),
    "index a pipe": replace_index_by_pipe,
    "facts of another version": lambda cache: facts_in(cache).rename(
        cache / "index" / f"{mirror_in(cache).stem}-python-2.0-cpython-26.facts"
    ),
    "facts half written": lambda cache: (cache / "index/.facts-abc").write_text("half"),
    "facts of another codebase added": lambda cache: (cache / "index/x.facts").write_text("x"),
    "mirror of another": lambda cache: copy_over(other_mirror_in(cache), mirror_in(cache)),
    "half-made mirror": lambda cache: mirror_in(cache).rename(mirror_in(cache).with_suffix(".new")),
    "half-made mirror a file": beside_lost_mirror(".new", Path.touch),
    "half-removed mirror": beside_lost_mirror(".old", Path.mkdir),
    "lock a directory": beside_lost_mirror(".lock", replace_lock_by_directory),
    "lock a link": beside_lost_mirror(".lock", replace_by_link),
    "lock a pipe": beside_lost_mirror(".lock", replace_by_pipe),
    "home a file": beside_lost_mirror(".home", replace_by_file),
}
"""What needs no word: a cache that lacks something, and what others leave behind."""


def read_warm(
    repo: Path, cache: Path, caplog: pytest.LogCaptureFixture
) -> tuple[object, list[str]]:
    """Read a codebase with a damaged cache; gives what was read and said."""
    caplog.clear()
    snapshot = open_snapshot(repo, cache=cache, chance=Random(7))
    result = reading(snapshot)
    return result, [record.getMessage() for record in caplog.records]


@pytest.mark.parametrize("name", [*DAMAGE, *FOR_ROOT])
def test_a_damaged_cache_is_made_again_and_changes_nothing(
    name: str, repo: Path, cache: Path, cold_reading: object, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said in one line, once, and the next run finds nothing any more."""
    if name in FOR_ROOT and os.geteuid() != 0:
        pytest.skip("only root can give files away")
    {**DAMAGE, **FOR_ROOT}[name](cache)
    result, said = read_warm(repo, cache, caplog)
    assert result == cold_reading
    assert len(said) == 1
    assert said[0].startswith("note: the ")
    assert "was damaged and is made again" in said[0]
    assert read_warm(repo, cache, caplog) == (cold_reading, [])


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_missing_from_a_cache_is_made_without_a_word(
    name: str, repo: Path, cache: Path, cold_reading: object, caplog: pytest.LogCaptureFixture
) -> None:
    """As in the first run."""
    HARMLESS[name](cache)
    assert read_warm(repo, cache, caplog) == (cold_reading, [])


@pytest.mark.parametrize("name", ["packed-refs.lock", "shallow.lock", "refs/goldwright/head.lock"])
def test_locks_that_a_killed_git_left_are_no_obstacle(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor are halves of packs; nobody else writes while our own lock is held."""
    repo = make_repository(tmp_path / "repo", FILES)
    cache = tmp_path / "cache"
    mirror = open_snapshot(repo, cache=cache).mirror
    (mirror / name).touch()
    (mirror / "objects/pack/tmp_pack_1").touch()
    plain_git(repo, "commit", "--quiet", "--allow-empty", "-m", "Third")
    snapshot = open_snapshot(repo, cache=cache)
    assert commit_log(mirror, snapshot.commit, path=None, limit=1)[0].subject == "Third"
    assert not list(mirror.rglob("*.lock"))
    assert not list(mirror.rglob("tmp_*"))
    assert caplog.records == []


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.95])
def test_a_flipped_bit_of_a_pack_changes_nothing(
    share: float, repo: Path, cache: Path, cold_reading: object, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether or not it lies in what the commit needs."""
    flip_bit(pack_in(mirror_in(cache)), share)
    result, said = read_warm(repo, cache, caplog)
    assert result == cold_reading
    assert len(said) <= 1


def test_damage_that_shows_while_reading_is_mended_then(
    repo: Path, cache: Path, cold_reading: object, caplog: pytest.LogCaptureFixture
) -> None:
    """With the index warm, files are read long after the codebase was opened."""
    snapshot = open_snapshot(repo, cache=cache)
    shutil.rmtree(snapshot.mirror)
    assert reading(snapshot) == cold_reading
    assert len(caplog.records) == 1


def test_a_shallow_repository_that_got_its_history_is_read_with_it(
    repo: Path, tmp_path: Path, cold_reading: object
) -> None:
    """The mirror that was made before lacks it."""
    plain_git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repo}", "shallow")
    shallow = tmp_path / "shallow"
    snapshot = open_snapshot(shallow, cache=tmp_path / "cache")
    assert len(commit_log(snapshot.mirror, snapshot.commit, path=None, limit=9)) == 1
    plain_git(shallow, "fetch", "--quiet", "--unshallow")
    assert reading(open_snapshot(shallow, cache=tmp_path / "cache")) == cold_reading


def test_a_repository_that_is_itself_damaged_is_named(tmp_path: Path) -> None:
    """With a cache that was warm once, and without one."""
    repo = make_repository(tmp_path / "repo", FILES)
    open_snapshot(repo, cache=tmp_path / "cache").close()
    plain_git(repo, "commit", "--quiet", "--allow-empty", "-m", "Third")
    for path in (repo / ".git/objects").rglob("*"):
        if path.is_file():
            path.chmod(0o600)
            path.write_bytes(zlib.compress(b"blob 1\0x"))
    for name in ("cache", "cold"):
        with pytest.raises(InputError, match="git could not read it"):
            open_snapshot(repo, cache=tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_that_cannot_be_written_is_named_or_read(
    repo: Path, cache: Path, cold_reading: object
) -> None:
    """What it holds is used; for anything more the place is named."""
    (cache / "mirrors").chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert reading(open_snapshot(repo, cache=cache)) == cold_reading
    shutil.rmtree(mirror_in(cache))
    with pytest.raises((InputError, DamagedStateError), match="mirrors"):
        open_snapshot(repo, cache=cache)
