"""A table is where something is added only if nothing else decides who gets in."""

from pathlib import Path

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
