"""What holds of names in texts about any lines of real code."""

import io
import keyword
import shutil
import tokenize
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import goldwright
from goldwright.records import FileRange
from goldwright.snapshot import Entity, Snapshot, open_snapshot
from goldwright.snapshot.languages.language_catalog import WORDS, is_special_name
from goldwright.snapshot.mentions.mention_coverage import MentionScope, uncovered_mentions

# Small enough to be opened in a second, and full of classes, imports and strings.
ROOMS = ("snapshot", "stages", "records", "retrieval")
FORMS = ("`{}`", "`{}`, that is", "(`{}` matters)", "`{} is None`", "``{}``", "<code>{}</code>")

law = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A part of this package."""
    root = tmp_path_factory.mktemp("code")
    source = Path(goldwright.__file__).parent
    for room in ROOMS:
        shutil.copytree(source / room, root / "goldwright" / room)
    cache_directory = tmp_path_factory.mktemp("cache")
    return open_snapshot(root, rev=None, cache=cache_directory, allow_dirty=True)


@cache
def names_by_line(text: str) -> dict[int, list[str]]:
    """The names of a file by the tokenizer, which shares nothing with what is tested."""
    names: dict[int, list[str]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            names.setdefault(token.start[0], []).append(token.string)
    return names


def outside(text: str, lines: FileRange, snapshot: Snapshot) -> list[str]:
    scope = MentionScope(frozenset(), frozenset(), (lines,))
    return [mention.text for mention in uncovered_mentions(text, scope, snapshot)]


def is_tellable(entity: Entity) -> bool:
    """Whether a marked word can only be read as a name of the codebase."""
    name = entity.simple_name
    return name not in WORDS.names | WORDS.standard_modules and not is_special_name(name)


@law
@given(data=st.data())
def test_every_name_that_the_cited_lines_use_is_covered(
    snapshot: Snapshot, data: st.DataObject
) -> None:
    """Whatever else in the codebase has the name, and however it is marked."""
    path = data.draw(st.sampled_from(snapshot.source_files))
    names = names_by_line(snapshot.source(path).text)
    if not names:
        return
    first = data.draw(st.sampled_from(sorted(names)))
    last = first + data.draw(st.integers(0, 5))
    name = data.draw(st.sampled_from(names[first]))
    form = data.draw(st.sampled_from(FORMS))
    lines = FileRange(file=path, start=first, end=last)
    assert outside(f"It turns on {form.format(name)}.", lines, snapshot) == []


@law
@given(data=st.data())
def test_an_entity_that_stands_nowhere_near_is_a_name_drop(
    snapshot: Snapshot, data: st.DataObject
) -> None:
    """Its name, its qualified name and its id are all seen."""
    entities = [entity for entity in snapshot.entities() if is_tellable(entity)]
    entity = data.draw(st.sampled_from(entities))
    path = data.draw(st.sampled_from(snapshot.source_files))
    source = snapshot.source(path)
    if entity.simple_name in source.text or not source.line_count:
        return
    lines = FileRange(file=path, start=1, end=source.line_count)
    for name in (f"`{entity.simple_name}`", f"`{entity.name}`", entity.entity_id):
        assert outside(f"It turns on {name}.", lines, snapshot)


@law
@given(data=st.data(), letters=st.text("bcdfghjklm", min_size=6, max_size=9))
def test_an_invented_name_is_seen_in_whatever_code_it_stands(
    snapshot: Snapshot, data: st.DataObject, letters: str
) -> None:
    """As a plain word, an attribute, a class, an argument or an operand."""
    form = data.draw(
        st.sampled_from(("{}", "self.{}", "{}()", "make_{}(1)", "len({}) > 1", "not {}.x", "x[{}]"))
    )
    path = data.draw(st.sampled_from(snapshot.source_files))
    source = snapshot.source(path)
    if letters in source.text:
        return
    lines = FileRange(file=path, start=1, end=source.line_count)
    assert outside(f"It turns on `{form.format(letters)}`.", lines, snapshot)
