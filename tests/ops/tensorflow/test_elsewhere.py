"""Which public names come from packages that the tree does not hold."""

import pytest

from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.tensorflow.python.elsewhere import OtherPackages
from bzlgraph.workspace.sources.source import MemorySource

V2 = """\
import logging as _logging
import numpy as _np
from tensorflow.python.util.lazy_loader import LazyLoader as _LazyLoader
# API IMPORTS PLACEHOLDER
_drawing_module = "drawing.api._v2.drawing"
_drawing = _LazyLoader("drawing", globals(), _drawing_module)
try:
  from dashboard.summary import summary
except ImportError:
  pass
from tensorflow.python.nets.api import nets
if _typing.TYPE_CHECKING:
  from drawing.api._v2 import drawing
  from drawing.api._v2.drawing import shapes
if hasattr(_current_module, "nets"):
  layers = nets.layers
  others = nets.layers
"""
FILES = {
    "tensorflow/api_template.__init__.py": V2,
    "tensorflow/api_template_v1.__init__.py": "from tensorflow.python.drawing.api import drawing\n",
    "tensorflow/__init__.py": "",
}


@pytest.mark.parametrize(
    ("name", "version", "package", "line"),
    [
        ("drawing.line", "v2", "drawing", 5),
        ("summary.scalar", "v2", "dashboard", 8),
        ("shapes.circle", "v2", "drawing", 14),
        ("drawing.line", "v1", None, 0),
        ("nets.conv", "v2", None, 0),
        ("logging.info", "v2", None, 0),
        ("line", "v2", None, 0),
    ],
)
def test_the_package_behind_a_public_name(name: str, version: str, package: str | None, line: int) -> None:
    tree = PythonTree(MemorySource({path: text.encode() for path, text in FILES.items()}))
    found = OtherPackages(tree).of(name, version)
    assert (found.package if found else None, found.location.line if found else 0) == (package, line)
    assert found is None or f"taken from the package {package}" in found.told()


def test_a_copy_is_exported_under_the_name_that_the_package_has() -> None:
    tree = PythonTree(MemorySource({path: text.encode() for path, text in FILES.items()}))
    names = [OtherPackages(tree).of(name, "v2") for name in ("shapes.circle", "drawing.line", "summary.scalar")]
    assert [each.within for each in names if each] == ["drawing.shapes", "drawing", "dashboard.summary.summary"]


def test_a_tree_without_templates_has_all_its_names() -> None:
    assert OtherPackages(PythonTree(MemorySource({}))).of("drawing.line", "v2") is None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("layers.conv", "tf.layers is tf.nets.layers (tensorflow/api_template.__init__.py:16)"),
        ("others.conv", ""),
        ("nets.conv", ""),
        ("layers", ""),
    ],
)
def test_a_module_that_has_two_public_names(name: str, told: str) -> None:
    tree = PythonTree(MemorySource({path: text.encode() for path, text in FILES.items()}))
    found = OtherPackages(tree).renamed(name, "v2")
    assert (found.told() if found else "") == told
    assert OtherPackages(tree).renamed(name, "v1") is None
