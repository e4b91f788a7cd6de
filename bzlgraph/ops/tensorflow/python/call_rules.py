"""What the walk over TensorFlow's Python does not enter, and what operators of tensors make.

Measured on 2.12 against the ops of 650 traced public functions (tests/differential/wheels/tensorflow).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

UNIVERSAL = tuple(
    "tensorflow/python/framework/ tensorflow/python/util/ tensorflow/python/eager/ tensorflow/python/platform/"
    " tensorflow/python/distribute/ tensorflow/python/client/ tensorflow/python/autograph/"
    " tensorflow/python/profiler/ tensorflow/python/checkpoint/ tensorflow/python/trackable/"
    " tensorflow/python/saved_model/ tensorflow/python/types/ tensorflow/python/tf2.py tensorflow/python/compat/"
    " tensorflow/python/lib/ tensorflow/python/tpu/ tensorflow/core/"
    " tensorflow/python/data/util/nest.py tensorflow/python/data/util/structure.py".split()
)
"""Folders of modules that everything uses: graphs, conversions, contexts, decorators, protos."""
ENTERED = (
    "tensorflow/python/framework/smart_cond.py",
    "tensorflow/python/framework/random_seed.py",
)
"""Files of those folders that do make ops for their callers."""

_NEW_VARIABLE = (
    *("VarHandleOp", "VarIsInitializedOp", "AssignVariableOp", "ReadVariableOp"),
    *("VariableV2", "Assign", "Identity"),
)
LEAVES = {
    ("tensorflow/python/ops/variable_scope.py", "get_variable"): _NEW_VARIABLE,
    ("tensorflow/python/framework/constant_op.py", ""): ("Const",),
}
"""(file, function; "" is any) -> what a call makes as a rule, in place of all that its branches could make."""
CONVERTERS = {
    "tensorflow/python/ops/numpy_ops/np_arrays.py": ("convert_to_tensor",),
    "tensorflow/python/ops/cond_v2.py": (
        *("_make_intermediates_match", "_make_inputs_match", "_make_indexed_slices_indices_types_match"),
        "_wrap_intermediates",
    ),
    "tensorflow/python/ops/ragged/ragged_tensor.py": ("convert_to_tensor_or_ragged_tensor",),
}
"""Functions elsewhere that convert, or repair what is rarely broken: their many branches say nothing of a caller."""
_VARIABLES = "tensorflow/python/ops/variables.py"
_RESOURCE_VARIABLE = (
    ("tensorflow/python/ops/resource_variable_ops.py", "ResourceVariable._init_from_args"),
    ("tensorflow/python/ops/resource_variable_ops.py", "BaseResourceVariable._read_variable_op"),
)
_OF_V1, _REFERENCES = "tensorflow/python/ops/variable_v1.py", "tensorflow/python/ops/ref_variable.py"
"""Where those of API v1 are from 2.13 on."""
_ANY_VARIABLE = (
    *_RESOURCE_VARIABLE,
    *((path, "RefVariable._init_from_args") for path in (_VARIABLES, _REFERENCES)),
)
CONSTRUCTED = {
    (_VARIABLES, "Variable"): _RESOURCE_VARIABLE,
    **dict.fromkeys(((path, "VariableV1") for path in (_VARIABLES, _OF_V1)), _ANY_VARIABLE),
    **dict.fromkeys(((path, "RefVariable") for path in (_VARIABLES, _REFERENCES)), _ANY_VARIABLE),
}
"""Classes whose metaclass makes a value of another class: what runs in place of their ``__init__``, in files of which a
tree has some. What API v1 makes is a reference variable until somebody asks for resources."""
_RESOURCE = "tensorflow/python/ops/resource_variable_ops.py"
_QUEUE = "tensorflow/python/ops/data_flow_ops.py"
METHODS = {
    **{name: (_RESOURCE, f"BaseResourceVariable.{name}") for name in ("assign", "assign_add", "assign_sub")},
    **{
        name: (_QUEUE, f"QueueBase.{name}")
        for name in ("enqueue", "enqueue_many", "dequeue", "dequeue_many", "dequeue_up_to")
    },
    **{f"queue.{name}": (_QUEUE, f"QueueBase.{name}") for name in ("close", "size", "is_closed")},
}
"""Names that only methods of one class have: what they mean whatever the value is, or for values of a name."""
_GONE = """aifc asynchat asyncore audioop cgi cgitb chunk crypt distutils imghdr imp mailcap msilib nis nntplib
    ossaudiodev pipes smtpd sndhdr spwd sunau telnetlib uu xdrlib"""
"""What some Python that runs this has in its standard library, and a newer one has not."""
RUNS_NOTHING = frozenset({*sys.stdlib_module_names, *_GONE.split(), "absl", "google", "numpy", "six"})
"""Packages whose functions run nothing of TensorFlow's, whatever they are given."""
DECORATORS = {"custom_gradient": ("IdentityN", "Identity"), "function": ("PartitionedCall",)}
"""Decorators that make an op around whatever the function makes."""
_GRAPH = {"executing_eagerly": False, "in_eager_mode": False}
DECIDED = {"v1": _GRAPH, "v2": {**_GRAPH, "EnableControlFlowV2": True, "control_flow_v2_enabled": True}}
"""Version of the API -> tests with one answer: what is traced is a graph, and 2.x has its own control flow in it (1.x
has it inside of functions only)."""

