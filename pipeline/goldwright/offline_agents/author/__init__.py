"""The offline Author: queries from docstrings, comments, messages, call chains and class families,
without a model.
"""

from goldwright.offline_agents.author.author import OfflineAuthor

__all__ = ["OfflineAuthor"]
