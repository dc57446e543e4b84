"""An observatory: errors that callers take in every way, names that are used in unusual ones.

Its files hold what is plain Python and yet seldom written: classes that make their own kind,
managers that keep errors, generators, calls with unpacked arguments, nested ways out.
"""

ERRORS = '''"""What can go wrong under the dome."""


class DomeError(Exception):
    """Anything that ends a night of observing."""


class PointingError(DomeError):
    """The telescope does not look where it should."""


class PlateError(DomeError):
    """A plate that cannot be used."""


class FocusError(DomeError):
    """The picture is blurred."""


class LensError(FocusError):
    """The picture is blurred by a lens."""
'''

TELESCOPE = '''"""The telescope and its plates."""

import contextlib
import copy
import logging
import os

from dome.errors import DomeError, FocusError, LensError, PlateError, PointingError

logger = logging.getLogger(__name__)

# nights in which something was seen, by their date
_nights: dict[str, list[str]] = {}

# plates that broke, in the order of their breaking
_broken: list[str] = []


def point(altitude, azimuth):
    """Turn the telescope to a place in the sky."""
    if altitude < 0:
        raise PointingError("nothing below the horizon can be seen")
    if azimuth >= 360 and not os.environ.get("DOME_TURNS"):
        raise PointingError("the dome turns only once around itself")
    return altitude, azimuth


def expose(plate, minutes):
    """Open the shutter over a plate for some minutes."""
    if minutes > 90:
        raise PlateError("after so many minutes every plate is black")
    plate.light += minutes
    return plate


def focus(lens, distance=1.0):
    """Move a lens until the stars are points."""
    if lens.is_scratched:
        raise LensError("the scratches have to be polished away first")
    if distance == 0:
        raise FocusError("the lens touches the plate behind it")
    lens.distance = distance
    return lens


class Shutter:
    """Opens and closes in front of a plate."""

    def __init__(self, speed, blades=5):
        self.speed = speed
        self.blades = blades
        self.folder = os.environ["DOME_PLATES"]
        self.clicks = 0

    @classmethod
    def slow(cls):
        """Make a shutter for faint stars."""
        return cls(1)

    def click(self):
        """Open it once."""
        if self.clicks > 9000:
            raise PlateError("the springs are worn out after such a time")
        self.clicks += 1
        return copy.copy(self)


class Eyepiece:
    """What an eye looks through."""

    def __init__(self, width):
        self.width = width

    def look(self, eye):
        """Look through it."""
        if eye.is_tired:
            logger.info("somebody should sleep before the next night")
            return None
        return self.width * 2

    def __eq__(self, other):
        return isinstance(other, Eyepiece) and self.width == other.width


class Cover:
    """Keeps the dew away, and every error too."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return True


def wide_eyepiece():
    """Make an eyepiece for comets."""
    return Eyepiece(40)


def note_night(date, sight):
    """Write down what was seen in a night."""
    if date in _nights:
        _nights[date] += [sight]
    else:
        _nights[date] = [sight]
    return len(_nights)


def forget_night(date):
    """Strike out a night in which a moth was taken for a comet."""
    _nights.pop(date, None)


def break_plate(plate):
    """Write down a plate that broke."""
    _broken.append(plate.name)


def sweep():
    """Throw the broken plates away."""
    print(_broken)
    _broken.clear()


def quietly_focus(lens):
    """Move a lens under the cover."""
    with Cover():
        focus(lens)
    return lens


def brightest(stars):
    """Yield the stars that can be seen without a telescope."""
    for star in stars:
        if star.magnitude is None:
            raise DomeError("a star on the list was never measured")
        if star.magnitude < 6:
            yield star


def name_of(star, greek=True, number=0, catalogue=None):
    """Give the name of a star as it is written on plates."""
    if star.name:
        if greek:
            return f"alpha {star.name}"
        else:
            return star.name
    if catalogue is not None:
        with contextlib.suppress(KeyError):
            return catalogue[number]
    return f"star {number}"


def colour_of(star):
    """Give the colour of a star by its class."""
    match star.kind:
        case "O" | "B":
            return "blue"
        case "G":
            return "yellow"
        case str() if star.is_old:
            return "red"
        case _:
            return "white"


def temperature_of(star, default=5800, table=None):
    """Give the temperature of a star in kelvin."""
    kelvin = star.kelvin if star.kelvin is not None else default
    try:
        kelvin = table[star.name]
    except TypeError:
        kelvin = int(kelvin)
    except KeyError:
        return None
    return kelvin
'''

