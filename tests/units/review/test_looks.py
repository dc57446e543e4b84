"""A record whose code changed is kept once somebody looked at each claim that rests on it."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from goldwright.engine.ordered_log import OrderedLog
from goldwright.errors import InputError
from goldwright.records import ChangedClaim
from goldwright.snapshot import Snapshot
from units.review.batches import MemoryShelf
from units.review.test_session import House, decide, snapshot

__all__ = ["snapshot"]

CHANGES = (
    ChangedClaim(claim_id="fact-1", reason="its lines do not say what they said"),
    ChangedClaim(claim_id="narrative", reason="it speaks of code that is not what it was"),
)


@pytest.fixture
def house(tmp_path: Path, snapshot: Snapshot) -> House:
    """A house in which a rebase returned q5."""
    with ExitStack() as stack:
        house = House(tmp_path, snapshot, stack)
        house.room().draw_sample(key="sample-1")
    house = House(tmp_path, snapshot, ExitStack())
    stage_files = house.batch.stage_files
    queued = stage_files.queue.done["q5"].model_copy(update={"changed_claims": CHANGES})
    queue = OrderedLog(MemoryShelf([queued]))
    house.batch = replace(house.batch, stage_files=replace(stage_files, queue=queue))
    return house


def test_a_changed_record_is_kept_after_each_changed_claim_was_looked_at(house: House) -> None:
    room = house.room()
    with pytest.raises(InputError, match="look first at fact-1, narrative"):
        decide(room, "q5", "keep", key="key-1")
    room.note_look("q5", ("fact-1", "fact-2"), key="key-2")
    with pytest.raises(InputError, match="look first at narrative"):
        decide(room, "q5", "keep", key="key-3")
    room.note_look("q5", ("narrative",), key="key-4")
    decide(room, "q5", "keep", key="key-5")
    assert room.look().review_state.rulings.reinstated == {"q5"}


def test_the_look_of_another_person_is_none(house: House) -> None:
    house.room("Bob").note_look("q5", ("fact-1", "narrative"), key="key-1")
    with pytest.raises(InputError, match="look first"):
        decide(house.room("Ada"), "q5", "keep", key="key-2")


def test_to_drop_a_changed_record_takes_no_look(house: House) -> None:
    decide(house.room(), "q5", "drop", key="key-1", words="outdated")


def test_a_look_at_what_did_not_change_is_refused(house: House) -> None:
    with pytest.raises(InputError, match="no code of these claims has changed"):
        house.room().note_look("q5", ("fact-2",), key="key-1")
    with pytest.raises(InputError, match="not among the records"):
        house.room().note_look("q9", ("fact-1",), key="key-2")
