"""Which public names come from packages that the tree does not hold."""

import pytest

from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.tensorflow.python.elsewhere import OtherPackages
from bzlgraph.workspace.sources.source import BesideSource, MemorySource

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


LAZY = """\
from tensorflow.python.util.lazy_loader import DrawingLazyLoader as _DrawingLazyLoader
setattr(_current_module, "drawing", _DrawingLazyLoader(globals()))
_dir = _module_util.get_parent_dir_for_name("drawing._tf.drawing")
if _old:
  _dir = _module_util.get_parent_dir_for_name("old_drawing.api.drawing")
_shapes = _DrawingLazyLoader(globals(), submodule="shapes", name="shapes")
setattr(_current_module, "shapes", _shapes)
_current_module.lines = _DrawingLazyLoader(globals(), submodule="inside.lines", name="lines")
setattr(_current_module, "nets", make_nets())
setattr(_current_module)
"""


@pytest.mark.parametrize(
    ("name", "module", "line"),
    [
        ("drawing.line", "drawing._tf.drawing", 2),
        ("shapes.circle", "drawing._tf.drawing.shapes", 7),
        ("lines.bend", "drawing._tf.drawing.inside.lines", 8),
        ("nets.conv", None, 0),
        ("old_drawing.line", None, 0),
    ],
)
def test_what_a_loader_finds_when_it_is_asked(name: str, module: str | None, line: int) -> None:
    """As TensorFlow has had Keras since 2.16: the file names its module in full elsewhere."""
    files = {"tensorflow/api_template.__init__.py": LAZY.encode(), "tensorflow/__init__.py": b""}
    found = OtherPackages(PythonTree(MemorySource(files))).of(name, "v2")
    assert (found.module if found else None, found.location.line if found else 0) == (module, line)


@pytest.mark.parametrize(
    ("package", "path", "given"),
    [
        ("drawing", "_tf/drawing/shapes.py", "drawing._tf.drawing.shapes"),
        ("old_drawing", "api/drawing/shapes.py", "old_drawing.api.drawing.shapes"),
        ("drawing", "shapes.py", ""),
    ],
)
def test_a_package_beside_the_checkout_is_read_itself(package: str, path: str, given: str) -> None:
    files = {"tensorflow/api_template.__init__.py": LAZY.encode(), "tensorflow/__init__.py": b""}
    beside = {package: MemorySource({path: b""})}
    found = OtherPackages(PythonTree(BesideSource(MemorySource(files), beside))).of("shapes.circle", "v2")
    assert found is not None
    assert (found.module if found.is_given else "") == given
