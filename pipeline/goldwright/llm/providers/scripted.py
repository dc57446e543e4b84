"""A provider that plays a script in this process: for tests, and to try prompts without a model."""

from collections.abc import Callable

from goldwright.llm.port import Reply, Request


class ScriptedProvider:
    """Answers with what a function makes of a request.

    Attributes:
        requests: Every request so far.
    """

    def __init__(self, script: Callable[[Request], Reply]) -> None:
        self._script = script
        self.requests: list[Request] = []

    async def ask(self, request: Request) -> Reply:
        """Answer a request, or raise what the script raises."""
        self.requests.append(request)
        return self._script(request)

    async def close(self) -> None:
        """Do nothing: there are no connections."""