OPERATORS = {
    "__add__": ("AddV2", "Add"),
    "__sub__": ("Sub",),
    "__mul__": ("Mul",),
    "__truediv__": ("RealDiv",),
    "__floordiv__": ("FloorDiv",),
    "__mod__": ("FloorMod",),
    "__pow__": ("Pow",),
    "__matmul__": ("MatMul",),
    "__and__": ("LogicalAnd",),
    "__or__": ("LogicalOr",),
    "__xor__": ("LogicalXor",),
    "__lt__": ("Less",),
    "__le__": ("LessEqual",),
    "__gt__": ("Greater",),
    "__ge__": ("GreaterEqual",),
    "__neg__": ("Neg",),
    "__invert__": ("LogicalNot",),
    "__abs__": ("Abs",),
    "__getitem__": ("StridedSlice",),
}
"""Special method of Tensor -> its op; the first that the tree registers."""
PACK = "Pack"
"""What a list with a tensor in it becomes (array_ops._autopacking_helper)."""
IMPLIED = "Const"
"""What a Python number, list or array that is given as a tensor becomes."""

MOVING = frozenset(
    """Identity IdentityN RefIdentity Snapshot Reshape Squeeze ExpandDims Cast StopGradient Const Shape Rank Size Pack
    Unpack StridedSlice NoOp Assert PreventGradient PlaceholderWithDefault Fill ZerosLike OnesLike ConcatV2
    Transpose Pad PadV2 MirrorPad ReadVariableOp VarIsInitializedOp If StatelessIf While StatelessWhile Switch
    RefSwitch Merge RefMerge Enter RefEnter Exit RefExit NextIteration RefNextIteration LoopCond""".split()
)
"""Ops that make room for, guard or rearrange what others compute: no function is about them when it computes, too."""
LOOPS = ("While", "StatelessWhile")
"""Those that run a loop."""


def made_by_leaf(path: str, name: str) -> tuple[str, ...]:
    """The ops of a function that is not entered because it is known, () for any other."""
    return LEAVES.get((path, name)) or LEAVES.get((path, ""), ())


def follows_special(path: str) -> bool:
    """Whether branches for sparse and ragged tensors are what a module is about."""
    return "ragged" in path or "sparse" in path


def is_universal(path: str, name: str) -> bool:
    """Whether the walk stops before this definition."""
    return (path.startswith(UNIVERSAL) and path not in ENTERED) or name in CONVERTERS.get(path, ())


def operator_op(names: Sequence[str], known: Callable[[str], bool]) -> str:
    """The first name that is an op, "" for none."""
    return next((name for name in names if known(name)), "")
