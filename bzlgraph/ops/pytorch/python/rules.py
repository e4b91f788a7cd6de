"""What PyTorch's Python registers for an operator: decompositions into other operators, and functions of the key Meta.

Python files below ``FOLDERS`` -> ``Registered`` values. Rules (those of ``torch/_decomp/__init__.py``):

1. ``@register_decomposition(aten.x)``, a list of several, an overload (``aten.x.Tensor``) register the function below.
2. ``@register_meta(...)`` registers the same way for the key Meta.
3. A decorator that is made by a function of the file which calls one of these does so, too: for the operator of its
   argument ``aten_op``, else for the operator with the name of the function; ``aten_op=None`` registers nothing.

>>> text = b"@register_decomposition([aten.silu, aten.silu.out])\\n@out_wrapper()\\ndef silu(x): return x * 2\\n"
>>> [(each.op, each.kind, each.function, each.line) for each in read_rules("torch/_decomp/a.py", ast.parse(text))]
[('silu', 'decomposition', 'silu', 3), ('silu.out', 'decomposition', 'silu', 3)]
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bzlgraph.base.codec import Codec
from bzlgraph.base.words import utf8
from bzlgraph.cache.freshness import key_of
from bzlgraph.cache.store import Store
from bzlgraph.python_source.syntax import AnyFunction, dotted, last_name, parse_any, walk
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.watchdog import reading
from bzlgraph.workspace.sources.source import Source

FOLDERS = ("torch/_decomp", "torch/_refs", "torch/_inductor/decomposition.py", "torch/_meta_registrations.py")
NAME = "pytorch python rules 2"
DECOMPOSITION, META = "decomposition", "Meta"
REGISTERING = {"register_decomposition": DECOMPOSITION, "register_meta": META}
_OPERATORS = ("aten.", "torch.ops.aten.")


class Rules(NamedTuple):
    """What all files register, and (path, why) of those that could not be read."""

    known: list[Registered]
    broken: list[tuple[str, str]]


class Registered(NamedTuple):
    """A function that is registered for an operator (``add.Tensor``, ``add.default``), or for all overloads of one
    (``add``)."""

    op: str
    kind: str
    function: str
    path: str
    line: int


_RULES = Codec(Rules)


def all_rules(files: Source, store: Store) -> Rules:
    """What the files of a tree register, kept by their content."""
    paths = [path for folder in FOLDERS for path in sorted(_python_files(files, folder))]
    data = {path: files.read(path) for path in paths}
    parts = [part for path, text in data.items() for part in (utf8(path), text)]
    return store.remember(key_of(NAME, parts), _RULES, lambda: _read(data))


def _python_files(files: Source, folder: str) -> Iterator[str]:
    if folder.endswith(".py"):
        yield from [folder] if files.is_file(folder) else ()
        return
    names, folders = files.entries(folder)
    yield from (f"{folder}/{name}" for name in names if name.endswith(".py"))
    for name in folders:
        yield from _python_files(files, f"{folder}/{name}")


def _read(data: Mapping[str, bytes]) -> Rules:
    rules = Rules([], [])
    for path, text in data.items():
        try:
            with reading():
                rules.known.extend(read_rules(path, parse_any(text)))
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverBudget) as error:
            rules.broken.append((path, str(error)))
    return rules


def read_rules(path: str, tree: ast.Module) -> Iterator[Registered]:
    """What one file registers."""
    functions = [node for node in walk(tree) if isinstance(node, AnyFunction)]
    makers = {node.name: kind for node in functions if (kind := _registers(node))}
    for node in functions:
        for decorator in node.decorator_list:
            called = last_name(decorator.func) if isinstance(decorator, ast.Call) else ""
            kind = REGISTERING.get(called, makers.get(called, ""))
            for operator in _operators(decorator, node.name, called in REGISTERING) if kind else ():
                yield Registered(operator, kind, node.name, path, node.lineno)


def _registers(function: AnyFunction) -> str:
    """What a function that makes decorators registers (rule 3): "" for nothing."""
    calls = [node for node in walk(function) if isinstance(node, ast.Call)]
    return next((REGISTERING[name] for each in calls if (name := last_name(each.func)) in REGISTERING), "")


def _operators(decorator: ast.expr, function: str, itself: bool) -> Iterable[str]:
    """The operators that a decorator registers a function of this name for."""
    given = decorator.args if isinstance(decorator, ast.Call) else []
    if itself:
        return [name for each in given[:1] for name in _named(each)]
    named = (
        [each.value for each in decorator.keywords if each.arg == "aten_op"] if isinstance(decorator, ast.Call) else []
    )
    return [name for each in named for name in _named(each)] if named else [function]


def _named(node: ast.expr) -> Iterator[str]:
    """``aten.add.Tensor`` -> ``add.Tensor``; the members of a list. ``default`` is the overload without a name."""
    if isinstance(node, ast.List | ast.Tuple):
        for each in node.elts:
            yield from _named(each)
        return
    text = dotted(node)
    start = next((each for each in _OPERATORS if text.startswith(each)), None)
    if start is not None:
        yield text.removeprefix(start)