NIGHTS = '''"""What is done in a night."""

import logging
import warnings

from dome import telescope
from dome.errors import DomeError, FocusError, PlateError, PointingError
from dome.telescope import (
    Eyepiece,
    Shutter,
    brightest,
    colour_of,
    expose,
    focus,
    name_of,
    note_night,
    point,
    temperature_of,
    wide_eyepiece,
)

logger = logging.getLogger(__name__)
_failures = {}


def track(star):
    """Follow a star for an hour."""
    try:
        place = point(star.altitude, star.azimuth)
    except PointingError:
        logger.error("a star went down before the hour was over")
        return None
    return place


def guide(star):
    """Give the azimuth of a star, or north."""
    try:
        _, azimuth = point(star.altitude, star.azimuth)
    except PointingError:
        azimuth = 0
    return azimuth


def expose_twice(plate, minutes):
    """Expose a plate from both sides."""
    try:
        return expose(plate, minutes)
    except PlateError:
        plate.turn_over()
    return plate


def expose_all(plates, minutes):
    """Expose plates until one of them breaks."""
    for plate in plates:
        try:
            expose(plate, minutes)
        except PlateError as error:
            _failures[plate.name] = error
            break
    return _failures


def focus_on_moon(lens):
    """Get the moon sharp."""
    return focus(lens, distance=2.0)


def focus_on_sun(lens):
    """Get the sun sharp, on a screen."""
    lens.is_dark = True
    return focus(lens, distance=3.0)


def focus_on_star(lens, distance):
    """Get a star sharp."""
    sharp = focus(lens, distance)
    logger.debug("the lens stands still for this star")
    return sharp


def prepare(lens, star):
    """Get everything ready before it is dark."""
    sharp = focus_on_star(lens, star.distance)
    eyepiece = wide_eyepiece()
    shutter = make_shutter()
    width = eyepiece.look(star)
    if isinstance(sharp, Eyepiece):
        return width
    return shutter.click()


def make_shutter():
    """Take a shutter out of its box."""
    return Shutter(speed=100)


def observe(lens, stars, date):
    """Look at one star after another."""
    seen = []
    for star in brightest(stars):
        try:
            prepare(lens, star)
        except FocusError:
            logger.warning("a star was left out because of a blur")
            continue
        except PlateError:
            logger.critical("the night is over before it began")
            raise
        # The moon may cover a star because it is nearer to us.
        if star.is_covered:
            continue
        label, colour = describe(star)
        seen.append(f"{label} {colour}")
    note_night(date, "; ".join(seen))
    return seen


def describe(star, *words, **options):
    """Put a star into words."""
    label = name_of(star, **options)
    colour = colour_of(star)
    return " ".join([label, *words]), colour


def wait_for_dark(sky, clock):
    """Wait until no sunlight is left."""
    minutes = 0
    # Look at the clock again and again to avoid a guess at the time.
    while sky.is_light:
        minutes += clock.wait()
        if minutes > 600:
            raise DomeError("the sun did not go down within ten hours")
    return minutes


def count_down(seconds):
    """Count the seconds down to the opening."""
    if seconds == 0:
        return "open"
    return count_down(seconds - 1)


def plan(stars, hours, is_winter=False):
    """Choose the stars for a night."""
    if not stars:
        raise DomeError("a night without stars needs no plan")
    try:
        hottest = max(stars, key=temperature_of)
    except TypeError:
        return []
    finally:
        logger.info("the plan of the night was made at noon")
    if is_winter:
        if hours > 12:
            return [hottest, *stars]
        return stars
    return stars[:hours]


def old_plan(stars):
    """Choose the stars as it was done before."""
    warnings.warn(
        "the order of stars is chosen by heat now (use plan instead)",
        DeprecationWarning,
        stacklevel=2,
    )
    if len(stars) > 3:
        return plan(stars[:3], 3)
    return plan(stars, 1, is_winter=True)


def almanac(stars):
    """Make plans for a year."""
    plans = [old_plan(stars) for _ in range(365)]
    telescope.sweep()
    return plans


def tonight(lens, stars, sky, clock):
    """Do everything that belongs to a night."""
    minutes = wait_for_dark(sky, clock)
    if minutes > 60:
        logger.info("it was a long wait for the dark")
    return observe(lens, plan(stars, 8), clock.date)
'''

OBSERVATORY = {
    "dome/errors.py": ERRORS,
    "dome/telescope.py": TELESCOPE,
    "dome/nights.py": NIGHTS,
}
