"""How many items a model's mechanical slips cost, and what a surviving record costs.

Use: ``PYTHONPATH=tests python tests/benchmarks/live_slips.py [DIR] --share 0.2 --seed 1 2``. A
scripted server plays all roles well, but Author and Oracle slip at a share of their calls and of
their drafts: a misspelt id, a file left out, a range past the end, prose around the object. What
comes back they mend as often as they slip. Lost are drafts that were rejected and answers that
failed the gate or were given up, beyond those of a run without slips. Without a directory the
codebase is a part of Goldwright's own source.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.kill_campaign import freeze_program, make_repository
from benchmarks.live_faults import Setting, Shell, settings_for
from goldwright.snapshot import open_snapshot
from scripted.brain import RolePlayer, Script, role_of
from scripted.server import serve_in_thread
from scripted.wire import Call, Heard, Say

Json = dict[str, Any]
SLIPPING = ("author", "oracle")
CALLS_A_TURN = 2
PLAN = {
    "schema_version": "1.0.0",
    "name": "slips",
    "total": 60,
    "over_emission": 1.5,
    "top_up_rounds": 0,
    "minimum_total": 1,
    "minimum_cell_share": 0.0,
    "cells": {
        "locate": {"easy": 8, "medium": 8, "hard": 0},
        "explain": {"easy": 10, "medium": 10, "hard": 0},
        "debug": {"easy": 12, "medium": 12, "hard": 0},
        "extend": {"easy": 0, "medium": 0, "hard": 0},
        "review": {"easy": 0, "medium": 0, "hard": 0},
        "general": {"easy": 0, "medium": 0, "hard": 0},
    },
}


@dataclass
class Conversation:
    """How far one conversation is: the calls that are still to be made, and the last word."""

    calls: list[tuple[str, Mapping[str, object]]]
    draft: Json
    turns: int = 0


@dataclass
class SlippingPlayer:
    """Plays all roles as scripted, and slips at a share of the calls and drafts of some."""

    player: RolePlayer
    share: float
    seed: int
    slips: Counter[str] = field(default_factory=Counter)
    _conversations: dict[str, Conversation] = field(default_factory=dict)

    def __call__(self, heard: Heard) -> Say:
        """Answer a request."""
        role = role_of(heard.system)
        if role not in SLIPPING:
            return self.player(heard)
        conversation = self._conversation(role, heard)
        conversation.turns += 1
        chance = Random(f"{self.seed} {heard.turns[0].text} {conversation.turns}")
        if conversation.calls and heard.tool_choice != "none":
            return self._look(conversation, chance)
        return self._hand_in(role, conversation, heard, chance)

    def _conversation(self, role: str, heard: Heard) -> Conversation:
        key = f"{role}\n{heard.system}\n{heard.turns[0].text}"
        if key not in self._conversations:
            script: Script = self.player._script(role, heard, heard.turns[0].text)
            self._conversations[key] = Conversation(list(script.calls), json.loads(script.last))
        return self._conversations[key]

    def _look(self, conversation: Conversation, chance: Random) -> Say:
        """Make the next calls; one that slips is made again afterwards."""
        calls = []
        for number, (name, arguments) in enumerate(conversation.calls[:CALLS_A_TURN], start=1):
            call_id = f"c{conversation.turns}-{number}"
            if chance.random() < self.share:
                kind, slipped = chance.choice(CALL_SLIPS)(call_id, name, arguments)
                self.slips[kind] += 1
                calls.append(slipped)
                # The model sees what came back, and makes the call once more.
                conversation.calls.append((name, arguments))
            else:
                calls.append(Call(call_id, name, arguments))
        del conversation.calls[: len(calls)]
        return Say(calls=tuple(calls))

    def _hand_in(self, role: str, conversation: Conversation, heard: Heard, chance: Random) -> Say:
        draft = deepcopy(conversation.draft)
        text = ""
        # An Author who found no question has nothing to slip in.
        if chance.random() < self.share and draft.get("candidates") != []:
            kind = chance.choice(sorted(DRAFT_SLIPS[role]))
            self.slips[kind] += 1
            text = DRAFT_SLIPS[role][kind](draft, chance)
        if text or "submit" not in heard.tools or heard.tool_choice == "none":
            return Say(text=text or json.dumps(draft))
        call = Call(f"c{conversation.turns}", "submit", {"draft": draft})
        return Say(calls=(call,))


def _leave_out(call_id: str, name: str, given: Mapping[str, object]) -> tuple[str, Call]:
    """Leave every argument out that says nothing, or an end of the lines."""
    telling = {key: value for key, value in given.items() if value and key != "last"}
    return "left out", Call(call_id, name, telling)


def _misname(call_id: str, name: str, given: Mapping[str, object]) -> tuple[str, Call]:
    return "misnamed tool", Call(call_id, f"{name}_file", given)


def _break(call_id: str, name: str, given: Mapping[str, object]) -> tuple[str, Call]:
    return "no JSON", Call(call_id, name, {}, json.dumps(given)[:-1])


CALL_SLIPS = (_leave_out, _misname, _break)


def _wrap_in_prose(draft: Json, _: Random) -> str:
    return f"Here is what was asked for:\n\n{json.dumps(draft)}\n\nDone."


def _cut(draft: Json, _: Random) -> str:
    text = json.dumps(draft)
    return text[: len(text) * 2 // 3]


def _drop_field(draft: Json, chance: Random) -> str:
    del draft[chance.choice(sorted(draft))]
    return ""


def _misspell_entity(draft: Json, chance: Random) -> str:
    chance.choice(draft["expected_entities"])["entity_id"] += "s"
    return ""


def _drop_file(draft: Json, _: Random) -> str:
    draft["expected_files"].pop()
    return ""


def _miscount_claims(draft: Json, chance: Random) -> str:
    chance.choice(draft["fact_citations"])["claim_id"] = "fact-9"
    return ""


def _pass_the_end(draft: Json, chance: Random) -> str:
    chance.choice(draft["expected_line_ranges"])["end"] += 100_000
    return ""


def _cite_unread_lines(draft: Json, chance: Random) -> str:
    cited = chance.choice(draft["fact_citations"])
    cited["start"] = cited["end"] = 1
    cited["file"] = "nowhere.py"
    return ""


def _say_too_little(draft: Json, _: Random) -> str:
    draft["canonical_narrative"] = " ".join(draft["canonical_narrative"].split()[:30])
    return ""


def _mangle_evidence(draft: Json, chance: Random) -> str:
    evidence = draft.get("source_evidence")
    if not evidence:
        # What is not written down cannot be mangled.
        return ""
    chance.choice(evidence)["start"] += 3
    return ""


def _misspell_target(draft: Json, chance: Random) -> str:
    candidate = chance.choice(draft["candidates"])
    candidate["target_entity_ids"][0] += "s"
    return ""


def _leak_name(draft: Json, chance: Random) -> str:
    candidate = chance.choice(draft["candidates"])
    name = candidate["target_entity_ids"][0].rpartition("::")[2]
    candidate["query_text"] += f" I mean `{name}`."
    return ""


def _shift_reason(draft: Json, chance: Random) -> str:
    candidate = chance.choice(draft["candidates"])
    if candidate["intent"] is not None:
        candidate["intent"]["lines"]["start"] = candidate["intent"]["lines"]["end"] = 1
    return ""


ANY_SLIPS = {"prose": _wrap_in_prose, "cut": _cut, "missing field": _drop_field}
DRAFT_SLIPS: Mapping[str, Mapping[str, Callable[[Json, Random], str]]] = {
    "oracle": {
        **ANY_SLIPS,
        "misspelt entity": _misspell_entity,
        "missing file": _drop_file,
        "miscounted claim": _miscount_claims,
        "past the end": _pass_the_end,
        "unread lines": _cite_unread_lines,
        "short narrative": _say_too_little,
        "mangled evidence": _mangle_evidence,
    },
    "author": {
        **ANY_SLIPS,
        "misspelt target": _misspell_target,
        "leaked name": _leak_name,
        "shifted reason": _shift_reason,
    },
}


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    report: Json
    slips: Mapping[str, int]

    @property
    def good_candidates(self) -> int:
        """Candidates that the screen let through."""
        rejections: Mapping[str, int] = self.report["rejections"]
        return int(self.report["emitted"]) - sum(rejections.values())

    @property
    def good_answers(self) -> int:
        """Answers that came through the gate."""
        fates = self.report["fates"]
        return self.good_candidates - int(fates["failed_gate"]) - int(fates["open"])

    @property
    def adversary_output_tokens(self) -> float:
        """Tokens that an Adversary writes on one answer."""
        return float(self.report["costs"]["adversary"]["output_tokens"]) / self.good_answers

    def fates(self) -> str:
        """Say what became of what is not there, and of what was given up."""
        names = ("rejections", "set_aside", "failed_cases", "slips")
        return json.dumps({name: self.report.get(name) for name in names})

    def __str__(self) -> str:
        cost = self.report["per_surviving_record"] or {"usd": 0.0}
        return (
            f"{self.good_candidates} candidates, {self.good_answers} answers through the gate, "
            f"{self.adversary_output_tokens:.0f} output tokens an Adversary, "
            f"${cost['usd']:.4f} a surviving record, {sum(self.slips.values())} slips"
        )


def main() -> int:
    """Run the comparison that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repo", type=Path, nargs="?", metavar="DIR")
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--seed", type=int, nargs="+", default=[1])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slips-") as name:
        directory = Path(name)
        repo = options.repo.resolve() if options.repo else make_repository(directory / "repo")
        program = freeze_program(directory / "program")
        cache = directory / "cache"
        with closing(open_snapshot(repo, cache=cache)) as snapshot:
            setting = Setting(program, repo, "slips.json", snapshot, cache)
            calm = finish(setting, directory / "calm", 0.0, 0)
            print(f"calm: {calm}", flush=True)
            for seed in options.seed:
                slipped = finish(setting, directory / f"seed-{seed}", options.share, seed)
                print(f"seed {seed}: {slipped}")
                print(f"  {losses(slipped, calm)}", flush=True)
                print(f"  {slipped.fates()}", flush=True)
    return 0


