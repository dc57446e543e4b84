"""Methods that a library may call, since it has them in a base of its own."""

from pathlib import Path

import pytest

from goldwright.code_reading.outside_bases import is_called_from_outside
from goldwright.snapshot import open_snapshot

CODE = """
from collections.abc import MutableSet
from ast import NodeTransformer
import http.server
import threading
from shop.bases import Kept
import flask.views
from typing import Generic, Protocol

class Shelf(MutableSet):
    def discard(self, item): ...
    def tidy(self): ...

class Narrow(Shelf):
    def add(self, item): ...
    def sweep(self): ...

class Runner(threading.Thread):
    def run(self): ...
    def stop(self): ...

class Plain(Kept, Generic[int], Protocol):
    def keep(self): ...

class View(flask.views.View):
    def get(self): ...
    def _helper(self): ...

class Box(dict):
    def update(self, other): ...
    def weigh(self): ...

class Tree(NodeTransformer):
    def visit_Name(self, node): ...
    def leave_Name(self, node): ...

class Web(http.server.SimpleHTTPRequestHandler):
    def do_PUT(self): ...
    def undo(self): ...

class Alone:
    def discard(self): ...
    def visit_Name(self, node): ...

def discard(): ...
"""


@pytest.mark.parametrize(
    ("method", "is_called"),
    [
        ("Shelf.discard", True),
        ("Shelf.tidy", False),
        ("Narrow.add", True),
        ("Narrow.sweep", False),
        ("Runner.run", True),
        ("Runner.stop", False),
        ("Plain.keep", False),
        # What a library from elsewhere calls is not known; a private name is nobody's hook.
        ("View.get", True),
        ("View._helper", False),
        ("Box.update", True),
        ("Box.weigh", False),
        # What a base looks up by the beginning of its name.
        ("Tree.visit_Name", True),
        ("Tree.leave_Name", False),
        ("Web.do_PUT", True),
        ("Web.undo", False),
        ("Alone.discard", False),
        ("Alone.visit_Name", False),
        ("discard", False),
    ],
)
def test_a_method_of_an_outside_base_may_be_called_from_outside(
    tmp_path: Path, method: str, *, is_called: bool
) -> None:
    shop = tmp_path / "code" / "shop"
    shop.mkdir(parents=True)
    (shop / "__init__.py").write_text("")
    (shop / "bases.py").write_text("class Kept:\n    def keep(self): ...\n")
    (shop / "work.py").write_text(CODE)
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    assert is_called_from_outside(snapshot, f"shop/work.py::{method}") is is_called
