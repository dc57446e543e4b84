"""Which files count as the project's own running code."""

from pathlib import Path

import pytest

from goldwright.snapshot import open_snapshot
from goldwright.snapshot.product_code import product_code_among

FILES = """
shop/__init__.py shop/orders.py shop/compat.py
shop/test/__init__.py shop/test/client.py shop/test/runner.py shop/test/test_client.py
shop/test/fakes/__init__.py shop/test/fakes/bank.py shop/fakes/coins.py
shop/db/__init__.py shop/db/migrations/__init__.py shop/db/migrations/state.py
shop/tests/__init__.py shop/tests/helpers.py
shop/users/__init__.py shop/users/migrations/__init__.py shop/users/migrations/0001_first.py
shop/users/migrations/0002_names.py shop/users/migrations/tools.py
shop/web/__init__.py shop/web/test/__init__.py shop/web/test/base.py
shop/web/test/test_pages.py shop/web/test/pages_test.py shop/web/test/fake_till.py
shop/web/test/urls.py
test/helpers.py docs/conf.py shop/docs/guide.py build/shop/orders.py setup.py
tasks.py shop/tasks.py tools/tasks.py shop/version.py shop/conftest.py
e2e-tests/server/hub.py typing_tests/orders.py shop/latest/orders.py
shop/core/__init__.py shop/core/test_set.py shop/core/test_coins.py shop/core/till.py
shop/core/testing/__init__.py shop/core/testing/stalls.py
shop/core/tests/__init__.py shop/core/tests/test_till.py
""".split()
# What imports what; everything else imports nothing.
IMPORTS = {
    "shop/compat.py": "from shop.test import client\n",
    "shop/core/till.py": "from shop.core import (\n    orders,\n    test_set,\n)\n",
    "shop/core/tests/test_till.py": "from ..testing import stalls\nfrom .. import test_coins\n",
    "shop/web/test/base.py": "from shop.core.testing.stalls import stall\n",
}


@pytest.fixture(scope="module")
def product_code(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    root = tmp_path_factory.mktemp("code")
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(IMPORTS.get(name, "value = 1\n"))
    snapshot = open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))
    return product_code_among(snapshot, snapshot.files)


@pytest.mark.parametrize(
    "path",
    "shop/orders.py shop/compat.py shop/test/client.py shop/test/runner.py "
    "shop/db/migrations/state.py shop/tasks.py shop/latest/orders.py shop/fakes/coins.py "
    "shop/core/test_set.py shop/core/till.py".split(),
)
def test_a_package_that_helps_its_users_is_product_code(
    product_code: tuple[str, ...], path: str
) -> None:
    """Else "no other product code" would be said of what such a package does as well."""
    assert path in product_code


@pytest.mark.parametrize(
    "path",
    "shop/test/test_client.py shop/test/fakes/bank.py shop/tests/helpers.py "
    "shop/users/migrations/0001_first.py shop/users/migrations/tools.py "
    "shop/web/test/base.py shop/web/test/pages_test.py "
    "test/helpers.py docs/conf.py shop/docs/guide.py build/shop/orders.py setup.py "
    "tasks.py tools/tasks.py shop/version.py shop/conftest.py e2e-tests/server/hub.py "
    "typing_tests/orders.py shop/core/test_coins.py shop/core/testing/stalls.py".split(),
)
def test_tests_documents_and_steps_of_migrations_are_not(
    product_code: tuple[str, ...], path: str
) -> None:
    assert path not in product_code


def test_a_double_beside_the_sources_is_there_for_tests(
    tmp_path: Path,
) -> None:
    for name in ("alone/fakebank/coins.py", "beside/fakebank/coins.py", "beside/src/shop/a.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(IMPORTS.get(name, "value = 1\n"))
    alone, beside = (
        open_snapshot(tmp_path / name, cache=tmp_path / "cache") for name in ("alone", "beside")
    )
    assert product_code_among(alone, alone.files) == ("fakebank/coins.py",)
    assert product_code_among(beside, beside.files) == ("src/shop/a.py",)


def test_a_package_called_after_another_one_holds_its_tests(tmp_path: Path) -> None:
    """Beside ``rope``, nothing of ``ropetest`` is asked about; by itself, it would be the code."""
    for name in ("rope/__init__.py", "rope/twist.py", "ropetest/twisttest.py", "contest/run.py"):
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(IMPORTS.get(name, "value = 1\n"))
    snapshot = open_snapshot(tmp_path / "code", cache=tmp_path / "cache")
    product = product_code_among(snapshot, snapshot.files)
    assert product == ("contest/run.py", "rope/__init__.py", "rope/twist.py")
