"""The targets that a tree registers with JAX's FFI, in Python and in C++, each with its handler.

Rules (JAX's page "Foreign function interface", ``jax/_src/ffi.py``)
1. ``register_ffi_target("name", capsule, platform="cpu")`` gives a target its handler; the platform is "cpu" by itself.
2. The capsule names the handler itself (``pycapsule(library.H)``), or the name under which C++ gives it to Python.
3. In ``for name, capsule in module.registrations().items()`` the names are those of the dict that this function of
   that module gives, under whatever name the file imports it.
4. In a loop over a list, a set or a dict that is written in Python, each member is registered:
   ``for name in ("add", "mul"): register_ffi_target(f"my_{name}", module.handlers[name])``.
5. What C++ registers itself (``XLA_FFI_REGISTER_HANDLER``) needs no Python.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from bzlgraph.base.span import Location
from bzlgraph.ops.jax.code import PythonCode
from bzlgraph.ops.jax.ffi.handlers import Handlers
from bzlgraph.ops.jax.ffi.model import Capsules, Handler
from bzlgraph.ops.jax.lowering.texts import pattern
from bzlgraph.python_source.syntax import dotted, last_name, literal_texts, walk

REGISTERING = ("register_ffi_target", "register_custom_call_target")
Member = tuple[str, ast.expr | None]
"""A text that a loop goes through, and what stands beside it."""


class Registration(NamedTuple):
    """Rule 1: a target by name, "" for each name of the dict that ``source`` gives, a module and its function;
    ``capsule`` are the words of what it is given."""

    name: str
    capsule: tuple[str, ...]
    platform: str
    path: str
    line: int
    source: tuple[str, str] = ("", "")


class ForeignCall(NamedTuple):
    """A target with its handler, and where Python registers it (``path`` "" for C++ alone)."""

    name: str
    platform: str
    path: str
    line: int
    handler: Handler | None


class FfiTargets:
    """The targets of one tree; ``unnamed`` are the places where names are made at run time, as far as was read."""

    def __init__(self, code: PythonCode, cpp: Handlers) -> None:
        self._code = code
        self._cpp = cpp
        self.unnamed: list[Location] = []

    @cached_property
    def _capsules(self) -> Capsules:
        return self._cpp.capsules()

    @cached_property
    def calls(self) -> list[ForeignCall]:
        """All targets, in the order of files and lines."""
        paths = self._code.tree.containing("", tuple(name.encode() for name in REGISTERING))
        registered = [each for path in paths for each in self._code.within(path, lambda: self._registrations(path))]  # noqa: B023
        found = [call for each in registered for call in self._joined(each)]
        own = [each for each in self._cpp.all().handlers if not each.from_python]
        return [*found, *(ForeignCall(each.name, each.platform, "", 0, each) for each in own)]

    def _registrations(self, path: str) -> Iterator[Registration]:
        for statement in self._code.body(path):
            if isinstance(statement, ast.FunctionDef) and statement.name in REGISTERING:
                continue  # the tree's own wrapper: its calls are read
            loops = [each for each in walk(statement) if isinstance(each, ast.For)]
            around = {id(call): loop for loop in loops for call in walk(loop)}  # the innermost comes last
            for call in walk(statement):
                if isinstance(call, ast.Call) and last_name(call.func) in REGISTERING and len(call.args) > 1:
                    yield from self._registration(path, call, around.get(id(call)))

    def _registration(self, path: str, call: ast.Call, loop: ast.For | None) -> Iterator[Registration]:
        given = [each.value for each in call.keywords if each.arg == "platform"] + call.args[2:3]
        platform = given[0].value if given and isinstance(given[0], ast.Constant) else "" if given else "cpu"
        platform, words = str(platform).lower(), _words(call.args[1])
        name = self._text(call.args[0], path)
        if name is not None:
            yield Registration(name, words, platform, path, call.lineno)
            return
        source = self._source(path, loop) if loop is not None and _goes_over_items(loop, call.args[0]) else ("", "")
        if self._capsules.given_by(*source):
            yield Registration("", words, platform, path, call.lineno, source)
            return
        named = {_named_for(call.args[0], loop, member): member for member in self._members(path, loop)}
        for made, (text, capsule) in named.items():
            more = _words(capsule) if capsule is not None else ()
            if made:
                yield Registration(made, (text, *words, *more), platform, path, call.lineno)
        if "" in named or not named:
            self.unnamed.append(Location(path, call.lineno, 1))

    def _members(self, path: str, loop: ast.For | None) -> list[Member]:
        """Rule 4."""
        over = _unwrapped(loop.iter) if loop is not None else None
        kept = self._code.definition(path, dotted(over)) if over is not None and dotted(over) else None
        over = _unwrapped(kept.node) if kept is not None and isinstance(kept.node, ast.expr) else over
        pairs: list[tuple[ast.expr | None, ast.expr | None]] = []
        if isinstance(over, ast.Dict):
            pairs += zip(over.keys, over.values, strict=True)
        elif isinstance(over, ast.List | ast.Tuple | ast.Set):
            pairs += map(_pair, over.elts)
        return [(text, value) for key, value in pairs if key is not None for text in literal_texts(key)]

    def _source(self, path: str, loop: ast.For) -> tuple[str, str]:
        """Rule 3: the module and the function that the dict of a loop comes from, by the module's own name."""
        over = (
            loop.iter.func.value
            if isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Attribute)
            else None
        )
        if isinstance(over, ast.Name):
            kept = self._code.definition(path, over.id)
            over = kept.node if kept is not None and isinstance(kept.node, ast.Call) else over
        head, _, rest = (dotted(over.func) if isinstance(over, ast.Call) else "").partition(".")
        full = ".".join([self._code.tree.module(path).imports.get(head, head), *([rest] if rest else [])])
        module, _, function = full.rpartition(".")
        return module.rpartition(".")[2], function

    def _text(self, node: ast.expr, path: str) -> str | None:
        """The literal text of an expression, also when the module keeps it under a name."""
        found = self._code.definition(path, dotted(node)) if dotted(node) else None
        kept = node if found is None else found.node
        return kept.value if isinstance(kept, ast.Constant) and isinstance(kept.value, str) else None

    def _joined(self, each: Registration) -> Iterator[ForeignCall]:
        """Rules 2 and 3."""
        place = (each.platform, each.path, each.line)
        if not each.name:
            yield from (ForeignCall(known.name, *place, known) for known in self._capsules.given_by(*each.source))
            return
        yield ForeignCall(each.name, *place, self._capsules.named_in(each.capsule))


