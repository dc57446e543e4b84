"""Why records differ between two datasets, as their provenance and metadata say."""

from collections.abc import Iterable, Iterator

from goldwright.golden.differences.reanchoring import carry_overs_since
from goldwright.golden.metadata import DatasetMetadata
from goldwright.records import GoldenLabel, Provenance

MetadataPair = tuple[DatasetMetadata | None, DatasetMetadata | None]
"""The metadata of an old and a new dataset."""


def change_reasons(old: Provenance | None, new: Provenance) -> Iterator[str]:
    """Say how a record came to be as it is.

    Args:
        old: Its provenance in the old dataset; None where it is new.
        new: Its provenance in the new dataset.
    """
    if old is None:
        yield _authors(new)
        edits = new.edits
        carry_overs = new.carried
    else:
        if (old.query_author, old.oracle) != (new.query_author, new.oracle):
            yield _authors(new)
        edits = tuple(edit for edit in new.edits if edit not in old.edits)
        carry_overs = carry_overs_since(old, new)
    for edit in edits:
        yield f"{edit.reviewer} edited {edit.field} at {edit.reviewed_at}"
    for carry_over in carry_overs:
        yield f"carried over from commit {carry_over.from_commit} as {carry_over.kind}"
    if new.verdict and (old is None or _review(old) != _review(new)):
        yield _review(new)


def removal_reasons(
    label: GoldenLabel, added: Iterable[GoldenLabel], metadata: MetadataPair
) -> Iterator[str]:
    """Say why a record may be missing from the new dataset.

    Args:
        label: The record.
        added: The records that only the new dataset holds.
        metadata: The metadata of both datasets.
    """
    for candidate in added:
        if candidate.query_text == label.query_text:
            yield f"its query stands in {candidate.query_id} now"
    old, new = metadata
    if old is None or new is None:
        return
    if old.repo_commit != new.repo_commit:
        yield "the codebase moved to another commit in between"
    rebase = new.rebased
    if rebase is None or rebase.dataset_sha256 != old.dataset_sha256:
        return
    if label.query_id in rebase.edited:
        yield "the code of it was edited"
    if label.query_id in rebase.gone:
        yield "an entity of it is gone"


def _authors(provenance: Provenance) -> str:
    return f"written by {provenance.query_author}, answered by {provenance.oracle}"


def _review(provenance: Provenance) -> str:
    reviewers = (
        provenance.human_reviewer,
        provenance.second_reviewer,
        provenance.adjudicator,
    )
    names = ", ".join(filter(None, reviewers))
    return f"reviewed by {names or 'nobody named'}: {provenance.verdict}"
