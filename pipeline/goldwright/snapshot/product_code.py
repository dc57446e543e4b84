"""Which files are product code: everything but tests, documents, examples and copies of others."""

import re
from pathlib import PurePosixPath
from typing import Final

# Folders whose code nobody asks about, or that would only answer a question a second time.
ASIDE_FOLDERS: Final = frozenset(
    """
    test tests testing t docs doc docs_src examples example samples demo demos benchmark benchmarks
    bench vendor vendored _vendor third_party extern externals extras migrations fixtures
    site-packages node_modules build dist locale testsuite project_template app_template conformance
    tests_typing typing_tests utils_tests
    """.split()
)
# Inside a package, folders of these names are installed with it; beside it they serve its makers.
ASIDE_AT_THE_TOP: Final = frozenset("scripts tools integration requirements ci".split())
ASIDE_FILES: Final = frozenset(
    """
    setup.py conftest.py versioneer.py _version.py version.py noxfile.py tasks.py __version__.py
    __about__.py fabfile.py compat.py
    """.split()
)
# ``test_utils.py`` is what a project gives its users for their tests.
_ASIDE_NAME: Final = re.compile(
    r"^test_(?!utils?\.py$)|_test\.py$|^tests?\.py$|_pb2|^_vendor|generated"
)


def is_product_code(path: str) -> bool:
    """Find out whether a path holds running code of the project itself."""
    parts = PurePosixPath(path).parts
    if parts[-1] in ASIDE_FILES or _ASIDE_NAME.search(parts[-1]):
        return False
    if len(parts) > 1 and parts[0].lower() in ASIDE_AT_THE_TOP:
        return False
    return not any(part.lower() in ASIDE_FOLDERS or part.startswith(".") for part in parts[:-1])
