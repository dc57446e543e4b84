"""A tool of a real MCP server, over stdio and HTTP: asked in one session, and everything that can
go wrong with it.
"""

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent

from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.retrieval.connections.mcp import McpConnection
from goldwright.retrieval.connections.port import RetrieverQuery

pytestmark = pytest.mark.waits

SERVER = """
import os, subprocess, sys
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop")
asked = []

@server.tool()
def status() -> str:
    return "fine"

@server.tool()
def search_code(query: str, top_k: int = 5) -> dict[str, object]:
    asked.append(query)
    if query == "die":
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(3)
    if query == "child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(61)  # MARK"])
    index = os.environ.get("INDEX", "")
    return {"results": [f"{len(asked)}: {query} {top_k} {index}"], "sufficiency_score": 0.5}

server.run()
"""


def connected(place: str, root: Path, *, seconds: float = 20, **environment: str) -> McpConnection:
    reports: list[str] = []
    connection = McpConnection(
        place,
        root=root,
        seconds=seconds,
        environment=environment,
        report_progress=reports.append,
    )
    assert reports == [f"asking {connection.name}"]
    return connection


def ask(connection: McpConnection, text: str) -> list[str]:
    return [name for name, _ in connection.ask(RetrieverQuery("q1", text, 7)).hits]


