"""What the texts of an answer name, held against the lines behind each text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from goldwright.records import FileRange
from goldwright.snapshot.mentions.mention_coverage import MentionScope, uncovered_mentions
from goldwright.snapshot.mentions.mention_search import Mention
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.text import counted


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text of an answer.

    Attributes:
        claim: The id of the claim that it is, or belongs to.
        text: What it says.
        ranges: The lines that it rests on.
    """

    claim: str
    text: str
    ranges: tuple[FileRange, ...]


def inspect_texts(case: GateCase, texts: Iterable[CheckedText]) -> Iterator[CheckFinding]:
    """Yield the names that are neither expected nor stand on the lines of their text, each once."""
    entity_ids = frozenset(case.answer.entity_ids)
    files = frozenset(case.answer.expected_files)
    for checked in texts:
        scope = MentionScope(entity_ids, files, checked.ranges)
        uncovered = uncovered_mentions(checked.text, scope, case.codebase)
        messages = dict.fromkeys(_message(mention) for mention in uncovered)
        for message in messages:
            yield CheckFinding(checked.claim, message)


def numbered_texts(
    kind: str, texts: Iterable[str], ranges: Iterable[tuple[FileRange, ...]]
) -> Iterator[CheckedText]:
    """Give texts the ids of their claims: the kind and the position, from 1."""
    for number, (text, lines) in enumerate(zip(texts, ranges, strict=True), start=1):
        yield CheckedText(f"{kind}-{number}", text, lines)


def _message(mention: Mention) -> str:
    if not mention.is_resolved:
        kind = "file" if mention.kind == "path" else "entity"
        return f"names {mention.text!r}; there is no such {kind}, and no cited line has the name"
    field = "expected_files" if mention.kind == "path" else "expected_entities"
    meanings = sorted(mention.paths or mention.entity_ids)
    meaning = meanings[0]
    if len(meanings) > 1:
        alternatives = counted(len(meanings) - 1, "other")
        meaning = f"{meaning} or {alternatives}"
    return f"names {mention.text!r} ({meaning}), which no cited line uses and {field} lacks"
