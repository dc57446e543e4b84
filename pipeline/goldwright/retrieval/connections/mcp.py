"""``mcp:COMMAND`` and ``mcp:http://…``: a retriever that is a tool of an MCP server, asked through
the official SDK.

``mcp:TOOL@COMMAND`` and ``mcp:TOOL@http://…`` name the tool; else it is found by the rule of
``tools.py``. The reply is the structured content of the result where there is some (under
``result`` alone where the SDK put a list there), else its texts read as JSON: one text as the whole
reply, several as one result each; then the rule of ``replies.py``.
"""

import contextlib
import logging
import os
import re
import shlex
import shutil
import signal
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent
from pydantic import ValidationError

from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.records.strict_json import strict_json
from goldwright.retrieval.connections.daemon_threads import EventLoopThread
from goldwright.retrieval.connections.mcp_tool_choice import ToolChoice, ToolOffer, choose
from goldwright.retrieval.connections.port import Question, RetrieverReply
from goldwright.retrieval.connections.replies import read_reply
from goldwright.text import make_visible, shorten

MOST_PAGES: Final = 100
_LONGEST_TOLD: Final = 200
_PATIENCE_AT_END: Final = 2.5
_TAIL: Final = 1 << 16
_NAMED: Final = re.compile(r"(?:([A-Za-z0-9_.-]+)@)?(\S.*)", re.DOTALL)
# The SDK tells no process id: the shell does, in the first line of stderr, before it becomes the
# server.
_TELLING: Final = ("/bin/sh", "-c", 'echo $$ >&2; exec "$@"', "sh")
# What the SDK has to say (a line that is no message, with its trace) is told by the error.
_SILENT: Final = logging.NullHandler()
Answer = TypeVar("Answer")


