"""What a function is given: what a test of a parameter means for its branches, and what a call gives.

``def f(x, where=None, *, mode="constant")``: below ``if where is not None`` stands what runs only when the caller gives
it ("where"), below ``if where is None`` what runs only when it does not ("!where"), below ``if mode == "edge"`` what
runs only for that text ("mode=edge"; "!mode=edge" where the test fails), below ``if op is lax.add`` what runs only for
that function ("op@lax.add"), below ``if is_tensor(x)`` what runs only for a tensor ("x=^"), below ``if where`` what
runs only where it is true ("&where"), and where that fails what does not run when it is surely true ("~where"). Behind
``where = f(where)`` it is "where>f", which is not given if the parameter is not, and f gives None for None.

A call gives a parameter a text ("=edge"), a member of an enumeration ("=Mode.FAST"), a whole number ("=#3"), a
function or another name of a module ("@lax.add", "@" for a lambda), None ("!"), True ("1"), False ("0"), a tensor
("^"), another value of Python ("#", "%" where it may be None), what its own parameters stand for ("where", "a|b"), what
operators make of them ("+a|b"), some other value ("") or nobody knows what ("?").

>>> from bzlgraph.python_source.syntax import dotted
>>> function = ast.parse("def f(x, where=None, *, keep=False, mode='constant'): pass").body[0]
>>> standing = Standing({name: name for name in ("x", "where", "keep", "mode")})
>>> test = lambda text: needed_by(ast.parse(text, mode="eval").body, standing, dotted)
>>> test("where is None"), test("keep and mode in ('a', 'b')"), test("not (where is None or keep)"), test("x is f")
((('!where',), ('where',)), (('&keep', 'mode=a|b'), ()), (('where', '~keep'), ()), (('x@f',), ('!x@f',)))
>>> test("mode == modes.Mode.FAST")
(('mode=Mode.FAST',), ('!mode=Mode.FAST',))
>>> call = ast.parse("g(x, 'edge', None, 1, n(), keep=True)", mode="eval").body
>>> given_by(ast.parse("g(lax.add if keep else 'edge')", mode="eval").body, standing, lambda _value: UNSURE, dotted)
(('0', '{&keep}@lax.add;{~keep}=edge'),)
>>> given_by(call, standing, lambda _value: UNSURE, dotted)
(('0', 'x'), ('1', '=edge'), ('2', '!'), ('3', '=#1'), ('4', '?'), ('keep', '1'))
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile

from bzlgraph.ops.python.counts import counted_as, counted_in, counts_needed, ranks_needed, zero_asked
from bzlgraph.ops.python.standing import NO_STANDING, SAME, STATIC, Asked, Needs, Standing, Ways, made_through, truly
from bzlgraph.ops.python.summary import (
    COUNT,
    EITHER,
    ELSE,
    FALSE,
    FALSEHOOD,
    GIVES_ANYTHING,
    MADE_OF,
    NAME,
    NOT,
    NOTHING,
    OR,
    PLAIN,
    PYTHON,
    REST,
    START,
    TENSOR,
    TENSORS,
    TEXT,
    THROUGH,
    TRUE,
    UNSURE,
    VALUE,
    Parameter,
)
from bzlgraph.ops.python.values import arrays, dtypes
from bzlgraph.ops.python.values.classes import value_classes
from bzlgraph.ops.python.values.classes.guards import guarded
from bzlgraph.ops.python.values.classes.value_classes import CLASS
from bzlgraph.ops.python.values.described import described
from bzlgraph.ops.python.values.dtypes import DTYPE
from bzlgraph.ops.python.values.known_names import NUMBER_CLASSES, holds_no_text
from bzlgraph.python_source.syntax import (
    AnyFunction,
    dotted,
    is_none,
    last_name,
    one_of,
    parameter_defaults,
    parameter_names,
)

NEITHER: Needs = ((), ())
ASKS = frozenset(["is_tensor", "is_tf_type"])
"""Functions that tell tensors from values of Python."""
INDEXES = re.compile(r"(?:^|_)index(?:$|_)")
"""Names of functions that make whole numbers of values of Python, and fail for tensors."""
_MEMBER = re.compile(r"(?:^|\.)(_?[A-Z]\w*[a-z]\w*\.[A-Z][A-Z0-9_]*(?:\.value)?)$")
"""A member of an enumeration, or its value, by how its class and it are spelled."""
MAX_TEXT = 40
"""Characters of a text that is compared with others: longer ones are messages."""
_TESTS = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Call)
_EQUAL = ast.Eq | ast.NotEq | ast.In | ast.NotIn
_MEMBERSHIP = ast.In | ast.NotIn
_COLLECTION = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.Set)
_LITERAL = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.JoinedStr, *_COLLECTION)

Outer = Callable[[ast.expr], str]
"""The dotted name of a module's thing, "" for anything else."""
Known = Callable[[ast.expr], str]
"""What is known of a value: TENSOR, PLAIN, PYTHON, VALUE, or UNSURE."""


