"""What a file includes: found quickly, or left to whoever reads the whole file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest

from bzlgraph.base.errors import EvalProblem
from bzlgraph.cpp import source_file
from bzlgraph.cpp.condition import TRUE
from bzlgraph.cpp.include_tree import IncludeTree, in_force
from bzlgraph.cpp.source_file import includes_of, read_source_file
from bzlgraph.cpp.text import NotCppText

PLAIN = [
    '#include "a/b.h"\n# include <vector>\n  #\tinclude "c.h" // why\n',
    '/* licence */\n#ifdef X\n#include "x.h"\n#endif\n',
    "#include MACRO\n#include_next <a.h>\n#import <b.h>\n",
    "int x;\n",
]
HIDDEN = [
    '/*\n#include "no.h"\n*/\n',
    '// #include "no.h"\n',
    'const char* s = R"(\n#include "no.h"\n)";\n',
    '#define X \\\n#include "no.h"\n',
    'f("#include <no.h>");\n',
    '#include "a.h"\n\0',
]


@pytest.mark.parametrize("text", PLAIN)
def test_includes_are_those_of_the_whole_file(text: str) -> None:
    assert includes_of(text.encode()) == read_source_file(text.encode(), "a.cc").includes


@pytest.mark.parametrize("text", HIDDEN)
def test_what_may_hide_an_include_is_read_whole(text: str) -> None:
    assert includes_of(text.encode()) is None


def test_a_word_that_ends_in_r_hides_no_directive(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_source_file(b'f(R"x(\n"\n#define NO\n)x");\n#define A\n', "a.cc").defines[0][1] == "A"
    monkeypatch.delattr(source_file, "tokenize")
    assert read_source_file(b'Log("AN ERROR");\n#define A\n', "a.cc").defines[0][1] == "A"


def test_more_conditions_than_a_compiler_must_know_are_refused() -> None:
    nested = b"#if A\n" * 257
    with pytest.raises(NotCppText, match="nested deeper"):
        read_source_file(nested, "a.cc")
    assert read_source_file(nested[: -len(b"#if A\n")], "a.cc").condition(2_000) == "A"


def test_the_definitions_of_a_name_at_each_place() -> None:
    file = read_source_file(b"#define A 1\n#define B 2\n#undef A\n#define A 3\n", "a.cc")
    at = [in_force(file, offset, "A", TRUE) for offset in (0, 13, 33, 50)]
    assert [None if found is None else [macro.body for macro in found] for found in at] == [None, ["1"], [], ["3"]]


def test_a_file_that_takes_too_long_is_named_and_the_others_are_read() -> None:
    texts = {"a.h": b"#define A\n", "b.h": b"#define B\n"}
    guards = iter([refusing(), nullcontext()])
    tree = IncludeTree(texts, texts.__getitem__, guard=lambda: next(guards))
    assert tree.file("a.h") is None
    assert tree.file("b.h") is not None
    assert tree.broken == {"a.h": "error: too long"}


@contextmanager
def refusing() -> Iterator[None]:
    yield
    raise EvalProblem("too long")
