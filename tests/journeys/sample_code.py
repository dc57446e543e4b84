"""The code that journeys are about: frozen, so that no change of the program changes a dataset."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from journeys.lending_rooms import LENDING_ROOMS
from journeys.shop_rooms import SHOP_ROOMS

# Enough for the smoke plan, and too little for Phase 1.
SHOP: Final[Mapping[str, str]] = {
    **SHOP_ROOMS,
    "shop/__init__.py": '"""A small shop."""\n\nfrom shop.orders import place_order\n',
    "shop/errors.py": '''"""What can go wrong in the shop."""


class ShopError(Exception):
    """Base class of everything the shop refuses to do."""


class EmptyBasketError(ShopError):
    """Raised when somebody checks out with nothing in the basket."""


class OutOfStockError(ShopError):
    """Raised when a shelf holds fewer items than were asked for."""
''',
    "shop/stock.py": '''"""Shelves and what lies on them."""

import threading

from shop.errors import OutOfStockError

_lock = threading.Lock()
_cache = {}


class Shelf:
    """Keep count of one kind of item and refuse to go below zero."""

    def __init__(self, item, count=0):
        self.item = item
        self.count = count

    def take_items(self, wanted):
        """Remove a number of items from the shelf and report what is left."""
        if wanted > self.count:
            raise OutOfStockError("not enough items on the shelf")
        with _lock:
            self.count -= wanted
        return self.count

    def put_back(self, returned):
        """Put returned items back on the shelf after checking them."""
        if returned < 0:
            raise ValueError("cannot put back fewer than zero items")
        self.count += returned
        return self.count


def find_shelf(name, shelves=[]):
    """Look up the shelf that holds an item, remembering earlier answers."""
    if name in _cache:
        return _cache[name]
    for shelf in shelves:
        if shelf.item == name:
            _cache[name] = shelf
            return shelf
    return None


def load_counts(path):
    """Read the item counts from a file on disk and ignore anything unreadable."""
    counts = {}
    try:
        stream = open(path)
        for line in stream:
            name, _, number = line.partition("=")
            counts[name.strip()] = int(number)
    except Exception:
        pass
    return counts
''',
    "shop/prices.py": '''"""What things cost."""


class Discount:
    """Base class for rules that make an order cheaper."""

    def apply_to(self, total):
        """Work out the reduced total of an order."""
        raise NotImplementedError


class PercentDiscount(Discount):
    """Take a share off the total of an order."""

    def __init__(self, percent):
        if not 0 <= percent <= 100:
            raise ValueError("the percentage must lie between 0 and 100")
        self.percent = percent

    def apply_to(self, total):
        """Reduce the total by the configured percentage."""
        return total * (100 - self.percent) // 100


class FixedDiscount(Discount):
    """Take a fixed amount off the total, never below zero."""

    def __init__(self, amount):
        self.amount = amount

    def apply_to(self, total):
        """Subtract the fixed amount and stop at zero."""
        return max(total - self.amount, 0)


def total_price(items, discounts):
    """Add up the prices of all items and apply every discount in turn."""
    total = sum(price for _, price in items)
    for discount in discounts:
        total = discount.apply_to(total)
    # round down so that nobody pays for a fraction of a cent
    return int(total)
''',
    "shop/orders.py": '''"""Placing orders."""

from shop.errors import EmptyBasketError
from shop.prices import total_price
from shop.stock import find_shelf


def check_basket(basket):
    """Make sure that a basket holds at least one item before checkout."""
    if not basket:
        raise EmptyBasketError("the basket is empty, nothing to check out")
    return len(basket)


def reserve_items(basket, shelves):
    """Take every item of the basket from its shelf and collect the prices."""
    reserved = []
    for name, wanted, price in basket:
        shelf = find_shelf(name, shelves)
        if shelf is None:
            raise KeyError(name)
        shelf.take_items(wanted)
        reserved.append((name, price * wanted))
    return reserved


def place_order(basket, shelves, discounts=()):
    """Check the basket, reserve its items and charge the customer."""
    check_basket(basket)
    reserved = reserve_items(basket, shelves)
    return total_price(reserved, discounts)
''',
}

# More than enough for the small plan of live runs and for the few records that people review.
LENDING: Final[Mapping[str, str]] = {
    **LENDING_ROOMS,
    "lending/__init__.py": '''"""A small lending library."""

from lending.desk import check_out_book
''',
    "lending/errors.py": '''"""What can go wrong in the library."""


class LendingError(Exception):
    """Base class of everything the library refuses to do."""


class UnknownBookError(LendingError):
    """Raised when no book has the number that was asked for."""


class CardBlockedError(LendingError):
    """Raised when a reader owes too much to borrow anything else."""


class TooManyLoansError(LendingError):
    """Raised when a reader has as many books at home as the library allows."""
''',
    "lending/catalogue.py": '''"""Books, and how they are found."""

from lending.errors import UnknownBookError

SEPARATOR = ";"


class Book:
    """One copy of a title on the shelves."""

    def __init__(self, number, title, author, year=None):
        self.number = number
        self.title = title
        self.author = author
        self.year = year
        self.is_out = False


class Catalogue:
    """Every copy of the library by its number."""

    def __init__(self):
        self.books = {}
        self.words = {}

    def add_book(self, book):
        """Add a copy to the shelves and remember the words of its title."""
        if book.number in self.books:
            raise ValueError("a copy with this number stands on the shelves already")
        self.books[book.number] = book
        for word in split_words(book.title):
            self.words.setdefault(word, set()).add(book.number)
        return book

    def find_book(self, number):
        """Look up the copy that bears a number."""
        if number not in self.books:
            raise UnknownBookError("no copy of the library has this number")
        return self.books[number]

    def search_titles(self, question):
        """Collect the copies whose titles hold every word of a question, oldest first."""
        numbers = None
        for word in split_words(question):
            holders = self.words.get(word, set())
            numbers = holders if numbers is None else numbers & holders
        found = [self.books[number] for number in numbers or ()]
        # put copies without a year of printing behind all other ones
        found.sort(key=lambda book: (book.year is None, book.year or 0, book.number))
        return found


def split_words(text):
    """Split a title into its lower-case words and drop the short ones."""
    words = []
    for part in text.lower().replace("-", " ").split():
        word = part.strip(".,:;!?'\\"()")
        if len(word) > 2:
            words.append(word)
    return words


def read_inventory(path):
    """Read the list of all copies from a text file and skip the lines that make no sense."""
    catalogue = Catalogue()
    skipped = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = [field.strip() for field in line.split(SEPARATOR)]
            if len(fields) != 4:
                skipped += 1
                continue
            number, title, author, year = fields
            catalogue.add_book(Book(number, title, author, int(year) if year else None))
    return catalogue, skipped
''',
    "lending/members.py": '''"""Readers and their cards."""

import datetime

from lending.errors import CardBlockedError, TooManyLoansError

MOST_LOANS = 5
MOST_DEBT = 1000


class Reader:
    """A person who may borrow books."""

    def __init__(self, card, name, born):
        self.card = card
        self.name = name
        self.born = born
        self.loans = []
        self.debt = 0

    def charge_fine(self, cents):
        """Add a fine to the debt of a reader."""
        if cents < 0:
            raise ValueError("a fine cannot be smaller than nothing")
        self.debt += cents
        return self.debt

    def settle_debt(self, cents):
        """Take a payment and reduce the debt of a reader by it."""
        if cents > self.debt:
            raise ValueError("the payment is larger than the debt of the reader")
        self.debt -= cents
        return self.debt


def check_card(reader):
    """Make sure that a reader may borrow one more book today."""
    if reader.debt > MOST_DEBT:
        raise CardBlockedError("the card is blocked until the debt is paid")
    if len(reader.loans) >= MOST_LOANS:
        raise TooManyLoansError("the reader has too many books at home")
    return MOST_LOANS - len(reader.loans)


def register_reader(readers, name, born, today=None):
    """Issue a new card for a person and refuse small children."""
    today = today or datetime.date.today()
    age = today.year - born.year
    if (today.month, today.day) < (born.month, born.day):
        age -= 1
    if age < 6:
        raise ValueError("children get a card when they are six years old")
    card = f"{len(readers) + 1:06d}"
    reader = Reader(card, name, born)
    readers[card] = reader
    return reader


def count_by_age(readers, today):
    """Count the readers of every decade of age for the yearly report."""
    counts = {}
    for reader in readers.values():
        age = today.year - reader.born.year
        decade = age // 10 * 10
        counts[decade] = counts.get(decade, 0) + 1
    total = sum(counts.values())
    return {decade: count / total for decade, count in sorted(counts.items())}
''',
    "lending/fines.py": '''"""What a late book costs."""


class FineRule:
    """Base class for rules that work out what a late book costs."""

    def compute_fine(self, days, book):
        """Work out the fine for a number of days in cents."""
        raise NotImplementedError


class DailyFine(FineRule):
    """Charge the same amount for every day."""

    def __init__(self, cents):
        self.cents = cents

    def compute_fine(self, days, book):
        """Multiply the days by the price of one day."""
        if days < 0:
            raise ValueError("a book cannot be late by less than a day")
        return days * self.cents


class GraceFine(FineRule):
    """Charge nothing for the first days."""

    def __init__(self, grace, cents):
        self.grace = grace
        self.cents = cents

    def compute_fine(self, days, book):
        """Leave out the days of grace and charge the other ones."""
        return max(days - self.grace, 0) * self.cents


class CappedFine(FineRule):
    """Stop at the price of the book."""

    def __init__(self, rule, ceiling):
        self.rule = rule
        self.ceiling = ceiling

    def compute_fine(self, days, book):
        """Ask another rule and cut its fine at the ceiling."""
        return min(self.rule.compute_fine(days, book), self.ceiling)


def total_fine(loans, rule, today):
    """Add up the fines of all late loans of a reader."""
    total = 0
    for loan in loans:
        days = (today - loan.due).days
        if days > 0:
            total += rule.compute_fine(days, loan.book)
    return total
''',
    "lending/notices.py": '''"""Letters to readers."""


class Notice:
    """Base class for everything the library writes to its readers."""

    def write_letter(self, reader, loans):
        """Write the words of the letter."""
        raise NotImplementedError


class Reminder(Notice):
    """Ask for books that should have come back."""

    def write_letter(self, reader, loans):
        """List the titles that are late and ask for them politely."""
        titles = ", ".join(loan.book.title for loan in loans)
        return f"Dear {reader.name}, please bring back {titles}."


class Invoice(Notice):
    """Ask for the money that is owed."""

    def write_letter(self, reader, loans):
        """Name the debt of the reader in whole and broken euros."""
        euros, cents = divmod(reader.debt, 100)
        return f"Dear {reader.name}, you owe us {euros}.{cents:02d} euros."


class Farewell(Notice):
    """Say goodbye to a reader who gives the card back."""

    def write_letter(self, reader, loans):
        """Thank the reader and mention what is still at home."""
        if loans:
            return f"Dear {reader.name}, thank you; {len(loans)} books are still with you."
        return f"Dear {reader.name}, thank you and goodbye."


def send_notices(readers, notice, post, today):
    """Send one kind of letter to every reader with late books and count the letters."""
    sent = 0
    for reader in readers.values():
        late = [loan for loan in reader.loans if loan.due < today]
        if not late:
            continue
        text = notice.write_letter(reader, late)
        post.deliver_letter(reader.card, text)
        sent += 1
    return sent
''',
    "lending/loans.py": '''"""Loans: which book is with whom, and until when."""

import datetime
import threading

from lending.catalogue import Catalogue
from lending.members import check_card

PERIOD = datetime.timedelta(days=28)
_ledger_lock = threading.Lock()


class Loan:
    """A book that a reader has at home."""

    def __init__(self, book, reader, due):
        self.book = book
        self.reader = reader
        self.due = due
        self.extensions = 0


def compute_due_date(start, closed_days=()):
    """Work out the day on which a book has to come back, never one when the doors are closed."""
    due = start + PERIOD
    while due in closed_days:
        due += datetime.timedelta(days=1)
    return due


def lend_book(catalogue, reader, number, today):
    """Hand a book to a reader and write the loan down."""
    check_card(reader)
    book = catalogue.find_book(number)
    if book.is_out:
        raise ValueError("somebody else has this book at home")
    loan = Loan(book, reader, compute_due_date(today))
    with _ledger_lock:
        book.is_out = True
        reader.loans.append(loan)
    return loan


def extend_loan(loan, today):
    """Give a reader more time with a book, twice at most."""
    if loan.extensions >= 2:
        raise ValueError("a loan can be extended twice and no more")
    if today > loan.due:
        raise ValueError("the loan is late and cannot be extended")
    loan.extensions += 1
    loan.due = compute_due_date(loan.due)
    return loan.due


def take_back(loan, rule, today):
    """Put a returned book back on the shelf and charge the reader if it is late."""
    late = (today - loan.due).days
    if late > 0:
        cents = rule.compute_fine(late, loan.book)
        loan.reader.charge_fine(cents)
    with _ledger_lock:
        loan.reader.loans.remove(loan)
        loan.book.is_out = False
    return max(late, 0)
''',
    "lending/desk.py": '''"""What happens at the desk."""

from lending.errors import LendingError
from lending.fines import total_fine
from lending.loans import extend_loan, lend_book, take_back


def check_out_book(catalogue, readers, card, number, today):
    """Find the reader of a card and lend a book to that person."""
    if card not in readers:
        raise KeyError("nobody has a card with this number")
    reader = readers[card]
    loan = lend_book(catalogue, reader, number, today)
    return f"{loan.book.title} until {loan.due.isoformat()}"


def check_out_all(catalogue, readers, card, numbers, today):
    """Lend a stack of books to one reader and collect what was refused."""
    lent = []
    refused = []
    for number in numbers:
        try:
            lent.append(check_out_book(catalogue, readers, card, number, today))
        except LendingError:
            refused.append(number)
    return lent, refused


def check_in_books(reader, numbers, rule, today):
    """Take a stack of books back from a reader and sum up the days they were late."""
    days = 0
    returned = [loan for loan in reader.loans if loan.book.number in numbers]
    for loan in returned:
        days += take_back(loan, rule, today)
    missing = set(numbers) - {loan.book.number for loan in returned}
    if missing:
        raise ValueError("some of the books are not on loan to this reader")
    return days


def extend_everything(reader, today):
    """Extend every loan of a reader that may still be extended."""
    extended = 0
    for loan in list(reader.loans):
        try:
            extend_loan(loan, today)
        except ValueError:
            continue
        extended += 1
    return extended


def close_account(readers, reader, rule, today):
    """Give a card back after everything is returned and paid."""
    owed = reader.debt + total_fine(reader.loans, rule, today)
    if owed:
        raise ValueError("the account cannot be closed while money is owed")
    if reader.loans:
        raise ValueError("the account cannot be closed while books are at home")
    del readers[reader.card]
    return reader.name
''',
    "lending/reports.py": '''"""Figures for the town council."""

from lending.members import count_by_age
from lending.notices import send_notices


def rank_titles(loans, length=10):
    """Rank the titles of a year by how often they were borrowed."""
    counts = {}
    for loan in loans:
        title = loan.book.title
        counts[title] = counts.get(title, 0) + 1
    # break ties between equally popular titles by their alphabetical order
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ranked[:length]


def write_yearly_report(path, loans, readers, today):
    """Write the figures of a year into a text file for the town council."""
    lines = [f"Loans: {len(loans)}"]
    for place, (title, count) in enumerate(rank_titles(loans), start=1):
        lines.append(f"{place}. {title} ({count})")
    for decade, share in count_by_age(readers, today).items():
        lines.append(f"{decade} to {decade + 9}: {share:.0%}")
    text = "\\n".join(lines) + "\\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return len(lines)


def close_the_day(readers, notice, post, today, log=[]):
    """Send the letters of a day and remember how many there were."""
    if post is None:
        raise ValueError("letters need somebody who carries them")
    sent = send_notices(readers, notice, post, today)
    log.append((today, sent))
    average = sum(count for _, count in log) / len(log)
    return sent, average
''',
}


def write_code(directory: Path, files: Mapping[str, str]) -> Path:
    """Write files below a directory, and return it."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory
