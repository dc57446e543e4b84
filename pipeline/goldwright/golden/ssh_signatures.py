"""SSH signatures of reviewers: made and checked by ``ssh-keygen -Y``, with the keys they have."""

import subprocess
import tempfile
from pathlib import Path
from typing import Final

from goldwright.errors import InputError

NAMESPACE: Final = "goldwright-review"
"""What a signature is for, so that one that was made for something else is none here."""

# Seconds; a person may have to type the passphrase of their key, or touch it.
_TIMEOUT: Final = 120.0


def principal_of(reviewer: str) -> str:
    """Give the name under which a reviewer stands in a file of allowed signers.

    Blanks end a name there, so a hyphen stands in their place.
    """
    return reviewer.replace(" ", "-")


def sign(data: bytes, key: Path) -> str:
    """Sign data with a private key, or with the agent's for a public one.

    Raises:
        InputError: There is no ``ssh-keygen``, or it cannot sign with this key.
    """
    arguments = ["-Y", "sign", "-q", "-n", NAMESPACE, "-f", str(key)]
    outcome = _run(arguments, data)
    if outcome.returncode != 0:
        problem = _last_line(outcome.stderr)
        raise InputError(f"{key}: cannot sign with it: {problem}")
    return outcome.stdout.decode("ascii", "replace")


def is_signed_by(reviewer: str, data: bytes, signature: str, allowed_signers: Path) -> bool:
    """Whether a signature of data was made with a key that is allowed for a reviewer.

    Raises:
        InputError: There is no ``ssh-keygen``, or the file of allowed signers cannot be read.
    """
    if not allowed_signers.is_file():
        raise InputError(f"{allowed_signers}: is no file of allowed signers")
    with tempfile.NamedTemporaryFile(suffix=".sig") as file:
        file.write(signature.encode("utf-8", "replace"))
        file.flush()
        arguments = ["-Y", "verify", "-n", NAMESPACE, "-I", principal_of(reviewer)]
        places = ["-f", str(allowed_signers), "-s", file.name]
        outcome = _run([*arguments, *places], data)
        return outcome.returncode == 0


def _run(arguments: list[str], data: bytes) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603  # a fixed program, and no shell reads its arguments
            ["ssh-keygen", *arguments],  # noqa: S607  # the user's own, wherever it is installed
            input=data,
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except FileNotFoundError as error:
        raise InputError("ssh-keygen: is not installed, so nothing can be signed") from error
    except subprocess.TimeoutExpired as error:
        raise InputError(f"ssh-keygen: gave no answer within {_TIMEOUT:.0f} s") from error


def _last_line(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").split("\n")
    written_lines = [line.strip() for line in lines if line.strip()]
    return written_lines[-1] if written_lines else "it does not say why"
