"""Executors of pieces by the name that the command line gives them."""

import re

import pytest

from goldwright.app.piece_executors import executor_forms, executor_named
from goldwright.engine.piece_executors import ProcessExecutor, SequentialExecutor
from goldwright.errors import InputError


def test_a_name_makes_its_executor() -> None:
    assert isinstance(executor_named("local"), SequentialExecutor)
    assert isinstance(executor_named("processes:2"), ProcessExecutor)


@pytest.mark.parametrize(
    "name",
    ["", "remote", "Local", "local:2", "processes", "processes:", "processes:0", "processes:257"],
)
def test_what_names_no_executor_is_refused_with_the_names_there_are(name: str) -> None:
    message = f"--executor {name}: wanted {executor_forms()}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        executor_named(name)


def test_the_forms_are_named_in_words() -> None:
    assert executor_forms().startswith("local, processes:N")
    assert executor_forms().endswith(" or ray[:ADDRESS]")
