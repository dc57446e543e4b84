"""Canaries: answers with one claim made false, which show what an Adversary lets through."""
