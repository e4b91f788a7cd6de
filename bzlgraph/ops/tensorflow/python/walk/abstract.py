"""An abstract method -> the methods that run in its place, of the classes that are made where its own is asked for.

Rules
1. A class whose metaclass makes values of another class (``tf.Variable``; ``CONSTRUCTED``): the methods of those.
2. Any other: what the classes of the tree that derive from it define, the nearest ones; those of modules that the walk
   does not enter are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bzlgraph.base.words import utf8
from bzlgraph.ops.python.resolve import Resolver, Symbol
from bzlgraph.ops.tensorflow.python.call_rules import CONSTRUCTED, is_universal
from bzlgraph.ops.tensorflow.python.walk.event_targets import Target

ROOT = "tensorflow"
MAX_CLASSES = 200


@dataclass(slots=True)
class Overrides:
    """``of`` for the methods of one tree; the classes that derive from one are looked for once."""

    resolver: Resolver
    _derived: dict[Symbol, tuple[Symbol, ...]] = field(default_factory=dict)

    def of(self, target: Target) -> tuple[Target, ...]:
        """What runs in place of an abstract method; nothing for any other definition."""
        function = self.resolver.function(target.symbol)
        owner, _, method = target.symbol.name.rpartition(".")
        if function is None or not function.abstract or not owner:
            return ()
        start = target.receiver or Symbol("class", target.symbol.path, owner)
        return tuple(dict.fromkeys(self._found(start, method)))

    def _found(self, start: Symbol, method: str) -> Iterator[Target]:
        made = [
            Symbol("class", path, name.rpartition(".")[0])
            for path, name in CONSTRUCTED.get((start.path, start.name), ())
            if self.resolver.tree.has(path)
        ]
        waiting = list(dict.fromkeys(made)) or list(self.derived(start))
        seen = set(waiting)
        while waiting and len(seen) < MAX_CLASSES:
            each = waiting.pop(0)
            found = self.resolver.method(each.path, each.name, method)
            function = self.resolver.function(found) if found is not None else None
            if found is not None and function is not None and not function.abstract:
                yield Target(found, each)
                continue
            more = [further for further in self.derived(each) if further not in seen]
            seen.update(more)
            waiting += more

    def derived(self, base: Symbol) -> tuple[Symbol, ...]:
        """The classes that name a class among their bases."""
        if base not in self._derived:
            self._derived[base] = tuple(self._look_for(base))
        return self._derived[base]

    def _look_for(self, base: Symbol) -> Iterator[Symbol]:
        tree = self.resolver.tree
        heads = re.compile(rb"^[ \t]*class\s+\w+\s*\([^)]*\b" + re.escape(utf8(base.name)) + rb"\b", re.MULTILINE)
        for path in tree.containing(ROOT, (utf8(base.name),)):
            if is_universal(path, "") or heads.search(tree.bytes_of(path)) is None:
                continue
            for name, found in tree.module(path).classes.items():
                named = (text for text in found.bases if text.rpartition(".")[2] == base.name)
                if any(self.resolver.resolve(path, text) == base for text in named):
                    yield Symbol("class", path, name)
