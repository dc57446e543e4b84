"""What the call journal knows of batches: which were handed in, and whose entries they hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from goldwright.llm.batch_port import CallKey, HandedIn

BATCH: Final = "batch"
"""The kind of an entry about a batch: before it is handed in, and once it has a name there."""


@dataclass(slots=True)
class BatchEntries:
    """The batches of a run, read from its journal.

    Attributes:
        by_label: Those that were handed in, or may have been.
        begun: How many were begun, those included that never reached a provider.
        discarded: The labels of those whose files are deleted.
        unanswered: The calls in batches that have come to no end.
    """

    by_label: dict[str, HandedIn] = field(default_factory=dict)
    begun: int = 0
    discarded: set[str] = field(default_factory=set)
    unanswered: set[CallKey] = field(default_factory=set)

    def read(self, body: Mapping[str, Any]) -> None:
        """Take an entry into account.

        Raises:
            KeyError, ValueError: It is not as it was written.
        """
        label = body["label"]
        if "calls" in body:
            self.begun += 1
            entries = _entries(label, body["calls"])
            batch = HandedIn(label, body["model"], entries)
            self.by_label[label] = batch
            self.unanswered.update(batch.entries.values())
        elif "id" in body:
            self.by_label[label].batch_id = body["id"]
        elif "discarded" in body:
            self.discarded.add(label)
        else:
            # It never reached the provider.
            del self.by_label[label]

    def of_model(self, model: str) -> Iterator[HandedIn]:
        """Yield the batches that ask a model, the oldest first."""
        for batch in self.by_label.values():
            if batch.model == model:
                yield batch

    def finished(self, model: str) -> Iterator[HandedIn]:
        """Yield the batches to a model whose replies are all here, and whose files are not gone."""
        for batch in self.of_model(model):
            is_answered = self.unanswered.isdisjoint(batch.entries.values())
            if is_answered and batch.label not in self.discarded:
                yield batch


def batch_begun(label: str, model: str, calls: Sequence[CallKey]) -> dict[str, Any]:
    """Write the entry of a batch that is about to be handed in."""
    call_rows = [list(call) for call in calls]
    return {"label": label, "model": model, "calls": call_rows}


def batch_named(label: str, batch_id: str) -> dict[str, Any]:
    """Write the entry of a batch that the provider has named."""
    return {"label": label, "id": batch_id}


def batch_dropped(label: str) -> dict[str, Any]:
    """Write the entry of a batch that never reached the provider."""
    return {"label": label}


def batch_discarded(label: str) -> dict[str, Any]:
    """Write the entry of a batch whose files are deleted."""
    return {"label": label, "discarded": True}


def _entries(label: str, calls: Sequence[Sequence[str]]) -> dict[str, CallKey]:
    entries: dict[str, CallKey] = {}
    for place, (item, key) in enumerate(calls):
        entries[f"{label}-{place}"] = (item, key)
    return entries
