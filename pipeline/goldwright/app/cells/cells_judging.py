"""Grading pooled pairs: by rules, or by models whose every call is journalled."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from goldwright.agents.roles import RoleRefusedError
from goldwright.app.environment import Environment
from goldwright.app.models.journalled_provider import journalled_provider
from goldwright.app.models.provider_stack import open_role_adapter
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup, find_judge
from goldwright.cells.excerpts import DocumentReader, query_terms
from goldwright.cells.pooling import BATCH_SIZE
from goldwright.cells.records import PairJudgement, PooledPair
from goldwright.cells.rule_judges import FIRST_RULE, RULE_TEXT, SECOND_RULE, TrigramRule, WordRule
from goldwright.engine.progress import Progress
from goldwright.engine.task_groups import task_group
from goldwright.errors import ProviderError, QuarantineError
from goldwright.journal import CallLog, StageFile
from goldwright.live_agents.pool_judge import PROMPT, LivePoolJudge, ShownPair
from goldwright.llm.budget import MICRO
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Adapter, Usage
from goldwright.retrieval.source_tokens import count_tokens
from goldwright.text import counted

OFFLINE: Final = "offline"
# Batches under way at a time: their replies are written down in the order of the pairs.
_BATCHES_AT_ONCE: Final = 4
# Tokens of a grade in a list, with its comma.
_TOKENS_OF_GRADE: Final = 2
# Words and marks are fewer than tokens; measured on Python and English, 1.1 to 1.4 of them.
_TOKENS_OF_WORD: Final = 1.4

Turn = Literal["first", "second"]


@dataclass(frozen=True, slots=True)
class PairJudge:
    """Who grades pairs in one turn.

    Attributes:
        turn: Whether it is the first or the second judge.
        name: Its name, as results state it.
        setup: The model; None for a rule.
    """

    turn: Turn
    name: str
    setup: AnswerJudgeSetup | None

    @property
    def prompt(self) -> str:
        """What it goes by: the prompt, or the text of the rules."""
        if self.setup is None:
            return RULE_TEXT
        return self.setup.prompts.prompts[PROMPT].body

    @property
    def prompt_digest(self) -> str:
        """The digest of what it goes by, front matter included."""
        if self.setup is None:
            return FIRST_RULE
        return self.setup.prompts.prompts[PROMPT].digest


@dataclass(frozen=True, slots=True)
class JudgingCost:
    """What judging comes to before anything is asked.

    Attributes:
        pairs: Pairs to grade, by both judges.
        tokens: Tokens of all requests and replies, about.
        usd: Dollars, about; 0 for rules.
    """

    pairs: int
    tokens: int
    usd: float


def find_pair_judge(
    spec: str, turn: Turn, budget_usd: float | None, environment: Environment
) -> PairJudge:
    """Find a judge: ``offline``, or ``provider:model``.

    Raises:
        InputError: There is no such provider or model, or its key is missing.
    """
    if spec == OFFLINE:
        return PairJudge(turn, FIRST_RULE if turn == "first" else SECOND_RULE, None)
    setup = find_judge(None, budget_usd, environment, prompt=PROMPT, model=spec)
    return PairJudge(turn, spec, setup)


class PairJudging:
    """Grades the pairs of one draft, and writes each grade down before it counts."""

    def __init__(
        self,
        draft: Path,
        reader: DocumentReader,
        text_of: Callable[[str], str],
        environment: Environment,
        progress: Progress,
    ) -> None:
        """Take the draft, its documents, and what gives the text of a query by its id."""
        self._draft = draft
        self._reader = reader
        self._text_of = text_of
        self._environment = environment
        self._progress = progress

    def shown(self, pair: PooledPair) -> ShownPair:
        """Give what a judge sees of a pair."""
        text = self._text_of(pair.query_id)
        passage = self._reader.passage(query_terms(text), pair.path)
        return ShownPair(text, passage.text)

    def judge(
        self,
        judge: PairJudge,
        pairs: Sequence[PooledPair],
        file: StageFile[PairJudgement],
        calls: Path,
    ) -> None:
        """Grade what has no grade yet.

        Args:
            judge: Who grades.
            pairs: The pairs, in the order in which they are asked.
            file: Holds the grades so far, and takes every further one.
            calls: The journal of calls of a model.

        Raises:
            BudgetError: The next call could pass the ceiling.
            ProviderError: The provider is out of reach, or gives no grades.
        """
        graded = {record.number for record in file.records if record.judge == judge.turn}
        if all(pair.number in graded for pair in pairs):
            return
        open_count = len(pairs) - len(graded)
        counted_pairs = counted(open_count, "pair")
        self._progress.phase(f"{judge.name} grades {counted_pairs}")
        if judge.setup is None:
            pairs_to_grade = [pair for pair in pairs if pair.number not in graded]
            self._judge_by_rule(judge, pairs_to_grade, file)
            return
        try:
            grading = self._judge_live(judge, judge.setup, pairs, file, calls, graded)
            asyncio.run(grading)
        except (QuarantineError, RoleRefusedError) as error:
            raise ProviderError(f"{judge.name}: {error}") from error

    def _judge_by_rule(
        self, judge: PairJudge, pairs: Sequence[PooledPair], file: StageFile[PairJudgement]
    ) -> None:
        is_first = judge.turn == "first"
        reader = self._reader
        rule = WordRule(reader) if is_first else TrigramRule(reader)
        for pair in pairs:
            query_text = self._text_of(pair.query_id)
            grade = rule.grade(query_text, pair.path)
            file.append(PairJudgement(number=pair.number, judge=judge.turn, grade=grade))

    async def _judge_live(
        self,
        judge: PairJudge,
        setup: AnswerJudgeSetup,
        pairs: Sequence[PooledPair],
        file: StageFile[PairJudgement],
        calls: Path,
        graded: set[int],
    ) -> None:
        role_model = setup.role_model
        log = CallLog.open(calls, self._draft.name, writable=True)
        adapter = open_role_adapter(role_model)
        try:
            call_journal = CallJournal(log, lambda _stage: ())
            player = self._player(setup, adapter, call_journal)
            for group in _groups(list(_numbered(pairs)), _BATCHES_AT_ONCE):
                await self._judge_group(judge, player, group, file, graded)
        finally:
            await adapter.close()
            log.close()

    def _player(
        self, setup: AnswerJudgeSetup, adapter: Adapter, call_journal: CallJournal
    ) -> LivePoolJudge:
        """Stack the wrappers: what was asked before is answered from the journal."""
        provider = journalled_provider(
            setup.role_model,
            adapter,
            call_journal,
            ceiling=setup.ceiling,
            environment=self._environment,
        )
        return LivePoolJudge(setup.role_model.model, provider, setup.prompts)

    async def _judge_group(
        self,
        judge: PairJudge,
        player: LivePoolJudge,
        group: Sequence[tuple[int, Sequence[PooledPair]]],
        file: StageFile[PairJudgement],
        graded: set[int],
    ) -> None:
        """Ask for some batches at once; a batch that is graded in part is answered again."""
        open_batches = []
        for number, batch in group:
            if any(pair.number not in graded for pair in batch):
                open_batches.append((number, batch))
        async with task_group() as tasks:
            replies = []
            for number, batch in open_batches:
                shown_pairs = [self.shown(pair) for pair in batch]
                batch_name = f"{judge.turn}:{number}"
                grading = player.grade(batch_name, shown_pairs)
                replies.append(tasks.create_task(grading))
        for (_, batch), reply in zip(open_batches, replies, strict=True):
            for pair, grade in zip(batch, reply.result(), strict=True):
                if pair.number not in graded:
                    file.append(PairJudgement(number=pair.number, judge=judge.turn, grade=grade))


def estimate(judge: PairJudge, pair_count: int, tokens_of_pair: float) -> JudgingCost:
    """Estimate what it costs to grade some pairs.

    Args:
        judge: Who grades.
        pair_count: How many pairs.
        tokens_of_pair: Words and marks of a query with a passage, on average.
    """
    if judge.setup is None:
        return JudgingCost(pair_count, 0, 0.0)
    batch_count = -(-pair_count // BATCH_SIZE)
    rule_tokens = count_tokens(judge.prompt) * batch_count
    prompt_tokens = round((pair_count * tokens_of_pair + rule_tokens) * _TOKENS_OF_WORD)
    replied = pair_count * _TOKENS_OF_GRADE
    pricing = judge.setup.role_model.pricing
    usage = Usage(fresh=prompt_tokens, output=replied)
    usd = pricing.cost(usage) / MICRO
    return JudgingCost(pair_count, prompt_tokens + replied, usd)


def _numbered(pairs: Sequence[PooledPair]) -> Iterator[tuple[int, Sequence[PooledPair]]]:
    for number, first in enumerate(range(0, len(pairs), BATCH_SIZE)):
        yield number, pairs[first : first + BATCH_SIZE]


def _groups(
    entries: Sequence[tuple[int, Sequence[PooledPair]]], size: int
) -> Iterator[Sequence[tuple[int, Sequence[PooledPair]]]]:
    for first in range(0, len(entries), size):
        yield entries[first : first + size]
