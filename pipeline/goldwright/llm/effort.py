"""How much a model is to think, chosen by role."""

from dataclasses import replace

from goldwright.llm.port import Provider, Reply, Request
from goldwright.records import Effort


class EffortProvider:
    """A provider that is asked to think so much, whoever asks.

    It stands outside of the journal, for a request with another effort is another request.
    """

    def __init__(self, inner: Provider, effort: Effort) -> None:
        self._inner = inner
        self._effort = effort

    async def ask(self, request: Request) -> Reply:
        """Answer a request with the effort of the role."""
        return await self._inner.ask(replace(request, effort=self._effort))