def parameters_of(function: AnyFunction) -> dict[str, Parameter]:
    """The parameters of a function by name."""
    says = described(ast.get_docstring(function) or "")
    defaults = {
        name: _given(value, NO_STANDING, lambda _value: UNSURE, lambda _value: "")
        for name, value in parameter_defaults(function.args)
    }
    places = {name: at for at, name in enumerate(parameter_names(function.args))}
    places |= {each.arg: -1 for each in function.args.kwonlyargs}
    return {
        name: Parameter(at, defaults.get(name, UNSURE), says.get(name, UNSURE if says else ""))
        for name, at in places.items()
    }


def needed_by(test: ast.expr, standing: Standing, outer: Outer) -> Needs:
    """What a test needs to hold, and not to."""
    stands = standing.names
    if (of_dtype := standing.dtype_needed(test, standing.dtype)) is not None:
        return of_dtype
    if (of_class := value_classes.needed(test, standing.classes)) is not None:
        return of_class[0] + _no_lists(test, stands), of_class[1]
    match test:
        case ast.Name(id=name) if name in standing.tests:
            return standing.tests[name].needs
        case ast.Name(id=name) if name in stands:
            return (truly(stands[name]),), (FALSE + stands[name],)
        case ast.Name(id=name) if (given := standing.flags.get(name, UNSURE)) and UNSURE not in given:
            return (given,), ()
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if (name := zero_asked(left, right)) in stands:
            return _zero_needed(stands[name], left, standing)
        case ast.Compare(left=ast.Name(id=name), ops=[operator], comparators=[other]):
            return _compared(name, operator, other, standing, outer)
        case ast.Compare(left=ast.Call(func=called, args=[ast.Name(id=name)]), ops=[operator], comparators=[other]) if (
            last_name(called) in STATIC and isinstance(operator, _EQUAL)
        ):
            return _left_out(_compared(name, operator, other, standing, outer))
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]), ops=[operator]):
            return _of_length(name, operator, _text(test.comparators[0]), standing)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return needed_by(operand, standing, outer)[::-1]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="startswith"), args=[start]) if name in stands:
            return _begins(stands[name], _text(start))
        case ast.Call(func=function, args=[ast.Name(id=name)]) if last_name(function) in ASKS and name in stands:
            return (f"{stands[name]}{TEXT}{TENSOR}",), ()
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), classes]) if name in stands:
            return _asked_for_class(stands[name], classes)
        case ast.BoolOp(op=ast.And(), values=values):
            holds = tuple(name for each in values for name in needed_by(each, standing, outer)[0])
            return holds, _common([needed_by(each, standing, outer)[1] for each in values])
        case ast.BoolOp(op=ast.Or(), values=values):
            together = tuple(name for each in values for name in needed_by(each, standing, outer)[1])
            return _common([needed_by(each, standing, outer)[0] for each in values]), together
    return NEITHER


def _of_length(name: str, operator: ast.cmpop, count: str, standing: Standing) -> Needs:
    listed = name if name in (*standing.listed, standing.counted) else standing.names.get(name, "")
    needed = counts_needed(listed, operator, count) if OR not in listed else NEITHER
    return ranks_needed(standing.counted, operator, count) if name == standing.ranks else needed


