"""Embedders: what each way says when something is missing, and endpoints that waver."""

import json
from collections.abc import Callable
from pathlib import Path

import httpx2
import numpy as np
import pytest

from goldwright.errors import InputError, RetrieverError
from goldwright.retrieval.embedders.catalog import KEY_VARIABLE, open_embedder
from goldwright.retrieval.embedders.endpoint import EndpointEmbedder
from goldwright.retrieval.embedders.model_files import check_pin, folder_digest
from goldwright.retrieval.embedders.random_vectors import RandomEmbedder

Handler = Callable[[httpx2.Request], httpx2.Response]


def vectors(request: httpx2.Request) -> httpx2.Response:
    """Answer with the length of each text, last text first."""
    texts = json.loads(request.content)["input"]
    rows = [{"index": place, "embedding": [len(text), 1]} for place, text in enumerate(texts)]
    return httpx2.Response(200, json={"data": rows[::-1]})


def endpoint(handler: Handler, pauses: list[float] | None = None) -> EndpointEmbedder:
    wait = ([] if pauses is None else pauses).append
    transport = httpx2.MockTransport(handler)
    return EndpointEmbedder("http://h/v1/", "m", key="k", wait=wait, transport=transport)


class Wavering:
    """Answers with some statuses first, and then properly."""

    def __init__(self, *statuses: int, headers: dict[str, str] | None = None) -> None:
        self._statuses = list(statuses)
        self._headers = headers or {}
        self.requests = 0

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests += 1
        if self._statuses:
            return httpx2.Response(self._statuses.pop(0), headers=self._headers)
        return vectors(request)


class TestEndpoint:
    """A server that speaks OpenAI's embeddings."""

    def test_rows_come_in_the_order_of_the_texts_over_any_number_of_requests(self) -> None:
        texts = ["x" * (number % 7 + 1) for number in range(100)]
        rows = endpoint(vectors).encode(texts)
        assert rows[:, 0].tolist() == [len(text) for text in texts]

    def test_key_model_and_address_are_sent(self) -> None:
        requests = []

        def handler(request: httpx2.Request) -> httpx2.Response:
            requests.append(request)
            return vectors(request)

        endpoint(handler)
        assert str(requests[0].url) == "http://h/v1/embeddings"
        assert requests[0].headers["authorization"] == "Bearer k"
        assert json.loads(requests[0].content)["model"] == "m"

    def test_passing_faults_are_waited_out_ever_longer(self) -> None:
        pauses: list[float] = []
        assert endpoint(Wavering(503, 502, 429), pauses).encode(["a"]).shape == (1, 2)
        assert pauses == [1.0, 2.0, 4.0]

    def test_the_pause_that_a_server_asks_for_is_kept(self) -> None:
        pauses: list[float] = []
        endpoint(Wavering(429, headers={"retry-after": "7"}), pauses)
        assert pauses == [7.0]

    @pytest.mark.parametrize("status", [400, 401, 404])
    def test_a_lasting_fault_is_not_repeated(self, status: int) -> None:
        server = Wavering(*[status] * 9)
        with pytest.raises(RetrieverError, match=f"m: the endpoint answers with status {status}"):
            endpoint(server)
        assert server.requests == 1

    def test_after_five_tries_it_is_given_up(self) -> None:
        server = Wavering(*[503] * 9)
        with pytest.raises(RetrieverError, match="status 503"):
            endpoint(server)
        assert server.requests == 5

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"data": []},
            {"data": [{"index": 0}]},
            {"data": [{"index": 0, "embedding": [float("nan")]}]},
            {"data": [{"index": 0, "embedding": "base64"}]},
        ],
    )
    def test_what_is_no_vector_is_refused(self, body: object) -> None:
        text = json.dumps(body)
        with pytest.raises(RetrieverError, match="embeddings endpoint sent"):
            endpoint(lambda _request: httpx2.Response(200, text=text))

    def test_another_model_under_the_same_name_has_another_identity(self) -> None:
        def other(_request: httpx2.Request) -> httpx2.Response:
            rows = [{"index": 0, "embedding": [0.5, 0.5]}]
            return httpx2.Response(200, json={"data": rows})

        def rounded(_request: httpx2.Request) -> httpx2.Response:
            rows = [{"index": 0, "embedding": [10.0001, 1.0001]}]
            return httpx2.Response(200, json={"data": rows})

        assert endpoint(vectors).name != endpoint(other).name
        assert endpoint(vectors).name == endpoint(rounded).name


class TestFolders:
    """Models in local folders."""

    def test_a_pin_holds_every_file(self, tmp_path: Path) -> None:
        (tmp_path / "config.json").write_text("{}")
        (tmp_path / "weights").write_bytes(b"1")
        digest = folder_digest(tmp_path)
        assert check_pin(tmp_path, digest[:12]) == digest
        (tmp_path / "weights").write_bytes(b"2")
        with pytest.raises(InputError, match=f"pinned is {digest[:12]}"):
            check_pin(tmp_path, digest[:12])

    @pytest.mark.parametrize("spec", ["folder:nowhere", "onnx:nowhere@0123abcd"])
    def test_a_folder_without_a_model_says_what_is_missing(self, tmp_path: Path, spec: str) -> None:
        with pytest.raises(InputError, match=r"nowhere: holds no (ONNX )?model"):
            open_embedder(spec, root=tmp_path, variables={}, wait=print)


def test_an_unknown_embedder_is_named_with_the_forms(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gpt: no embedder; wanted one of minilm, folder:"):
        open_embedder("gpt", root=tmp_path, variables={KEY_VARIABLE: "k"}, wait=print)


def test_random_vectors_go_by_text_and_seed_alone() -> None:
    first = RandomEmbedder(1).encode(["a", "b", "a"])
    assert np.array_equal(first[0], first[2])
    assert not np.array_equal(first[0], first[1])
    assert not np.array_equal(first, RandomEmbedder(2).encode(["a", "b", "a"]))
    assert RandomEmbedder(1).name != RandomEmbedder(2).name


class TestOnnx:
    """A model of two files."""

    def test_the_mean_of_word_pieces_is_taken_without_padding(self, tmp_path: Path) -> None:
        pytest.importorskip("onnxruntime")
        onnx = pytest.importorskip("onnx")
        tokenizers = pytest.importorskip("tokenizers")
        table = np.array([[9, 9], [1, 0], [0, 1], [3, 3]], np.float32)
        helper = onnx.helper
        graph = helper.make_graph(
            [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
            "pieces",
            [helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["n", "m"])],
            [
                helper.make_tensor_value_info(
                    "last_hidden_state", onnx.TensorProto.FLOAT, ["n", "m", 2]
                )
            ],
            [onnx.numpy_helper.from_array(table, "table")],
        )
        opset = [helper.make_opsetid("", 17)]
        onnx.save(
            helper.make_model(graph, opset_imports=opset, ir_version=8), tmp_path / "model.onnx"
        )
        words = {"[PAD]": 0, "read": 1, "write": 2, "[UNK]": 3}
        model = tokenizers.models.WordLevel(words, unk_token="[UNK]")  # noqa: S106  # a word
        tokenizer = tokenizers.Tokenizer(model)
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        spec = f"onnx:{tmp_path}@{folder_digest(tmp_path)[:16]}"
        embedder = open_embedder(spec, root=tmp_path, variables={}, wait=print)
        rows = embedder.encode(["read", "read write write", "else"] * 20)
        assert rows.shape == (60, 2)
        assert rows[:3] == pytest.approx(np.array([[1, 0], [1 / 3, 2 / 3], [3, 3]]), abs=1e-6)
