"""Putting a batch together from a run's files and a snapshot, and playing it to its end."""

from goldwright.agents.offline import OfflineAdversary, OfflineJudge, OfflineOracle
from goldwright.agents.offline.author import OfflineAuthor
from goldwright.agents.roles import Cast
from goldwright.app.opening import OpenRun
from goldwright.engine.clock import Clock
from goldwright.engine.progress import Progress
from goldwright.engine.runner import Failed
from goldwright.snapshot import Snapshot
from goldwright.stages.author import VERSION as AUTHOR_VERSION
from goldwright.stages.author import AuthorStage
from goldwright.stages.batch import Batch
from goldwright.stages.bench import Bench
from goldwright.stages.casework import VERSIONS, Casework

CASES_AT_ONCE = 8


def stage_versions() -> dict[str, str]:
    """The version of every stage; a stage whose meaning changes gets the next one."""
    return {"author": str(AUTHOR_VERSION), **{stage: str(version) for stage, version in VERSIONS.items()}}


def offline_cast(snapshot: Snapshot) -> Cast:
    """The four embedded agents over one snapshot."""
    return Cast(OfflineAuthor(snapshot), OfflineOracle(snapshot), OfflineAdversary(snapshot), OfflineJudge())


def offline_identities() -> dict[str, str]:
    """Who plays the roles when nobody else is asked to."""
    return {
        "author": OfflineAuthor.identity,
        "oracle": OfflineOracle.identity,
        "adversary": OfflineAdversary.identity,
        "judge": OfflineJudge.identity,
    }


async def play(
    run: OpenRun, snapshot: Snapshot, *, clock: Clock, progress: Progress, focus_area: str | None
) -> tuple[Failed, ...]:
    """Carry a run on up to the human gate, and seal its files when every case is done.

    Returns:
        The cases that could not be finished; with any, the run stays open.
    """
    cast = offline_cast(snapshot)
    bench = Bench(snapshot, run.transcript, clock)
    authors = AuthorStage(
        cast.author,
        bench,
        candidates=run.books.candidates,
        rejected=run.books.rejected,
        progress=progress,
        seed=run.manifest.seed,
        focus_area=focus_area,
    )
    batch = Batch(
        run.manifest.plan,
        run.books,
        authors=authors,
        casework=Casework(cast, bench, run.books, progress),
        transcript=run.transcript,
        progress=progress,
        limit=CASES_AT_ONCE,
    )
    failed = await batch.run()
    if not failed:
        run.seal()
    return failed
