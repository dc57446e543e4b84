"""The models that play the roles of a run, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.paired_adversary import paired_identity
from goldwright.config import OFFLINE
from goldwright.errors import InputError
from goldwright.llm.catalog import BATCH_PRICE, BATCHED, Api, CloudAccess
from goldwright.llm.effort import EffortProvider
from goldwright.llm.port import Provider
from goldwright.llm.pricing import ModelPricing
from goldwright.records import Effort, Reaction
from goldwright.stages.stage_graph import ROLES

# Static analysis never waits, so more cases under way would gain nothing.
OFFLINE_CASE_LIMIT: Final = 8
# Each provider may allow up to 1000 calls at a time; a run keeps no more cases than this open.
MAX_CASE_LIMIT: Final = 256
# A batch should hold all that there is to ask; its cases wait and do nothing.
MAX_CASES_IN_BATCHES: Final = 1000

BATCH_ROLES: Final = ("adversary", "completeness", "judge")
"""The roles that can wait for batches: what the others say decides what is asked next."""


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The model that plays one role, and how it is reached.

    Attributes:
        role: The role that it plays.
        provider: The provider by its name in the settings.
        model: The model by the provider's name for it.
        api: The protocol that the provider speaks.
        key: The API key; empty where nothing will be asked.
        base_url: The address of the provider.
        timeout: Seconds for one attempt.
        max_concurrency: Calls under way at a time.
        requests_per_second: Calls that begin in a second at most, None where nobody said.
        family: The model family, None where it is not known.
        pricing: What its tokens cost.
        stream: Whether its replies come as streams, where its protocol knows them.
        in_batches: Whether it is asked in batches, at the price of those.
        effort: How much it is to think; None for its provider's own choice.
        cloud: Where in a cloud it is rented; None for the provider itself.
    """

    role: str
    provider: str
    model: str
    api: Api
    key: str = field(repr=False)
    base_url: str
    timeout: float
    max_concurrency: int
    requests_per_second: float | None
    family: str | None
    pricing: ModelPricing
    stream: bool = True
    in_batches: bool = False
    effort: Effort | None = None
    cloud: CloudAccess | None = None

    def with_effort(self, provider: Provider) -> Provider:
        """Have a provider of this model think as much as the role wants."""
        if self.effort is None:
            return provider
        return EffortProvider(provider, self.effort)

    @property
    def effective_pricing(self) -> ModelPricing:
        """What its tokens cost in the way in which it is asked."""
        return self.pricing.scaled(BATCH_PRICE) if self.in_batches else self.pricing

    def asked_in_batches(self) -> "RoleModel":
        """Ask it in batches.

        Raises:
            InputError: Its provider takes none.
        """
        beginning = f"--batch: {self.name} plays the {self.role}"
        if self.cloud is not None:
            raise InputError(
                f"{beginning} in a cloud ({self.cloud.cloud}), "
                "where the batch APIs of providers are not known"
            )
        if self.api not in BATCHED:
            batched = ", ".join(BATCHED)
            raise InputError(
                f"{beginning} over the {self.api} API, which takes no batches; {batched} do"
            )
        return replace(self, in_batches=True)

    @property
    def name(self) -> str:
        """``provider:model``, as in the settings."""
        return f"{self.provider}:{self.model}"

    @property
    def identity(self) -> str:
        """Who plays, as records name it."""
        return f"agent:{self.role}:{self.model}"


@dataclass(frozen=True, slots=True)
class ModelSetup:
    """Which models play in a run.

    Attributes:
        role_models: The models by role; a role that is missing is played offline.
        price_date: The date of the price table, empty where no model plays.
        allow_same_family: Whether the Oracle may share its family with the other roles.
        retired: Models that may play no role any more.
        fallback: The Adversary that follows one that is found to be weak.
        is_doubled: Whether it attacks every answer beside the first.
    """

    role_models: Mapping[str, RoleModel]
    price_date: str
    allow_same_family: bool
    retired: tuple[str, ...] = ()
    fallback: RoleModel | None = None
    is_doubled: bool = False

    @property
    def second_adversary(self) -> RoleModel | None:
        """The model that attacks every answer beside the Adversary, if any does."""
        return self.fallback if self.is_doubled else None

    def after(self, reaction: Reaction) -> "ModelSetup":
        """Who plays once an Adversary was found to be weak; all as before without a fallback."""
        if self.fallback is None:
            return self
        if reaction == "double":
            return replace(self, is_doubled=True)
        return replace(self, role_models={**self.role_models, "adversary": self.fallback})

    def asked_in_batches(self) -> "ModelSetup":
        """Ask the models of the roles that can wait in batches.

        Raises:
            InputError: No model plays such a role, or its provider takes no batches.
        """
        waiting = {}
        for role in BATCH_ROLES:
            if role in self.role_models:
                waiting[role] = self.role_models[role].asked_in_batches()
        if not waiting:
            roles = ", ".join(BATCH_ROLES)
            raise InputError(f"--batch: no model plays a role that can wait ({roles})")
        fallback = self.fallback and self.fallback.asked_in_batches()
        return replace(self, role_models={**self.role_models, **waiting}, fallback=fallback)

    @property
    def identities(self) -> dict[str, str]:
        """Who plays each role, as records name it."""
        identities = dict(OFFLINE_IDENTITIES)
        for role, role_model in self.role_models.items():
            identities[role] = role_model.identity
        if self.second_adversary is not None:
            second = self.second_adversary.identity
            identities["adversary"] = paired_identity(identities["adversary"], second)
        return {role: identities[role] for role in ROLES}

    @property
    def models(self) -> dict[str, str]:
        """The ``provider:model`` of each role that a model plays, two with a plus between them."""
        names = {role: role_model.name for role, role_model in self.role_models.items()}
        if self.second_adversary is not None:
            first = names.get("adversary", OFFLINE)
            second = self.second_adversary.name
            names["adversary"] = f"{first}+{second}"
        return names

    @property
    def apis(self) -> dict[str, str]:
        """The protocol of each of these models."""
        return {role: role_model.api for role, role_model in self.role_models.items()}

    @property
    def efforts(self) -> dict[str, str]:
        """How much each of these models is to think, where the settings say so."""
        return {
            role: role_model.effort
            for role, role_model in self.role_models.items()
            if role_model.effort is not None
        }

    @property
    def families(self) -> dict[str, str | None]:
        """The family of each of these models."""
        return {role: role_model.family for role, role_model in self.role_models.items()}

    @property
    def case_limit(self) -> int:
        """How many cases are worth having under way at a time."""
        if not self.role_models:
            return OFFLINE_CASE_LIMIT
        # By name: two roles of one model share its pace.
        limits = {}
        for role_model in self.role_models.values():
            if role_model.in_batches:
                return MAX_CASES_IN_BATCHES
            limits[role_model.name] = role_model.max_concurrency
        return min(sum(limits.values()), MAX_CASE_LIMIT)

    def manifest_fields(self) -> dict[str, object]:
        """Give the fields of a manifest that say who plays."""
        return {
            "roles": self.identities,
            "models": self.models,
            "apis": self.apis,
            "efforts": self.efforts,
            "families": self.families,
            "allow_same_family": self.allow_same_family,
            "prices_of": self.price_date,
            "retired": self.retired,
        }
