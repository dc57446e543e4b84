"""The second stage of a search, played by the judge's model of the settings."""

import asyncio
from collections.abc import Sequence
from typing import Final

from goldwright.agents.roles import RoleRefusedError
from goldwright.app.environment import Environment
from goldwright.app.models.provider_stack import open_role_adapter, with_pace_budget_and_retries
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup, find_judge
from goldwright.engine.task_groups import task_group
from goldwright.errors import QuarantineError, RetrieverError
from goldwright.live_agents.document_reranker import PROMPT, LiveDocumentReranker
from goldwright.llm.budget import Budget
from goldwright.llm.model_identity import SameModelProvider
from goldwright.retrieval.entity_documents import EntityDocument

SPEC: Final = "model"
# Documents of one question: more of them are compared less carefully, fewer cost more calls.
BATCH_SIZE: Final = 10


class ModelReranker:
    """Has a model grade the documents of a pool, ten at a time and all tens at once."""

    def __init__(self, setup: AnswerJudgeSetup, environment: Environment) -> None:
        self._setup = setup
        self._environment = environment
        self._budget = Budget(setup.ceiling)
        self.name = f"model:{setup.role_model.identity}"

    @classmethod
    def from_settings(cls, budget_usd: float | None, environment: Environment) -> "ModelReranker":
        """Take the judge's model of ``goldwright.toml``.

        Raises:
            InputError: The settings are wrong, name no model, or its key is missing.
        """
        return cls(find_judge(None, budget_usd, environment, prompt=PROMPT), environment)

    def rerank(self, query: str, documents: Sequence[EntityDocument]) -> Sequence[float]:
        """Grade documents from 0 to 3.

        Raises:
            RetrieverError: The model gives no grades.
            BudgetError: The next call could pass the ceiling.
        """
        try:
            return asyncio.run(self._grade_all(query, documents))
        except (QuarantineError, RoleRefusedError) as error:
            raise RetrieverError(f"{self.name}: {error}") from error

    async def _grade_all(self, query: str, documents: Sequence[EntityDocument]) -> list[float]:
        role_model = self._setup.role_model
        adapter = open_role_adapter(role_model)
        environment = self._environment
        same_model = SameModelProvider(adapter)
        provider = with_pace_budget_and_retries(
            same_model,
            role_model,
            budget=self._budget,
            clock=environment.clock,
            chance=environment.chance,
        )
        provider_with_effort = role_model.with_effort(provider)
        reranker = LiveDocumentReranker(role_model.model, provider_with_effort, self._setup.prompts)
        texts = [document.text for document in documents]
        starts = range(0, len(texts), BATCH_SIZE)
        batches = [texts[start : start + BATCH_SIZE] for start in starts]
        try:
            async with task_group() as group:
                gradings = [_grade(reranker, query, batch) for batch in batches]
                tasks = [group.create_task(grading) for grading in gradings]
        finally:
            await adapter.close()
        return [float(grade) for task in tasks for grade in task.result()]


async def _grade(reranker: LiveDocumentReranker, query: str, texts: Sequence[str]) -> Sequence[int]:
    return await reranker.grade(query, texts)
