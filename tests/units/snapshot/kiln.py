"""A small codebase in memory, for texts to speak of."""

import ast
from collections.abc import Iterator

from goldwright.records import FileRange
from goldwright.snapshot.entities import Entity, EntityKind, Span, entity_id
from goldwright.snapshot.mentions.mention_coverage import MentionScope
from goldwright.stages.gate.examples import ShopCodebase

APP = "src/kiln/app.py"
HELPERS = "src/kiln/helpers.py"
SESSIONS = "src/kiln/sessions.py"
JSON = "src/kiln/json/__init__.py"

SOURCES = {
    "README.md": "# Kiln\n",
    "pyproject.toml": "[project]\nname = 'kiln'\n",
    "src/kiln/__init__.py": "from kiln.app import Kiln\n",
    APP: """\
import json
from html import escape

from kiln.helpers import build, url_for
from kiln.sessions import SessionInterface


class Kiln(SessionInterface):
    default_glaze = "matt"

    def __init__(self, max_heat, timeout=None):
        self.max_heat = max_heat
        self.timeout = timeout

    def fire(self, pot, status_code, *, retry=3, helpers=None):
        first_try = True
        if pot.glaze_name == "raku_red" and self.timeout and helpers.label:
            return self.load_rules(pot, strict_mode=True)
        for start_url in (f(pot) for f in self.steps()):
            build(start_url)
        return escape(json.dumps({"max_age": status_code}))

    def load_rules(self, pot, strict_mode):
        return url_for("config.py", pot)

    def steps(self):
        return []
""",
    HELPERS: """\
def url_for(name, pot):
    return name


def build(rows):
    def inner_step(row):
        return row
    return [inner_step(row) for row in rows]


def label(pot):
    return pot


class status_code:
    pot = 1
    start_url = 2
    strict_mode = 3
    glaze_name = 4
    max_age = 5
    first_try = 6
    retry = 7
    timeout = 8


def escape(text):
    return text
""",
    SESSIONS: """\
class SessionInterface:
    def open_session(self, request):
        return None

    def send(self):
        return self


class Response:
    def close(self):
        return None

    def print(self):
        return None


def MD5():
    return None
""",
    JSON: "def dumps(value):\n    return str(value)\n",
    "src/kiln/config.py": "class Config:\n    limit_2 = 1\n",
    "tests/test_app.py": "def test_fire():\n    pass\n",
}


def _entities(path: str, body: list[ast.stmt], prefix: str) -> Iterator[Entity]:
    """Yield functions, classes, and the names that modules and classes bind."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name):
                yield _entity(path, prefix + name, "function", node)
                yield from _entities(path, node.body, f"{prefix}{name}.")
            case ast.ClassDef(name=name):
                yield _entity(path, prefix + name, "class", node)
                yield from _entities(path, node.body, f"{prefix}{name}.")
            # Classes begin with a capital here, functions do not.
            case ast.Assign(targets=[ast.Name(id=name)]) if not prefix or prefix[0].isupper():
                yield _entity(path, prefix + name, "variable", node)


def _entity(path: str, name: str, kind: EntityKind, node: ast.stmt) -> Entity:
    span = Span(node.lineno, node.end_lineno or node.lineno)
    return Entity(entity_id(path, name), path, name, kind, (span,))


def _all_entities() -> Iterator[Entity]:
    for path, text in SOURCES.items():
        if path.endswith(".py"):
            yield from _entities(path, ast.parse(text).body, "")


KILN = ShopCodebase(SOURCES, tuple(_all_entities()))
SCOPE = MentionScope(
    entity_ids=frozenset({f"{APP}::Kiln.fire"}),
    files=frozenset({APP}),
    ranges=(FileRange(file=APP, start=15, end=21),),
)
