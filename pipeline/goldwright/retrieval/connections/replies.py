"""How the reply of a foreign retriever is read: one rule for callables, processes, servers and MCP.

A reply is a list of results, or an object with that list under ``results``, ``hits`` or
``documents``, and optionally ``sufficiency_score`` (0..1), ``source``,
``answer`` and ``cost_usd``.

A result is one of:

- an id;
- a pair of id and score;
- an object with the id under ``entity_id`` or ``id``, and optionally a ``score``;
- an object with a ``file`` (or ``path``), optionally a ``symbol`` (or ``name``) or ``start_line``
  and ``end_line``, and optionally a ``score``.

Results without scores rank in their order. Where there are scores, they count instead.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.connections.port import RetrieverReply
from goldwright.retrieval.hit_order import ScoredId, best_hits
from goldwright.strict_json import strict_json
from goldwright.text import make_visible, shorten

LIST_NAMES: Final = ("results", "hits", "documents")
ID_NAMES: Final = ("entity_id", "id")
FILE_NAMES: Final = ("file", "path", "file_path")
SYMBOL_NAMES: Final = ("symbol", "name", "qualified_name")
START_NAMES: Final = ("start_line", "line_start", "line")
END_NAMES: Final = ("end_line", "line_end")
LONGEST_ID: Final = 4096
_LONGEST_SHOWN: Final = 80
# Halves of characters, which JSON can express and UTF-8 cannot.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def parse_reply(data: bytes, *, source: str) -> object:
    """Parse the JSON of a reply.

    Raises:
        InputError: It is not JSON; the text shows how it begins.
    """
    try:
        return strict_json(data, source=source)
    except InputError as error:
        beginning = data[:_LONGEST_SHOWN].decode("utf-8", "replace")
        excerpt = shorten(make_visible(beginning.strip()), _LONGEST_SHOWN)
        raise InputError(
            f"{error}; found {excerpt!r} (a reply is one line of JSON; logs belong on stderr)"
        ) from error


def read_reply(reply: object, *, limit: int) -> RetrieverReply:
    """Read a reply by the rule of this module.

    Results beyond the limit are left out, except those with the same score as the last one within.

    Raises:
        InputError: A part of it does not follow the rule; the text names the place.
    """
    body = _plain(reply)
    fields: Mapping[object, object] = {}
    results = body
    if isinstance(body, Mapping):
        fields = body
        results = _first_value(body, LIST_NAMES)
    if isinstance(results, str) or not isinstance(results, Sequence):
        names = ", ".join(LIST_NAMES)
        excerpt = _excerpt(reply)
        raise InputError(f"wanted results in a list, or in one under {names}; found {excerpt}")
    hits = _read_results(results)
    sufficiency_score = _read_sufficiency(fields.get("sufficiency_score"))
    source = _read_text(fields, "source")
    answer = _read_text(fields, "answer")
    cost_usd = _read_cost(fields.get("cost_usd"))
    return RetrieverReply(
        hits=best_hits(hits, limit),
        rises=_rises(hits),
        sufficiency_score=sufficiency_score,
        source=source,
        answer=answer,
        cost_usd=cost_usd,
    )


def _plain(value: object) -> object:
    """Turn an instance of a dataclass into a dictionary."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value


def _first_value(
    body: Mapping[object, object], names: Sequence[str], default: object = None
) -> object:
    """Return the value under the first of these names that the body has."""
    for name in names:
        if name in body:
            return body[name]
    return default


def _rises(hits: Sequence[ScoredId]) -> bool:
    if len(hits) < 2:
        return False
    scores = map(itemgetter(1), hits)
    return all(score < next_score for score, next_score in pairwise(scores))


def _read_results(results: Sequence[object]) -> list[ScoredId]:
    """Read results in their order; of those with the same id the first counts."""
    scores_by_id: dict[str, float] = {}
    scored_count = 0
    for position, result in enumerate(results, start=1):
        result_id, score = _read_result(result, position)
        if score is None:
            # Falling from the number of results to 1, so that the first is the best.
            worse_count = len(results) - position
            score = worse_count + 1.0
        else:
            scored_count += 1
        scores_by_id.setdefault(result_id, score)
    if scored_count not in {0, len(results)}:
        raise InputError(
            f"{scored_count} of {len(results)} results have a score; wanted all or none"
        )
    return list(scores_by_id.items())


def _read_result(result: object, position: int) -> tuple[str, float | None]:
    result_id, score = _id_and_score(_plain(result))
    if not isinstance(result_id, str) or not result_id:
        excerpt = _excerpt(result)
        raise InputError(f"result {position}: names no id; found {excerpt}")
    if len(result_id) > LONGEST_ID or _SURROGATE.search(result_id):
        excerpt = _excerpt(result_id)
        raise InputError(
            f"result {position}: wanted an id of at most {LONGEST_ID} whole characters; "
            f"found {excerpt}"
        )
    if score is None:
        return result_id, None
    number = _finite_number(score)
    if number is None:
        excerpt = _excerpt(score)
        raise InputError(f"result {position}: wanted a finite number as score; found {excerpt}")
    return result_id, number


def _id_and_score(result: object) -> tuple[object, object]:
    match result:
        case str():
            return result, None
        case Mapping():
            return _result_id(result), result.get("score")
        case Sequence() if len(result) == 2:
            result_id, score = result
            return result_id, score
        case _:
            return None, None


def _result_id(result: Mapping[object, object]) -> object:
    explicit_id = _first_value(result, ID_NAMES)
    file = _first_value(result, FILE_NAMES)
    if explicit_id is not None or file is None:
        return explicit_id
    symbol = _first_value(result, SYMBOL_NAMES)
    if symbol:
        return f"{file}::{symbol}"
    return f"{file}{_line_range(result)}"


def _line_range(result: Mapping[object, object]) -> str:
    """Write the lines of a result as ``#L<start>-L<end>``; empty where it has none."""
    start = _first_value(result, START_NAMES)
    end = _first_value(result, END_NAMES, default=start)
    if isinstance(start, int) and isinstance(end, int):
        return f"#L{start}-L{end}"
    return ""


def _finite_number(value: object) -> float | None:
    """Convert whatever ``float`` can convert, as a number of numpy; but not a truth value."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]  # other objects raise, and that is the test
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return number


def _read_sufficiency(value: object) -> float | None:
    if value is None:
        return None
    score = _finite_number(value)
    if score is None or not 0 <= score <= 1:
        excerpt = _excerpt(value)
        raise InputError(f"sufficiency_score: wanted a number from 0 to 1; found {excerpt}")
    return score


def _read_cost(value: object) -> float | None:
    if value is None:
        return None
    cost = _finite_number(value)
    if cost is None or cost < 0:
        raise InputError(f"cost_usd: wanted a number of 0 or more; found {_excerpt(value)}")
    return cost


def _read_text(fields: Mapping[object, object], name: str) -> str | None:
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    excerpt = _excerpt(value)
    raise InputError(f"{name}: wanted a text; found {excerpt}")


def _excerpt(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # an object of the user's own may raise anything
        text = f"<{type(value).__name__}>"
    return shorten(text, _LONGEST_SHOWN)
