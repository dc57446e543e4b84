"""The batch APIs of three providers, over the same wires and the same brain as single requests."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import parse_qs

import msgspec

from scripted.anthropic_wire import MESSAGES
from scripted.google_wire import GENERATE_CONTENT
from scripted.openai_wire import RESPONSES
from scripted.wire import Json, RequestError, Wire

Fate = Literal["succeeded", "errored", "expired", "canceled", "left out"]
Answerer = Callable[[Wire, Json, str], tuple[Json, Mapping[str, int]]]
"""Answers the body of a request to a model; with the tokens that it took."""

CREATED = "2026-11-23T12:00:00Z"
ENDPOINT = "/v1/responses"
PURPOSE = "batch"
MESSAGE_BATCHES = "/v1/messages/batches"
GOOGLE_BATCHES = re.compile(r"/v1(?:beta)?/models/(?P<model>[^:]+):batchGenerateContent")
BATCHES = re.compile(r"/v1/messages/batches(/.*)?|/v1/files(/.*)?|/v1(?:beta)?/batches(/.*)?")
ERROR = "The server had an error while it worked on the entry."
# One is a code of gRPC, which Google sends as well.
GOOGLE_CODES: Mapping[Fate, int] = {
    "errored": 500,
    "expired": 504,
    "canceled": 1,
    "left out": 504,
}


@dataclass(frozen=True)
class Billed:
    """One entry that was answered, and is paid for."""

    protocol: str
    model: str
    custom_id: str
    usage: Mapping[str, int]
    key_digest: str


@dataclass
class Batch:
    """One batch; it ends when it has been asked about so many times."""

    name: str
    wire: Wire
    label: str
    model: str
    custom_ids: tuple[str, ...]
    results: dict[str, tuple[Fate, Json]]
    polls_left: int
    input_file: str = ""
    output_files: dict[str, str | None] = field(default_factory=dict)

    @property
    def has_ended(self) -> bool:
        """Whether its results are there."""
        return self.polls_left <= 0


@dataclass
class BatchDesk:
    """Takes batches in and gives their results out.

    Attributes:
        answer: Answers one entry.
        polls: How often a batch is asked about until it has ended.
        fate: What becomes of the entries, by their number on this desk.
        billed: What was answered so far.
        batches: The batches by name.
        files: By id, the name and the content of every file that is kept.
    """

    answer: Answerer
    polls: int = 2
    fate: Callable[[int], Fate] = lambda _number: "succeeded"
    billed: list[Billed] = field(default_factory=list)
    batches: dict[str, Batch] = field(default_factory=dict)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    _uploads: int = 0
    _key_digest: str = ""
    _entries: int = 0

    @staticmethod
    def takes(path: str) -> bool:
        """Whether a path belongs to one of the APIs."""
        return bool(GOOGLE_BATCHES.fullmatch(path) or BATCHES.fullmatch(path))

    def handle(
        self, path: str, body: bytes, headers: Mapping[str, str], method: str = "", query: str = ""
    ) -> bytes | Json:
        """Answer a request; one without a body asks."""
        # A purpose that nobody knows is refused, whether files are listed or uploaded.
        purpose = parse_qs(query).get("purpose", [PURPOSE])
        _must_be([PURPOSE], purpose, "purpose")
        self._key_digest = _digest_of_key(headers)
        if method == "DELETE":
            return self._delete(path.rpartition("/")[2])
        google = GOOGLE_BATCHES.fullmatch(path)
        if google:
            return self._create_google(google["model"], msgspec.json.decode(body))
        if path.startswith(MESSAGE_BATCHES):
            return self._messages(path.removeprefix(MESSAGE_BATCHES).strip("/"), body)
        if path.startswith("/v1/files"):
            return self._file(path.removeprefix("/v1/files").strip("/"), body, headers)
        if "x-goog-api-key" in headers:
            return self._google(path[path.index("batches") :].strip("/"))
        return self._openai(path.removeprefix("/v1/batches").strip("/"), body)

    def _messages(self, name: str, body: bytes) -> bytes | Json:
        if body:
            entries = msgspec.json.decode(body)["requests"]
            named = {entry["custom_id"]: entry["params"] for entry in entries}
            return _message_batch(self._take(MESSAGES, "", named, prefix="msgbatch_"))
        if not name:
            newest = [_message_batch(batch) for batch in self._newest(MESSAGES)]
            return {"data": newest, "has_more": False, "first_id": None, "last_id": None}
        if not name.endswith("/results"):
            return _message_batch(self._ask_about(name))
        batch = self._batch(name.removesuffix("/results"))
        return _lines(
            {"custom_id": custom_id, "result": _message_result(fate, reply)}
            for custom_id, (fate, reply) in _unordered(batch)
        )

    def _file(self, name: str, body: bytes, headers: Mapping[str, str]) -> bytes | Json:
        if name and not body:
            return self.files[name.removesuffix("/content")][1]
        if not body:
            listed = [_file(own_name, *file) for own_name, file in self.files.items()]
            return {"object": "list", "data": listed, "has_more": False}
        boundary = headers["content-type"].partition("boundary=")[2].encode()
        parts = body.split(b"--" + boundary)
        (purpose,) = [part for part in parts if b'name="purpose"' in part]
        _must_be(PURPOSE, purpose.rpartition(b"\r\n\r\n")[2].decode().strip(), "purpose")
        (part,) = [part for part in parts if b'name="file"' in part]
        head, _, content = part.partition(b"\r\n\r\n")
        own_name = head.partition(b'filename="')[2].partition(b'"')[0].decode()
        self._uploads += 1
        name = f"file-{self._uploads}"
        self.files[name] = (own_name, content.removesuffix(b"\r\n"))
        return _file(name, *self.files[name])

    def _delete(self, name: str) -> Json:
        if self.files.pop(name, None) is None:
            raise RequestError(HTTPStatus.NOT_FOUND, "", f"no file {name}")
        return {"id": name, "object": "file", "deleted": True}

    def _openai(self, name: str, body: bytes) -> Json:
        if body:
            asked = msgspec.json.decode(body)
            entries = [
                msgspec.json.decode(line)
                for line in self.files[asked["input_file_id"]][1].splitlines()
            ]
            for entry in [*entries, {"method": "POST", "url": asked["endpoint"]}]:
                _must_be("POST", entry["method"], "method")
                _must_be(ENDPOINT, entry["url"], "url")
            _must_be("24h", asked["completion_window"], "completion_window")
            named = {entry["custom_id"]: entry["body"] for entry in entries}
            label = (asked.get("metadata") or {}).get("goldwright_label", "")
            batch = self._take(RESPONSES, "", named, "batch_", label)
            batch.input_file = asked["input_file_id"]
            return self._openai_batch(batch)
        if not name:
            newest = [self._openai_batch(batch) for batch in self._newest(RESPONSES)]
            return {"object": "list", "data": newest, "has_more": False}
        return self._openai_batch(self._ask_about(name))

    def _openai_batch(self, batch: Batch) -> Json:
        if batch.has_ended and not batch.output_files:
            good, bad = f"out-{batch.name}", f"err-{batch.name}"
            results = _unordered(batch)
            fine = [each for each in results if each[1][0] == "succeeded"]
            failed = [each for each in results if each not in fine]
            self.files[good] = (f"{good}.jsonl", _lines(_openai_line(*each) for each in fine))
            self.files[bad] = (f"{bad}.jsonl", _lines(_openai_line(*each) for each in failed))
            batch.output_files = {"output_file_id": good, "error_file_id": bad}
        return {
            "id": batch.name,
            "object": "batch",
            "endpoint": ENDPOINT,
            "input_file_id": batch.input_file,
            "completion_window": "24h",
            "created_at": 1,
            "status": "completed" if batch.has_ended else "in_progress",
            "metadata": {"goldwright_label": batch.label},
            "output_file_id": None,
            "error_file_id": None,
            **batch.output_files,
        }

    def _create_google(self, model: str, body: Json) -> Json:
        asked = body["batch"]
        entries = asked["inputConfig"]["requests"]["requests"]
        named = {entry["metadata"]["custom_id"]: entry["request"] for entry in entries}
        label = asked["displayName"]
        return _google_batch(self._take(GENERATE_CONTENT, model, named, "batches/", label))

    def _google(self, name: str) -> Json:
        if name == "batches":
            newest = [_google_batch(batch) for batch in self._newest(GENERATE_CONTENT)]
            return {"operations": newest}
        return _google_batch(self._ask_about(name))

    def _take(
        self, wire: Wire, model: str, entries: Mapping[str, Json], prefix: str, label: str = ""
    ) -> Batch:
        results: dict[str, tuple[Fate, Json]] = {}
        for custom_id, body in entries.items():
            fate = self.fate(self._entries)
            self._entries += 1
            reply: Json = {}
            if fate == "succeeded":
                reply, usage = self.answer(wire, body, model)
                asked = model or str(body["model"])
                bill = Billed(wire.protocol, asked, custom_id, usage, self._key_digest)
                self.billed.append(bill)
            results[custom_id] = (fate, reply)
        name = f"{prefix}{len(self.batches) + 1}"
        self.batches[name] = Batch(name, wire, label, model, tuple(entries), results, self.polls)
        return self.batches[name]

    def _newest(self, wire: Wire) -> Sequence[Batch]:
        newest = [batch for batch in reversed(self.batches.values()) if batch.wire is wire]
        return [self._ask_about(batch.name) for batch in newest]

    def _ask_about(self, name: str) -> Batch:
        batch = self._batch(name)
        batch.polls_left -= 1
        return batch

    def _batch(self, name: str) -> Batch:
        if name not in self.batches:
            raise RequestError(HTTPStatus.NOT_FOUND, "", f"no batch {name}")
        return self.batches[name]


def _must_be(wanted: object, found: object, name: str) -> None:
    if found != wanted:
        raise RequestError(HTTPStatus.BAD_REQUEST, "", f"Invalid value for {name}: {found}")


def _digest_of_key(headers: Mapping[str, str]) -> str:
    """Tell whose a request is, as the log of the server does."""
    key = headers.get("x-goog-api-key") or headers["authorization"].removeprefix("Bearer ")
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _file(name: str, own_name: str, content: bytes) -> Json:
    return {
        "id": name,
        "object": "file",
        "bytes": len(content),
        "created_at": 1,
        "filename": own_name,
        "purpose": "batch",
        "status": "processed",
    }


def _message_batch(batch: Batch) -> Json:
    ended = batch.has_ended
    fates = [fate for fate, _ in batch.results.values()]
    counts = {fate: fates.count(fate) * ended for fate in ("errored", "canceled", "expired")}
    count = len(fates)
    return {
        "id": batch.name,
        "type": "message_batch",
        "processing_status": "ended" if ended else "in_progress",
        "request_counts": {
            "processing": 0 if ended else count,
            "succeeded": count - sum(counts.values()) if ended else 0,
            **counts,
        },
        "created_at": CREATED,
        "expires_at": CREATED,
        "ended_at": CREATED if ended else None,
        "archived_at": None,
        "cancel_initiated_at": None,
        "results_url": f"{MESSAGE_BATCHES}/{batch.name}/results" if ended else None,
    }


def _message_result(fate: Fate, reply: Json) -> Json:
    if fate == "succeeded":
        return {"type": "succeeded", "message": reply}
    if fate in {"expired", "canceled"}:
        return {"type": fate}
    error = {"type": "api_error", "message": ERROR}
    return {"type": "errored", "error": {"type": "error", "error": error}}


def _openai_line(custom_id: str, result: tuple[Fate, Json]) -> Json:
    fate, reply = result
    line: dict[str, Any] = {"id": f"req-{custom_id}", "custom_id": custom_id}
    if fate == "succeeded":
        return {**line, "response": {"status_code": 200, "body": reply}, "error": None}
    if fate in {"expired", "canceled"}:
        code = "batch_expired" if fate == "expired" else "batch_cancelled"
        return {**line, "response": None, "error": {"code": code, "message": "late"}}
    error = {"error": {"message": ERROR, "type": "server_error", "param": None, "code": None}}
    return {**line, "response": {"status_code": 500, "body": error}, "error": None}


def _google_batch(batch: Batch) -> Json:
    state = "BATCH_STATE_SUCCEEDED" if batch.has_ended else "BATCH_STATE_RUNNING"
    metadata: dict[str, Any] = {"displayName": batch.label, "state": state, "createTime": CREATED}
    if batch.has_ended:
        responses = [
            {"metadata": {"custom_id": custom_id}, **_google_result(*batch.results[custom_id])}
            for custom_id in batch.custom_ids
        ]
        metadata["output"] = {"inlinedResponses": {"inlinedResponses": responses}}
    return {"name": batch.name, "metadata": metadata, "done": batch.has_ended}


def _google_result(fate: Fate, reply: Json) -> Json:
    if fate == "succeeded":
        return {"response": reply}
    return {"error": {"code": GOOGLE_CODES[fate], "message": ERROR}}


def _unordered(batch: Batch) -> list[tuple[str, tuple[Fate, Json]]]:
    """Give the results in another order than that of the requests, without what was left out."""
    results = [each for each in batch.results.items() if each[1][0] != "left out"]
    return list(reversed(results))


def _lines(entries: Any) -> bytes:
    return b"".join(msgspec.json.encode(entry, enc_hook=dict) + b"\n" for entry in entries)
