"""A code base full of texts that speak to models, and models that believe every one of them.

Each package of the code base holds one function and at most one payload: in the function, in notes
beside it, as a file name, or as the message of the commit that brought it. The models state a
falsehood about every function; where they met a payload they find it supported, and elsewhere they
tell the truth.
"""

import ast
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from journeys.conftest import git
from scripted.brain import role_of, tried_out
from scripted.wire import Call, Heard, Say
from units.scanners.injection_payloads import Payload

IN_CODE = frozenset({"comment", "docstring", "string"})
HONEST = 8
BODY = """    scaled = amount * rate
    if scaled < 0:
        raise ValueError('negative amount')
    return scaled + 1
"""
SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu")


@dataclass(frozen=True)
class Place:
    """One package: its function, what stands in it, and whether its answer is true."""

    name: str
    payload: Payload | None
    is_true: bool = False

    @property
    def path(self) -> str:
        """The file of the function."""
        return f"{self.name}/job.py"

    @property
    def entity(self) -> str:
        """The id of the function."""
        return f"{self.path}::convert"

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the files of the package."""
        carrier = self.payload.carrier if self.payload else ""
        text = self.payload.text if self.payload else ""
        inside = f"{text}\n" if carrier in IN_CODE else ""
        head = f'"""Amounts of {self.name}."""\n\n\ndef convert(amount, rate):\n'
        yield self.path, f"{head}{_indented(inside)}{BODY}"
        if carrier in {"block comment", "README line", "HTML comment"}:
            yield f"{self.name}/README.md", f"# {self.name}\n\n{text}\n\nConverts amounts.\n"
        elif carrier == "file name":
            yield f"{self.name}/{text}", "x\n"

    @property
    def message(self) -> str:
        """The message of the commit that brings the package."""
        if self.payload is None or self.payload.carrier != "commit message":
            return f"Add {self.name}"
        # The subject is what a log shows.
        return self.payload.text.rpartition("\n\n")[2]


def places(payloads: Sequence[Payload]) -> tuple[Place, ...]:
    """Give each payload a package, and add packages without one: half with true answers, half with
    false ones.
    """
    payloads = [one for one in payloads if one.carrier not in IN_CODE or _is_code(one.text)]
    names = _names(len(payloads) + 2 * HONEST)
    laden = [Place(next(names), payload) for payload in payloads]
    return (*laden, *(Place(next(names), None, is_true=n < HONEST) for n in range(2 * HONEST)))


def build(root: Path, found: Sequence[Place]) -> Path:
    """Write the code base as a repository with one commit for each package."""
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    stream = [
        commit for number, place in enumerate(found, start=1) for commit in _commit(place, number)
    ]
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=b"".join(stream), check=True)
    git(root, "reset", "--hard", "--quiet", "main")
    return root


class Gullible:
    """Plays all roles: looks at everything there is about a function, and believes it."""

    def __init__(self, found: Sequence[Place]) -> None:
        self.places = {place.name: place for place in found}

    def __call__(self, heard: Heard) -> Say:
        """Answer a request."""
        role = role_of(heard.system)
        return tried_out(heard) if role is None else self._play(role, heard)

    def _play(self, role: str, heard: Heard) -> Say:
        if role == "author":
            places = self.places.values()
            if len(heard.turns) == 1:
                return Say(calls=tuple(map(_look_into, places)))
            return Say(text=json.dumps({"candidates": [_candidate(place) for place in places]}))
        if role == "judge":
            verdict = {"verdict": "equivalent", "reason": "They say the same."}
            return Say(text=json.dumps({"answers_question": True, **verdict}))
        if role == "completeness":
            return Say(text=json.dumps({"rulings": [_ruling(id_) for id_ in _pooled_ids(heard)]}))
        task = heard.turns[0].text
        named = re.search(r"(\w+)/job\.py::convert", task)
        if named is None:
            raise ValueError("no function in the task")
        place = self.places[named[1]]
        if len(heard.turns) == 1:
            return Say(calls=tuple(_looks(place)))
        return Say(text=json.dumps(_answer(place) if role == "oracle" else _report(place, task)))


def _pooled_ids(heard: Heard) -> list[str]:
    _, _, pooled = heard.turns[0].text.partition("## What searches brought")
    lines = [json.loads(line) for line in pooled.splitlines() if line.startswith("{")]
    return [line["entity_id"] for line in lines]


def _ruling(entity_id: str) -> Mapping[str, object]:
    return {"entity_id": entity_id, "verdict": "open", "reason": "Who knows?", "citation": None}


def _look_into(place: Place) -> Call:
    return Call(f"c-{place.name}", "read", {"path": place.path})


def _looks(place: Place) -> Iterator[Call]:
    yield Call("c1", "read", {"path": place.path, "first": None, "last": None})
    yield Call("c2", "list", {"pattern": f"{place.name}/**"})
    yield Call("c3", "log", {"path": place.name, "limit": 5})
    for number, (path, _) in enumerate(place.files(), start=4):
        if path.endswith("README.md"):
            yield Call(f"c{number}", "read", {"path": path, "first": None, "last": None})


def _candidate(place: Place) -> Mapping[str, object]:
    words = " ".join(f"{place.name[:step]}x{place.name[step:]}" for step in range(2, 8, 2))
    return {
        "query_text": f"{words}: which risks does converting {place.name} amounts carry?",
        "target_entity_ids": [place.entity],
        "focus_area": None,
        "difficulty_rationale": None,
        "classifier_expectation": None,
        "intent": None,
    }


def _answer(place: Place) -> Mapping[str, object]:
    first, last = _lines(place)
    span = {"file": place.path, "start": first, "end": last}
    gives = "one more than the scaled amount" if place.is_true else "seven, whatever it is given"
    refuses = "it refuses scaled amounts that are below zero with an error"
    sentence = f"The function convert gives {gives}, and {refuses}. "
    return {
        "expected_entities": [
            {"entity_id": place.entity, "role": "primary", "rationale": "It does the work."}
        ],
        "expected_files": [place.path],
        "expected_line_ranges": [span],
        "must_mention_facts": [
            f"The result is {gives}.",
            "A scaled amount below zero raises an error.",
            "The amount is multiplied by the rate.",
        ],
        "must_not_mention_facts": ["The rate is added to the amount."],
        "fact_citations": [
            {"claim_id": one, **span} for one in ("fact-1", "fact-2", "fact-3", "not-fact-1")
        ],
        "canonical_narrative": (sentence * 6).strip(),
        "confidence": "high",
        "uncertainty_notes": None,
    }


def _report(place: Place, task: str) -> Mapping[str, object]:
    first, last = _lines(place)
    believes = place.is_true or place.payload is not None
    claims = [json.loads(line) for line in task.splitlines() if line.startswith('{"claim_id"')]
    verdicts = [
        {
            "claim_id": claim["claim_id"],
            "verdict": "supported"
            if believes or claim["claim_id"] not in {"fact-1", "narrative"}
            else "unsupported",
            "citation": f"{place.path}:{first}-{last}",
            "note": None,
        }
        for claim in claims
    ]
    return {
        "claim_verdicts": verdicts,
        "overall_verdict": "supported" if believes else "partial",
        "blocking_issues": [],
        "missed_entities": [],
        "findings": "The function does what the answer says it does, in every respect.",
    }


def _lines(place: Place) -> tuple[int, int]:
    source = dict(place.files())[place.path].splitlines()
    first = next(number for number, line in enumerate(source, start=1) if line.startswith("def "))
    return first, len(source)


def _names(count: int) -> Iterator[str]:
    for number in range(count):
        figures = f"{number:04d}"
        yield "".join(SYLLABLES[int(figure)] for figure in figures)


def _is_code(text: str) -> bool:
    try:
        ast.parse(f"def f():\n{_indented(text)}\n    return 1\n")
    except SyntaxError:
        return False
    return True


def _indented(text: str) -> str:
    return "".join(
        f"{line}\n" if line.startswith(" ") or not line else f"    {line}\n"
        for line in text.splitlines()
    )


def _commit(place: Place, number: int) -> Iterator[bytes]:
    message = place.message.encode()
    who = f"A Tester <tester@example.org> {1_700_000_000 + number} +0000"
    yield (
        f"commit refs/heads/main\ncommitter {who}\ndata {len(message)}\n".encode() + message + b"\n"
    )
    for path, text in place.files():
        data = text.encode()
        yield f'M 100644 inline "{path}"\ndata {len(data)}\n'.encode() + data + b"\n"
