"""Broken and hostile workspaces: each gives a clear error or a recorded gap, in time, and costs nothing else.

A case is a small workspace (path -> text or bytes) and what must be said. ``good/BUILD`` is in every workspace: its
targets must always be found. Words are checked, never a traceback, never more than ``SECONDS``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.written_files import write_files

SECONDS = 20
"""Generous: a case that hangs or explodes needs minutes; how long two seconds are depends on the machine."""


@dataclass(frozen=True)
class Case:
    """``said`` must be in what is printed; ``kept`` are labels that the answer to ``//...`` still has."""

    files: dict[str, str | bytes]
    said: str
    kept: tuple[str, ...] = ()
    links: dict[str, str] = field(default_factory=dict)
    pipes: tuple[str, ...] = ()


def bad(text: str | bytes, said: str, *kept: str, **files: str | bytes) -> Case:
    """A case whose ``bad/BUILD`` is ``text``."""
    return Case({"bad/BUILD": text, **files}, said, kept)


def macro(body: str, said: str, *kept: str) -> Case:
    """A case whose BUILD file calls a macro with this body between two good targets."""
    return Case(
        {
            "bad/m.bzl": f"def m():\n    {body}\n",
            "bad/BUILD": 'load(":m.bzl", "m")\nfilegroup(name = "a")\nm()\nfilegroup(name = "b")\n',
        },
        said,
        ("//bad:a", *kept),
    )


FIRST = 'filegroup(name = "a")\n'