def losses(slipped: Outcome, calm: Outcome) -> str:
    """Say which share of Author and Oracle items was lost to slips."""
    lost_candidates = max(0, calm.good_candidates - slipped.good_candidates)
    calm_share = calm.good_answers / calm.good_candidates
    expected_answers = slipped.good_candidates * calm_share
    lost_answers = max(0.0, expected_answers - slipped.good_answers)
    items = calm.good_candidates + slipped.good_candidates
    share = (lost_candidates + lost_answers) / items
    return (
        f"lost: {lost_candidates} of {calm.good_candidates} candidates, "
        f"{lost_answers:.1f} of {expected_answers:.0f} answers; {share:.1%} of all items"
    )


def finish(setting: Setting, directory: Path, share: float, seed: int) -> Outcome:
    """Run the plan once and report on it."""
    directory.mkdir()
    shell = Shell(setting, directory)
    player = SlippingPlayer(RolePlayer(setting.snapshot), share, seed)
    with serve_in_thread(player) as server:
        (directory / "goldwright.toml").write_text(settings_for(server.url))
        (directory / setting.plan).write_text(json.dumps(PLAN))
        code, printed = shell.run("run", setting.plan, "--repo", str(setting.repo), "--json")
    if not printed:
        raise RuntimeError(f"the run ended in {code}: {shell.complaint}")
    return Outcome(json.loads(printed), player.slips)


if __name__ == "__main__":
    sys.exit(main())
