"""Callables in their own thread: what they are bound to, what they may await, and what happens when
they hang.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.callables import CallableConnection
from goldwright.retrieval.connections.port import RetrieverQuery

QUESTION = RetrieverQuery("q1", "where is tax added?", 5)
MODULE = """
import asyncio, sqlite3, sys, time

table = sqlite3.connect(":memory:")

def bound(query):
    return [str(table.execute("select ?", [query]).fetchone()[0])]

async def awaited(query, limit):
    await asyncio.sleep(0)
    return [f"{query} {limit}"]

def nested(query):
    return asyncio.run(awaited(query, 1))

class Client:
    loops = []
    async def __call__(self, query):
        self.loops.append(asyncio.get_running_loop())
        return [str(len(set(self.loops)))]

async def made():
    return Client()

def sleeping(query):
    time.sleep(60)

async def waiting(query):
    await asyncio.sleep(60)

async def blocking(query):
    time.sleep(60)

def late(query):
    raise TimeoutError("of its own")

def leaving(query):
    sys.exit("good bye")
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The specification of a module of somebody's own, up to the callable."""
    name = f"callables_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    return name


def called(place: str, name: str, root: Path, *, seconds: float = 20) -> CallableConnection:
    return CallableConnection.from_path(f"{place}:{name}", root=root, seconds=seconds)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("bound", "where is tax added?"),
        ("awaited", "where is tax added? 5"),
        ("nested", "where is tax added? 1"),
        ("Client", "1"),
        ("made", "1"),
    ],
)
def test_a_callable_and_what_it_awaits_stay_in_one_thread_and_one_loop(
    place: str, tmp_path: Path, name: str, found: str
) -> None:
    """A connection to SQLite that was opened at import serves every call, and so does a client of
    one event loop.
    """
    with called(place, name, tmp_path) as connection:
        assert [connection.ask(QUESTION).hits for _ in range(2)] == [[(found, 1.0)]] * 2


def test_a_callable_that_hangs_is_a_retriever_that_failed_and_the_program_ends(
    place: str, tmp_path: Path
) -> None:
    """Whether it sleeps, awaits, or blocks its event loop; seen from outside, for the threads
    outlive a test.
    """
    script = f"""
from pathlib import Path
from goldwright.errors import RetrieverError
from goldwright.retrieval.connections.port import RetrieverQuery
from goldwright.retrieval.connections.callables import CallableConnection

for name in ("sleeping", "waiting", "blocking"):
    path = f"{place}:{{name}}"
    try:
        with CallableConnection.from_path(path, root=Path("."), seconds=0.2) as connection:
            connection.ask(RetrieverQuery("q1", "x", 5))
    except RetrieverError as error:
        print(error)
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=40, check=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"py:{place}:{name}: no reply within 0.2 seconds"
        for name in ("sleeping", "waiting", "blocking")
    ]


@pytest.mark.parametrize(
    ("name", "what"),
    [("late", "raised TimeoutError: of its own"), ("leaving", "raised SystemExit: good bye")],
)
def test_what_a_callable_raises_is_told_as_its_own(
    place: str, tmp_path: Path, name: str, what: str
) -> None:
    with called(place, name, tmp_path) as connection, pytest.raises(RetrieverError, match=what):
        connection.ask(QUESTION)


def test_a_callable_whose_parameters_cannot_be_read_is_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="py:builtins:max: its parameters cannot be read"):
        CallableConnection.from_path("builtins:max", root=tmp_path, seconds=20)
