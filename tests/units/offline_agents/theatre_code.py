"""A theatre: contracts of several generations, values that are kept, arguments that travel.

Its files hold families of classes, caches of every kind, settings, and reasons in comments.
"""

ERRORS = '''"""What can go wrong in the theatre."""

from __future__ import annotations


class TheatreError(Exception):
    """Anything that stops a performance."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


class SeatError(TheatreError):
    """A seat that cannot be sold."""


class CastError(TheatreError):
    """An actor who is missing."""
'''

STAGING = '''"""Those who make the stage look and sound as it should."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar


class SoundPlayer(ABC):
    """Makes the noises that are heard from behind the stage."""

    volume: ClassVar[int] = 0
    place = None

    @abstractmethod
    def tune(self, pitch: float) -> None:
        """Make the instrument ready."""

    @abstractmethod
    def begin(self, scene) -> bool:
        """Begin to play, and say whether there is anything to play in a scene."""

    @abstractmethod
    def swell(self, scene, factor: int) -> int:
        """Play louder, and give the loudness that was reached."""

    @abstractmethod
    def end(self) -> None:
        """Stop playing."""

    def pause(self, beats):
        """Wait for some beats."""
        return beats * self.volume

    def bow(self):
        """Called when the curtain has come down."""


class StagePainter:
    """Paints what stands at the back of the stage."""

    def sketch(self, play):
        """Draw what is to be painted."""
        raise NotImplementedError

    def paint(self, play):
        """Paint what was drawn."""
        return [self.sketch(play)]

    def clean(self):
        """Wash the brushes."""
        return True

    def sign(self, name):
        """Called once everything has dried."""


async def perform(player: SoundPlayer, scene):
    """Play a scene with its noises."""
    player.tune(440.0)
    if not player.begin(scene):
        return 0
    loudness = player.swell(scene, 2)
    player.end()
    return loudness


def paint_all(painters: list[StagePainter], play):
    """Have everything painted that a play needs."""
    done = []
    for painter in painters:
        done.extend(painter.paint(play))
        painter.sign("the house")
    return done
'''

TROUPE = '''"""Those who are in the house this season."""

from __future__ import annotations

import logging
from typing import ClassVar

from theatre.errors import CastError
from theatre.staging import SoundPlayer, StagePainter

logger = logging.getLogger(__name__)


class DrumPlayer(SoundPlayer):
    """Plays thunder and marching feet."""

    volume: ClassVar[int] = 9
    place = "left"

    def tune(self, pitch: float) -> None:
        self.skin = pitch / 4

    def begin(self, scene) -> bool:
        return "storm" in scene

    def swell(self, scene, factor: int) -> int:
        return factor * self.volume

    def end(self) -> None:
        self.skin = 0


class HornPlayer(SoundPlayer):
    """Plays hunters who are far away."""

    volume: ClassVar[int] = 4
    place = "right"

    def tune(self, pitch: float) -> None:
        if pitch > 450:
            raise CastError("the horn cannot be tuned as high as that")
        self.pitch = pitch

    def begin(self, scene) -> bool:
        return "hunt" in scene

    def swell(self, scene, factor: int) -> int:
        return self.volume + factor

    def end(self) -> None:
        self.pitch = 0

    def bow(self):
        return "a deep one"


class ForestPainter(StagePainter):
    """Paints trees and moonlight."""

    def sketch(self, play):
        return f"trees of {play}"

    def clean(self):
        return False


class CastlePainter(StagePainter):
    """Paints walls and towers."""

    def sketch(self, play):
        return f"walls of {play}"

    def paint(self, play):
        return [self.sketch(play), "a tower"]


class RuinPainter(CastlePainter):
    """Paints walls that have fallen."""

    def sketch(self, play):
        return f"stones of {play}"


class Understudy:
    """Somebody who knows a part that somebody else plays."""

    def __init__(self, name, parts):
        self.name = name
        self.parts = parts
        self.evenings = 0

    def step_in(self, part):
        """Play a part for an evening."""
        if part not in self.parts:
            raise CastError("nobody in the house has learned these lines")
        self.evenings += 1
        return self.name

    def rest(self):
        """Stay at home for an evening."""
        if self.evenings > 20:
            logger.warning("somebody has played more evenings than is healthy")
            self.evenings = 0
            return True
        return False


def hire(name, *parts):
    """Hire somebody for the season."""
    return Understudy(name, parts)


def replace_actor(part, name):
    """Find somebody for a part on the evening itself."""
    stand_in = hire(name, part)
    return stand_in.step_in(part)
'''

