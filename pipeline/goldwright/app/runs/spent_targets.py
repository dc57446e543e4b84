"""What the newest version asks about already, for a batch that is to be added to it."""

from dataclasses import dataclass

from goldwright.app.environment import Environment
from goldwright.golden.loading import parse_dataset, read_bytes
from goldwright.golden.versions import published_versions
from goldwright.plan import Plan
from goldwright.snapshot import Snapshot
from goldwright.text import counted


@dataclass(frozen=True, slots=True)
class SpentTargets:
    """The entities that Authors leave alone.

    Attributes:
        targets: Their ids, those that are there at the commit of the run, in alphabetical order.
        sentence: Which version asks about them, for people.
    """

    targets: tuple[str, ...]
    sentence: str


def spent_targets(plan: Plan, snapshot: Snapshot, environment: Environment) -> SpentTargets | None:
    """Read the targets of the newest version; None for a plan that adds to none.

    Raises:
        InputError: The newest version cannot be read.
    """
    versions = published_versions(environment.workspace.golden)
    if not plan.is_addition or not versions:
        return None
    path = versions[-1].path
    labels = parse_dataset(read_bytes(path, content="dataset"), source=str(path))
    expected = {entity_id for label in labels for entity_id in label.entity_ids}
    # An id that is no entity any more keeps nobody from anything.
    present = [entity_id for entity_id in expected if snapshot.entity(entity_id) is not None]
    targets = tuple(sorted(present))
    entities = counted(len(targets), "entity")
    sentence = (
        f"{path.name} asks about {entities} of this codebase already; the batch leaves them alone"
    )
    return SpentTargets(targets, sentence)
