"""Which program this is: the digest of its files, and its commit where it runs from a checkout."""

from pathlib import Path

import goldwright
from goldwright.canonical import digest, digest_bytes
from goldwright.errors import GoldwrightError
from goldwright.snapshot.repository import inspect_repository


def program_digest() -> str:
    """Name the program by the content of its modules."""
    package = _package()
    files = sorted(package.rglob("*.py"))
    return digest(
        {str(path.relative_to(package)): digest_bytes(path.read_bytes()) for path in files}
    )


def program_commit() -> str | None:
    """Read the commit of the checkout that the program runs from; None where it was installed from
    a package.
    """
    checkout = _package().parents[1]
    if not (checkout / ".git").exists() or not (checkout / "pyproject.toml").is_file():
        return None
    try:
        return inspect_repository(checkout).head()
    except GoldwrightError:
        return None


def _package() -> Path:
    return Path(goldwright.__file__).resolve().parent
