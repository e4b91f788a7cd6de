"""Kernels of Pallas: which function of Python a call of ``pallas_call`` compiles, and for which backend.

a definition -> ``KernelCall`` values of the calls in its body.

Rules
1. ``pl.pallas_call(kernel, ...)`` and ``pl.kernel(body, ...)`` (``ENTRIES``) compile the function that they are given:
   one of the module, one inside of the caller, a lambda; through ``partial``, and through a local name.
2. ``compiler_params=plgpu.CompilerParams(...)`` chooses the backend: that of the folder the class is in.
3. What a kernel uses runs inside of it, and counts for no caller.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bzlgraph.ops.jax.code import Definition, PythonCode
from bzlgraph.ops.jax.lowering.lowerings import PALLAS
from bzlgraph.ops.python.body import BodyReader
from bzlgraph.ops.python.resolve import Symbol
from bzlgraph.ops.python.summary import Event
from bzlgraph.ops.python.values.function_parts import parts_of
from bzlgraph.ops.python.values.local_names import LocalNames
from bzlgraph.python_source.syntax import dotted, last_name, parameter_names, walk

FOLDER = "jax/_src/pallas/"
ENTRIES = {"pallas_call": "kernel", "kernel": "body"}
"""Rule 1: functions of that folder, and the keyword that their first argument may be given by."""
IMPORTED = ("jax.experimental.pallas", "jax._src.pallas")
PARAMS = "compiler_params"


class KernelCall(NamedTuple):
    """A call in the function ``caller``: the kernel as it is written and where it is defined, the backend ("" when the
    platform decides), and what the kernel uses. ``last`` is the last line of one that is written inside the caller, 0
    for any other."""

    caller: str
    kernel: str
    path: str
    line: int
    backend: str
    events: tuple[Event, ...]
    last: int = 0

    def uses(self, event: Event) -> bool:
        """Whether an event of the caller is the kernel's (rule 3)."""
        if self.last == self.line:  # the call may stand there, too
            return any(
                (each.kind, each.text, each.line) == (event.kind, event.text, event.line) for each in self.events
            )
        inside = self.line <= event.line <= self.last
        return inside or (event.kind == "name" and event.text == self.kernel)


def kernel_calls(code: PythonCode, symbol: Symbol) -> list[KernelCall]:
    """The calls in the body of a definition."""
    imports = code.tree.module(symbol.path).imports.values()
    if symbol.path.startswith(FOLDER) or not any(each.startswith(IMPORTED) for each in imports):
        return []
    found = code.at(symbol.path, symbol.name)
    return code.within(symbol.path, lambda: _calls(code, found)) if found is not None else []


def events_of(
    found: Definition,
    imports: Mapping[str, str],
    lists: int = 0,
    on_arrays: bool = False,
    giving: Iterable[str] = (),
) -> tuple[Event, ...]:
    """What the body of a function or lambda uses. ``on_arrays``: it is called with arrays, so that its operators count;
    the last ``lists`` parameters by position are lists of them; functions ``giving`` give arrays."""
    node = found.node
    if isinstance(node, ast.Lambda):
        returned = ast.copy_location(ast.Return(node.body), node)
        node = ast.copy_location(ast.FunctionDef("rule", node.args, [returned], []), node)
    if not isinstance(node, ast.FunctionDef):
        return ()
    names = LocalNames(set(giving), set(), imports=imports)
    if on_arrays and lists:
        names.lists.update(parameter_names(node.args)[-lists:])
    events = BodyReader(names).function_events(node, parts_of(node), takes_tensors=on_arrays and not lists)
    kinds = ("call", "name", "own", "attribute", "method", *(("operator",) if on_arrays else ()))
    return tuple(each._replace(branch=-1) for each in events if each.kind in kinds and each.text)


def _calls(code: PythonCode, found: Definition) -> Iterator[KernelCall]:
    nodes = list(walk(found.node))
    local = {each.name: each for each in nodes if isinstance(each, ast.FunctionDef) and each is not found.node}
    assigned = {
        each.targets[0].id: each.value
        for each in nodes
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
    }
    for call in nodes:
        entry = last_name(call.func) if isinstance(call, ast.Call) else ""
        if not isinstance(call, ast.Call) or entry not in ENTRIES:
            continue
        called = code.resolver.resolve(found.path, dotted(call.func))
        given = [*call.args[:1], *(each.value for each in call.keywords if each.arg == ENTRIES[entry])]
        if called is not None and called.path.startswith(FOLDER) and given:
            backend = _backend(code, found.path, call)
            yield _kernel(code, found, _innermost(given[0], assigned), local, backend)


def _kernel(
    code: PythonCode, caller: Definition, kernel: ast.expr, local: Mapping[str, ast.FunctionDef], backend: str
) -> KernelCall:
    name = dotted(kernel)
    inner = local.get(name)
    defined = code.definition(caller.path, name) if name and inner is None else None
    if inner is not None:
        defined = Definition(caller.path, name, inner, inner.lineno)
    elif isinstance(kernel, ast.Lambda):
        defined = Definition(caller.path, "lambda", kernel, kernel.lineno)
    written = name or (defined.name if defined is not None else ast.unparse(kernel)[:40])
    if defined is None:
        return KernelCall(caller.name, written, caller.path, kernel.lineno, backend, ())
    last = defined.node.end_lineno or 0 if defined.path == caller.path and (inner or not name) else 0
    events = events_of(defined, code.tree.module(defined.path).imports)
    return KernelCall(caller.name, written, defined.path, defined.line, backend, events, last)


def _innermost(kernel: ast.expr, assigned: Mapping[str, ast.expr]) -> ast.expr:
    """The function inside of ``partial``, and what a local name was assigned."""
    seen: set[str] = set()
    while True:
        if isinstance(kernel, ast.Call) and last_name(kernel.func) == "partial" and kernel.args:
            kernel = kernel.args[0]
        elif isinstance(kernel, ast.Name) and kernel.id in assigned and kernel.id not in seen:
            seen.add(kernel.id)
            kernel = assigned[kernel.id]
        else:
            return kernel


def _backend(code: PythonCode, path: str, call: ast.Call) -> str:
    """Rule 2."""
    for each in call.keywords:
        made = each.value.func if each.arg == PARAMS and isinstance(each.value, ast.Call) else None
        found = code.resolver.resolve(path, dotted(made)) if made is not None and dotted(made) else None
        if found is not None:
            folder = next((each for each in PALLAS if found.path.startswith(each)), "")
            return PALLAS.get(folder, "").removeprefix("pallas ")
    return ""