CASES = {
    # text that is no Starlark
    "binary": bad(bytes(range(256)) * 8, "binary file"),
    "invalid utf-8": bad(FIRST.encode() + b'x = "\xff\xfe"\n', "", "//bad:a"),
    "nul byte": bad(FIRST + "x = \0\n", "U+0000", "//bad:a"),
    "unclosed list": bad(FIRST + "x = [\n1,\n", "bad/BUILD:2", "//bad:a"),
    "unterminated string": bad(FIRST + 'x = "abc\n', "bad/BUILD:2:5", "//bad:a"),
    "unterminated long string": bad(FIRST + 'x = """abc\n\n', "bad/BUILD:2:5", "//bad:a"),
    "tab": bad(FIRST + "[\n\tx for x in []]\nif 1:\n\tx = 1\n", "bad/BUILD:"),
    "deep brackets": bad(FIRST + "x = " + "[" * 10_000 + "]" * 10_000 + "\n", "bad/BUILD:2", "//bad:a"),
    "deep unary": bad(FIRST + "x = " + "-" * 50_000 + "1\n", "bad/BUILD", "//bad:a"),
    "python": bad("import os\n" + FIRST, "bad/BUILD:1:1"),
    "class": bad(FIRST + "class X:\n    pass\n", "bad/BUILD:2:1", "//bad:a"),
    "f-string": bad(FIRST + 'x = f"{1}"\n', "bad/BUILD:2", "//bad:a"),
    "adjacent strings": bad(FIRST + 'x = "a" "b"\n', "bad/BUILD:2", "//bad:a"),
    "chained comparison": bad(FIRST + "x = 1 < 2 < 3\n", "bad/BUILD:2", "//bad:a"),
    "def in BUILD": bad(FIRST + "def f():\n    pass\n", "bad/BUILD:2", "//bad:a"),
    # names and types
    "undefined name": bad(FIRST + "cc_librry(name = 'x')\n", "cc_library", "//bad:a"),
    "unknown attribute": bad(FIRST + "filegroup(name = 'x', src = [])\n", "srcs", "//bad:a"),
    "wrong type": bad(FIRST + "filegroup(name = 'x', srcs = 1)\n", "bad/BUILD:2", "//bad:a"),
    "no name": bad(FIRST + "filegroup()\n", "name", "//bad:a"),
    "duplicate target": bad(FIRST + FIRST, "bad/BUILD:2", "//bad:a"),
    "output clash": bad(
        "genrule(name = 'x', outs = ['o'], cmd = '')\ngenrule(name = 'y', outs = ['o'], cmd = '')\n",
        "bad/BUILD:2",
        "//bad:x",
    ),
    "bad label": bad(FIRST + "filegroup(name = 'x', srcs = ['//a:b:c'])\n", "//a:b:c", "//bad:a"),
    "dots in a label": bad(FIRST + "filegroup(name = 'x', srcs = ['../y'])\n", "../y", "//bad:a"),
    "select of nothing": bad(FIRST + "filegroup(name = 'x', srcs = select(1))\n", "select", "//bad:a"),
    "loop over a select": bad(FIRST + "x = [y for y in select({'//a:b': [1]})]\n", "bad/BUILD:2", "//bad:a"),
    "fail": bad(FIRST + "fail('stop here')\n", "stop here", "//bad:a"),
    "package twice": bad("package(features = [])\n" + FIRST + "package(features = [])\n", "bad/BUILD:3", "//bad:a"),
    "bad target name": bad(FIRST + "filegroup(name = 'x//y')\n", "x//y", "//bad:a"),
    # loads
    "missing bzl": bad(FIRST + "load(':none.bzl', 'x')\nx(name = 'y')\n", "none.bzl", "//bad:a"),
    "missing symbol": bad(FIRST + "load(':m.bzl', 'other')\n", "other", "//bad:a", **{"bad/m.bzl": "m = 1\n"}),
    "broken bzl": bad(FIRST + "load(':m.bzl', 'm')\n", "bad/m.bzl:1", "//bad:a", **{"bad/m.bzl": "def (:\n"}),
    "load cycle": bad(
        "load(':m.bzl', 'm')\n" + FIRST,
        "cycle",
        "//bad:a",
        **{"bad/m.bzl": "load(':n.bzl', 'n')\nm = n\n", "bad/n.bzl": "load(':m.bzl', 'm')\nn = m\n"},
    ),
    "bzl that loads itself": bad(
        "load(':m.bzl', 'm')\n" + FIRST, "cycle", "//bad:a", **{"bad/m.bzl": "load(':m.bzl', 'm')\n"}
    ),
    "absent repository": bad(
        "load('@nowhere//x:y.bzl', 'z')\n" + FIRST + "z(name = 'q')\n", "@nowhere//x:y.bzl", "//bad:a", "//bad:q"
    ),
    "load of a folder": bad("load('//good:', 'z')\n" + FIRST, "good", "//bad:a"),
    # files and folders
    "BUILD is a folder": Case({"bad/BUILD/x": ""}, ""),
    "BUILD is a pipe": Case({"bad/x": ""}, "", pipes=("bad/BUILD",)),
    "bzl is a pipe": Case({"bad/BUILD": FIRST + "load(':p.bzl', 'x')\n"}, "p.bzl", ("//bad:a",), pipes=("bad/p.bzl",)),
    "BUILD is a dangling link": Case({"bad/x": ""}, "", links={"bad/BUILD": "nowhere"}),
    "link loop": Case(
        {"bad/BUILD": FIRST + "filegroup(name = 'x', srcs = glob(['**']))\n"}, "", ("//bad:x",), {"bad/up": "."}
    ),
    "empty BUILD": bad("", ""),
    "windows line ends and a mark": bad("\ufeff" + FIRST.replace("\n", "\r\n"), "", "//bad:a"),
    # globs
    "glob upwards": bad(FIRST + "x = glob(['../*'])\n", "..", "//bad:a"),
    "glob absolute": bad(FIRST + "x = glob(['/etc/*'])\n", "/etc", "//bad:a"),
    "glob of many stars": bad(
        FIRST + f"x = glob(['{'**/' * 60}x', '{'*a' * 60}'])\nfilegroup(name = 'b')\n",
        "",
        "//bad:b",
        **{f"bad/{'a' * 120}{number}": "" for number in range(30)},
    ),
    # hostile code
    "endless loop": macro("for i in range(1000000000):\n        pass", "steps"),
    "nested loops": macro("[0 for a in range(99999) for b in range(99999) if b < 0]", "steps"),
    "doubling string": macro("s = 'x'\n    for i in range(99):\n        s = s + s", "bad/m.bzl:4"),
    "repeated string": macro("s = 'x' * 100000000000", "bad/m.bzl:2"),
    "doubling list": macro("s = [0]\n    for i in range(99):\n        s = s + s", "bad/m.bzl:4"),
    "big number": macro("s = 7\n    for i in range(99):\n        s = s * s", "bad/m.bzl:4"),
    "wide shift": macro("s = 1 << 1000000000", "bad/m.bzl:2"),
    "recursion": macro("m()", "recursively"),
    "growing while iterating": macro("l = [1]\n    for x in l:\n        l.append(x)", "iterat"),
    "escape attempts": macro("x = [].__class__", "__class__"),
    "python globals": macro("x = m.__globals__", "__globals__"),
    "format escape": macro("x = '{0.__class__}'.format(1)", "bad/m.bzl:2"),
    "global list changed": Case(
        {
            "bad/m.bzl": "l = []\ndef m():\n    l.append(1)\n",
            "bad/BUILD": FIRST + "load(':m.bzl', 'm')\nm()\n",
        },
        "frozen",
        ("//bad:a",),
    ),
    "many targets": bad("[filegroup(name = 'x%d' % i) for i in range(3000)]\n", "", "//bad:x2999"),
    "cyclic dependencies": bad(
        "filegroup(name = 'a', srcs = [':b'])\nfilegroup(name = 'b', srcs = [':a'])\n", "", "//bad:a"
    ),
    # the files of the workspace itself
    "broken WORKSPACE": Case({"WORKSPACE": "workspace(name = 'w'\n"}, "WORKSPACE:1"),
    "WORKSPACE fails": Case({"WORKSPACE": "fail('no')\n"}, "no"),
    "hostile WORKSPACE": Case({"WORKSPACE": "[0 for a in range(99999) for b in range(99999) if b < 0]\n"}, "steps"),
    "WORKSPACE loads what it lacks": Case({"WORKSPACE": "load('@r//:x.bzl', 'f')\nf()\n"}, ""),
    "broken MODULE.bazel": Case({"MODULE.bazel": "module(name = )\n"}, "MODULE.bazel:1"),
    "odd ignore file": Case({".bazelignore": b"\xff\xfe\n//\n..\n/\n"}, ""),
}


def build(case: Case, root: Path) -> None:
    files: dict[str, str | bytes] = {"WORKSPACE": "", "good/BUILD": "filegroup(name = 'good')\n", **case.files}
    write_files(root, files)
    for name, target in case.links.items():
        os.symlink(target, root / name)
    for name in case.pipes:
        os.mkfifo(root / name)


@pytest.mark.parametrize("name", CASES)
def test_broken_input(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    build(case, tmp_path)
    options = ["-C", str(tmp_path), "--no_cache", "--max_steps=3000000"]
    command = [sys.executable, "-m", "bzlgraph", *options, "query", "-k", "//...:*"]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=10 * SECONDS, check=False)
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said
    assert done.returncode in (0, 3), said
    assert case.said in said
    found = done.stdout.split()
    assert "//good:good" in found
    assert set(case.kept) <= set(found)
    assert time.monotonic() - start < SECONDS


def test_there_are_fifty_cases() -> None:
    assert len(CASES) >= 50
