"""The evaluation of a repository rule or a module extension: what it may use, and what is noted while it runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bzlgraph.base.gap import Gap, GapKind
from bzlgraph.base.names import user_repository_fault
from bzlgraph.bazel.context.contexts import DeclaringContext
from bzlgraph.bazel.files.unknown import Unknown
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.bazel.repository.files import RepositoryFiles
from bzlgraph.bazel.repository.host import NominalHost
from bzlgraph.bazel.repository.placeholder import MARK, placeholder, readable
from bzlgraph.starlark.evaluation.budget import charge
from bzlgraph.starlark.evaluation.thread import Statement, current_thread
from bzlgraph.starlark.printing import to_repr
from bzlgraph.starlark.value import EvalError, Value

MAX_TEXT = 160
"""What is told of a decision is cut to this: commands may be long."""
_TRUE = re.compile("assumed (false|different)")
_WORKS = (
    (re.compile(r"\)\.return_code of [^()]* is unknown$"), ("it was compared; assumed different", "0")),
    (re.compile(r"\)\.stdout of [^()]* is unknown$"), ("it was used as a condition; assumed false", "None")),
)
"""Questions whose answer is rather yes: a command that a rule runs works, and prints something."""
STEPS_OF_A_DECISION = 300
"""What it costs to note one, in steps of evaluation."""
MAX_DECISIONS = 2_000
"""A loop that only something unknown could end would go on for ever."""
_CONTEXTS = ("repository_ctx", "module_ctx")


class Decision(NamedTuple):
    """What was taken for something unknown: what is assumed, or (``other``) what is not. ``gap`` tells of it."""

    other: bool
    gap: Gap


@dataclass(slots=True)
class RunContext(DeclaringContext):
    """A repository rule or a module extension being run; ``source`` names it (``@local_config_cuda``)."""

    source: str = ""
    files: RepositoryFiles = None  # type: ignore[assignment]  # always given by who runs it
    host: NominalHost = field(default_factory=NominalHost)
    environ: Mapping[str, str] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)
    """Answers of the nominal host that were used, in words."""
    variables: set[str] = field(default_factory=set)
    """The environment variables that it looked at."""
    complete: bool = True
    """Whether nothing but what it wrote can be in the repository."""
    script: tuple[bool, ...] = ()
    """What to take for what is unknown, in order; False beyond."""
    decisions: list[Decision] = field(default_factory=list)
    answers: dict[tuple[str, str, str], bool] = field(default_factory=dict)
    """What was decided once is so when it is asked again."""
    reproducible: bool = False
    """Whether a module extension says that it makes the same everywhere: then no lock file has it."""

    @property
    def declares(self) -> bool:
        return False

    lenient: bool = False
    """Whether a fail() is passed that something unknown may have led to."""

    @property
    def tries_both(self) -> bool:
        return True

    @property
    def passes_failures(self) -> bool:
        return self.lenient and bool(self.decisions)

    def decide(self, gap: Gap, statement: Statement, operand: object = None) -> bool:
        """What the script says next. Who runs this tries the other ways, and knows which of them fail."""
        charge(STEPS_OF_A_DECISION)
        question = (gap.what, gap.hides, _described(operand))
        known = self.answers.get(question) if "..." not in gap.what else None  # a shortened text tells not all
        if known is not None:
            return known
        number = len(self.decisions)
        if number == MAX_DECISIONS:
            raise EvalError(f"unknown values led to more than {MAX_DECISIONS:,} decisions")
        other = self.script[number] if number < len(self.script) else False
        what = readable(gap.what)
        shown = what if len(what) <= MAX_TEXT else f"{what[: MAX_TEXT // 2]} ... {what[-MAX_TEXT // 2 :]}"
        works = any(pattern.search(what) and question[1:] == asked for pattern, asked in _WORKS)
        hides = _TRUE.sub("assumed true", gap.hides) if works else gap.hides
        self.decisions.append(Decision(other, replace(gap, what=shown, hides=hides)))
        self.answers[question] = other is not works
        return other is not works

    def unknown(self, text: str) -> Unknown:
        """A value that only a process, a download or another part of the host could give."""
        return Unknown(readable(text), self.source, (), current_thread().innermost_location())

    def note_call(self, function: Uncertain, arguments: Sequence[object]) -> None:
        """An unknown function that is given the context may do anything with the repository."""
        if any(isinstance(each, Value) and type(each).type_name in _CONTEXTS for each in arguments):
            self.complete = False
            what = f"{readable(function.text)}() of {getattr(function, 'source', self.source)} is unknown"
            location = current_thread().innermost_location()
            self.add_gap(Gap(GapKind.MACRO.value, what, "the files it writes are unknown", location))

    def text_for(self, unknown: Uncertain) -> str:
        """Unknown text becomes a placeholder, which is unknown again in a file that is evaluated."""
        return placeholder(unknown.text, getattr(unknown, "source", self.source))

    def assume(self, answer: str) -> None:
        """Note once that an answer of the nominal host was used."""
        if answer not in self.assumptions:
            self.assumptions.append(answer)

    def miss(self, what: str, hides: str) -> None:
        """Note files that may be in the repository without anybody knowing."""
        self.complete = False
        location = current_thread().innermost_location()
        self.add_gap(Gap(GapKind.REPOSITORY.value, readable(what), hides, location, self.source[1:]))


@dataclass(slots=True)
class ExtensionContext(RunContext):
    """A module extension being run: the repository rules it calls are what it makes."""

    @property
    def declares(self) -> bool:
        return True

    @property
    def redefines(self) -> bool:
        return False

    def check_name(self, name: str) -> None:
        fault = user_repository_fault(name)
        if fault and MARK not in name:
            raise EvalError(fault)


def _described(operand: object) -> str:
    """An operand, to tell one question from another."""
    if isinstance(operand, tuple):
        return " ".join(_described(each) for each in operand)
    return operand.text if isinstance(operand, Uncertain) else to_repr(operand)
