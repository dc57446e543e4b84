"""Which program this is: the digest of its files, and its commit where it runs from a checkout."""

from pathlib import Path

import goldwright
from goldwright.canonical import digest, digest_bytes
from goldwright.errors import GoldwrightError
from goldwright.snapshot.git.repository import inspect_repository


def program_digest() -> str:
    """Name the program by the content of its modules."""
    package = _package_directory()
    digests = {}
    for path in sorted(package.rglob("*.py")):
        name = str(path.relative_to(package))
        digests[name] = digest_bytes(path.read_bytes())
    return digest(digests)


def program_commit() -> str | None:
    """Give the commit of the checkout that the program runs from; None for an installed package."""
    checkout = _package_directory().parents[1]
    # Site-packages may lie inside somebody's repository; only a checkout of ours has both.
    if not (checkout / ".git").exists() or not (checkout / "pyproject.toml").is_file():
        return None
    try:
        return inspect_repository(checkout).head()
    except GoldwrightError:
        return None


def _package_directory() -> Path:
    return Path(goldwright.__file__).resolve().parent