def _unwrapped(over: ast.expr) -> ast.expr:
    """``x`` of ``x.items()`` and ``sorted(x)``."""
    if isinstance(over, ast.Call):
        return over.func.value if isinstance(over.func, ast.Attribute) else next(iter(over.args), over)
    return over


def _pair(element: ast.expr) -> tuple[ast.expr, ast.expr | None]:
    """``("name", capsule)``, or a name alone."""
    if isinstance(element, ast.Tuple) and len(element.elts) > 1:
        return element.elts[0], element.elts[1]
    return element, None


def _named_for(name: ast.expr, loop: ast.For | None, member: Member) -> str:
    """The name that is registered for a member of what a loop goes through; "" where more than that decides it."""
    target = loop.target if loop is not None else None
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    text = pattern(name, {first.id: re.escape(member[0])}) if isinstance(first, ast.Name) else None
    plain = re.sub(r"\\(.)", r"\1", text or "")
    return plain if text == re.escape(plain) else ""


def _words(capsule: ast.expr) -> tuple[str, ...]:
    """The names and texts in what a target is given."""
    parts = list(walk(capsule))
    names = [last_name(each) for each in parts if isinstance(each, ast.Name | ast.Attribute)]
    return (*names, *(text for each in parts if isinstance(each, ast.Constant) for text in literal_texts(each)))


def _goes_over_items(loop: ast.For, name: ast.expr) -> bool:
    """Rule 3."""
    first = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) and loop.target.elts else None
    function = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    over = isinstance(function, ast.Attribute) and function.attr == "items"
    return over and first is not None and dotted(first) == dotted(name) != ""
