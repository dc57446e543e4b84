"""Whole runs by subprocess, as a user starts them."""

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from journeys.starting import call as call_program

Command = Callable[..., "subprocess.CompletedProcess[str]"]

CODEBASE: Mapping[str, str] = {
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


@pytest.fixture
def codebase(tmp_path: Path) -> Path:
    """A small package in a plain directory."""
    root = tmp_path / "codebase"
    for name, text in CODEBASE.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def repository(codebase: Path) -> Path:
    """The same package as a git repository with one commit."""
    git(codebase, "init", "--quiet", "--initial-branch=main")
    git(codebase, "add", "--all")
    git(codebase, "commit", "--quiet", "--message", "Open the shop")
    return codebase


def git(root: Path, *arguments: str) -> str:
    """Run git as a user without configuration would."""
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *identity, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """An empty directory to work in."""
    root = tmp_path / "desk"
    root.mkdir()
    return root


@pytest.fixture
def goldwright(workplace: Path, tmp_path: Path) -> Command:
    """The command, run in the working directory with a cache of its own, each time in a process of
    its own.
    """

    def call(*arguments: object, **extra: str) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "GOLDWRIGHT_CACHE": str(tmp_path / "cache"), **extra}
        return call_program(*arguments, cwd=workplace, environment=environment)

    return call
