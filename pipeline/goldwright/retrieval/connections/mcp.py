"""``mcp:COMMAND`` and ``mcp:http://…``: a retriever that is a tool of an MCP server.

``mcp:TOOL@COMMAND`` and ``mcp:TOOL@http://…`` name the tool; otherwise ``mcp_tool_choice`` chooses
it. The server is asked through the official SDK.

The reply is the structured content of the result where it has some (under ``result`` alone where
the SDK put a list there). Otherwise it is the texts of the result, read as JSON: a single text is
the whole reply, several are one result each. ``replies`` reads it further.
"""

import logging
import re
import shlex
import shutil
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

from goldwright.canonical import canonical_json
from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.retrieval.connections.daemon_threads import EventLoopThread
from goldwright.retrieval.connections.mcp_server_log import McpServerLog, shorten_line
from goldwright.retrieval.connections.mcp_tool_choice import ToolChoice, ToolOffer, choose_tool
from goldwright.retrieval.connections.port import RetrieverQuery, RetrieverReply
from goldwright.retrieval.connections.replies import read_reply
from goldwright.strict_json import strict_json
from goldwright.text import in_seconds, make_visible, shorten

# Pages of the list of tools; a server could go on with further ones forever.
MOST_PAGES: Final = 100
# Seconds for a session to end by itself, and again after its server was killed.
_PATIENCE_AT_END: Final = 2.5
_LONGEST_NAME: Final = 60
_PLACE: Final = re.compile(r"(?:(?P<tool>[A-Za-z0-9_.-]+)@)?(?P<server>\S.*)", re.DOTALL)
# The SDK logs lines that are no messages, with a traceback; the error says it in one line.
_SILENT: Final = logging.NullHandler()

Answer = TypeVar("Answer")


