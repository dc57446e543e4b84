"""An embedded agent: it searches by tool calls, reads, and answers from what it has read.

Reading is perfect: a fact is stated when all lines that support it were shown, and only then. So
the arms differ by what their tools let an agent see, and by what seeing it cost; how well a model
understands code is outside of it.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Final

from goldwright.agents.toolset import ToolError, Toolset
from goldwright.benefit.attempts import Attempt
from goldwright.benefit.ledger import TokenLedger
from goldwright.benefit.surface import NATIVE_TOOLS, ToolSurface
from goldwright.benefit.tasks import BenefitTask
from goldwright.benefit.trials import ArmTrial
from goldwright.canonical import canonical_json
from goldwright.errors import InputError, RetrieverError
from goldwright.snapshot import Snapshot

NAME: Final = "embedded:searcher-1"
PROMPT: Final = "Find the code that settles the question, and answer from it.\n\n"
MOST_GREPS: Final = 6
MOST_READS: Final = 3
# Half of a window that is read around the line that most words are near.
_MARGIN: Final = 40
_LONGEST_ENTITY: Final = 200
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
_COMMON: Final = frozenset(
    (
        "does what when which where this that from with have been into code call calls called and "
        "the function method class file raise raised return returned happens while there would "
        "could should"
    ).split()
)


class EmbeddedSearcher:
    """The agent without a model."""

    name = NAME

    def attempt(
        self,
        trial: ArmTrial,
        task: BenefitTask,
        surface: ToolSurface | None,
        open_snapshot: Callable[[], Snapshot],
    ) -> Attempt:
        """Try a task, with the tool where there is one, natively otherwise."""
        return _SearchConversation(task, open_snapshot(), surface, trial.seed).play()


class _SearchConversation:
    """One attempt: the tool first where there is one, then grep, then reading."""

    def __init__(
        self, task: BenefitTask, snapshot: Snapshot, surface: ToolSurface | None, seed: int
    ) -> None:
        self._task = task
        self._snapshot = snapshot
        self._surface = surface
        self._toolset = Toolset(snapshot)
        # Both arms of a pair draw the same numbers.
        self._chance = Random(f"{task.task_id}:{seed}")  # noqa: S311
        schemas = canonical_json(NATIVE_TOOLS) + (surface.handshake.schemas if surface else "")
        self._ledger = TokenLedger(PROMPT + task.question, schemas)
        self._uptake = 0
        self._errors = 0

    def play(self) -> Attempt:
        places = list(self._ask_tool()) if self._surface else []
        if not places:
            places = list(self._grep())
        for path, first, last in places[:MOST_READS]:
            self._read(path, first, last)
        answer = "\n".join(self._read_off())
        self._ledger.say(answer)
        own_calls = len(self._toolset.calls)
        tool_calls = own_calls + self._uptake + self._errors
        is_reached = any(evidence.file in self._task.files for evidence in self._toolset.shown)
        ledger = self._ledger
        return Attempt(
            answer=answer,
            total_tokens=ledger.total,
            schema_tokens=ledger.schema_tokens,
            result_tokens=ledger.result_tokens,
            turns=ledger.turns,
            usd=0.0,  # it asks nobody
            tool_calls=tool_calls,
            tool_uptake=self._uptake,
            tool_errors=self._errors,
            reached=is_reached,
        )

    def _ask_tool(self) -> Iterator[tuple[str, int, int]]:
        assert self._surface is not None  # noqa: S101  # for the type checker
        self._ledger.say(canonical_json({"tool": self._task.question}))
        try:
            reply = self._surface.tool.search(self._task.question)
        except (RetrieverError, InputError) as error:
            self._errors += 1
            self._ledger.show(str(error))
            return
        self._uptake += 1
        self._ledger.show(reply.text)
        for found_id in reply.ids:
            yield from self._place_of(found_id)

    def _place_of(self, found_id: str) -> Iterator[tuple[str, int, int]]:
        entity = self._snapshot.entity(found_id)
        if entity is not None:
            for span in entity.spans[:1]:
                yield entity.path, span.first, min(span.last, span.first + _LONGEST_ENTITY)
        elif found_id in self._snapshot.files:
            yield found_id, 1, _LONGEST_ENTITY

    def _grep(self) -> Iterator[tuple[str, int, int]]:
        """Search the words of the question, and weigh each line by how rare the words near it are.

        The order of equally long words is left to chance, as people's is.
        """
        near: defaultdict[tuple[str, int], float] = defaultdict(float)
        for word in self._words():
            self._ledger.say(canonical_json({"grep": word}))
            try:
                result = self._toolset.search(word, literal=True, ignore_case=True)
            except ToolError as error:
                self._ledger.show(str(error))
                continue
            self._ledger.show(result.text)
            windows = {(hit.path, hit.line // _MARGIN) for hit in result.hits}
            for window in windows:
                near[window] += 1 / len(windows)
        best = sorted(near, key=lambda window: (-near[window], window))
        for path, number in best:
            middle = number * _MARGIN + _MARGIN // 2
            yield path, max(1, middle - _MARGIN), middle + _MARGIN

    def _words(self) -> list[str]:
        words = list(dict.fromkeys(_WORD.findall(self._task.question)))
        words = [word for word in words if word.lower() not in _COMMON]
        self._chance.shuffle(words)
        # Names in the spelling of code say most, long words more than short ones.
        words.sort(key=lambda word: ("_" in word, len(word)), reverse=True)
        return words[:MOST_GREPS]

    def _read(self, path: str, first: int, last: int) -> None:
        self._ledger.say(canonical_json({"read": [path, first, last]}))
        try:
            end = min(last, len(self._snapshot.source(path).lines))
            self._ledger.show(self._toolset.read(path, first, end).text)
        except ToolError as error:
            self._ledger.show(str(error))

    def _read_off(self) -> Iterable[str]:
        for fact in self._task.must:
            if fact.lines and all(map(self._toolset.has_shown, fact.lines)):
                yield fact.statement
