"""The Python half of a TensorFlow tree, put together: names, ApiDefs, exports and the walk from a function to its ops.

Everything is read when it is first needed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.span import Location
from bzlgraph.base.words import utf8
from bzlgraph.cache.freshness import key_of, state_of
from bzlgraph.ops.model import OpUse
from bzlgraph.ops.python.resolve import Resolver, Symbol, no_public
from bzlgraph.ops.python.tree import PythonTree
from bzlgraph.ops.tensorflow.python.api_defs import ApiDefs, merge_api_defs
from bzlgraph.ops.tensorflow.python.call_rules import DECIDED, OPERATORS
from bzlgraph.ops.tensorflow.python.exports import GENERATED_PACKAGE, ROOT, Export, Exports
from bzlgraph.ops.tensorflow.python.names import GeneratedNames, generated_names
from bzlgraph.ops.tensorflow.python.public_modules import PublicOps
from bzlgraph.ops.tensorflow.python.walk.calls import CallWalker
from bzlgraph.ops.tensorflow.python.walk.making import Walk
from bzlgraph.python_source.syntax import last_name, parse_lines, walk
from bzlgraph.workspace.sources.source import BesideSource, Source

VERSION = "tensorflow/core/public/version.h"
OP_H = "tensorflow/core/framework/op.h"
LOAD = "load_op_library"
"""The function that makes a module of the ops of a shared object."""
MAJOR = re.compile(rb"#define\s+TF_MAJOR_VERSION\s+(\d+)")
API_DEFS = ("tensorflow/core/api_def/base_api", "tensorflow/core/api_def/python_api")
MATH_OPS = "tensorflow/python/ops/math_ops.py"
RAW_OPS = "raw_ops."
KERAS = "keras"
HIDDEN_OPS = "tensorflow/python/ops/hidden_ops.txt"


@dataclass
class PythonSources:
    """``registered``: the ops that the tree's C++ registers; those of the ApiDefs are known without it.

    ``generated`` and ``registered_in`` are those of ``PublicOps``, ``stateful`` that of ``CallWalker``.
    """

    source: Source
    folder: Path | None = None
    registered: Callable[[], Collection[str]] = tuple
    generated: Callable[[str], Collection[str] | None] = lambda module: None
    registered_in: Callable[[str], str] = lambda op: ""
    stateful: Callable[[str], bool | None] = lambda op: None
    gaps: list[Gap] = field(default_factory=list)

    @cached_property
    def tree(self) -> PythonTree:
        """The Python files."""
        return PythonTree(self.source, self.folder, DECIDED[self.version or "v2"])

    @cached_property
    def api_defs(self) -> ApiDefs:
        """The ApiDefs of all ops."""
        paths = [list(self.tree.files(folder, ".pbtxt")) for folder in API_DEFS]
        state = state_of(self.tree.disk_folder(API_DEFS[0]), (path for layer in paths for path in layer))
        # Read when it is asked for: as long as no file changes, nothing is.
        layers = (((path, self.tree.bytes_of(path)) for path in layer) for layer in paths)
        every = (part for layer in paths for path in layer for part in (utf8(path), self.tree.bytes_of(path)))
        content = [state] if state is not None else every
        made = self.tree.store.remember(key_of("api defs", content), Codec(ApiDefs), lambda: merge_api_defs(layers))
        for path, problem in made.broken:
            self.gaps.append(Gap(GapKind.FILE.value, path, f"cannot be read: {problem}"))
        return made

    @cached_property
    def names(self) -> GeneratedNames:
        """The generated names of all ops."""
        ops = {*self.api_defs.by_op, *self.registered()}
        return generated_names(ops, self.api_defs.by_op, self._hidden(), raw=self.version == "v2")

    @cached_property
    def version(self) -> str:
        """Which API a bare ``tf.`` means: "v1" in 1.x, "v2" since 2.0; "" in a tree that is not TensorFlow's own."""
        if not any(self.source.is_file(each) for each in (VERSION, OP_H)):
            return ""
        try:
            data = self.source.read(VERSION)
        except OSError:
            data = b""
        match = MAJOR.search(data)
        return "v1" if match and match.group(1) == b"1" else "v2"

    @cached_property
    def resolver(self) -> Resolver:
        """Names of one module in another."""
        return Resolver(self.tree, self._is_generated, self._public if self.beside else no_public)

    @property
    def beside(self) -> Collection[str]:
        """The names of the Python packages beside the tree."""
        return self.source.beside.keys() if isinstance(self.source, BesideSource) else ()

    def written(self, word: str) -> Export | None:
        """What ``model.py:Layer.call`` means, in a file of the tree or of a package beside it, whose name may be left
        out, or ``package.model.Layer.call``; None when it means nothing, or a module."""
        file, colon, name = word.rpartition(":")
        look: Callable[[str], Symbol | None] = self.resolver.absolute
        if colon and file.endswith(".py"):
            paths = [path for path in (file, *(f"{each}/{file}" for each in self.beside)) if self.source.is_file(path)]
            if not paths:
                return None
            look = partial(self.resolver.resolve, paths[0])
        elif word.partition(".")[0] in self.beside:
            name = word
        else:
            return None
        found, owner = look(name), look(name.rpartition(".")[0]) if "." in name else None
        if found is None or found.kind == "module":
            return None
        receiver = owner if owner is not None and owner.kind == "class" else None
        return Export(found, (), Location(found.path, 0, 0), "", receiver)

    def _public(self, names: tuple[str, ...]) -> Symbol | None:
        """What a name of TensorFlow's public API stands for in a package beside the tree (``tf.keras`` may be one)."""
        if names[:2] == (ROOT, KERAS) and KERAS in self.beside:
            return self.resolver.absolute(".".join(names[1:]))
        found = self.exports.exported(".".join(names)) if names[0] == ROOT and len(names) > 1 else []
        return found[0].symbol if found else None

    @cached_property
    def exports(self) -> Exports:
        """The public API."""
        return Exports(self.resolver, self.names, self.api_defs.by_op, self.version, self.public)

    @cached_property
    def public(self) -> PublicOps:
        """The generated modules that are public."""
        return PublicOps(self.tree, self.generated, self.registered_in)

    @cached_property
    def walker(self) -> CallWalker:
        """From a function to its ops."""
        known = (self.names.op, self.knows, self._operators(), not self.version, self._gives_several)
        return CallWalker(self.resolver, *known, stateful=self.stateful)

    def undecided(self, without: frozenset[Symbol]) -> CallWalker:
        """The same where nobody knows which control flow a graph has, and no value is of some classes."""
        tree = PythonTree(self.source, self.folder, DECIDED["v1"])
        resolver = Resolver(tree, self._is_generated)
        known = (self.names.op, self.knows, self._operators(), not self.version, self._gives_several)
        return CallWalker(resolver, *known, without=without)

    def uses(self, exported: Export, word: str) -> list[OpUse]:
        """The ops behind what a word means; ``tf.raw_ops`` are given tensors, anything else may be given numbers."""
        return list(self.walk(exported, word).found.values())

    def walk(self, exported: Export, word: str, takes_values: bool = True) -> Walk:
        """The same, with what was not followed. ``takes_values``: whether it may be given values at all."""
        return self.walker.walk(exported.symbol, takes_values and RAW_OPS not in word, exported.receiver)

    def generated_module(self, name: str, ops: Collection[str]) -> str:
        """The dotted name of the generated module that has a function of some ops: in TensorFlow's own tree where most
        are, else as a file imports it, "" where none does."""
        if "." in name or not name:
            return name
        if self.version and self.may_have(usual := f"{GENERATED_PACKAGE}.{name}", ops):
            return usual
        importing = (self.tree.module(path) for path in self.tree.containing("", (utf8(name),)))
        imported = dict.fromkeys(meant for module in importing for meant in module.imports.values())
        return next((meant for meant in imported if meant.endswith(f".{name}") and self.may_have(meant, ops)), "")

    def may_have(self, module: str, ops: Collection[str]) -> bool:
        """Whether a generated module may have a function of some ops: not where a rule writes it with others only."""
        known = self.generated(module)
        return known is None or not set(ops).isdisjoint(known)

    def loaders(self, ops: Collection[str]) -> tuple[str, ...]:
        """Where Python loads the libraries of these ops, with ``tf.load_op_library``: in the files that call one of
        them, in all where none does."""
        if not ops:
            return ()
        paths = list(self.tree.containing("", (utf8(f"{LOAD}("),)))
        functions = [utf8(f".{name}(") for op in ops for name in [self.names.by_op.get(op)] if name]
        calling = [path for path in paths if any(name in self.tree.bytes_of(path) for name in functions)]
        return tuple(f"{path}:{line}" for path in calling or paths for line in _loads(self.tree.bytes_of(path)))

    def _operators(self) -> dict[str, tuple[str, ...]]:
        """The ops of operators: ``+`` makes AddV2 since math_ops speaks of it."""
        if not self.source.is_file(MATH_OPS) or b"add_v2(" in self.tree.bytes_of(MATH_OPS):
            return OPERATORS
        return {**OPERATORS, "__add__": ("Add",)}

    def knows(self, op: str) -> bool:
        """Whether an op of that name exists."""
        return op in self.api_defs.by_op or op in self.registered()

    def _gives_several(self, op: str) -> bool:
        definition = self.api_defs.by_op.get(op)
        return definition is not None and definition.outputs > 1

    def all_gaps(self) -> tuple[Gap, ...]:
        """What could not be read so far."""
        return (*self.gaps, *self.tree.gaps.values())

    def _is_generated(self, module: str, function: str) -> bool:
        last = module.rpartition(".")[2]
        if function not in self.names.by_name:
            return False
        return last.startswith("gen_") or last == LOAD or self._is_written(module, function)

    def _is_written(self, module: str, function: str) -> bool:
        """Whether a rule writes a module of any name (``test_ops``) that has the function of an op."""
        around, _, _last = module.rpartition(".")
        if not around or not self.version or self.tree.path_of(tuple(module.split("."))) is not None:
            return False
        if self.tree.path_of(tuple(around.split("."))) is None:
            return False
        return not set(self.generated(module) or ()).isdisjoint(self.names.by_name[function])

    def _hidden(self) -> frozenset[str]:
        """``hidden_ops.txt`` of 1.x: a name a line, comments after ``#``."""
        if not self.source.is_file(HIDDEN_OPS):
            return frozenset()
        lines = self.tree.bytes_of(HIDDEN_OPS).decode("utf-8", "replace").splitlines()
        return frozenset(word for line in lines if (word := line.partition("#")[0].strip()))


def _loads(data: bytes) -> list[str]:
    """The lines that call ``tf.load_op_library``, with their numbers: what a docstring says of it is no call.

    >>> _loads(b"'Call load_op_library().'\\nops = tf.load_op_library('a.so')")
    ["2  ops = tf.load_op_library('a.so')"]
    """
    try:
        tree, lines = parse_lines(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    calls = {node.lineno for node in walk(tree) if isinstance(node, ast.Call) and last_name(node.func) == LOAD}
    return [f"{line}  {lines[line - 1].decode('utf-8', 'replace').strip()}" for line in sorted(calls)]
