"""Who is offered practice records: whoever has not sat at a batch of the dataset before."""

from goldwright.app.datasets.blessing_ledger import ledger_of
from goldwright.app.environment import Environment
from goldwright.review.person_names import same_person
from goldwright.review.practice_desk import TrainingMode
from goldwright.workspace import RunDirectory


def practice_offer(
    wanted_mode: TrainingMode, reviewer: str, directory: RunDirectory, environment: Environment
) -> TrainingMode:
    """Say whether a reviewer of a run is offered practice records.

    Args:
        wanted_mode: What was asked for; anything but ``offer`` is what happens.
        reviewer: The name of the person.
        directory: The run.
        environment: The workspace with the ledger of sittings.
    """
    if wanted_mode != "offer":
        return wanted_mode
    for stored in ledger_of(environment).entries():
        entry = stored.entry
        if entry.kind != "sitting" or entry.run == directory.name or entry.reviewer is None:
            continue
        if same_person(entry.reviewer, reviewer):
            return "off"
    return "offer"
