"""A model is tried out before a run works with it; what cannot be asked at all stops the run."""

import asyncio
from typing import cast

import pytest

from goldwright.app.models.role_models import RoleModel
from goldwright.app.runs.preflight import try_out
from goldwright.errors import ProviderError, QuarantineError, UnansweredError, UnreachableError
from goldwright.llm.port import Reply, Request

NAME = "workshop:qwen3-coder"


class OneModel:
    """The two names that trying a model out needs of it."""

    name = NAME
    model = "qwen3-coder"


class Ending:
    """A provider that ends every item in the same error."""

    def __init__(self, error: type[QuarantineError]) -> None:
        self._error = error

    async def ask(self, request: Request) -> Reply:
        raise self._error(f"{request.item}: {NAME}: nothing answers at http://localhost:1/v1")


def try_out_with(error: type[QuarantineError]) -> None:
    models = {"oracle": cast("RoleModel", OneModel())}
    asyncio.run(try_out(models, {"oracle": Ending(error)}))


def test_a_server_that_is_not_there_stops_the_run_with_its_address() -> None:
    with pytest.raises(ProviderError) as caught:
        try_out_with(UnreachableError)
    assert str(caught.value) == f"{NAME}: nothing answers at http://localhost:1/v1"


@pytest.mark.parametrize("error", [QuarantineError, UnansweredError])
def test_an_exchange_that_came_to_nothing_says_nothing_of_the_model(
    error: type[QuarantineError],
) -> None:
    try_out_with(error)
