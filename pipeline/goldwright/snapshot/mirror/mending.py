"""Making the cached copy of a codebase again, once, where it turns out to be damaged.

A cache may be lost at any time, so nothing in it is ever a reason to stop: the codebase itself is
still there. Only when a new copy is no better is the error told.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from goldwright.errors import DamagedStateError
from goldwright.snapshot.mirror.mirror_place import MirrorPlace
from goldwright.snapshot.mirror.pinning import PinnedCommit
from goldwright.text import make_visible

_NOTICES = logging.getLogger("goldwright.cache")

Result = TypeVar("Result")


def say_made_again(damaged_part: str, path: Path, fault: str) -> None:
    """Say in one line that something of the cache was damaged and is made again.

    It goes to the log, which without any settings is stderr: no result depends on it.
    """
    text = f"note: {damaged_part} in the cache was damaged and is made again ({path.name}: {fault})"
    _NOTICES.warning("%s", make_visible(text))


def mended_once(place: MirrorPlace, attempt: Callable[[], Result]) -> Result:
    """Do what needs a mirror; where it is damaged, discard it and try once more.

    Raises:
        DamagedStateError: A new mirror is damaged as well.
        GoldwrightError: Whatever else the attempt raises.
    """
    identity = place.identity()
    try:
        return attempt()
    except DamagedStateError as error:
        say_made_again("the copy of the codebase", place.mirror, _fault(error, place))
    place.discard(identity)
    return attempt()


class Mender:
    """Makes a mirror again while a snapshot reads from it."""

    def __init__(self, place: MirrorPlace, pin_again: Callable[[], PinnedCommit]) -> None:
        """Prepare for it.

        Args:
            place: The mirror.
            pin_again: Brings the codebase into the mirror, as when it was pinned first.
        """
        self._place = place
        self._pin_again = pin_again
        self._has_mended = False
        self._identity = place.identity()

    def mend(self, commit: str, error: DamagedStateError) -> None:
        """Make the mirror again, with a commit that it has to hold.

        Raises:
            DamagedStateError: It was made again before, or the codebase has no such state any more.
        """
        if self._has_mended:
            raise error
        self._has_mended = True
        mirror = self._place.mirror
        say_made_again("the copy of the codebase", mirror, _fault(error, self._place))
        self._place.discard(self._identity)
        if self._pin_again().commit != commit:
            raise DamagedStateError(
                f"{mirror}: was damaged, and the codebase has changed since; start again"
            ) from error


def _fault(error: DamagedStateError, place: MirrorPlace) -> str:
    return str(error).removeprefix(f"{place.mirror}: ")
