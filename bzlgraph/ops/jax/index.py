"""Everything that is known of a JAX tree before a question is asked, kept by the content of the files it comes from.

Python files -> primitives with their outcomes and public names; C++ files -> custom calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from bzlgraph.base.codec import Codec
from bzlgraph.base.gap import Gap
from bzlgraph.cache.freshness import key_of
from bzlgraph.ops.jax.code import PythonCode, open_code
from bzlgraph.ops.jax.ffi.handlers import Handlers
from bzlgraph.ops.jax.ffi.model import CustomCalls
from bzlgraph.ops.jax.follow import Follower
from bzlgraph.ops.jax.lowering.lowerings import NEEDLES as LOWERING
from bzlgraph.ops.jax.lowering.lowerings import Lowering, Unread, all_lowerings
from bzlgraph.ops.jax.lowering.outcomes import Outcome, OutcomeReader
from bzlgraph.ops.jax.primitives import FOLDER, Primitive, all_primitives
from bzlgraph.ops.jax.primitives import NEEDLES as DEFINING
from bzlgraph.ops.jax.transformations import NEEDLES as TRANSFORMING
from bzlgraph.ops.jax.transformations import TransformationReader, TransformationRule, key_of_function
from bzlgraph.workspace.sources.source import Source

PUBLIC = ("jax.lax", "jax.lax.linalg")
"""Modules whose functions bind primitives themselves."""
REGISTERING = (*DEFINING, *LOWERING, *TRANSFORMING)
"""What modules hold that make primitives or register what becomes of them: all of them are read."""
MAX_TRACED = 12
"""Primitives that are named of a traced function."""
PYTHON_NAME = "jax primitives 9"
CPP_NAME = "jax custom calls 3"


class PrimitiveSummary(NamedTuple):
    """A primitive, what becomes of it on each platform, the public functions that bind it, and what transformations
    do with it."""

    primitive: Primitive
    outcomes: tuple[Outcome, ...]
    api_names: tuple[str, ...]
    rules: tuple[TransformationRule, ...] = ()


class Primitives(NamedTuple):
    """Every primitive, in the order of files and lines, the rules of functions that have their own, what could not be
    read on the way, and lowering rules of primitives that are not known."""

    known: list[PrimitiveSummary]
    of_functions: dict[str, list[TransformationRule]]
    gaps: list[Gap]
    unread: list[Unread]


class JaxIndex:
    """``folder`` is the cache's, None for none; ``jobs``: how many processes read, 0 for one per core."""

    def __init__(self, files: Source, folder: Path | None, jobs: int = 0) -> None:
        self.code: PythonCode = open_code(files, folder, jobs)
        self.follower = Follower(self.code)
        self._handlers = Handlers(files)

    @cached_property
    def primitives(self) -> list[PrimitiveSummary]:
        """Every primitive, in the order of files and lines."""
        return self._python.known

    @property
    def unread(self) -> Sequence[Unread]:
        """Where lowering rules are registered for primitives that are not known."""
        return self._python.unread

    def rules_of(self, path: str, function: str) -> Sequence[TransformationRule]:
        """The rules that a function has of its own."""
        return self._python.of_functions.get(key_of_function(path, function), ())

    @cached_property
    def _python(self) -> Primitives:
        tree = self.code.tree
        data = [tree.bytes_of(path) for path in tree.files(FOLDER)]
        found = tree.store.remember(key_of(PYTHON_NAME, data), Codec(Primitives), self._read)
        for gap in found.gaps:
            tree.gaps.setdefault(gap.what, gap)
        self.follower.know(each.primitive for each in found.known)
        return found

    @cached_property
    def custom_calls(self) -> CustomCalls:
        """Every custom call."""
        tree = self.code.tree
        data = [tree.bytes_of(path) for path in self._handlers.paths()]
        return tree.store.remember(key_of(CPP_NAME, data), Codec(CustomCalls), self._handlers.all)

    @cached_property
    def by_name(self) -> dict[str, list[PrimitiveSummary]]:
        """Primitives by name, and by what they are called in their modules."""
        names: dict[str, list[PrimitiveSummary]] = defaultdict(list)
        for each in self.primitives:
            for name in dict.fromkeys((each.primitive.name, each.primitive.variable)):
                names[name].append(each)
        return names

    @cached_property
    def by_key(self) -> dict[tuple[str, str], PrimitiveSummary]:
        """Primitives by where they are defined."""
        return {each.primitive.key: each for each in self.primitives}

    def _read(self) -> Primitives:
        tree = self.code.tree
        tree.read_ahead(tree.containing(FOLDER, REGISTERING))
        rules = TransformationReader(self.code, self.follower)
        primitives = list(all_primitives(self.code))
        registered = list(all_lowerings(self.code, primitives))
        lowerings = [each for each in registered if isinstance(each, Lowering)]
        known = list(self._summaries(primitives, lowerings, rules))
        unread = list(dict.fromkeys(each for each in registered if isinstance(each, Unread)))
        return Primitives(known, rules.of_functions(), list(self.code.tree.gaps.values()), unread)

    def _summaries(
        self, primitives: Sequence[Primitive], lowerings: Sequence[Lowering], rules: TransformationReader
    ) -> Iterator[PrimitiveSummary]:
        transformed = rules.of_primitives(primitives)
        reader = OutcomeReader(self.code, self._traced)
        outcomes: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
        by_module = groupby(lowerings, key=lambda each: each.path)
        works = [(path, partial(_outcomes, reader, list(own))) for path, own in by_module]
        for key, outcome in chain(*self.code.within_each(works)):
            outcomes[key].append(outcome)
        names: dict[tuple[str, str], list[str]] = defaultdict(list)
        for module in PUBLIC:
            for name, primitive in self._public(module):
                names[primitive.key].append(name)
        for each in primitives:
            found = tuple(dict.fromkeys(outcomes[each.key]))
            api_names = tuple(dict.fromkeys(names[each.key]))
            yield PrimitiveSummary(each, found, api_names, tuple(transformed.get(each.key, ())))

    def _traced(self, path: str, names: tuple[str, ...]) -> list[str]:
        return [each.primitive.name for each in self.follower.from_names(path, names)[:MAX_TRACED]]

    def _public(self, module: str) -> Iterator[tuple[str, Primitive]]:
        path = self.code.tree.path_of(tuple(module.split(".")))
        for name in self.code.tree.module(path).imports if path is not None else ():
            found = self.follower.symbol(f"{module}.{name}") if not name.startswith("_") else None
            if found is not None:
                for primitive in self.follower.direct(found[0].path, found[1]):
                    yield f"{module}.{name}", primitive


def _outcomes(reader: OutcomeReader, lowerings: Iterable[Lowering]) -> Iterator[tuple[tuple[str, str], Outcome]]:
    """(primitive, what becomes of it) for the rules of one module."""
    for each in lowerings:
        for outcome in reader.outcomes(each):
            yield each.primitive, outcome
