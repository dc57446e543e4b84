"""The second stage of a search, played by the judge's model of the settings."""

import asyncio
from collections.abc import Sequence
from typing import Final

from goldwright.agents.roles import RoleRefusedError
from goldwright.app.environment import Environment
from goldwright.app.models.provider_stack import open_role_adapter, with_pace_budget_and_retries
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup, find_judge
from goldwright.errors import QuarantineError, RetrieverError
from goldwright.live_agents.document_reranker import PROMPT, LiveDocumentReranker
from goldwright.llm.budget import Budget
from goldwright.llm.model_identity import SameModelProvider
from goldwright.retrieval.entity_documents import EntityDocument

SPEC: Final = "model"


class ModelReranker:
    """Has a model grade the documents of a pool."""

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
        try:
            grades = await reranker.grade(query, texts)
        finally:
            await adapter.close()
        return list(map(float, grades))
