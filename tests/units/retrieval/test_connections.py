"""Retrievers that are callables, processes, servers and files: asked one query after the other, and
their failures.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.retrieval.connections.callables import CallableConnection
from goldwright.retrieval.connections.http import HttpConnection, shown_address
from goldwright.retrieval.connections.port import Connection, RetrieverQuery
from goldwright.retrieval.connections.processes import ProcessConnection
from goldwright.retrieval.connections.spec import RetrieverSpec, refuse_own_index, retriever_name
from goldwright.retrieval.connections.trec_runs import TrecRunConnection

FIRST = RetrieverQuery("q1", "where is tax added?", 5)
SECOND = RetrieverQuery("q2", "näive “question”", 3)

ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    results = [asked["query_id"], asked["query"], str(asked["limit"])]
    print(json.dumps({"results": results}), flush=True)
"""


def names(connection: Connection, question: RetrieverQuery) -> list[str]:
    """The ids that a question brings."""
    return [name for name, _ in connection.ask(question).hits]


def command(tmp_path: Path, script: str) -> str:
    """A command line that runs a script."""
    path = tmp_path / "a retriever.py"
    path.write_text(script)
    return f"'{sys.executable}' '{path}'"


def test_a_process_is_started_once_and_asked_in_lines(tmp_path: Path) -> None:
    with ProcessConnection(command(tmp_path, ECHO), seconds=20) as connection:
        assert names(connection, FIRST) == ["q1", "where is tax added?", "5"]
        assert names(connection, SECOND) == ["q2", "näive “question”", "3"]


@pytest.mark.parametrize(
    ("script", "kind", "what"),
    [
        (
            "import sys; sys.exit('no index here')",
            RetrieverError,
            "ended with exit code 1: no index here",
        ),
        ("import os; os.kill(os.getpid(), 9)", RetrieverError, "ended with exit code -9"),
        ("import time; time.sleep(60)", RetrieverError, "no reply within 0.5 seconds; each line"),
        # A line that comes before the question answers none; so it is read first.
        (
            "input(); print('{\"results\": [', end='', flush=True); import time; time.sleep(60)",
            RetrieverError,
            "no reply within",
        ),
        ("input(); print('hello', flush=True); input()", InputError, "not JSON at line 1"),
        ('input(); print(\'{"results": [["a", NaN]]}\', flush=True); input()', InputError, "NaN"),
    ],
)
def test_a_process_that_fails_with_one_line(
    tmp_path: Path, script: str, kind: type[GoldwrightError], what: str
) -> None:
    started = time.monotonic()
    with (
        pytest.raises(kind, match="cmd:") as caught,
        ProcessConnection(command(tmp_path, script), seconds=0.5) as connection,
    ):
        connection.ask(FIRST)
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - started < 20


def test_nothing_of_a_process_is_left_behind(tmp_path: Path) -> None:
    """Neither the one that hangs nor its children."""
    script = """
import subprocess, sys, time
subprocess.Popen([sys.executable, '-c', SLEEP])
time.sleep(60)
"""
    mark = f"import time; time.sleep(61)  # {tmp_path.name}"
    command_line = command(tmp_path, script.replace("SLEEP", repr(mark)))
    with pytest.raises(RetrieverError), ProcessConnection(command_line, seconds=1) as connection:
        connection.ask(FIRST)
    time.sleep(0.2)
    command_lines = Path("/proc").glob("[0-9]*/cmdline")
    alive = [path for path in command_lines if tmp_path.name.encode() in _read(path)]
    assert alive == []


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_line_that_answers_no_question_is_refused_before_it_is_taken_for_a_reply(
    tmp_path: Path,
) -> None:
    """A log line written after a reply would be read as the next reply, and shift all others."""
    script = ECHO + "    print('[]', flush=True)\n"
    with ProcessConnection(command(tmp_path, script), seconds=20) as connection:
        assert names(connection, FIRST) == ["q1", "where is tax added?", "5"]
        time.sleep(0.2)
        with pytest.raises(InputError, match=r"wrote a line that answers no question: \[\]"):
            connection.ask(SECOND)


def test_a_command_without_words_is_bad_input() -> None:
    with pytest.raises(InputError, match="wanted cmd:COMMAND"):
        ProcessConnection("  ", seconds=1)


def test_a_command_that_is_not_there_is_bad_input() -> None:
    with pytest.raises(InputError, match="cmd:no-such-command-anywhere --fast: cannot be started"):
        ProcessConnection("no-such-command-anywhere --fast", seconds=1)
    with pytest.raises(InputError, match="cannot be started"):
        ProcessConnection("python 'unclosed", seconds=1)


MODULE = """
class Index:
    def __init__(self):
        self.asked = 0
    def __call__(self, query, top_k):
        self.asked += 1
        return [f"{self.asked}: {query} {top_k}"]

class Search:
    @staticmethod
    def find(query):
        return [query]

def made():
    return Search.find

def broken(query):
    raise ValueError("the index\\nis empty")

value = 3
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with somebody's retriever."""
    monkeypatch.syspath_prepend(tmp_path)
    name = f"library_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    return tmp_path / name


def called(library: Path, attribute: str) -> CallableConnection:
    """Connect to a callable of the library."""
    return CallableConnection.from_path(
        f"{library.name}:{attribute}", root=library.parent, seconds=20
    )


def test_a_callable_is_given_the_limit_by_its_own_name_for_it(library: Path) -> None:
    index = called(library, "Index")
    assert names(index, FIRST) == ["1: where is tax added? 5"]
    assert names(index, SECOND) == ["2: näive “question” 3"]
    for plain in ("Search.find", "made"):
        assert names(called(library, plain), FIRST) == ["where is tax added?"]


