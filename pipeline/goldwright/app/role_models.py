"""The models that play the roles of a run, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.llm.catalog import Api
from goldwright.llm.pricing import ModelPricing
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
    """

    role_models: Mapping[str, RoleModel]
    price_date: str
    allow_same_family: bool
    retired: tuple[str, ...] = ()

    @property
    def identities(self) -> dict[str, str]:
        """Who plays each role, as records name it."""
        identities = dict(OFFLINE_IDENTITIES)
        for role, role_model in self.role_models.items():
            identities[role] = role_model.identity
        return {role: identities[role] for role in ROLES}

    @property
    def models(self) -> dict[str, str]:
        """The ``provider:model`` of each role that a model plays."""
        return {role: role_model.name for role, role_model in self.role_models.items()}

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
