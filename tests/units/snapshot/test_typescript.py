"""TypeScript behind the port: ids, spans, references, changes, and files that are no programs."""

import random
from collections.abc import Mapping

import pytest

from effort import share_of
from goldwright.snapshot.call_graph import CallGraph
from goldwright.snapshot.changed_definitions import Hunk
from goldwright.snapshot.file_facts import FileFacts
from goldwright.snapshot.languages.language_catalog import missing_extra_note
from goldwright.snapshot.languages.python.language import PYTHON
from goldwright.snapshot.languages.typescript import parsing
from goldwright.snapshot.languages.typescript.language import TYPESCRIPT

CART = b"""\
import { Base } from './base';

@Injectable()
export class Cart<T> extends Base implements Priced {
  static #count = 1;
  private items: T[] = [];
  @Memo()
  total(): number { return this.sum(); }
  get size() { return 1; }
  set size(value) {}
  add(item: string): void;
  add(item: any) {
    function check() {}
    const local = 1;
    const log = () => {};
  }
  onClick = async () => {};
  [Symbol.iterator]() {}
}
export interface Priced { price: number; pay(x: number): void }
export enum Color { Red, Green = 2, 'Blue' }
export type Price = string | number;
export const plus = (a: number) => a + 1, zero = 0;
const { p, q: [r], s = 3 } = settings;
namespace Shop.Till { export function open() {} }
declare function outside(x: number): string;
describe('cart', () => { function hidden() {} });
export default function () {}
"""


def spans(source: bytes) -> Mapping[str, list[tuple[str, int, int]]]:
    """Give kinds and lines of the definitions by their names."""
    collected: dict[str, list[tuple[str, int, int]]] = {}
    for item in TYPESCRIPT.read_facts(source).definitions:
        collected.setdefault(item.name, []).append((item.kind, item.first, item.last))
    return collected


def test_every_kind_of_definition_has_its_id_and_lines() -> None:
    """Names, kinds and lines of one file, as the documentation lists them."""
    assert spans(CART) == {
        "Cart": [("class", 3, 19)],
        "Cart.#count": [("variable", 5, 5)],
        "Cart.items": [("variable", 6, 6)],
        "Cart.total": [("method", 7, 8)],
        "Cart.size": [("method", 9, 9)],
        "Cart.size.set": [("method", 10, 10)],
        "Cart.add": [("method", 11, 11), ("method", 12, 16)],
        "Cart.add.check": [("function", 13, 13)],
        "Cart.add.log": [("function", 15, 15)],
        "Cart.onClick": [("method", 17, 17)],
        "Priced": [("class", 20, 20)],
        "Priced.price": [("variable", 20, 20)],
        "Priced.pay": [("method", 20, 20)],
        "Color": [("class", 21, 21)],
        "Color.Red": [("variable", 21, 21)],
        "Color.Green": [("variable", 21, 21)],
        "Color.Blue": [("variable", 21, 21)],
        "Price": [("variable", 22, 22)],
        "plus": [("function", 23, 23)],
        "zero": [("variable", 23, 23)],
        "p": [("variable", 24, 24)],
        "r": [("variable", 24, 24)],
        "s": [("variable", 24, 24)],
        "Shop.Till": [("class", 25, 25)],
        "Shop.Till.open": [("function", 25, 25)],
        "outside": [("function", 26, 26)],
        "default": [("function", 28, 28)],
    }


def test_a_parameter_of_a_constructor_with_a_modifier_is_a_field() -> None:
    source = b"""\
class Till {
  constructor(
    private readonly prices: Prices,
    @Inject(CLOCK)
    protected clock?: Clock,
    readonly open = false,
    override name: string,
    plain: string,
  ) {}
  pay(readonly: number, private_: string) {}
}
function constructor(x: number) {}
"""
    assert spans(source) == {
        "Till": [("class", 1, 11)],
        "Till.constructor": [("method", 2, 9)],
        "Till.prices": [("variable", 3, 3)],
        "Till.clock": [("variable", 4, 5)],
        "Till.open": [("variable", 6, 6)],
        "Till.name": [("variable", 7, 7)],
        "Till.pay": [("method", 10, 10)],
        "constructor": [("function", 12, 12)],
    }


def test_a_field_in_parameters_stands_beside_the_constructor_on_its_line() -> None:
    assert spans(b"class A { constructor(public x: B) { this.x.go() } }") == {
        "A": [("class", 1, 1)],
        "A.constructor": [("method", 1, 1)],
        "A.x": [("variable", 1, 1)],
    }


def test_what_a_constructor_does_stays_with_it_where_its_parameters_are_fields() -> None:
    source = b"class A { constructor(public x = made()) { go() } }"
    facts = TYPESCRIPT.read_facts(source)
    assert {(call.owner, call.dotted) for call in facts.calls} == {
        ("A.constructor", "made"),
        ("A.constructor", "go"),
    }


