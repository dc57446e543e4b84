"""Work that was given up in a run and belongs to no record: it comes back with every resume.

A record that could not be finished keeps its run open. An Author that was given up, or a canary,
does not, so a run may be complete and still have work that another attempt could bring to an end.
"""

from collections.abc import Iterator

from goldwright.app.runs.run_files import OpenRun
from goldwright.canaries.kinds import CANARY_MARK
from goldwright.stages.drafting import authors_set_aside


def work_set_aside(run: OpenRun) -> tuple[str, ...]:
    """Name the Authors and canaries that a complete run was sealed without.

    Work that an open run lacks is simply still to come.
    """
    if run.manifest.state != "complete":
        return ()
    return (*authors_set_aside(run.transcript), *_canaries_set_aside(run))


def _canaries_set_aside(run: OpenRun) -> Iterator[str]:
    for item in run.call_journal.items_given_up():
        _, _, case = item.partition(":")
        if CANARY_MARK in case and case not in run.canaries.done:
            yield item
