"""The interface of the frameworks' tracers: find what a word means, explain it, list everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.gap import Gap
from bzlgraph.ops import model
from bzlgraph.ops.binding import Binding, PythonUse


@dataclass(frozen=True, slots=True)
class OpTrace:
    """One op: its names in Python, where it is registered, its kernels, gradients and targets."""

    op: str
    api_names: tuple[model.ApiName, ...] = ()
    generated_name: str = ""
    wrappers: tuple[model.GenTarget, ...] = ()
    registrations: tuple[model.OpRegistration, ...] = ()
    kernels: tuple[model.KernelRegistration, ...] = ()
    gradients: tuple[model.GradientRegistration, ...] = ()
    remarks: tuple[str, ...] = ()
    runs: tuple[model.Run, ...] = ()
    """The operators inside of it as a tree, in the order of a walk through it."""
    python_rules: tuple[model.PythonRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a word means: the function it names (if it names one), the ops, nearest first, and each op's story."""

    asked: str
    framework: str
    symbol: model.PythonStep | None = None
    api_names: tuple[model.ApiName, ...] = ()
    uses: tuple[model.OpUse, ...] = ()
    stories: tuple[OpTrace, ...] = ()
    remarks: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()
    suggestions: tuple[str, ...] = ()
    not_followed: tuple[str, ...] = ()
    """Where no op was found: what the search did not go into. When this is empty, there is none."""
    bindings: tuple[Binding, ...] = ()
    """The names of a module of C++ that the word means."""
    python_rules: tuple[model.PythonRule, ...] = ()
    """What Python registers for functions on the way to the ops."""
    python_uses: tuple[PythonUse, ...] = ()
    """The Python that uses them."""

    @property
    def found(self) -> bool:
        """Whether the word means anything."""
        return self.symbol is not None or self.says_what_runs

    @property
    def says_what_runs(self) -> bool:
        """Whether it names an op, or a function of C++."""
        return bool(self.stories) or bool(self.bindings)


Cell = str | int | None


def columns(names: str) -> tuple[tuple[str, str], ...]:
    """Columns with their types: those whose names end in "line" hold integers.

    >>> columns("file line")
    (('file', 'text'), ('line', 'integer'))
    """
    return tuple((name, "integer" if name.endswith("line") else "text") for name in names.split())


@dataclass(frozen=True, slots=True)
class OpTable:
    """Rows about many ops: column names with their types ("text", "integer"), and the rows."""

    columns: tuple[tuple[str, str], ...]
    rows: Sequence[tuple[Cell, ...]] = ()


class Tracer(Protocol):
    """One framework's sources, read. What a framework does not have is left as it is here."""

    framework: str

    def explain(self, word: str) -> Answer:
        """A public name, an op, a generated function, a file, a kernel class or a target -> everything around it."""

    def ops(self) -> Iterator[OpTrace]:
        """Every op of the framework."""

    def table(self) -> OpTable:
        """All ops, one row for each kernel."""

    def supported(self) -> OpTable:
        """The ops that XLA compiles. Raises UsageProblem for a framework that does not say so op by op."""
        raise UsageProblem("--supported-by=xla works with TensorFlow, whose ops are registered with XLA one by one")

    def tests(self, answers: Iterable[Answer]) -> OpTable:
        """The tests whose source calls an op of some answers. Raises UsageProblem where that is not looked for."""
        raise UsageProblem(f"--tests works with ops of TensorFlow, not of {self.framework}")

    def mentions(self, answers: Iterable[Answer]) -> OpTable:
        """The passes that name an op of some answers. Raises UsageProblem where that is not looked for."""
        raise UsageProblem(f"--mentions works with ops of TensorFlow, not of {self.framework}")

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read so far."""
