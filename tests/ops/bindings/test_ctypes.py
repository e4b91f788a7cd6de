"""Functions of C that Python calls through ctypes."""

from __future__ import annotations

from tests.ops.bindings.small_tree import index

FILES = {
    "csrc/api.cpp": """\
#include "api.h"
struct Other { int stop() { return 0; } };
static int local() { return 1; }
extern "C" {
int mine_run(int n) { return n; }
#define MAKE(name) int mine_##name(int n) { return n; }
#if BUILD_CUDA
MAKE(more)
#endif
}
""",
    "csrc/api.h": 'extern "C" int mine_run(int n);\n',
    "mine/library.py": (
        "import ctypes\ndef _load():\n  return ctypes.CDLL(path)\nlib = _load()\n"
        "lib.mine_run.argtypes = [ctypes.c_int]\n"
    ),
    "mine/__init__.py": (
        "from .library import lib\ndef run(n):\n  lib.stop()\n  lib.print_me()\n  return lib.mine_run(n)\n"
        "def more(n):\n  return getattr(lib, 'mine_more')(n)\n"
    ),
}


def test_a_name_of_a_loaded_library_is_the_function_of_c() -> None:
    made = index(FILES)
    known = made.known.bindings
    assert [(each.full_name, each.how, each.defined and each.defined.short, each.condition) for each in known] == [
        ("lib.mine_run", "ctypes", "csrc/api.cpp:5", ""),
        ("lib.mine_more", "ctypes", "csrc/api.cpp:8", "BUILD_CUDA"),
    ]
    answer = made.explain("lib.mine_run")
    assert [use.location.short for use in answer.python_uses] == ["mine/__init__.py:5", "mine/library.py:5"]
    assert [each.full_name for each in made.explain("mine.run").bindings] == ["lib.mine_run"]
    assert [each.name for each in made.explain("csrc/api.cpp").bindings] == ["mine_run", "mine_more"]
    assert [each.name for each in made.explain("mine_more").bindings] == ["mine_more"]


def test_what_loads_a_library_and_gives_nothing_makes_none() -> None:
    """As a constructor does: every class has one, and ``super().__init__(...)`` would be read in every file."""
    loads = "class A:\n  def __init__(self):\n    self._kept = CDLL(path)\ndef check():\n  CDLL(path)\n  return None\n"
    uses = "lib = A.__init__(self)\nlib = check()\nlib.stop()\nlib.mine_more(1)\n_kept.mine_run(2)\n"
    made = index({**FILES, "mine/library.py": loads, "mine/__init__.py": uses})
    assert [each.full_name for each in made.known.bindings] == ["_kept.mine_run"]


def test_a_tree_that_loads_no_library_has_none() -> None:
    system = {**FILES, "mine/library.py": "lib = ctypes.CDLL('libmine.so')\nlib.mine_run.argtypes = []\n"}
    assert index(system).known.bindings == [], "the system's, whatever the tree defines"
    files = {**FILES, "mine/library.py": "lib = other()\nlib.mine_run.argtypes = []\n"}
    assert index(files).known.bindings == []
