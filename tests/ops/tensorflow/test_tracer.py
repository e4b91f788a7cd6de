"""The tracer without a C++ half: what each word means."""

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.ops.model import GenTarget
from bzlgraph.ops.tensorflow.cpp.index import CppIndex
from bzlgraph.ops.tensorflow.op_table import COLUMNS
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.ops.tensorflow.tracer import TensorflowTracer
from bzlgraph.questions.framework_ops import unknown_word
from bzlgraph.workspace.sources.source import BesideSource, MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.ops.tensorflow.small_tree import FILES, OPS, api_defs, side

GENERATED = "tensorflow.python.ops.gen_nn_ops"


def made_by(module: str) -> GenTarget | None:
    return GenTarget(module, "//tensorflow/python:nn_ops_gen", "tf_gen_op_wrapper_py") if module == GENERATED else None


def test_methods_of_a_class_run_later(tmp_path: Path) -> None:
    text = (
        "from tensorflow.python.util.tf_export import tf_export\n"
        '@tf_export("Kept")\nclass Kept:\n  def __init__(self):\n    self.x = 1\n'
    )
    (tmp_path / "WORKSPACE").touch()
    cpp = CppIndex(Loader(open_workspace(tmp_path)))
    answer = TensorflowTracer(side(tensorflow__python__ops__kept_ops=text), cpp, made_by).explain("tf.Kept")
    assert answer.not_followed == ("methods of kept_ops.Kept",)


def test_what_a_class_is_for_may_be_done_by_its_methods(tmp_path: Path) -> None:
    text = (
        "from tensorflow.python.ops import gen_nn_ops\nfrom tensorflow.python.util.tf_export import tf_export\n"
        '@tf_export("Kept")\nclass Kept:\n  def __init__(self, x):\n    self.x = gen_nn_ops.sharpen(x)\n'
        '@tf_export("Called")\nclass Called(Kept):\n  def __call__(self):\n    pass\n'
    )
    (tmp_path / "WORKSPACE").touch()
    cpp = CppIndex(Loader(open_workspace(tmp_path)))
    tracer = TensorflowTracer(side(tensorflow__python__ops__kept_ops=text), cpp, made_by)
    told = "shown is what its constructor creates; not followed: methods of kept_ops.Kept"
    assert told in tracer.explain("tf.Kept").remarks
    assert not any("methods" in each for each in tracer.explain("tf.Called").remarks)


def test_a_name_that_another_package_gives_is_its_copy_in_the_tree(tmp_path: Path) -> None:
    text = (
        "from tensorflow.python.ops import gen_nn_ops\nfrom tensorflow.python.util.tf_export import tf_export\n"
        '@tf_export("drawing.shapes.circle")\ndef circle(x):\n  return gen_nn_ops.sharpen(x)\n'
        '@tf_export(v1=["shapes.square"])\ndef square(x):\n  return gen_nn_ops.sharpen(x)\n'
    )
    files = {
        **FILES,
        **api_defs(),
        "tensorflow/api_template.__init__.py": "from drawing.api._v2.drawing import shapes\n",
        f"{OPS}/circles.py": text,
        f"{OPS}/shapes.py": "def circle(x):\n  return x\n",
    }
    (tmp_path / "WORKSPACE").touch()
    sources = PythonSources(MemorySource({path: text.encode() for path, text in files.items()}))
    tracer = TensorflowTracer(sources, CppIndex(Loader(open_workspace(tmp_path))), made_by)
    answer = tracer.explain("tf.shapes.circle")
    assert (answer.symbol.name if answer.symbol else "", [each.op for each in answer.stories]) == (
        "circles.circle",
        ["Sharpen"],
    )
    assert "package drawing (tensorflow/api_template.__init__.py:1)" in answer.remarks[0]
    assert tracer.explain("tf.shapes.square").remarks[0].endswith("what is shown is tf.compat.v1.shapes.square")
    unknown = tracer.explain("tf.shapes.triangle")
    assert not unknown.found
    assert unknown.remarks[0].endswith("which is not in this tree (--python_path=drawing=DIR adds it)")
    assert unknown_word(unknown).hint == unknown.remarks[0]


