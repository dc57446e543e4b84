"""Going on with another Adversary where canaries show the first to be weak."""

from dataclasses import replace

from goldwright.app.environment import Environment
from goldwright.app.runs.execution import execute_and_report
from goldwright.app.runs.run_files import run_for_writing
from goldwright.app.runs.run_preparation import RunPreparation
from goldwright.app.runs.run_report import RunReport
from goldwright.app.runs.run_snapshot import reopen_snapshot
from goldwright.canaries.power import AdversaryPower
from goldwright.engine.progress import Progress
from goldwright.records import Reaction, WeakAdversary
from goldwright.stages.stage_graph import ADVERSARY, files_from
from goldwright.workspace import RunDirectory, StageFileName, supersede


def with_stronger_adversary(
    report: RunReport,
    directory: RunDirectory,
    preparation: RunPreparation,
    environment: Environment,
    progress: Progress,
) -> RunReport:
    """Have all answers attacked again where the settings want that for a weak Adversary.

    The fallback attacks in its place or beside it, canaries included; what models have answered so
    far is taken from the journal. That happens once, and never to a batch that people have begun to
    review: their verdicts would be put away with the reports.

    Returns:
        The report on the run as it is then; the one that was given where nothing is to be done.

    Raises:
        BudgetError: The next call could pass the ceiling.
        ProviderError: A provider refuses or is out of reach.
    """
    if report.power is None or not report.is_adversary_weak or report.state != "complete":
        return report
    reaction = preparation.config.run.on_weak_adversary
    if reaction == "fail" or _is_settled(directory):
        return report
    changed = replace(preparation, model_setup=preparation.model_setup.after(reaction))
    weak = _take_up(directory, report.power, changed, reaction)
    catches = f"{weak.agent} caught {weak.caught} of {weak.released} falsified answers"
    progress.note(f"{catches}; all answers are attacked again by {weak.followed_by}")
    snapshot = reopen_snapshot(directory.manifest(), environment, progress)
    with run_for_writing(directory) as run:
        return execute_and_report(
            run, snapshot, preparation=changed, environment=environment, progress=progress
        )


def _is_settled(directory: RunDirectory) -> bool:
    """Return whether another Adversary has played already, or people have said something."""
    has_reviews = directory.stage_path(StageFileName.HUMAN_REVIEWS).exists()
    return has_reviews or bool(directory.manifest().weak_adversaries)


def _take_up(
    directory: RunDirectory,
    power: AdversaryPower,
    preparation: RunPreparation,
    reaction: Reaction,
) -> WeakAdversary:
    """Write down who plays from now on, and move away what is done again."""
    with directory.lock():
        manifest = directory.manifest()
        counts = power.counts
        model_setup = preparation.model_setup
        fields = model_setup.manifest_fields()
        weak = WeakAdversary(
            agent=manifest.roles["adversary"],
            caught=counts.caught,
            released=counts.total,
            reaction=reaction,
            followed_by=model_setup.identities["adversary"],
        )
        # One save tells of the new Adversary and of the files that are in the way.
        fields["weak_adversaries"] = (*manifest.weak_adversaries, weak)
        updated = manifest.model_copy(update=fields)
        supersede(
            directory,
            updated,
            from_stage=ADVERSARY.name,
            files=files_from(ADVERSARY.name),
            keeps_replies=True,
        )
    return weak
