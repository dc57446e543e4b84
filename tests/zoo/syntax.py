"""Source files in odd syntax: newer than the interpreter, older, broken, or no Python at all."""

import gzip
import json
from typing import Final

from zoo.depths import function
from zoo.specimen import Specimen, odd_file

HONEST: Final = function("    return value", name="honest")

PYTHON_2: Final = """
class Old:
    def show(self, (a, b)):
        print "old", a, `b`
        try:
            exec "x = 1" in {}
        except ValueError, error:
            raise IOError, "old", None
        return 0777L <> 1
"""

NOTEBOOK: Final = json.dumps(
    {
        "cells": [{"cell_type": "code", "source": ["def cell():\n", "    return 1\n"]}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)

GRAMMAR: Final = '''
def walrus(values):
    """Pair numbers with their doubles."""
    return [(half := y // 2, [half + z for z in (w := values)]) for y in values if (n := y) > 1]


def match_all(value):
    """Tell shapes apart."""
    match value:
        case {"kind": str() as kind, **others} if others:
            return kind
        case Point(x=0, y=[*_, last]) | [Point(x=last), *_]:
            return last
        case -1 + 2j | None | "a" "b":
            return 0
        case _:
            raise ValueError(f"{value!r:>{len('x')}} has no shape")


async def everything(value, /, other, *more, key=1, **others):
    """Wait for all of it."""
    async with value as a, other as b:
        return [x async for x in a if await b(x)]


def group():
    """Raise many at once."""
    try:
        yield from (yield)
    except* (ValueError, TypeError) as error:
        raise error from None
    finally:
        del globals()["x"]


@(lambda f: f)
class Meta(type, metaclass=type("M", (type,), {})):
    __slots__ = ("a",)
    x: "int" = 1; y: int
    (z): int = 2
'''


SYNTAX: Final[tuple[Specimen, ...]] = (
    odd_file("all-of-the-grammar", "every corner of 3.11 in one file", GRAMMAR),
    odd_file(
        "type-parameters",
        "PEP 695, newer than 3.11",
        "type Pair[T: (int, str)] = tuple[T, T]\n\nclass Box[T]:\n"
        "    def get[U](self, value: U) -> T | U:\n"
        "        raise KeyError('nothing in the box')\n",
    ),
    odd_file(
        "type-parameter-defaults",
        "PEP 696, newer than 3.12",
        "class Box[T = int, *Ts = *tuple[int, ...]]:\n    def get(self) -> T:\n"
        "        return self.value\n",
    ),
    odd_file(
        "nested-f-strings",
        "PEP 701, newer than 3.11",
        'def odd(value):\n    return f"{f"{f"{value["key"]}"}"}"\n',
    ),
    odd_file(
        "f-string-of-many-lines",
        "PEP 701 with comments inside",
        "def odd(value):\n    return f'''{\n        value  # a comment\n    }'''\n",
        readable=None,
    ),
    odd_file(
        "f-strings-100-deep",
        "each inside the one before",
        "x = " + "f'{" * 100 + "1" + "}'" * 100 + "\n",
        readable=None,
    ),
    odd_file(
        "exceptions-without-brackets",
        "PEP 758, newer than 3.13",
        "def odd(value):\n    try:\n        return value\n"
        "    except ValueError, TypeError:\n        raise KeyError('odd')\n",
    ),
    odd_file(
        "template-strings",
        "PEP 750, newer than 3.13",
        "def odd(value):\n    return t'{value} is {value!r}'\n",
        readable=None,
    ),
    odd_file(
        "syntax-of-the-future",
        "a statement that no Python knows yet",
        "lazy from x import y\n\n" + HONEST,
        readable=None,
    ),
    odd_file("python-2", "code of 2008", PYTHON_2, readable=False),
    odd_file(
        "python-2-print-alone", "one statement of 2008", "print 'hello'\n" + HONEST, readable=False
    ),
    odd_file(
        "statements-out-of-place",
        "a parser takes what a compiler refuses",
        "return 1\nawait x\nyield 2\nnonlocal y\nbreak\ncontinue\n" + HONEST,
        readable=None,
    ),
    odd_file(
        "future-that-does-not-exist",
        "a compiler refuses it",
        "from __future__ import braces, barry_as_FLUFL\n" + HONEST,
    ),
    odd_file(
        "names-that-shadow",
        "built-in names that mean something else",
        "print = len = super = type = None\n\ndef __import__(name):\n    raise ImportError(name)\n",
    ),
    odd_file(
        "keywords-as-attributes",
        "soft keywords used as names",
        "match = case = type = _ = 1\n\ndef odd(match, case, type):\n    return match.case.type\n",
    ),
    odd_file(
        "broken-head",
        "a definition that ends before it begins",
        "def broken(:\n" + HONEST,
        readable=False,
    ),
    odd_file(
        "unclosed-bracket",
        "the rest of the file belongs to it",
        HONEST + "x = (1,\n",
        readable=False,
    ),
    odd_file(
        "unclosed-string", "the same for a string", HONEST + '"""never ends\n', readable=False
    ),
    odd_file(
        "dedent-to-nowhere",
        "indentation that goes back to none of its levels",
        "def odd():\n        x = 1\n    return x\n",
        readable=False,
    ),
    odd_file(
        "tabs-and-spaces",
        "a mixture that Python 3 refuses",
        "def odd():\n\tif 1:\n        return 1\n",
        readable=False,
    ),
    odd_file(
        "conflict-markers",
        "a merge that nobody finished",
        f"<<<<<<< HEAD\n{HONEST}=======\n{HONEST}>>>>>>> other\n",
        readable=False,
    ),
    odd_file(
        "template-of-a-project",
        "cookiecutter and Jinja",
        "import {{ cookiecutter.name }}\n{% if x %}\n" + HONEST + "{% endif %}\n",
        readable=False,
    ),
    odd_file(
        "cells-with-magics",
        "code that was saved out of a notebook",
        "%matplotlib inline\n!ls\nx?\n" + HONEST,
        readable=False,
    ),
    odd_file("notebook-named-as-a-module", "JSON that ends in .py", NOTEBOOK, readable=None),
    odd_file(
        "page-of-an-error",
        "what a download leaves instead of code",
        "<!DOCTYPE html>\n<html><body>404</body></html>\n",
        readable=False,
    ),
    odd_file(
        "pointer-of-large-files",
        "LFS keeps the file elsewhere",
        "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4d" * 32 + "\nsize 12345\n",
        readable=False,
    ),
    odd_file(
        "program-of-machine-code",
        "an executable that ends in .py",
        b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40,
        readable=None,
    ),
    odd_file(
        "compressed-file",
        "gzip that ends in .py",
        gzip.compress(HONEST.encode(), mtime=0),
        readable=None,
    ),
    odd_file(
        "bytecode",
        "a .pyc that ends in .py",
        b"\xa7\r\r\n" + b"\0" * 12 + b"\xe3" + bytes(64),
        readable=None,
    ),
    odd_file(
        "prose",
        "a text that ends in .py",
        "This is no code. It's a letter, dear reader (and a long one:\n",
        readable=False,
    ),
    odd_file(
        "stub-beside-its-module",
        "two files that define one name",
        "def odd(value: int) -> int: ...\n",
        path="shop/stock.pyi",
    ),
    odd_file(
        "window-program", "the other suffix of Python", HONEST, path="shop/odd.pyw", readable=None
    ),
    odd_file(
        "extension-in-cython",
        "nearly Python",
        "cdef int odd(int x) nogil:\n    return x\n",
        path="shop/odd.pyx",
        readable=None,
    ),
    odd_file(
        "script-without-suffix",
        "only its first line says what it is",
        "#!/usr/bin/env python3\n" + HONEST,
        path="bin/odd",
        readable=None,
    ),
    odd_file(
        "class-that-extends-itself",
        "a circle of one",
        "class Odd(Odd):\n    def turn(self):\n        return super().turn()\n",
    ),
    odd_file(
        "classes-in-a-circle",
        "a circle of three",
        "class A(C):\n    pass\n\nclass B(A):\n    pass\n\nclass C(B):\n"
        "    def turn(self):\n        raise ValueError('round and round')\n",
    ),
    odd_file(
        "classes-in-a-diamond",
        "sixteen levels with two ways each",
        "class A0:\n    pass\n"
        + "".join(
            f"class L{n}(A{n}): pass\nclass R{n}(A{n}): pass\nclass A{n + 1}(L{n}, R{n}): pass\n"
            for n in range(16)
        ),
    ),
    odd_file(
        "class-that-is-computed",
        "bases that only running tells",
        "class Odd(*make_bases(), **options):\n    pass\n\n"
        "class More(type(Odd)(1)[0].x):\n    pass\n",
    ),
    odd_file(
        "functions-that-call-one-another",
        "circles of calls",
        "def even(n):\n    return n == 0 or odd(n - 1)\n\ndef odd(n):\n"
        "    return n != 0 and even(n - 1)\n\ndef both(n):\n    return both(n)\n",
    ),
    odd_file(
        "module-that-imports-itself",
        "a circle of one import",
        "from shop.odd import *\nfrom shop import odd\nimport shop.odd as odd\n" + HONEST,
    ),
    odd_file(
        "relative-imports-beyond-the-root",
        "dots that lead out of the codebase",
        "from ........ import x\nfrom ...............y import *\n" + HONEST,
    ),
    odd_file(
        "global-names-everywhere",
        "what a name means is decided elsewhere",
        "def odd():\n    global x, y\n    x = y = 1\n    def inner():\n"
        "        nonlocal_ = x\n        global z\n        class z:\n"
        "            global w\n            def w(self): return w\n",
    ),
)
