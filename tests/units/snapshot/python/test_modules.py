"""What Python files are imported as."""

import pytest

from goldwright.snapshot.languages.python.modules import (
    absolute_module,
    import_roots,
    module_name,
    module_names,
)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("shop.py", "shop"),
        ("shop/basket.pyi", "shop.basket"),
        ("shop/__init__.py", "shop"),
        ("src/shop/deep/__init__.py", "src.shop.deep"),
        ("__init__.py", "__init__"),
    ],
)
def test_a_module_is_named_after_its_path(path: str, name: str) -> None:
    assert module_name(path) == name


def test_a_package_is_imported_by_its_own_name_wherever_it_stands() -> None:
    """Its full path is a name too, unless a package has that name."""
    paths = ("src/shop/__init__.py", "src/shop/core.py", "tools/run.py")
    assert module_names(paths) == {
        "shop": "src/shop/__init__.py",
        "shop.core": "src/shop/core.py",
        "run": "tools/run.py",
        "src.shop": "src/shop/__init__.py",
        "src.shop.core": "src/shop/core.py",
        "tools.run": "tools/run.py",
    }


@pytest.mark.parametrize(
    ("paths", "roots"),
    [
        (["shop.py"], {"shop"}),
        (["shop/core.py"], {"shop"}),
        (["src/shop/core.py"], {"shop"}),
        (["lib/core.py"], {"core"}),
        (["a/b/__init__.py", "a/b/c/__init__.py", "a/b/c/d.py"], {"a", "b"}),
    ],
)
def test_an_import_starts_below_a_source_root_or_at_the_outermost_package(
    paths: list[str], roots: set[str]
) -> None:
    assert import_roots(paths) == roots


@pytest.mark.parametrize(
    ("module", "level", "name"),
    [("core", 1, "a.b.core"), ("", 1, "a.b"), ("core", 2, "a.core"), ("", 3, "")],
)
def test_a_relative_import_counts_from_the_file(module: str, level: int, name: str) -> None:
    assert absolute_module("a/b/use.py", module, level) == name
