"""Words of settings that say how models are asked."""

from typing import Literal

Effort = Literal["minimal", "low", "medium", "high", "xhigh", "max"]
"""How much a model is to think before it answers; the words are those of the providers."""

Cloud = Literal["bedrock", "vertex", "azure"]
"""Where a provider's models are rented from somebody else: Amazon, Google or Microsoft."""
