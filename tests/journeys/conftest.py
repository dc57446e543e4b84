"""Whole runs as a user starts them, each command in a process of its own."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser

from goldwright.snapshot import Snapshot, open_snapshot
from journeys.browser import Trap, trapped_chromium
from journeys.live import Live, Settings
from journeys.sample_code import LENDING, SHOP, write_code
from journeys.sharing import make_once, shared_directory
from journeys.starting import Started, start_fork_server
from journeys.starting import call as call_program
from journeys.workplace import Workplace
from scripted.brain import RolePlayer
from scripted.server import serve_in_thread

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def codebase(tmp_path: Path) -> Path:
    """A small package in a plain directory."""
    return write_code(tmp_path / "codebase", SHOP)


@pytest.fixture
def repository(codebase: Path) -> Path:
    """The same package as a git repository with one commit."""
    return commit_all(codebase)


def commit_all(root: Path) -> Path:
    """Make a directory a git repository with one commit, and return it."""
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Open the shop")
    return root


def git(root: Path, *arguments: str) -> str:
    """Run git as a user without configuration would."""
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    result = subprocess.run(
        ["git", *identity, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """An empty directory to work in."""
    root = tmp_path / "desk"
    root.mkdir()
    return root


@pytest.fixture
def goldwright(workplace: Path, tmp_path: Path) -> Command:
    """The command, run in the working directory with a cache of its own."""

    def call(*arguments: object, **variables: str) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "GOLDWRIGHT_CACHE": str(tmp_path / "cache"), **variables}
        return call_program(*arguments, cwd=workplace, environment=environment)

    return call


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that all workers of this session share."""
    return shared_directory(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def fork_server(shared: Path) -> None:
    """One process for all workers, off which the program is forked."""
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    session = os.getppid() if is_worker else os.getpid()
    Started.fork_server = make_once(
        shared / "fork-server", lambda directory: start_fork_server(directory, session)
    )


@pytest.fixture(scope="session")
def finished_shop(shared: Path) -> Workplace:
    """A finished smoke run on the small package, with its draft; tests copy it."""

    def run(directory: Path) -> None:
        shop = _shop_in(directory)
        write_code(shop.code, SHOP)
        shop.root.mkdir()
        surroundings = {**os.environ, "GOLDWRIGHT_CACHE": str(shop.cache)}
        for arguments in (
            ("run", "smoke", "--repo", shop.code),
            ("export", "latest", "--version", "1.0", "--draft"),
        ):
            result = call_program(*arguments, cwd=shop.root, environment=surroundings)
            assert result.returncode in {0, 1}, result.stderr
            (directory / f"{arguments[0]}-messages.txt").write_text(result.stderr)

    return _shop_in(make_once(shared / "finished-shop", run))


def _shop_in(directory: Path) -> Workplace:
    return Workplace(directory / "desk", directory / "cache", directory / "code")


@pytest.fixture
def finished(finished_shop: Workplace, workplace: Path, tmp_path: Path) -> Workplace:
    """A copy of that run at this test's own workplace; its code is not for changing."""
    shutil.copytree(finished_shop.root, workplace, dirs_exist_ok=True)
    shutil.copytree(finished_shop.cache, tmp_path / "cache")
    return replace(finished_shop, root=workplace, cache=tmp_path / "cache")


@pytest.fixture(scope="session")
def code(shared: Path) -> Path:
    """A package that holds enough material for the small plan, as a plain directory."""
    return make_once(shared / "code", lambda directory: write_code(directory, LENDING))


@pytest.fixture(scope="session")
def cache(shared: Path) -> Path:
    """One cache for all runs over that package, so that it is read once."""
    return make_once(shared / "cache", lambda _: None)


@pytest.fixture(scope="session")
def snapshot(code: Path, cache: Path) -> Iterator[Snapshot]:
    """The package as the scripted models know it."""
    opened = open_snapshot(code, rev=None, cache=cache)
    yield opened
    opened.close()


@pytest.fixture
def live(workplace: Path, code: Path, cache: Path) -> Live:
    """The command over that package, with keys in its environment."""
    return Live(workplace, code, cache)


@pytest.fixture(scope="session")
def finished_live_run(shared: Path, code: Path, cache: Path, snapshot: Snapshot) -> Path:
    """A working directory with a complete live run; tests copy it and leave it as it is."""

    def run(directory: Path) -> None:
        with serve_in_thread(RolePlayer(snapshot)) as server:
            Settings(server.url).write(directory)
            result = Live(directory, code, cache).start()
        assert result.returncode == 0, result.stderr

    return make_once(shared / "finished-live-run", run)


@pytest.fixture(scope="session")
def trap() -> Trap:
    """Where every name leads in ``browser``."""
    return Trap()


class OpenBrowser:
    """The Chromium of this worker, from the first test that wants one to the last of its kind.

    While Playwright is open, its event loop runs in the worker's thread and no other one can: what
    comes behind these modules has loops of its own.
    """

    modules: ClassVar[frozenset[Path]] = frozenset()
    """The files with tests that look at pages."""
    _closing: ClassVar[ExitStack] = ExitStack()
    _browser: ClassVar[Browser | None] = None

    @classmethod
    def open(cls, trap: Trap) -> Browser:
        """Give the one that is open, or start one."""
        if cls._browser is None:
            cls._browser = cls._closing.enter_context(trapped_chromium(trap))
        return cls._browser

    @classmethod
    def close(cls) -> None:
        """Close it, if one is open."""
        cls._closing.close()
        cls._browser = None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files with pages in front, side by side, so that a worker starts one Chromium."""
    wanted = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    OpenBrowser.modules = frozenset(wanted)
    items.sort(key=lambda item: item.path not in wanted)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser behind the last test of these files."""
    yield
    if nextitem is None or nextitem.path not in OpenBrowser.modules:
        OpenBrowser.close()


@pytest.fixture(scope="module")
def browser(trap: Trap) -> Browser:
    """One Chromium for all tests that follow one another."""
    return OpenBrowser.open(trap)