@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"])
def test_lines_are_the_same_whatever_ends_them(line_end: bytes) -> None:
    assert spans(CART.replace(b"\n", line_end)) == spans(CART)
    assert spans(b"\xef\xbb\xbf" + CART) == spans(CART)


def test_markup_and_type_assertions_are_both_read() -> None:
    """Only one of the two grammars reads each."""
    assert "Page" in spans(b"export const Page = () => <main>{1}</main>;\n")
    assert "cart" in spans(b"const cart = <Cart>value;\nfunction pay() {}\n")


def test_what_a_loop_counts_with_is_no_entity() -> None:
    loops = b"for (let i = 0; i < 9; i++) { const last = i; }\nfor (const one of all) {}\n"
    assert set(spans(loops)) == {"last"}


def test_variances_of_type_parameters_are_read() -> None:
    """Neither grammar knows them; a parameter may have such a name, too."""
    source = b"""\
export interface Box<
  out Content = 1, /* in out */ in out Key extends { [K in Keys]: 1 }, in Last
> extends Base<Key> { open(): void }
class Pipe<in, out extends string> {}
"""
    assert spans(source) == {
        "Box": [("class", 1, 3)],
        "Box.open": [("method", 3, 3)],
        "Pipe": [("class", 4, 4)],
    }


@pytest.mark.parametrize("before", [b"", b"import x from 'y';"])
def test_what_a_module_adds_to_all_files_is_read(before: bytes) -> None:
    source = b'declare module "b" {%s\n  global {\n    interface A { b: 1 }\n  }\n}\n' % before
    assert spans(source) == {"A": [("class", 3, 3)], "A.b": [("variable", 3, 3)]}


def test_members_that_end_with_their_line_are_read() -> None:
    """The grammars read on where the next line begins with a type parameter or with ``in``."""
    source = b"""\
interface Get {
  first: Key
  <Item extends Key>(key: Item): (a: Item) => Get
  <Item = 1>(key: Item): Item[] // none
  'quoted-name'?: Key
  in2?: Key
  in: Key
}
const curried = (a: Key) =>
  <Item>(b: Item) => a
"""
    assert spans(source) == {
        "Get": [("class", 1, 8)],
        "Get.first": [("variable", 2, 2)],
        "Get.in2": [("variable", 6, 6)],
        "Get.in": [("variable", 7, 7)],
        "curried": [("function", 9, 10)],
    }


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("Hint", b"type Hint = `use \\`Cart\\` and ${Key}`;"),
        ("Link", b"const Link = () => <a href='/?a&b=1&c'>{1}</a>;"),
        ("Cart", b"interface Cart { items?: import('./items').Item[] }"),
        ("cart", b"declare const cart: new (a: import('./a').Of<{ b: 1 }>) => Cart;"),
    ],
)
def test_what_the_grammars_do_not_read_costs_no_name(name: str, valid: bytes) -> None:
    source = b"function before() {}\n%s\nfunction after() {}\n" % valid
    assert set(spans(source)) - {"Cart.items"} == {"before", name, "after"}


@pytest.mark.parametrize(
    "source", [b"& }", b"<in T", b", out T }", b"} import", b"x\n < }", b"\n <"]
)
def test_what_is_no_program_at_all_is_no_fault_of_ours(source: bytes) -> None:
    """The node of an error may be that of the whole file, which has no parent."""
    assert "invalid syntax" in TYPESCRIPT.read_facts(source).reason


def test_a_module_that_is_loaded_while_running_stays() -> None:
    """Only what stands for a type is blanked, and only in a file that is not read without it."""
    source = b"const cart = import('./a').then(b);\ninterface C { d?: import('./d').D[] }\n"
    root = parsing.parse(source)
    assert [leaf.text for leaf in parsing.leaves(root)].count(b"import") == 1


def test_an_error_within_a_statement_costs_that_statement() -> None:
    broken = b"function a() {}\nclass B { m() { let = = 1 } }\nfunction c() {}\n"
    assert set(spans(broken)) == {"a", "c"}


def test_an_error_between_statements_costs_the_file() -> None:
    facts = TYPESCRIPT.read_facts(b"function a() {}\n}\n}\nfunction c() {}\n")
    assert facts == FileFacts(reason="line 2: invalid syntax")


def test_deep_nesting_costs_the_file() -> None:
    nested = b"const a = " + b"[" * 3000 + b"]" * 3000 + b";\n"
    assert TYPESCRIPT.read_facts(nested).reason == "nested too deeply to read"


@pytest.mark.parametrize(
    "source",
    [
        b"const a = " + b"[" * 10_000,
        b"<" * 10_000,
        b"`${" * 5_000 + b"1" + b"}`" * 5_000,
        b"class A { m() {" * 5_000 + b"}}" * 5_000,
        "function a() {}\n".encode("utf-16"),
        b"function a() {}\0function b() {}",
    ],
    ids=["brackets", "angles", "templates", "classes", "utf-16", "nul"],
)
def test_what_is_no_program_has_a_reason(source: bytes) -> None:
    facts = TYPESCRIPT.read_facts(source)
    assert facts.reason
    assert facts == FileFacts(reason=facts.reason)


