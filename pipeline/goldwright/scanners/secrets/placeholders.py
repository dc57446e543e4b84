"""What stands in the place of a secret."""

import hashlib
from typing import Final

MASK_START: Final = "<secret:"
# Enough to tell the secrets of a codebase apart.
_DIGITS: Final = 8


def mask_for(kind: str, secret: str) -> str:
    """Give the mask of a secret; equal secrets of one kind have equal masks."""
    # Text of unknown origin may hold lone surrogates, which strict UTF-8 refuses.
    data = secret.encode("utf-8", "surrogatepass")
    digits = hashlib.sha256(data).hexdigest()[:_DIGITS]
    return f"{MASK_START}{kind}:{digits}>"
