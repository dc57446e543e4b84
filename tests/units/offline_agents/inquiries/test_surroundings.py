"""Where a tested value comes from: the last one given on a way, and those of other branches."""

from pathlib import Path

import pytest

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.surroundings import find_statements, origins
from goldwright.offline_agents.statements.raises import Raises
from goldwright.snapshot import open_snapshot

CODE = """
def label(title, tongue):
    {above}
    if not text:
        raise ValueError("a label needs a text")
    text = text.title()
    return text
"""


def sources(root: Path, above: str) -> list[str]:
    code_root = root / "code"
    code_root.mkdir()
    (code_root / "labels.py").write_text(CODE.format(above=above))
    code = CodeContext(open_snapshot(code_root, cache=root / "cache"))
    (fact,) = find_statements(code, "labels.py::label", (Raises,))
    found = origins(code, fact.entity_id, fact.statement.conditions, fact.lines)
    return [finding.statement.sentence() for finding in found]


@pytest.mark.parametrize(
    ("above", "values"),
    [
        (["text = title.strip()"], ["title.strip()"]),
        # What was given before is no longer what is tested.
        (["text = title.strip()", "text = text.lower()"], ["text.lower()"]),
        (["text = title.lower()", "text, end = cut(title)"], ["cut(title)"]),
        (
            ["text = title.lower()", "if tongue:", "    text = read(tongue)"],
            ["title.lower()", "read(tongue)"],
        ),
        (
            ["if tongue:", "    text = read(tongue)", "    text = text.lower()"],
            ["text.lower()"],
        ),
        (["if tongue:", "    text = read(tongue)", "text = title.lower()"], ["title.lower()"]),
    ],
)
def test_a_value_that_is_replaced_on_every_way_is_not_what_is_tested(
    tmp_path: Path, above: list[str], values: list[str]
) -> None:
    found = sources(tmp_path, "\n    ".join(above))
    assert len(found) == len(values)
    for sentence, value in zip(found, values, strict=True):
        assert f"`{value}`" in sentence
