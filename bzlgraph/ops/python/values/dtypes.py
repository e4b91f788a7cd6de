"""The dtypes that arrays of JAX may have, as far as one can tell: never truth values, surely floats.

Dtypes are ordered as they are promoted: truth values ("b"), whole numbers ("i"), floats ("f"), complex numbers ("c").
A text says which is the least and which the greatest that an expression may have, and the parameters whose dtypes are
promoted with them: "bb:x|y" is what x and y have together, "ff:x" at least floats, "bb" truth values; "bc" is nobody
knows which. A dtype itself (``x.dtype``, ``np.int32``) is told alike.

>>> of = lambda text, **here: dtype_of(ast.parse(text, mode="eval").body, lambda name: here.get(name, ""))
>>> of("2 * x + 1", x="bb:x"), of("x / y", x="bb:x", y="bb:y"), of("x > 0"), of("jnp.where(x > 0, x, 0.5)", x="ii")
('ii:x', 'ff:x|y', 'bb', 'ff')
>>> of("x.astype(int)[:, None]", x="bb:x"), of("exp(x)", x="bb:x"), of("g(x)"), of("promote_args('f', x, 1)", x="ii:x")
('ii', 'ff:x', 'bb:*g', 'ii:x')
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from bzlgraph.ops.python.summary import EITHER, FALSE, NOT, OR, TEXT, TRULY
from bzlgraph.ops.python.values.classes import type_ways
from bzlgraph.ops.python.values.classes.guards import GUARD, guarded, opened
from bzlgraph.ops.python.values.classes.value_classes import PROTOCOL
from bzlgraph.python_source.syntax import dotted, last_name

DTYPE = "dtype "
"""Before the name of a parameter, or its position: the dtype of what is given for it; before such a text: that it is
needed of it."""
MAX_WAYS = 4
"""Dtypes one of which an expression has: of more only the least and the greatest are kept."""
ORDER = "bifc"
BOOL, INT, FLOAT, COMPLEX, ANY = "bb", "ii", "ff", "cc", "bc"
CALLED = "*"
"""Before the name of a function among such parameters: what it gives, whatever it is given."""
Named = Callable[[str], str]
"""The dtype of a name that the function binds, "" for any other name."""
_PARTED = ":"
_KINDS: Mapping[str, str] = {
    "bool": "b", "bool_": "b", "integer": "i", "integral": "i", "floating": "f", "real floating": "f",
    "complexfloating": "c", "complex floating": "c", "inexact": "f|c", "number": "i|f|c", "numeric": "i|f|c",
}  # fmt: skip
_PARTS = {"signedinteger": "i", "unsignedinteger": "i", "signed integer": "i", "unsigned integer": "i"}
"""Kinds that are only part of one: what is none of them may be one nevertheless."""
_TYPES = re.compile(r"(bool_?|u?int\d*_?|b?float\d*_?|float8\w*|complex\d*_?)$")
_BY_LETTER = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}
_FLOATS = frozenset("pi inf nan e euler_gamma".split())
_ALIKE_PARTS, _SIZES = frozenset(["T", "mT", "at", "dtype", "aval"]), frozenset(["shape", "ndim", "size", "itemsize"])
_ASKING = frozenset(
    "eq ne lt le gt ge equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not"
    " logical_xor isnan isinf isfinite is_finite isclose isin any all isreal iscomplex signbit isposinf"
    " isneginf".split()
)
_COUNTING = frozenset(
    "default_int_dtype argmax argmin argsort count_nonzero searchsorted population_count clz len int ndim".split()
)
_INEXACT = frozenset(
    "exp exp2 log log2 log10 log1p expm1 sqrt rsqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " arcsin arccos arctan arcsinh arccosh arctanh erf erfc erf_inv lgamma gammaln digamma logistic expit sigmoid mean"
    " std var to_inexact_dtype".split()
)
"""Functions that give floats, or complex numbers for such."""
_ALIKE = frozenset(
    "reshape broadcast_to broadcast_in_dim broadcast expand_dims squeeze transpose moveaxis swapaxes ravel flatten rev"
    " flip roll slice slice_in_dim dynamic_slice dynamic_slice_in_dim dynamic_index_in_dim index_in_dim gather take"
    " take_along_axis stop_gradient conj conjugate neg negative sort zeros_like ones_like full_like tile repeat asarray"
    " array copy lax_const const zero one dtype canonicalize_dtype jax_dtype"
    " check_and_canonicalize_user_dtype upcast_f16 tril triu diag diagonal list tuple".split()
)
"""Functions that give what their first argument has."""
_SUMS = frozenset("sum prod cumsum cumprod nansum to_numeric_dtype promote_integer_dtype".split())
_PROMOTING = frozenset(
    "add sub subtract mul multiply maximum minimum div rem remainder mod pow power dot matmul dot_general inner outer"
    " tensordot bitwise_and bitwise_or bitwise_xor atan2 arctan2".split()
)
"""Functions that promote their first two arguments."""
_ALL_PROMOTED: Mapping[str, str] = {
    "promote_args": BOOL, "promote_dtypes": BOOL, "result_type": BOOL, "promote_types": BOOL,
    "promote_args_numeric": INT, "promote_dtypes_numeric": INT, "arange": INT, "divide": FLOAT, "true_divide": FLOAT,
    "promote_args_inexact": FLOAT, "promote_dtypes_inexact": FLOAT,
    "promote_args_complex": COMPLEX, "promote_dtypes_complex": COMPLEX,
}  # fmt: skip
"""Functions that promote all arguments, with something."""
_EACH = frozenset(["ensure_arraylike", "promote_shapes", "broadcast_arrays"])
"""Functions that give each argument again."""
_NAMED = ("ensure_arraylike", "promote_args", "promote_shapes")
"""How functions begin that are given the name of a function first."""
_CHOSEN = {"where": slice(1, 3), "select": slice(1, 3), "select_n": slice(1, None), "clamp": slice(1, 2)}
"""Functions that give some of their arguments."""
_ITSELF = frozenset(["cast", "getattr"])
"""Functions of Python that give what they are given, ``cast(Array, x)``, or stand for it, ``getattr(x, "__array__")``,
which gives it when it is called."""
_REAL = frozenset(["abs", "absolute", "real", "imag"])
_GIVEN_AT: Mapping[str, int] = {
    "convert_element_type": 1, "astype": 1, "asarray": 1, "array": 1, "zeros_like": 1, "ones_like": 1, "full_like": 2,
    "iota": 0, "broadcasted_iota": 0, "zeros": 1, "ones": 1, "empty": 1, "full": 2, "bitcast_convert_type": 1,
    "uniform": 2,
}  # fmt: skip
"""Functions that are given a dtype -> its position."""
_MAKING = frozenset(["zeros", "ones", "empty", "eye", "uniform", "default_float_dtype"])
"""Functions that make floats where they are given none."""
_INTEGER = (ast.LShift, ast.RShift)
_INDICES: Mapping[str, str] = {
    **dict.fromkeys(["start_index", "start_indices"], INT),
    **dict.fromkeys(["index", "indices", "idx"], "bi"),
}
"""Parameters that are indices: with others no call succeeds."""


def dtype_of(node: ast.expr, named: Named) -> str:
    """The dtype of an expression, or that it is."""
    match node:
        case ast.Constant(value=str() as text):
            return _of_type(text)
        case ast.Constant(value=value):
            return _BY_LETTER[type(value).__name__[0]] if isinstance(value, complex | float | int) else ANY
        case ast.Name(id=name):
            return named(name) or _of_type(name)
        case ast.Attribute(value=value, attr=attr):
            return _of_attribute(value, attr, named)
        case ast.Subscript(value=value):
            return dtype_of(value, named)
        case ast.UnaryOp(op=ast.Not()) | ast.Compare():
            return BOOL
        case ast.UnaryOp(operand=operand):
            return dtype_of(operand, named)
        case ast.BinOp(left=left, op=op, right=right):
            least = [FLOAT] if isinstance(op, ast.Div) else [INT] if isinstance(op, _INTEGER) else []
            return promoted([dtype_of(left, named), dtype_of(right, named), *least])
        case ast.IfExp(body=body, orelse=orelse):
            return either([dtype_of(body, named), _where_it_fails(node.test, orelse, named)])
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name) as first, other]):
            return either(guarded([dtype_of(each, named) for each in (first, other)], [[TRULY + name], [FALSE + name]]))
        case ast.BoolOp(values=values):
            return either([dtype_of(each, named) for each in values])
        case ast.ListComp(elt=part, generators=[ast.comprehension(target=ast.Name(id=member), iter=through)]):
            of_member = dtype_of(through, named)
            return dtype_of(part, lambda name: of_member if name == member else named(name))
        case ast.Call():
            return _of_call(node, named)
    return ANY


def _where_it_fails(test: ast.expr, node: ast.expr, named: Named) -> str:
    """The dtype of what stands behind ``else``: that of no truth values, where the test asks whether it has any."""
    asked = _asked(test)
    apart = asked is not None and asked[1:] == ("b", True) and isinstance(test, ast.Compare)
    name = narrowed(test, True) if apart else None
    return promoted([dtype_of(node, named), *([INT] if name is not None and dotted(node) == name[0] else [])])


def of_parameter(name: str) -> str:
    """The dtype of a parameter: what the caller gives, but of indices, which are whole numbers or say which are meant.

    >>> of_parameter("x"), of_parameter("start_indices"), of_parameter("idx")
    ('bb:x', 'ii', 'bi')
    """
    return _INDICES.get(name, f"{BOOL}{_PARTED}{name}")


def unknown(_node: ast.expr) -> str:
    """That nobody knows the dtype."""
    return ANY


def members(value: ast.expr, count: int, named: Named) -> list[str]:
    """The dtypes of the members of a value that is unpacked."""
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == count:
        return [dtype_of(each, named) for each in value.elts]
    last = last_name(value.func).lstrip("_") if isinstance(value, ast.Call) else ""
    if isinstance(value, ast.Call) and last in _EACH:
        given = _arrays(value.args, last)
        fits = len(given) == count and not any(isinstance(each, ast.Starred) for each in given)
        return [dtype_of(each, named) for each in given] if fits else [ANY] * count
    return [dtype_of(value, named) if last in _ALL_PROMOTED else ANY] * count


def promoted(texts: Iterable[str]) -> str:
    """What several dtypes are promoted to."""
    parts = [(outcome(each, {}) if EITHER in each or GUARD in each else each).partition(_PARTED) for each in texts]
    least, most = (max((head[at] for head, _, _ in parts), key=ORDER.index) for at in (0, 1))
    names = dict.fromkeys(name for _, _, rest in parts for name in rest.split(OR) if name)
    return f"{least}{most}{_PARTED if names else ''}{OR.join(names)}"


def either(texts: Sequence[str]) -> str:
    """One of several dtypes: what branches leave is told apart as long as parameters decide.

    >>> either(["ff", "ii"]), either(["ff", "bb:x"]), outcome("ff;bb:x", {"dtype x": frozenset(["ii"])})
    ('if', 'ff;bb:x', 'if')
    """
    if any(type_ways.MARK in each for each in texts):
        return type_ways.either(texts)
    ways = dict.fromkeys(each for one in texts for each in one.split(EITHER))
    if len(ways) == 1 or (
        len(ways) <= MAX_WAYS and any(_PARTED in each or GUARD in each for each in ways) and ANY not in ways
    ):
        return EITHER.join(ways)
    known = [outcome(each, {}) for each in ways]
    return min((each[0] for each in known), key=ORDER.index) + max((each[1] for each in known), key=ORDER.index)


def nothing_known(_function: str) -> str:
    """That nobody knows what a function gives."""
    return ANY


def outcome(text: str, given: Mapping[str, frozenset[str]], gives: Callable[[str], str] = nothing_known) -> str:
    """The least and the greatest that a dtype may be with what is given, and what functions give."""
    if type_ways.MARK in text:
        return type_ways.outcome(text, given)
    if EITHER in text or text.startswith(GUARD):
        return either([outcome(each, given, gives) for each in opened(text, given)])
    head, _, rest = text.partition(_PARTED)
    names = [each for each in rest.split(OR) if each]
    known = (
        gives(each.removeprefix(CALLED)) if each.startswith(CALLED) else _of_parameter(given.get(DTYPE + each))
        for each in names
    )
    return promoted([head, *known])


def needed(test: ast.expr, of: Callable[[ast.expr], str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What a test of a dtype needs to hold, and not to; None for any other test.

    >>> ask = lambda text: needed(ast.parse(text, mode="eval").body, lambda node: "bb:x")
    >>> ask("x.dtype != bool"), ask("issubdtype(x.dtype, np.unsignedinteger)"), ask("mode == 'x'")
    ((('!dtype bb:x=b',), ('dtype bb:x=b',)), (('dtype bb:x=i',), ()), None)
    """
    asked = _asked(test)
    if asked is None:
        return None
    node, kinds, whole = asked
    need = f"{DTYPE}{of(node)}{TEXT}{kinds}"
    both = (need,), ((NOT + need,) if whole else ())
    turned = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq)
    return (both[1], both[0]) if turned else both


