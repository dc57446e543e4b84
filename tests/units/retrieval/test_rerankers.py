"""Rerankers: the contract that each keeps, and what a model may hand back."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from goldwright.errors import InputError, QuarantineError
from goldwright.live_agents.document_reranker import PROMPT, LiveDocumentReranker
from goldwright.llm.port import Reply, Request, Usage
from goldwright.llm.providers.scripted import ScriptedProvider
from goldwright.prompts import PromptLibrary
from goldwright.retrieval.entity_documents import EntityDocument
from goldwright.retrieval.rerankers.catalog import open_reranker
from goldwright.retrieval.rerankers.lexical_features import LexicalFeatureReranker
from goldwright.retrieval.retrievers.bm25 import BM25Retriever

PROMPTS = Path(__file__).parents[3] / "prompts"
DOCUMENTS = [
    EntityDocument("a.py::read_config", "read_config a.py def read_config(path)", "read_config"),
    EntityDocument("a.py::send", "send a.py def send(mail): read the config first", "send"),
    EntityDocument("tests/a.py::read_config", "read_config def read_config()", "read_config",
                   path="tests/a.py"),
    EntityDocument("a.py::other", "other a.py def other(thing)", "other"),
]  # fmt: skip


def lexical() -> LexicalFeatureReranker:
    return LexicalFeatureReranker(BM25Retriever(DOCUMENTS))


class TestLexicalFeatures:
    """Which words of the query stand where."""

    def test_names_count_most_and_tests_less(self) -> None:
        scores = lexical().rerank("reading of config: read config", DOCUMENTS)
        assert scores[0] > scores[2] > scores[1] > scores[3]

    def test_the_order_of_the_pool_does_not_matter(self) -> None:
        scores = lexical().rerank("read the config", DOCUMENTS)
        by_id = {
            document.entity_id: score for document, score in zip(DOCUMENTS, scores, strict=True)
        }
        shuffled = Random(1).sample(DOCUMENTS, len(DOCUMENTS))
        again = lexical().rerank("read the config", shuffled)
        assert again == [by_id[document.entity_id] for document in shuffled]

    @pytest.mark.parametrize("query", ["", "the of", "zebra"])
    def test_a_query_that_says_nothing_leaves_all_alike(self, query: str) -> None:
        assert set(lexical().rerank(query, DOCUMENTS)) == {0.0}


class TestModel:
    """A model that grades documents."""

    def grade(self, *replies: Sequence[int]) -> tuple[Sequence[int], Sequence[Request]]:
        said = list(replies)

        def answer(request: Request) -> Reply:
            text = json.dumps({"grades": said.pop(0) if len(said) > 1 else said[0]})
            usage = Usage(fresh=1, output=1)
            return Reply(text, (), "done", "end", usage, request.model, echo={"text": text})

        provider = ScriptedProvider(answer)
        prompts = PromptLibrary.load(PROMPTS, names=(PROMPT,))
        reranker = LiveDocumentReranker("m", provider, prompts)
        grades = asyncio.run(reranker.grade("where?", ["def a(): ...", "x" * 9_000]))
        return grades, provider.requests

    def test_grades_come_in_the_order_of_the_documents(self) -> None:
        grades, _ = self.grade([3, 0])
        assert list(grades) == [3, 0]

    @pytest.mark.parametrize("wrong", [[3], [3, 0, 1], [4, 0], [-1, 0]])
    def test_other_grades_than_asked_for_are_sent_back(self, wrong: list[int]) -> None:
        grades, requests = self.grade(wrong, [1, 2])
        assert list(grades) == [1, 2]
        assert len(requests) == 2

    def test_a_model_that_never_grades_is_given_up(self) -> None:
        with pytest.raises(QuarantineError):
            self.grade([3])


class TestCrossEncoder:
    """A model of a local folder that reads query and document together."""

    def test_a_tiny_model_is_loaded_from_its_folder_alone(self, tmp_path: Path) -> None:
        pytest.importorskip("sentence_transformers")
        transformers = pytest.importorskip("transformers")
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "read", "config", "def", "send"]
        (tmp_path / "vocab.txt").write_text("\n".join(words))
        config = transformers.BertConfig(
            vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=16, max_position_embeddings=32, num_labels=1,
        )  # fmt: skip
        transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
        vocabulary = str(tmp_path / "vocab.txt")
        transformers.BertTokenizerFast(vocabulary, model_max_length=32).save_pretrained(tmp_path)
        reranker = open_reranker(
            f"cross-encoder:{tmp_path}", BM25Retriever(DOCUMENTS), root=tmp_path
        )
        scores = reranker.rerank("read config", DOCUMENTS)
        assert len(scores) == len(DOCUMENTS)
        turned = reranker.rerank("read config", DOCUMENTS[::-1])
        assert turned[::-1] == pytest.approx(scores, abs=1e-5)
        assert reranker.name.startswith(f"cross-encoder:{tmp_path.name}@")

    def test_a_folder_without_a_model_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"cross-encoder needs|holds no model"):
            open_reranker("cross-encoder:x", BM25Retriever(DOCUMENTS), root=tmp_path)


def test_an_unknown_reranker_is_named_with_the_forms(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="best: no reranker; wanted one of lexical"):
        open_reranker("best", BM25Retriever(DOCUMENTS), root=tmp_path)
