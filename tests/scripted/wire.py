"""What the four protocols of model providers have in common: neutral values, checks, signatures and
token counts.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

import msgspec

Protocol = Literal["anthropic", "responses", "chat", "google"]
Json = Mapping[str, Any]

THINKING_TOKENS = 32
BYTES_PER_TOKEN = 4
BLOCKS_LOOKED_BACK = 20
STATUS_OF_A_BAD_REQUEST = 400
STATUS_OF_A_MISSING_KEY = 401

_ENCODER = msgspec.json.Encoder(order="sorted", enc_hook=dict)
_SIGNING_SALT = b"scripted model"


@dataclass(frozen=True)
class Call:
    """A tool call; ``raw`` goes over the wire in place of the arguments, to send malformed ones."""

    call_id: str
    name: str
    arguments: Mapping[str, object]
    raw: str | None = None


@dataclass(frozen=True)
class Result:
    """What a tool gave back."""

    call_id: str
    name: str
    text: str
    is_error: bool


@dataclass(frozen=True)
class Turn:
    """One message of a conversation; a turn of tools may end with text of the user."""

    who: Literal["user", "model", "tools"]
    text: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


@dataclass(frozen=True)
class Heard:
    """A request as a model understands it; ``tool_choice`` is auto, none, required or a tool's
    name.
    """

    protocol: Protocol
    model: str
    system: str
    turns: tuple[Turn, ...]
    tools: tuple[str, ...]
    schema: Json | None
    max_output_tokens: int | None
    tool_choice: str
    body: Json


@dataclass(frozen=True)
class Say:
    """What the model answers.

    ``stop`` None is the natural one, otherwise length, refused, filtered, paused, overflow or
    unknown; ``usage`` overrides fields of the protocol's own usage object.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    stop: str | None = None
    model: str | None = None
    usage: Mapping[str, object] | None = None


Brain = Callable[[Heard], Say]


class RequestError(Exception):
    """A request that the provider answers with an error; an empty code stands for the usual one of
    the status.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


@dataclass(frozen=True)
class Tokens:
    """The tokens of one request: ``output`` includes ``thinking``, the three kinds of input exclude
    each other.
    """

    fresh: int
    cached: int
    written: int
    output: int
    thinking: int = 0


@dataclass(frozen=True)
class Piece:
    """A part of the prompt as the cache sees it; a prefix can be kept where a piece is marked."""

    data: bytes
    marked: bool = True


@dataclass(frozen=True)
class Wire:
    """One provider's protocol."""

    protocol: Protocol
    key_of: Callable[[Mapping[str, str]], str]
    decode: Callable[[Json, str, bool], Heard]
    encode: Callable[[Say, Heard, Tokens, int], dict[str, Any]]
    error_body: Callable[[int, str, str], dict[str, Any]]
    pieces: Callable[[Json], tuple[Piece, ...]]
    thinks: Callable[[Heard, Say], bool]
    wrong_shape: Json
    reports_writes: bool = False


@dataclass
class PromptCache:
    """The prefixes that each model has seen."""

    _seen: dict[str, set[bytes]] = field(default_factory=dict)

    def read(self, model: str, pieces: Sequence[Piece]) -> tuple[int, int]:
        """Return the tokens up to the longest known prefix, and those up to the last mark."""
        seen = self._seen.get(model, set())
        marks = [index for index, piece in enumerate(pieces) if piece.marked]
        ends = prefix_tokens(pieces)
        hashes = prefix_hashes(pieces)
        near = {
            index for mark in marks for index in range(max(0, mark - BLOCKS_LOOKED_BACK), mark + 1)
        }
        known = max((index for index in near if hashes[index] in seen), default=-1)
        return ends[known] if known >= 0 else 0, ends[marks[-1]] if marks else 0

    def keep(self, model: str, pieces: Sequence[Piece]) -> None:
        """Remember the prefixes that end at a mark."""
        hashes = prefix_hashes(pieces)
        kept = self._seen.setdefault(model, set())
        kept.update(one for one, piece in zip(hashes, pieces, strict=True) if piece.marked)


def prefix_hashes(pieces: Sequence[Piece]) -> list[bytes]:
    """Hash every prefix of a prompt."""

    def extend(before: bytes, piece: Piece) -> bytes:
        return hashlib.blake2b(before + piece.data, digest_size=16).digest()

    return list(accumulate(pieces, extend, initial=b""))[1:]