class McpConnection:
    """Holds one session with a server, and calls one of its tools for each question.

    Attributes:
        name: ``mcp:TOOL@SERVER``, with the tool that was chosen.
        offers: All tools of the server.
        server: Name and version by which it presented itself.
    """

    def __init__(
        self,
        place: str,
        *,
        root: Path,
        seconds: float,
        environment: Mapping[str, str],
        report_progress: Callable[[str], None],
    ) -> None:
        """Start the server in the directory ``root``, or reach it, and choose the tool.

        Args:
            place: The specification without ``mcp:``.
            root: Where a command is started.
            seconds: How long it may take to open the session, and then each question.
            environment: What a command is started with, beside ``HOME``, ``PATH`` and the like.
            report_progress: Receives the name of the tool that was chosen.

        Raises:
            InputError: There is no such command or tool, or the tool does not fit.
            RetrieverError: The server is out of reach, died, or does not answer in time.
        """
        logging.getLogger("mcp").addHandler(_SILENT)
        match = _PLACE.fullmatch(place)
        if match is None:
            raise InputError(
                "mcp:: wanted mcp:COMMAND, mcp:http://…, mcp:TOOL@COMMAND or mcp:TOOL@http://…"
            )
        shown_server = shorten(make_visible(match["server"]), _LONGEST_NAME)
        self.name = f"mcp:{shown_server}"
        self._seconds = seconds
        self._stray_output = ""
        self._server_log = McpServerLog()
        self._end_requested: anyio.Event | None = None
        self._event_loop: EventLoopThread | None = None
        self._session: Future[None] | None = None
        try:
            transport = self._transport(match["server"], root, environment)
            self._event_loop = EventLoopThread()
            self._client = self._open_session(self._event_loop, transport)
            self._tool = self._choose_tool(match["tool"])
        except BaseException:
            self._close(at_once=True)
            raise
        shown_tool = shorten(make_visible(self._tool.name), _LONGEST_NAME)
        self.name = f"mcp:{shown_tool}@{shown_server}"
        report_progress(f"asking {self.name}")

    def ask(self, question: RetrieverQuery) -> RetrieverReply:
        """Call the tool."""
        return self.ask_for_text(question)[0]

    def ask_for_text(self, question: RetrieverQuery) -> tuple[RetrieverReply, str]:
        """Call the tool; also give the text of its result, as an agent would read it."""
        arguments = self._tool.arguments(question.text, question.limit)
        result, texts = self._call(self._tool.name, arguments)
        body = self._body(result, texts)
        reply = read_reply(body, limit=question.limit)
        reply_text = "\n".join(texts) or canonical_json(body)
        return reply, reply_text

    def is_alive(self) -> bool:
        """Ask whether the server still answers: a session outlives a server that died."""
        try:
            self._wait_for(self._list_tools)
        except GoldwrightError:
            return False
        return True

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Call any tool of the server with any arguments; gives the text of the result."""
        result, texts = self._call(tool, arguments)
        return "\n".join(texts) or canonical_json(result.structured_content)

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[CallToolResult, list[str]]:
        async def call_tool() -> CallToolResult:
            return await self._client.call_tool(tool, dict(arguments))

        result = self._wait_for(call_tool)
        texts = [part.text for part in result.content if isinstance(part, TextContent)]
        if result.is_error:
            message = shorten_line(" ".join(texts)) or "returned an error without a text"
            raise RetrieverError(f"{self.name}: {message}")
        return result, texts

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
            words = shlex.split(server)
        except ValueError as error:
            raise InputError(f"{self.name}: cannot be started: {error}") from error
        if not words or shutil.which(words[0], path=environment.get("PATH")) is None:
            raise InputError(f"{self.name}: cannot be started: there is no such command")
        program, *arguments = self._server_log.command(words)
        parameters = StdioServerParameters(
            command=program,
            args=arguments,
            env=dict(environment),
            cwd=root,
            encoding_error_handler="replace",
        )
        return stdio_client(parameters, errlog=self._server_log.file)

    def _open_session(self, event_loop: EventLoopThread, transport: Any) -> Client:
        opened: Future[Client] = Future()

        async def hold_session() -> None:
            self._end_requested = anyio.Event()
            async with Client(transport, message_handler=self._note_message, cache=None) as client:
                opened.set_result(client)
                await self._end_requested.wait()

        self._session = event_loop.start(hold_session)
        _wait_for_first(self._session, opened, seconds=self._seconds)
        if opened.done():
            return opened.result()
        raise self._failure(self._session)

    async def _note_message(self, message: object) -> None:
        """Keep output of the server that is no message, for the error if one follows."""
        if isinstance(message, ValidationError):
            details = message.errors(include_url=False)
            self._stray_output = str(details[0]["input"])

    def _choose_tool(self, requested_name: str | None) -> ToolChoice:
        self.offers = self._wait_for(self._list_tools)
        info = self._client.server_info
        presented = f"{info.name} {info.version}" if info else ""
        self.server = shorten(make_visible(presented.strip()), _LONGEST_NAME)
        try:
            return choose_tool(self.offers, requested_name)
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from error

    async def _list_tools(self) -> Sequence[ToolOffer]:
        offers: list[ToolOffer] = []
        cursor = None
        for _ in range(MOST_PAGES):
            page = await self._client.list_tools(cursor=cursor)
            for tool in page.tools:
                description = tool.description or ""
                offers.append(ToolOffer(tool.name, description, tool.input_schema))
            cursor = page.next_cursor
            if cursor is None:
                break
        return offers

    def _wait_for(self, start: Callable[[], Awaitable[Answer]]) -> Answer:
        """Run a coroutine in the session until it is done, the session ends or the time is over."""
        if self._event_loop is None or self._session is None:
            raise RetrieverError(f"{self.name}: has no session")
        answer = self._event_loop.start(start)
        _wait_for_first(answer, self._session, seconds=self._seconds)
        if not answer.done():
            raise self._failure(self._session)
        if answer.exception() is not None:
            raise self._failure(answer)
        return answer.result()

    def _failure(self, ended: "Future[Any]") -> GoldwrightError:
        """Make the error for a future that failed, or that is not done in time."""
        hints = self._hints()
        if not ended.done():
            time_allowed = in_seconds(self._seconds)
            return RetrieverError(f"{self.name}: no reply within {time_allowed}{hints}")
        error = _innermost(ended.exception())
        message = shorten_line(str(error))
        # The SDK raises these where a server breaks the protocol.
        if isinstance(error, RuntimeError | ValidationError):
            return InputError(f"{self.name}: {message}")
        if isinstance(error, MCPError):
            return RetrieverError(f"{self.name}: {message}{hints}")
        kind = type(error).__name__
        return RetrieverError(f"{self.name}: {kind}: {message}{hints}")

    def _hints(self) -> str:
        """Say what the server wrote besides messages, each hint behind a semicolon."""
        hints = ""
        if self._stray_output:
            stray_line = shorten_line(self._stray_output)
            hints += f"; wrote to stdout what is no message: {stray_line}"
        last_line = self._server_log.last_line()
        if last_line:
            hints += f"; wrote to stderr: {last_line}"
        return hints

    def _body(self, result: CallToolResult, texts: Sequence[str]) -> object:
        """Return the reply in the result of a tool."""
        body = result.structured_content
        if isinstance(body, dict) and list(body) == ["result"]:
            body = body["result"]
        # Where a tool returns JSON as a text, the SDK puts the same text under the result too.
        is_text_again = isinstance(body, str) and texts
        if body is not None and not is_text_again:
            return body
        if not texts:
            raise InputError(f"{self.name}: wanted structured content or a text; found neither")
        values: list[object] = []
        for text in texts:
            data = text.encode("utf-8", "replace")
            values.append(strict_json(data, source=self.name))
        if len(values) == 1:
            return values[0]
        return values

    def _close(self, *, at_once: bool) -> None:
        if self._event_loop is not None and self._session is not None:
            self._end_session(self._event_loop, self._session, at_once=at_once)
            self._event_loop.close()
        self._server_log.close()

    def _end_session(
        self, event_loop: EventLoopThread, session: "Future[None]", *, at_once: bool
    ) -> None:
        if at_once:
            self._kill(session)
        elif self._end_requested is not None:
            event_loop.start(self._request_end)
        wait([session], _PATIENCE_AT_END)
        # Also after a peaceful end: the server may have left children behind.
        self._kill(session)
        wait([session], _PATIENCE_AT_END)

    def _kill(self, session: "Future[None]") -> None:
        self._server_log.kill_server()
        session.cancel()

    async def _request_end(self) -> None:
        if self._end_requested is not None:
            self._end_requested.set()


def _wait_for_first(*futures: "Future[Any]", seconds: float) -> None:
    wait(futures, seconds, FIRST_COMPLETED)


def _innermost(error: BaseException | None) -> BaseException | None:
    """Unpack the groups in which task groups raise errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
