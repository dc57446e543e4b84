"""What people decided of records on a pull request: a file a record, committed with the change.

A decision names the dataset and the change that it was made on, so it counts for these alone.
Anybody who may open a pull request may write one, so none of them blesses: ``keep`` and ``fix`` are
said to whoever reviews the record after the merge, and ``drop`` leaves it out.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import Field, ValidationError

from goldwright.errors import InputError
from goldwright.golden.guarded_records import GuardedRecord
from goldwright.golden.loading import read_bytes
from goldwright.records import Record
from goldwright.records.validation_problems import first_validation_problem

DIRECTORY_NAME: Final = "guard"

Verdict = Literal["keep", "fix", "drop"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)

_LONGEST_NOTE: Final = 500
_UNRESERVED: Final = frozenset("-._~")
# What an address is put together of, and what is encoded in it already.
_OF_ADDRESSES: Final = frozenset("/:@%")


class GuardDecision(Record):
    """What somebody decided of one record.

    Attributes:
        query_id: The record.
        decision: What is to become of it.
        dataset: The digest of the dataset that it was decided on.
        change: The digest of what had changed for the record.
        by: Who decided.
        note: Why, or what is to be fixed.
    """

    query_id: str
    decision: Verdict
    dataset: str
    change: str
    by: str = Field(default="", max_length=100)
    note: str = Field(default="", max_length=_LONGEST_NOTE)

    @property
    def sentence(self) -> str:
        """Say it to whoever decides on the record."""
        who = self.by or "Somebody"
        statement = f"{who} said on the pull request: {self.decision}"
        if not self.note:
            return statement
        return f"{statement} ({self.note})"


def decision_link(address: str, directory: str, decision: GuardDecision) -> str:
    """Write the address at which a decision can be committed, filled in.

    Args:
        address: Where a host makes new files on a branch, as in ``https://HOST/OWNER/NAME/new/main``.
        directory: The directory of the dataset in the repository.
        decision: The decision, by nobody yet.
    """
    name = f"{directory}/{DIRECTORY_NAME}/{decision.query_id}.json"
    text = decision.model_dump_json(indent=2, ensure_ascii=True) + "\n"
    # A branch may have a name that ends the link, or the address, in its midst.
    start = _encoded(address.rstrip("/"), kept_signs=_OF_ADDRESSES)
    encoded_name = _encoded(name)
    encoded_text = _encoded(text)
    return f"{start}?filename={encoded_name}&value={encoded_text}"


def read_decisions(directory: Path) -> Iterator[GuardDecision]:
    """Read the decisions of a directory, by the names of their files; none where it is missing.

    Raises:
        InputError: A file is no decision, or one of another record than its name says.
    """
    for path in sorted(directory.glob("*.json")):
        try:
            decision = GuardDecision.model_validate_json(read_bytes(path, content="decision"))
        except ValidationError as error:
            problem = first_validation_problem(error)
            raise InputError(f"{path}: {problem}") from error
        if decision.query_id != path.stem:
            raise InputError(f"{path}: is about {decision.query_id}, and not about {path.stem}")
        yield decision


def valid_decisions(
    directory: Path, dataset: str, guarded: Iterable[GuardedRecord]
) -> Mapping[str, GuardDecision]:
    """Give the decisions that are about a dataset and about the very change that is there now.

    Args:
        directory: Where the decisions are.
        dataset: The digest of the dataset.
        guarded: The records that are open; read only where there are decisions.

    Returns:
        The decisions by record.
    """
    stored_decisions = read_decisions(directory)
    decisions = {
        decision.query_id: decision for decision in stored_decisions if decision.dataset == dataset
    }
    if not decisions:
        return decisions
    # Nobody has decided on code that came later.
    digests = {guarded_record.record.query_id: guarded_record.digest for guarded_record in guarded}
    return {
        name: decision
        for name, decision in decisions.items()
        if digests.get(name) == decision.change
    }


def _encoded(text: str, kept_signs: AbstractSet[str] = frozenset()) -> str:
    """Write a text as a part of an address; some signs that mean something there are kept."""
    characters = map(chr, text.encode("utf-8", "surrogateescape"))
    pieces: list[str] = []
    for character in characters:
        is_kept = _is_unreserved(character) or character in kept_signs
        escape = f"%{ord(character):02X}"
        pieces.append(character if is_kept else escape)
    return "".join(pieces)


def _is_unreserved(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in _UNRESERVED)
