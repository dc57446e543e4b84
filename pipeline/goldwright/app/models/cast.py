"""The cast of a run: every role, played by a model or offline."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from goldwright.agents.paired_adversary import PairedAdversary
from goldwright.agents.roles import Adversary, Author, Cast, CompletenessReader, Judge, Oracle
from goldwright.app.models.provider_stack import open_role_adapter, with_pace_budget_and_retries
from goldwright.app.models.role_models import ModelSetup, RoleModel
from goldwright.app.runs.preflight import try_out
from goldwright.engine.clock import Clock
from goldwright.live_agents.adversary import LiveAdversary
from goldwright.live_agents.author import LiveAuthor
from goldwright.live_agents.completeness import LiveCompletenessReader
from goldwright.live_agents.judge import LiveJudge
from goldwright.live_agents.oracle import LiveOracle
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import RoleClient
from goldwright.llm.batch_pace import BatchPace
from goldwright.llm.batching import BatchingProvider
from goldwright.llm.budget import Budget
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.catalog import Api, CloudAccess, open_batches
from goldwright.llm.journaling import JournalingProvider, ReplayingProvider
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.port import Adapter, Provider
from goldwright.offline_agents import (
    OfflineAdversary,
    OfflineCompletenessReader,
    OfflineJudge,
    OfflineOracle,
)
from goldwright.offline_agents.author import OfflineAuthor
from goldwright.prompts import PromptLibrary
from goldwright.snapshot import Snapshot


def _ignore(_text: str) -> None:
    """Stand in where nobody reads along."""


SECOND_ADVERSARY: Final = "second_adversary"
"""Names, among the players, the Adversary that plays beside another one."""


@dataclass(frozen=True, slots=True)
class RunServices:
    """What all live roles of a run share.

    Attributes:
        call_journal: Every request and reply, on disk.
        budget: The money of the run.
        prompts: The prompts of the roles.
        secret: The run's own number, from which marks around material for models are derived.
        lessons: What people found wrong with the batch that this run replaces.
        clock: Measures pauses, and waits.
        chance: Spreads retries.
        on_stopping: Called when work is stopped while calls that are paid for are under way.
        tries_out: Whether every model is tried out before it works.
        batch_pace: When batches are handed in and asked about.
        note: Tells the user what is waited for.
    """

    call_journal: CallJournal
    budget: Budget
    prompts: PromptLibrary
    secret: str
    lessons: tuple[str, ...]
    clock: Clock
    chance: Random
    on_stopping: Callable[[], None]
    tries_out: bool = False
    batch_pace: BatchPace = field(default_factory=BatchPace)
    note: Callable[[str], None] = _ignore


@asynccontextmanager
async def open_cast(
    model_setup: ModelSetup, snapshot: Snapshot, services: RunServices
) -> AsyncIterator[Cast]:
    """Give the cast of a run; every connection is closed at the end.

    Raises:
        ProviderError: A model or its server cannot do what its roles need.
    """
    async with AsyncExitStack() as stack:
        providers = _ProviderPool(stack, services)
        clients: dict[str, RoleClient] = {}
        players = dict(model_setup.role_models)
        if model_setup.second_adversary is not None:
            players[SECOND_ADVERSARY] = model_setup.second_adversary
        for name, role_model in players.items():
            provider = providers.provider_for(role_model)
            provider_with_effort = role_model.with_effort(provider)
            clients[name] = _role_client(role_model, provider_with_effort, services)
        if services.tries_out:
            # At once: what a model cannot do should not show after a day.
            by_name = {}
            for name, role_model in players.items():
                single_model = replace(role_model, in_batches=False)
                provider = providers.provider_for(single_model)
                by_name[name] = role_model.with_effort(provider)
            await try_out(players, by_name)
            await providers.try_batches()
        # One for both, because it masks and searches each file once.
        renderer = OutputRenderer(snapshot)
        author = _author(clients.get("author"), snapshot, renderer)
        oracle = _oracle(clients.get("oracle"), snapshot, renderer)
        adversary = _adversary(clients.get("adversary"), snapshot)
        if SECOND_ADVERSARY in clients:
            second = _adversary(clients[SECOND_ADVERSARY], snapshot)
            adversary = PairedAdversary(adversary, second)
        completeness = _completeness(clients.get("completeness"), snapshot)
        judge = _judge(clients.get("judge"))
        yield Cast(author, oracle, adversary, completeness, judge)


def _role_client(role_model: RoleModel, provider: Provider, services: RunServices) -> RoleClient:
    return RoleClient(
        role_model.role,
        role_model.model,
        provider,
        services.call_journal,
        services.prompts,
        services.secret,
        services.lessons,
    )


def _author(client: RoleClient | None, snapshot: Snapshot, renderer: OutputRenderer) -> Author:
    if client is None:
        return OfflineAuthor(snapshot)
    return LiveAuthor(client, renderer)


def _oracle(client: RoleClient | None, snapshot: Snapshot, renderer: OutputRenderer) -> Oracle:
    if client is None:
        return OfflineOracle(snapshot)
    return LiveOracle(client, renderer)


def _adversary(client: RoleClient | None, snapshot: Snapshot) -> Adversary:
    if client is None:
        return OfflineAdversary(snapshot)
    return LiveAdversary(client, snapshot)


def _completeness(client: RoleClient | None, snapshot: Snapshot) -> CompletenessReader:
    if client is None:
        return OfflineCompletenessReader(snapshot)
    return LiveCompletenessReader(client, snapshot)


def _judge(client: RoleClient | None) -> Judge:
    if client is None:
        return OfflineJudge()
    return LiveJudge(client)


@dataclass(frozen=True, slots=True)
class _ModelEndpoint:
    """The address, protocol and key of a connection; models with the same ones share it."""

    api: Api
    base_url: str
    key: str = field(repr=False)
    timeout: float
    cloud: CloudAccess | None


class _ProviderPool:
    """The providers of a run: one adapter for each connection, one stack for each model."""

    def __init__(self, stack: AsyncExitStack, services: RunServices) -> None:
        self._stack = stack
        self._services = services
        self._adapters: dict[_ModelEndpoint, Adapter] = {}
        self._providers: dict[tuple[str, bool], Provider] = {}
        self._batching: list[BatchingProvider] = []

    def provider_for(self, role_model: RoleModel) -> Provider:
        """Give the provider of a model; roles that share the model share its pace too."""
        name = (role_model.name, role_model.in_batches)
        if name not in self._providers:
            self._providers[name] = self._build(role_model)
        return self._providers[name]

    async def try_batches(self) -> None:
        """Look whether every model that is asked in batches can be.

        Raises:
            ProviderError: One cannot.
        """
        for batching in self._batching:
            await batching.try_out()

    def _build(self, role_model: RoleModel) -> Provider:
        """Put the wrappers around an adapter; decision 7 gives the reasons for their order."""
        services = self._services
        adapter = self._adapter(role_model)
        asked_adapter = self._in_batches(role_model, adapter) if role_model.in_batches else adapter
        same_model = SameModelProvider(asked_adapter)
        journaling = JournalingProvider(
            same_model,
            services.call_journal,
            role_model.effective_pricing,
            stopping=services.on_stopping,
            now=services.clock.now,
            in_batches=role_model.in_batches,
        )
        retrying = with_pace_budget_and_retries(
            journaling,
            role_model,
            budget=services.budget,
            clock=services.clock,
            chance=services.chance,
        )
        # Outermost, so that a reply that is on disk takes no place, no money and no time.
        return ReplayingProvider(retrying, services.call_journal)

    def _in_batches(self, role_model: RoleModel, adapter: Adapter) -> Provider:
        services = self._services
        batch_api = open_batches(role_model.api, adapter)
        batching = BatchingProvider(
            batch_api,
            services.call_journal,
            role_model.model,
            pace=services.batch_pace,
            sleep=services.clock.sleep,
            secret=services.secret,
            note=services.note,
        )
        # Before its connection is closed.
        self._stack.push_async_callback(batching.close)
        batching.follow_earlier()
        self._batching.append(batching)
        return batching

    def _adapter(self, role_model: RoleModel) -> Adapter:
        connection = _ModelEndpoint(
            role_model.api,
            role_model.base_url,
            role_model.key,
            role_model.timeout,
            role_model.cloud,
        )
        if connection not in self._adapters:
            adapter = open_role_adapter(role_model)
            self._stack.push_async_callback(adapter.close)
            self._adapters[connection] = adapter
        return self._adapters[connection]
