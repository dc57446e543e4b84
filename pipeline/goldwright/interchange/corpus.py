"""The codebase as a corpus: a document for every entity of the snapshot."""

from collections.abc import Iterator
from dataclasses import dataclass

from goldwright.errors import InputError
from goldwright.golden.datasets import CorpusDocument
from goldwright.records import GoldenLabel
from goldwright.snapshot import Entity, Snapshot


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of a snapshot, in the order of paths and lines.

    The text of an entity is all its lines, decorators and members included; that of a name with
    several definitions is theirs one after the other. The title is the qualified name: tools that
    put the title before the text find an entity by its name, which those that read the text alone
    may not.
    """

    snapshot: Snapshot

    def __iter__(self) -> Iterator[CorpusDocument]:
        for path in self.snapshot.source_files:
            if not self.snapshot.has_text(path):
                continue
            lines = self.snapshot.source(path).lines
            for entity in self.snapshot.entities_in(path):
                text = _source_of(entity, lines)
                yield CorpusDocument(entity.entity_id, entity.name, text)

    def check_holds(self, label: GoldenLabel, *, source: str) -> None:
        """Make sure that what a record expects is a document.

        Raises:
            InputError: It is not.
        """
        commit = self.snapshot.commit[:12]
        for entity_id in label.entity_ids:
            if self.snapshot.entity(entity_id) is None:
                raise InputError(
                    f"{source}: {label.query_id} expects {entity_id}, which is no entity of "
                    f"{commit}; is it the codebase that the dataset was made from?"
                )


def _source_of(entity: Entity, file_lines: tuple[str, ...]) -> str:
    lines: list[str] = []
    for span in entity.spans:
        # Spans count lines from 1 and include their last line.
        first = span.first - 1
        lines.extend(file_lines[first : span.last])
    text = "\n".join(lines)
    if text.isascii():
        return text
    # A file may declare a coding that decodes to half a surrogate pair, which no format can hold.
    return text.encode("utf-8", "replace").decode("utf-8")
