"""The rule that the Oracle's model family differs from those of the other roles."""

from collections.abc import Mapping
from typing import Final

from goldwright.app.models.role_models import RoleModel
from goldwright.errors import InputError

ROLES_APART_FROM_ORACLE: Final = (
    "author",
    "adversary",
    "adversary_fallback",
    "completeness",
    "judge",
)
"""The roles whose models must be of another family than the Oracle's."""


def check_families(role_models: Mapping[str, RoleModel]) -> None:
    """Make sure that no role shares the mistakes of the Oracle.

    Raises:
        InputError: A role has a model of the Oracle's family, or of an unknown one.
    """
    oracle = role_models.get("oracle")
    if oracle is None:
        return
    for role in ROLES_APART_FROM_ORACLE:
        role_model = role_models.get(role)
        if role_model is not None:
            _check_independent(role_model, oracle)


def _check_independent(role_model: RoleModel, oracle: RoleModel) -> None:
    """Refuse a model that may share the Oracle's mistakes; an unknown family may be the same."""
    for model in (oracle, role_model):
        if model.family is None:
            raise InputError(
                f"agents.{model.role}: cannot tell the model family of {model.name}; "
                f"set family in [providers.{model.provider}]"
            )
    if oracle.family == role_model.family:
        raise InputError(
            f"agents.{role_model.role}: {role_model.name} is of the Oracle's family "
            f"({role_model.family}) and shares its mistakes; "
            "choose another, or set allow_same_family = true in [agents]"
        )