def test_bytes_that_are_no_text_cost_nothing_beside_them() -> None:
    assert set(spans(b"function a() { return '\xff\xfe'; }\nfunction b() {}\n")) == {"a", "b"}


def test_calls_lead_through_imports_re_exports_and_this() -> None:
    sources = {
        "src/base.ts": b"export class Base { sum() {} }\nexport default function start() {}\n",
        "src/index.ts": b"export * from './base';\nexport { Base as Root } from './base';\n",
        "src/cart.ts": b"import { Root } from './index.js';\nimport { start } from '.';\n"
        b"class Cart extends Root { total() { this.sum(); start(); new Root(); } }\n",
    }
    facts = {path: TYPESCRIPT.read_facts(source) for path, source in sources.items()}
    kinds: dict[str, str] = {}
    for path, file_facts in facts.items():
        kinds.update({f"{path}::{item.name}": item.kind for item in file_facts.definitions})
    graph = CallGraph(facts, kinds)
    assert graph.bases("src/cart.ts::Cart") == ("src/base.ts::Base",)
    callees = [site.entity_id for site in graph.callees("src/cart.ts::Cart.total")]
    assert callees == ["src/base.ts::Base", "src/base.ts::Base.sum", "src/base.ts::start"]


def test_circles_of_re_exports_end() -> None:
    facts = {
        "a.ts": TYPESCRIPT.read_facts(b"export * from './b';\n"),
        "b.ts": TYPESCRIPT.read_facts(b"export * from './a';\n"),
    }
    assert TYPESCRIPT.name_resolver(facts, {}).resolve_name("a.ts", "missing") is None


def test_a_change_is_the_innermost_definition_whose_code_changed() -> None:
    new = CART.replace(b"this.sum()", b"this.sum() + 1")
    change = TYPESCRIPT.code_change(CART, new, [Hunk(8, 1, 8, 1)])
    assert [item.name for item in change.definitions] == ["Cart.total"]


@pytest.mark.parametrize("prose", [b"/* why */ total()", b"total( )"])
def test_comments_and_layout_change_no_code(prose: bytes) -> None:
    new = CART.replace(b"total()", prose)
    change = TYPESCRIPT.code_change(CART, new, [Hunk(8, 1, 8, 1)])
    assert change.definitions == ()
    assert not change.changes_code
    assert change.changes_prose == (b"why" in prose)


def test_comments_are_no_code_and_strings_are_no_comments() -> None:
    lines = ["/* é", " more */ pay();", "// why", "const a = '// no';", "}"]
    stripped = TYPESCRIPT.strip_comments(lines)
    assert stripped.lines == ("…", "… pay();", "// …", "const a = '// no';", "}")
    assert TYPESCRIPT.code_lines("\n".join(lines)).numbers == {2, 4}


def test_the_text_of_a_template_keeps_its_blanks() -> None:
    lines = ["  total() {", "    return `a  ", "    b`;  ", "  }"]
    assert TYPESCRIPT.dedent(lines) == "total() {\n  return `a  \n    b`;\n}\n"


def test_no_mutant_of_a_file_fails() -> None:
    """Tokens dropped, doubled and swapped: facts or one reason, and lines inside the file."""
    chance = random.Random(11)
    root = parsing.parse(CART)
    tokens = [leaf.text for leaf in parsing.leaves(root)]
    for _ in range(share_of(300, suite=100)):
        mutant = list(tokens)
        for _ in range(chance.randint(1, 4)):
            place, source = chance.randrange(len(mutant)), chance.randrange(len(mutant))
            mutant[place] = chance.choice([b"", mutant[source], mutant[place] * 2, b"\n"])
        data = b" ".join(mutant)
        facts = TYPESCRIPT.read_facts(data)
        last_line = data.count(b"\n") + 1
        assert all(1 <= item.first <= item.last <= last_line for item in facts.definitions)
        TYPESCRIPT.code_change(CART, data, [Hunk(1, 3, 1, 3)])
        text = data.decode()
        assert len(TYPESCRIPT.strip_comments(text.split("\n")).lines) == last_line


def test_without_the_parser_one_note_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = ["a.py", "b.ts", "c.tsx"]
    assert missing_extra_note(paths) is None
    monkeypatch.setattr("goldwright.snapshot.languages.language_catalog.LANGUAGES", (PYTHON,))
    note = missing_extra_note(paths)
    assert note is not None
    assert note.startswith("2 TypeScript file(s)")
    assert "pip install 'goldwright[typescript]'" in note
    assert missing_extra_note(["a.py"]) is None
