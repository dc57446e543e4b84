"""A model that plays the roles well: the embedded agents behind a wire.

It knows nothing but what a request tells it: the role by the rules, the work by the task, and how
far it is by the results it was shown. It looks around through the tools it is offered, some calls
in parallel, and then hands in what the embedded agent of that role would have written, by a tool
where there is one. A ``twist`` changes what a role hands in, to script a model that errs.
"""

import json
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from goldwright.agents.roles import (
    AdversaryWork,
    AuthorWork,
    CompletenessWork,
    JudgeWork,
    OracleWork,
)
from goldwright.agents.toolset import ToolCall, Toolset
from goldwright.offline_agents import (
    OfflineAdversary,
    OfflineCompletenessReader,
    OfflineJudge,
    OfflineOracle,
)
from goldwright.offline_agents.author import OfflineAuthor
from goldwright.plan import Cell
from goldwright.records import DIFFICULTIES, TASK_TYPES, AnswerDraft, QueryCandidate
from goldwright.snapshot import Snapshot
from scripted.wire import Call, Heard, Say

T = TypeVar("T")
Draft = dict[str, Any]
Twist = Callable[[str, Heard, Draft], Draft]

CALLS_A_TURN = 2


@dataclass
class Script:
    """What one piece of work comes to: the calls, and the last word."""

    calls: list[tuple[str, Mapping[str, object]]]
    last: str


