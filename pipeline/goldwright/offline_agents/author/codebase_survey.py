"""A reading of the whole code base: which functions and classes are worth asking about, and what
they say.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from goldwright.offline_agents.author.actions import Action, action_of, content_words
from goldwright.offline_agents.author.docstring_prose import comment_sentence, first_sentence, plain
from goldwright.offline_agents.author.file_notes import (
    ClassNotes,
    FileNotes,
    FunctionNotes,
    read_file,
)
from goldwright.offline_agents.author.identifier_words import IdentifierSpeller, words_of
from goldwright.snapshot import Snapshot

MOST_FILES: Final = 700
MOST_BYTES: Final = 4_200_000
LONGEST_FILE: Final = 260_000
SAID: Final = 260
WORD_SEEN: Final = 3
MANY_FILES: Final = 60

ASIDE_FOLDERS: Final = frozenset(
    """
    test tests testing t docs doc docs_src examples example samples demo demos benchmark benchmarks bench
    vendor vendored _vendor third_party extern externals extras migrations fixtures site-packages
    node_modules build dist locale testsuite project_template app_template conformance scripts tools
    tests_typing typing_tests integration utils_tests requirements ci
    """.split()
)
ASIDE_FILES: Final = frozenset(
    """
    setup.py conftest.py versioneer.py _version.py version.py noxfile.py tasks.py __version__.py
    __about__.py fabfile.py compat.py
    """.split()
)
_ASIDE_NAME: Final = re.compile(r"^test_|_test\.py$|^tests?\.py$|_pb2|^_vendor|generated")
_PROSE_WORD: Final = re.compile(r"(?<![\w`*:./])[a-z]{2,}(?![\w`*(./])")


@dataclass(frozen=True, slots=True)
class ActionSource:
    """An action of a function and where it was read: its docstring, its name or a comment inside."""

    action: Action
    source: str


@dataclass
class CodebaseSurvey:
    """The notes of the files worth asking about, by entity id, in the order of the files."""

    functions: dict[str, FunctionNotes] = field(default_factory=dict)
    classes: dict[str, ClassNotes] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    speller: IdentifierSpeller = field(default_factory=lambda: IdentifierSpeller(frozenset()))
    told: dict[str, ActionSource] = field(default_factory=dict)

    @cached_property
    def postings(self) -> dict[str, frozenset[str]]:
        """Which functions and classes mention a content word in name, docstring or class name."""
        found: dict[str, set[str]] = defaultdict(set)
        said = [(key, one.name, one.docstring) for key, one in self.functions.items()]
        said += [(key, one.name, one.docstring) for key, one in self.classes.items()]
        for key, name, docstring in said:
            for word in content_words(f"{' '.join(words_of(name))} {docstring[:SAID]}"):
                found[word].add(key)
        return {word: frozenset(ids) for word, ids in found.items()}

    def fitting(self, words: frozenset[str]) -> int:
        """Count the functions and classes that mention all of these words: 0 when a word is
        nowhere.
        """
        sets = [self.postings.get(word, frozenset()) for word in words]
        return len(frozenset.intersection(*sets)) if sets else len(self.functions)

    def class_of(self, notes: FunctionNotes) -> ClassNotes | None:
        """The class a method stands in."""
        return self.classes.get(f"{notes.path}::{notes.name.rpartition('.')[0]}")

    def comment_actions(self, notes: FunctionNotes) -> Iterator[Action]:
        """The steps that inline comments of a function name in the imperative."""
        for block in notes.comments:
            sentence = comment_sentence(block)
            text = plain(sentence, notes.parameters) if sentence[:1].isupper() else None
            step = action_of(text, imperative_only=True, salt=len(notes.name)) if text else None
            if step is not None:
                yield step

    def topic_of(self, notes: ClassNotes) -> str | None:
        """The noun phrase a class stands for, without article."""
        return self.speller.topic(notes.name.rpartition(".")[2])


def survey_codebase(snapshot: Snapshot) -> CodebaseSurvey:
    """Read the files worth asking about, each once."""
    notes = [one for path in surveyed_paths(snapshot) if (one := _read(snapshot, path)) is not None]
    survey = CodebaseSurvey(speller=IdentifierSpeller(_vocabulary(notes)))
    for one in notes:
        survey.modules[one.path] = one.docstring
        survey.functions.update(
            (function.entity_id, function)
            for function in one.functions
            if not _is_known(survey, function)
        )
        survey.classes.update((each.entity_id, each) for each in one.classes)
    survey.functions = {
        key: value for key, value in survey.functions.items() if snapshot.entity(key) is not None
    }
    survey.classes = {
        key: value for key, value in survey.classes.items() if snapshot.entity(key) is not None
    }
    survey.told = dict(_tell(survey))
    return survey


def surveyed_paths(snapshot: Snapshot) -> tuple[str, ...]:
    """Choose the files to read: the richest in definitions, tests, documents, vendored and
    generated code left out.
    """
    candidates = [
        path
        for path in snapshot.files_in("python")
        if is_of_interest(path) and path not in snapshot.unparsed
    ]
    ranked = sorted(candidates, key=lambda path: (-_definitions(snapshot, path), path))
    chosen: list[str] = []
    left = MOST_BYTES
    for path in ranked[:MOST_FILES]:
        size = snapshot.files[path].size
        if size > min(left, LONGEST_FILE) or _definitions(snapshot, path) == 0:
            continue
        left -= size
        chosen.append(path)
    return tuple(sorted(chosen))


def is_of_interest(path: str) -> bool:
    """Tell whether a path holds the project's own running code."""
    parts = PurePosixPath(path).parts
    if not path.endswith(".py") or parts[-1] in ASIDE_FILES or _ASIDE_NAME.search(parts[-1]):
        return False
    return not any(part.lower() in ASIDE_FOLDERS or part.startswith(".") for part in parts[:-1])


def _definitions(snapshot: Snapshot, path: str) -> int:
    return sum(entity.kind != "variable" for entity in snapshot.entities_in(path))


def _read(snapshot: Snapshot, path: str) -> FileNotes | None:
    source = snapshot.source(path)
    return read_file(path, source.text, source.lines)


def _is_known(survey: CodebaseSurvey, notes: FunctionNotes) -> bool:
    """Of several definitions of one name the one with the longest body speaks."""
    known = survey.functions.get(notes.entity_id)
    return known is not None and known.statements >= notes.statements


def _vocabulary(files: Sequence[FileNotes]) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for one in files:
        for text in _prose_of(one):
            counts.update(set(_PROSE_WORD.findall(text)))
    wanted = WORD_SEEN if len(files) >= MANY_FILES else 1
    return frozenset(
        word
        for word, count in counts.items()
        if count >= wanted and any(letter in "aeiouy" for letter in word)
    )


def _prose_of(file: FileNotes) -> Iterator[str]:
    yield file.docstring
    yield from (function.docstring[:800] for function in file.functions)
    yield from (each.docstring[:800] for each in file.classes)
    for function in file.functions:
        yield from (" ".join(block) for block in function.comments)


def _tell(survey: CodebaseSurvey) -> Iterator[tuple[str, ActionSource]]:
    for entity_id, notes in survey.functions.items():
        salt = sum(map(ord, notes.name))
        text = plain(first_sentence(notes.docstring), notes.parameters) if notes.docstring else None
        told = action_of(text, salt=salt) if text else None
        if told is not None:
            yield entity_id, ActionSource(told, "docstring")
        elif (named := survey.speller.action(notes.simple_name)) is not None:
            yield entity_id, ActionSource(named, "name")
