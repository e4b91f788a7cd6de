"""Public names of a small tree."""

import pytest

from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.tensorflow.python.api_names import ApiNames
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.workspace.sources.source import MemorySource
from tests.ops.tensorflow.small_tree import FILES, OPS, api_defs, side

NN = "tensorflow/python/ops/nn_ops.py"


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("tf.nn.blur", "blur_v2"),
        ("tf.compat.v2.nn.blur", "blur_v2"),
        ("tf.compat.v1.nn.blur", "blur"),
        ("tensorflow.nn.blur", "blur_v2"),
        ("tf.nn.blur_images", "blur"),
        ("tf.nn.sharpen", "sharpen"),
        ("tf.contrib.blurs.old_blur", "blur"),
        ("tensorflow.python.ops.nn_ops.blur", "blur"),
        ("tensorflow.python.ops.sub.blur", "blur"),
        ("nn_ops.blur", "blur"),
    ],
)
def test_a_name_leads_to_a_definition(name: str, symbol: str) -> None:
    found = side().exports.find(name)
    assert (found[0].symbol.path, found[0].symbol.name) == (NN, symbol)


def test_a_bare_name_is_the_v1_name_in_an_old_tree() -> None:
    old = side()
    old.source.contents["tensorflow/core/public/version.h"] = b"#define TF_MAJOR_VERSION 1\n"  # type: ignore[attr-defined]
    assert old.exports.find("tf.nn.blur")[0].symbol.name == "blur"


def test_versions_and_deprecated_names_are_told() -> None:
    (name, old_name) = side().exports.find("tf.compat.v1.nn.blur")[0].names
    assert (name.name, name.versions, name.deprecated) == ("tf.nn.blur", ("v1",), False)
    assert (old_name.name, old_name.deprecated) == ("tf.nn.blur_images", True)


@pytest.mark.parametrize("name", ["tf.math.halve_it", "tf.raw_ops.Halve", "tf.compat.v1.old.halve_it"])
def test_generated_functions_are_exported_by_their_api_def(name: str) -> None:
    (found,) = side().exports.find(name)
    assert (found.symbol.kind, found.symbol.name) == ("generated", "halve")
    assert found.symbol.path == "tensorflow.python.ops.gen_array_ops"


def test_an_export_of_another_modules_function() -> None:
    (found,) = side().exports.find("tf.nn.hidden_sharpen")
    assert found.symbol == ("generated", "tensorflow.python.ops.gen_nn_ops", "sharpen")


def test_a_method_of_an_exported_class() -> None:
    found = side().exports.find("tf.layers.Blur.apply")
    assert [each.symbol.name for each in found] == ["Layer.apply"]


def test_names_that_nobody_exports() -> None:
    exports = side().exports
    assert [exports.find(name) for name in ("tf.nn.nothing", "tf.", "", "nn_ops", "tf.broken.half")] == [[]] * 5


def test_names_of_an_op() -> None:
    exports = side().exports
    assert [(each.name, each.versions) for each in exports.of_op("Halve")] == [
        ("tf.math.halve_it", ("v1", "v2")),
        ("tf.old.halve_it", ("v1",)),
        ("tf.raw_ops.Halve", ("v1", "v2")),
    ]
    assert [each.name for each in exports.of_op("Blur2D")] == ["tf.raw_ops.Blur2D"]
    assert {"nn.blur", "nn.sharpen", "layers.Blur", "math.halve_it"} <= exports.all_names()


def test_a_function_is_found_by_the_other_names_that_modules_give_it() -> None:
    renaming = """\
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.ops.gen_nn_ops import blur2d as smear
sharper = gen_nn_ops.sharpen
"""
    using = """\
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.ops import renaming
from tensorflow.python.util.tf_export import tf_export
@tf_export("nn.use")
def use(x):
  return renaming.sharper(x)
@tf_export("nn.use_twice")
def use_twice(x):
  return use(use(x))
@tf_export("nn.smear")
def smear(x):
  return renaming.smear(x)
@tf_export("nn.other")
def other(x):
  return gen_array_ops.reshape(x)
"""
    exporting = "from tensorflow.python.util.tf_export import tf_export\n"
    made = side(
        tensorflow__python__ops__renaming=exporting + renaming + "tf_export('nn.y')(sharper)\n",
        tensorflow__python__ops__using=using,
    )
    names = ApiNames(made)
    found = {op: {each.name for each in names.near(op)} for op in ("Sharpen", "Blur2D")}
    assert {"tf.nn.use", "tf.nn.use_twice"} <= found["Sharpen"]
    assert "tf.nn.smear" in found["Blur2D"]
    assert all("tf.nn.other" not in each for each in found.values())


