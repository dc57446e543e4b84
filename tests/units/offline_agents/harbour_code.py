"""A harbour: ways out of every kind of block, errors that meet every kind of clause.

Its files hold the statements that lead out of a block, or past it, in less usual ways.
"""

ERRORS = '''"""What can go wrong in the harbour."""


class HarbourError(Exception):
    """Anything that keeps a ship from its berth."""


class BerthError(HarbourError):
    """A berth that cannot be given to a ship."""


class PilotError(LookupError):
    """A pilot who cannot be found."""


class TideError(BerthError):
    """Too little water under a ship."""


class CargoError(Exception):
    """Cargo that nobody takes."""
'''

BERTHS = '''"""Berths along the quay, and which ships may lie there."""

import contextlib
import logging
from dataclasses import dataclass
from enum import Enum

from harbour.errors import BerthError, CargoError, TideError

logger = logging.getLogger(__name__)

KEEL_ROOM = 2


class Cargo(Enum):
    """What a ship brings."""

    GRAIN = "grain"
    TIMBER = "timber"
    OIL = "oil"


@dataclass
class Ship:
    """A ship that asks for a berth."""

    name: str
    draught: float
    cargo: Cargo = Cargo.GRAIN
    tug: str | None = None


def choose_quay(ship, is_night):
    """Choose the quay that suits the cargo of a ship."""
    if is_night:
        return "far quay"
    match ship.cargo:
        case Cargo.GRAIN:
            return "silo quay"
        case Cargo.TIMBER:
            return "timber quay"
        case Cargo.OIL:
            raise CargoError("oil is never unloaded behind the moles")
    raise CargoError("no quay takes cargo of this kind")


def check_depth(ship, depth, tide=0):
    """Make sure that a ship floats at its berth."""
    if depth <= 0:
        raise TideError("the depth of a berth must be measured first")
    elif tide < 0:
        logger.warning("the tide is running out under a ship")
        depth += tide
    else:
        logger.debug("the tide is high enough for the ship")
    if depth - ship.draught < KEEL_ROOM:
        raise TideError("the ship would touch the ground at low water")
    return depth


def find_berth(ship, berths):
    """Find the first berth that is free and deep enough."""
    for berth in berths:
        if berth.is_taken:
            continue
        if berth.depth > ship.draught:
            logger.info("a berth was found at the first asking")
            return berth
    else:
        logger.info("every berth along the quay was tried")
    return None


def count_free(berths):
    """Count the berths up to the first that is closed."""
    free = 0
    for berth in berths:
        if berth.is_closed:
            break
        if not berth.is_taken:
            free += 1
    return free


def name_of_tug(ship):
    """Give the name of the tug that pulls a ship."""
    with contextlib.suppress(AttributeError):
        return ship.tug.upper()
    logger.info("the ship comes in without a tug")
    return "none"


def moor(ship, berths, is_night=False):
    """Moor a ship at a berth of the right quay."""
    quay = choose_quay(ship, is_night)
    berth = find_berth(ship, berths)
    if berth is None:
        if is_night:
            raise BerthError("no berth is free before the morning")
        else:
            return None
    try:
        check_depth(ship, berth.depth, tide=berth.tide)
    except TideError as error:
        raise BerthError("the ship has to wait for the flood") from error
    finally:
        berth.asked += 1
    berth.is_taken = True
    return (quay, berth)


def moor_fleet(ships, berths):
    """Moor ship after ship, until there is no room."""
    moored = []
    for ship in ships:
        try:
            place = moor(ship, berths)
        except BerthError:
            logger.exception("a ship of the fleet was sent to the roads")
            break
        if place is None:
            continue
        moored.append(place)
    return moored
'''