class McpConnection:
    """Holds one session with a server, and calls one tool of it for each question.

    ``name`` is ``mcp:TOOL@SERVER`` with the tool that was found.
    """

    def __init__(
        self,
        place: str,
        *,
        root: Path,
        seconds: float,
        environment: Mapping[str, str],
        tell: Callable[[str], None],
    ) -> None:
        """Start the server in the directory ``root``, or reach it, and choose the tool.

        Args:
            place: The specification without ``mcp:``.
            root: Where a command is started.
            seconds: How long it may take to open the session, and then each question.
            environment: What a command is started with, beside ``HOME``, ``PATH`` and the like.
            tell: Is told which tool was chosen.

        Raises:
            InputError: There is no such command or tool, or the tool does not fit.
            RetrieverError: The server is out of reach, died, or does not answer in time.
        """
        logging.getLogger("mcp").addHandler(_SILENT)
        named = _NAMED.fullmatch(place)
        if named is None:
            raise InputError(
                "mcp:: wanted mcp:COMMAND, mcp:http://…, mcp:TOOL@COMMAND or mcp:TOOL@http://…"
            )
        self._server = shorten(make_visible(named[2]), 60)
        self.name = f"mcp:{self._server}"
        self._seconds = seconds
        self._rubbish = ""
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed at the end
        self._over: anyio.Event | None = None
        self._loop: EventLoopThread | None = None
        self._session: Future[None] | None = None
        try:
            transport = self._transport(named[2], root, environment)
            self._loop = EventLoopThread()
            self._client = self._open(self._loop, transport)
            self._choice = self._chosen(self._wait(self._offers), named[1])
        except BaseException:
            self._close(at_once=True)
            raise
        self.name = f"mcp:{shorten(make_visible(self._choice.tool), 60)}@{self._server}"
        tell(f"asking {self.name}")

    def ask(self, question: Question) -> RetrieverReply:
        """Call the tool."""
        arguments = self._choice.arguments(question.text, question.limit)
        result = self._wait(lambda: self._client.call_tool(self._choice.tool, arguments))
        texts = [one.text for one in result.content if isinstance(one, TextContent)]
        if result.is_error:
            raise RetrieverError(
                f"{self.name}: {_line(' '.join(texts)) or 'told an error without a text'}"
            )
        return read_reply(self._body(result, texts), limit=question.limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._close(at_once=error is not None)

    def _transport(self, server: str, root: Path, environment: Mapping[str, str]) -> Any:
        if server.startswith(("http://", "https://")):
            return streamable_http_client(server)
        try:
            command = shlex.split(server)
        except ValueError as error:
            raise InputError(f"{self.name}: cannot be started: {error}") from error
        found = shutil.which(command[0], path=environment.get("PATH")) if command else None
        if found is None:
            raise InputError(f"{self.name}: cannot be started: there is no such command")
        shell, *telling = _TELLING
        parameters = StdioServerParameters(
            command=shell,
            args=[*telling, *command],
            env=dict(environment),
            cwd=root,
            encoding_error_handler="replace",
        )
        return stdio_client(parameters, errlog=self._errors)

    def _open(self, loop: EventLoopThread, transport: Any) -> Client:
        opened: Future[Client] = Future()
        self._session = loop.start(lambda: self._hold(transport, opened))
        _first_of(self._session, opened, seconds=self._seconds)
        if opened.done():
            return opened.result()
        raise self._failure(self._session)

    async def _hold(self, transport: Any, opened: "Future[Client]") -> None:
        self._over = anyio.Event()
        async with Client(transport, message_handler=self._hear, cache=None) as client:
            opened.set_result(client)
            await self._over.wait()

    async def _hear(self, message: object) -> None:
        if isinstance(message, ValidationError):
            self._rubbish = str(message.errors(include_url=False)[0]["input"])

    async def _offers(self) -> list[ToolOffer]:
        offers: list[ToolOffer] = []
        cursor = None
        for _ in range(MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            offers += [
                ToolOffer(one.name, one.description or "", one.input_schema) for one in page.tools
            ]
            cursor = page.next_cursor
            if cursor is None:
                break
        return offers

    def _chosen(self, offers: Sequence[ToolOffer], wanted: str | None) -> ToolChoice:
        try:
            return choose(offers, wanted)
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from error

    def _wait(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        if self._loop is None or self._session is None:
            raise RetrieverError(f"{self.name}: has no session")
        answer = self._loop.start(ask)
        _first_of(answer, self._session, seconds=self._seconds)
        if answer.done() and answer.exception() is None:
            return answer.result()
        raise self._failure(answer if answer.done() else self._session)

    def _failure(self, ended: "Future[Any]") -> GoldwrightError:
        said = _last_line(self._errors.fileno())
        hints = (
            [f"wrote to stdout what is no message: {_line(self._rubbish)}"] if self._rubbish else []
        )
        hints += [f"wrote to stderr: {said}"] if said else []
        also = "".join(f"; {one}" for one in hints)
        if not ended.done():
            return RetrieverError(f"{self.name}: no reply within {self._seconds:g} seconds{also}")
        error = _innermost(ended.exception())
        if isinstance(error, RuntimeError | ValidationError):
            return InputError(f"{self.name}: {_line(str(error))}")
        kind = "" if isinstance(error, MCPError) else f"{type(error).__name__}: "
        return RetrieverError(f"{self.name}: {kind}{_line(str(error))}{also}")

    def _body(self, result: CallToolResult, texts: list[str]) -> object:
        body = result.structured_content
        if isinstance(body, dict) and list(body) == ["result"]:
            body = body["result"]
        # A tool that gives JSON as a text has it under the result too; the text is what is meant.
        if body is not None and not (isinstance(body, str) and texts):
            return body
        if not texts:
            raise InputError(f"{self.name}: wanted structured content or a text; found neither")
        read = [strict_json(one.encode("utf-8", "replace"), source=self.name) for one in texts]
        return read[0] if len(read) == 1 else read

    def _close(self, *, at_once: bool) -> None:
        if self._loop is not None and self._session is not None:
            if at_once:
                self._kill()
                self._session.cancel()
            elif self._over is not None:
                self._loop.start(self._end)
            wait([self._session], _PATIENCE_AT_END)
            self._kill()
            self._session.cancel()
            wait([self._session], _PATIENCE_AT_END)
            self._loop.close()
        self._errors.close()

    async def _end(self) -> None:
        if self._over is not None:
            self._over.set()

    def _kill(self) -> None:
        first = os.pread(self._errors.fileno(), _TAIL, 0).partition(b"\n")[0]
        if first.isdigit() and int(first) > 1:
            # The SDK starts a server as the leader of its group; what it left behind there ends
            # with it.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(int(first), signal.SIGKILL)


def _first_of(*futures: "Future[Any]", seconds: float) -> None:
    wait(futures, seconds, FIRST_COMPLETED)


def _innermost(error: BaseException | None) -> BaseException | None:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _last_line(descriptor: int) -> str:
    start = max(os.fstat(descriptor).st_size - _TAIL, 0)
    said = os.pread(descriptor, _TAIL, start).partition(b"\n")[2].decode("utf-8", "replace")
    return _line(next((one for one in reversed(said.splitlines()) if one.strip()), ""))


def _line(text: str) -> str:
    return shorten(make_visible(" ".join(text.split())), _LONGEST_TOLD)