STORE = '''"""The store of costumes and props."""

from __future__ import annotations

import threading
import weakref

from theatre.errors import TheatreError
from theatre.troupe import hire

_fitting = threading.RLock()

# costumes that are out, by the actor who wears them
_worn: dict[str, str] = {}

# seats that were reserved over the telephone
_reserved: list[str] = []

_sketches = weakref.WeakKeyDictionary()


def lend(actor, costume):
    """Give a costume to an actor."""
    if actor in _worn:
        raise TheatreError("nobody wears two costumes at one time")
    _worn[actor] = costume
    return costume


def take_back(actor):
    """Take a costume back from an actor."""
    with _fitting:
        del _worn[actor]


def reserve(seat):
    """Write a seat down."""
    with _fitting:
        _reserved.append(seat)


def release(seat):
    """Strike a seat out, if it was ever written down."""
    with _fitting:
        if seat in _reserved:
            _reserved.remove(seat)


def sketch_of(costume):
    """Give the sketch of a costume, drawn when it is asked for."""
    if costume not in _sketches:
        _sketches[costume] = costume.name.title()
    return _sketches[costume]


class Wardrobe:
    """The room in which the costumes hang."""

    def __init__(self, rails):
        self.rails = rails
        self._key = None
        self._list = None
        self._sizes: dict[str, int] = {}

    @property
    def key(self):
        """The key of the room, which is cut once."""
        if self._key is None:
            self._key = self.rails * 7
        return self._key

    def listing(self):
        """Give the list of all costumes, in the order of the rails."""
        if self._list is None:
            self._list = sorted(range(self.rails))
        return self._list

    def rearrange(self, rails):
        """Hang the costumes onto other rails."""
        self.rails = rails
        self._list = None

    def size_of(self, actor):
        """Give the size of an actor, who is measured once."""
        if actor not in self._sizes:
            self._sizes[actor] = len(actor)
        return self._sizes[actor]


def borrow(actor, size=None, wardrobe=None, colour=None):
    """Find a costume for an actor."""
    if size is None:
        size = 40
    if not colour:
        colour = "black"
    label = f"{colour} {size}"
    if wardrobe is None:
        wardrobe = open_wardrobe(rails=4)
    return (label, lend(actor, label), wardrobe.listing())


def open_wardrobe(rails):
    """Open the room of the costumes."""
    hire("the dresser", "dressing")
    return Wardrobe(rails)
'''

FARES = '''"""What a seat costs."""

from theatre.errors import SeatError


def adult(seat):
    """Price a seat for an adult."""
    return 20


def child(seat):
    """Price a seat for a child."""
    return 8


def senior(seat, card=None):
    """Price a seat for somebody with a card."""
    return 12 if card else 20


FARES = {"adult": adult, "child": child, "senior": senior}


def check_row(row, rows=30):
    """Ensure that a row is one of those that can be seen from the door."""
    if row < 1:
        raise SeatError("the rows are counted from the stage on")
    if row > rows:
        raise SeatError("there is no row behind the last one")
    return row


def to_cents(euros):
    """Convert an amount of euros to whole cents."""
    return int(euros * 100)


def is_paid(amount, coins):
    """Check whether some coins on the desk are enough for the amount."""
    if not coins:
        return False
    return sum(coins) >= to_cents(amount)
'''

PRINTS = '''"""Whatever is printed on paper."""

import logging
import os
from pathlib import Path

from theatre.errors import SeatError

logger = logging.getLogger(__name__)


def ticket_folder():
    """Say where tickets go, and whether they are printed at all."""
    folder = os.environ.get("THEATRE_TICKETS", "tickets")
    is_dry = os.getenv("THEATRE_DRY_RUN") == "1"
    return folder, is_dry


def write_ticket(folder, seat, printer="lpr"):
    """Write one ticket into a folder."""
    path = Path(folder) / f"{seat}.txt"
    try:
        path.write_text(f"{seat} by {printer}", encoding="utf-8")
    except PermissionError:
        raise
    except OSError as error:
        logger.error("a ticket could not be written to disk")
        raise SeatError("the ticket of a seat was lost", seat) from error
    return path


def print_tickets(seats, printer=None):
    """Print one ticket for each seat."""
    folder, is_dry = ticket_folder()
    if is_dry:
        logger.warning("the tickets were counted but not printed")
        return 0
    count = 0
    for seat in seats:
        # The printer may drop a page now and then because its paper is damp.
        write_ticket(folder, seat, printer=printer)
        count += 1

    # We cannot give the rest back because the paper is numbered.
    return count


def fold(sheet, paper):
    """Fold a sheet as often as its paper allows."""
    if paper == "thick":
        return sheet[:1]
    return sheet * 2


def print_programme(title, paper="thin"):
    """Print the programme of one evening."""
    sheet = title.upper()
    # Always put the sheet down flat so that nobody cuts a finger.
    folded = fold(sheet, paper)

    # Calling the printer by its number because it has no name.
    logger.info("a programme was printed and folded once more")
    return folded


def print_season(titles, paper):
    """Print the programmes of all evenings."""
    programmes = []
    for title in titles:
        if not title:
            continue
        programmes.append(print_programme(title, paper=paper))
    return programmes
'''