def test_a_name_of_a_package_beside_the_tree_is_found_in_it(tmp_path: Path) -> None:
    """Not in the tree's copy, which nobody imports."""
    copy = "from tensorflow.python.ops import gen_nn_ops\ndef circle(x):\n  return gen_nn_ops.sharpen(x)\n"
    files = {
        **FILES,
        **api_defs(),
        "tensorflow/api_template.__init__.py": "from drawing.api._v2.drawing import shapes\n",
        f"{OPS}/shapes.py": copy,
    }
    own = "from tensorflow.python.ops import gen_nn_ops\ndef circle(x):\n  return gen_nn_ops.blur2d(x)\n"
    beside = {
        "__init__.py": "", "src.py": own, "api/_v2/drawing/shapes/__init__.py": "from drawing.src import circle\n",
    }  # fmt: skip
    (tmp_path / "WORKSPACE").touch()
    tree, package = (MemorySource({path: text.encode() for path, text in each.items()}) for each in (files, beside))
    sources = PythonSources(BesideSource(tree, {"drawing": package}))
    answer = TensorflowTracer(sources, CppIndex(Loader(open_workspace(tmp_path))), made_by).explain("tf.shapes.circle")
    assert (answer.symbol.name if answer.symbol else "", [each.op for each in answer.stories]) == (
        "src.circle",
        ["Blur2D"],
    )
    assert answer.remarks[0] == "tf.shapes is taken from the package drawing (tensorflow/api_template.__init__.py:1)"


@pytest.fixture
def tracer(tmp_path: Path) -> TensorflowTracer:
    (tmp_path / "WORKSPACE").touch()
    return TensorflowTracer(side(), CppIndex(Loader(open_workspace(tmp_path))), made_by)


@pytest.mark.parametrize(
    ("word", "ops"),
    [
        ("tf.nn.blur", ["Blur2D"]),
        ("Blur2D", ["Blur2D"]),
        ("blur2d", ["Blur2D"]),
        ("gen_nn_ops.blur2d", ["Blur2D"]),
        ("tensorflow.python.ops.gen_nn_ops.blur2d", ["Blur2D"]),
        ("tf.halve", ["Halve"]),
        ("tensorflow/python/ops/nn_ops.py", ["Blur2D", "Sharpen"]),
    ],
)
def test_a_word_leads_to_ops(tracer: TensorflowTracer, word: str, ops: list[str]) -> None:
    answer = tracer.explain(word)
    assert answer.found
    assert sorted(story.op for story in answer.stories) == ops


def test_the_story_of_an_op(tracer: TensorflowTracer) -> None:
    (story,) = tracer.explain("tf.nn.blur").stories
    assert [each.label for each in story.wrappers] == ["//tensorflow/python:nn_ops_gen"]
    assert story.generated_name == "blur2d"
    assert [each.function for each in story.gradients] == ["nn_grad._BlurGrad"]
    versions = {each.name: each.versions for each in story.api_names}
    assert versions["tf.nn.blur"] == ("v1", "v2")
    assert versions["tf.nn.blur_images"] == ("v1",)
    assert set(versions) >= {"tf.nn.blur", "tf.nn.blur_images", "tf.raw_ops.Blur2D"}


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("tf.nn.blurr", "tf.nn.blur"),
        ("tf.math.blur", "tf.nn.blur"),
        ("Blur3D", "Blur2D"),
        ("sharpen2", "tf.nn.sharpen"),
    ],
)
def test_wrong_words_get_suggestions(tracer: TensorflowTracer, word: str, suggestion: str) -> None:
    answer = tracer.explain(word)
    assert not answer.found
    assert suggestion in answer.suggestions