def ways_of(test: ast.expr, holds: bool, standing: Standing, outer: Outer) -> Ways:
    """What each of the ways needs in which a test may hold, or may not: ``x is None and y is None`` does not where x is
    given, and where y is."""
    match test:
        case ast.Name(id=name) if name in standing.tests:
            return standing.tests[name].ways[not holds]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ways_of(operand, not holds, standing, outer)
        case ast.BoolOp(op=operator, values=values) if isinstance(operator, ast.Or) is holds:
            return tuple(way for each in values for way in ways_of(each, holds, standing, outer))
    return (needed_by(test, standing, outer)[not holds],)


def asked_by(value: ast.expr, standing: Standing, outer: Outer) -> Asked | None:
    """What a name asks that is assigned a test, None for any other value."""
    if not isinstance(value, _TESTS):
        return None
    both = ways_of(value, True, standing, outer), ways_of(value, False, standing, outer)
    return Asked(needed_by(value, standing, outer), both)


def _asked_for_class(name: str, classes: ast.expr) -> Needs:
    """A list as it is written is no number, and is one of the classes of lists; a text is no int, a whole number is."""
    named = _named(classes)
    number, no_list = f"{name}{TEXT}{PLAIN}", (f"{NOT}{COUNT}{name}",) if OR not in name else ()
    holds = (*(no_list if named <= NUMBER_CLASSES else ()), *([number] if holds_no_text(named) else ()))
    return holds, (*(no_list if named >= {"list", "tuple"} else ()), *([NOT + number] if "int" in named else ()))


def _named(classes: ast.expr) -> set[str]:
    return {last_name(each) for each in (classes.elts if isinstance(classes, ast.Tuple) else [classes])}


def _no_lists(test: ast.expr, stands: Mapping[str, str]) -> tuple[str, ...]:
    """What must be so where a parameter is an array by ``isinstance``: it is given no list."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), classes]) if OR not in stands.get(
            name, OR
        ):
            given = stands[name]
            return (f"{NOT}{COUNT}{given}", f"{NOT}{given}{TEXT}{TENSORS}") if _named(classes) <= arrays.CLASSES else ()
    return ()


def raised_by(node: ast.Try, standing: Standing) -> tuple[str, ...]:
    """What the handlers of a ``try`` need: those of a TypeError behind ``n = operator.index(n)`` run for tensors."""
    last = node.body[-1] if len(node.body) == 1 else None
    match last.value if isinstance(last, ast.Assign | ast.Expr) else None:
        case ast.Call(func=function, args=[ast.Name(id=name)]) if INDEXES.search(last_name(function)):
            typed = all(each.type is not None and last_name(each.type) == "TypeError" for each in node.handlers)
            return (f"{standing.names[name]}{TEXT}{TENSOR}",) if typed and name in standing.names else ()
    return ()


def _common(needs: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What is needed where one of several tests decides: what all of them need. A tensor is no number and no text."""
    first = max(needs, key=lambda each: sum(need.startswith(NOT) for need in each))
    return tuple(need for need in first if all(need in each or _is_tensor_for(need, each) for each in needs))


def _is_tensor_for(need: str, needs: tuple[str, ...]) -> bool:
    name, equal, _ = need.lstrip(NOT).partition(TEXT)
    return need.startswith(NOT) and bool(equal) and f"{name}{TEXT}{TENSOR}" in needs


def given_by(call: ast.Call, standing: Standing, known: Known, outer: Outer) -> tuple[tuple[str, str], ...]:
    """(position or name, source) of what a call gives; of ``f(a, *rest, b=c, **more)`` what a and b are."""
    before = len(list(takewhile(lambda each: not isinstance(each, ast.Starred), call.args)))
    sure = [pair for pair in slots(call) if pair[0] != REST and not (pair[0].isdecimal() and int(pair[0]) >= before)]
    given = tuple((slot, _given(value, standing, known, outer)) for slot, value in sure)
    given += tuple(
        (COUNT + slot, count)
        for slot, value in sure
        if (count := counted_in(value, standing.classes is not value_classes.unknown, outer))
    )
    given += of_operands(sure, standing)
    if len(sure) == len(call.args) + len(call.keywords):
        return given
    last = call.args[-1] if call.args else None
    if isinstance(last, ast.Starred) and before == len(call.args) - 1:
        counted, dtype = counted_as(last.value, [standing.counted]), standing.dtype(last.value)
        given += ((COUNT + REST, counted),) if counted else ()
        given += ((DTYPE + REST, dtype),) if dtype != dtypes.ANY else ()
        member = value_classes.member_of(standing.classes(last.value))
        given += ((CLASS + REST, member),) if member != value_classes.ANY else ()
    return (*given, *GIVES_ANYTHING)


