"""Where a file says that its values are arrays of JAX: annotations of parameters, and the modules it calls.

Such arrays have methods and compare member by member, so ``x.sum()``, ``x.T`` and ``x == y`` are operators on them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from bzlgraph.python_source.syntax import dotted, last_name, walk

ANNOTATIONS = frozenset(["Array", "ArrayLike", "KeyArray", "KeyArrayLike"])
CLASSES = frozenset(["Array", "ndarray", "Tracer", "ArrayImpl"])
"""Classes of arrays, which no list is."""
_PLAIN = frozenset("int str bool None Shape DimSize DType DTypeLike Callable PrecisionLike".split())
_OF_NUMPY = ("np.ndarray", "numpy.ndarray")
"""Arrays that are no part of a trace."""
_COLLECTIONS = frozenset("Sequence Iterable tuple list Tuple List set dict Mapping".split())
LIBRARY = "jax"
_MODULES = tuple(
    f"jax.{inner}{name}."
    for inner in ("", "_src.")
    for name in ("lax", "nn", "numpy", "ops", "prng", "random", "scipy", "image")
)
"""Modules whose functions take and give arrays, by where names begin that the file imports."""
NO_ARRAYS = frozenset(
    "broadcast_shapes canonicalize_axis canonicalize_shape dtype finfo iinfo iscomplexobj isscalar issubdtype iterable"
    " ndim promote_types result_type shape size conv_dimension_numbers padtype_to_pads ConvDimensionNumbers"
    " DotDimensionNumbers GatherDimensionNumbers RaggedDotDimensionNumbers ScatterDimensionNumbers"
    " keys items values".split()
)
"""Functions of these modules that give types, shapes, sizes, truth values or descriptions."""
COMPARED = {ast.Eq: "__eq__", ast.NotEq: "__ne__"}
PARTS = frozenset(["T", "mT", "real", "imag", "at"])
"""Attributes of arrays that are arrays again."""
EXPANDING, INDEXING = "expand_dims", "__getitem__"
FACTS = frozenset("shape ndim size dtype aval sharding weak_type nbytes itemsize item tolist devices".split())
"""Attributes of arrays that are no arrays."""
NEVER_NONE = frozenset("shape ndim size dtype".split())
"""Those of them that every array has."""


def is_used(imports: Mapping[str, str]) -> bool:
    """Whether a file imports something of the library."""
    return any(each.partition(".")[0] == LIBRARY for each in imports.values())


def gives_array(called: str, imports: Mapping[str, str]) -> bool:
    """Whether a call of a dotted name gives arrays, judged by the module it is imported from."""
    head, _, rest = called.partition(".")
    full = f"{imports.get(head, head)}.{rest}" if rest else imports.get(head, head)
    last = full.rpartition(".")[2]
    if last in NO_ARRAYS or last.startswith(("is_", "_is_", "assert_", "check_")):
        return False
    return full.startswith(_MODULES)


def annotated(node: ast.expr | None) -> bool:
    """Whether an annotation is that of an array, or of an array or something else (``Array | None``), but for a
    sequence: what has an index may then be that."""
    if isinstance(node, ast.BinOp):
        sequences = any(last_name(each.value) in _COLLECTIONS for each in walk(node) if isinstance(each, ast.Subscript))
        return not sequences and (annotated(node.left) or annotated(node.right))
    if isinstance(node, ast.Subscript) and last_name(node.value) in ("Optional", "Union"):
        members = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return any(map(annotated, members))
    return node is not None and last_name(node) in ANNOTATIONS


def gives_several(returns: ast.expr | None) -> bool:
    """Whether a function says that it returns a collection, or a class of its own: an index takes a member out."""
    if isinstance(returns, ast.Subscript):
        return last_name(returns.value) in _COLLECTIONS
    return isinstance(returns, ast.Name) and returns.id.endswith("Result")


def is_plain(node: ast.expr | None) -> bool:
    """Whether an annotation is that of a number, a text, a type or a collection of such: of no array."""
    if isinstance(node, ast.Constant):
        return node.value is None
    if isinstance(node, ast.BinOp):
        return is_plain(node.left) and is_plain(node.right)
    if isinstance(node, ast.Subscript):
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        held = last_name(node.value) in _COLLECTIONS | {"Optional", "Union"}
        return held and all(is_plain(each) for each in inside if not is_ellipsis(each))
    return node is not None and (last_name(node) in _PLAIN or dotted(node) in _OF_NUMPY)


def indexing(index: ast.expr) -> str:
    """What an index of an array runs: one that takes all of it (``x[:, None]``) only adds axes, or does nothing ("").

    >>> texts = "x[:, None]", "x[..., np.newaxis, :]", "x[:]", "x[...]", "x[0, None]", "x[1:]", "x[i]"
    >>> [indexing(ast.parse(each, mode="eval").body.slice) for each in texts]
    ['expand_dims', 'expand_dims', '', '', '__getitem__', '__getitem__', '__getitem__']
    """
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    added = [each for each in parts if is_new_axis(each)]
    whole = [each for each in parts if is_ellipsis(each) or (isinstance(each, ast.Slice) and not any(_ends(each)))]
    return INDEXING if len(added) + len(whole) < len(parts) else EXPANDING if added else ""


def is_new_axis(node: ast.expr) -> bool:
    return (isinstance(node, ast.Constant) and node.value is None) or last_name(node) == "newaxis"


def _ends(node: ast.Slice) -> tuple[ast.expr | None, ...]:
    return node.lower, node.upper, node.step


def is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
