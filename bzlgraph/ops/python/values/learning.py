"""A function's parts -> what is known of its names: parameters, assignments, and what other functions are given.

Rules
1. What a function of an ``..._ops`` module is given first is a tensor, or a list of them.
2. A name is what it is assigned, whatever line says so; a member of a list of tensors is one.
3. A function inside gives tensors when one of its results is one, unless that is what it was given.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from bzlgraph.ops.python.values.function_parts import FunctionParts
from bzlgraph.ops.python.values.inner_names import plain
from bzlgraph.ops.python.values.known_names import (
    CALLS_BACK,
    CASTS,
    CONVERTERS,
    MAKE_VARIABLES,
    NOT_TENSORS,
    TAKE_LISTS_FIRST,
)
from bzlgraph.ops.python.values.local_names import LocalNames
from bzlgraph.ops.python.values.members import held, members_of, only_collections
from bzlgraph.ops.python.values.plain_values import COLLECTION, ONE, PlainValues
from bzlgraph.python_source.syntax import dotted, first_call, last_name, literal_texts, loop_members, parameter_names

_TWO_WORDS = re.compile(r"[A-Z]+[a-z]+[A-Z]|[A-Z]{2,}[a-z]")
"""A class, ``RandomShuffleQueue`` or ``FIFOQueue``."""


def learn(names: LocalNames, parts: FunctionParts) -> None:
    """Take in a function."""
    names.bound |= parts.bound
    names.inside |= {name for name, _ in parts.inner}
    names.plain = PlainValues.of(parts, names.imports, names.library)
    names.plain.here = names.here
    names.here.forget()
    perhaps = parts.parameters - NOT_TENSORS - parts.collections - parts.plain
    names.given |= perhaps - names.plain.names.keys()
    names.collected |= {each for each in perhaps if names.plain.names.get(each) == COLLECTION}
    # An index of slices is for arrays, and what a function hands to another as a function is called with tensors.
    inner = parts.inner_parameters - _called_back(names, parts)
    inner = _other_arrays(inner, parts) if names.library else inner | parts.member_parameters
    names.carried |= inner if names.library else set()
    names.used |= parts.sliced | inner | (parts.arrays if names.library else set())
    names.lists |= parts.listed | (parts.lists if names.library else set())
    names.tensors |= names.used
    names.emptied |= parts.left_out
    names.uneven |= {name for name, returned in parts.inner if len(returned) > 1}
    members, holding = members_of(parts), {} if names.library else held(parts)
    for _ in range(4):
        before = _known(names)
        for call in parts.calls:
            _learn_argument(names, call, parts.parameters, members)
        for each in parts.assignments:
            names.here.forget()
            _learn_assignment(names, each)
        names.here.forget()
        names.lists |= {name for name, put in holding.items() if any(map(names.is_tensor, put))}
        for name, returned in parts.inner:
            if any(names.is_tensor(value) for value in returned if not _is_taken(names, value, parts)):
                names.makers.add(name)
            elif any(names.is_list(value) for value in returned):
                names.listers.add(name)
        if _known(names) == before:
            break
    names.here.forget()
    names.perhaps |= set() if names.library else names.lists & names.tensors
    names.made |= only_collections(parts)
    names.mixed |= {name for name, put in holding.items() if not all(map(names.is_tensor, put))}


def _is_taken(names: LocalNames, value: ast.expr, parts: FunctionParts) -> bool:
    """Whether a function inside only gives back what it was given: ``force = lambda x: x``."""
    return names.library and isinstance(value, ast.Name) and value.id in parts.inner_parameters - parts.stored.keys()


def _other_arrays(inner: set[str], parts: FunctionParts) -> set[str]:
    """Parameters of functions inside, without those that are named as one around them is that is no array."""
    return {each for each in inner if plain(each) not in parts.own_parameters - parts.arrays}


def gives_attribute(names: LocalNames, value: ast.expr) -> bool:
    """Whether an attribute that is assigned a value is a tensor, or a variable: what a layer's or a metric's own method
    makes, ``self.add_weight(...)``, and what functions of ``..._ops`` modules give."""
    if not isinstance(value, ast.Call) or names.library:
        return False
    called = dotted(value.func)
    own = called.startswith("self.") and last_name(value.func) in MAKE_VARIABLES
    return own or (names.is_op_function(value.func) and not _TWO_WORDS.match(last_name(value.func)))


def made_by_python(body: Iterable[ast.stmt], imports: Mapping[str, str]) -> dict[str, str]:
    """The values of a module that functions of Python's own packages made, each with the function that did.

    >>> made_by_python(ast.parse("WORD = re.compile('a'); TREE = make()").body, {"re": "re", "make": "jax.make"})
    {'WORD': 're.compile'}
    """
    found = {}
    for each in body:
        made = each.value if isinstance(each, ast.Assign) else None
        head, dot, rest = dotted(made.func).partition(".") if isinstance(made, ast.Call) else ("", "", "")
        if isinstance(each, ast.Assign) and imports.get(head, "").partition(".")[0] in CALLS_BACK:
            named = (target.id for target in each.targets if isinstance(target, ast.Name))
            found.update(dict.fromkeys(named, f"{imports[head]}{dot}{rest}"))
    return found


def lazily_loaded(value: ast.expr, texts: Mapping[str, str]) -> str:
    """The module of ``LazyLoader("name", globals(), "package.module")``, "" for anything else."""
    if not isinstance(value, ast.Call) or last_name(value.func).lstrip("_") != "LazyLoader" or len(value.args) != 3:
        return ""
    module = value.args[2]
    return texts.get(module.id, "") if isinstance(module, ast.Name) else "".join(literal_texts(module))


def _called_back(names: LocalNames, parts: FunctionParts) -> set[str]:
    """The parameters of functions inside that are handed to the standard library, or to a method of what it made:
    ``urlretrieve(url, report)``, ``WORD.sub(lambda match: match[0], text)``."""
    found: set[str] = set()
    for call in parts.calls:
        if names.full(names.outer(call.func)).partition(".")[0] in CALLS_BACK:
            for each in (*call.args, *(keyword.value for keyword in call.keywords)):
                found |= parts.inside.get(each.id, set()) if isinstance(each, ast.Name) else set()
                found |= set(parameter_names(each.args)) if isinstance(each, ast.Lambda) else set()
    return found


def _known(names: LocalNames) -> int:
    """How much is known of local names."""
    named = sum(len(each) for each in (*names.holds.values(), *names.stands.values()))
    return len(names.tensors) + len(names.lists) + len(names.makers) + len(names.listers) + named


def _learn_argument(names: LocalNames, call: ast.Call, parameters: set[str], members: Mapping[str, str]) -> None:
    """What a function of an ``..._ops`` module is given first: a tensor, or a member of a list of them. A class is
    named by two words (``RandomShuffleQueue(capacity)``) and given anything."""
    first = call.args[0] if call.args else None
    if first is None or names.library or _TWO_WORDS.match(last_name(call.func)) or not names.is_op_function(call.func):
        return
    names.here.forget()
    names.lists |= {members[name] for name in names.operands(first) if members.get(name) in parameters} - NOT_TENSORS
    found = {name for name in names.operands(first) if name in parameters} - names.lists - NOT_TENSORS
    if last_name(call.func) in (*CONVERTERS, CASTS):
        names.converted |= found
    elif last_name(call.func) in TAKE_LISTS_FIRST:
        names.lists |= found
    else:
        names.used |= found
        names.tensors |= found


def _learn_assignment(names: LocalNames, node: ast.AST) -> None:
    if isinstance(node, ast.For | ast.comprehension):
        for target, through in loop_members(node.target, node.iter):
            if names.is_list(through):
                _mark(names, target, names.tensors)
        return
    value = getattr(node, "value", None)
    if value is None:
        return
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]  # type: ignore[attr-defined]
    for target in targets:
        if isinstance(value, ast.Tuple) and isinstance(target, ast.Tuple) and len(value.elts) == len(target.elts):
            for left, right in zip(target.elts, value.elts, strict=True):
                _assign(names, left, right)
        else:
            _assign(names, target, value)


def _assign(names: LocalNames, target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and value.value is None:
        names.emptied.add(target.id)
    if isinstance(target, ast.Name) and isinstance(value, ast.ListComp):
        names.listed.add(target.id)
    made_of = value.elt if isinstance(value, ast.ListComp) else value
    if isinstance(target, ast.Name) and isinstance(made_of, ast.Call) and (made := names.outer(made_of.func)):
        names.made_by.setdefault(target.id, made)
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Name) and value.id in names.carried:
        _mark(names, target, names.tensors)
    elif names.is_list(value) and isinstance(target, ast.Tuple | ast.List):
        if isinstance(value, ast.Call) and dotted(value.func) in names.mixing | names.uneven:
            _mark(names, target, names.perhaps)
        for each, kind in zip(target.elts, names.unpacked(value, len(target.elts)), strict=True):
            _mark(names, each, names.tensors if kind == ONE else set())
    elif names.is_list(value):
        _mark(names, target, names.lists)
    elif names.is_tensor(value):
        _mark(names, target, names.tensors)
    elif isinstance(target, ast.Name) and (text := names.outer(value)):
        _note(names.stands, target.id, [text])
    elif isinstance(target, ast.Name) and isinstance(value, ast.Call):
        maker = value.func.func if isinstance(value.func, ast.Call) else first_call(value).func
        made = names.outer(maker)
        _note(names.holds, target.id, names.stands.get(dotted(maker)) or ([made] if made else []))


def _mark(names: LocalNames, target: ast.expr, kind: set[str]) -> None:
    if isinstance(target, ast.Name):
        kind.add(target.id)
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            _mark(names, each, kind)


def _note(names: dict[str, list[str]], name: str, texts: Iterable[str]) -> None:
    listed = names.setdefault(name, [])
    listed += [text for text in texts if text not in listed]
