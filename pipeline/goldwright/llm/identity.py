"""Making sure that it was the model one asked for: another one is never put in its place in silence."""

from goldwright.llm.port import Provider, ProviderFault, Reply, Request


class SameModel:
    """A provider whose replies come from the model that was asked.

    Providers answer an alias under its dated name, so a name that continues the other counts as the same.
    """

    def __init__(self, inner: Provider) -> None:
        self._inner = inner

    async def ask(self, request: Request) -> Reply:
        """Answer a request.

        Raises:
            ProviderFault: Another model answered.
        """
        reply = await self._inner.ask(request)
        asked, answered = _bare(request.model), _bare(reply.model)
        if not (answered.startswith(asked) or asked.startswith(answered)):
            raise ProviderFault("other_model", f"asked {request.model}, and {reply.model} answered", may_be_billed=True)
        return reply


def _bare(model: str) -> str:
    return model.rpartition("/")[2].lower()
