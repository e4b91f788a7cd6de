"""Names that say what functions of TensorFlow take and give, parameters are, and attributes hold."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection

COMPARED = {ast.Lt: "__lt__", ast.LtE: "__le__", ast.Gt: "__gt__", ast.GtE: "__ge__"}
REFLECTED = {"__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__"}
"""What Python asks of the right operand where the left one is no tensor: ``0 <= x``."""
ABSOLUTE = "abs"
"""The function of Python that gives a tensor of a tensor."""
BINDS = "_p.bind"
"""How calls end that bind a primitive of JAX, which gives arrays."""
CONVERTERS = frozenset(
    "convert_to_tensor convert_to_tensor_v2 convert_to_tensor_v2_with_dispatch convert_to_tensor_or_sparse_tensor"
    " convert_to_tensor_or_indexed_slices convert_to_tensor_or_composite shape_tensor".split()
)
CASTS = "cast"
"""The function that makes a tensor of another type of a tensor, or of a number."""
_APPLY = frozenset("functools itertools operator collections contextlib".split())
CALLS_BACK = frozenset({*sys.stdlib_module_names, "six"}) - _APPLY
"""Packages whose functions call what they are given with values of Python; others of Python's pass on what they get."""
LISTS = frozenset(["unstack", "split", "shape_n", "meshgrid", "convert_n_to_tensor", "flatten", "unique", "while_loop"])
"""Functions that give lists of tensors: an index takes a member out, and slices nothing."""
ASK_FIRST = frozenset("while_loop while_loop_v2 BuildLoop _BuildLoop cond cond_v2 smart_cond with_dependencies".split())
"""Functions whose first argument is no part of what they give: a test, or what has to happen before."""
CHOOSES = frozenset(["smart_cond"])
"""Those of them that run only one of the others, where the test is known before the graph runs."""
WRAPPERS = frozenset({"make_decorator", "partial", "update_wrapper"})
"""Functions that give back the function they are given, dressed as another or with arguments."""
NOT_PACKED = frozenset(["name", "axis", "data", "loop_vars", "inputs"])
TAKE_LISTS = frozenset(
    "concat concat_v2 stack pack add_n accumulate_n while_loop cond tuple group with_dependencies Assert dynamic_stitch"
    " assert_compatible case switch_case identity_n shape_n print_v2 meshgrid zip list set join string_join einsum"
    " map_structure flatten dispatch name_scope function no_op IndexedSlices py_func numpy_function make_list set_shape"
    " assert_same_structure append extend".split()
)
"""Functions that take lists of tensors as lists."""
TAKE_LISTS_FIRST = frozenset(
    "concat concat_v2 stack pack add_n accumulate_n dynamic_stitch identity_n shape_n parallel_stack meshgrid".split()
)
"""Those whose first argument is such a list."""
MAKERS = frozenset(["apply_op", "_apply_op_helper", "create_op", "_create_op_internal", "_create_op_helper", "execute"])
"""Functions whose first argument is the name of an op."""
NUMBERS = frozenset(
    "constant_value constant_value_as_shape get_shape is_tensor executing_eagerly is_tf_type TensorShape as_dtype"
    " get_seed executing_eagerly_outside_functions name_scope assert_type control_dependencies get_static_value".split()
)
NUMBER_CLASSES = frozenset(
    "int float bool str bytes complex integer integer_types integral_types string_types Integral Number Real".split()
)
COLLECTION_CLASSES = frozenset("list tuple dict set frozenset Sequence Iterable Mapping".split())
"""Classes of Python's values that ``isinstance`` is asked of."""
_NOT_OF_TEXTS = frozenset("int float bool complex integer integer_types integral_types list tuple dict set".split())
_OF_TEXTS = frozenset("Sequence Iterable Hashable Collection Container Sized Reversible Any Text AnyStr".split())
OP_MODULES = ("_ops", "_op", "_impl", "_math", "backend")
"""Ends of the names of modules whose functions take and give tensors."""
NOT_TENSORS = frozenset("self cls name axis axes dim dims ndims rank dtype seed op_seed graph_seed seed2 shape".split())
"""Parameters that are numbers, texts or lists of them as a rule."""
OP_ALIASED = frozenset(["backend", "nn"])
"""Modules of such functions that are imported under another name."""
PUBLIC = frozenset(["tensorflow", "tensorflow.compat.v1", "tensorflow.compat.v2"])
"""The modules of the public API: their functions give tensors, but for classes, which have capitals."""
VARIABLE = "Variable"
MAKE_VARIABLES = frozenset(["add_weight", "add_variable"])
"""Methods of layers and metrics that make a variable."""
TENSOR_PARTS = frozenset(["values", "indices", "dense_shape", "row_splits", "flat_values"])
OPERATION, OPERATION_LISTS = "op", ("inputs", "outputs")
"""What a function of a gradient is given: an operation, whose attributes are lists of tensors."""


def holds_no_text(classes: Collection[str]) -> bool:
    """Whether no text as it is written is of one of some classes, by their names: capital letters are those of classes
    that a package defines.

    >>> holds_no_text(["int", "Mode"]), holds_no_text(["str", "Mode"]), holds_no_text(["Sequence"])
    (True, False, False)
    """
    others = [each for each in classes if each not in _NOT_OF_TEXTS]
    return not any(each in _OF_TEXTS or not each[:1].isupper() for each in others)
