"""Which files are product code: everything but tests, documents, examples and copies of others."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from goldwright.snapshot.word_files import TextFiles, files_with

# As ``e2e-tests`` and ``typing_tests``.
FOLDER_OF_TESTS: Final = re.compile(r"[-_]tests$|-test$")
_TESTS_AT_THE_END: Final = re.compile(r"_?tests?$")
# Folders whose code nobody asks about, or that would only answer a question a second time.
ASIDE_FOLDERS: Final = frozenset(
    """
    tests docs_src examples example samples demo demos vendor vendored _vendor
    third_party extern externals fixtures site-packages node_modules locale testsuite
    project_template app_template conformance tests_typing
    """.split()
)
# Most of them are aside too; but a library may help its users to test, to measure, or to migrate
# their data.
FOLDERS_IN_DOUBT: Final = frozenset(
    "test testing t doc docs extras build dist migrations bench benchmark benchmarks".split()
)
# Inside a package, folders of these names are installed with it; beside it they serve its makers.
ASIDE_AT_THE_TOP: Final = frozenset("scripts tools integration requirements ci".split())
# Beside a package they serve its makers; inside, they are modules as any: ``importer/tasks.py``.
FILES_OF_MAKERS: Final = frozenset("setup.py noxfile.py tasks.py fabfile.py".split())
ASIDE_FILES: Final = frozenset(
    "conftest.py versioneer.py _version.py version.py __version__.py __about__.py".split()
)
# Below a folder in doubt, what stands in for the real thing in tests.
_FOLDER_OF_DOUBLES: Final = re.compile(r"^_?(?:fake|mock|stub|dummy|dummies)")
# ``test_utils.py`` is what a project gives its users for their tests.
_ASIDE_NAME: Final = re.compile(
    r"^test_(?!utils?\.py$)|_test\.py$|^tests?\.py$|_pb2|^_vendor|generated"
)
_MODULE_OF_TESTS: Final = re.compile(r"(?:^|/)test_\w+\.py$")
_FOR_TESTS: Final = frozenset({"test", "testing"})
# As tools name the steps of a migration: after their number, in a folder of versions, or both.
_MIGRATION: Final = re.compile(r"(?:^|/)(?:\d[^/]*|versions/[^/]+)\.py$")
_INIT: Final = "__init__.py"


def is_product_code(codebase: TextFiles, path: str) -> bool:
    """Check whether a path holds running code of the project itself.

    A folder such as ``test`` counts as the project's own where it is a package inside a package,
    holds hardly any tests, and is imported from elsewhere, as ``django/test`` is; and so does
    a module such as ``test_set.py``.
    """
    verdicts = _verdicts(codebase)
    if path not in verdicts:
        verdicts[path] = _is_product_code(codebase, path)
    return verdicts[path]


@lru_cache(maxsize=4)
def _verdicts(codebase: TextFiles) -> dict[str, bool]:  # noqa: ARG001  # one for each codebase
    """Give the paths of a codebase that were looked at: each is asked about hundreds of times."""
    return {}


def _is_product_code(codebase: TextFiles, path: str) -> bool:
    if _is_aside_by_place(codebase, path):
        return False
    is_test_by_name = _ASIDE_NAME.search(PurePosixPath(path).name) is not None
    if is_test_by_name and not (_MODULE_OF_TESTS.search(path) and _is_imported(codebase, path)):
        return False
    doubtful = list(_folders_in_doubt(path))
    return not doubtful or _packages_in_doubt(codebase).issuperset(doubtful)


def _is_aside_by_place(codebase: TextFiles, path: str) -> bool:
    """Check whether a path lies where no product code does, whatever the codebase does with it."""
    parts = PurePosixPath(path).parts
    if parts[-1] in ASIDE_FILES:
        return True
    if parts[-1] in FILES_OF_MAKERS and not _is_in_package(codebase, path):
        return True
    if len(parts) > 1 and _is_aside_at_the_top(codebase, parts[0].lower()):
        return True
    if any(map(_is_aside, parts[:-1])) or _is_in_folder_of_scripts(codebase, parts):
        return True
    folders = [folder.lower() for folder in parts[:-1]]
    has_doubles = any(map(_FOLDER_OF_DOUBLES.search, folders))
    return has_doubles and any(True for _ in _folders_in_doubt(path))


def _is_aside_at_the_top(codebase: TextFiles, folder: str) -> bool:
    # Beside ``src``, a ``dummyserver`` is there for tests; by itself, ``fakeredis`` is the package.
    is_double = _FOLDER_OF_DOUBLES.search(folder) is not None
    is_of_makers = folder in ASIDE_AT_THE_TOP or (is_double and _has_source_folder(codebase))
    return is_of_makers or _is_tests_of_package(codebase, folder)


def _is_tests_of_package(codebase: TextFiles, folder: str) -> bool:
    """Check whether a folder is called after a package beside it, as ``ropetest`` is."""
    package = _TESTS_AT_THE_END.sub("", folder)
    return package != folder and f"{package}/{_INIT}" in codebase.files


def _is_in_folder_of_scripts(codebase: TextFiles, parts: tuple[str, ...]) -> bool:
    """Check whether a file lies where nothing can be imported from, beside code that can be.

    As in ``notes-to-self/reopen-pipe.py``.
    """
    folder = parts[-2] if len(parts) > 1 else "here"
    return not folder.isidentifier() and folder != "src" and _has_packages(codebase)


@lru_cache(maxsize=4)
def _has_packages(codebase: TextFiles) -> bool:
    return any(path.endswith(f"/{_INIT}") for path in codebase.files)


@lru_cache(maxsize=4)
def _has_source_folder(codebase: TextFiles) -> bool:
    return any(path.startswith("src/") and path.endswith(".py") for path in codebase.files)


def _is_aside(folder: str) -> bool:
    name = folder.lower()
    is_of_tests = FOLDER_OF_TESTS.search(name) is not None
    return name in ASIDE_FOLDERS or name.startswith(".") or is_of_tests


def product_code_among(codebase: TextFiles, paths: Iterable[str]) -> tuple[str, ...]:
    """Give the paths that hold product code, in their order."""
    return tuple(path for path in paths if is_product_code(codebase, path))


def _folders_in_doubt(path: str) -> Iterator[str]:
    for folder in PurePosixPath(path).parents:
        if folder.name.lower() in FOLDERS_IN_DOUBT:
            yield str(folder)


@lru_cache(maxsize=4)
def _packages_in_doubt(codebase: TextFiles) -> frozenset[str]:
    """Find the folders of doubtful names that are packages of the project itself."""
    files: Counter[str] = Counter()
    files_aside: Counter[str] = Counter()
    for path in codebase.files:
        name = PurePosixPath(path).name
        if not name.endswith(".py") or name == _INIT:
            continue
        for folder in _folders_in_doubt(path):
            files[folder] += 1
            below = path.removeprefix(f"{folder}/")
            files_aside[folder] += bool(_ASIDE_NAME.search(name) or _MIGRATION.search(below))
    # A third is far from both: packages of tests hold helpers, up to half of all, and packages that
    # help to test hold tests of themselves at most.
    mostly_code = [folder for folder, count in files.items() if 3 * files_aside[folder] < count]
    packages = [folder for folder in mostly_code if _is_package_in_package(codebase, folder)]
    return frozenset(folder for folder in packages if _is_in_use(codebase, folder))


def _is_in_use(codebase: TextFiles, folder: str) -> bool:
    """Check whether a package for tests is imported: else tests alone use what it holds."""
    name = PurePosixPath(folder).name
    return name.lower() not in _FOR_TESTS or _is_imported(codebase, folder)


def _is_imported(codebase: TextFiles, path: str) -> bool:
    """Check whether code that is no test imports a module or package from the package around it.

    What stands in very many files counts as imported.
    """
    module = PurePosixPath(path).with_suffix("")
    if not _is_in_package(codebase, path):
        return False
    paths = files_with(codebase, module.name)
    if paths is None:
        return True
    name = re.escape(module.name)
    package = re.escape(module.parent.name)
    dotted = rf"(?:from|import)[ \t]+(?:[\w.]*\b{package})?\.{name}\b"
    names_before = r"[\w, \t(]*(?:\n[\w, \t]*)*?"
    listed = rf"from[ \t]+(?:\.+|[\w.]*\b{package})[ \t]+import{names_before}\b{name}\b"
    pattern = rf"^[ \t]*(?:{dotted}|{listed})"
    imports = re.compile(pattern.encode(), re.MULTILINE)
    code_elsewhere = (
        other_path
        for other_path in paths
        if not other_path.startswith(f"{path}/") and _is_plainly_code(codebase, other_path)
    )
    return any(imports.search(codebase.data(code_path)) is not None for code_path in code_elsewhere)


def _is_plainly_code(codebase: TextFiles, path: str) -> bool:
    """Check whether neither the name nor the place of a file says anything of tests."""
    is_test_by_name = _ASIDE_NAME.search(PurePosixPath(path).name) is not None
    is_doubtful = any(True for _ in _folders_in_doubt(path))
    return not is_test_by_name and not is_doubtful and not _is_aside_by_place(codebase, path)


def _is_in_package(codebase: TextFiles, path: str) -> bool:
    return str(PurePosixPath(path).with_name(_INIT)) in codebase.files


def _is_package_in_package(codebase: TextFiles, folder: str) -> bool:
    around = str(PurePosixPath(folder).parent)
    return all(f"{package}/{_INIT}" in codebase.files for package in (folder, around))
