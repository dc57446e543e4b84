"""The trust card of a dataset as it is stored: with a run, and in the metadata of an export."""

from typing import Literal, Self

from pydantic import Field

from goldwright.canonical import digest
from goldwright.records.base import Record


class TrustFigure(Record):
    """One figure of a trust card.

    Attributes:
        title: What it is, in a few words.
        unit: How its values are to be read: as a share in 0..1, as a difference of shares, or as
            a plain number.
        value: The value; None where there was nothing to measure.
        n: How many observations it rests on.
        interval: The 95 % interval of the value; None where none can be given.
        direction: Whether larger or smaller values are better; None for a figure that describes.
        wanted: The last value that is good enough; None for the same.
        verdict: ``ok`` where the value is good enough, ``short`` where the whole interval is not,
            ``undecided`` where only part of it is not, ``too few`` for fewer than five
            observations; None where no value is wanted. Older cards say ``too few`` for both.
    """

    title: str
    unit: Literal["share", "points", "number"]
    value: float | None
    n: int = Field(ge=0)
    interval: tuple[float, float] | None
    direction: Literal["at least", "at most"] | None = None
    wanted: float | None = None
    verdict: Literal["ok", "short", "undecided", "too few"] | None = None


class TrustCardRecord(Record):
    """The trust card of the records that a run has selected.

    Attributes:
        content: The digest of these records; of other records the card says nothing.
        records: How many they are.
        figures: The figures by name, in the order of the table.
        digest: The digest of all of this but itself; empty as long as it is not written.
        schema_version: The version of this format.
    """

    content: str
    records: int = Field(ge=0)
    figures: dict[str, TrustFigure]
    digest: str = ""
    schema_version: Literal["1.0.0"] = "1.0.0"

    def sealed(self) -> Self:
        """Give the card with its digest."""
        return self.model_copy(update={"digest": self._own_digest()})

    @property
    def is_as_written(self) -> bool:
        """Whether it is what was written, as far as its digest tells."""
        return self.digest == self._own_digest()

    def _own_digest(self) -> str:
        return digest(self.model_dump(mode="json", exclude={"digest"}))
