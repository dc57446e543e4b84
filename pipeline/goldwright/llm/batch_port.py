"""The port to the batch APIs of providers: many requests handed in at once, answered within a day.

A provider charges less for them. Which entry is whose is told by custom ids, which begin with the
label of their batch.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from goldwright.llm.port import ProviderFault, Reply, Request

EntryResult = Reply | ProviderFault
"""What became of one entry; a fault says whether it may be billed."""

CallKey = tuple[str, str]
"""The work item and the request key of a call."""


@dataclass(slots=True)
class HandedIn:
    """A batch that was, or may have been, handed in.

    Attributes:
        label: Our name of it.
        model: The model that is asked.
        entries: By custom id, the calls in the order in which they stand in it.
        batch_id: The provider's id; None as long as nobody has seen it.
    """

    label: str
    model: str
    entries: Mapping[str, CallKey]
    batch_id: str | None = None


class StillUnderWayError(Exception):
    """A batch that is under way may be the one that is looked for; its end shows whether it is."""


class BatchAdapter(Protocol):
    """Hands batches in and fetches what became of them.

    Every method raises ``ProviderFault`` where an attempt failed.
    """

    async def submit(self, batch: HandedIn, requests: Mapping[str, Request]) -> str:
        """Hand a batch in.

        Args:
            batch: The batch.
            requests: Its requests, by custom id.

        Returns:
            The provider's id of it.
        """
        ...

    async def find(self, batch: HandedIn, known_ids: Collection[str]) -> str | None:
        """Look for a batch of which nobody saw whether it was handed in.

        Args:
            batch: The batch.
            known_ids: The provider's ids of the other batches of the run.

        Returns:
            The provider's id of it, or None where there is no such batch.

        Raises:
            StillUnderWayError: Only the results of a batch tell whose it is, and one of that size
                has none yet.
        """
        ...

    async def has_ended(self, batch_id: str) -> bool:
        """Ask whether all entries have ended, well or not."""
        ...

    async def results(self, batch: HandedIn) -> dict[str, EntryResult]:
        """Fetch what became of the entries of a batch that has ended, by custom id.

        An entry of which the provider says nothing is missing.
        """
        ...

    async def discard(self, batch: HandedIn) -> None:
        """Delete the files of a batch that nobody needs any more, one never confirmed included.

        What is deleted already is no fault, and neither is a provider that keeps no files.
        """
        ...

    async def close(self) -> None:
        """Close every connection."""
        ...
