"""Callables in processes of their own: what they may do there, and what they cannot do to us."""

import sys
from pathlib import Path

import pytest

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.connections.callable_process import CallableProcessConnection
from goldwright.retrieval.connections.port import RetrieverQuery

QUESTION = RetrieverQuery("q1", "where is täx added?", 5)
MODULE = """
import dataclasses, os, sys, threading, time

print("loading")

def echo(query, limit):
    print("asked", query)
    os.write(1, b"from below\\n")
    return {"results": [(query, limit)], "source": "here", "answer": "\\ud800", "cost_usd": 0.5}

@dataclasses.dataclass
class Hit:
    file: str
    symbol: str

def typed(query):
    return [Hit("a.py", "f")]

def leave(query):
    os._exit(0)

def hang(query):
    threading.Thread(target=time.sleep, args=(60,)).start()
    time.sleep(60)

def boom(query):
    raise KeyError("no index")

class Broken:
    def __init__(self):
        raise RuntimeError("no model")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with somebody's module, which is on no path of this process."""
    (tmp_path / "theirs.py").write_text(MODULE)
    return tmp_path


def called(root: Path, name: str, seconds: float = 20) -> CallableProcessConnection:
    """Connect to a callable of the module."""
    return CallableProcessConnection(f"theirs:{name}", root=root, seconds=seconds)


def test_a_reply_crosses_the_pipe_whatever_is_printed(
    root: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with called(root, "echo") as connection:
        replies = [connection.ask(QUESTION) for _ in range(3)]
    assert replies[0].hits == [(QUESTION.text, 5.0)]
    assert (replies[0].source, replies[0].answer, replies[0].cost_usd) == ("here", "\ud800", 0.5)
    assert replies == replies[:1] * 3
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.count("from below") == 3
    assert "theirs" not in sys.modules


def test_results_may_be_what_only_python_knows(root: Path) -> None:
    with called(root, "typed") as connection:
        assert [hit[0] for hit in connection.ask(QUESTION).hits] == ["a.py::f"]


def test_a_callable_that_ends_its_process_is_a_retriever_that_failed(root: Path) -> None:
    with (
        called(root, "leave") as connection,
        pytest.raises(RetrieverError, match="py:theirs:leave: ended with exit code 0"),
    ):
        connection.ask(QUESTION)


def test_a_callable_that_hangs_is_given_up_with_its_process(root: Path) -> None:
    with (
        pytest.raises(RetrieverError, match=r"no reply within 0\.2 seconds"),
        called(root, "hang", 0.2) as connection,
    ):
        connection.ask(QUESTION)


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("Broken", RetrieverError, "py:theirs:Broken: raised RuntimeError: no model"),
        ("nobody", InputError, "py:theirs:nobody: cannot be imported: AttributeError"),
        ("sys", InputError, "py:theirs:sys: is not callable"),
    ],
)
def test_what_cannot_be_opened_says_why(
    root: Path, name: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        called(root, name)


def test_what_it_raises_is_told_with_its_line(root: Path) -> None:
    with (
        called(root, "boom") as connection,
        pytest.raises(RetrieverError, match=r"raised KeyError: 'no index' \(theirs.py:\d+\)"),
    ):
        connection.ask(QUESTION)
