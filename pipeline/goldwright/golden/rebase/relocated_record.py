"""A record whose entities and lines all have a place at the newer commit, moved there."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.golden.rebase.anchors import Anchors
from goldwright.golden.rebase.prose import ProseRewriter
from goldwright.golden.rebase.rebase_outcome import RebasedRecord
from goldwright.golden.rebase.returned_draft import ReturnedDraft, plain_range
from goldwright.records import CarryOver, CheckFailure, ExpectedEntity, FileRange, GoldenLabel
from goldwright.records.label import CarriedAs
from goldwright.stages.gate import run_gate

AnyRange = TypeVar("AnyRange", bound=FileRange)


@dataclass(frozen=True)
class Relocation:
    """A record on its way to the newer commit.

    Attributes:
        label: The record at the old commit.
        anchors: The two commits.
        targets: Where each entity of the record is now, by its old id.
        new_ranges: Where each range of the record is now, by the old range.
    """

    label: GoldenLabel
    anchors: Anchors
    targets: Mapping[str, AnchorTarget]
    new_ranges: Mapping[FileRange, FileRange]

    def rebase(self) -> RebasedRecord:
        """Move the record with all its words, and put it through the gate."""
        losses = [f"{path} is gone" for path, places in self._new_paths.items() if not places]
        if losses:
            return self._return(losses)
        relocated = self._relocated_label()
        is_in_place = all(target.is_in_place for target in self.targets.values())
        if is_in_place and relocated == self.label:
            return self._accept(relocated, "unchanged")
        targets = tuple(self.targets.values())
        rewriter = ProseRewriter(self.anchors, targets, self.new_ranges, self._new_paths)
        reworded = rewriter.reword(relocated)
        if rewriter.problems:
            return self._return(rewriter.problems)
        return self._accept(reworded, "moved")

    @cached_property
    def _new_paths(self) -> Mapping[str, tuple[str, ...]]:
        """Where what the record says of each of its files is now, by old path.

        It is several paths where the parts of a file came apart, and none where the file is gone.
        """
        new_paths: defaultdict[str, list[str]] = defaultdict(list)
        for target in self.targets.values():
            new_paths[target.old.path].append(target.new.path)
        for cited, place in self.new_ranges.items():
            new_paths[cited.file].append(place.file)
        for path in self.label.expected_files:
            if path not in new_paths:
                new_path = self.anchors.file(path)
                new_paths[path] = [] if new_path is None else [new_path]
        return {path: tuple(dict.fromkeys(places)) for path, places in new_paths.items()}

    def _relocated_label(self) -> GoldenLabel:
        """Give the record with its ids, paths and lines at the newer commit; words stay."""
        label = self.label
        files: list[str] = []
        for path in label.expected_files:
            files.extend(self._new_paths[path])
        line_ranges = self._relocated_ranges(label.expected_line_ranges)
        citations = self._relocated_ranges(label.fact_citations)
        evidence = self._relocated_ranges(label.source_evidence)
        entities = tuple(self._relocated_entities())
        # Two files may have become one.
        distinct_files = tuple(dict.fromkeys(files))
        update = {
            "expected_entities": entities,
            "expected_files": distinct_files,
            "expected_line_ranges": line_ranges,
            "fact_citations": citations,
            "source_evidence": evidence,
            "cited_text": self._relocated_digests(),
        }
        return label.model_copy(update=update)

    def _relocated_entities(self) -> Iterator[ExpectedEntity]:
        for entity in self.label.expected_entities:
            new_entity = self.targets[entity.entity_id].new
            yield entity.model_copy(update={"entity_id": new_entity.entity_id})

    def _relocated_ranges(self, ranges: Iterable[AnyRange]) -> tuple[AnyRange, ...]:
        relocated: list[AnyRange] = []
        for cited in ranges:
            new_range = self.new_ranges[plain_range(cited)]
            relocated.append(cited.model_copy(update=dict(new_range)))
        return tuple(relocated)

    def _relocated_digests(self) -> dict[str, str]:
        """Give the digests of the record by the ranges that its lines have now."""
        digests = self.label.cited_text
        return {str(new_range): digests[str(cited)] for cited, new_range in self.new_ranges.items()}

    def _accept(self, label: GoldenLabel, kind: CarriedAs) -> RebasedRecord:
        """Give the record as it is at the newer commit, if it passes the gate there."""
        # Words may name code that the record does not cite, which nothing above has looked at.
        failures = run_gate(label, self.anchors.new)
        if failures:
            return self._return(map(_failure_text, failures))
        carry_over = CarryOver(from_commit=self.anchors.old.commit, kind=kind)
        carried = (*label.provenance.carried, carry_over)
        provenance = label.provenance.model_copy(update={"carried": carried})
        update = {
            "provenance": provenance,
            "alternatives": self._relocated_alternatives(),
        }
        return RebasedRecord(
            query_id=label.query_id,
            kind=kind,
            reasons=(),
            label=label.model_copy(update=update),
        )

    def _return(self, reasons: Iterable[str]) -> RebasedRecord:
        draft = ReturnedDraft(self.label, self.anchors, self.targets, self.new_ranges, {})
        return draft.give_back("edited", reasons)

    def _relocated_alternatives(self) -> dict[str, tuple[str, ...]]:
        """Let alternatives follow; what is gone or is not the same code any more is left out."""
        relocated: dict[str, tuple[str, ...]] = {}
        for entity_id, alternatives in self.label.alternatives.items():
            anchor = self.anchors.entity(entity_id)
            new_ids = self._new_ids(alternatives)
            if isinstance(anchor, AnchorTarget) and new_ids:
                relocated[anchor.new.entity_id] = new_ids
        return relocated

    def _new_ids(self, entity_ids: Iterable[str]) -> tuple[str, ...]:
        new_ids: dict[str, None] = {}
        for entity_id in entity_ids:
            anchor = self.anchors.entity(entity_id)
            if isinstance(anchor, AnchorTarget):
                new_ids[anchor.new.entity_id] = None
        return tuple(new_ids)


def _failure_text(failure: CheckFailure) -> str:
    return f"the gate: {failure.check}: {failure.claim}: {failure.message}"
