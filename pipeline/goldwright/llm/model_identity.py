"""Making sure that the model that was asked answered: no other is put in its place unnoticed."""

import re
from typing import Final

from goldwright.llm.port import Provider, ProviderFault, Reply, Request

_OF_CLOUD: Final = re.compile(r"^(?:[a-z]{2,6}\.)?anthropic\.|(?<=-v\d):\d+$")
# Some servers leave the name empty, and the text of a missing name is "None".
_NO_NAMES: Final = frozenset({"", "none"})
# Dates, versions, release words, and a number of two to four digits at the end.
_VERSION: Final = re.compile(
    r"(?:[-@:.](?:latest|preview|exp|stable|\d{3,8}|v\d+|\d{2}(?=-)|\d{4}-\d{2}-\d{2}))*"
    r"(?:-\d{2,4})*\Z"
)


class SameModelProvider:
    """A provider whose replies come from the model that was asked.

    Providers answer an alias under its dated name. What follows the name that was asked may be a
    date, a number or a word such as ``preview``, and nothing else. Who asks for ``latest`` takes
    any model.
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
            message = f"asked {request.model}, and {reply.model} answered"
            counted = reply.usage if reply.usage.counted else None
            raise ProviderFault("other_model", message, may_be_billed=True, usage=counted)
        return reply


def is_same_model(requested: str, answering: str) -> bool:
    """Return whether a reply under one name may be of the model that was asked under another."""
    requested_name = _bare_name(requested)
    answering_name = _bare_name(answering)
    if answering_name in _NO_NAMES or requested_name.endswith("latest"):
        return True
    shorter, longer = sorted((requested_name, answering_name), key=len)
    if not longer.startswith(shorter):
        return False
    return _VERSION.match(longer, len(shorter)) is not None


def _bare_name(model: str) -> str:
    """The name without the organisation before it, as in ``meta-llama/Llama-3``.

    Clouds put a region and their owner before it, and join a date by another mark.
    """
    last_part = model.rpartition("/")[2]
    name = _OF_CLOUD.sub("", last_part.lower())
    return name.replace("@", "-")