@dataclass
class RolePlayer:
    """Plays all roles over one snapshot; ``played`` counts the pieces of work by role."""

    snapshot: Snapshot
    seed: int = 0
    twist: Twist | None = None
    calls_a_turn: int = CALLS_A_TURN
    played: dict[str, int] = field(default_factory=dict)
    _scripts: dict[str, Script] = field(default_factory=dict)
    _candidates: dict[str, QueryCandidate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._author = OfflineAuthor(self.snapshot)

    def __call__(self, heard: Heard) -> Say:
        """Answer a request; what gives it no role tries it out."""
        role = role_of(heard.system)
        if role is None:
            return tried_out(heard)
        script = self._script_of(role, heard)
        done = sum(len(turn.results) for turn in heard.turns)
        if heard.tool_choice == "none" or done >= len(script.calls):
            return last_word(heard, script.last)
        now = script.calls[done : done + self.calls_a_turn]
        return Say(
            calls=tuple(
                Call(f"c{done + n}", name, given) for n, (name, given) in enumerate(now, start=1)
            )
        )

    def last_word(self, heard: Heard) -> str:
        """Give the draft in which a conversation ends."""
        return self._script_of(str(role_of(heard.system)), heard).last

    def _script_of(self, role: str, heard: Heard) -> Script:
        task = heard.turns[0].text
        # Two models may be asked the same, and a twist may tell them apart.
        key = f"{role}\n{heard.protocol}\n{heard.system}\n{task}"
        if key not in self._scripts:
            self._scripts[key] = self._script(role, heard, task)
            self.played[role] = self.played.get(role, 0) + 1
        return self._scripts[key]

    def _script(self, role: str, heard: Heard, task: str) -> Script:
        toolset = Toolset(self.snapshot, tools=frozenset(heard.tools))
        play = {
            "author": self._write,
            "oracle": self._answer,
            "adversary": self._attack,
            "completeness": self._complete,
            "judge": self._judge,
        }
        draft = play[role](task, toolset)
        if self.twist is not None:
            draft = self.twist(role, heard, draft)
        return Script([_as_asked(call) for call in toolset.calls], json.dumps(draft))

    def _write(self, task: str, toolset: Toolset) -> Draft:
        listed = task.partition("Drafts for this cell")[0]
        rows = [json.loads(line) for line in listed.splitlines() if line.startswith("[")]
        accepted = tuple(_candidate(f"q_{n}", row[0], tuple(row[1:])) for n, row in enumerate(rows))
        cells = tuple(
            (_cell(*found.groups()[:2]), int(found[3]))
            for found in re.finditer(r"^- (\w+)/(\w+): (\d+)$", task, re.MULTILINE)
        )
        cell = _cell(_field(task, "Task type"), _field(task, "Difficulty"))
        count = int(_field(task, "Questions wanted"))
        work = AuthorWork(cell, count, int(bool(accepted)), cells, accepted, self.seed)
        drafts = settled(self._author.play(work, toolset))
        return {"candidates": [draft.model_dump(mode="json") for draft in drafts]}

    def _answer(self, task: str, toolset: Toolset) -> Draft:
        # The reason that the Author handed back stands in it too: the embedded Oracle needs it.
        given = next(json.loads(line) for line in task.splitlines() if line.startswith("{"))
        candidate = QueryCandidate.model_validate_json(
            json.dumps({"query_id": "q", "authored_by": "", "created_at": "", **given})
        )
        self._candidates[candidate.query_text] = candidate
        answer = settled(OfflineOracle(self.snapshot).play(OracleWork(candidate), toolset))
        return answer.model_dump(mode="json", exclude={"source_evidence"})

    def _attack(self, task: str, toolset: Toolset) -> Draft:
        query = next(json.loads(line) for line in task.splitlines() if line.startswith('"'))
        answer = AnswerDraft.model_validate_json(
            next(line for line in task.splitlines() if line.startswith("{"))
        )
        candidate = self._candidates.get(query) or _candidate("q", query, answer.entity_ids)
        report = settled(
            OfflineAdversary(self.snapshot).play(AdversaryWork(candidate, answer), toolset)
        )
        # Claims are named by their ids; what they say is not repeated.
        draft: Draft = report.model_dump(mode="json")
        draft["claim_verdicts"] = [
            {
                "claim_id": verdict.claim_id,
                "verdict": verdict.verdict,
                "citation": str(verdict.citation),
                "note": verdict.note,
            }
            for verdict in report.claim_verdicts
        ]
        return draft

    def _complete(self, task: str, toolset: Toolset) -> Draft:
        query = next(json.loads(line) for line in task.splitlines() if line.startswith('"'))
        headings = re.compile(r"^## The expected.*|^## What searches.*", re.MULTILINE)
        _, expected, pooled = headings.split(task)
        candidate = self._candidates.get(query) or _candidate("q", query, ())
        work = CompletenessWork(candidate, _entity_ids(expected), _entity_ids(pooled))
        judgement = settled(OfflineCompletenessReader(self.snapshot).play(work, toolset))
        rulings = [ruling.model_dump(mode="json") for ruling in judgement.rulings]
        for ruling in rulings:
            if ruling["verdict"] != "open":
                ruling["citation"] = self._read_first_line(ruling["entity_id"], toolset)
        return {"rulings": rulings}

    def _read_first_line(self, entity_id: str, toolset: Toolset) -> Draft:
        entity = self.snapshot.entity(entity_id)
        if entity is None:
            raise ValueError(f"{entity_id}: no entity")
        line = entity.spans[0].first
        toolset.read(entity.path, line, line)
        return {"file": entity.path, "start": line, "end": line}

    def _judge(self, task: str, _toolset: Toolset) -> Draft:
        query, narrative, findings = (
            json.loads(line) for line in task.splitlines() if line.startswith('"')
        )
        verdict = settled(OfflineJudge().play(JudgeWork("q", query, narrative, findings)))
        return {"answers_question": True, **verdict.model_dump(mode="json")}


def tried_out(heard: Heard) -> Say:
    """Do what a model that is tried out is told: call the tool, then fill in the form."""
    results = [result.text for turn in heard.turns for result in turn.results]
    if heard.tools and not results:
        return Say(calls=(Call("c1", heard.tools[0], {"name": "test"}),))
    word = results[0] if results else heard.turns[0].text.split()[4].strip(",")
    return Say(text=json.dumps({"word": word}))


def last_word(heard: Heard, draft: str) -> Say:
    """Hand a draft in by the tool for it, or as text where there is none."""
    if "submit" not in heard.tools or heard.tool_choice == "none":
        return Say(text=draft)
    number = sum(len(turn.results) for turn in heard.turns) + 1
    return Say(calls=(Call(f"c{number}", "submit", {"draft": json.loads(draft)}),))


def hands_in(say: Say) -> bool:
    """Whether a model hands in a draft, by a tool or as text."""
    return bool(say.text) or any(call.name == "submit" for call in say.calls)


def role_of(system: str) -> str | None:
    """Tell the role from the first heading of its rules."""
    found = re.search(r"^# The (\w+)", system, re.MULTILINE)
    return found[1].lower() if found else None


def _entity_ids(lines: str) -> tuple[str, ...]:
    """Read the ids of a list of entities, one JSON object a line."""
    objects = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    return tuple(entity["entity_id"] for entity in objects)


def settled(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return cast("T", end.value)
    raise RuntimeError("the embedded agents wait for nothing")


def _as_asked(call: ToolCall) -> tuple[str, Mapping[str, object]]:
    given = {
        name: "" if value is None and name == "path" else value
        for name, value in call.arguments.items()
    }
    return call.tool, given


def _field(task: str, name: str) -> str:
    found = re.search(rf"^- {name}: (.+)$", task, re.MULTILINE)
    if found is None:
        raise ValueError(f"the task has no {name}")
    return found[1]


def _cell(task_type: str, difficulty: str) -> Cell:
    return Cell(
        TASK_TYPES[TASK_TYPES.index(task_type)], DIFFICULTIES[DIFFICULTIES.index(difficulty)]
    )


def _candidate(query_id: str, text: str, targets: tuple[str, ...]) -> QueryCandidate:
    return QueryCandidate(
        query_id=query_id,
        task_type="explain",
        difficulty="medium",
        query_text=text,
        target_entity_ids=targets,
        authored_by="",
        created_at="",
    )
