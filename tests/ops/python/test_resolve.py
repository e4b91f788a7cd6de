"""Names of one module in another."""

import pytest

from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.workspace.sources.source import MemorySource

FILES = {
    "nets/__init__.py": "",
    "nets/backend/__init__.py": "if used():\n  from nets.backend.fast import *\n",
    "nets/backend/fast/__init__.py": "from nets.backend.fast import numpy\n",
    "nets/backend/fast/numpy.py": "def matmul(x):\n  return x\n",
    "nets/backend/numpy/__init__.py": "def only_here(x):\n  return x\n",
}


def test_a_package_may_give_the_name_of_a_package_in_it_to_another() -> None:
    """``backend.numpy`` is the module of the backend that is used; what only the package has is found in it."""
    tree = PythonTree(MemorySource({path: text.encode() for path, text in FILES.items()}))
    resolver = Resolver(tree, lambda module, function: False)
    matmul = resolver.absolute("nets.backend.numpy.matmul")
    assert matmul == Symbol("function", "nets/backend/fast/numpy.py", "matmul")
    assert resolver.absolute("nets.backend.numpy.only_here") == Symbol(
        "function", "nets/backend/numpy/__init__.py", "only_here"
    )
    assert resolver.absolute("nets.backend.numpy.neither") is None


def test_a_function_that_a_package_calls_as_a_module_in_it_is_what_the_name_means() -> None:
    files = {
        "mega/__init__.py": "from mega.ops import blox as blox\nfrom mega import other\n",
        "mega/ops.py": "from mega import blox as backend\ndef blox(x):\n  return backend.plain(x)\n",
        "mega/blox.py": "def plain(x):\n  return x\n",
        "mega/other.py": "from mega.blox import plain\n",
    }
    resolver = Resolver(PythonTree(MemorySource({path: text.encode() for path, text in files.items()})), _none)
    assert resolver.absolute("mega.blox") == Symbol("function", "mega/ops.py", "blox")
    assert resolver.absolute("mega.other") == Symbol("module", "mega/other.py", "")
    assert resolver.absolute("mega.other.plain") == Symbol("function", "mega/blox.py", "plain")


def _none(_module: str, _function: str) -> bool:
    return False


def test_packages_that_import_all_of_each_other_are_asked_once() -> None:
    """``mmcv/__init__.py`` takes all of seven packages, one of which takes from ``mmcv``: a name that none of them has
    was looked for in all of them below each of them."""
    parts = [f"part{number}" for number in range(8)]
    files = {"all/__init__.py": "".join(f"from .{each} import *\n" for each in parts)}
    files |= {f"all/{each}/__init__.py": "from all import *\nfrom .own import *\n" for each in parts}
    files |= {f"all/{each}/own.py": f"from all import {parts[0]}\ndef f():\n  pass\n" for each in parts}
    resolver = Resolver(PythonTree(MemorySource({path: text.encode() for path, text in files.items()})), _none)
    assert resolver.absolute("all.part3.missing") is None
    assert resolver.absolute("all.part3.part4.missing") is None
    assert (found := resolver.absolute("all.part3.f")) is not None
    assert found.name == "f"


def test_a_module_that_is_not_there_gives_nothing_by_a_star() -> None:
    """TensorFlow 1.8 takes all of modules that protoc makes: ``core`` was looked for in ``flow.core.made_pb2``, so in
    ``flow``, which takes all of ``flow.python``: ``core.made_pb2.core``, and so on, along each of four such modules."""
    files = {
        "flow/__init__.py": "from flow.python import *\n",
        "flow/python/__init__.py": "from flow.core.made_pb2 import *\nfrom flow.python.gen import *\n",
        "flow/python/ops.py": "import flow\n",
    }
    tree = PythonTree(MemorySource({path: text.encode() for path, text in files.items()}))

    def is_generated(module: str, function: str) -> bool:
        assert module.count(".") < 6
        return (module, function) == ("flow.python.gen", "sin")

    resolver = Resolver(tree, is_generated)
    assert resolver.resolve("flow/python/ops.py", "flow.core.framework.Graph") is None
    assert resolver.absolute("flow.sin") == Symbol("generated", "flow.python.gen", "sin")


def test_of_two_modules_that_are_imported_whole_the_last_gives_a_name() -> None:
    """``image_ops`` takes all of the generated module, and then of ``image_ops_impl``, which has functions of the same
    names; of the branches of an ``if`` the first counts."""
    files = {
        "ops.py": "from gen_ops import *\nfrom ops_impl import *\n",
        "ops_impl.py": "def adjust(x):\n  return x\n",
        "either.py": "if fast:\n  from ops_impl import *\nelse:\n  from other_impl import *\n",
        "other_impl.py": "def adjust(x):\n  return x\n",
    }
    tree = PythonTree(MemorySource({path: text.encode() for path, text in files.items()}))
    resolver = Resolver(tree, lambda module, _function: module == "gen_ops")
    assert resolver.absolute("ops.adjust") == Symbol("function", "ops_impl.py", "adjust")
    assert resolver.absolute("ops.only_generated") == Symbol("generated", "gen_ops", "only_generated")
    assert resolver.absolute("either.adjust") == Symbol("function", "ops_impl.py", "adjust")


OWN_IMPORTS = """\
from lib.first import blend
def mix(x):
  from lib.second import mix
  def later():
    return mix(x)
  def other(mix):
    return mix(x)
  return later() + other(blend)
def stir(x):
  if x:
    from lib.second import mix as blend, blend as sum
    import lib.first as mix
  return blend(x), sum(x), mix.blend(x)
class Pot:
  def stir(self, x):
    import lib.second
    from lib.second import blend
    return self.blend(blend(x, blend=x)), lib.second.mix
def all_of(x):
  return blend(x), mix(x), sum(x)
def lazily(x):
  global blend
  from lib.second import blend
  return blend(x)
"""


@pytest.mark.parametrize(
    ("function", "called"),
    [
        ("mix", {"lib/second.py mix", "lib/first.py blend"}),
        ("stir", {"lib/second.py mix", "lib/second.py blend", "lib/first.py blend"}),
        ("Pot.stir", {"lib/second.py blend", "lib/second.py mix"}),
        ("all_of", {"lib/first.py blend", "lib/own.py mix"}),
        ("lazily", {"lib/first.py blend"}),
    ],
)
def test_an_import_in_a_function_is_for_that_function_only(function: str, called: set[str]) -> None:
    """``def mix(x): from lib.second import mix`` calls the other one; who else says ``mix`` means the module's own."""
    both = "def mix(x):\n  return x\ndef blend(x):\n  return x\n"
    files = {"lib/__init__.py": "", "lib/first.py": both, "lib/second.py": both, "lib/own.py": OWN_IMPORTS}
    resolver = Resolver(PythonTree(MemorySource({path: text.encode() for path, text in files.items()})), _none)
    events = resolver.tree.module("lib/own.py").functions[function].events
    meant = [resolver.resolve("lib/own.py", each.text) for each in events if each.kind in ("call", "name")]
    assert {f"{each.path} {each.name}" for each in meant if each is not None} == called
