"""The prompts: files with every rule that a role plays by, checked, digested and filled in.

A prompt starts with front matter between two lines of ``---``: ``version`` and ``placeholders``,
one ``key: value`` a line. In the body ``{name}`` is replaced by a value where ``name`` is declared.
Braces around anything else, as in JSON, are text.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from goldwright.canonical import digest_bytes
from goldwright.errors import InputError
from goldwright.regular_files import read_regular
from goldwright.task_types import TASK_TYPE_DEFINITIONS

_AUTHOR_PLACEHOLDERS: Final = frozenset(
    {
        "task_type",
        "difficulty",
        "count",
        "scope",
        "start_area",
        "intent_kinds",
        "hiding_types",
        "naming_types",
        "other_types",
        "plan",
        "accepted",
        "rejected",
        "lessons",
    }
)
_TASK_TYPE_PROMPTS: Final = tuple(definition.prompt for definition in TASK_TYPE_DEFINITIONS)
KNOWN_PLACEHOLDERS: Final[Mapping[str, frozenset[str]]] = {
    "author_preamble": _AUTHOR_PLACEHOLDERS,
    **dict.fromkeys(_TASK_TYPE_PROMPTS, _AUTHOR_PLACEHOLDERS),
    "oracle": frozenset({"candidate", "hint", "lessons"}),
    "adversary": frozenset({"query", "answer", "claims", "lessons"}),
    "completeness": frozenset({"query", "expected", "pooled", "lessons"}),
    "judge": frozenset({"query", "narrative", "findings"}),
    "answer_judge": frozenset({"query", "facts", "falsehoods", "answer"}),
    "rerank_documents": frozenset({"query", "documents"}),
    "pool_judge": frozenset({"pairs"}),
    "context_solver": frozenset({"query", "documents"}),
    "code_searcher": frozenset({"query"}),
}
# Judges of answers and of pooled pairs, rerankers, solvers and searchers take part in evaluations
# only.
_EVALUATION_PROMPTS: Final = frozenset(
    {"answer_judge", "code_searcher", "context_solver", "pool_judge", "rerank_documents"}
)
# Runs depend on these.
ROLE_PROMPTS: Final = tuple(name for name in KNOWN_PLACEHOLDERS if name not in _EVALUATION_PROMPTS)

_FENCE: Final = "---"
_FRONT_MATTER_KEYS: Final = frozenset({"version", "placeholders"})
# Only identifiers: {"a": 1} and {0.__class__} stay as they are.
_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+")

NOTHING: Final = "(none)"
"""Stands in a prompt in the place of an empty list."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt.

    Attributes:
        name: The name of its file, without the suffix.
        version: Its version, as in 1.0.
        placeholders: The names that values are filled in for.
        body: The text after the front matter.
        digest: The digest of the bytes of the whole file.
    """

    name: str
    version: str
    placeholders: frozenset[str]
    body: str
    digest: str

    def render(self, values: Mapping[str, str]) -> str:
        """Replace every declared name once by its value; braces inside values stay as they are.

        Raises:
            ValueError: A declared placeholder has no value, or a value no placeholder.
        """
        if values.keys() != self.placeholders:
            differing_names = ", ".join(sorted(values.keys() ^ self.placeholders))
            raise ValueError(f"prompt {self.name}: missing or unknown values: {differing_names}")
        return _fill_in(self.body, values)

    def halves(self, values: Mapping[str, str]) -> tuple[str, str]:
        """Render the prompt in two parts: the rules, and the task with its values.

        The task starts at the last heading before the first placeholder. The rules are the same for
        every piece of work, so providers can keep them cached.
        """
        first_placeholder = _PLACEHOLDER.search(self.body)
        if first_placeholder is None:
            return self.body, ""
        # rfind gives -1 where no heading comes before, so that all of the body is the task.
        task_start = self.body.rfind("\n## ", 0, first_placeholder.start()) + 1
        rules = self.body[:task_start]
        task = self.body[task_start:]
        return rules, _fill_in(task, values)


@dataclass(frozen=True, slots=True)
class PromptLibrary:
    """The prompts of one directory, all of them present and valid."""

    prompts: Mapping[str, Prompt]

    @classmethod
    def load(cls, directory: Path, *, names: Collection[str] = ROLE_PROMPTS) -> Self:
        """Read and check prompts; other files of the directory are left alone.

        Raises:
            InputError: A file is missing, unreadable, not UTF-8, or wrong in its front matter or
                its placeholders.
        """
        return cls({name: _read_prompt(directory / f"{name}.md") for name in names})

    def render(self, name: str, values: Mapping[str, str]) -> str:
        """Fill in one prompt, as ``Prompt.render`` does."""
        return self.prompts[name].render(values)

    def render_declared(self, name: str, values: Mapping[str, str]) -> str:
        """Fill in one prompt, using only the values that it declares."""
        prompt = self.prompts[name]
        return prompt.render({key: values[key] for key in prompt.placeholders})

    def halves(self, name: str, values: Mapping[str, str]) -> tuple[str, str]:
        """Fill in one prompt and split it into its rules and its task."""
        return self.prompts[name].halves(values)

    def digest(self, name: str) -> str:
        """Name one prompt by its content: ``sha256:`` and 64 hexadecimal digits."""
        return self.prompts[name].digest

    def digests(self) -> dict[str, str]:
        """The digest of every prompt by its name, sorted."""
        return {name: self.prompts[name].digest for name in sorted(self.prompts)}


def _fill_in(text: str, values: Mapping[str, str]) -> str:
    """Replace each placeholder once; what a value holds is not searched again."""

    def value_of(placeholder: re.Match[str]) -> str:
        return values[placeholder[1]]

    return _PLACEHOLDER.sub(value_of, text)


def _read_prompt(path: Path) -> Prompt:
    try:
        data = read_regular(path)
        text = data.decode("utf-8")
    except FileNotFoundError as error:
        names = ", ".join(ROLE_PROMPTS)
        raise InputError(
            f"{path}: this prompt is missing; the roles need all of {names}"
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot read the prompt: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error
    # The digest names the bytes of the file; the text is the same with any line ends.
    return _parse_prompt(path, text.replace("\r\n", "\n"), digest_bytes(data))


def _parse_prompt(path: Path, text: str, digest: str) -> Prompt:
    lines = text.split("\n")
    fence_index = _find_closing_fence(path, lines)
    settings = _parse_front_matter(path, lines[1:fence_index])
    body_lines = lines[fence_index + 1 :]
    placeholders = frozenset(settings["placeholders"].replace(",", " ").split())
    _check_placeholders(path, placeholders, body_lines, first_number=fence_index + 2)
    body = "\n".join(body_lines).strip("\n") + "\n"
    return Prompt(path.stem, settings["version"], placeholders, body, digest)


def _find_closing_fence(path: Path, lines: Sequence[str]) -> int:
    """Find the index of the line that ends the front matter."""
    if lines[0].rstrip() != _FENCE:
        raise InputError(f"{path}:1: wanted front matter between two lines of {_FENCE}")
    for index, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _FENCE:
            return index
    raise InputError(f"{path}: the front matter has no closing line of {_FENCE}")


def _parse_front_matter(path: Path, lines: Sequence[str]) -> dict[str, str]:
    settings: dict[str, str] = {}
    # Line 1 of the file is the opening fence.
    for number, line in enumerate(lines, start=2):
        key, colon, value = line.partition(":")
        key = key.strip()
        if not colon or key not in _FRONT_MATTER_KEYS or key in settings:
            keys = " and ".join(sorted(_FRONT_MATTER_KEYS))
            raise InputError(f"{path}:{number}: wanted one line each for {keys}, found {line!r}")
        settings[key] = value.strip()
    missing_keys = sorted(_FRONT_MATTER_KEYS - settings.keys())
    if missing_keys:
        raise InputError(f"{path}: the front matter lacks {' and '.join(missing_keys)}")
    version = settings["version"]
    if not _VERSION.fullmatch(version):
        raise InputError(f"{path}: version: wanted digits as in 1.0, found {version!r}")
    return settings


def _check_placeholders(
    path: Path, declared: frozenset[str], body_lines: Sequence[str], *, first_number: int
) -> None:
    """Check that a prompt declares known placeholders and uses exactly those.

    Args:
        path: The file of the prompt.
        declared: The placeholders that its front matter names.
        body_lines: The lines after the front matter.
        first_number: The number of the first of them in the file.
    """
    # A prompt of one's own may leave placeholders out, but nobody fills in unknown ones.
    known_names = KNOWN_PLACEHOLDERS[path.stem]
    unknown_names = sorted(declared - known_names)
    if unknown_names:
        choices = ", ".join(sorted(known_names))
        raise InputError(f"{path}: placeholders: {{{unknown_names[0]}}} is none of {choices}")
    used_names = set()
    for number, name in _find_placeholders(body_lines, first_number):
        if name not in declared:
            raise InputError(f"{path}:{number}: {{{name}}} is none of the declared placeholders")
        used_names.add(name)
    unused_names = sorted(declared - used_names)
    if unused_names:
        raise InputError(
            f"{path}: placeholders: {{{unused_names[0]}}} is declared "
            "and does not stand in the body"
        )


def _find_placeholders(lines: Sequence[str], first_number: int) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=first_number):
        for placeholder in _PLACEHOLDER.finditer(line):
            yield number, placeholder[1]
