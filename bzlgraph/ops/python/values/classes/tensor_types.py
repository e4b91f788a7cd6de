"""The types that tensors of a graph may have, as far as one can tell: TensorFlow converts nothing by itself.

A text says, behind "$" for each way, one of which types something has, a letter each ("$f" floats of 32 bits, "$il"
whole numbers of 32 or of 64 bits), or that it has the one of a parameter ("$:x"); "bc" is nobody knows which
(``dtypes.ANY``). A type itself (``x.dtype``, ``dtypes.int32``) is told alike, and a number of Python is what becomes of
it where nothing else says so. "." behind a way says that it is a scalar, or of a parameter that it has its shape, too.

>>> of = lambda text, **here: type_of(ast.parse(text, mode="eval").body, lambda name: here.get(name, ""))
>>> of("math_ops.cast(x, dtypes.int32) + 1", x="$:x."), of("x > 0", x="$:x."), of("zeros([2])"), of("g(x)", x="$:x")
('$i', '$b', '$f', 'bc')
>>> of("convert_to_tensor(0, dtype=kind)", kind="$:kind"), of("[x, 0.5][n].dtype", x="$:x."), of("rank(x)", x="$:x.")
('{kind}$:kind;{!kind}$i.', '$f;$:x', '$i.')
>>> outcome("$:x;$f", {"dtype x": frozenset(["$d"])}), outcome("$:x;$f", {})
('$df', 'bc')
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from bzlgraph.ops.python.summary import EITHER, NOT, TEXT
from bzlgraph.ops.python.values.classes.guards import guarded, needed_ways, opened
from bzlgraph.python_source.syntax import dotted, last_name

MARK, PARAMETER, SAME, SCALAR = "$", ":", "<", "."
"""Before each way of a text; between two texts: that both are one type; behind a way, and what is needed of a text."""
ANY = "bc"
MAX_WAYS = 12
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
_OF_PYTHON = {bool: "$b.", int: "$i.", float: "$f.", str: "$s."}
_KEYWORDS = frozenset(["dtype", "out_type", "output_type"])
_ASKED = frozenset(
    "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not logical_xor is_nan is_inf"
    " is_finite".split()
)
"""Functions that give truth values."""
_SHAPES = frozenset(["shape", "shape_internal"])
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
            return _of_part(type_of(value, named), attr)
        case ast.Subscript(value=ast.Call(func=function), slice=ast.Constant()) if last_name(function) in _SHAPES:
            return "$i."
        case ast.Subscript(value=value):
            return _of_members(value, named)
        case ast.Compare(left=left, comparators=others):
            return "$b" + _are_scalars([type_of(each, named) for each in (left, *others)])
        case ast.UnaryOp(op=ast.Not()):
            return "$b"
        case ast.UnaryOp(operand=operand):
            return type_of(operand, named)
        case ast.BinOp(left=left, op=operator, right=right):
            parts = [left, right]
            inexact = isinstance(operator, ast.Div | ast.MatMult)
            return ANY if inexact else _of_both(parts, [type_of(each, named) for each in parts])
        case ast.IfExp(body=body, orelse=orelse):
            return either([type_of(each, named) for each in (body, orelse)])
        case ast.BoolOp(values=parts):
            return either([type_of(each, named) for each in parts])
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return either([_of_any_shape(type_of(each, named)) for each in parts]) if parts else ANY
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


def either(texts: Iterable[str]) -> str:
    """One of several.

    >>> either(["$i", "$f;$:x"]), either(["$i", "$:x", "bc"]), either(["{!a}$:x", "$:x", "{!a,a}$i"])
    ('$fi;$:x', 'bc', '$:x')
    """
    ways = needed_ways(each for one in texts for each in one.split(EITHER))
    plain = [each for each in ways if _is_plain(each)]
    others = [each for each in ways if not _is_plain(each)]
    if not ways or any(MARK not in each for each in ways) or len(others) > MAX_WAYS:
        return ANY
    letters = "".join(sorted({letter for each in plain for letter in _letters(each)}))
    scalar = SCALAR * all(each.endswith(SCALAR) for each in plain)
    return EITHER.join([*([f"{MARK}{letters}{scalar}"] if plain else []), *others])


def outcome(text: str, given: Mapping[str, frozenset[str]]) -> str:
    """The types that something may have with what is given, told by letters."""
    found: list[str] = []
    for way in opened(text, given):
        known: Iterable[str] = [way]
        if way.startswith(MARK + PARAMETER):
            known = given.get(f"dtype {_letters(way)[1:]}", [ANY])
            known = known if way.endswith(SCALAR) else map(_of_any_shape, known)
        found += known
    return either(found) if all(map(_is_plain, found)) else ANY


def needed(test: ast.expr, of: Callable[[ast.expr], str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What a test of a type needs to hold, and not to; None for any other test.

    >>> ask = lambda text: needed(ast.parse(text, mode="eval").body, lambda node: type_of(node, lambda _name: "$:x"))
    >>> ask("x.dtype.is_complex"), ask("x.dtype not in (dtypes.int32, dtypes.half)"), ask("x == 2")
    ((('dtype $:x=cz',), ('!dtype $:x=cz',)), (('!dtype $:x=ih',), ('dtype $:x=ih',)), None)
    """
    if (measured := _measured(test)) is not None:
        return ((f"{NOT}dtype {text}{TEXT}{SCALAR}",), ()) if (text := of(measured)) != ANY else None
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if _is_type(left) and _is_type(
            right
        ):
            one, other = _of_any_shape(of(left)), _of_any_shape(of(right))
            need = "" if ANY in (one, other) else f"dtype {one}{SAME}{other}"
        case _:
            node, letters = _asked(test)
            text = _of_any_shape(of(node)) if node is not None else ANY
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


