"""The version of the trust card, for whoever only reads one."""

from typing import Final

CARD_VERSION: Final = 5
"""Changes with whatever may change a figure, so that a card of an older program is not kept."""
