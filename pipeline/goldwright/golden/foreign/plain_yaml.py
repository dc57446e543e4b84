"""Reading YAML of unknown origin as what a golden query needs: lists, mappings and texts."""

from collections.abc import Hashable
from typing import Final

import yaml

from goldwright.errors import InputError
from goldwright.text import make_visible, shorten

LARGEST_FILE: Final = 1_000_000
DEEPEST: Final = 20
_LONGEST_PROBLEM: Final = 120
_NULL: Final = "tag:yaml.org,2002:null"


class _TextLoader(yaml.CSafeLoader):
    """Takes every scalar but null as it is written, so that ``no``, ``12:30`` and ``1e3`` stay what
    people typed.
    """

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag == _NULL]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:  # noqa: FBT001, FBT002 -- the signature is PyYAML's
        """Build a mapping whose keys are texts and all differ."""
        written: set[str] = set()
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode) or key.tag == _NULL:
                raise ValueError(f"a key that is no text at line {line}")
            if key.value in written:
                raise ValueError(f"the key {key.value!r} stands twice at line {line}")
            written.add(key.value)
        return super().construct_mapping(node, deep)


def plain_yaml(text: str, *, source: str) -> object:
    """Parse one YAML document without aliases, anchors, tags and keys that stand twice.

    Raises:
        InputError: The text is not such YAML, nests more than 20 deep or is over 1 MB.
    """
    data = text.encode("utf-8")
    if len(data) > LARGEST_FILE:
        raise InputError(f"{source}: over {LARGEST_FILE} bytes is too large for a YAML dataset; JSON may be larger")
    try:
        _refuse_machinery(data)
        return yaml.load(data, Loader=_TextLoader)  # noqa: S506 -- a subclass of the safe loader
    except yaml.MarkedYAMLError as error:
        line = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise InputError(f"{source}: not plain YAML{line}: {_one_line(error.problem or error.context)}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"{source}: not plain YAML: {_one_line(str(error))}") from error


def _refuse_machinery(data: bytes) -> None:
    """Walk over the events, which takes no memory and no recursion, before anything is built."""
    depth = 0
    for event in yaml.parse(data, Loader=yaml.CSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        problem = _machinery(event) or (f"more than {DEEPEST} levels" if depth > DEEPEST else None)
        if problem:
            line = f" at line {event.start_mark.line + 1}" if event.start_mark else ""
            raise ValueError(f"{problem}{line}")


def _machinery(event: yaml.Event) -> str | None:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        return "anchors and aliases are not taken"
    return "tags are not taken" if getattr(event, "tag", None) else None


def _one_line(text: str | None) -> str:
    return make_visible(shorten(" ".join((text or "no reason given").split()), _LONGEST_PROBLEM))
