"""The prompts: files that hold every rule a role plays by, read, checked, filled in literally and
digested.

A prompt starts with front matter between two lines of ``---``: ``version`` and ``placeholders``,
one ``key: value`` a line. In the body ``{name}`` is replaced by a value where ``name`` is declared.
Braces around anything that is no name, as in JSON, are text.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from goldwright.canonical import digest_bytes
from goldwright.errors import InputError
from goldwright.task_types import TASK_TYPE_DEFINITIONS

_AUTHOR: Final = frozenset(
    {"task_type", "difficulty", "count", "scope", "plan", "accepted", "lessons"}
)
KNOWN_PLACEHOLDERS: Final[Mapping[str, frozenset[str]]] = {
    "author_preamble": _AUTHOR,
    **{definition.prompt: _AUTHOR for definition in TASK_TYPE_DEFINITIONS},
    "oracle": frozenset({"candidate", "hint", "lessons"}),
    "adversary": frozenset({"query", "answer", "claims", "lessons"}),
    "judge": frozenset({"query", "narrative", "findings"}),
    "answer_judge": frozenset({"query", "facts", "falsehoods", "answer"}),
}
# Runs rest on these; who judges the answers of retrievers takes no part in them.
OF_ROLES: Final = tuple(name for name in KNOWN_PLACEHOLDERS if name != "answer_judge")

_FENCE: Final = "---"
_KEYS: Final = frozenset({"version", "placeholders"})
_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt; ``digest`` names the bytes of its whole file."""

    name: str
    version: str
    placeholders: frozenset[str]
    body: str
    digest: str

    def render(self, values: Mapping[str, str]) -> str:
        """Replace every declared name once by its value; braces inside values stay as they are.

        Raises:
            ValueError: The values are not those of exactly the declared placeholders.
        """
        if values.keys() != self.placeholders:
            wrong = sorted(values.keys() ^ self.placeholders)
            raise ValueError(f"prompt {self.name}: missing or unknown values: {', '.join(wrong)}")
        return _PLACEHOLDER.sub(lambda match: values[match[1]], self.body)

    def halves(self, values: Mapping[str, str]) -> tuple[str, str]:
        """Render, split where the task begins: at the last heading before the first placeholder.

        What stands before it is the same for every piece of work, so providers can keep it cached.
        """
        first = _PLACEHOLDER.search(self.body)
        start = self.body.rfind("\n## ", 0, first.start()) + 1 if first else len(self.body)
        rules, task = self.body[:start], self.body[start:]
        return rules, _PLACEHOLDER.sub(lambda match: values[match[1]], task)


@dataclass(frozen=True, slots=True)
class PromptLibrary:
    """The prompts of one directory, all of them present and valid."""

    prompts: Mapping[str, Prompt]

    @classmethod
    def load(cls, directory: Path, *, names: Collection[str] = OF_ROLES) -> Self:
        """Read and check every prompt that the roles need, or those named; other files are left
        alone.

        Raises:
            InputError: A file is missing, unreadable, not UTF-8, or wrong in its front matter or
                its placeholders.
        """
        return cls({name: _read(directory / f"{name}.md") for name in names})

    def render(self, name: str, values: Mapping[str, str]) -> str:
        """Fill in one prompt, as ``Prompt.render`` does."""
        return self.prompts[name].render(values)

    def rendered(self, name: str, values: Mapping[str, str]) -> str:
        """Fill in one prompt, taking of the values what it declares."""
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


def _read(path: Path) -> Prompt:
    try:
        data = path.read_bytes()
        text = data.decode("utf-8")
    except FileNotFoundError as error:
        raise InputError(
            f"{path}: this prompt is missing; the roles need all of {', '.join(OF_ROLES)}"
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot read the prompt: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}") from error
    return _parse(path, text.replace("\r\n", "\n"), digest_bytes(data))


def _parse(path: Path, text: str, digest: str) -> Prompt:
    lines = text.split("\n")
    end = _front_matter_end(path, lines)
    settings = _settings(path, lines[1:end])
    declared = frozenset(settings["placeholders"].replace(",", " ").split())
    _check_declared(path, declared, lines[end + 1 :], first_line=end + 2)
    body = "\n".join(lines[end + 1 :]).strip("\n") + "\n"
    return Prompt(path.stem, settings["version"], declared, body, digest)


def _front_matter_end(path: Path, lines: list[str]) -> int:
    if lines[0].rstrip() != _FENCE:
        raise InputError(f"{path}:1: wanted front matter between two lines of {_FENCE}")
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _FENCE:
            return number
    raise InputError(f"{path}: the front matter has no closing line of {_FENCE}")


def _settings(path: Path, lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in enumerate(lines, start=2):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key not in _KEYS or key in found:
            raise InputError(
                f"{path}:{number}: wanted one line each for {' and '.join(sorted(_KEYS))}, found {line!r}"
            )
        found[key] = value
    if missing := sorted(_KEYS - found.keys()):
        raise InputError(f"{path}: the front matter lacks {' and '.join(missing)}")
    if not _VERSION.fullmatch(found["version"]):
        raise InputError(f"{path}: version: wanted digits as in 1.0, found {found['version']!r}")
    return found


def _check_declared(
    path: Path, declared: frozenset[str], lines: list[str], *, first_line: int
) -> None:
    known = KNOWN_PLACEHOLDERS[path.stem]
    if foreign := sorted(declared - known):
        raise InputError(
            f"{path}: placeholders: {{{foreign[0]}}} is none of {', '.join(sorted(known))}"
        )
    used = set()
    for number, name in _used(lines, first_line):
        if name not in declared:
            raise InputError(f"{path}:{number}: {{{name}}} is none of the declared placeholders")
        used.add(name)
    if unused := sorted(declared - used):
        raise InputError(
            f"{path}: placeholders: {{{unused[0]}}} is declared and does not stand in the body"
        )


def _used(lines: list[str], first_line: int) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=first_line):
        for match in _PLACEHOLDER.finditer(line):
            yield number, match[1]
