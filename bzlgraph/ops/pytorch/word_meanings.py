"""Which operators a word means: an operator's own name, a public name of Python, a function of C++ or a file.

word -> entries, nearest first, and for a public name the way to them. What Python writes with its overload
(``torch.ops.aten.add.Scalar``) is that one; bindings have several, of which arguments choose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bzlgraph.base.spell import nearest_names
from bzlgraph.ops.pytorch.entries import NativeFunction, api_names
from bzlgraph.ops.pytorch.overloads import takes
from bzlgraph.ops.pytorch.python.parameters import Given
from bzlgraph.ops.pytorch.python.public import ATEN, OperatorPath, PublicNames
from bzlgraph.ops.pytorch.running.steps import Step


class WordMeanings:
    """The meanings of words for one tree. ``steps`` are what functions call that no entry names, ``in_file`` says which
    operators a file has, None for no file."""

    def __init__(
        self,
        entries: Mapping[str, NativeFunction],
        public: PublicNames,
        steps: Callable[[], Mapping[str, Sequence[Step]]],
        in_file: Callable[[str], list[NativeFunction] | None],
    ) -> None:
        self._entries = entries
        self._public = public
        self._steps = steps
        self._in_file = in_file
        self.by_base: dict[str, list[NativeFunction]] = {}
        """The overloads of each name."""
        for entry in entries.values():
            self.by_base.setdefault(entry.name, []).append(entry)

    def meaning(self, word: str) -> tuple[list[NativeFunction], OperatorPath | None]:
        """The entries that a word means, nearest first, and the way to them when it is a public name."""
        plain = word.removeprefix("aten::").removeprefix("at::").removeprefix("native::")
        if plain in self._entries:
            return [self._entries[plain]], None
        if plain in self.by_base:
            return self.by_base[plain], None
        found = self._public.find(word)
        if found is not None:
            operators = [entry for name in found.operators for entry in self._overloads(name, word, found)]
            return list({entry.full_name: entry for entry in operators}.values()), found
        in_file = self._in_file(word)
        if in_file is not None:
            return in_file, None
        return [entry for entry in self._entries.values() if plain in (name for _, name in entry.kernels)], None

    def _registered(self, name: str) -> list[NativeFunction]:
        """What ``aten.add.Scalar``, ``aten.add.default`` and ``aten.add`` name, which no lists of bindings concern."""
        base, _, overload = name.removeprefix(ATEN).partition(".")
        if not overload:
            return self.by_base.get(base, [])
        written = self._entries.get(base if overload == "default" else f"{base}.{overload}")
        return [written] if written is not None else []

    def _overloads(self, name: str, word: str, found: OperatorPath) -> list[NativeFunction]:
        """The overloads of an operator that the word can mean: methods for ``Tensor.x``, none that write to ``out``, of
        what Python calls on the way those that take such arguments."""
        if name.startswith(ATEN):
            listed = made = self._registered(name)
        elif name in self.by_base:
            listed = self.by_base[name]
            made = [entry for entry in listed if entry.schema not in self._public.left_out.schemas]
        else:
            return [self._entries[step.op] for step in self._steps().get(name, ())]
        if len(listed) == 1:
            return listed
        variant = "method" if word.rpartition(".")[0].endswith("Tensor") and word.endswith(f".{name}") else "function"
        fitting = [entry for entry in made if variant in entry.variants and not entry.writes_out] or listed
        if name == word.rpartition(".")[2] and not found.steps:
            return fitting
        # What Python calls on the way has no names for dimensions, a prototype of its own, unless nothing else fits.
        plain = [entry for entry in fitting if "Dimname" not in entry.schema] or fitting
        calls = found.given.get(name, (None,))
        meant = [_taking(plain, each) or _taking(fitting, each) for each in calls]
        taken = {entry.full_name for each in meant for entry in each}
        return [entry for entry in fitting if entry.full_name in taken] if all(meant) else plain

    def plain(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names of operators without overloads, those of entries."""
        bases = (each.removeprefix(ATEN).partition(".")[0] for each in names)
        return tuple(dict.fromkeys(each for each in bases if each in self.by_base))

    def always(self, name: str) -> Iterator[str]:
        """The operators that each call of a name reaches: its overloads, or those of a function that is written by
        hand."""
        if name.startswith(ATEN) or name in self.by_base:
            yield from (entry.full_name for entry in self.by_base.get(name) or self._registered(name))
        else:
            yield from (step.op for step in self._steps().get(name, ()) if not step.conditions)

    def similar(self, word: str) -> tuple[str, ...]:
        """What may be meant by a word that means nothing."""
        last = word.rpartition(".")[2].rpartition("::")[2]
        head = word[: len(word) - len(last)]
        if re.match(r"(torch|Tensor)\.|(aten|at)::|$", head) is None:
            head = "torch."
        names = ((f"{head}{each}", self.by_base[each][0]) for each in nearest_names(last, self.by_base))
        meant = (name if self.meaning(name)[0] else next(self.api_names(entry), entry.name) for name, entry in names)
        return tuple(dict.fromkeys(meant))

    def api_names(self, entry: NativeFunction) -> Iterator[str]:
        """Where Python has an operator."""
        if entry.schema not in self._public.left_out.schemas:
            made = self._public.makes_function(entry.name), self._public.makes_method(entry.name)
            yield from api_names(entry, as_function=made[0], as_method=made[1])


def _taking(entries: Iterable[NativeFunction], given: Given | None) -> list[NativeFunction]:
    """The entries that may be called so; none for a call of which nothing is known."""
    return [entry for entry in entries if given is not None and takes(entry.schema, *given)]
