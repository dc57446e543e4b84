"""How often each term stands in each document, counted for a whole codebase at once.

Words are numbered as they come and split only once each; everything that there is one of per
occurrence is an array of numbers.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goldwright.retrieval.tokens import WORD, word_tokens

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
# Of every term in every document there is one: half the memory of the former two.
SmallIntegers = NDArray[np.uint32]

# A text with the weight of its words: how many times each of them counts.
WeightedText = tuple[str, int]

# Words that are counted at a time: some 100 MB while it lasts, whatever the size of a codebase.
CHUNK_SIZE: Final = 1 << 21


@dataclass(frozen=True, slots=True)
class TermCounts:
    """A table of terms and documents by term: the documents that hold it, and how often.

    Attributes:
        number_of: The number of each term, from 0.
        starts: Where the entries of each term start in the next two, and behind the last one the
            end; ``len(number_of) + 1`` places.
        documents: The numbers of documents, rising within a term.
        counts: How often the term stands in each, every time as often as its text weighs.
        lengths: The sum of all counts, for each document.
    """

    number_of: Mapping[str, int]
    starts: Integers
    documents: SmallIntegers
    counts: SmallIntegers
    lengths: Numbers

    def entries(self, term: str) -> slice:
        """Tell where the entries of a term are; nowhere for one that no document holds."""
        number = self.number_of.get(term)
        if number is None:
            return slice(0)
        first = int(self.starts[number])
        end = int(self.starts[number + 1])
        return slice(first, end)


def count_terms(
    corpus: Iterable[Iterable[WeightedText]], *, chunk_size: int = CHUNK_SIZE
) -> TermCounts:
    """Count the terms of each document, which consists of texts with weights of 0 or more.

    The result owes nothing to ``chunk_size``, the number of words after which some are counted.
    """
    vocabulary = _Vocabulary()
    chunk = _TermChunk(vocabulary.number_of_word)
    tables: list[_CountTable] = []
    total = 0
    for total, texts in enumerate(corpus, start=1):
        chunk.add(texts)
        if len(chunk.words) >= chunk_size:
            tables.append(_count_chunk(chunk, vocabulary))
            chunk = _TermChunk(vocabulary.number_of_word, first_document=total)
    tables.append(_count_chunk(chunk, vocabulary))
    return _join(tables, vocabulary.number_of_term, total)


@dataclass(slots=True)
class _Vocabulary:
    """Words by number, and the terms that each of them gives.

    Attributes:
        number_of_word: The number of each word; a new one gets the next number when asked for.
        number_of_term: The number of each term, likewise.
        terms: The numbers of the terms of all words that were split, word after word.
        ends: Behind the terms of each of these words; starts with 0.
    """

    number_of_word: defaultdict[str, int] = field(
        default_factory=lambda: defaultdict(count().__next__)
    )
    number_of_term: defaultdict[str, int] = field(
        default_factory=lambda: defaultdict(count().__next__)
    )
    terms: "array[int]" = field(default_factory=lambda: array("q"))
    ends: "array[int]" = field(default_factory=lambda: array("q", [0]))

    def split_new_words(self) -> None:
        """Split the words that were numbered since the last time."""
        split_count = len(self.ends) - 1
        # A dictionary keeps its order, which is that of the numbers.
        new_words = list(self.number_of_word)[split_count:]
        for word in new_words:
            term_numbers = map(self.number_of_term.__getitem__, word_tokens(word))
            self.terms.extend(term_numbers)
            self.ends.append(len(self.terms))


class _TermChunk:
    """Consecutive documents as the numbers of their words.

    Attributes:
        words: The number of every word of every text.
        text_lengths: How many words each text has.
        text_documents: The document of each text, counted from the first one of the chunk.
        text_weights: The weight of each text.
        first_document: The number of that first document.
        document_count: How many documents the chunk has.
    """

    def __init__(self, number_of_word: Mapping[str, int], *, first_document: int = 0) -> None:
        self._number_of_word: Callable[[str], int] = number_of_word.__getitem__
        self.words = array("I")
        self.text_lengths = array("q")
        self.text_documents = array("q")
        self.text_weights = array("q")
        self.first_document = first_document
        self.document_count = 0

    def add(self, texts: Iterable[WeightedText]) -> None:
        """Add the next document."""
        for text, weight in texts:
            if not weight:
                continue
            before = len(self.words)
            word_numbers = map(self._number_of_word, WORD.findall(text))
            self.words.extend(word_numbers)
            self.text_lengths.append(len(self.words) - before)
            self.text_documents.append(self.document_count)
            self.text_weights.append(weight)
        self.document_count += 1


@dataclass(frozen=True, slots=True)
class _CountTable:
    """The counts of a chunk: equal lengths, by term and then by document."""

    terms: SmallIntegers
    documents: SmallIntegers
    counts: SmallIntegers


def _count_chunk(chunk: _TermChunk, vocabulary: _Vocabulary) -> _CountTable:
    vocabulary.split_new_words()
    words = np.array(chunk.words, np.int64)
    terms, terms_per_word = _terms_of(words, vocabulary)
    text_weights = np.array(chunk.text_weights, np.int64)
    weights, weight_numbers = np.unique(text_weights, return_inverse=True)
    # Term, document and weight of an occurrence in one number: sorting numbers is what is fast.
    weight_count = max(1, len(weights))
    document_count = max(1, chunk.document_count)
    text_documents = np.array(chunk.text_documents, np.int64)
    text_codes = text_documents * weight_count + weight_numbers
    text_lengths = np.array(chunk.text_lengths, np.int64)
    word_codes = np.repeat(text_codes, text_lengths)
    code_count = document_count * weight_count
    occurrences = terms * code_count + np.repeat(word_codes, terms_per_word)
    occurrences.sort()
    places, weight_of = np.divmod(occurrences, weight_count)
    first_of_place = np.flatnonzero(np.diff(places, prepend=-1))
    distinct_places = places[first_of_place]
    counts = np.zeros(0, np.uint32)
    if len(first_of_place):
        sums = np.add.reduceat(weights[weight_of], first_of_place)
        counts = sums.astype(np.uint32)
    chunk_terms, chunk_documents = np.divmod(distinct_places, document_count)
    documents = (chunk_documents + chunk.first_document).astype(np.uint32)
    return _CountTable(chunk_terms.astype(np.uint32), documents, counts)


def _terms_of(words: Integers, vocabulary: _Vocabulary) -> tuple[Integers, Integers]:
    """Put the terms of each word in its place; tell how many they are for each word."""
    ends = np.array(vocabulary.ends, np.int64)
    all_terms = np.array(vocabulary.terms, np.int64)
    starts = ends[words]
    terms_per_word = ends[words + 1] - starts
    # Counting on from the start of each word: the distance between the place of a term among all
    # occurrences and its place among the terms of the vocabulary is the same for all of a word.
    places_before = np.cumsum(terms_per_word) - terms_per_word
    distances = np.repeat(starts - places_before, terms_per_word)
    places = np.arange(len(distances)) + distances
    return all_terms[places], terms_per_word


def _join(
    tables: Sequence[_CountTable], number_of_term: Mapping[str, int], total: int
) -> TermCounts:
    """Put the entries of all chunks in the order of terms; within a term, documents rise."""
    terms = np.concatenate([table.terms for table in tables])
    documents = np.concatenate([table.documents for table in tables])
    counts = np.concatenate([table.counts for table in tables])
    if len(tables) > 1:
        order = np.argsort(terms, kind="stable")
        terms = terms[order]
        documents = documents[order]
        counts = counts[order]
    # Where the entries of each term begin, and behind the last term the end of all.
    term_numbers = np.arange(len(number_of_term) + 1)
    starts = np.searchsorted(terms, term_numbers)
    lengths = np.bincount(documents, weights=counts, minlength=total)
    return TermCounts(
        number_of=dict(number_of_term),
        starts=starts.astype(np.int64),
        documents=documents,
        counts=counts,
        lengths=lengths.astype(np.float64),
    )
