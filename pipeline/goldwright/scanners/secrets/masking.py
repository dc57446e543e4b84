"""Hiding the secrets in a text."""

import re

from goldwright.scanners.secrets.placeholders import MASK_START, mask_for
from goldwright.scanners.secrets.plausibility import is_plausible
from goldwright.scanners.secrets.private_keys import mask_private_keys
from goldwright.scanners.secrets.rules import SecretRule, load_rules


def mask_secrets(text: str) -> str:
    """Write a text with its secrets hidden; it keeps the number of its lines.

    A whole file is safer to mask than a part of it: the part of a key that lost its first line
    looks like any data.
    """
    masked = mask_private_keys(text)
    # Taken once: the masks of one rule are no hints of the next.
    lower_text = masked.lower()
    for rule in load_rules():
        if any(hint in lower_text for hint in rule.hints):
            masked = apply_rule(rule, masked)
    return masked


def mask_in_value(value: object) -> object:
    """Copy a JSON value with the secrets in its texts hidden."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, dict):
        return {name: mask_in_value(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [mask_in_value(member) for member in value]
    return value


def apply_rule(rule: SecretRule, text: str) -> str:
    """Write a text with the secrets of one rule hidden."""
    part = rule.hidden_part

    def hide(match: re.Match[str]) -> str:
        secret = match[part]
        if MASK_START in secret:
            # An earlier rule, or an earlier call, has hidden it already.
            return match[0]
        if rule.is_weighed and not is_plausible(match):
            return match[0]
        start, end = match.span(part)
        before = text[match.start() : start]
        after = text[end : match.end()]
        return before + mask_for(rule.kind, secret) + after

    return rule.pattern.sub(hide, text)
