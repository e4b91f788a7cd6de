"""The generated modules whose functions are public: those that importing TensorFlow imports.

``tf_export`` is collected from the modules that are loaded when the API is generated, or, since 2.16, from the sources
of what they are built from. A generated module that none of them imports exports nothing, ``tf.raw_ops`` included.

Rules
1. From the roots on (``ROOTS``), what a file imports at its top level is imported too; packages with all above them.
   Imports inside functions do not count, and nothing outside of ``tensorflow.python`` is asked for its exports
   (``tf.contrib`` is no part of 2.x, and the packages that are named beside it import no generated module).
2. A generated module of those is public, and with it every op that it has a function of (``GenTargets.ops``). Ops of
   the file that a module is named after are taken for its own where no rule says what is in it; where no module is
   found at all, and of ops that the tree does not register, nothing is known, and they are taken for public.
Mirrors ``TENSORFLOW_API_GEN_PACKAGES`` in tensorflow/python/tools/api/generator/api_gen.bzl.

>>> sorted(_imported(b"from tensorflow.python.ops import (\\n a, gen_b as b)\\n import tensorflow.python.c"))
['tensorflow.python.ops', 'tensorflow.python.ops.a', 'tensorflow.python.ops.gen_b']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from bzlgraph.base.codec import Codec
from bzlgraph.ops.python.tree import PythonTree

ROOT = "tensorflow"
PACKAGE = f"{ROOT}.python"
ROOTS = (PACKAGE, f"{PACKAGE}.modules_with_exports")
GENERATED = "gen_"
_IMPORT = re.compile(
    rb"^(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_NAME = re.compile(r"(\w+)(?:\s+as\s+\w+)?")
_MODULES = Codec(tuple[str, ...])


@dataclass
class PublicOps:
    """``functions``: the ops that a generated module has functions of, None where no rule writes it;
    ``registered_in``: the file that registers an op, "" for none."""

    tree: PythonTree
    functions: Callable[[str], Collection[str] | None]
    registered_in: Callable[[str], str]

    @cached_property
    def modules(self) -> tuple[str, ...]:
        """The dotted names of the generated modules that are public (rule 1)."""
        return self.tree.remember(ROOT, "public modules", _MODULES, lambda: tuple(_reached(self.tree)))

    def has(self, op: str) -> bool:
        """Whether the function of an op is exported, if any of it is (rule 2)."""
        return not self.registered_in(op) or not self.modules or bool(self.module_of(op))

    def module_of(self, op: str) -> str:
        """The public module that has the function of an op, "" for none."""
        named_after = f".{GENERATED}{self.registered_in(op).rpartition('/')[2].rpartition('.')[0]}"
        for module in sorted(self.modules, key=lambda each: not each.endswith(named_after)):
            ops = self.functions(module)
            if op in ops if ops is not None else module.endswith(named_after):
                return module
        return ""


def _reached(tree: PythonTree) -> Iterator[str]:
    seen: set[str] = set()
    waiting = list(reversed(ROOTS))
    while waiting:
        parts = waiting.pop().split(".")
        for end in range(1, len(parts) + 1):
            name = ".".join(parts[:end])
            if name in seen:
                continue
            seen.add(name)
            if (path := tree.path_of(tuple(parts[:end]))) is not None:
                waiting += _imported(tree.bytes_of(path))
            elif parts[end - 1].startswith(GENERATED):
                yield name


def _imported(data: bytes) -> Iterator[str]:
    """What a file imports at its top level, below ``tensorflow.python``; names that are no modules among it."""
    for package, names, modules in _IMPORT.findall(data):
        found = [each.strip() for each in modules.decode().split(",")] if modules else [package.decode()]
        found += [f"{found[0]}.{name}" for name in _NAME.findall(names.decode("utf-8", "replace"))]
        yield from (each.split()[0] for each in found if each == PACKAGE or each.startswith(f"{PACKAGE}."))