def may_be(need: str, given: Mapping[str, frozenset[str]]) -> bool:
    """Whether something may have the types that are needed of it."""
    text, _, wanted = need.lstrip(NOT).removeprefix("dtype ").partition(TEXT)
    one, same, other = text.partition(SAME)
    known = [outcome(each, given) for each in (one, other) if each]
    if wanted == SCALAR:
        return not known[0].endswith(SCALAR)
    if not same:
        possible = set(_letters(known[0]))
        return known[0] == ANY or bool(possible - set(wanted) if need.startswith(NOT) else possible & set(wanted))
    if need.startswith(NOT):
        return not (one == other and symbol(one)) and (
            ANY in known or known[0] != known[1] or len(known[0]) > len(MARK) + 1
        )
    return ANY in known or bool(set(known[0][1:]) & set(known[1][1:]))


def _of_members(node: ast.expr, named: Named) -> str:
    """What a member has: those of a parameter may differ."""
    text = _of_any_shape(type_of(node, named))
    return ANY if MARK + PARAMETER in text and not isinstance(node, ast.Tuple | ast.List) else text


def symbol(text: str) -> str:
    """The one parameter whose type something has, whichever that is, "" for none."""
    return _letters(text) if text.startswith(MARK + PARAMETER) and EITHER not in text else ""


def _letters(way: str) -> str:
    return way.removeprefix(MARK).removesuffix(SCALAR)


def _of_any_shape(text: str) -> str:
    """The types alone."""
    return EITHER.join(each.removesuffix(SCALAR) for each in text.split(EITHER))


def _are_scalars(texts: Sequence[str]) -> str:
    """What stands behind the type of what is made of several: SCALAR where all are, and no parameter decides it."""
    return SCALAR * all(_is_plain(each) and each.endswith(SCALAR) and EITHER not in each for each in texts)


def _measured(test: ast.expr) -> ast.expr | None:
    """What a test asks for its shape that fails for scalars: ``x.shape.dims``, ``x.get_shape().ndims is None``."""
    match test:
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return _measured(left)
        case ast.Attribute(value=ast.Attribute(value=node, attr="shape"), attr=attr) if attr in _PARTS_OF_SHAPES:
            return node
        case ast.Attribute(value=ast.Call(func=ast.Attribute(value=node, attr="get_shape")), attr=attr):
            return node if attr in _PARTS_OF_SHAPES else None
    return None


