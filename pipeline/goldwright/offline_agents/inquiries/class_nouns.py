"""What people call the objects of a class, and the part of a codebase that it belongs to."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from goldwright.offline_agents.code_context import name_of, path_of
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code

# A noun of more words is a name spelled out.
MOST_WORDS: Final = 2
SHORTEST_WORD: Final = 3
# A path of more names is no longer how people speak of a part of the code.
DEEPEST_PART: Final = 3

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NO_NOUNS: Final = frozenset(
    """
    base abstract mixin impl implementation abc class interface protocol type object meta generic
    default simple common core main python py custom
    """.split()
)
# They join what stands before them to what follows.
_LINKS: Final = frozenset("and as at by for from in into like of on or to via with without".split())
# What things are called: by what they do, or by one of the words that programs share.
_AGENT: Final = re.compile(r".{2,}(?:[^e]er|or|tion|sion|ment|ity|ure|age|ance|ence|ist)|.{4,}eer")
_THINGS: Final = frozenset(
    """
    access account action agent alias algorithm app archive argument array asset attribute axis
    backend batch block body box bridge broker bucket buffer bundle cache card case cell channel
    chart chunk clause client clock code codec collation color column command comment commit config
    console constraint context cookie core credential criteria cursor daemon dataset date
    delay dialect diff directive disk document domain download driver edge effect engine
    entity entry enum environment epoch error event example exception executable expression factory
    feature feed field file fixture flag flow folder font form format frame framework gate
    gateway generator graph grid group guard handle hash header heap hook host icon id image import
    index input inspector instruction item iterator job key keyword kernel label language
    layer layout lexer library license limit line link lock log loop map mapping mark
    matrix menu message metaclass method metric middleware mirror mixin mode model module monitor
    namespace net network node notice offset op operand option order output
    overload pack package page panel parameter parse part password patch path pattern payload peer
    period pipe pipeline place plan platform plugin point policy pool port prefix process product
    profile prompt property protocol proxy query queue quota range rate record recipe region
    registry release relation report repository request resource response result role root route
    row rule sample schedule schema scheme scope score screen script section select selector
    sequence series service session set shape shell sheet shop signal signature site slice
    slot snippet socket solution source space span spec spider splitter stack stage state
    step storage store strategy stream style suite symbol syntax system tab table tag target
    task template term test theme thread tile timer token tool topic trace track transfer
    transform transport tree trigger type unit upload url utility vector
    version view visit volume warning watch wheel widget window work workflow wrapper zone
    """.split()
)
# Nobody adds "another settings", and a name that ends in an adjective names no thing.
_NO_THINGS: Final = re.compile(r".*(?:[^su]s|able|ible|ed|ic|ive|ful|ous|al|like|async|sync)")
_NO_PARTS: Final = frozenset(
    "abc base bases init interface interfaces types typing util utils common models".split()
)
_SOURCE_FOLDERS: Final = frozenset({"src", "lib", "python", "source", ""})

# The words of a class name but for acronyms, which no noun is told by alone.
_CAPITALISED: Final = re.compile(r"[A-Z][a-z]+")


def noun_of_class(class_id: str) -> str:
    """Give the last telling words of a class name: a ``BaseFileStore`` is a "file store".

    Returns:
        Two words at most, and one of a name that would be told by two; empty where none is telling,
        or where they name no single thing.
    """
    simple_name = name_of(class_id).rpartition(".")[2]
    # Nobody writes another one of the things that a mixin is mixed into by deriving from it.
    if simple_name.lower().endswith("mixin"):
        return ""
    words = [_as_spoken(word) for word in _WORD.findall(simple_name)]
    plain_words = filter(_is_word, words)
    telling = [word for word in plain_words if word.lower() not in _NO_NOUNS]
    # All words of a name in their order would give it away.
    is_whole_name = len(words) == len(telling) <= MOST_WORDS
    most = 1 if is_whole_name else MOST_WORDS
    noun = telling[-most:]
    # Words that others stand between are no phrase of anybody.
    if not _stand_together(noun, words) or (noun and noun[0] in _LINKS):
        noun = noun[-1:]
    if not noun or not _is_thing(noun[-1]):
        return ""
    return " ".join(noun)


def _stand_together(noun: list[str], words: list[str]) -> bool:
    size = len(noun)
    places = range(len(words) - size + 1)
    phrases = (words[place : place + size] for place in places)
    return noun in phrases


def _is_thing(word: str) -> bool:
    if _NO_THINGS.fullmatch(word):
        return False
    spoken = word.lower()
    return spoken in _THINGS or _AGENT.fullmatch(spoken) is not None


def is_kind_of_its_own(noun: str, base_names: Iterable[str]) -> bool:
    """Tell whether no base of a class is called by the same noun: else who says it means that.

    Args:
        noun: What the objects of the class are called.
        base_names: The names of its bases.
    """
    names = list(base_names)
    # "CircuitBreaker" is a circuit breaker by its whole name, though its noun is "breaker".
    if any(" ".join(_CAPITALISED.findall(name)).lower() == noun for name in names):
        return False
    nouns = [noun_of_class(f"::{name}") for name in names]
    return not any(_is_called(noun, base_noun) for base_noun in nouns if base_noun)


def _is_called(noun: str, whole_noun: str) -> bool:
    """Tell whether a noun is another one, or its last word."""
    last_word = whole_noun.rsplit(maxsplit=1)[-1]
    return noun in (whole_noun, last_word)


def has_namesakes(snapshot: Snapshot, noun: str, part: str, family: Collection[str]) -> bool:
    """Find out whether other classes of a part of the code are called by the noun of a family.

    Args:
        snapshot: The codebase.
        noun: What the family is called.
        part: The part that is asked about; empty for the whole codebase.
        family: The ids of its classes.
    """
    for other in _classes_by_noun(snapshot).get(noun.rsplit(maxsplit=1)[-1], ()):
        other_noun = noun_of_class(other)
        is_called_so = _is_called(noun, other_noun)
        if other not in family and is_called_so and _may_stand_in(other, part, noun):
            return True
    return False


def _may_stand_in(class_id: str, part: str, noun: str) -> bool:
    """Tell whether who asks about a part of the code may mean a class.

    A package at the top is often called like the project, and taken for all of it.
    """
    return "." not in part or _is_within(part_of(class_id, noun), part)


def _is_within(inner: str, outer: str) -> bool:
    """Tell whether a part of the code is another one, or belongs to it."""
    return f"{inner}.".startswith(f"{outer}.")


@lru_cache(maxsize=2)
def _classes_by_noun(snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
    """List the classes of product code by the last word of their nouns."""
    classes: dict[str, list[str]] = {}
    for entity in snapshot.entities():
        if entity.kind == "class" and is_product_code(snapshot, entity.path):
            words = noun_of_class(entity.entity_id).split()
            if words:
                namesakes = classes.setdefault(words[-1], [])
                namesakes.append(entity.entity_id)
    return classes


def with_article(noun: str) -> str:
    """Put "a" or "an" before a noun."""
    is_spelled = noun.partition(" ")[0].isupper()
    vowels = "AEFHILMNORSX" if is_spelled else "aeioAEIO"
    article = "an" if noun[0] in vowels else "a"
    return f"{article} {noun}"


def part_of(entity_id: str, noun: str) -> str:
    """Give the part of the code that an entity stands in, as in ``shop.payments``.

    What is called like the noun is left out: nobody says "a transport for transports".

    Returns:
        Empty for a file that stands in no package.
    """
    path = PurePosixPath(path_of(entity_id))
    names = [*path.parts[:-1], path.stem]
    while names and names[0] in _SOURCE_FOLDERS:
        names.pop(0)
    words = noun.lower().split()
    spoken = [word.rstrip("s") for word in words]
    telling: list[str] = []
    for name in names[:DEEPEST_PART]:
        is_repeated = any(word in name.lower() for word in spoken)
        if not name.isidentifier() or is_repeated or name.strip("_") in _NO_PARTS or name[0] == "_":
            break
        telling.append(name)
    return ".".join(telling) if len(names) > 1 else ""


def common_part(entity_ids: Sequence[str], noun: str) -> str:
    """Give the part of the first of some entities where all of them stand in it; else nothing."""
    first, *others = (part_of(entity_id, noun) for entity_id in entity_ids)
    is_common = all(_is_within(other, first) for other in others)
    return first if is_common else ""


def _is_word(word: str) -> bool:
    """Tell whether a piece of a name is a word: what is shorter is a piece of one, or no noun."""
    return word.isalpha() and len(word) >= SHORTEST_WORD


def _as_spoken(word: str) -> str:
    """Write a word of a name in small letters, but for one of capitals, which is spelled."""
    is_spelled = len(word) > 1 and word.isupper()
    return word if is_spelled else word.lower()
