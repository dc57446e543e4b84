"""Making sure that it was the model one asked for: another one is never put in its place in
silence.
"""

import re
from typing import Final

from goldwright.llm.port import Provider, ProviderFault, Reply, Request

_NOT_TOLD: Final = frozenset({"", "none"})
_SAME: Final = re.compile(
    r"(?:[-@:.](?:latest|preview|exp|stable|\d{3,8}|v\d+|\d{2}(?=-)|\d{4}-\d{2}-\d{2}))*(?:-\d{2,4})*\Z"
)


class SameModelProvider:
    """A provider whose replies come from the model that was asked.

    Providers answer an alias under its dated name: what follows the name that was asked may be a
    date, a number or a word such as ``preview``, and nothing else. Who asks for ``latest`` takes
    what comes.
    """

    def __init__(self, inner: Provider) -> None:
        self._inner = inner

    async def ask(self, request: Request) -> Reply:
        """Answer a request.

        Raises:
            ProviderFault: Another model answered.
        """
        reply = await self._inner.ask(request)
        if not is_same_model(request.model, reply.model):
            raise ProviderFault(
                "other_model",
                f"asked {request.model}, and {reply.model} answered",
                may_be_billed=True,
            )
        return reply


def is_same_model(asked: str, answered: str) -> bool:
    """Tell whether an answer under one name may be that of the model that was asked under another."""
    ours, theirs = _bare(asked), _bare(answered)
    if theirs in _NOT_TOLD or ours.endswith("latest"):
        return True
    longer, shorter = (theirs, ours) if len(theirs) >= len(ours) else (ours, theirs)
    return longer.startswith(shorter) and _SAME.match(longer, len(shorter)) is not None


def _bare(model: str) -> str:
    return model.rpartition("/")[2].lower()