TICKETS = '''"""Tickets, and who may go in."""

import logging

from theatre.errors import SeatError
from theatre.fares import FARES, check_row, is_paid
from theatre.prints import print_tickets
from theatre.store import reserve

logger = logging.getLogger(__name__)

MOST_SEATS = 6


def price(kind, seat):
    """Look up what a seat costs."""
    if kind not in FARES:
        raise SeatError("this kind of visitor is not on the list")
    return FARES[kind](seat)


def admit(kind, row, coins):
    """Let a visitor in who has paid for a row."""
    place = check_row(row)
    amount = price(kind, place)
    if not is_paid(amount, coins):
        logger.info("a visitor went home to fetch more money")
        return None
    return place


def sell(kind, seats, discount=0, printer=None):
    """Sell some seats to one visitor."""
    if not 1 <= len(seats) <= MOST_SEATS:
        raise SeatError("nobody buys so many seats in one evening")
    # Reserve the seats before the money is counted to avoid a quarrel at the desk.
    for seat in seats:
        reserve(seat)
    if discount > 50 or (discount < 0 and kind != "guest"):
        raise ValueError("the discount is larger than the house allows")
    print_tickets(seats, printer=printer)
    return len(seats) * 20 - discount
'''

DESK = '''"""The desk where the visitors stand in line."""

import logging
import warnings

from theatre.errors import CastError, SeatError, TheatreError
from theatre.prints import print_season
from theatre.store import borrow, release
from theatre.tickets import admit, price, sell
from theatre.troupe import replace_actor

logger = logging.getLogger(__name__)


def refund(kind, seats):
    """Give the money back for some seats."""
    returned = 0
    for seat in seats:
        try:
            returned += price(kind, seat)
        except SeatError:
            logger.warning("a seat was given back at no price")
            continue
        finally:
            release(seat)
    return returned


def try_admit(kind, row, coins):
    """Let a visitor in, or say that it was not possible."""
    try:
        return admit(kind, row, coins)
    except SeatError:
        logger.info("the visitor was sent away from the door")
        return None


def admit_group(groups):
    """Let group after group in."""
    try:
        for kind, row, coins in groups:
            admit(kind, row, coins)
    except (SeatError, CastError) as error:
        raise TheatreError("the group has to come another evening") from error
    else:
        logger.info("all groups have got their seats")


def serve(visitors, groups):
    """Serve everybody who stands in line."""
    served = [try_admit(kind, row, coins) for kind, row, coins in visitors]
    admit_group(groups)
    if not any(served):
        logger.warning("nobody in the line has found a seat")
    return served


def dress(actor):
    """Dress an actor for the evening."""
    costume, _, _ = borrow(actor, size=38, colour="red")
    return f"{actor} wears {costume}"


def fill_part(part, names):
    """Fill a part with the first who knows it."""
    found = None
    for name in names:
        try:
            found = replace_actor(part, name)
        except CastError:
            continue
        else:
            break
    if found is None:
        raise CastError("the play has to be given without a hero")
    dress(found)
    return found


def book_seat(kind, seat, discount):
    """Sell a single seat."""
    warnings.warn(
        "single seats are no longer sold here, use sell instead", DeprecationWarning, stacklevel=2
    )
    return sell(kind, [seat], discount)


def close_desk(visitors, titles):
    """Close the desk, and lay the programmes out for the next day."""
    for kind, seat in visitors:
        if kind == "guest":
            logger.debug("a guest of the house left the line")
            break
        book_seat(kind, seat, len(titles))
    return print_season(titles, paper="thick")


def open_gala(titles, printer, gift):
    """Open the house for a gala."""
    sell("guest", titles[:6], discount=gift, printer=printer)
    return print_season(titles, paper="fine")
'''

THEATRE = {
    "theatre/errors.py": ERRORS,
    "theatre/staging.py": STAGING,
    "theatre/troupe.py": TROUPE,
    "theatre/store.py": STORE,
    "theatre/fares.py": FARES,
    "theatre/prints.py": PRINTS,
    "theatre/tickets.py": TICKETS,
    "theatre/desk.py": DESK,
}