def processes(mark: str) -> list[Path]:
    """The processes with a mark in their command."""

    def command(path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError:
            return b""

    return [path for path in Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in command(path)]


def is_gone(mark: str) -> bool:
    """Whether all processes with a mark have ended; a killed one takes a moment to."""
    until = time.monotonic() + 2
    while processes(mark) and time.monotonic() < until:
        time.sleep(0.01)
    return not processes(mark)


@pytest.fixture
def server(tmp_path: Path) -> str:
    """The command that starts a real server."""
    (tmp_path / "shop server.py").write_text(SERVER.replace("MARK", tmp_path.name))
    return f"'{sys.executable}' 'shop server.py' {tmp_path.name}"


def test_a_server_on_stdio_is_asked_in_one_session_and_leaves_nothing_behind(
    server: str, tmp_path: Path
) -> None:
    """The tool is found among two and named; the environment that was given arrives; children end
    with it.
    """
    with connected(f"{server}", tmp_path, INDEX="here") as connection:
        assert connection.name.startswith("mcp:search_code@")
        assert ask(connection, "näive “question”") == ["1: näive “question” 7 here"]
        reply = connection.ask(RetrieverQuery("q2", "child", 3))
        assert (list(reply.hits), reply.sufficiency_score) == ([("2: child 3 here", 1.0)], 0.5)
        assert processes(tmp_path.name)
    assert is_gone(tmp_path.name)


def test_a_server_that_dies_ends_the_evaluation_with_its_last_words(
    server: str, tmp_path: Path
) -> None:
    started = time.monotonic()
    message = "Connection closed; wrote to stderr: out of memory"
    with (
        pytest.raises(RetrieverError, match=message) as caught,
        connected(f"search_code@{server}", tmp_path) as connection,
    ):
        ask(connection, "die")
    assert str(caught.value).startswith("mcp:search_code@")
    assert time.monotonic() - started < 15
    assert is_gone(tmp_path.name)


TALKING = """
import json, sys, time
{before}
def send(**body):
    print(json.dumps({{"jsonrpc": "2.0", **body}}), flush=True)
schema = {{"type": "object", "properties": {{"q": {{"type": "string"}}}}, "required": ["q"]}}
tool = {{"name": "search", "inputSchema": schema}}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        server = {{"name": "s", "version": "1"}}
        send(id=asked["id"], result={{"protocolVersion": "2025-06-18", "serverInfo": server,
                                     "capabilities": {{"tools": {{}}}}}})
    elif asked["method"] == "tools/list":
        send(id=asked["id"], result={{"tools": [tool]}})
    elif asked["method"] == "tools/call":
        {called}
    elif "id" in asked:
        send(id=asked["id"], error={{"code": -32601, "message": "Method not found"}})
"""
REPLY = 'send(id=asked["id"], result={"content": [{"type": "text", "text": "[\\"a.py\\"]"}]})'


def talking(tmp_path: Path, *, before: str = "", called: str = REPLY) -> str:
    """The command of a server that speaks the older protocol by hand."""
    (tmp_path / "talking.py").write_text(TALKING.format(before=before, called=called))
    return f"'{sys.executable}' -S talking.py {tmp_path.name}"


def test_a_server_of_the_older_protocol_that_prints_beside_it_is_understood(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with connected(
        talking(tmp_path, before="print('Welcome!', flush=True)"), tmp_path
    ) as connection:
        assert ask(connection, "x") == ["a.py"]
    assert capfd.readouterr() == ("", "")


def failing(**error: object) -> str:
    """The code of a tool that answers with an error of the protocol."""
    return f"send(id=asked['id'], error={error!r})"


def returning(content: object, **fields: object) -> str:
    """The code of a tool that answers with this content."""
    return f"send(id=asked['id'], result={dict(content=content, **fields)!r})"


FOUND_3 = [{"type": "text", "text": "Found 3."}]
NO_INDEX = [{"type": "text", "text": "no\nindex"}]


@pytest.mark.parametrize(
    ("before", "called", "kind", "what"),
    [
        (
            "print('Welcome!', flush=True); time.sleep(60)",
            REPLY,
            RetrieverError,
            "no reply within 1 second; wrote to stdout what is no message: Welcome!",
        ),
        (
            "sys.exit('no index here')",
            REPLY,
            RetrieverError,
            "Connection closed; wrote to stderr: no index here",
        ),
        ("", "time.sleep(60)", RetrieverError, "no reply within 1 second"),
        ("", "print('rubbish', flush=True)", RetrieverError, "what is no message: rubbish"),
        (
            "",
            failing(code=-32603, message="the index\nis empty"),
            RetrieverError,
            "the index is empty",
        ),
        ("", returning(3), InputError, "content"),
        ("", returning([]), InputError, "wanted structured content or a text; found"),
        ("", returning(FOUND_3), InputError, "not JSON at line 1"),
        ("", returning(NO_INDEX, isError=True), RetrieverError, "mcp:search@"),
    ],
)
def test_what_goes_wrong_with_a_server_is_told_in_one_line(
    tmp_path: Path, before: str, called: str, kind: type[GoldwrightError], what: str
) -> None:
    """And in time, with nothing left running."""
    place = talking(tmp_path, before=before, called=called)
    started = time.monotonic()
    with (
        pytest.raises(kind, match="mcp:") as caught,
        connected(place, tmp_path, seconds=1) as connection,
    ):
        ask(connection, "x")
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - started < 15
    assert is_gone(tmp_path.name)


@pytest.mark.parametrize(
    ("place", "kind", "what"),
    [
        ("", InputError, "wanted mcp:COMMAND"),
        ("no-such-command-anywhere --fast", InputError, "there is no such command"),
        (
            "tool@no-such-command-anywhere",
            InputError,
            "mcp:no-such-command-anywhere: cannot be started",
        ),
        ("python 'unclosed", InputError, "cannot be started: No closing quotation"),
        ("http://127.0.0.1:9/mcp", RetrieverError, "ConnectError"),
    ],
)
def test_a_server_that_is_not_there_is_told(
    tmp_path: Path, place: str, kind: type[GoldwrightError], what: str
) -> None:
    with pytest.raises(kind) as caught:
        connected(place, tmp_path)
    assert what in str(caught.value)


def shop() -> MCPServer:
    """A server whose tools give what tools give."""
    server = MCPServer("shop")

    @server.tool()
    def listed(query: str, limit: int) -> list[str]:
        return [query, str(limit)]

    @server.tool(structured_output=False)
    def texts(query: str) -> list[str]:
        return [f'["{query}", 0.5]', '{"file": "b.py", "symbol": "g", "score": 0.75}']

    @server.tool()
    def wrong(query: str) -> CallToolResult:
        return CallToolResult(content=[TextContent(type="text", text=query)], is_error=True)

    @server.tool()
    def slow(query: str) -> list[str]:
        time.sleep(2)
        return [query]

    return server


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A real server on loopback."""
    config = uvicorn.Config(
        shop().streamable_http_app(), host="127.0.0.1", port=0, log_level="error"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until = time.monotonic() + 30
    while not server.started and time.monotonic() < until:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    server.should_exit = True
    thread.join(30)


@pytest.mark.parametrize(
    ("tool", "hits"),
    [("listed", [("where?", 2.0), ("7", 1.0)]), ("texts", [("b.py::g", 0.75), ("where?", 0.5)])],
)
def test_a_server_on_http_is_asked_and_its_reply_read(
    address: str, tmp_path: Path, tool: str, hits: Any
) -> None:
    with connected(f"{tool}@{address}", tmp_path) as connection:
        assert [list(connection.ask(RetrieverQuery("q1", "where?", 7)).hits) for _ in range(2)] == [
            hits,
            hits,
        ]


@pytest.mark.parametrize(
    ("tool", "kind", "what"),
    [
        ("wrong", RetrieverError, "wrong@http://127.0.0.1:"),
        ("slow", RetrieverError, "no reply within 1 second"),
        ("none", InputError, "has no tool 'none'; it has listed, texts, wrong, slow"),
    ],
)
def test_a_tool_on_http_that_fails_is_told_in_one_line(
    address: str, tmp_path: Path, tool: str, kind: type[GoldwrightError], what: str
) -> None:
    with (
        pytest.raises(kind) as caught,
        connected(f"{tool}@{address}", tmp_path, seconds=1) as connection,
    ):
        ask(connection, "the index\nis empty")
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)
