"""A table is where something is added only if nothing else decides who gets in."""

from pathlib import Path

import pytest

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.table_additions import TableAdditions
from goldwright.snapshot import open_snapshot

CODE = '''def wheel(name):
    """Read a wheel."""
    return name

def sdist(name):
    """Read a source archive."""
    return name

READERS = {{"wheel": wheel, "sdist": sdist}}
ENDINGS = {{".whl": "wheel", ".tar.gz": "sdist"}}

def read(name, kind):
    """Read a file of some kind."""
    {loop}
        reader = READERS[kind]
        return reader(name)
    raise ValueError("nobody can read such a file as this one")
'''


def _plan_count(root: Path, loop: str) -> int:
    code_root = root / "code"
    code_root.mkdir(parents=True)
    (code_root / "files.py").write_text(CODE.format(loop=loop))
    code = CodeContext(open_snapshot(code_root, cache=root / "cache"))
    module = code.module("files.py")
    assert module is not None
    inquiry = TableAdditions()
    plans = [
        inquiry.answer(question.intent, question.targets, code)
        for lead in inquiry.leads(module)
        if lead.detail == "READERS"
        for question in inquiry.questions(lead, code)
    ]
    return sum(plan is not None for plan in plans)


def test_nobody_asks_for_a_table_that_is_read_for_the_entries_of_another(tmp_path: Path) -> None:
    assert _plan_count(tmp_path / "alone", "if kind in READERS:") > 0
    assert _plan_count(tmp_path / "behind", "for ending, kind in ENDINGS.items():") == 0


@pytest.mark.parametrize(
    ("other", "is_named_by_keys"),
    [
        ("", True),
        ("KINDS = ('wheel',)\n", True),
        ("KINDS = ('wheel', 'egg', 'sdist')\n", False),
    ],
)
def test_a_table_is_not_told_by_keys_that_other_code_holds(
    tmp_path: Path, other: str, *, is_named_by_keys: bool
) -> None:
    code_root = tmp_path / "code"
    code_root.mkdir()
    lines = CODE.format(loop="if kind in READERS:").splitlines(keepends=True)
    (code_root / "files.py").write_text(
        "".join(line for line in lines if not line.startswith("ENDINGS"))
    )
    (code_root / "kinds.py").write_text(other)
    code = CodeContext(open_snapshot(code_root, cache=tmp_path / "cache"))
    module = code.module("files.py")
    assert module is not None
    inquiry = TableAdditions()
    asked = [
        phrasing
        for lead in inquiry.leads(module)
        for question in inquiry.questions(lead, code)
        for phrasing in question.phrasings
    ]
    assert asked
    assert any("{keys}" in phrasing for phrasing in asked) is is_named_by_keys
