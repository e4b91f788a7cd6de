"""What a file includes: found quickly, or left to whoever reads the whole file."""

from __future__ import annotations

import pytest

from bzlgraph.cpp.source_file import includes_of, read_source_file

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
