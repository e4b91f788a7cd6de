"""A small TensorFlow tree in memory, written for the tests: a file or two for each way from a name to an op."""

from bzlgraph.ops.model import OpUse
from bzlgraph.ops.tensorflow.python.sources import PythonSources
from bzlgraph.workspace.sources.source import MemorySource

OPS = "tensorflow/python/ops"
FILES = {
    "tensorflow/core/public/version.h": "#define TF_MAJOR_VERSION 2\n",
    "tensorflow/__init__.py": "",
    "tensorflow/python/__init__.py": "",
    f"{OPS}/__init__.py": "",
    "tensorflow/python/framework/constant_op.py": "def constant(value):\n  return fill(value)\n",
    f"{OPS}/nn_ops.py": '''\
from tensorflow.python.framework import ops
from tensorflow.python.ops import array_ops
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.util import dispatch
from tensorflow.python.util.tf_export import tf_export


@tf_export("nn.blur", v1=[])
@dispatch.add_dispatch_support
def blur_v2(images, strides, name=None):
  """Blurs."""
  return blur(images, strides, name)


@tf_export(v1=["nn.blur", "nn.blur_images"])
@deprecation.deprecated_endpoints("nn.blur_images")
def blur(images, strides, name=None):
  images = ops.convert_to_tensor(images)
  if array_ops.is_small(images):
    images = array_ops.widen(images)
  return gen_nn_ops.blur2d(images, strides, name=name)


def _wrapper(fn, default):
  def inner(x):
    return fn(x)
  return inner


sharpen = _wrapper(gen_nn_ops.sharpen, "sharpen")
tf_export("nn.sharpen")(dispatch.add_dispatch_support(sharpen))
tf_export("nn.hidden_sharpen")(gen_nn_ops.sharpen)
''',
    f"{OPS}/array_ops.py": """\
from tensorflow.python.eager import context
from tensorflow.python.framework import constant_op
from tensorflow.python.framework import ops
from tensorflow.python.framework.sparse_tensor import SparseTensor
from tensorflow.python.ops.gen_array_ops import *
from tensorflow.python.ops import gen_array_ops
from tensorflow.python.util.tf_export import tf_export


def is_small(x):
  return x is None


def widen(x):
  if isinstance(x, SparseTensor):
    return gen_array_ops.sparse_widen(x)
  shape = gen_array_ops.shape(x)
  first = shape[0] * 2
  return reshape(x, [first, -1])


@tf_export("halve")
def halve(x):
  if context.executing_eagerly():
    return gen_array_ops.eager_halve(x)
  return gen_array_ops.halve(constant_op.constant(x))
""",
    f"{OPS}/layers.py": '''\
from tensorflow.python.ops import array_ops
from tensorflow.python.ops import nn_ops
from tensorflow.python.util.tf_export import tf_export


class Layer(object):
  def apply(self, x):
    return self.call(x)

  def call(self, x):
    return x


@tf_export("layers.Blur")
class Blur(Layer):
  """Blurs."""

  def call(self, x):
    return nn_ops.blur(x, 1)


Blurring = Blur


@tf_export("layers.blur")
def blur(x, wide):
  if wide:
    kind = Blurring
  else:
    kind = Layer
  layer = kind()
  return layer.apply(x)
''',
    f"{OPS}/nn_grad.py": """\
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_nn_ops


@ops.RegisterGradient("Blur2D")
def _BlurGrad(op, grad):
  return gen_nn_ops.blur2d_backprop(grad), None


ops.NotDifferentiable("Shape")
""",
    f"{OPS}/broken.py": "def half(:\n",
    f"{OPS}/sub/__init__.py": "from tensorflow.python.ops.nn_ops import *\n",
    "tensorflow/contrib/__init__.py": "",
    "tensorflow/contrib/blurs/__init__.py": "from tensorflow.python.ops.nn_ops import blur as old_blur\n",
}
VISIBLE = {"Halve": ("math.halve_it", "old.halve_it"), "Shape": ()}
NAMES = (
    "Blur2D",
    "Blur2DBackprop",
    "Sharpen",
    "SparseWiden",
    "EagerHalve",
    "Reshape",
    "StridedSlice",
    "Mul",
    "Pack",
    "Const",
    "Cut",
    "Less",
)
OUTPUTS = {"Cut": 2}


def api_defs() -> dict[str, str]:
    """ApiDef files: every op hidden but those of ``VISIBLE``; the second endpoint is gone in v2."""
    base, python = "tensorflow/core/api_def/base_api", "tensorflow/core/api_def/python_api"
    described = {op: f'op {{ graph_op_name: "{op}"{" out_arg {}" * OUTPUTS.get(op, 1)} }}' for op in (*NAMES, *VISIBLE)}
    made = {f"{base}/api_def_{op}.pbtxt": text for op, text in described.items()}
    for op in NAMES:
        made[f"{python}/api_def_{op}.pbtxt"] = f'op {{\n  graph_op_name: "{op}"\n  visibility: HIDDEN\n}}\n'
    first, second = VISIBLE["Halve"]
    made[f"{python}/api_def_Halve.pbtxt"] = (
        f'op {{ graph_op_name: "Halve" endpoint {{ name: "{first}" }}'
        f' endpoint {{ name: "{second}" deprecation_version: 2 }} }}'
    )
    return made


def side(**changes: str) -> PythonSources:
    """The tree's Python half; ``changes`` are files in place of those above (``__`` for ``/``, without .py)."""
    files = {**FILES, **api_defs(), **{f"{name.replace('__', '/')}.py": text for name, text in changes.items()}}
    return PythonSources(MemorySource({path: text.encode() for path, text in files.items()}))


def uses(name: str) -> list[OpUse]:
    """How a public name of the tree makes its ops."""
    made = side()
    return made.uses(made.exports.find(name)[0], name)


def ops_of(text: str, name: str) -> set[str]:
    """The ops that a function of one more module makes."""
    made = side(tensorflow__python__ops__more_ops=f"from tensorflow.python.ops import gen_array_ops\n{text}")
    return {use.op for use in made.walker.uses(made.exports.find(f"more_ops.{name}")[0].symbol, implied=False)}
