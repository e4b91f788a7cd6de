"""The types that tensors of a graph may have, as far as one can tell: TensorFlow converts nothing by itself.

An expression -> a text (``type_ways``); a test of types, or of shapes -> what it needs. A type itself (``x.dtype``,
``dtypes.int32``) is told alike, and a number of Python is what becomes of it where nothing else says so.

>>> of = lambda text, **here: type_of(ast.parse(text, mode="eval").body, lambda name: here.get(name, ""))
>>> of("math_ops.cast(x, dtypes.int32) + 1", x="$:x."), of("x > 0", x="$:x."), of("zeros([2])"), of("g(x)", x="$:x")
('$i:x.', '$b', '$f', 'bc')
>>> of("convert_to_tensor(0, dtype=kind)", kind="$:kind"), of("[x, 0.5][n].dtype", x="$:x."), of("rank(x)", x="$:x.")
('{kind}$:kind;{!kind}$i.', '$f;$:x', '$i.')
>>> of("[2] + x.shape"), of("shape(x)[:1]"), of("x * g(x)", x="$:x"), of("x * 2", x="$:x.")
('$i,', '$i,', '$12UWcdfghiluwz', '$:x#.')
>>> of("[x, 2]", x="$:x."), of("[g(x)]")
('$i,;$:x,', '$,')
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from bzlgraph.ops.python.summary import EITHER, NOT, TEXT
from bzlgraph.ops.python.values.classes.guards import guarded
from bzlgraph.ops.python.values.classes.type_ways import (
    ANY,
    LISTED,
    MARK,
    PARAMETER,
    SAME,
    SCALAR,
    calculated,
    either,
    is_plain,
    letters_of,
    listed,
    of_any_shape,
    shape_of,
    symbol,
    together,
)
from bzlgraph.python_source.syntax import dotted, last_name

Named = Callable[[str], str]
"""The types of a name that the function binds, "" for any other name."""
_TYPES: Mapping[str, str] = {
    "bool": "b", "string": "s", "int8": "1", "int16": "2", "int32": "i", "int64": "l", "uint8": "u", "uint16": "w",
    "uint32": "U", "uint64": "W", "half": "h", "float16": "h", "bfloat16": "g", "float32": "f", "float64": "d",
    "double": "d", "complex64": "c", "complex128": "z", "resource": "r", "variant": "v",
}  # fmt: skip
_OWNERS = frozenset(["dtypes", "np", "numpy", "tf"])
"""Modules that types are named in."""
_KINDS = {
    "is_integer": "12ilUWuw", "is_unsigned": "UWuw", "is_floating": "dfgh", "is_complex": "cz", "is_bool": "b",
}  # fmt: skip
_ALIKE = frozenset(["dtype", "base_dtype", "as_numpy_dtype", "values", "flat_values"])
_REAL = {"c": "f", "z": "d"}
_CALCULATING = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult)
"""Operators whose ops take numbers only: ``+`` puts texts together, and ``&`` is for truth values, too."""
_OF_PYTHON = {bool: "$b.", int: "$i.", float: "$f.", str: "$s."}
_KEYWORDS = frozenset(["dtype", "out_type", "output_type"])
_ASKED = frozenset(
    "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not logical_xor is_nan is_inf"
    " is_finite".split()
)
"""Functions that give truth values."""
_SHAPES = frozenset(["shape", "shape_internal", "tensor_shape_tensor_conversion_function"])
_LISTING = frozenset(["concat", "stack", "expand_dims", *_SHAPES])
"""Functions that give no scalar."""
_COUNTED = frozenset(["rank", "size", "rank_internal", "size_internal", *_SHAPES])
_FLOATS = frozenset(
    "zeros ones random_uniform random_normal truncated_normal stateless_random_uniform stateless_random_normal"
    " stateless_truncated_normal eye".split()
)
"""Functions that make floats where they are given no type."""
_FIRST = frozenset(
    "convert_to_tensor constant as_dtype identity reshape expand_dims squeeze transpose reverse concat stack gather"
    " tile pad slice strided_slice stop_gradient zeros_like ones_like reduce_sum reduce_max reduce_min reduce_prod"
    " reduce_mean cumsum cumprod negative clip_by_value broadcast_to unstack identity_n with_dependencies"
    " check_numerics floor max min adjust_contrastv2 adjust_hue adjust_saturation".split()
)
"""Functions that give what their first argument has."""
_REDUCING = frozenset(f"reduce_{each}" for each in "all any sum max min prod mean".split())
"""Functions that give a scalar where they are given nothing else."""
_SHAPED = frozenset(
    "cast saturate_cast convert_to_tensor constant identity negative stop_gradient zeros_like ones_like logical_not"
    " floor abs real imag check_numerics".split()
)
"""Functions that give what has the shape of their first argument."""
_PARTS_OF_SHAPES = frozenset(["dims", "ndims", "rank"])
_BOTH = frozenset("add subtract multiply maximum minimum mod floormod floordiv squared_difference range".split())
_CHOSEN = frozenset(["where", "where_v2", "select"])
_WITH_HINT = frozenset(["dtype_hint", "preferred_dtype", None])


def type_of(node: ast.expr, named: Named) -> str:
    """The types of an expression."""
    match node:
        case ast.Constant(value=value):
            return _OF_PYTHON.get(type(value), ANY)
        case ast.Name(id=name):
            return named(name) or ANY
        case ast.Attribute(value=value, attr=attr):
            if is_named(node, named):
                return MARK + _TYPES[attr]
            return MARK + LISTED if attr == "shape" else _of_part(type_of(value, named), attr)
        case ast.Subscript(value=ast.Call(func=function), slice=ast.Constant()) if last_name(function) in _SHAPES:
            return "$i."
        case ast.Subscript(value=value, slice=index):
            inside = type_of(value, named)
            return inside if isinstance(index, ast.Slice) and shape_of(inside) == LISTED else _of_members(value, named)
        case ast.Compare(left=left, comparators=others):
            return "$b" + together([type_of(each, named) for each in (left, *others)])
        case ast.UnaryOp(op=ast.Not()):
            return "$b"
        case ast.UnaryOp(operand=operand):
            return type_of(operand, named)
        case ast.BinOp(left=left, op=operator, right=right):
            parts = [left, right]
            inexact = isinstance(operator, ast.Div | ast.MatMult)
            both = ANY if inexact else _of_both(parts, [type_of(each, named) for each in parts])
            return calculated(both) if isinstance(operator, _CALCULATING) else both
        case ast.IfExp(body=body, orelse=orelse):
            return either([type_of(each, named) for each in (body, orelse)])
        case ast.BoolOp(values=parts):
            return either([type_of(each, named) for each in parts])
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return listed(either([of_any_shape(type_of(each, named)) for each in parts]) if parts else ANY)
        case ast.ListComp(elt=part, generators=[ast.comprehension(target=ast.Name(id=member), iter=through)]):
            of_member = _of_members(through, named)
            return type_of(part, lambda name: of_member if name == member else named(name))
        case ast.Call():
            return _of_call(node, named)
    return ANY


def is_named(node: ast.expr, named: Named) -> bool:
    """Whether an expression is a type by its name: ``dtypes.float32``."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=attr):
            return attr in _TYPES and owner in _OWNERS and not named(owner)
    return False