def _is_plain(way: str) -> bool:
    return way.startswith(MARK) and not way.startswith(MARK + PARAMETER)


def _of_part(text: str, attr: str) -> str:
    if attr == "real_dtype":
        return _real(text)
    return _of_any_shape(text) if attr in _ALIKE else ANY


def _real(text: str) -> str:
    known = text.startswith(MARK) and all(map(_is_plain, text.split(EITHER)))
    letters = "".join(sorted({_REAL.get(each, each) for each in _letters(text)}))
    return f"{MARK}{letters}{SCALAR * text.endswith(SCALAR)}" if known else ANY


def _of_both(parts: Sequence[ast.expr], texts: Sequence[str]) -> str:
    """What several tensors, and their types, have together: a number of Python becomes what the others are."""
    tensors = [text for each, text in zip(parts, texts, strict=True) if not _is_number(each)] or texts
    known = [each for each in tensors if each != ANY and MARK + PARAMETER not in each]
    alike = known[0] if known else either(tensors)
    return alike if len(tensors) == 1 or _are_scalars(texts) else _of_any_shape(alike)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def _of_call(node: ast.Call, named: Named) -> str:
    last, others = last_name(node.func).lstrip("_"), {each.arg for each in node.keywords} - {"name"}
    if not node.args and isinstance(node.func, ast.Attribute) and last in ("read_value", "value"):
        return type_of(node.func.value, named)
    if any(isinstance(each, ast.Starred) for each in node.args) or not others.isdisjoint(_WITH_HINT):
        return ANY
    texts = [type_of(each, named) for each in node.args]  # once: calls stand in calls
    made = _by_name(last, node, texts, bool(others))
    kind = next((each.value for each in node.keywords if each.arg in _KEYWORDS), None)
    kind = kind or next((each for each in node.args[1:] if _is_type(each)), None)
    if kind is None or last.startswith(("is_", "assert")) or (isinstance(kind, ast.Constant) and kind.value is None):
        return made
    text = _of_any_shape(type_of(kind, named))
    if isinstance(kind, ast.Name) and made != ANY:
        return either(guarded([text, made], [[kind.id], [NOT + kind.id]]))
    return text + _are_scalars(texts[:1]) * bool(
        texts and last in _SHAPED and _is_plain(text) and "shape" not in others
    )


def _by_name(last: str, node: ast.Call, texts: Sequence[str], more: bool) -> str:
    """What a function of this name gives where it is given no type. ``more``: it is given something by name."""
    if not texts or last in _FLOATS:
        return "$f" if last in _FLOATS else ANY
    if last in _ASKED:
        return "$b" + _are_scalars(texts)
    if last in _COUNTED:
        return "$i" if last in _SHAPES else "$i."
    first = texts[0]
    if last in _REDUCING:
        truth = last in ("reduce_all", "reduce_any")
        return _reduced("$b" if truth else first, alone=len(texts) == 1 and not more)
    if last in _FIRST:
        return first if last in _SHAPED and all(each.arg != "shape" for each in node.keywords) else _of_any_shape(first)
    if last in _BOTH:
        count = 3 if last == "range" else 2
        return _of_both(node.args[:count], texts[:count])
    if last in _CHOSEN and len(texts) > 2:
        return _of_any_shape(_of_both(node.args[1:3], texts[1:3]))
    return _real(first) if last in ("abs", "real", "imag") else ANY


def _reduced(text: str, alone: bool) -> str:
    """What a reduction gives of something; a scalar where it is given nothing else."""
    letters = _letters(text) if _is_plain(text) else "".join(sorted({*_TYPES.values()}))
    return f"{MARK}{letters}{SCALAR}" if alone else _of_any_shape(text)


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
            listed = isinstance(right, ast.Tuple | ast.List | ast.Set) and isinstance(test.ops[0], ast.In | ast.NotIn)
            parts = right.elts if listed and isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
            letters = [_TYPES[last_name(each)] if is_named(each, lambda _: "") else "" for each in parts]
            return (left, "".join(letters)) if letters and all(letters) else (None, "")
    return None, ""
