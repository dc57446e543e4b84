"""The seal of a file of a run, which shows later that the file has not changed."""

from pydantic import Field

from goldwright.records.base import Record


class Seal(Record):
    """The number of lines of a file and the digest of exactly their bytes."""

    count: int = Field(ge=0)
    digest: str = Field(pattern=r"^sha256:[0-9a-f]{64}$")