def narrowed(test: ast.expr, holds: bool) -> tuple[str, str] | None:
    """The name, and the one kind of dtype that it has where a test ``holds``; None for any other test."""
    turned = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq)
    asked = _asked(test) if holds and not turned else None
    node, kinds, _ = asked if asked is not None else (None, "", False)
    while (inner := _of_which(node)) is not None:
        node = inner
    return (node.id, kinds * 2) if isinstance(node, ast.Name) and len(kinds) == 1 else None


def _of_which(node: ast.expr | None) -> ast.expr | None:
    """What a dtype is that of: ``x.dtype``, ``dtype(x)``."""
    match node:
        case ast.Attribute(value=value, attr="dtype"):
            return value
        case ast.Call(func=function, args=[value]) if last_name(function).lstrip("_") == "dtype":
            return value
    return None


def may_be(need: str, given: Mapping[str, frozenset[str]], gives: Callable[[str], str] = nothing_known) -> bool:
    """Whether a dtype may be what is needed of it."""
    if type_ways.MARK in need:
        return type_ways.may_be(need, given)
    text, _, kinds = need.lstrip(NOT).removeprefix(DTYPE).partition(TEXT)
    kind = outcome(text, given, gives)
    possible = set(ORDER[ORDER.index(kind[0]) : ORDER.index(kind[1]) + 1])
    return bool(possible - set(kinds.split(OR)) if need.startswith(NOT) else possible & set(kinds.split(OR)))


