"""One question in every format is one question: it is found, scored and refused alike."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import goldwright
from goldwright.app.datasets.adopt import AdoptRequest, adopt_dataset
from goldwright.app.datasets.verify import VerifyRequest, verify_dataset
from goldwright.app.environment import Environment
from goldwright.cli.audit_text import measurement_lines
from goldwright.engine.clock import SystemClock
from goldwright.engine.progress import SilentProgress
from goldwright.errors import GoldwrightError, InputError
from goldwright.golden.foreign.measurements import Measurements

SOURCES = {
    "shop/basket.py": (
        "from shop.prices import price_of\n\n\n"
        "class Basket:\n"
        "    def total(self):\n"
        '        """Add up what every line costs."""\n'
        "        return sum(price_of(article) for article in self.lines)\n"
    ),
    "shop/prices.py": (
        "def price_of(article):\n"
        '    """Look up what one article costs."""\n    return {}[article]\n'
    ),
    "web/page.js": "function show() {}\n",
}
TOTAL, PRICE = "shop/basket.py::Basket.total", "shop/prices.py::price_of"
FIRST, SECOND = "Where are the costs of all lines added up?", "What does one article cost?"
QRELS = "query-id\tcorpus-id\tscore\n"


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def one_file(name: str, text: str) -> Callable[[Path], Path]:
    return lambda root: write(root, {name: text}) / name


def folder(files: dict[str, str]) -> Callable[[Path], Path]:
    return lambda root: write(root / "set", files)


def as_json(*rows: object) -> str:
    return json.dumps(list(rows))


def as_lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


PATCH = "--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-a\n+b\n"
# Each holds the two questions and expects the two entities, or their files where it has no others.
ENTITY_FORMATS: dict[str, Callable[[Path], Path]] = {
    "five lines": one_file(
        "five.yaml",
        f"- query: {FIRST}\n  expected: {TOTAL}\n- query: {SECOND}\n  expected: [{PRICE}]\n",
    ),
    "question to answer": one_file("map.yaml", f'"{FIRST}": {TOTAL}\n"{SECOND}": [{PRICE}]\n'),
    "knowcode": one_file(
        "golden.json",
        as_json(
            {"query_id": "1", "query_text": FIRST, "expected_entities": [TOTAL]},
            {"query_id": "2", "query_text": SECOND, "expected_entities": [{"entity_id": PRICE}]},
        ),
    ),
    "coderag": one_file(
        "cases.jsonl",
        as_lines(
            {
                "query": FIRST,
                "relevant_files": ["shop/basket.py"],
                "relevant_symbols": ["Basket.total"],
            },
            {
                "query": SECOND,
                "relevant_files": ["shop/prices.py", "web/page.js"],
                "relevant_symbols": ["price_of"],
            },
        ),
    ),
    "vaultmind": one_file(
        "queries.yaml",
        f"- name: a\n  text: {FIRST}\n  expected: [{TOTAL}]\n"
        f"- name: b\n  text: {SECOND}\n  expected: [{PRICE}]\n",
    ),
    "beir": folder(
        {
            "queries.jsonl": as_lines(
                {"_id": "1", "text": FIRST}, {"_id": "2", "text": SECOND}, {"_id": "3", "text": "?"}
            ),
            "qrels/test.tsv": f"{QRELS}1\t{TOTAL}\t2\n2\t{PRICE}\t1\n2\t{TOTAL}\t0\n",
        }
    ),
    "trec": folder(
        {
            "topics.txt": f"1\t{FIRST}\n2\t{SECOND}\n",
            "qrels.test": f"1 0 {TOTAL} 1\n2 0 {PRICE} 1\n",
        }
    ),
    "tagged topics": folder(
        {
            "topics.51-52": (
                f"<top>\n<num> Number: 51\n<title> Topic: {FIRST}\n<desc> More.\n</top>\n"
                f"<top>\n<num> Number: 52\n<title> Topic: {SECOND}\n</top>\n"
            ),
            "qrels.txt": f"51 0 {TOTAL} 1\n52 0 {PRICE} 1\n",
        }
    ),
    "csv": one_file("table.csv", f'query,expected,team\n"{FIRST}",{TOTAL},a\n{SECOND},{PRICE},b\n'),
    "judgements in tsv": one_file(
        "table.tsv",
        f"query\tdocument\tgrade\n{FIRST}\t{TOTAL}\t3\n{SECOND}\t{PRICE}\t1\n{SECOND}\t{TOTAL}\t0\n",
    ),
    "loc bench": one_file(
        "loc.jsonl",
        as_lines(
            {
                "instance_id": "1",
                "problem_statement": FIRST,
                "patch": PATCH.format("shop/basket.py"),
                "edit_functions": ["shop/basket.py:Basket.total"],
            },
            {
                "instance_id": "2",
                "problem_statement": SECOND,
                "patch": PATCH.format("shop/prices.py"),
                "edit_functions": ["shop/prices.py:price_of"],
            },
        ),
    ),
    "chunks": one_file(
        "chunks.json",
        json.dumps(
            {
                "cases": [
                    {"query": FIRST, "expected": {"symbols": [TOTAL], "paths": []}},
                    {
                        "query": SECOND,
                        "expected": [{"file": "shop/prices.py", "function": "price_of"}],
                    },
                ]
            }
        ),
    ),
}
FILE_FORMATS: dict[str, Callable[[Path], Path]] = {
    "coderag files": one_file(
        "cases.jsonl",
        as_lines(
            {"query": FIRST, "relevant_files": ["shop/basket.py"]},
            {"query": SECOND, "relevant_files": ["./shop/prices.py"]},
        ),
    ),
    "swe bench": one_file(
        "swe.jsonl",
        as_lines(
            {
                "instance_id": "1",
                "problem_statement": FIRST,
                "patch": PATCH.format("shop/basket.py"),
            },
            {
                "instance_id": "2",
                "problem_statement": SECOND,
                "patch": PATCH.format("shop/prices.py"),
            },
        ),
    ),
    "vaultmind files": one_file(
        "queries.yaml",
        f"- text: {FIRST}\n  expected: [shop/basket.py]\n"
        f"- text: {SECOND}\n  expected: [shop/prices.py]\n",
    ),
}


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The codebase that all of them are about."""
    return write(tmp_path_factory.mktemp("code"), SOURCES)


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the index of the codebase for all tests of this file."""
    monkeypatch.setenv("GOLDWRIGHT_CACHE", str(tmp_path_factory.getbasetemp() / "any-cache"))


def second_place(query: str, limit: int) -> list[str]:
    """Find what is expected at the second place; the class stands in the same file."""
    del limit
    if query == FIRST:
        return ["shop/prices.py::price_of", TOTAL]
    return ["shop/basket.py::Basket", "shop/basket.py::Basket.total", PRICE]


def always(*ids: str) -> Callable[[str], list[str]]:
    """A retriever that gives the same for every query."""

    def find(query: str) -> list[str]:
        return list(ids) if query else []

    return find


@pytest.mark.parametrize("name", ENTITY_FORMATS)
def test_the_same_questions_have_the_same_scores_in_every_format(
    name: str, code: Path, tmp_path: Path
) -> None:
    dataset = ENTITY_FORMATS[name](tmp_path)
    report = goldwright.evaluate(dataset, second_place, repo=code).report
    values = [(round(query.values["MRR"], 3), query.values["file.MRR"]) for query in report.queries]
    assert values == [(0.5, 0.5), (0.333, 0.5)]


@pytest.mark.parametrize("name", FILE_FORMATS)
def test_where_files_are_expected_a_result_stands_for_its_file(
    name: str, code: Path, tmp_path: Path
) -> None:
    """Several results in one file take one place, so MRR is that of files."""
    dataset = FILE_FORMATS[name](tmp_path)
    report = goldwright.evaluate(dataset, second_place, repo=code).report
    for query in report.queries:
        assert query.values["MRR"] == query.values["file.MRR"] == 0.5


def test_without_a_codebase_ids_are_taken_as_they_are(tmp_path: Path) -> None:
    dataset = write(
        tmp_path / "set",
        {
            "queries.jsonl": as_lines({"_id": "1", "text": "solar power"}),
            "corpus.jsonl": as_lines(
                {"_id": "d1", "title": "", "text": "wind"},
                {"_id": "d2", "title": "Sun", "text": "power from the solar cell"},
                {"_id": "d3", "title": "", "text": "solar"},
            ),
            "qrels/test.tsv": f"{QRELS}1\td2\t1\n1\td3\t3\n1\td1\t0\n",
        },
    )
    report = goldwright.evaluate(dataset, always("d2", "d1", "d3")).report
    (query,) = report.queries
    # (1 + 3 / log2(4)) / (3 + 1 / log2(3)), with the grades as gains.
    assert query.values["nDCG@10"] == pytest.approx(2.5 / 3.6309297535714573)
    assert query.values["Judged@10"] == pytest.approx(1.0)
    assert "file.MRR" not in query.values
    assert any("no files, so there are no measures of files" in note for note in report.notes)
    # The documents that come with it are what plain search searches.
    report = goldwright.evaluate(dataset, "bm25").report
    assert set(report.queries[0].retrieved) == {"d2", "d3"}
    # It is another search than that of a codebase, and says so wherever it is named.
    assert (report.retriever, report.searched) == ("bm25-3:documents", "3 documents of the dataset")
    assert any("What was searched is the 3 documents" in note for note in report.notes)


def test_a_report_says_how_much_code_was_searched(code: Path, tmp_path: Path) -> None:
    dataset = one_file("q.json", as_json({"query": FIRST, "expected": TOTAL}))(tmp_path)
    for name in ("bm25", "grep"):
        report = goldwright.evaluate(dataset, name, repo=code).report
        assert report.searched.endswith(" functions, methods and classes")
    assert not goldwright.evaluate(dataset, second_place, repo=code).report.searched


def test_documents_are_told_of_in_a_bench_whoever_is_asked_first(tmp_path: Path) -> None:
    dataset = write(
        tmp_path / "set",
        {
            "queries.jsonl": as_lines({"_id": "1", "text": "solar power"}),
            "corpus.jsonl": as_lines({"_id": "d1", "title": "", "text": "solar"}),
            "qrels/test.tsv": f"{QRELS}1\td1\t1\n",
        },
    )
    result = goldwright.bench(dataset, {"mine": always("d1"), "words": "bm25"})
    assert any("What was searched is the 1 document of" in note for note in result.notes)


def test_a_measure_that_the_dataset_cannot_show_is_refused_and_no_zero(tmp_path: Path) -> None:
    dataset = one_file("q.yaml", "- query: what\n  expected: d1\n")(tmp_path)
    with pytest.raises(InputError, match="does not say which files it expects"):
        goldwright.evaluate(dataset, always("d1"), measures=["file.MRR"])
    with pytest.raises(InputError, match="does not say which files it expects"):
        goldwright.evaluate(dataset, always("d1"), gates=["FileCoverage@5 >= 0.5"])


def test_names_of_strata_stay_those_of_the_dataset(code: Path, tmp_path: Path) -> None:
    rows = [
        {"query": FIRST, "expected": TOTAL, "category": "money", "strata": {"team": "Till 7"}},
        {"query": SECOND, "expected": PRICE, "difficulty": "Tricky", "strata": {"team": "Web"}},
    ]
    dataset = one_file("q.json", as_json(*rows))(tmp_path)
    evaluation = goldwright.evaluate(
        dataset, second_place, repo=code, measures=["MRR"], gates=["Web: MRR >= 0.3"]
    )
    names = {(stratum.dimension, stratum.name) for stratum in evaluation.strata}
    assert names == {
        ("all", "all"),
        ("category", "money"),
        ("team", "Till 7"),
        ("team", "Web"),
        ("difficulty", "Tricky"),
    }
    assert evaluation.passes


def test_ids_that_name_nothing_are_named_with_the_nearest_and_never_count_in_silence(
    code: Path, tmp_path: Path
) -> None:
    wrong = f"- query: {FIRST}\n  expected: [{TOTAL}, basket.py::Basket.totals]\n"
    dataset = one_file("q.yaml", wrong)(tmp_path)
    with pytest.raises(InputError) as caught:
        goldwright.evaluate(dataset, second_place, repo=code)
    assert "1 of 2 expected ids name nothing" in str(caught.value)
    assert f"the nearest is {TOTAL}" in str(caught.value)
    report = goldwright.evaluate(dataset, second_place, repo=code, allow_drift=True).report
    assert report.queries[0].values["R@10"] == 0.5
    assert any("count as not found" in note for note in report.notes)


def test_a_built_in_retriever_says_what_code_it_cannot_read(code: Path, tmp_path: Path) -> None:
    script = one_file("q.yaml", "- query: who shows it\n  expected: web/page.js\n")(tmp_path)
    with pytest.raises(InputError, match=r"1 of 1 expected files hold no entity of Python"):
        goldwright.evaluate(script, "bm25", repo=code)


# What is wrong, the files, and what the one line says beside the file.
BROKEN: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no query": (one_file("a.yaml", "- expected: a\n"), "found 'expected'"),
    "nothing expected": (one_file("a.yaml", "- query: a b\n"), "wanted 'query'"),
    "an empty expected": (
        one_file("a.yaml", "- query: a b\n  expected: []\n"),
        "record 1: expects nothing",
    ),
    "expected without a value": (
        one_file("a.yaml", "- query: a b\n  expected:\n"),
        "record 1: expects nothing",
    ),
    "second without expected": (
        one_file("a.yaml", "- query: a\n  expected: b\n- query: c\n"),
        "record 2: wanted a field 'expected'",
    ),
    "a query that is a list": (
        one_file("a.yaml", "- query: [a]\n  expected: b\n"),
        "record 1: query: wanted a text, found a list",
    ),
    "an id twice": (
        one_file("a.yaml", "- {id: x, query: a, expected: b}\n- {id: x, query: c, expected: d}\n"),
        "record 2: the query id 'x' stands there a second time",
    ),
    "expected in a list in a list": (
        one_file("a.json", '[{"query": "a", "expected": [["b"]]}]'),
        "record 1: expected.0: wanted a text, found a list",
    ),
    "an item that names nothing": (
        one_file("a.json", '[{"query": "a", "expected": [{"line": 3}]}]'),
        "record 1: expected.0: wanted entity_id",
    ),
    "a grade in words": (
        one_file("a.json", '[{"query": "a", "expected": {"b": "high"}}]'),
        "record 1: grades: wanted a whole number for 'b', found 'high'",
    ),
    "half a grade": (
        one_file("a.json", '[{"query": "a", "expected": ["b"], "grades": {"b": 1.5}}]'),
        "wanted a whole number for 'b', found '1.5'",
    ),
    "strata as a list": (
        one_file("a.json", '[{"query": "a", "expected": "b", "strata": ["c"]}]'),
        "record 1: strata: wanted an object, found a list",
    ),
    "a stratum as an object": (
        one_file("a.json", '[{"query": "a", "expected": "b", "difficulty": {"c": 1}}]'),
        "record 1: difficulty: wanted a text, found an object",
    ),
    "facts as one text": (
        one_file("a.json", '[{"query": "a", "expected": "b", "facts": "c"}]'),
        "record 1: facts: wanted a list, found a text",
    ),
    "a tab in YAML": (
        one_file("a.yaml", "- query: a\n\texpected: b\n"),
        "not plain YAML at line 2",
    ),
    "an open quote in YAML": (one_file("a.yaml", '- query: "a\n  expected: b\n'), "not plain YAML"),
    "a key twice in YAML": (
        one_file("a.yaml", "- query: a\n  query: b\n  expected: c\n"),
        "the key 'query' stands twice at line 2",
    ),
    "an empty table": (one_file("a.csv", ""), "the file is empty"),
    "a table without a header": (
        one_file("a.csv", "Where is it?,shop/basket.py\n"),
        "line 1: wanted a column query and one of expected or document; found 'Where is it?'",
    ),
    "a table with semicolons": (
        one_file("a.csv", "query;expected\na;b\n"),
        "found 'query;expected'; columns are parted by commas, and in a file that ends in .tsv",
    ),
    "a list of other words": (
        one_file("a.json", '[{"ask": "a", "truth": "b"}]'),
        "found 'ask', 'truth'; wanted 'query' and 'expected' (or --fields query=NAME,",
    ),
    "a table of a header": (one_file("a.csv", "query,expected\n"), "holds no record"),
    "a table without expected": (
        one_file("a.csv", "query,link\na,b\n"),
        "line 1: wanted a column query and one of expected or document; found 'query', 'link'",
    ),
    "a cell too many": (
        one_file("a.csv", "query,expected\na,b\nc,d,e\n"),
        "line 3: wanted 2 cells as in the first line, found 3",
    ),
    "a cell too few": (one_file("a.tsv", "query\texpected\na\n"), "line 2: wanted 2 cells"),
    "a column twice": (
        one_file("a.csv", "query,query,expected\na,b,c\n"),
        "line 1: the column 'query' stands there twice",
    ),
    "a query that is blank": (
        one_file("a.csv", "query,expected\na,b\n ,c\n"),
        "line 3: query: the cell is empty",
    ),
    "an open quote in a table": (one_file("a.csv", 'query,expected\n"a,b\n'), "not a table"),
    "a grade of a table in words": (
        one_file("a.csv", "query,document,grade\na,b,yes\n"),
        "line 2: grade: wanted a whole number as grade, found 'yes'",
    ),
    "two queries of one id": (
        one_file("a.csv", "id,query,expected\n1,a,b\n1,c,d\n"),
        "line 3: '1' has another query there than at line 2",
    ),
    "a table in Latin-1": (
        lambda root: _bytes(root / "a.csv", b"query,expected\n\xe9,b\n"),
        "not UTF-8 at line 2",
    ),
    "a patch of nothing": (
        one_file("a.jsonl", '{"instance_id": "1", "problem_statement": "a", "patch": ""}\n'),
        "line 1: the patch changes no file",
    ),
    "an empty folder": (folder({"readme.md": "nothing"}), "no folder of a known format"),
    "qrels without a header": (
        folder(
            {"queries.jsonl": as_lines({"_id": "1", "text": "a"}), "qrels/test.tsv": "1\ta\t1\n"}
        ),
        "qrels/test.tsv: line 1: wanted the header",
    ),
    "qrels without queries": (
        folder({"qrels/test.tsv": f"{QRELS}1\ta\t1\n"}),
        "queries.jsonl: cannot read the queries",
    ),
    "a judged query that is not there": (
        folder(
            {
                "queries.jsonl": as_lines({"_id": "1", "text": "a"}),
                "qrels/test.tsv": f"{QRELS}2\ta\t1\n",
            }
        ),
        "qrels/test.tsv: line 2: '2' is judged, and is none of the queries",
    ),
    "nothing judged relevant": (
        folder(
            {
                "queries.jsonl": as_lines({"_id": "1", "text": "a"}),
                "qrels/test.tsv": f"{QRELS}1\ta\t0\n",
            }
        ),
        "holds no query that can be scored",
    ),
    "topics without judgements": (folder({"topics.txt": "1\ta\n"}), "no folder of a known format"),
    "judgements without topics": (
        folder({"qrels.txt": "1 0 a 1\n"}),
        "wanted one file of topics",
    ),
    "two files of judgements": (
        folder({"topics.txt": "1\ta\n", "qrels.a": "1 0 a 1\n", "qrels.b": "1 0 a 1\n"}),
        "wanted one file of judgements called *qrels*, found qrels.a, qrels.b",
    ),
    "a judgement of three columns": (
        folder({"topics.txt": "1\ta\n", "qrels.txt": "1 a 1\n"}),
        "qrels.txt: line 1: wanted query 0 document grade",
    ),
    "a topic without a title": (
        folder({"topics.txt": "<top>\n<num> 1\n</top>\n", "qrels.txt": "1 0 a 1\n"}),
        "topics.txt: line 1: wanted a topic with <num> and <title>",
    ),
    "a file that is not there": (lambda root: root / "none.yaml", "cannot read the dataset"),
}


def _bytes(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_dataset_ends_in_one_line_that_names_its_place(name: str, tmp_path: Path) -> None:
    make, wanted = BROKEN[name]
    dataset = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(GoldwrightError) as caught:
        goldwright.evaluate(dataset, always("a"), workspace=tmp_path)
    message = str(caught.value)
    assert isinstance(caught.value, InputError)
    assert str(dataset) in message
    assert wanted in message
    assert message.isprintable()
    assert sorted(tmp_path.rglob("*")) == before


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """An environment whose workspace is empty."""
    cache = tmp_path.parent.parent / "any-cache"
    variables = {"GOLDWRIGHT_CACHE": str(cache)}
    return Environment(tmp_path, variables, tmp_path, SystemClock(), Random(1))


def test_an_adopted_dataset_is_verified_and_says_that_nobody_has_confirmed_it(
    code: Path, tmp_path: Path, environment: Environment
) -> None:
    rows = [
        {"id": "a", "query": FIRST, "expected": TOTAL, "strata": {"team": "Till"}},
        {"id": "b/c", "query": SECOND, "expected": "shop/prices.py"},
        {"id": "d", "query": "Who gives change?", "expected": "shop/till.py::Till.change"},
    ]
    dataset = one_file("theirs.json", as_json(*rows))(tmp_path)
    adoption = adopt_dataset(AdoptRequest(str(dataset), code), environment, SilentProgress())
    assert [record.label.query_id for record in adoption.adopted] == ["a", "q_00001"]
    assert [record.label.query_id for record in adoption.stopped] == ["d"]
    assert adoption.dataset is not None
    loaded = goldwright.open_dataset(adoption.dataset, workspace=tmp_path)
    assert loaded.status == "adopted_pending_human_review"
    assert loaded.cited_files == {"shop/basket.py", "shop/prices.py"}
    first, second = loaded.labels
    assert (first.strata, first.expected_files) == ({"team": "Till"}, ("shop/basket.py",))
    assert [str(lines) for lines in first.expected_line_ranges] == ["shop/basket.py:5-7"]
    assert (second.entity_ids, second.expected_files) == ((), ("shop/prices.py",))
    # Our own gate and our own harness take it.
    checked = verify_dataset(VerifyRequest(str(adoption.dataset), code), environment)
    assert checked.is_sound
    report = goldwright.evaluate(
        adoption.dataset, second_place, repo=code, workspace=tmp_path, measures=["MRR"]
    ).report
    assert [query.values["MRR"] for query in report.queries] == [0.5, 0.5]
    assert report.queries[0].strata["team"] == "Till"
    # All of them wait for people, in a run.
    run = tmp_path / "runs" / adoption.run
    queued = (run / "04_human_review_queue.jsonl").read_text().splitlines()
    failed = (run / "03_validation_failures.jsonl").read_text().splitlines()
    assert (len(queued), len(failed)) == (2, 1)
    assert "no entity 'shop/till.py::Till.change'" in failed[0]
    again = AdoptRequest(str(dataset), code, version="1.0")
    with pytest.raises(InputError, match="is there already"):
        adopt_dataset(again, environment, SilentProgress())


def measured(rows: list[object], code: Path, environment: Environment) -> Measurements:
    path = environment.root / "theirs.json"
    path.write_text(as_json(*rows))
    return verify_dataset(VerifyRequest(str(path), code), environment).audit.measurements


def test_tiers_are_measured_by_plain_search(code: Path, environment: Environment) -> None:
    def rows(clear: str, dark: str) -> list[object]:
        return [
            {"query": "look up what one article costs", "expected": PRICE, "difficulty": clear},
            {"query": "unspoken zebra matters", "expected": TOTAL, "difficulty": dark},
        ]

    measurements = measured(rows("easy", "hard"), code, environment)
    easy, hard = measurements.tiers
    assert (easy.difficulty, easy.bands["first"]) == ("easy", 1)
    assert (hard.difficulty, hard.bands["beyond"]) == ("hard", 1)
    assert measurements.are_tiers_ordered is True
    upside_down = measured(rows("hard", "easy"), code, environment)
    assert upside_down.are_tiers_ordered is False
    # Which tiers, and by how much, so that nobody has to take the sentence on trust.
    assert (
        "tiers: by unweighted BM25 hard is no harder than easy: "
        "a target is among the first ten for 1 of 1 hard, and for 0 of 1 easy"
    ) in measurement_lines(upside_down)


def test_leaks_and_overlaps_are_measured_by_both_readings(
    code: Path, environment: Environment
) -> None:
    def row(query_id: str, query: str, *entities: str, difficulty: str = "easy") -> object:
        return {
            "query_id": query_id,
            "query_text": query,
            "task_type": "explain",
            "difficulty": difficulty,
            "expected_entities": list(entities),
        }

    rows = [
        row("q1", "What does price_of give back?", PRICE),
        row("q2", "How does price_of look things up?", PRICE, TOTAL, difficulty="medium"),
        row("q3", "What adds things up?", TOTAL),
    ]
    measurements = measured(rows, code, environment)
    assert (measurements.leaks.rule, measurements.leaks.strict) == ((2,), (1, 2))
    # Half of the second's targets are the first's: not over half. All of the third's are the
    # second's, and half of what both have is shared.
    (overlap,) = measurements.overlaps
    assert (overlap.earlier, overlap.later) == (2, 3)
    assert (overlap.containment, overlap.jaccard) == (1.0, 0.5)


@pytest.mark.parametrize("qrels", ["qrels/test.tsv", "qrels.tsv"])
def test_judgements_of_beir_may_have_column_names_of_their_own_and_lie_beside_the_queries(
    tmp_path: Path, qrels: str
) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / qrels).write_text("query_id\tdoc_id\trelevance\n7\td1\t1\n")
    (tmp_path / "queries.jsonl").write_text('{"query_id": "7", "text": "Who adds?"}\n')
    queries = goldwright.open_dataset(tmp_path).queries
    assert [(query.query_id, query.expected_ids) for query in queries] == [("7", ("d1",))]
