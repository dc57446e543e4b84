"""What a use of a name does to the value that is kept under it."""

import ast
from pathlib import Path

import pytest

from goldwright.code_reading.state_changes import MOST_FILES, StateUse, changed_names, state_uses
from goldwright.snapshot import Snapshot, open_snapshot


def write(root: Path, sources: dict[str, str]) -> Snapshot:
    (root / "code").mkdir(parents=True)
    for path, code in sources.items():
        (root / "code" / path).write_text(code)
    return open_snapshot(root / "code", cache=root / "cache")


def uses_in(root: Path, code: str, name: str = "POOL") -> tuple[StateUse, ...]:
    uses = state_uses(write(root, {"pool.py": code}), name)
    assert uses is not None
    return uses


KINDS = {
    "put": [
        "POOL[key] = 1",
        "POOL[key] += 1",
        "POOL.append(key)",
        "POOL.setdefault(key, []).sort()",
        "POOL += [key]",
        "POOL.update(a=1)",
    ],
    "drop": ["del POOL[key]", "del POOL", "POOL.clear()", "return POOL.pop(key)"],
    "replace": ["POOL = {}", "POOL: dict = {}", "for POOL in key: pass", "first, POOL = key"],
    "read": [
        "return POOL[key]",
        "return key in POOL",
        "return POOL.get(key)",
        "if POOL: return 1",
        "return len(POOL)",
        "for item in POOL: print(item)",
        "return [item for item in POOL]",
        "return f'{POOL}'",
        "return call(**POOL)",
        "return [*POOL]",
        "return not POOL",
        "return POOL.name",
        "POOL",
        "assert POOL",
        "return POOL(key)",
        "return POOL + key",
        "return POOL[key].get(1)",
        "return POOL[key].name",
        "return sorted(POOL)",
        "return key[POOL]",
    ],
    "escape": [
        "return POOL",
        "save(POOL)",
        "other = POOL",
        "POOL.merge(key)",
        "return [POOL]",
        "save(pool=POOL)",
        "key.save(POOL)",
        "POOL[key].append(1)",
        "POOL[key].pop()",
        "for item in key(POOL): pass",
        "for item in key: yield POOL",
    ],
}
USES = [(kind, code) for kind, codes in KINDS.items() for code in codes]


@pytest.mark.parametrize(("kind", "code"), USES)
def test_a_use_puts_in_takes_out_replaces_looks_or_hands_on(
    tmp_path: Path, kind: str, code: str
) -> None:
    (use,) = uses_in(tmp_path, f"def work(key):\n    {code}\n")
    assert use.kind == kind
    assert (use.path, use.owner, use.first, use.receiver) == ("pool.py", "work", 2, "")


NESTED = """
POOL = {}

class Till:
    def fill(self, key=POOL):
        with lock, open(key) as file:
            self.POOL[key] = (
                1,
            )
            with other:
                POOL.clear()
        with POOL as entered:
            def later():
                POOL.pop()
"""


def test_a_use_stands_in_its_function_statement_and_with_blocks(tmp_path: Path) -> None:
    uses = uses_in(tmp_path, NESTED)
    rows = [(use.owner, use.first, use.last, use.kind, use.contexts) for use in uses]
    assert rows == [
        ("", 2, 2, "replace", ()),
        ("Till", 5, 14, "escape", ()),
        ("Till.fill", 7, 9, "put", ("lock", "open(key)")),
        ("Till.fill", 11, 11, "drop", ("lock", "open(key)", "other")),
        ("Till.fill", 12, 14, "escape", ()),
        ("Till.fill.later", 14, 14, "drop", ()),
    ]
    assert [use.receiver for use in uses] == ["", "", "self", "", "", ""]


def test_what_stands_in_a_with_starts_over_in_a_function_inside(tmp_path: Path) -> None:
    """The function runs later, when the ``with`` is left."""
    (use,) = uses_in(tmp_path, "with lock:\n    def later():\n        POOL.clear()\n")
    assert (use.owner, use.contexts) == ("later", ())


def test_a_name_in_too_many_files_means_several_things(tmp_path: Path) -> None:
    few = {f"f{number}.py": "POOL = 1\n" for number in range(MOST_FILES)}
    assert len(state_uses(write(tmp_path / "few", few), "POOL") or ()) == MOST_FILES
    many = {**few, "one_more.py": "POOL = 1\n"}
    assert state_uses(write(tmp_path / "many", many), "POOL") is None


def test_a_file_that_cannot_be_parsed_leaves_the_uses_unknown(tmp_path: Path) -> None:
    snapshot = write(tmp_path, {"good.py": "POOL = 1\n", "bad.py": "POOL = (\n"})
    assert state_uses(snapshot, "POOL") is None


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("pool.read(key)", ["pool"]),
        ("await pool.read(key)", ["pool", "key"]),
        ("fill(pool, self.keys)", ["pool", "self.keys"]),
        ("pool[key] = 1", ["pool"]),
        ("del pool.key", ["pool"]),
        ("self.pool.add(1)", ["self.pool"]),
        ("found = pool.read(key)", []),
        ("print(pool)", []),
        ("log.debug('full', pool)", []),
        ("pool.key.read()", []),
    ],
)
def test_what_a_statement_may_change_is_named(code: str, names: list[str]) -> None:
    """What is asked for a result is not taken to change: else no value would have an origin."""
    (statement,) = ast.parse(code).body
    changed = [name for node in ast.walk(statement) for name in changed_names(node)]
    assert set(names) <= set(changed)
    assert bool(names) is bool(changed)