def _asked(test: ast.expr) -> tuple[ast.expr, str, bool] | None:
    """Of which expression a test asks for which kinds of dtypes, and whether it is none of them where it fails."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
            while isinstance(right, ast.Call) and last_name(right.func) == "dtype" and len(right.args) == 1:
                right = right.args[0]
            named = last_name(right) in ("bool", "bool_") and isinstance(right, ast.Name | ast.Attribute)
            return (left, "b", True) if named else None
        case ast.Call(func=function, args=[node, kind]) if last_name(function) in ("issubdtype", "isdtype"):
            texts = [
                each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else last_name(each)
                for each in (kind.elts if isinstance(kind, ast.Tuple) else [kind])
            ]
            kinds = [_KINDS.get(text, "") or _PARTS.get(text, "") for text in texts]
            return (node, OR.join(kinds), all(text in _KINDS for text in texts)) if all(kinds) else None
        case ast.Call(func=function, args=[node]) if last_name(function) == "iscomplexobj":
            return node, "c", True
    return None


def _of_parameter(values: frozenset[str] | None) -> str:
    known = values is not None and all(len(each) == 2 and set(each) <= set(ORDER) for each in values)
    return either(sorted(values)) if values and known else ANY


def _of_type(name: str) -> str:
    found = _TYPES.match(name)
    return FLOAT if name.startswith("bf") and found else _BY_LETTER[name[0]] if found else ANY


def _of_attribute(value: ast.expr, attr: str, named: Named) -> str:
    if attr in _ALIKE_PARTS:
        return dtype_of(value, named)
    if attr in ("real", "imag"):
        return _real(dtype_of(value, named))
    return INT if attr in _SIZES else FLOAT if attr in _FLOATS else _of_type(attr)


def _real(text: str) -> str:
    """The real part."""
    return "".join(min(each, "f", key=ORDER.index) for each in outcome(text, {}))


def _of_call(node: ast.Call, named: Named) -> str:
    """What a function of arrays, or a method of one, gives; a local name that is called, what it stands for."""
    if isinstance(node.func, ast.Name) and (local := named(node.func.id)):
        return local if not node.args else ANY
    last = last_name(node.func).lstrip("_") or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    changed = isinstance(owner, ast.Subscript) and isinstance(owner.value, ast.Attribute) and owner.value.attr == "at"
    method = owner is not None and (not isinstance(owner, ast.Name | ast.Attribute) or _is_array(owner, named))
    given = [*([owner] if owner is not None and method else []), *node.args]
    if owner is not None and (changed or dotted(node.func).endswith(f".{PROTOCOL}")):
        return dtype_of(owner, named)
    kind = next((each.value for each in node.keywords if each.arg == "dtype"), None)
    if kind is None and len(given) > _GIVEN_AT.get(last, len(given)):
        kind = given[_GIVEN_AT[last]]
    if kind is not None and not (isinstance(kind, ast.Constant) and kind.value is None):
        return dtype_of(kind, named)
    made, called = _of_function(last, given, named), "" if method else dotted(node.func)
    return made or (f"{BOOL}{_PARTED}{CALLED}{called}" if called and _of_type(last) == ANY else _of_type(last))


def _of_function(last: str, given: list[ast.expr], named: Named) -> str:
    """What a function of this name gives, "" where that is not known."""
    of_all = [dtype_of(each, named) for each in _arrays(given, last)]
    first = of_all[:1] or [ANY]
    if last in _ALL_PROMOTED:
        return promoted([_ALL_PROMOTED[last], *of_all])
    if last in _CHOSEN:
        return promoted(of_all[_CHOSEN[last]] or [ANY])
    if last in _PROMOTING or (last in ("max", "min") and len(of_all) > 1):
        return promoted(of_all[:2] or [ANY])
    if last in _ITSELF and len(given) > 1:
        return dtype_of(given[last == "cast"], named) if last == "cast" or _is_protocol(given[1]) else ANY
    if last in _EACH:
        return first[0] if len(of_all) == 1 else ANY
    if last in _REAL:
        return _real(first[0])
    for functions, text in ((_ASKING, BOOL), (_COUNTING, INT), (_MAKING, FLOAT)):
        if last in functions:
            return text
    for functions, least in ((_INEXACT, FLOAT), (_SUMS, INT)):
        if last in functions:
            return promoted([*first, least])
    if last in _ALIKE:
        return first[0]
    return of_all[1] if last == "full" and len(of_all) > 1 else ""


def _is_protocol(name: ast.expr) -> bool:
    return isinstance(name, ast.Constant) and str(name.value).endswith("array__")


def _arrays(arguments: Sequence[ast.expr], called: str) -> list[ast.expr]:
    """Arguments without the name of the function that some are given first."""
    texts = [isinstance(each, ast.Constant) and isinstance(each.value, str) for each in arguments]
    return list(arguments[1:] if texts[:1] == [True] or called.startswith(_NAMED) else arguments)


def _is_array(owner: ast.expr, named: Named) -> bool:
    """Whether a name, or an attribute of one, is bound by the function: no module."""
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return not isinstance(owner, ast.Name) or bool(named(owner.id))
