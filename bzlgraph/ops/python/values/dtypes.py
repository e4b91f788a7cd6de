"""The dtypes that arrays of JAX may have, as far as one can tell: never truth values, surely floats.

Dtypes are ordered as they are promoted: truth values ("b"), whole numbers ("i"), floats ("f"), complex numbers ("c").
A text says which is the least and which the greatest that an expression may have, and the parameters whose dtypes are
promoted with them: "bb:x|y" is what x and y have together, "ff:x" at least floats, "bbf:x" no complex numbers, "bb"
truth values; "bc" is nobody knows which. A dtype itself (``x.dtype``, ``np.int32``) is told alike.

>>> of = lambda text, **here: dtype_of(ast.parse(text, mode="eval").body, lambda name: here.get(name, ""))
>>> of("2 * x + 1", x="bb:x"), of("x / y", x="bb:x", y="bb:y"), of("x > 0"), of("jnp.where(x > 0, x, 0.5)", x="ii")
('ii:x', 'ff:x|y', 'bb', 'ff')
>>> of("x.astype(int)[:, None]", x="bb:x"), of("exp(x)", x="bb:x"), of("g()"), of("promote_args('f', x, 1)", x="ii:x")
('ii', 'ff:x', 'bb:*g', 'ii:x')
>>> of("g(x, 1)", x="bb:x"), of("vmap(exp)(x)", x="ii:x"), of("fft(x) * n", x="bb:x")
('bb:*g<0→bb∶x<1→ii', 'ff:x', 'fc')
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from bzlgraph.ops.python.summary import EITHER, FALSE, NOT, NOTHING, OR, TEXT, TRULY
from bzlgraph.ops.python.values.classes import dtype_facts as facts
from bzlgraph.ops.python.values.classes import type_ways
from bzlgraph.ops.python.values.classes.calls_told import arguments_of, told_call
from bzlgraph.ops.python.values.classes.guards import GUARD, guarded, opened
from bzlgraph.ops.python.values.classes.value_classes import PROTOCOL
from bzlgraph.python_source.syntax import dotted, is_none, last_name

DTYPE = "dtype "
"""Before the name of a parameter, or its position: the dtype of what is given for it; before such a text: that it is
needed of it."""
MAX_WAYS = 8
"""Dtypes one of which an expression has: of more only the least and the greatest are kept."""
ORDER = "bifc"
BOOL, INT, FLOAT, COMPLEX, ANY, NEVER_WHOLE = "bb", "ii", "ff", "cc", "bc", "fc"
CALLED = "*"
"""Before a function among such parameters: what it gives for what it is given (``calls_told``)."""
Named = Callable[[str], str]
"""The dtype of a name that the function binds, "" for any other name."""
_PARTED = ":"
_WAYS = re.compile(r"(?:^|(?<=[;}]))(?P<head>[bifc]{2,3})(?P<rest>:[^;]*|)(?=;|$)")
"""The parts of a text that are narrowed."""
_KINDS: Mapping[str, str] = {
    "bool": "b", "bool_": "b", "integer": "i", "integral": "i", "floating": "f", "real floating": "f",
    "complexfloating": "c", "complex floating": "c", "inexact": "f|c", "number": "i|f|c", "numeric": "i|f|c",
}  # fmt: skip
_PARTS = {"signedinteger": "i", "unsignedinteger": "i", "signed integer": "i", "unsigned integer": "i"}
"""Kinds that are only part of one: what is none of them may be one nevertheless."""
_TYPES = re.compile(r"(bool_?|u?int\d*_?|b?float\d*_?|float8\w*|complex\d*_?)$")
_BY_LETTER = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}
_INTEGER = (ast.LShift, ast.RShift)
_ALL_PROMOTED: Mapping[str, str] = {
    "promote_args": BOOL, "promote_dtypes": BOOL, "result_type": BOOL, "promote_types": BOOL,
    "promote_args_numeric": INT, "promote_dtypes_numeric": INT, "arange": INT, "divide": FLOAT, "true_divide": FLOAT,
    "promote_args_inexact": FLOAT, "promote_dtypes_inexact": FLOAT, "nextafter": FLOAT, "clip": BOOL,
    "promote_args_complex": COMPLEX, "promote_dtypes_complex": COMPLEX,
}  # fmt: skip
"""Functions that promote all arguments, with something."""
_INDICES: Mapping[str, str] = {
    **dict.fromkeys(["start_index", "start_indices"], INT),
    **dict.fromkeys(["index", "indices", "idx"], "bi"),
}
"""Parameters that are indices, and parts of objects: with others no call succeeds."""


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
    """The dtype of what stands behind ``else``: none of those that the test asks for."""
    name, kinds = narrowed(test, False) or ("", ORDER)
    return within(dtype_of(node, named), kinds) if name and dotted(node) == name else dtype_of(node, named)


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
    if isinstance(value, ast.Call) and last in facts.EACH:
        given = _arrays(value.args, last)
        fits = len(given) == count and not any(isinstance(each, ast.Starred) for each in given)
        return [dtype_of(each, named) for each in given] if fits else [ANY] * count
    return [dtype_of(value, named) if last in _ALL_PROMOTED or last in facts.NEVER_WHOLE else ANY] * count


def promoted(texts: Iterable[str]) -> str:
    """What several dtypes are promoted to."""
    parts = [(outcome(each, {}) if EITHER in each or GUARD in each else each).partition(_PARTED) for each in texts]
    least, most = (_greatest(head[at] for head, _, _ in parts) for at in (0, 1))
    cap = _greatest(head[2:] or (COMPLEX[0] if rest else head[1]) for head, _, rest in parts)
    names = dict.fromkeys(name for _, _, rest in parts for name in rest.split(OR) if name)
    capped = cap if names and cap != COMPLEX[0] else ""
    return f"{least}{most}{capped}{_PARTED if names else ''}{OR.join(names)}"


def _greatest(kinds: Iterable[str]) -> str:
    return max(kinds, key=ORDER.index)


def within(text: str, kinds: str) -> str:
    """A dtype that is one of some kinds.

    >>> within("bb:x", "if"), within("bb:x", "b"), within("{a}ff:x;bb", "ifc"), within("bc", "bif")
    ('iif:x', 'bb', '{a}ff:x;ii', 'bf')
    """
    least, cap = kinds[0], kinds[-1]

    def inside(found: re.Match[str]) -> str:
        head, rest = found["head"], found["rest"]
        ends = [_greatest([min(each, cap, key=ORDER.index), least]) for each in (*head[:2], head[2:] or COMPLEX[0])]
        return "".join(ends[:2]) + (ends[2].replace(COMPLEX[0], "") + rest if rest and least != cap else "")

    return _WAYS.sub(inside, text)


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
    found = promoted([head[:2], *known])
    return within(found, ORDER[: ORDER.index(head[2]) + 1]) if head[2:] else found


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
    """The name, and the kinds of dtypes one of which it has where a test ``holds``, or does not; None where that says
    nothing of it.

    >>> ask = lambda text, holds: narrowed(ast.parse(text, mode="eval").body, holds)
    >>> ask("x.dtype == bool", True), ask("x.dtype != bool", True), ask("issubdtype(x, np.inexact)", False)
    (('x', 'b'), ('x', 'ifc'), ('x', 'bi'))
    """
    turned = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq)
    node, kinds, whole = _asked(test) or (None, "", False)
    while (inner := _of_which(node)) is not None:
        node = inner
    left = "".join(each for each in ORDER if (each in kinds) is (holds is not turned))
    known = isinstance(node, ast.Name) and left not in ("", ORDER) and (whole or holds)
    return (node.id, left) if isinstance(node, ast.Name) and known else None


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
    if attr in facts.ALIKE_PARTS:
        return dtype_of(value, named)
    if attr in ("real", "imag"):
        return _real(dtype_of(value, named))
    if attr in _INDICES:
        return _INDICES[attr]
    return INT if attr in facts.SIZES else FLOAT if attr in facts.FLOATS else _of_type(attr)


def _real(text: str) -> str:
    """The real part."""
    return within(text, ORDER[:-1])


def _of_call(node: ast.Call, named: Named) -> str:
    """What a function of arrays, or a method of one, gives; a local name that is called, what it stands for."""
    if isinstance(node.func, ast.Name) and (local := named(node.func.id)):
        return local if not node.args or node.func.id.endswith("dtype") else ANY
    if (wrapped := wrapped_call(node)) is not None:
        return _of_call(wrapped, named)
    last = last_name(node.func).lstrip("_") or (node.func.attr if isinstance(node.func, ast.Attribute) else "")
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    changed = isinstance(owner, ast.Subscript) and isinstance(owner.value, ast.Attribute) and owner.value.attr == "at"
    method = owner is not None and (not isinstance(owner, ast.Name | ast.Attribute) or _is_array(owner, named))
    given = [*([owner] if owner is not None and method else []), *node.args]
    if owner is not None and (changed or dotted(node.func).endswith(f".{PROTOCOL}")):
        return dtype_of(owner, named)
    kind = next((each.value for each in node.keywords if each.arg == "dtype"), None)
    if kind is None and len(given) > facts.GIVEN_AT.get(last, len(given)):
        kind = given[facts.GIVEN_AT[last]]
    if kind is not None and not is_none(kind):
        return dtype_of(kind, named)
    made, called = _of_function(last, given, named), "" if method else dotted(node.func)
    if made or not called or _of_type(last) != ANY:
        return made or _of_type(last)
    return f"{BOOL}{_PARTED}{CALLED}{told_call(called, arguments_of(node, lambda each: _given_as(each, named)))}"


def wrapped_call(call: ast.Call) -> ast.Call | None:
    """``f(x, n=1)`` of ``partial(f, n=1)(x)``, and ``f(x)`` of ``vmap(f, n=1)(x)`` and the like; None for other calls.

    >>> ast.unparse(wrapped_call(ast.parse("partial(f, 1, n=2)(x)", mode="eval").body))
    'f(1, x, n=2)'
    """
    match call.func:
        case ast.Call(func=wrapper, args=[ast.Name() | ast.Attribute() as function, *first], keywords=kept):
            last = last_name(wrapper).lstrip("_")
            keeps = last in facts.KEEPING
            given = [*(first if last == facts.PARTIAL else []), *call.args]
            made = ast.Call(function, given, [*(kept if keeps else []), *call.keywords])
            return ast.copy_location(made, call) if last in facts.WRAPPING else None
    return None


def _given_as(value: ast.expr, named: Named) -> str:
    return NOTHING if is_none(value) else dtype_of(value, named)


def _of_function(last: str, given: list[ast.expr], named: Named) -> str:
    """What a function of this name gives, "" where that is not known."""
    of_all = [dtype_of(each, named) for each in _arrays(given, last)]
    first = of_all[:1] or [ANY]
    if last in _ALL_PROMOTED:
        return promoted([_ALL_PROMOTED[last], *of_all])
    if last in facts.CHOSEN:
        return promoted(of_all[facts.CHOSEN[last]] or [ANY])
    if last in facts.PROMOTING or (last in ("max", "min") and len(of_all) > 1):
        return promoted(of_all[:2] or [ANY])
    if last in facts.ITSELF and len(given) > 1:
        return dtype_of(given[last == "cast"], named) if last == "cast" or _is_protocol(given[1]) else ANY
    if last in facts.EACH:
        return first[0] if len(of_all) == 1 else ANY
    if last in facts.REAL:
        return _real(first[0])
    told = ((facts.ASKING, BOOL), (facts.COUNTING, INT), (facts.MAKING, FLOAT), (facts.NEVER_WHOLE, NEVER_WHOLE))
    for functions, text in told:
        if last in functions:
            return text
    for functions, least in ((facts.INEXACT, FLOAT), (facts.SUMS, INT)):
        if last in functions:
            return promoted([*first, least])
    if last in facts.ALIKE:
        return first[0]
    return of_all[1] if last == "full" and len(of_all) > 1 else ""


def _is_protocol(name: ast.expr) -> bool:
    return isinstance(name, ast.Constant) and str(name.value).endswith("array__")


def _arrays(arguments: Sequence[ast.expr], called: str) -> list[ast.expr]:
    """Arguments without the name of the function that some are given first."""
    texts = [isinstance(each, ast.Constant) and isinstance(each.value, str) for each in arguments]
    return list(arguments[1:] if texts[:1] == [True] or called.startswith(facts.NAMED) else arguments)


def _is_array(owner: ast.expr, named: Named) -> bool:
    """Whether a name, or an attribute of one, is bound by the function: no module."""
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return not isinstance(owner, ast.Name) or bool(named(owner.id))
