"""How much the model of a role is to think."""

from typing import Literal

Effort = Literal["minimal", "low", "medium", "high", "xhigh", "max"]
"""How much a model is to think before it answers; the words are those of the providers."""