def prefix_tokens(pieces: Sequence[Piece]) -> list[int]:
    """Count the tokens of every prefix of a prompt."""
    return [_tokens(size) for size in accumulate(len(piece.data) for piece in pieces)]


def spoken_tokens(say: Say) -> int:
    """Count the tokens of a reply's text and calls."""
    calls = [[call.name, call.raw or call.arguments] for call in say.calls]
    return _tokens(len(say.text.encode()) + (len(canonical(calls)) if calls else 0))


def canonical(value: object) -> bytes:
    """Write a value as JSON with sorted keys."""
    return _ENCODER.encode(value)


def sign(protocol: Protocol, text: str, calls: Sequence[Call]) -> str:
    """Return the signature of a turn, from which an echo is verified without any memory."""
    said = canonical(
        [protocol, text, [[call.call_id, call.name, call.arguments] for call in calls]]
    )
    return hashlib.blake2b(said, key=_SIGNING_SALT, digest_size=24).hexdigest()


def refuse(message: str, code: str = "") -> RequestError:
    """Make the error of a bad request."""
    return RequestError(STATUS_OF_A_BAD_REQUEST, code, message)


def bearer(headers: Mapping[str, str]) -> str:
    """Return the key of an Authorization header, or the empty text."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def must_be_known(body: Json, known: frozenset[str], sentence: str) -> None:
    """Refuse the first field that the provider does not know, with its sentence about it."""
    for name in body:
        if name not in known:
            raise refuse(sentence.format(name), "unknown_parameter")


def mapping_at(value: object, where: str) -> dict[str, Any]:
    """Return the object that has to stand at a place."""
    if not isinstance(value, dict):
        raise refuse(f"{where}: Input should be a valid dictionary")
    return value


def list_at(value: object, where: str) -> list[Any]:
    """Return the list that has to stand at a place."""
    if not isinstance(value, list):
        raise refuse(f"{where}: Input should be a valid list")
    return value


def text_at(value: object, where: str) -> str:
    """Return the string that has to stand at a place."""
    if not isinstance(value, str):
        raise refuse(f"{where}: Input should be a valid string")
    return value


def limit_at(value: object, where: str) -> int | None:
    """Return the number of tokens at a place, if there is one."""
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise refuse(f"{where}: Input should be a non-negative integer")
    return value


def subschemas(schema: Json, where: str = "$") -> Iterator[tuple[str, Json]]:
    """Yield a schema and all schemas inside, with their places."""
    yield where, schema
    for place, child in _children(schema):
        if isinstance(child, Mapping):
            yield from subschemas(child, f"{where}.{place}")


def describes_object(schema: Json) -> bool:
    """Tell whether a schema is one of objects."""
    kinds = schema.get("type")
    return (
        kinds == "object"
        or (isinstance(kinds, list) and "object" in kinds)
        or "properties" in schema
    )


def must_be_strict(schema: Json, where: str) -> None:
    """Refuse a schema outside of OpenAI's strict subset."""
    if schema.get("type") != "object":
        raise refuse(
            f"Invalid schema for {where}: schema must be a JSON Schema of 'type: \"object\"'",
            "invalid_schema",
        )
    for place, part in subschemas(schema):
        missing = sorted(set(part.get("properties", {})) ^ set(part.get("required", ())))
        barred = sorted({"allOf", "not", "if", "oneOf"} & set(part))
        if describes_object(part) and part.get("additionalProperties") is not False:
            raise refuse(
                f"Invalid schema for {where}: {place}: 'additionalProperties' must be false",
                "invalid_schema",
            )
        if missing:
            raise refuse(
                f"Invalid schema for {where}: {place}: 'required' must list {missing}",
                "invalid_schema",
            )
        if barred:
            raise refuse(
                f"Invalid schema for {where}: {place}: {barred} not permitted", "invalid_schema"
            )


def _children(schema: Json) -> Iterator[tuple[str, object]]:
    for key in ("properties", "$defs", "definitions"):
        yield from ((f"{key}.{name}", child) for name, child in schema.get(key, {}).items())
    for key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        yield from ((f"{key}.{number}", child) for number, child in enumerate(schema.get(key, ())))
    for key in ("items", "additionalProperties", "not"):
        if key in schema:
            yield key, schema[key]


def _tokens(size: int) -> int:
    return -(-size // BYTES_PER_TOKEN)