def slots(call: ast.Call) -> list[tuple[str, ast.expr]]:
    """(position or name, value) of the arguments of a call."""
    by_name = [(each.arg or REST, each.value) for each in call.keywords]
    return [*((str(at), each) for at, each in enumerate(call.args)), *by_name]


def of_operands(values: Iterable[tuple[str, ast.expr]], standing: Standing) -> tuple[tuple[str, str], ...]:
    """(position or name, dtype or classes) of values of which that is known."""
    told = [(slot, standing.dtype(value), standing.classes(value)) for slot, value in values]
    of_dtype = [(DTYPE + slot, dtype) for slot, dtype, _ in told if dtype != dtypes.ANY]
    return (*of_dtype, *((CLASS + slot, of_class) for slot, _, of_class in told if of_class != value_classes.ANY))


def of_method(gives: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The same of a method of a tensor, which is its first argument.

    >>> of_method((("0", "?"), ("order", "=F"), ("dtype 0", "ii")))
    (('0', '^'), ('class 0', 'a'), ('1', '?'), ('order', '=F'), ('dtype 1', 'ii'))
    """
    shifted = ((moved(slot, 1), source) for slot, source in gives if not slot.startswith(COUNT))
    return (("0", TENSOR), (CLASS + "0", value_classes.ARRAY), *shifted)


def moved(slot: str, by: int) -> str:
    """The place of an argument, or what tells something of it ("dtype 0"), where others stand before it."""
    about, space, place = slot.rpartition(" ")
    return f"{about}{space}{int(place) + by}" if place.isdecimal() else slot


def _compared(local: str, operator: ast.cmpop, other: ast.expr, standing: Standing, outer: Outer) -> Needs:
    """What a comparison of a local name needs to hold, and not to."""
    holds: Needs = NEITHER
    name, named = standing.names.get(local, ""), isinstance(operator, ast.Is | ast.IsNot)
    if named and is_none(other) and (given_with := standing.given_with.get(local)):
        kept = THROUGH not in given_with and local not in standing.emptied
        holds = (NOT + local,) if kept else (), (given_with,)
    elif named and is_none(other) and name:
        holds = (NOT + name,), (name,)
    elif named and isinstance(other, ast.Name) and (apart := standing.pairs.get((local, other.id))):
        holds = (), (f"{CLASS}{apart}{TEXT}{value_classes.WITH_TEXTS}",)
    elif named and name and isinstance(other, ast.Constant) and other.value is False:
        holds = (FALSE + name,), ()
    elif named and name and (function := outer(other)):
        holds = (f"{name}{NAME}{function}",), (f"{NOT}{name}{NAME}{function}",)
    elif isinstance(operator, _EQUAL) and (name := name or standing.static.get(local, "")):
        table = standing.tables.get(dotted(other))
        texts = _texts(ast.Tuple(list(filter(None, table.keys))) if table else other, isinstance(operator, _MEMBERSHIP))
        holds = ((f"{name}{TEXT}{texts}",), (f"{NOT}{name}{TEXT}{texts}",)) if texts else NEITHER
    return (holds[1], holds[0]) if isinstance(operator, ast.IsNot | ast.NotEq | ast.NotIn) else holds


def _begins(name: str, text: str) -> Needs:
    need = f"{name}{TEXT}{text}{START}"
    return ((need,), (NOT + need,)) if text else NEITHER


def _zero_needed(name: str, asked: ast.expr, standing: Standing) -> Needs:
    """What ``x == zeros_like(x)`` or ``ndim(x) == 0`` needs to hold, and not to."""
    zero = f"{name}{TEXT}{PLAIN}0"
    return (zero,) if isinstance(asked, ast.Name) else (), (NOT + zero, *value_classes.ranked(asked, standing.classes))


def _left_out(needs: Needs) -> Needs:
    """Of a comparison only what must not be so: what is known of a tensor before a graph runs may be any number."""
    holds, fails = (tuple(each for each in one if each.startswith(NOT)) for one in needs)
    return holds, fails


def _texts(node: ast.expr, several: bool) -> str:
    """The texts that a parameter is compared with, "" where it is compared with anything else."""
    parts = node.elts if several and isinstance(node, ast.Tuple | ast.List | ast.Set) else [] if several else [node]
    texts = [text for each in parts if (text := _text(each))]
    return OR.join(texts) if len(texts) == len(parts) else ""


def _text(node: ast.expr) -> str:
    """A text; a whole number, as it is told apart from texts: "#3"; a member of an enumeration: "Mode.FAST"."""
    if isinstance(node, ast.Attribute):
        return "".join(_MEMBER.findall(dotted(node)))
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    value = inner.value if isinstance(inner, ast.Constant) else None
    if type(value) is int:
        return f"{PLAIN}{-value if negative else value}"
    return (
        value
        if isinstance(value, str) and not negative and len(value) <= MAX_TEXT and not {OR, EITHER} & {*value}
        else ""
    )


def _given(value: ast.expr, standing: Standing, known: Known, outer: Outer) -> str:
    """What one argument gives."""
    stands = standing.names
    if is_none(value):
        return NOTHING
    if isinstance(value, ast.Call) and len(value.args) > (at := SAME.get(dotted(value.func), len(value.args))):
        return _given(value.args[at], standing, known, outer)
    if text := _text(value):
        return f"{TEXT}{text}"
    if isinstance(value, ast.Constant):
        return {True: TRUE, False: FALSEHOOD}[value.value] if isinstance(value.value, bool) else PLAIN
    found = known(value)
    if isinstance(value, ast.Name) and value.id in stands and found in (PYTHON, UNSURE):
        return stands[value.id]
    if found in (TENSOR, UNSURE) and (through := _made_through(value, standing, outer)):
        return through + found.replace(UNSURE, "")
    if standing.is_filled(value) and found in (PYTHON, UNSURE):
        filling = standing.filling(value)
        texts = [_text(each) for each in one_of(filling.value)] if filling is not None else []
        if texts and all(texts):
            return EITHER.join(f"{dotted(value)}{ELSE}{TEXT}{text}" for text in texts)
        return PLAIN if found == PYTHON else VALUE
    if isinstance(value, ast.IfExp) and found in (PYTHON, UNSURE):
        ways = [_given(each, standing, known, outer) for each in (value.body, value.orelse)]
        behind = guarded(ways, needed_by(value.test, standing, outer))
        return found if UNSURE in ways else EITHER.join(dict.fromkeys(EITHER.join(behind).split(EITHER)))
    if found != UNSURE:
        return found
    if isinstance(value, ast.Lambda) or (isinstance(value, ast.Name | ast.Attribute) and outer(value)):
        return NAME if isinstance(value, ast.Lambda) else NAME + outer(value)
    if isinstance(value, ast.BinOp | ast.UnaryOp) and (made := _made_of(value, stands)):
        return MADE_OF + OR.join(made)
    return VALUE if isinstance(value, _LITERAL) else UNSURE


def _made_through(value: ast.expr, standing: Standing, outer: Outer) -> str:
    """What a call, or a name that is assigned one, is by the parameters that its function is given; "" for others."""
    if isinstance(value, ast.Call):
        return made_through(value, standing.names, outer)
    known = standing.given_with.get(value.id, "") if isinstance(value, ast.Name) else ""
    return known if THROUGH in known else ""


def _made_of(value: ast.expr, stands: Mapping[str, str]) -> tuple[str, ...]:
    """The parameters that an expression of operators is made of, () where anything but numbers is in it too."""
    match value:
        case ast.BinOp(left=left, right=right):
            parts = [_made_of(each, stands) for each in (left, right) if not isinstance(each, ast.Constant)]
            return tuple(dict.fromkeys(name for each in parts for name in each)) if all(parts) else ()
        case ast.UnaryOp(operand=operand):
            return _made_of(operand, stands)
        case ast.Name(id=name) if name in stands:
            return tuple(stands[name].split(OR))
    return ()
