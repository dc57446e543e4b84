"""How the reply of a foreign retriever is read: one small rule for callables, processes, servers
and MCP tools.

A reply is a list of results, or an object with that list under ``results``, ``hits`` or
``documents``, and perhaps ``sufficiency_score`` (0..1), ``source`` and ``answer``. A result is an
id; a pair of id and score; or an object with the id under ``entity_id`` or ``id``, or a ``file``
(or ``path``) with a ``symbol`` (or ``name``), with ``start_line`` and ``end_line``, or alone, and
perhaps a ``score``. Results without scores count in their order; scores, where there are some,
count instead of the order.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from itertools import pairwise
from typing import Final

from goldwright.errors import InputError
from goldwright.records.strict_json import strict_json
from goldwright.retrieval.connections.port import RetrieverReply
from goldwright.retrieval.hit_order import Scored, first
from goldwright.text import make_visible, shorten

LISTS: Final = ("results", "hits", "documents")
IDS: Final = ("entity_id", "id")
FILES: Final = ("file", "path", "file_path")
SYMBOLS: Final = ("symbol", "name", "qualified_name")
STARTS: Final = ("start_line", "line_start", "line")
ENDS: Final = ("end_line", "line_end")
LONGEST_ID: Final = 4096
_LONGEST_SHOWN: Final = 80
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def parse_reply(data: bytes, *, source: str) -> object:
    """Read the JSON of a reply.

    Raises:
        InputError: It is none; the text shows how it begins.
    """
    try:
        return strict_json(data, source=source)
    except InputError as error:
        found = shorten(
            make_visible(data[:_LONGEST_SHOWN].decode("utf-8", "replace").strip()), _LONGEST_SHOWN
        )
        raise InputError(
            f"{error}; found {found!r} (a reply is one line of JSON; logs belong on stderr)"
        ) from error


def read_reply(reply: object, *, limit: int) -> RetrieverReply:
    """Read a reply; results beyond the limit are left out, but for those that tie with the last
    within it.

    Raises:
        InputError: It follows no part of the rule; the text names the place.
    """
    body = asdict(reply) if is_dataclass(reply) and not isinstance(reply, type) else reply
    if isinstance(body, Mapping):
        found = next((body[name] for name in LISTS if name in body), None)
        told = body
    else:
        found, told = body, {}
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise InputError(
            f"wanted results in a list, or in one under {', '.join(LISTS)}; found {_show(reply)}"
        )
    hits = _hits(found)
    return RetrieverReply(
        hits=first(hits, limit),
        rises=len(hits) > 1 and all(one[1] < other[1] for one, other in pairwise(hits)),
        sufficiency_score=_share(told.get("sufficiency_score")),
        source=_text(told, "source"),
        answer=_text(told, "answer"),
    )


def _hits(results: Sequence[object]) -> list[Scored]:
    read = [_result(one, place) for place, one in enumerate(results, start=1)]
    scored = sum(score is not None for _, score in read)
    if scored not in (0, len(read)):
        raise InputError(f"{scored} of {len(read)} results have a score; wanted all or none")
    hits: dict[str, float] = {}
    for place, (name, score) in enumerate(read):
        hits.setdefault(name, float(len(read) - place) if score is None else score)
    return list(hits.items())


def _result(one: object, place: int) -> tuple[str, float | None]:
    body = asdict(one) if is_dataclass(one) and not isinstance(one, type) else one
    name: object
    score: object
    if isinstance(body, str):
        name, score = body, None
    elif isinstance(body, Mapping):
        name, score = _name(body), body.get("score")
    elif isinstance(body, Sequence) and len(body) == 2:
        name, score = body
    else:
        name, score = None, None
    if not isinstance(name, str) or not name:
        raise InputError(f"result {place}: names no id; found {_show(one)}")
    if len(name) > LONGEST_ID or _SURROGATE.search(name):
        raise InputError(
            f"result {place}: wanted an id of at most {LONGEST_ID} whole characters; found {_show(name)}"
        )
    if score is not None and (isinstance(score, bool) or not _is_number(score)):
        raise InputError(f"result {place}: wanted a finite number as score; found {_show(score)}")
    return name, None if score is None else float(score)  # type: ignore[arg-type]  # a number by now


def _name(body: Mapping[object, object]) -> object:
    named = next((body[name] for name in IDS if name in body), None)
    file = next((body[name] for name in FILES if name in body), None)
    symbol = next((body[name] for name in SYMBOLS if name in body), None)
    if named is not None or file is None:
        return named
    return f"{file}::{symbol}" if symbol else f"{file}{_lines(body)}"


def _lines(body: Mapping[object, object]) -> str:
    start = next((body[name] for name in STARTS if name in body), None)
    end = next((body[name] for name in ENDS if name in body), start)
    return f"#L{start}-L{end}" if isinstance(start, int) and isinstance(end, int) else ""


def _is_number(value: object) -> bool:
    try:
        return math.isfinite(float(value))  # type: ignore[arg-type]  # what is no number is told by the error
    except (TypeError, ValueError, OverflowError):
        return False


def _share(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not _is_number(value) or not 0 <= float(value) <= 1:  # type: ignore[arg-type]  # a number
        raise InputError(f"sufficiency_score: wanted a number from 0 to 1; found {_show(value)}")
    return float(value)  # type: ignore[arg-type]  # a number by now


def _text(told: Mapping[object, object], name: str) -> str | None:
    value = told.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{name}: wanted a text; found {_show(value)}")
    return value


def _show(value: object) -> str:
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001  # an object of the user's own may raise anything
        shown = f"<{type(value).__name__}>"
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[: _LONGEST_SHOWN - 1]}…"
