"""Canaries: answers with one claim made false by rule, which show what an Adversary lets through."""
