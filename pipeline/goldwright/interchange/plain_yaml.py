"""Reading YAML of unknown origin as what a golden query needs: lists, mappings and texts."""

from collections.abc import Hashable
from typing import Final, Protocol

import yaml

from goldwright.errors import InputError
from goldwright.text import make_visible, shorten

# Parsing YAML is slow; a file of this size takes seconds.
LARGEST_YAML_FILE: Final = 1_000_000
DEEPEST: Final = 20
_LONGEST_PROBLEM: Final = 120
_NULL: Final = "tag:yaml.org,2002:null"

Resolvers = dict[str, list[tuple[str, object]]]


def _null_resolvers() -> Resolvers:
    """Give PyYAML's rules by which a scalar is null, without those for numbers, dates and so on."""
    resolvers: Resolvers = {}
    for first_character, candidates in yaml.CSafeLoader.yaml_implicit_resolvers.items():
        resolvers[first_character] = [rule for rule in candidates if rule[0] == _NULL]
    return resolvers


class _YamlPosition(Protocol):
    """A place in a YAML text; PyYAML has one class for its own parser and one for that in C."""

    @property
    def line(self) -> int: ...


class _TextLoader(yaml.CSafeLoader):
    """Reads every scalar but null as text: ``no``, ``12:30`` and ``1e3`` stay what people typed."""

    yaml_implicit_resolvers = _null_resolvers()

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,  # noqa: FBT001, FBT002 -- the signature is PyYAML's
    ) -> dict[Hashable, object]:
        """Build a mapping whose keys are texts and all differ."""
        # PyYAML itself would let the last of two equal keys win.
        keys: set[str] = set()
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode) or key.tag == _NULL:
                raise ValueError(f"a key that is no text at line {line}")
            if key.value in keys:
                raise ValueError(f"the key {key.value!r} stands twice at line {line}")
            keys.add(key.value)
        return super().construct_mapping(node, deep)


def plain_yaml(text: str, *, source: str) -> object:
    """Parse one YAML document without aliases, anchors, tags and duplicate keys.

    Raises:
        InputError: The text is not such YAML, nests more than 20 deep or is over 1 MB.
    """
    data = text.encode("utf-8")
    if len(data) > LARGEST_YAML_FILE:
        raise InputError(
            f"{source}: over {LARGEST_YAML_FILE} bytes is too large for a YAML dataset; "
            "JSON may be larger"
        )
    try:
        _check_events(data)
        return yaml.load(data, Loader=_TextLoader)  # noqa: S506 -- a subclass of the safe loader
    except yaml.MarkedYAMLError as error:
        place = _at_line(error.problem_mark)
        problem = _one_line(error.problem or error.context)
        raise InputError(f"{source}: not plain YAML{place}: {problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        problem = _one_line(str(error))
        raise InputError(f"{source}: not plain YAML: {problem}") from error


def _check_events(data: bytes) -> None:
    """Walk over the events, which takes no memory and no recursion, before anything is built.

    Raises:
        ValueError: There is an alias, an anchor or a tag, or the nesting is too deep.
    """
    depth = 0
    for event in yaml.parse(data, Loader=yaml.CSafeLoader):
        depth += _depth_change(event)
        problem = _forbidden_construct(event)
        if problem is None and depth > DEEPEST:
            problem = f"more than {DEEPEST} levels"
        if problem is not None:
            place = _at_line(event.start_mark)
            raise ValueError(f"{problem}{place}")


def _depth_change(event: yaml.Event) -> int:
    if isinstance(event, yaml.CollectionStartEvent):
        return 1
    if isinstance(event, yaml.CollectionEndEvent):
        return -1
    return 0


def _forbidden_construct(event: yaml.Event) -> str | None:
    # Aliases can make a small file expand without end, and tags can name any type.
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        return "anchors and aliases are not taken"
    if getattr(event, "tag", None):
        return "tags are not taken"
    return None


def _at_line(mark: _YamlPosition | None) -> str:
    """Say at which line something is, counted from 1; nothing where that is not known."""
    if mark is None:
        return ""
    return f" at line {mark.line + 1}"


def _one_line(text: str | None) -> str:
    words = (text or "no reason given").split()
    line = shorten(" ".join(words), _LONGEST_PROBLEM)
    return make_visible(line)