def test_a_class_whose_values_make_an_op_is_one_of_its_names() -> None:
    text = """\
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.util.tf_export import tf_export
@tf_export("Sharpener")
class Sharpener(object):
  def __init__(self, x):
    super(Sharpener, self).__init__(gen_nn_ops.sharpen(x))
@tf_export("Other")
class Other(object):
  def undo(self, x):
    return Sharpener(x)
  def _undo(self, x):
    return gen_nn_ops.sharpen(x)
  def call(self, x):
    return gen_nn_ops.sharpen(x)
  def leave(self, x):
    return x
"""
    made = side(tensorflow__python__ops__classes=text)
    wanted = ["tf.Sharpener", "tf.Other", "tf.Other.undo"]
    for names in (ApiNames(made).near("Sharpen"), ApiNames(made).of("Sharpen")):
        assert [each.name for each in names if each.name.startswith(("tf.Sharpener", "tf.Other"))] == wanted


def test_files_that_call_a_wrapper_of_the_same_name_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    calling = """\
from tensorflow.python.ops import {module}
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.util.tf_export import tf_export
@tf_export("nn.{function}_too")
def {function}_too(x):
  return {module}.{function}(x)
"""
    made = side(
        tensorflow__python__ops__wrapped=calling.format(module="array_ops", function="halve"),
        tensorflow__python__ops__starred=calling.format(module="array_ops", function="eager_halve"),
        tensorflow__python__ops__plain=calling.format(module="gen_array_ops", function="halve"),
    )
    read: list[str] = []
    module = PythonTree.module
    monkeypatch.setattr(PythonTree, "module", lambda tree, path: read.append(path) or module(tree, path))
    names = ApiNames(made)
    assert "tf.nn.eager_halve_too" in {each.name for each in names.near("EagerHalve")}
    found = {each.name for each in names.near("Halve")}
    assert ("tf.nn.halve_too" in found, f"{OPS}/plain.py" in read, f"{OPS}/wrapped.py" in read) == (True, True, False)


def test_only_ops_with_an_api_def_are_in_raw_ops() -> None:
    skipped = 'op { graph_op_name: "Skipped" visibility: SKIP }'
    files = {**FILES, **api_defs(), "tensorflow/core/api_def/base_api/api_def_Skipped.pbtxt": skipped}
    source = MemorySource({path: text.encode() for path, text in files.items()})
    exports = PythonSources(source, registered=lambda: ["OfTests", "Skipped"]).exports
    assert [each.name for each in exports.of_op("Sharpen")] == ["tf.raw_ops.Sharpen"]
    for op in ("OfTests", "Skipped"):
        assert exports.of_op(op) == []
        assert exports.find(f"tf.raw_ops.{op}") == []
        assert f"raw_ops.{op}" not in exports.all_names()


def test_a_generated_module_is_told_where_it_is_imported_from() -> None:
    """And not behind what the package above imports with ``*``, from outside of the tree."""
    star = "from tensorflow.core.framework.graph_pb2 import *\n"
    tree = side(tensorflow__python____init__=star)
    (found, *_) = tree.exports.find("tf.nn.hidden_sharpen")
    assert (found.symbol.kind, found.symbol.path) == ("generated", "tensorflow.python.ops.gen_nn_ops")


def test_names_of_the_numpy_api_are_suggested_with_its_package() -> None:
    text = "@np_utils.np_doc('exp2')\ndef exp2(x):\n  return x\n\n@my_export('nothing')\ndef g():\n  pass\n"
    names = side(tensorflow__python__ops__numpy_ops__np_math_ops=text).exports.all_names()
    assert "experimental.numpy.exp2" in names
    assert not names & {"exp2", "nothing"}