@pytest.mark.parametrize(
    ("signature", "given"),
    [
        ("query, max_results=5", "max_results"),
        ("query, how_many", "how_many"),
        ("query, how_many, /", "how_many"),
        # With a default it may be anything.
        ("query, seed=3", "None"),
        ("query", "None"),
    ],
)
def test_the_limit_reaches_a_parameter_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signature: str, given: str
) -> None:
    """Asked for five results by its own default, a search would be scored on five."""
    monkeypatch.syspath_prepend(tmp_path)
    name = f"limits_{abs(hash((tmp_path, signature)))}"
    (tmp_path / f"{name}.py").write_text(f"def find({signature}):\n    return [str({given})]\n")
    connection = CallableConnection.from_path(f"{name}:find", root=tmp_path, seconds=20)
    assert names(connection, FIRST) == ["None" if given == "None" else str(FIRST.limit)]


def test_a_callable_that_raises_is_a_retriever_that_failed(library: Path) -> None:
    with pytest.raises(RetrieverError, match="raised ValueError: the index") as caught:
        called(library, "broken").ask(FIRST)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("no_such_module:f", "No module named 'no_such_module'; modules are looked for in "),
        ("json:no_such_name", "cannot be imported: AttributeError"),
        ("json:load_", "has no attribute 'load_'; did you mean load"),
        ("json", "wanted py:MODULE:CALLABLE"),
        ("sys:path", "is not callable"),
    ],
)
def test_a_callable_that_is_not_there_is_bad_input(tmp_path: Path, place: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        CallableConnection.from_path(place, root=tmp_path, seconds=20)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "40")
        self.end_headers()
        with suppress(OSError):
            for _ in range(40):
                self.wfile.write(b" ")
                time.sleep(0.1)

    def do_POST(self) -> None:
        """Answer by the path."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/slow":
            time.sleep(3)
        if self.path == "/drip":
            self._drip()
            return
        body = (
            b"<html>"
            if self.path == "/page"
            else json.dumps({"results": [asked["query"]]}).encode()
        )
        self.send_response(500 if self.path == "/broken" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # its name there
        """Say nothing."""


@contextmanager
def serving() -> Iterator[str]:
    """A server on loopback; gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_server_is_asked_by_post() -> None:
    with serving() as url, HttpConnection(f"{url}/search", seconds=20) as connection:
        assert names(connection, FIRST) == ["where is tax added?"]
        assert names(connection, SECOND) == ["näive “question”"]


@pytest.mark.parametrize(
    ("path", "kind", "what"),
    [
        ("/broken", RetrieverError, "answered 500: "),
        ("/page", InputError, "not JSON at line 1"),
        ("/slow", RetrieverError, "ReadTimeout"),
    ],
)
def test_a_server_that_fails_fails_with_one_line(
    path: str, kind: type[GoldwrightError], what: str
) -> None:
    with (
        serving() as url,
        HttpConnection(url + path, seconds=0.5) as connection,
        pytest.raises(kind) as caught,
    ):
        connection.ask(FIRST)
    assert what in str(caught.value)


def test_a_server_that_drips_is_not_waited_for() -> None:
    with serving() as url, HttpConnection(f"{url}/drip", seconds=0.5) as connection:
        began = time.monotonic()
        with pytest.raises(RetrieverError, match=r"no complete reply within 0\.5 seconds"):
            connection.ask(FIRST)
        assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("http://user:s3cret@host/search?api_key=k3y", "http://host/search"),
        ("mcp:tool@https://u:p@host:8/mcp?t=1#x", "mcp:tool@https://host:8/mcp#x"),
        ("cmd:python search.py --what?", "cmd:python search.py --what?"),
        ("bm25", "bm25"),
    ],
)
def test_what_may_be_secret_in_an_address_is_not_shown(spec: str, shown: str) -> None:
    assert shown_address(spec) == shown


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("bm25", "bm25-3"),
        ("hybrid", "hybrid:zscore-3"),
        ("hybrid:rrf", "hybrid:rrf-3"),
        ("grep", "grep"),
        ("dense", "dense"),
        ("http://user:s3cret@host/search", "http://host/search"),
        ("cmd:bm25", "cmd:bm25"),
    ],
)
def test_a_built_in_retriever_that_ranks_otherwise_than_it_did_has_another_name(
    spec: str, name: str
) -> None:
    """So that its results are never taken for those of the earlier one."""
    assert retriever_name(spec) == name


@pytest.mark.parametrize(
    "spec",
    ["py:mine:find", "cmd:search", "http://127.0.0.1/", "mcp:search", "trec:run.txt", "magic", len],
)
def test_docstrings_are_not_blanked_for_who_holds_an_own_index(spec: RetrieverSpec) -> None:
    with pytest.raises(InputError, match="holds an index of its own") as refusal:
        refuse_own_index(spec)
    assert "\n" not in str(refusal.value)
    for built_in in ("bm25", "grep", "dense", "hybrid"):
        refuse_own_index(built_in)


def test_a_server_that_is_not_there_is_out_of_reach() -> None:
    with (
        HttpConnection("http://127.0.0.1:9/", seconds=5) as connection,
        pytest.raises(RetrieverError),
    ):
        connection.ask(FIRST)


def test_a_run_answers_for_a_retriever_and_misses_no_query_quietly(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("q1 Q0 b 1 0.5 x\nq1 Q0 a 2 0.75 x\n")
    run = TrecRunConnection(path)
    assert names(run, FIRST) == ["a", "b"]
    assert run.queries == {"q1"}
    with pytest.raises(InputError, match="holds no results for it"):
        run.ask(SECOND)