def of_parameter(name: str) -> str:
    """That of a parameter: what the caller gives."""
    return f"{MARK}{PARAMETER}{name}{SCALAR}"


def members(value: ast.expr, count: int, named: Named) -> list[str]:
    """The types of the members of a value that is unpacked."""
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == count:
        return [type_of(each, named) for each in value.elts]
    return [ANY] * count


def needed(test: ast.expr, of: Callable[[ast.expr], str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What a test of a type needs to hold, and not to; None for any other test.

    >>> ask = lambda text: needed(ast.parse(text, mode="eval").body, lambda node: type_of(node, lambda _name: "$:x"))
    >>> ask("x.dtype.is_complex"), ask("x.dtype not in (dtypes.int32, dtypes.half)"), ask("x == 2")
    ((('dtype $:x=cz',), ('!dtype $:x=cz',)), (('!dtype $:x=ih',), ('dtype $:x=ih',)), None)
    """
    measured, unknown_too = _measured(test)
    if measured is not None:
        need, text = f"dtype {of(measured)}{TEXT}{SCALAR}", of(measured)
        return ((NOT + need,), () if unknown_too else (need,)) if text != ANY else None
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if _is_type(left) and _is_type(
            right
        ):
            one, other = of_any_shape(of(left)), of_any_shape(of(right))
            need = "" if ANY in (one, other) else f"dtype {one}{SAME}{other}"
        case _:
            node, letters = _asked(test)
            text = of_any_shape(of(node)) if node is not None else ANY
            need = f"dtype {text}{TEXT}{letters}" if text != ANY else ""
    turned = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq | ast.NotIn)
    both = (need,), (NOT + need,)
    return None if not need else both[::-1] if turned else both


def narrowed(test: ast.expr, holds: bool) -> tuple[str, str] | None:
    """The name, and its types where a test holds, or does not; None where that says nothing of it."""
    turned = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq | ast.NotIn)
    node, letters = _asked(test) if holds is not turned else (None, "")
    while isinstance(node, ast.Attribute) and node.attr in _ALIKE:
        node = node.value
    return (node.id, MARK + letters) if isinstance(node, ast.Name) else None


def _of_members(node: ast.expr, named: Named) -> str:
    """What a member has: those of a parameter may differ."""
    text = of_any_shape(type_of(node, named))
    return ANY if MARK + PARAMETER in text and not isinstance(node, ast.Tuple | ast.List) else text


def _measured(test: ast.expr) -> tuple[ast.expr | None, bool]:
    """What a test asks for its shape that fails for scalars, and whether it may fail for others, too:
    ``x.shape.dims``, ``x.get_shape().ndims is None``, ``x._shape_tuple()``, which is true for all that is known to be
    no scalar."""
    match test:
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return _measured(left)[0], True
        case ast.Attribute(value=ast.Attribute(value=node, attr="shape"), attr=attr) if attr in _PARTS_OF_SHAPES:
            return node, True
        case ast.Attribute(value=ast.Call(func=ast.Attribute(value=node, attr="get_shape")), attr=attr):
            return node if attr in _PARTS_OF_SHAPES else None, True
        case ast.Call(func=ast.Attribute(value=node, attr="_shape_tuple"), args=[]):
            return node, False
    return None, True


def _of_part(text: str, attr: str) -> str:
    if attr == "real_dtype":
        return _real(text)
    return of_any_shape(text) if attr in _ALIKE else ANY


def _real(text: str) -> str:
    known = text.startswith(MARK) and all(map(is_plain, text.split(EITHER)))
    letters = "".join(sorted({_REAL.get(each, each) for each in letters_of(text)}))
    return f"{MARK}{letters}{shape_of(text)}" if known and letters else ANY


def _of_both(parts: Sequence[ast.expr], texts: Sequence[str]) -> str:
    """What several tensors, and their types, have together: a number of Python becomes what the others are."""
    tensors = [text for each, text in zip(parts, texts, strict=True) if not _is_number(each)] or texts
    if len(tensors) == 1:
        return tensors[0]
    known = [of_any_shape(each) for each in tensors if each.startswith(MARK) and not each.startswith(MARK + PARAMETER)]
    alike = next((each for each in known if each != ANY), of_any_shape(either(tensors)))
    shape = together(texts)
    return listed(alike) if shape == LISTED else f"{alike}{shape}"


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def _of_call(node: ast.Call, named: Named) -> str:
    last, others = last_name(node.func).lstrip("_"), {each.arg for each in node.keywords} - {"name"}
    if not node.args and isinstance(node.func, ast.Attribute) and last in ("read_value", "value", "get_shape"):
        return MARK + LISTED if last == "get_shape" else type_of(node.func.value, named)
    if any(isinstance(each, ast.Starred) for each in node.args) or not others.isdisjoint(_WITH_HINT):
        return ANY
    texts = [type_of(each, named) for each in node.args]  # once: calls stand in calls
    made = _by_name(last, node, texts, bool(others))
    kind = next((each.value for each in node.keywords if each.arg in _KEYWORDS), None)
    kind = kind or next((each for each in node.args[1:] if _is_type(each)), None)
    if kind is None or last.startswith(("is_", "assert")) or (isinstance(kind, ast.Constant) and kind.value is None):
        return made
    text = of_any_shape(type_of(kind, named))
    if isinstance(kind, ast.Name) and made != ANY:
        return either(guarded([text, made], [[kind.id], [NOT + kind.id]]))
    if not is_plain(text) or last in _LISTING:
        return text if last not in _LISTING else listed(text)
    return text + _shape_kept(texts[:1]) * (last in _SHAPED and "shape" not in others)


def _shape_kept(texts: Sequence[str]) -> str:
    """The shape of what a function gives that keeps it: that of a parameter, too."""
    of_parameter = [each for each in texts if symbol(each) and each.endswith(SCALAR)]
    return f"{symbol(of_parameter[0])}{SCALAR}" if of_parameter else "".join(map(shape_of, texts))


def _by_name(last: str, node: ast.Call, texts: Sequence[str], more: bool) -> str:
    """What a function of this name gives where it is given no type. ``more``: it is given something by name."""
    if not texts or last in _FLOATS:
        return "$f" if last in _FLOATS else ANY
    if last in _ASKED:
        return "$b" + together(texts)
    if last in _COUNTED:
        return "$i," if last in _SHAPES else "$i."
    first = texts[0]
    if last in _REDUCING:
        truth = last in ("reduce_all", "reduce_any")
        return _reduced("$b" if truth else first, alone=len(texts) == 1 and not more)
    if last in _LISTING:
        return listed(first)
    if last in _FIRST:
        return first if last in _SHAPED and all(each.arg != "shape" for each in node.keywords) else of_any_shape(first)
    if last in _BOTH:
        count = 3 if last == "range" else 2
        return _of_both(node.args[:count], texts[:count])
    if last in _CHOSEN and len(texts) > 2:
        return of_any_shape(_of_both(node.args[1:3], texts[1:3]))
    return _real(first) if last in ("abs", "real", "imag") else ANY


def _reduced(text: str, alone: bool) -> str:
    """What a reduction gives of something; a scalar where it is given nothing else."""
    letters = letters_of(text) if is_plain(text) else "".join(sorted({*_TYPES.values()}))
    return f"{MARK}{letters}{SCALAR}" if alone else of_any_shape(text)


def _is_type(node: ast.expr) -> bool:
    """Whether an expression is a type by how it is written: ``x.dtype``, ``dtypes.int32``, ``out_type``."""
    match node:
        case ast.Attribute(value=value, attr=attr):
            return attr.endswith("dtype") or (attr in _TYPES and dotted(value) in _OWNERS)
        case ast.Name(id=name):
            return name.endswith("type")
        case ast.Call(func=function):
            return last_name(function) == "as_dtype"
    return False


def _asked(test: ast.expr) -> tuple[ast.expr | None, str]:
    """Of which expression a test asks whether it has one of which types."""
    match test:
        case ast.Attribute(value=value, attr=attr) if attr in _KINDS and _is_type(value):
            return value, _KINDS[attr]
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[right]):
            several = isinstance(right, ast.Tuple | ast.List | ast.Set) and isinstance(test.ops[0], ast.In | ast.NotIn)
            parts = right.elts if several and isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
            letters = [_TYPES[last_name(each)] if is_named(each, lambda _: "") else "" for each in parts]
            return (left, "".join(letters)) if letters and all(letters) else (None, "")
    return None, ""
