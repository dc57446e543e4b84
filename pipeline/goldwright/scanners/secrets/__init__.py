"""What a model provider must not be shown: files full of secrets, and secrets in other files.

A secret is replaced by ``<secret:KIND:8 hex digits>``; the digits are the start of its SHA-256, so
that two places that hold the same secret can still be recognised as the same. What counts as a
secret stands in the TOML files beside the modules.
"""

from goldwright.scanners.secrets.file_names import is_secret_file
from goldwright.scanners.secrets.masking import mask_in_value, mask_secrets

__all__ = ["is_secret_file", "mask_in_value", "mask_secrets"]