PILOTS = '''"""Pilots, who bring the ships in."""

import logging
import time

from harbour.berths import moor
from harbour.errors import BerthError, HarbourError, PilotError

logger = logging.getLogger(__name__)


class PilotBoat:
    """The boat that brings a pilot to a ship, or fetches one."""

    def __init__(self, crew, radio=None):
        self.crew = crew
        self.radio = radio
        self.trips = 0

    def put_out(self, ship):
        """Put out to a ship."""
        if not self.crew:
            raise PilotError("nobody of the watch stands at the helm")
        self.trips += 1
        return ship.name

    def call(self, words):
        """Say something over the radio."""
        if self.radio is None:
            logger.error("nobody on land can hear the crew")
            return False
        self.radio.send(words)
        return True


def man_boat(watch):
    """Give the boat to the watch that is on duty."""
    return PilotBoat(watch.crew, radio=watch.radio)


def start_watch(watches):
    """Begin the day with the first watch."""
    if len(watches) == 0:
        return None
    boat = man_boat(watches[0])
    boat.call("the first watch is on duty")
    return boat


def find_pilot(pilots, ship):
    """Find a pilot who knows ships like this."""
    while pilots:
        pilot = pilots.pop()
        if pilot.knows(ship):
            return pilot
    raise PilotError("no pilot on duty knows a ship like this")


def wait_for_pilot(pilots, ship):
    """Ask for a pilot again and again."""
    while True:
        try:
            return find_pilot(pilots, ship)
        except PilotError:
            logger.info("waiting")
            time.sleep(60)


def bring_in(ship, pilots, berths):
    """Bring a ship to its berth with a pilot."""
    try:
        pilot = find_pilot(pilots, ship)
        place = moor(ship, berths)
    except PilotError:
        return None
    except HarbourError:
        logger.error("the ship could not be brought to its berth")
        raise
    pilot.is_free = True
    return place


def bring_in_quietly(ship, pilots, berths):
    """Bring a ship in, and tell nobody if it fails."""
    try:
        return bring_in(ship, pilots, berths)
    except (BerthError, OSError):
        return False


def read_names(path):
    """Read the names of all pilots."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().split()
    except OSError:
        return []


def has_name(path, name):
    """Find out whether a pilot is on the list."""
    if not name:
        return False
    try:
        names = read_names(path)
    except UnicodeDecodeError:
        return False
    return name in names


def bring_in_somehow(ship, pilots, berths):
    """Bring a ship in, with or without luck."""
    place = None
    try:
        place = bring_in(ship, pilots, berths)
    except:  # noqa: E722
        ship.is_late = True
    else:
        ship.is_late = False
    return place


def fee_of(pilot, is_sunday):
    """Work out what a pilot is paid."""
    if is_sunday:
        if pilot.is_senior:
            return 90
        return 80
    if pilot.trips > 10 and pilot.is_patient:
        return 60
    return 50
'''

OFFICE = '''"""The office of the harbour master."""

import logging
import os
import warnings

from harbour.berths import count_free, moor_fleet, name_of_tug
from harbour.errors import BerthError, HarbourError
from harbour.pilots import bring_in_quietly, bring_in_somehow, fee_of, start_watch

logger = logging.getLogger(__name__)

SIGNALS = {
    "fog": "two long blasts",
    "storm": "three black balls",
    "fire": "the bell without a pause",
}


def hoist(signal, mast=None):
    """Hoist a signal at a mast."""
    mast = mast or "the tall mast"
    if signal not in SIGNALS:
        raise HarbourError(f"no such signal is known to the harbour: {signal}")
    # Ships far out see the mast before they hear the bell.
    show(mast, SIGNALS[signal])
    return mast


def show(mast, sign):
    """Show a sign at a mast."""
    logger.info("%s: %s", mast, sign)
    mast_log = os.environ.get("HARBOUR_MAST_LOG", "/var/log/mast")
    with open(mast_log, "a", encoding="utf-8") as file:
        file.write(sign)


def add_signal(name, sign):
    """Agree on another signal."""
    if name in SIGNALS:
        warnings.warn("a signal gets another meaning than before", stacklevel=2)
    SIGNALS[name] = sign


def warn_of_fog():
    """Warn the ships of fog."""
    hoist("fog")


def warn_of_storm(mast):
    """Warn the ships of a storm."""
    hoist("storm", mast=mast)


def morning(watches, berths, ships):
    """Open the harbour in the morning."""
    boat = start_watch(watches)
    if boat is None:
        warn_of_fog()
        return 0
    logger.info("berths that are free this morning: %s", count_free(berths))
    for ship in ships:
        name_of_tug(ship)
    return len(moor_fleet(ships, berths))


def evening(ship, pilots, berths):
    """Take the last ship of the day in."""
    place = bring_in_quietly(ship, pilots, berths)
    if not place:
        place = bring_in_somehow(ship, pilots, berths)
    if place is None:
        raise BerthError("the last ship stays out over night")
    return sum(fee_of(pilot, is_sunday=False) for pilot in pilots)
'''

HARBOUR = {
    "harbour/errors.py": ERRORS,
    "harbour/berths.py": BERTHS,
    "harbour/pilots.py": PILOTS,
    "harbour/office.py": OFFICE,
}
