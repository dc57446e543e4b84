"""Sets that sentences of embedded agents name, derived again at both commits by tokens.

Most sentences that close a set are of a known form, and the Adversary's reader derives the set of
such a sentence from the code. Where it finds the same at both commits, the sentence is as true as
it was, whatever else came or went in the lines with its names.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from goldwright.agents.toolset import Toolset
from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.golden.rebase.anchors import Anchors
from goldwright.offline_agents.prose.prose_reading import read_narrative
from goldwright.offline_agents.prose.prose_writing import NO_OTHER_TAKER
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.library_uncalled import LibraryUncalled
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.only_takers import OnlyTakers
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import GoldenLabel

_SETS_WITHOUT_MEMBERS: Final = (OnlyHolder, LibraryUncalled)


class DerivedSets:
    """The sets of one record at both commits."""

    def __init__(
        self, label: GoldenLabel, targets: Mapping[str, AnchorTarget], anchors: Anchors
    ) -> None:
        """Read nothing yet.

        Args:
            label: The record at the old commit.
            targets: Where each entity of the record is now, by its old id, as far as it is known.
            anchors: The two commits.
        """
        self._label = label
        self._targets = targets
        self._anchors = anchors

    def newcomers(self, sentence: str, *, before: str = "") -> tuple[str, ...]:
        """Give the qualified names that belong to the sets of a sentence now and did not."""
        added: dict[str, None] = {}
        for statement in self._sets_of(sentence, before):
            was, is_now = (_members(statement, code) for code in self._codebases)
            new_members = sorted(is_now - was)
            added.update(dict.fromkeys(new_members))
        return tuple(added)

    def are_same(self, sentence: str, *, before: str = "") -> bool | None:
        """Tell whether a sentence says of both commits the same, true or false.

        Args:
            sentence: The sentence.
            before: What stands before it, to which it may refer.

        Returns:
            None where its form is not known, or the code of one commit does not show it.
        """
        # An entity without a place leaves nothing to compare.
        if len(self._targets) < len(self._label.entity_ids):
            return None
        statements = self._sets_of(sentence, before)
        if not statements:
            return None
        old, new = self._codebases
        was = [statement.is_shown(old)[0] for statement in statements]
        is_now = [statement.is_shown(new)[0] for statement in statements]
        if "unclear" in {*was, *is_now}:
            return None
        return was == is_now

    def _sets_of(self, sentence: str, before: str) -> list[Statement]:
        # What a body does stands in lines that the record cites.
        return [
            statement
            for statement in self._statements_of(sentence, before)
            if statement.members or isinstance(statement, _SETS_WITHOUT_MEMBERS)
        ]

    def _statements_of(self, sentence: str, before: str) -> Iterator[Statement]:
        if sentence == NO_OTHER_TAKER:
            # The name was told before, and the fact holds the whole set.
            facts = map(read_statement, self._label.must_mention_facts)
            yield from (fact for fact in facts if isinstance(fact, OnlyTakers))
            return
        entity_ids = self._label.entity_ids
        names = [entity_id.rpartition("::")[2] for entity_id in entity_ids]
        known_statements: set[Statement] = set()
        if before:
            known_statements = {statement for _, statement in read_narrative(before, names)}
        for _, statement in read_narrative(f"{before} {sentence}".strip(), names):
            if statement not in known_statements:
                yield statement

    @cached_property
    def _codebases(self) -> tuple[TokenCodebase, TokenCodebase]:
        old, new = self._anchors.old, self._anchors.new
        entity_ids = self._label.entity_ids
        new_ids = [self._targets[entity_id].new.entity_id for entity_id in entity_ids]
        old_codebase = TokenCodebase(old, Toolset(old), entity_ids)
        new_codebase = TokenCodebase(new, Toolset(new), new_ids)
        return old_codebase, new_codebase


def _members(statement: Statement, code: TokenCodebase) -> frozenset[str]:
    """Give the members of a set as the code of a commit shows them; none where it does not."""
    if isinstance(statement, ClosedSet):
        return statement.seen_members(code) or frozenset()
    if isinstance(statement, OnlyHolder):
        return statement.holders(code)
    return frozenset()
