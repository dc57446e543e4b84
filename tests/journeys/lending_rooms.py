"""More of the lending library: what there is to ask about beyond its books and readers."""

from collections.abc import Mapping
from typing import Final

# Errors with conditions, settings and their readers, families of classes, messages in the log.
LENDING_ROOMS: Final[Mapping[str, str]] = {
    "lending/acquisitions.py": '''"""What is bought, and with which money."""

import logging
import warnings

from lending.errors import LendingError

logger = logging.getLogger(__name__)

MOST_COPIES = 3


class BudgetError(LendingError):
    """Raised when money is asked for that is not there."""


class Budget:
    """The money that a branch may spend in a year."""

    def __init__(self, cents, reserve=5000):
        self.cents = cents
        self.reserve = reserve
        self.spent = 0

    def remaining(self):
        """Work out what is left beside the reserve."""
        left = self.cents - self.spent - self.reserve
        if left < 0:
            logger.warning("the reserve of the budget has been touched")
            return 0
        return left

    def withdraw(self, cents, purpose):
        """Take money out of the budget for a purpose."""
        if cents <= 0:
            raise BudgetError("only a sum above nothing can be taken out")
        if not purpose:
            raise BudgetError("money is given out for a named purpose alone")
        left = self.remaining()
        if cents > left:
            raise BudgetError("the budget of the year does not hold as much money")
        self.spent += cents
        return left - cents


def open_budget(settings, year):
    """Begin the budget of a year with the sum that the town gives."""
    cents = settings.get("yearly_grant", 250000)
    if year < 1990:
        raise BudgetError("there are no budgets from before the library opened")
    reserve = settings.get("budget_reserve", 5000)
    return Budget(cents, reserve)


def approve_purchase(budget, cost):
    """Tell whether the branch may buy something without asking the town."""
    left = budget.remaining()
    if cost <= 0:
        raise ValueError("what costs nothing need not be approved")
    if cost > left:
        logger.warning("a purchase of %s cents is beyond what is left", cost)
        return False
    return True


def suggest_title(wishes, title, reader):
    """Note that a reader would like the library to buy a title."""
    voters = wishes.setdefault(title, [])
    if reader.card in voters:
        raise ValueError("the same reader has asked for this title before")
    if len(title) < 2:
        raise ValueError("a title has more than a single letter")
    voters.append(reader.card)
    # order at three voices, so that a title is not bought for a single reader
    if len(voters) == MOST_COPIES:
        logger.info("enough readers have asked for the title %s", title)
        return True
    return False


def order_title(title, copies=1, supplier=None):
    """Order copies of a title from a supplier."""
    if supplier is None:
        warnings.warn(
            "ordering without naming a supplier is deprecated, use order_from instead",
            DeprecationWarning,
            stacklevel=2,
        )
        supplier = "town"
    if copies > MOST_COPIES:
        raise BudgetError("no more than three copies of a title are ordered at once")
    return {"title": title, "copies": copies, "supplier": supplier}


def order_wishes(wishes, budget, price):
    """Order every title that enough readers have asked for, as long as there is money."""
    orders = []
    for title, voters in sorted(wishes.items()):
        if len(voters) < MOST_COPIES:
            continue
        try:
            budget.withdraw(price, title)
        except BudgetError:
            logger.warning("the wish for %s has to wait for another year", title)
            continue
        orders.append(order_title(title, supplier="town"))
    return orders
''',
    "lending/counter.py": '''"""What is done behind the counter: queues, parcels, fines."""

import logging

from lending.acquisitions import approve_purchase
from lending.couriers.base import quote_postage
from lending.intake.base import take_in_boxes
from lending.labels.base import print_labels
from lending.reservations import ReservationError, cancel_reservation, open_queue
from lending.settings import closing_hour, grace_days, letter_heading

logger = logging.getLogger(__name__)


def reserve_at_counter(queues, reader, number, settings):
    """Put a reader into the queue for a book and say which place that is."""
    if reader.debt > 0:
        raise PermissionError("readers who owe money cannot reserve a book")
    queue = open_queue(queues, number, settings)
    try:
        position = queue.add_card(reader.card, reader.is_house_bound)
    except ReservationError as error:
        logger.warning("no reservation for card %s: %s", reader.card, error)
        return None
    return position + 1


def give_up_place(queues, reader, number):
    """Take a reader out of the queue for a book at the reader's own wish."""
    try:
        was_waiting = cancel_reservation(queues, number, reader.card)
    except ReservationError:
        return "There is no queue for this book."
    if not was_waiting:
        return "You were not waiting for this book."
    return "You no longer wait for this book."


def plan_evening(settings, weekday, staff):
    """Decide who closes the doors, and when."""
    hour = closing_hour(settings, weekday)
    if hour is None:
        return None
    late = [person for person in staff if person.stays_until >= hour]
    if not late:
        raise LookupError("nobody of the staff stays until the doors close")
    return hour, late[0]


def waive_fine(reader, days, settings):
    """Forgive a small fine within the grace period of the branch."""
    grace = grace_days(settings)
    if days > grace:
        return False
    if reader.debt == 0:
        logger.info("nothing had to be forgiven on card %s", reader.card)
        return False
    reader.debt = 0
    return True


def welcome_letter(reader, settings):
    """Write the first letter that a new reader gets."""
    heading = letter_heading(reader)
    days = settings.get("grace_period_text", "a few days")
    return f"{heading} books may be late by {days}."


def send_parcel(reader, courier, books, settings):
    """Send books to a reader at home and add the postage to the debt."""
    if not books:
        raise ValueError("a parcel without any book in it is not sent")
    grams = sum(book.weight for book in books)
    cents = quote_postage(courier, grams, settings)
    label = print_labels(courier.printer, [reader.card])
    reader.debt += cents
    return label, cents


def restock(catalogue, boxes, budget):
    """Take in the boxes of a delivery and pay for what was bought."""
    added = take_in_boxes(catalogue, boxes)
    cost = sum(book.price for book in added)
    if not approve_purchase(budget, cost):
        raise ValueError("the delivery costs more than the branch may spend")
    budget.spent += cost
    return added
''',
    "lending/couriers/__init__.py": '''"""Who carries parcels to readers at home."""
''',
    "lending/couriers/base.py": '''"""What every courier can do, and what a parcel costs."""

import logging

logger = logging.getLogger(__name__)

HEAVIEST = 20000


class Courier:
    """Somebody who carries books to readers at home."""

    printer = None

    def pick_up(self, parcel):
        """Take a parcel from the desk of the library."""
        raise NotImplementedError

    def price_of(self, grams):
        """Work out the price of a parcel by its weight."""
        raise NotImplementedError

    def announce(self, reader):
        """Tell a reader that a parcel is on its way."""
        return f"{reader.name}, a parcel is on its way."

    def insure(self, parcel):
        """Insure a parcel for the price of its books."""
        return sum(book.price for book in parcel.books)

    def turn_back(self, parcel):
        """Bring a parcel back that nobody took in."""
        parcel.is_home = True
        return parcel

    def day_off(self, weekday):
        """Tell whether nothing is carried on a day of the week."""
        return weekday == 6


def quote_postage(courier, grams, settings):
    """Work out what a reader pays for a parcel."""
    if grams <= 0:
        raise ValueError("a parcel weighs more than nothing at all")
    if grams > HEAVIEST:
        raise ValueError("a parcel of this weight is carried by nobody")
    share = settings.get("postage_share", 100)
    cents = courier.price_of(grams)
    if cents < 50:
        logger.info("postage below fifty cents is given away")
        return 0
    return cents * share // 100
''',
    "lending/couriers/bicycle.py": '''"""Parcels by bicycle."""

import logging

from lending.couriers.base import Courier

logger = logging.getLogger(__name__)


class BicycleCourier(Courier):
    """Carry parcels through the town in a basket."""

    def __init__(self, basket=8000):
        self.basket = basket
        self.load = 0

    def pick_up(self, parcel):
        """Put a parcel into the basket as long as there is room."""
        if self.load + parcel.grams > self.basket:
            raise OverflowError("the basket of the bicycle is full")
        self.load += parcel.grams
        return self.load

    def price_of(self, grams):
        """Charge the same for every parcel that fits."""
        if grams > self.basket:
            logger.warning("a bicycle was asked for a parcel of %s grams", grams)
            return 900
        return 200
''',
    "lending/couriers/railway.py": '''"""Parcels by rail."""

from lending.couriers.base import Courier


class RailwayCourier(Courier):
    """Carry parcels from town to town."""

    def __init__(self, station):
        if not station:
            raise ValueError("a parcel by rail needs the name of a station")
        self.station = station
        self.waggon = []

    def pick_up(self, parcel):
        """Load a parcel into the waggon that leaves in the evening."""
        if parcel.is_fragile:
            raise ValueError("glass and records are not carried by rail")
        self.waggon.append(parcel)
        return len(self.waggon)

    def price_of(self, grams):
        """Charge by the started kilogram."""
        kilograms = -(-grams // 1000)
        return 150 + 80 * kilograms
''',
    "lending/covers.py": '''"""Pictures of book covers, and where they are kept."""

import functools
import logging
import os

logger = logging.getLogger(__name__)

# readers of pictures by the ending of the file
PICTURE_READERS = {}
# how often each picture was shown since the server began
_views = {}


def count_view(number):
    """Note that somebody has looked at the cover of a book."""
    _views[number] = _views.get(number, 0) + 1
    return _views[number]


def reset_views(number):
    """Begin to count the looks at a cover from nothing."""
    if number not in _views:
        logger.info("nobody has looked at the cover of copy %s yet", number)
        return 0
    return _views.pop(number)


@functools.lru_cache(maxsize=None)
def cover_path(directory, number):
    """Work out where the picture of a cover lies."""
    folder = os.path.join(directory, str(number % 100))
    if not os.path.isdir(folder):
        raise FileNotFoundError("there is no folder for the covers of this book")
    return os.path.join(folder, f"{number}.jpg")


def load_cover(directory, number, size=None):
    """Read the picture of a cover, and give an empty one where there is none."""
    size = size or 240
    if size > 2000:
        raise ValueError("a cover is not shown larger than two thousand dots")
    path = cover_path(directory, number)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        logger.warning("the picture of copy %s cannot be read", number)
        return b""
    count_view(number)
    return data[: size * size]


def choose_format(headers):
    """Choose the format of a picture by what the browser takes."""
    accepted = headers.get("Accept", "")
    if "image/webp" in accepted:
        return "webp"
    # send the old format, since browsers of the reading room know no other one
    if not accepted:
        return "jpeg"
    if "image/png" in accepted:
        return "png"
    raise ValueError("no picture can be sent in a format that the browser takes")
''',
    "lending/events/__init__.py": '''"""Evenings and courses that a branch offers."""
''',
    "lending/events/base.py": '''"""What every event of a branch must settle."""

import logging

logger = logging.getLogger(__name__)


class Event:
    """Something that people come to the library for."""

    def __init__(self, title, seats):
        if seats < 1:
            raise ValueError("an event without a single seat is not announced")
        self.title = title
        self.seats = seats
        self.guests = []

    def book_room(self, rooms):
        """Find a room of the right size."""
        raise NotImplementedError

    def ticket_price(self, reader):
        """Work out what a reader pays at the door."""
        raise NotImplementedError

    def write_poster(self):
        """Write the words of the poster."""
        return f"{self.title}, {self.seats} seats"

    def cancel(self):
        """Send everybody home."""
        self.guests.clear()

    def is_full(self):
        """Tell whether all seats are taken."""
        return len(self.guests) >= self.seats

    def open_doors(self):
        """Let people in."""
        return list(self.guests)


def sign_up(event, reader, till):
    """Put a reader on the list of guests and take the price of the ticket."""
    if event.is_full():
        logger.warning("somebody was sent away from %s", event.title)
        raise LookupError("every seat of the event has been taken")
    cents = event.ticket_price(reader)
    if cents < 0:
        raise ValueError("nobody is paid for coming to an event")
    till.append(cents)
    event.guests.append(reader.card)
    return cents
''',
    "lending/events/courses.py": '''"""Courses on several evenings."""

from lending.events.base import Event


class Course(Event):
    """Somebody teaches something on several evenings."""

    def book_room(self, rooms):
        """Take the smallest room that has enough seats."""
        fitting = [room for room in rooms if room.seats >= self.seats]
        if not fitting:
            raise LookupError("no room of the branch has as many seats as the course")
        return min(fitting, key=lambda room: room.seats)

    def ticket_price(self, reader):
        """Charge nothing to people at school."""
        return 0 if reader.is_pupil else 1200
''',
    "lending/events/readings.py": '''"""Evenings with authors."""

from lending.events.base import Event


class Reading(Event):
    """An author reads from a new book."""

    def book_room(self, rooms):
        """Take the room with the piano."""
        for room in rooms:
            if room.has_piano:
                return room
        raise LookupError("the room with the piano is taken for the evening")

    def ticket_price(self, reader):
        """Charge readers half of what others pay."""
        return 400 if reader is not None else 800
''',
    "lending/exports.py": '''"""Lists of books in the formats that other programs read."""

import json


def write_table(books):
    """Write one line for each book with its fields apart."""
    lines = [f"{book.number};{book.title};{book.author}" for book in books]
    if not lines:
        raise ValueError("a table of books needs one book at least")
    return "\\n".join(lines)


def write_json(books):
    """Write the books as a list of objects."""
    rows = [{"number": book.number, "title": book.title} for book in books]
    return json.dumps(rows)


def write_cards(books):
    """Write a card for the drawer of each book."""
    cards = []
    for book in books:
        heading = book.author.upper()
        cards.append(f"{heading}\\n{book.title}")
    return "\\n\\n".join(cards)
''',
    "lending/formats.py": '''"""The forms in which a list of books can be written."""

from lending.exports import write_cards, write_json, write_table

# every form with the function that writes it
WRITERS = {"table": write_table, "json": write_json, "cards": write_cards}
''',
    "lending/intake/__init__.py": '''"""How new books come into the catalogue."""
''',
    "lending/intake/base.py": '''"""What every delivery must say of its books."""

import abc
import logging

logger = logging.getLogger(__name__)


class Delivery(abc.ABC):
    """A box of new books, whoever sent it."""

    def __init__(self, sender):
        self.sender = sender
        self.opened = False

    @abc.abstractmethod
    def list_books(self):
        """List the books that are in the box."""

    @abc.abstractmethod
    def check_seal(self):
        """Tell whether nobody has opened the box on its way."""

    @abc.abstractmethod
    def count_pages(self):
        """Count the pages of all books, by which the town pays for the binding."""

    def thank(self):
        """Thank whoever sent the box."""
        return f"{self.sender}, thank you for the books."

    def repack(self):
        """Close the box again."""
        self.opened = False
        return self

    def is_from(self, name):
        """Tell whether somebody of this name sent the box."""
        return self.sender == name

    def describe(self):
        """Describe the box in a line for the ledger."""
        state = "opened" if self.opened else "closed"
        return f"{self.sender}: {state}"


def take_in_boxes(catalogue, boxes):
    """Open the boxes of a delivery and add their books to the catalogue."""
    added = []
    for box in boxes:
        if not box.check_seal():
            logger.warning("a box of %s was opened on its way and goes back", box.sender)
            continue
        for book in box.list_books():
            try:
                catalogue.add_book(book)
            except ValueError:
                logger.warning("a copy with the number %s stands here already", book.number)
                continue
            added.append(book)
        box.opened = True
    if not added:
        raise LookupError("none of the boxes held a book that is new")
    return added
''',
    "lending/intake/gifts.py": '''"""Boxes from people who give books away."""

from lending.intake.base import Delivery

YELLOWED = 1950


class GiftDelivery(Delivery):
    """A box of books that somebody gives away."""

    def __init__(self, sender, books):
        super().__init__(sender)
        self.books = books

    def list_books(self):
        """Leave out the books that are too old to be lent."""
        recent = [book for book in self.books if book.year and book.year > YELLOWED]
        return recent

    def count_pages(self):
        """Count two hundred pages for each gift, as nobody looks inside."""
        return 200 * len(self.books)

    def check_seal(self):
        """Trust people who give something away."""
        return True
''',
    "lending/intake/shops.py": '''"""Boxes from book shops."""

from lending.intake.base import Delivery


class ShopDelivery(Delivery):
    """A box from a book shop, with a bill inside."""

    def __init__(self, sender, bill):
        super().__init__(sender)
        self.bill = bill

    def list_books(self):
        """Read the books off the lines of the bill."""
        books = [line.book for line in self.bill.lines]
        if not books:
            raise ValueError("a bill without lines came with a box")
        return books

    def count_pages(self):
        """Add up the pages that stand on the bill."""
        return sum(line.pages for line in self.bill.lines)

    def check_seal(self):
        """Compare the number on the seal with the one on the bill."""
        return self.bill.seal == self.sender
''',
    "lending/interlibrary.py": '''"""Books that come from other libraries."""

import logging
import os

from lending.errors import LendingError
from lending.settings import read_settings

logger = logging.getLogger(__name__)

# answers of other libraries that are kept for the day, by title
_answers = {}


class PartnerError(LendingError):
    """Raised when another library does not do what was asked of it."""


def ask_partner(connection, title, headers):
    """Ask another library for a title and read its answer."""
    language = headers.get("Accept-Language", "en")
    if connection.is_closed:
        raise PartnerError("the line to the other library has been cut")
    answer = connection.ask(title, language)
    if answer is None:
        logger.warning("another library gave no answer about %s", title)
        return []
    if answer.status == 429:
        # wait as long as the partner says, because it locks out those who ask too often
        delay = headers.get("Retry-After", "60")
        raise PartnerError(f"the other library wants a pause of {delay} seconds")
    return answer.copies


def find_elsewhere(connections, title):
    """Look for a title in all libraries around, and remember the answers of the day."""
    if title in _answers:
        return _answers[title]
    copies = []
    for connection in connections:
        try:
            copies.extend(ask_partner(connection, title, connection.headers))
        except PartnerError:
            logger.warning("one library less was asked about %s", title)
            continue
    _answers[title] = copies
    return copies


def end_of_day():
    """Throw away the answers of the day and report how many there were."""
    count = len(_answers)
    _answers.clear()
    logger.info("%s answers of other libraries were thrown away", count)
    return count


def partner_token(headers):
    """Find the secret that opens the door of a partner."""
    token = headers.get("X-Library-Token")
    if token is None:
        token = os.environ.get("LENDING_PARTNER_TOKEN")
    if not token:
        raise PartnerError("no secret was given for the library that is asked")
    if len(token) < 16:
        logger.warning("the secret for a partner is shorter than it should be")
    return token.strip()


def open_partners(path, connect):
    """Open a line to each library that the settings name."""
    settings = read_settings(path)
    names = settings.get("partner_libraries", [])
    if not names:
        logger.info("no other library is named in %s", path)
        return []
    limit = settings.get("partner_limit", 5)
    if len(names) > limit:
        raise PartnerError("more libraries are named than lines may be opened")
    lines = []
    for name in names:
        try:
            lines.append(connect(name))
        except OSError:
            logger.warning("the line to %s could not be opened", name)
    return lines
''',
    "lending/labels/__init__.py": '''"""Labels on the backs of books and on parcels."""
''',
    "lending/labels/base.py": '''"""What a printer of labels must be able to do."""

import logging

logger = logging.getLogger(__name__)

LONGEST_LINE = 24


class LabelPrinter:
    """A machine that prints labels."""

    def feed_paper(self, count):
        """Put paper for a number of labels into the machine."""
        raise NotImplementedError

    def print_line(self, text):
        """Print one line of a label."""
        raise NotImplementedError

    def clean(self):
        """Clean the head of the machine."""
        return "clean"

    def pause(self):
        """Wait until somebody has taken the labels."""
        return "waiting"

    def status(self):
        """Say how the machine feels."""
        return "ready"

    def beep(self):
        """Tell that all labels are printed."""
        return "beep"


def fold_line(text):
    """Cut a line of a label where it is too long for the paper."""
    line = text.strip()
    if not line:
        raise ValueError("a label without any letter cannot be printed")
    if len(line) <= LONGEST_LINE:
        return line
    # cut in front of a blank, so that no word is torn apart on the back of a book
    head = line[:LONGEST_LINE].rpartition(" ")[0]
    return head or line[:LONGEST_LINE]


def print_labels(printer, texts):
    """Print one label for each text and count them."""
    if printer is None:
        raise LookupError("there is no machine that could print the labels")
    printer.feed_paper(len(texts))
    count = 0
    for text in texts:
        try:
            printer.print_line(fold_line(text))
        except ValueError:
            logger.warning("an empty label was left out")
            continue
        count += 1
    printer.beep()
    return count
''',
    "lending/labels/thermal.py": '''"""Labels that are burnt into paper."""

from lending.labels.base import LabelPrinter


class ThermalPrinter(LabelPrinter):
    """Burn letters into paper that turns black."""

    def __init__(self, heat=70):
        if not 50 <= heat <= 90:
            raise ValueError("the paper burns or stays white at this heat")
        self.heat = heat
        self.sheets = 0

    def feed_paper(self, count):
        """Pull paper off the roll."""
        self.sheets += count
        return self.sheets

    def print_line(self, text):
        """Burn a line, a little hotter for capital letters."""
        if self.sheets == 0:
            raise RuntimeError("the roll of paper has come to its end")
        heat = self.heat + 5 if text.isupper() else self.heat
        return f"{heat}:{text}"
''',
    "lending/labels/typewriter.py": '''"""Labels that somebody types."""

from lending.labels.base import LabelPrinter


class Typewriter(LabelPrinter):
    """Type labels by hand, as it was done before."""

    def __init__(self, ribbon="black"):
        self.ribbon = ribbon
        self.strokes = 0

    def feed_paper(self, count):
        """Turn a sheet into the machine whatever the count."""
        return min(count, 1)

    def print_line(self, text):
        """Type a line and wear the ribbon down."""
        self.strokes += len(text)
        if self.strokes > 100000:
            raise RuntimeError("the ribbon of the typewriter is worn out")
        return text
''',
    "lending/lists.py": '''"""Lists of books that are handed out or put into files."""

import logging

from lending.formats import WRITERS

logger = logging.getLogger(__name__)


def export_books(books, form):
    """Write a list of books in one of the forms that are known."""
    writer = WRITERS.get(form)
    if writer is None:
        raise ValueError("books cannot be written in a form that nobody knows")
    if not books:
        logger.warning("a list without any book was asked for")
        return ""
    text = writer(books)
    return text


def export_to_file(path, books, form):
    """Write a list of books into a file, and keep the old one where that fails."""
    text = export_books(books, form)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except PermissionError:
        logger.warning("the list of books stays as it was in %s", path)
        return False
    return True
''',
    "lending/reservations.py": '''"""Queues for books that somebody else has at home."""

import logging

from lending.errors import LendingError

logger = logging.getLogger(__name__)

LONGEST_QUEUE = 20


class ReservationError(LendingError):
    """Raised when nobody can be put into a queue, or taken out of it."""


class WaitingList:
    """The readers who wait for one book, first come first served."""

    def __init__(self, number, capacity=LONGEST_QUEUE):
        if capacity < 1:
            raise ValueError("a queue without any place is of no use to readers")
        self.number = number
        self.capacity = capacity
        self.cards = []

    def add_card(self, card, is_priority=False):
        """Put a card at the end of the queue, or at its front for the house bound."""
        if card in self.cards:
            raise ReservationError("this card stands in the queue for the book already")
        if len(self.cards) >= self.capacity:
            logger.warning("the queue for copy %s is full", self.number)
            raise ReservationError("nobody else fits into the queue for this book")
        # put the house bound first, because the van that serves them comes once a month
        position = 0 if is_priority else len(self.cards)
        self.cards.insert(position, card)
        return position

    def next_card(self):
        """Take the first card out of the queue."""
        if not self.cards:
            raise ReservationError("nobody is waiting for a copy of this book")
        return self.cards.pop(0)


def open_queue(queues, number, settings):
    """Give the queue for a book, and begin one where there is none."""
    if number in queues:
        return queues[number]
    capacity = settings.get("queue_length", LONGEST_QUEUE)
    queue = WaitingList(number, capacity)
    queues[number] = queue
    logger.info("a queue for copy %s was opened with %s places", number, capacity)
    return queue


def cancel_reservation(queues, number, card):
    """Take a card out of a queue, wherever it stands."""
    queue = queues.get(number)
    if queue is None:
        raise ReservationError("there is no queue for the book that was named")
    if card not in queue.cards:
        logger.info("card %s was not in the queue it was taken out of", card)
        return False
    queue.cards.remove(card)
    if not queue.cards:
        # drop empty queues, so that the list at the desk stays short
        del queues[number]
    return True
''',
    "lending/search/__init__.py": '''"""How the hits of a search are put in order."""
''',
    "lending/search/base.py": '''"""What an order of hits must say."""

import logging

logger = logging.getLogger(__name__)


class Ranking:
    """An order in which hits are shown."""

    def score(self, book, words):
        """Give the weight of a book for the words of a question."""
        raise NotImplementedError

    def ties_by(self, book):
        """Give what settles the order of books with the same weight."""
        raise NotImplementedError

    def title_of(self, book):
        """Give the title as it is shown."""
        return book.title

    def best(self, books):
        """Give the first book of a list."""
        return books[0]

    def is_stable(self):
        """Tell whether the same question gives the same order."""
        return True

    def explain(self, book):
        """Say in a line why a book is shown."""
        return f"{book.title} fits"


def show_hits(ranking, books, words, length=10):
    """Show the hits of a search, heaviest first."""
    if not words:
        raise ValueError("a search without any word finds nothing")
    if length > 100:
        logger.warning("a page of %s hits is cut to a hundred", length)
        length = 100
    weighted = [(ranking.score(book, words), ranking.ties_by(book), book) for book in books]
    weighted.sort(key=lambda hit: (-hit[0], hit[1]))
    if not weighted:
        return []
    return [ranking.title_of(book) for _, _, book in weighted[:length]]
''',
    "lending/search/popular.py": '''"""Hits by how often they are lent."""

from lending.search.base import Ranking


class PopularRanking(Ranking):
    """Show first what many people read."""

    def __init__(self, loans):
        self.loans = loans

    def score(self, book, words):
        """Count the loans of a book."""
        return self.loans.get(book.number, 0)

    def ties_by(self, book):
        """Take the title where two are lent as often."""
        return book.title.lower()
''',
    "lending/search/recent.py": '''"""Hits by the year of printing."""

from lending.search.base import Ranking


class RecentRanking(Ranking):
    """Show first what is new."""

    def score(self, book, words):
        """Take the year of printing, and the stone age where there is none."""
        if book.year is None:
            return 0
        if book.year > 2100:
            raise ValueError("a book cannot come from the far future")
        return book.year

    def ties_by(self, book):
        """Take the number where two are from the same year."""
        return book.number
''',
    "lending/settings.py": '''"""Settings of a branch, from a file and from the environment."""

import json
import logging
import os

logger = logging.getLogger(__name__)

# settings of branches that were read before, by the path of their file
_known_settings = {}


def read_settings(path):
    """Read the settings of a branch once, and fall back to nothing where the file is broken."""
    if path in _known_settings:
        return _known_settings[path]
    try:
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
    except ValueError:
        logger.warning("the settings file %s is no JSON and is left out", path)
        return {}
    if not isinstance(settings, dict):
        raise TypeError("the settings of a branch must be a table of names and values")
    _known_settings[path] = settings
    return settings


def forget_settings(path=None):
    """Drop what was read before, of one file or of all of them."""
    if path is None:
        _known_settings.clear()
        return
    _known_settings.pop(path, None)


def closing_hour(settings, weekday):
    """Work out when the doors close on a day of the week."""
    if weekday == 6:
        return None
    hour = settings.get("closing_hour", 18)
    if weekday == 5:
        hour = settings.get("saturday_hour", 13)
    if not 0 < hour <= 24:
        raise ValueError("the doors cannot close at this hour of the day")
    return hour


def grace_days(settings):
    """Give the days that a book may be late before it costs anything."""
    days = settings.get("grace_period", 3)
    if days < 0:
        raise ValueError("the grace period cannot be shorter than no day at all")
    if days > 14:
        logger.warning("a grace period of %s days is cut to two weeks", days)
        days = 14
    return days


def letter_language():
    """Choose the language of letters by the environment of the server."""
    language = os.environ.get("LENDING_LANGUAGE", "en")
    if language not in ("en", "fr", "sv"):
        logger.warning("no letters are written in %s, so English is taken", language)
        return "en"
    return language


def letter_heading(reader):
    """Open a letter in the language that the server is set to."""
    greetings = {"en": "Dear", "fr": "Cher", "sv": "Kära"}
    language = letter_language()
    if not reader.name:
        raise ValueError("a letter needs somebody who can be greeted by name")
    greeting = greetings[language]
    return f"{greeting} {reader.name},"
''',
    "lending/shelving/__init__.py": '''"""Where books stand."""
''',
    "lending/shelving/authors.py": '''"""Shelves by author."""

from lending.shelving.base import ShelfOrder


class AuthorOrder(ShelfOrder):
    """Put the books of an author together."""

    def shelf_for(self, book):
        """Take the first letter of the family name."""
        if not book.author:
            raise ValueError("a book by nobody has no place among the authors")
        return book.author.split()[-1][0].lower()

    def sign_for(self, shelf):
        """Write the letter twice, large and small."""
        return f"{shelf.upper()} {shelf}"
''',
    "lending/shelving/base.py": '''"""What an order of shelves must say."""

import abc
import logging

logger = logging.getLogger(__name__)


class ShelfOrder(abc.ABC):
    """An order in which books stand on shelves."""

    @abc.abstractmethod
    def shelf_for(self, book):
        """Find the shelf on which a book belongs."""

    @abc.abstractmethod
    def sign_for(self, shelf):
        """Write the sign at the end of a shelf."""

    def height(self):
        """Give the height of a shelf in centimetres."""
        return 32

    def colour(self):
        """Give the colour of the sign."""
        return "white"

    def is_locked(self, shelf):
        """Tell whether readers need a key for a shelf."""
        return shelf == "rare"

    def dust(self, shelf):
        """Remember that a shelf was dusted."""
        return f"{shelf} is clean"


def put_on_shelf(order, room, book):
    """Put a book on its shelf, and into the cellar where that is full."""
    name = order.shelf_for(book)
    if name not in room.shelves:
        raise KeyError("the room has no shelf of the name that the order gives")
    shelf = room.shelves[name]
    if len(shelf) >= room.places:
        logger.warning("a book went into the cellar because %s is full", name)
        room.cellar.append(book)
        return None
    shelf.append(book)
    return name
''',
    "lending/shelving/subjects.py": '''"""Shelves by what books are about."""

from lending.shelving.base import ShelfOrder


class SubjectOrder(ShelfOrder):
    """Put books together that are about the same."""

    def __init__(self, subjects):
        self.subjects = subjects

    def shelf_for(self, book):
        """Look for the first subject that stands in the title."""
        for subject in self.subjects:
            if subject in book.title.lower():
                return subject
        return "other"

    def sign_for(self, shelf):
        """Write the subject in capital letters."""
        return shelf.upper()
''',
}
