"""A small mutation campaign; the benchmark of the same name runs it at length on real code."""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from goldwright.snapshot import open_snapshot

CAMPAIGN = Path(__file__).parents[3] / "benchmarks" / "gate_mutation.py"

PACKAGE = {
    "README.md": "# Pottery\n",
    "pottery/__init__.py": "from pottery.kiln import Kiln\n",
    "pottery/kiln.py": '''\
"""Firing."""

from pottery.glaze import mix_glaze, Glaze


class Kiln:
    """Fires pots."""

    max_heat = 1280

    def __init__(self, owner, shelves=4):
        self.owner = owner
        self.shelves = shelves
        self.pots = []

    def load_pot(self, pot, shelf_no=0):
        """Put a pot on a shelf."""
        if shelf_no >= self.shelves:
            raise ValueError("no such shelf")
        self.pots.append((shelf_no, pot))

    def fire(self, heat):
        """Fire everything."""
        if heat > self.max_heat:
            raise ValueError("too hot")
        glaze = mix_glaze("celadon", heat)
        return [coat(pot, glaze) for _, pot in self.pots]


def coat(pot, glaze):
    """Put glaze on a pot."""
    pot.glaze_name = glaze.label
    return pot
''',
    "pottery/glaze.py": '''\
"""Glazes."""

RECIPES = {"celadon": 1260, "raku": 980}


class Glaze:
    """A glaze that is ready."""

    def __init__(self, label, melting_point):
        self.label = label
        self.melting_point = melting_point

    def melts_at(self, heat):
        """Tell whether it melts."""
        return heat >= self.melting_point


def mix_glaze(recipe, heat):
    """Mix a glaze."""
    found = Glaze(recipe, RECIPES[recipe])
    if not found.melts_at(heat):
        raise LookupError(recipe)
    return found
''',
    "pottery/shop2.py": '''\
"""Selling."""


class PriceList:
    """Prices by size."""

    def price_of(self, size):
        """Look a price up."""
        if size < 1:
            return None
        return size * 3

    def discount(self, size, percent):
        """Take something off."""
        price = self.price_of(size)
        return price - price * percent // 100


def open_shop(prices, opening_hours):
    """Open the shop."""
    for hour in opening_hours:
        yield hour, prices


def announce(text):
    """Say something."""
    try:
        line = text.strip()
    except AttributeError:
        return None
    return line + "!"
''',
}


@pytest.fixture(scope="module")
def campaign() -> ModuleType:
    """Load the benchmark's script as a module."""
    spec = importlib.util.spec_from_file_location("gate_mutation", CAMPAIGN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["gate_mutation"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_valid_answer_passes_and_every_broken_one_fails_under_its_code(
    tmp_path: Path, campaign: ModuleType, seed: int
) -> None:
    """The gate's two promises, for every way of breaking an answer and seven of rewording it."""
    root = tmp_path / "code"
    for path, text in PACKAGE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    snapshot = open_snapshot(root, rev=None, cache=tmp_path / "cache", allow_dirty=True)
    world = campaign.make_world(snapshot, random.Random(seed))
    answers = list(campaign.make_answers(world, 12))
    asked = list(campaign.make_asked_answers(world, 6))
    outcome = campaign.run(world, answers, 8, asked=asked)
    assert outcome.false_alarms == ()
    assert outcome.missed == ()
    kinds = {*campaign.MUTATIONS, *campaign.ASKED_MUTATIONS}
    assert {kind for kind, made in outcome.made.items() if made} == kinds
