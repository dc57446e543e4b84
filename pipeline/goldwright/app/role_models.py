"""The models that play the roles of a run, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.paired_adversary import paired_identity
from goldwright.config import OFFLINE
from goldwright.llm.catalog import Api
from goldwright.llm.pricing import ModelPricing
from goldwright.records import Reaction
from goldwright.stages.catalog import ROLES

# Static analysis never waits, so more cases under way would gain nothing.
OFFLINE_CASE_LIMIT: Final = 8
# Each provider may allow up to 1000 calls at a time; a run keeps no more cases than this open.
MAX_CASE_LIMIT: Final = 256


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
            names["adversary"] = f"{first}+{self.second_adversary.name}"
        return names

    @property
    def apis(self) -> dict[str, str]:
        """The protocol of each of these models."""
        return {role: role_model.api for role, role_model in self.role_models.items()}

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
            limits[role_model.name] = role_model.max_concurrency
        return min(sum(limits.values()), MAX_CASE_LIMIT)

    def manifest_fields(self) -> dict[str, object]:
        """Give the fields of a manifest that say who plays."""
        return {
            "roles": self.identities,
            "models": self.models,
            "apis": self.apis,
            "families": self.families,
            "allow_same_family": self.allow_same_family,
            "prices_of": self.price_date,
            "retired": self.retired,
        }
