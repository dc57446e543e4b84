"""Citations for facts that were changed: a careful forger cites lines that bear the new names."""

from collections.abc import Iterator, Sequence

from goldwright.canaries.mutations.case import MutationCase
from goldwright.canaries.mutations.code_text import has_word
from goldwright.records import FactCitation
from goldwright.snapshot.mentions.code_words import named_words


def citing_new_names(
    case: MutationCase, claim_id: str, text: str, citations: Sequence[FactCitation]
) -> tuple[FactCitation, ...]:
    """Cite the lines of a fact, and one more line for each name that these lack.

    The gate holds a fact against its own lines. Names that stand on no line of the expected
    definitions which the Oracle has read are left as they are.
    """
    cited_text = "\n".join(map(case.code.text_at, citations))
    added: list[FactCitation] = []
    for name in sorted(named_words(text)):
        if has_word(name, cited_text):
            continue
        citation = next(_citations_of(case, claim_id, name), None)
        if citation is not None and citation not in added:
            added.append(citation)
    return (*citations, *added)


def replaced_citations(
    case: MutationCase, claim_id: str, citations: Sequence[FactCitation]
) -> tuple[FactCitation, ...]:
    """Put other citations in the place of those that one claim of an answer has."""
    all_citations = case.answer.fact_citations
    other_citations = [cited for cited in all_citations if cited.claim_id != claim_id]
    own_places = [place for place, cited in enumerate(all_citations) if cited.claim_id == claim_id]
    # In their old place, so that an answer whose citations stay is the same answer.
    place = own_places[0] if own_places else len(other_citations)
    return (*other_citations[:place], *citations, *other_citations[place:])


def _citations_of(case: MutationCase, claim_id: str, name: str) -> Iterator[FactCitation]:
    for path, line in case.code.lines_with(name, case.expected):
        if case.last_read(path, line, line) == line:
            yield FactCitation(claim_id=claim_id, file=path, start=line, end=line)
