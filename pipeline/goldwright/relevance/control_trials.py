"""Trials after the search: what each relevant document is worth by itself, and against a sham.

The search says that a document raises success. These trials say how: whether it is enough by
itself, whether the others do without it, and whether a text that only looks like it does as well.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from pydantic import Field

from goldwright.records import Record
from goldwright.relevance.contexts import PoolDocument, filler, render_context
from goldwright.relevance.task_search import Outcome

Alteration = Literal["", "placebo", "mutated"]

# Far above any number of a search's trials, so that the two share no seed.
_FIRST_SEED: Final = 500_000
_RETURN = re.compile(r"(\breturn\b)[^\n#]+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_SWAPS: Final = {"==": "!=", "!=": "==", "True": "False", "False": "True", " in ": " not in "}
_SWAPPED = re.compile("|".join(map(re.escape, _SWAPS)))


class ControlRecord(Record):
    """One trial after the search, as its log keeps it.

    Attributes:
        task_id: The task.
        included: The ids of the documents that were shown, sorted.
        altered: The one of them that was shown with another text; empty for none.
        alteration: "placebo" is an equally long piece of unrelated documents, "mutated" the
            document itself with what it returns and compares changed.
        number: From 1 on, among the trials of this kind.
        outcome: Whether the answer passed; "none" where solver or tests failed.
        reason: Why it did not pass.
        total_tokens: What the solver used.
        usd: What that cost.
    """

    task_id: str
    included: tuple[str, ...]
    altered: str = ""
    alteration: Alteration = ""
    number: int = Field(ge=1)
    outcome: Outcome
    reason: str = ""
    total_tokens: int = Field(default=0, ge=0)
    usd: float = Field(default=0.0, ge=0.0)

    @property
    def arm(self) -> "ControlArm":
        """What was shown."""
        return ControlArm(self.included, self.altered, self.alteration)


@dataclass(frozen=True, slots=True)
class ControlArm:
    """What some trials show alike.

    Attributes:
        included: The ids of the documents that are shown, sorted.
        altered: The one of them that is shown with another text; empty for none.
        alteration: In which way.
    """

    included: tuple[str, ...]
    altered: str = ""
    alteration: Alteration = ""


def control_arms(
    relevant: Sequence[str], sufficient_sets: Iterable[Sequence[str]]
) -> list[ControlArm]:
    """List what is tried once the relevant documents are known, each arm once.

    That is: no document; each relevant one alone; all of them; all but one; each sufficient set;
    and all of them with a placebo, or a mutated text, in the place of one.
    """
    relevant_documents = tuple(sorted(relevant))
    arms = [ControlArm(())]
    arms += [ControlArm((document_id,)) for document_id in relevant_documents]
    arms.append(ControlArm(relevant_documents))
    arms += [
        ControlArm(without(relevant_documents, document_id)) for document_id in relevant_documents
    ]
    arms += [ControlArm(tuple(sorted(ids))) for ids in sufficient_sets]
    for document_id in relevant_documents:
        arms.append(ControlArm(relevant_documents, document_id, "placebo"))
        arms.append(ControlArm(relevant_documents, document_id, "mutated"))
    return list(dict.fromkeys(arms))


def without(ids: Sequence[str], document_id: str) -> tuple[str, ...]:
    """Leave one document out."""
    return tuple(other_id for other_id in ids if other_id != document_id)


def render_arm(pool: Sequence[PoolDocument], arm: ControlArm, *, seed: int) -> str:
    """Write the context of one trial of an arm; it is as long as all contexts of the pool."""
    documents = []
    for document in pool:
        if document.document_id == arm.altered:
            text = altered_text(pool, document, arm.alteration)
            documents.append(replace(document, text=text))
        else:
            documents.append(document)
    included = [document.document_id in arm.included for document in pool]
    return render_context(documents, included, seed=seed)


def seed_of_control(task_seed: int, place: int, number: int) -> int:
    """Return the seed of a trial: another one for every trial of a task, its search included.

    Args:
        task_seed: That of the task.
        place: That of the arm among the task's, from 0 on.
        number: That of the trial in its arm, from 1 on.
    """
    return task_seed * 1_000_003 + _FIRST_SEED + place * 1_000 + number


def altered_text(
    pool: Sequence[PoolDocument], document: PoolDocument, alteration: Alteration
) -> str:
    """Return a document's text altered, as long as before."""
    length = len(document.text)
    if alteration == "placebo":
        return _cut("".join(_unrelated_texts(pool, document)), length)
    if alteration == "mutated":
        return _cut(mutate(document.text), length)
    return document.text


def _unrelated_texts(pool: Sequence[PoolDocument], document: PoolDocument) -> Iterator[str]:
    # Random ones come first: what a search brings may be about the same.
    for origin in ("random", "retrieved"):
        for other_document in pool:
            is_other = other_document.document_id != document.document_id
            if is_other and other_document.origin == origin:
                yield f"{other_document.text}\n"


def mutate(text: str) -> str:
    """Change what code returns, compares and counts, and leave its names and layout as they are."""
    swapped = _SWAPPED.sub(lambda match: _SWAPS[match.group()], text)
    counted = _NUMBER.sub(_next_number, swapped)
    return _RETURN.sub(r"\1 None", counted)


def _next_number(match: re.Match[str]) -> str:
    """Write the number that follows the one that was found."""
    number = int(match.group())
    return str(number + 1)


def _cut(text: str, length: int) -> str:
    return (text + "\n" + filler(length))[:length]
