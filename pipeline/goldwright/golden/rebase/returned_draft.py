"""A record that was not carried over, put where its code is now as far as anybody can tell."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.golden.rebase.anchors import Anchors
from goldwright.golden.rebase.prose import ProseRewriter
from goldwright.golden.rebase.rebase_outcome import RebasedKind, RebasedRecord
from goldwright.records import ChangedClaim, ExpectedEntity, FileRange, GoldenLabel
from goldwright.snapshot import Entity, Snapshot, Span

AnyRange = TypeVar("AnyRange", bound=FileRange)

# More lines than a person compares by eye; a whole file may be cited.
_MOST_OLD_LINES: Final = 400


def plain_range(cited: FileRange) -> FileRange:
    """Give the lines of a citation or of evidence, without what they are cited for."""
    return FileRange(file=cited.file, start=cited.start, end=cited.end)


@dataclass
class ReturnedDraft:
    """A record on its way back to people.

    Attributes:
        label: The record at the old commit.
        anchors: The two commits.
        targets: Where each entity that kept its body is now, by its old id.
        new_ranges: Where each range that kept its text is now, by the old range.
        stale_claims: What is another thing now, by the claim that rests on it.
    """

    label: GoldenLabel
    anchors: Anchors
    targets: Mapping[str, AnchorTarget]
    new_ranges: Mapping[FileRange, FileRange]
    stale_claims: Mapping[str, str]
    _changes: list[ChangedClaim] = field(default_factory=list)

    def give_back(
        self, kind: RebasedKind, reasons: Iterable[str], hints: Iterable[str] = ()
    ) -> RebasedRecord:
        """Give the record back with every reason and hint once."""
        self._changes.clear()
        draft = self._reworded(self._placed())
        for claim_id, change in self.stale_claims.items():
            self._changes.append(ChangedClaim(claim_id=claim_id, reason=change))
        reason = "it speaks of code that is not what it was"
        # The narrative rests on all of the code, whichever lines changed.
        self._changes.append(ChangedClaim(claim_id="narrative", reason=reason))
        distinct_reasons = tuple(dict.fromkeys(reasons))
        distinct_hints = tuple(dict.fromkeys(hints))
        return RebasedRecord(
            query_id=self.label.query_id,
            kind=kind,
            reasons=distinct_reasons,
            label=None,
            hints=distinct_hints,
            draft=draft,
            changed_claims=tuple(self._changes),
        )

    def _placed(self) -> GoldenLabel:
        """Give the record with its entities, files and lines where they are now."""
        label = self.label
        files = [self.anchors.file(path) or path for path in label.expected_files]
        entities = list(self._entities())
        files += (entity.entity_id.partition("::")[0] for entity in entities)
        distinct_files = tuple(dict.fromkeys(files))
        line_ranges = self._ranges("range", label.expected_line_ranges)
        citations = self._citations()
        evidence = self._ranges("evidence", label.source_evidence)
        update = {
            "expected_entities": tuple(entities),
            "expected_files": distinct_files,
            "expected_line_ranges": line_ranges,
            "fact_citations": citations,
            "source_evidence": evidence,
            # What the lines say now is digested once people have said that it bears the record.
            "cited_text": {},
        }
        return label.model_copy(update=update)

    def _entities(self) -> Iterator[ExpectedEntity]:
        for number, entity in enumerate(self.label.expected_entities, start=1):
            entity_id = entity.entity_id
            target = self.targets.get(entity_id)
            if target is None:
                new = self.anchors.namesake(entity_id)
                self._note_entity(f"entity-{number}", entity_id, new)
            else:
                new = target.new
            new_id = entity_id if new is None else new.entity_id
            yield entity.model_copy(update={"entity_id": new_id})

    def _note_entity(self, claim_id: str, entity_id: str, new: Entity | None) -> None:
        old = self.anchors.old.entity(entity_id)
        if old is None:
            return
        new_range = None
        if new is not None:
            new_range = _range_of(new.path, new.spans[0])
        before = _range_of(old.path, old.spans[0])
        self._note(claim_id, before, new_range, "its code is not what it was")

    def _citations(self) -> tuple[FileRange, ...]:
        placed = []
        for citation in self.label.fact_citations:
            new_range = self._place(citation.claim_id, plain_range(citation))
            if new_range is not None:
                placed.append(citation.model_copy(update=dict(new_range)))
        return tuple(placed)

    def _ranges(self, prefix: str, ranges: Iterable[AnyRange]) -> tuple[AnyRange, ...]:
        placed: list[AnyRange] = []
        for cited in ranges:
            # By the place in the new list: a range without a place is left out of it.
            number = len(placed) + 1
            claim_id = f"{prefix}-{number}"
            if prefix == "evidence":
                # Evidence is no claim by itself: the narrative is what was made of it.
                claim_id = "narrative"
            new_range = self._place(claim_id, plain_range(cited))
            if new_range is not None:
                placed.append(cited.model_copy(update=dict(new_range)))
        return tuple(placed)

    def _place(self, claim_id: str, cited: FileRange) -> FileRange | None:
        """Give the lines that a claim rests on now, and note those that say something else."""
        place = self.new_ranges.get(cited)
        if place is not None:
            return place
        new_range = self.anchors.nearest(cited)
        # A range that is left out is no claim any more.
        if new_range is not None or not claim_id.startswith("range"):
            self._note(claim_id, cited, new_range, "its lines do not say what they said")
        return new_range

    def _note(
        self, claim_id: str, before: FileRange, new_range: FileRange | None, reason: str
    ) -> None:
        old_lines = _lines_of(self.anchors.old, before)
        change = ChangedClaim(
            claim_id=claim_id, reason=reason, before=before, old_lines=old_lines, now=new_range
        )
        self._changes.append(change)

    def _reworded(self, draft: GoldenLabel) -> GoldenLabel:
        """Put right the places that the words name, as far as they kept their text."""
        new_paths = {}
        for path in self.label.expected_files:
            new_path = self.anchors.file(path)
            new_paths[path] = () if new_path is None else (new_path,)
        targets = tuple(self.targets.values())
        rewriter = ProseRewriter(self.anchors, targets, self.new_ranges, new_paths)
        return rewriter.reword(draft)


def _range_of(path: str, span: Span) -> FileRange:
    return FileRange(file=path, start=span.first, end=span.last)


def _lines_of(snapshot: Snapshot, cited: FileRange) -> tuple[str, ...]:
    if not snapshot.has_text(cited.file):
        return ()
    span = Span(cited.start, cited.end)
    lines = snapshot.source(cited.file).lines_of(span)
    return lines[:_MOST_OLD_LINES]
