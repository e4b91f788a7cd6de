"""What the names of a function are where one reads: the last assignment on the way decides, as long as there is one.

A name is in ``LocalNames.here`` from its assignment on: up to the end of a branch, behind which it is what all branches
made it; not in a loop that assigns it again, and not in a function inside, which runs at any time. Parameters that are
assigned somewhere begin as GIVEN.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from bzlgraph.ops.python.summary import MEMBER
from bzlgraph.ops.python.values import dtypes
from bzlgraph.ops.python.values.classes import tensor_types, type_ways, value_classes
from bzlgraph.ops.python.values.classes.guards import guarded
from bzlgraph.ops.python.values.classes.value_classes import CLASS
from bzlgraph.ops.python.values.dtypes import ANY, DTYPE
from bzlgraph.ops.python.values.function_parts import FunctionParts
from bzlgraph.ops.python.values.known_names import COLLECTION_CLASSES, NUMBER_CLASSES
from bzlgraph.ops.python.values.local_names import LocalNames
from bzlgraph.ops.python.values.plain_values import COLLECTION, GIVEN, MIXED, NUMBER, ONE, compared
from bzlgraph.python_source.syntax import dotted, last_name, loop_members, stored_name, walk

Here = dict[str, str]
_TENSORS = frozenset(["Tensor"])
_STILL = "still "
"""Before the name of a parameter that is what the caller gave, of which a test has asked what it is."""
_OF_NUMPY = frozenset(["numpy.ndarray", "numpy.generic"])


def begin(names: LocalNames, parts: FunctionParts) -> None:
    """Where a function begins."""
    names.here.clear()
    names.here.update({name: GIVEN for name in parts.own_parameters if parts.stored[name]})
    of_parameter = dtypes.of_parameter if names.library else tensor_types.of_parameter
    names.here.update({DTYPE + name: of_parameter(name) for name in parts.own_parameters})
    if names.library:
        own = parts.own_parameters - {parts.rest}
        only = {each: value_classes.ONLY + letters for each, letters in parts.classes.items()}
        names.here.update({f"{CLASS}{each}": f":{each}{only.get(each, '')}" for each in own})
        if parts.rest:
            names.here[CLASS + parts.rest] = f"{value_classes.EACH}:{parts.rest}{MEMBER}"


def assigned(names: LocalNames, target: ast.expr, value: ast.expr, needs: Sequence[Sequence[str]] = ((), ())) -> None:
    """Behind an assignment. A list may be filled with other things than it begins with. ``needs``: what each way of
    ``x if test else y`` needs of parameters."""
    if isinstance(target, ast.Name):
        filled = isinstance(value, ast.List) and names.plain.names.get(target.id) != NUMBER
        kind = names.kind(value) or _of_others(names, target.id, value)
        dtype = names.dtype(value)
        of_classes = names.classes(value) if names.library else value_classes.ANY
        if isinstance(value, ast.IfExp):
            both = value.body, value.orelse
            dtype = dtypes.either(guarded([names.dtype(each) for each in both], needs))
        if isinstance(value, ast.IfExp) and names.library:
            of_classes = value_classes.either(guarded([names.classes(each) for each in both], needs))
        _set(names, target.id, COLLECTION if kind == NUMBER and filled else kind, dtype, of_classes)
    elif isinstance(target, ast.Tuple | ast.List):
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            kinds = [names.kind(each) for each in value.elts]
        else:
            kinds = names.unpacked(value, len(target.elts))
        count = len(target.elts)
        types = (dtypes if names.library else tensor_types).members(value, count, names.named_dtype)
        named = names.named_classes, names.is_tensor
        all_classes = value_classes.members(value, count, *named) if names.library else [value_classes.ANY] * count
        for each, *known in zip(target.elts, kinds, types, all_classes, strict=True):
            for name in _stored([each]):
                _set(names, name, *(known if isinstance(each, ast.Name) else ["", ANY, value_classes.ANY]))


def matched(names: LocalNames, subject: ast.expr, pattern: ast.pattern) -> None:
    """Where a value matches a pattern: ``case [first, second]`` takes its members out."""
    match pattern:
        case ast.MatchSequence(patterns=parts) if all(isinstance(each, ast.MatchAs) for each in parts):
            names_of = [ast.Name(each.name or "_", ast.Store()) for each in parts if isinstance(each, ast.MatchAs)]
            assigned(names, ast.Tuple(list[ast.expr](names_of), ast.Store()), subject)


def _of_others(names: LocalNames, name: str, value: ast.expr) -> str:
    """What a name is behind an assignment of what nobody knows: a tensor on some ways, if other lines assign it one."""
    unknown = isinstance(value, ast.Call) and not names.library and name in names.tensors - names.used
    return MIXED if unknown else ""


def standing(names: LocalNames, stands: Mapping[str, str], handed: Mapping[str, str]) -> Mapping[str, str]:
    """What stands for parameters here: those that are assigned something later, too. ``stands``: what does anywhere;
    ``handed``: what parameters of functions inside are given."""
    own = (name.removeprefix(_STILL) for name, kind in names.here.items() if kind == GIVEN)
    given = {name: handed.get(name, name) for name in own}
    return {**stands, **given} if given else stands


@contextmanager
def repeated(names: LocalNames, body: Sequence[ast.AST]) -> Iterator[None]:
    """Around what may run several times, or not to its end: what it assigns is not known in it, nor behind it."""
    _forget(names, body)
    yield
    _forget(names, body)


@contextmanager
def another_time(names: LocalNames, fixed: Iterable[str]) -> Iterator[None]:
    """Around a function inside: names that are bound once (``fixed``) have the dtypes there that they have here."""
    before = dict(names.here)
    names.here.clear()
    names.here.update({key: before[key] for name in fixed if (key := DTYPE + name) in before})
    yield
    restore(names, before)


def restore(names: LocalNames, before: Here) -> None:
    """Go back to what was known."""
    names.here.clear()
    names.here.update(before)


def join(
    names: LocalNames, before: Here, ways: Sequence[Here], branches: ast.AST, needs: Sequence[Sequence[str]] = ()
) -> None:
    """Behind branches: of what they assign, what is so on all ways; anything else is as it was before. ``needs``: what
    is needed of parameters for each of the ways."""
    restore(names, before)
    needs = needs or [()] * len(ways)
    for name in _stored([branches]):
        kinds = {each.get(name, "") for each in ways}
        dtype = dtypes.either(guarded([each.get(DTYPE + name, ANY) for each in ways], needs))
        kind = _joined(kinds)
        kind = "" if kind == MIXED and names.library else kind
        of_classes = value_classes.either(guarded([each.get(CLASS + name, value_classes.ANY) for each in ways], needs))
        _set(names, name, kind, dtype, of_classes)


def _joined(kinds: set[str]) -> str:
    """What is of one of several kinds."""
    if len(kinds) == 1:
        return next(iter(kinds))
    if kinds <= {NUMBER, COLLECTION}:
        return COLLECTION
    return MIXED if kinds <= {NUMBER, COLLECTION, ONE, MIXED} else ""


def catch(names: LocalNames, before: Here, body: Sequence[ast.stmt]) -> None:
    """Where an error in the body of a ``try`` is caught: what its last statement assigns is as it was before."""
    restore(names, before)
    _forget(names, body[:-1] if isinstance(body[-1], ast.Assign | ast.AnnAssign | ast.Expr) else body)


def narrow(names: LocalNames, test: ast.expr, holds: bool) -> None:
    """Where a test holds, or does not: what it asks of the class of a name."""
    if (found_dtype := (dtypes if names.library else tensor_types).narrowed(test, holds)) is not None:
        name, text = found_dtype
        known = names.here.get(DTYPE + name, ANY)
        _narrow_dtype(names, name, dtypes.within(known, text) if names.library else text)
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            narrow(names, operand, not holds)
        case ast.BoolOp(op=operator, values=parts) if isinstance(operator, ast.And) is holds:
            for each in parts:
                narrow(names, each, holds)
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
            asked = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
            found = {_of_numpy(names, each) or _of_class(last_name(each)) for each in asked}
            if names.here.get(name) == GIVEN:
                names.here[_STILL + name] = GIVEN
            if holds and len(found) == 1 and found != {""}:
                names.here[name] = found.pop()
            elif found <= {NUMBER, COLLECTION} if holds else ONE in found:
                names.here[name] = COLLECTION
        case ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            if holds and name in names.tensors and name in names.emptied:
                names.here[name] = names.here.get(name, MIXED).replace(MIXED, ONE)
        case ast.Compare():  # no tensor of a graph has a truth value
            names.here.update({name: NUMBER for name in compared(test) if names.here.get(name) == GIVEN})


def _narrow_dtype(names: LocalNames, name: str, dtype: str) -> None:
    """Take in the dtype of a name; of all that have the one of the same parameter, where that says which one it is."""
    before = names.here.get(DTYPE + name, ANY)
    one = type_ways.symbol(before)
    alike = [key for key, each in names.here.items() if key.startswith(DTYPE) and type_ways.symbol(each) == one]
    names.here.update(dict.fromkeys(alike if one else [DTYPE + name], dtype))


def hide(names: LocalNames, members: Sequence[ast.comprehension]) -> None:
    """Where a comprehension is read: its members have no dtype that is known, whatever else has their names."""
    for name in _stored([each.target for each in members]):
        names.here.pop(DTYPE + name, None)
        names.here.pop(CLASS + name, None)


def go_through(names: LocalNames, loop: ast.For | ast.comprehension) -> None:
    """In a loop: members have the dtype, and are of the classes, of what they are members of."""
    for target, through in loop_members(loop.target, loop.iter) if names.library else ():
        if isinstance(target, ast.Name) and (dtype := names.dtype(through)) != ANY:
            names.here[DTYPE + target.id] = dtype
        if isinstance(target, ast.Name) and (kinds := value_classes.member_of(names.classes(through))) != ANY:
            names.here[CLASS + target.id] = kinds


def _of_class(name: str) -> str:
    """The kind of the values of a class."""
    if name in NUMBER_CLASSES:
        return NUMBER
    return COLLECTION if name in COLLECTION_CLASSES else ONE if name in _TENSORS else ""


def _of_numpy(names: LocalNames, node: ast.expr) -> str:
    """The kind of the values of a class of NumPy, which are no part of a trace."""
    return NUMBER if names.library and names.full(dotted(node)) in _OF_NUMPY else ""


def _set(names: LocalNames, name: str, kind: str, dtype: str = ANY, of_classes: str = value_classes.ANY) -> None:
    told = of_classes if of_classes != value_classes.ANY else ""
    known_dtype = dtype if dtype != ANY else ""
    for key, known in ((name, kind), (DTYPE + name, known_dtype), (CLASS + name, told), (_STILL + name, "")):
        if known:
            names.here[key] = known
        else:
            names.here.pop(key, None)


def _forget(names: LocalNames, body: Iterable[ast.AST]) -> None:
    for name in _stored(body):
        _set(names, name, "")


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    return {name for node in nodes for each in walk(node) if (name := stored_name(each))}