def test_a_method_is_suggested_though_its_class_is_not_named_right(tmp_path: Path) -> None:
    (tmp_path / "WORKSPACE").touch()
    text = (
        "from tensorflow.python.util.tf_export import tf_export\n"
        '@tf_export("data.Kept")\nclass Kept:\n  def update(self):\n    return 1\n  def _own(self):\n    return 2\n'
    )
    cpp = CppIndex(Loader(open_workspace(tmp_path)))
    found = TensorflowTracer(side(tensorflow__python__ops__kept_ops=text), cpp, made_by)
    for word in ("tf.data.Kept.updaet", "tf.data.Ketp.update", "tf.dat.Kept.update"):
        assert found.explain(word).suggestions[0] == "tf.data.Kept.update"
    assert "tf.data.Kept._own" not in found.explain("tf.data.Kept._won").suggestions


def test_the_table_has_every_op_once_without_kernels(tracer: TensorflowTracer) -> None:
    table = tracer.table()
    assert table.columns == COLUMNS
    assert [row[0] for row in table.rows] == sorted(row[0] or "" for row in table.rows)  # type: ignore[type-var]
    (row,) = [row for row in table.rows if row[0] == "Sharpen"]
    assert row[2] == "sharpen"
    assert set(str(row[1]).split()) == {"tf.raw_ops.Sharpen", "tf.nn.sharpen", "tf.nn.hidden_sharpen"}


def test_a_name_of_another_version_of_the_api_is_told_as_that(tracer: TensorflowTracer) -> None:
    (remark,) = (each for each in tracer.explain("tf.nn.blur_images").remarks if "is not in API" in each)
    assert remark == "tf.nn.blur_images is not in API v2; it is tf.compat.v1.nn.blur_images"
    for name in ("tf.nn.blur", "tf.compat.v1.nn.blur_images", "tf.compat.v1.nn.blur"):
        assert not any("is not in API" in each for each in tracer.explain(name).remarks)


@pytest.mark.parametrize(("chain", "becomes"), [('.Input("x: float")', True), ('.Output("y: float")', False)])
def test_an_op_without_inputs_is_given_no_value_that_becomes_a_constant(
    tmp_path: Path, chain: str, becomes: bool
) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "halve.cc").write_text(f'REGISTER_OP("Halve"){chain};\n')
    tracer = TensorflowTracer(side(), CppIndex(Loader(open_workspace(tmp_path))), made_by)
    answer = tracer.explain("tf.math.halve_it")
    assert ("Const" in [use.op for use in answer.uses], any("Const" in each for each in answer.remarks)) == (
        becomes,
        becomes,
    )


def test_a_kernel_of_an_op_that_is_registered_elsewhere(tmp_path: Path) -> None:
    """Plugins have kernels of TensorFlow's ops."""
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "fft.cc").write_text('REGISTER_KERNEL_BUILDER(Name("FFT").Device(DEVICE_GPU), FftOp);\n')
    sources = PythonSources(MemorySource({}))
    tracer = TensorflowTracer(sources, CppIndex(Loader(open_workspace(tmp_path))), made_by)
    (story,) = tracer.explain("FFT").stories
    assert [(each.kernel_class, each.location.short) for each in story.kernels] == [("FftOp", "fft.cc:1")]
    assert [row[0] for row in tracer.table().rows] == ["FFT"]


@pytest.mark.parametrize(
    ("build", "told"),
    [
        ("[{} for each in []]", "no target builds a.cc in this configuration"),
        ("fail()\n{}", "no target is known to build a.cc: // is not known in full"),
        (
            'load("@absent//:x.bzl", "made")\nmade(name = "b")\n[{} for each in []]',
            "no target is known to build a.cc: // is not known in full",
        ),
    ],
)
def test_a_kernel_that_no_target_builds_is_said_to_have_none(tmp_path: Path, build: str, told: str) -> None:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "BUILD").write_text(build.format('cc_library(name = "a", srcs = ["a.cc"])'))
    (tmp_path / "a.cc").write_text('REGISTER_KERNEL_BUILDER(Name("A").Device(DEVICE_GPU), AOp);\n')
    sources = PythonSources(MemorySource({}))
    tracer = TensorflowTracer(sources, CppIndex(Loader(open_workspace(tmp_path))), made_by)
    (story,) = tracer.explain("A").stories
    assert story.remarks == (told,)
