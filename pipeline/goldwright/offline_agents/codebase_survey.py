"""A look at every file of a codebase, for what makes questions worth asking."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from goldwright.code_reading.modules import open_module
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Lead
from goldwright.snapshot import Snapshot

# Code beside the product: nobody asks what it does, and questions about it would be about a copy.
ASIDE_FOLDERS: Final = frozenset(
    """
    test tests testing t docs doc docs_src examples example samples demo demos benchmark benchmarks
    bench vendor vendored _vendor third_party extern externals extras migrations fixtures
    site-packages node_modules build dist locale testsuite project_template app_template conformance
    scripts tools tests_typing typing_tests integration utils_tests requirements ci
    """.split()
)
ASIDE_FILES: Final = frozenset(
    """
    setup.py conftest.py versioneer.py _version.py version.py noxfile.py tasks.py __version__.py
    __about__.py fabfile.py compat.py
    """.split()
)
_ASIDE_NAME: Final = re.compile(r"^test_|_test\.py$|^tests?\.py$|_pb2|^_vendor|generated")


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


def is_product_code(path: str) -> bool:
    """Find out whether a path holds running code of the project itself."""
    parts = PurePosixPath(path).parts
    if parts[-1] in ASIDE_FILES or _ASIDE_NAME.search(parts[-1]):
        return False
    return not any(part.lower() in ASIDE_FOLDERS or part.startswith(".") for part in parts[:-1])


def _unmistakable(leads: list[Lead]) -> tuple[Lead, ...]:
    counts = Counter(lead.words for lead in leads if lead.words)
    return tuple(lead for lead in leads if counts[lead.words] <= 1)
