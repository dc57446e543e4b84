"""A look at every file of a codebase, for what makes questions worth asking."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from goldwright.code_reading.modules import open_module
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Lead
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code


@dataclass(frozen=True)
class CodebaseSurvey:
    """What was found.

    Attributes:
        leads: All leads by the kind of inquiry, in the order of files and lines; a lead whose
            words stand in another one too is left out, for nobody could tell which was meant.
        files: How many files were looked at.
    """

    leads: Mapping[str, tuple[Lead, ...]]
    files: int


def survey_codebase(snapshot: Snapshot) -> CodebaseSurvey:
    """Look at every file of the product's own code."""
    leads: dict[str, list[Lead]] = {inquiry.kind: [] for inquiry in INQUIRIES}
    paths = [path for path in snapshot.files_in("python") if is_product_code(path)]
    for path in paths:
        module = open_module(snapshot, path)
        if module is None:
            continue
        for inquiry in INQUIRIES:
            leads[inquiry.kind].extend(inquiry.leads(module))
    return CodebaseSurvey({kind: _unmistakable(found) for kind, found in leads.items()}, len(paths))


def _unmistakable(leads: list[Lead]) -> tuple[Lead, ...]:
    counts = Counter(lead.words for lead in leads if lead.words)
    return tuple(lead for lead in leads if counts[lead.words] <= 1)
