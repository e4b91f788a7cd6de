"""What the dialect knows about the evaluation it runs in: ``thread.host`` is one of these contexts.

The loading and workspace layers make a context, put it into the ``Thread`` and run a file; functions such as ``glob``
or ``Label`` find it through ``current_thread().host``. A context holds state, the functions that act on it live in the
modules named for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label, LabelError, RepoMapping, identity_mapping, parse
from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.model import Package
from bzlgraph.bazel.parts import Uncertain
from bzlgraph.facts import Facts, for_version
from bzlgraph.starlark.evaluation.budget import OverBudget
from bzlgraph.starlark.evaluation.thread import Statement

EVERYWHERE: Statement = ("", -1)
"""Among ``Context.choices``: a file that it loads has values that something unknown has decided on."""


MAX_VALUES = 1_200_000
"""Elements of lists and branches of selects in a package, each a possible edge: five times what any of TensorFlow's
has."""


class PackageFiles(Protocol):
    """The files of one package, as glob and friends need them. Paths are relative to the package, ``/`` separated."""

    @property
    def known(self) -> bool:
        """False when the sources are not on disk (an overlay BUILD file of a repository nobody downloaded)."""

    def files(self) -> Sequence[str]:
        """All files below the package folder, not entering subpackages or ignored folders, sorted."""

    def directories(self) -> Sequence[str]:
        """All folders below the package folder, likewise ("" is not listed), sorted."""

    def subpackages(self) -> Sequence[str]:
        """The nearest packages below this one, relative paths, sorted."""

    def repositories(self) -> Sequence[str]:
        """Folders below the package that are repositories of their own, relative paths, sorted."""

    def loops(self) -> Sequence[tuple[str, str]]:
        """Links that lead to a folder above them or to one another, relative paths, and Bazel's word for that."""

    def exists(self, path: str) -> bool:
        """Whether a file or folder of that name exists in the package."""


class Labels(dict[str, Label]):
    """Labels by their text, each resolved when it is first asked for: the same few hundred texts come again and again.

    Raises LabelError. Refers to no context, which would be a cycle: nobody collects those while a question is answered.
    """

    def __init__(self, repo: str, package: str, mapping: RepoMapping, facts: Facts) -> None:
        self._home = (repo, package, mapping, facts.repository_names)
        self._names_may_be_dots = facts.names_may_be_dots

    def __missing__(self, text: str) -> Label:
        if text.endswith("...") and not self._names_may_be_dots and re.fullmatch(r"(?:[^:]*/)?\.\.\.", text):
            raise LabelError(f"invalid label '{text}': package name cannot contain '...'")
        label = self[text] = parse(text, *self._home)
        return label


@dataclass(slots=True)
class Context:
    """Common part: where labels written in this file resolve, and where gaps are noted."""

    repo: str
    package: str
    mapping: RepoMapping = identity_mapping
    facts: Facts = field(default_factory=for_version)
    """What the Bazel version at hand does; by default the newest, reading trees of any age."""
    modules: dict[str, tuple[str, str]] = field(default_factory=lambda: {"": ("", "")})
    """Repository -> name and version of its module, as far as MODULE.bazel says: shared by all contexts of a loader."""
    gaps: list[Gap] = field(default_factory=list)
    _noted: set[Gap] = field(default_factory=set)
    """The gaps, for ``add_gap``: as many as it has looked at."""
    _looked_at: int = 0
    choices: set[Statement] = field(default_factory=set)
    """The top-level statements (or EVERYWHERE) in which something unknown has decided what happens."""
    loaded: dict[str, Context] = field(default_factory=dict)
    """Every .bzl file loaded so far by the path it was compiled under (``Location.path``): shared by all contexts of a
    loader, so that ``Label()`` inside a macro resolves where the macro was written."""

    calls_of_provider: int = 0
    """How many times its evaluation has called ``provider()``."""
    _labels: Labels | None = None

    @property
    def labels(self) -> Labels:
        """Labels as this file means them. Raises LabelError."""
        if self._labels is None:  # WORKSPACE learns its mapping after it is made
            self._labels = Labels(self.repo, self.package, self.mapping, self.facts)
        return self._labels

    def context_of(self, path: str) -> Context:
        """The context of the file compiled under ``path`` (this one when it is not a .bzl file)."""
        return self.loaded.get(path, self)

    def label(self, text: str) -> Label:
        """Resolve label text as this file means it. Raises LabelError."""
        return self.labels[text]

    def note_call(self, function: Uncertain, arguments: Sequence[object]) -> None:
        """Take note of a call of an unknown function."""

    def text_for(self, unknown: Uncertain) -> str | None:
        """What stands in a text for an unknown value; None where it is its own description, which is a guess."""
        return None

    @property
    def tries_both(self) -> bool:
        """Whether a failure is one way of several, where something unknown has decided."""
        return False

    @property
    def passes_failures(self) -> bool:
        """Whether code that tries both ways goes on behind a fail()."""
        return False

    def decide(self, gap: Gap, statement: Statement, operand: object = None) -> bool:
        """Whether something unknown is other than assumed: never, unless somebody tries both."""
        self.add_gap(gap)
        self.choices.add(statement)
        return False

    def add_gap(self, gap: Gap) -> None:
        """Note a gap once."""
        if len(self.gaps) != self._looked_at:  # others append, too
            self._noted = set(self.gaps)
        if gap not in self._noted:
            self._noted.add(gap)
            self.gaps.append(gap)
        self._looked_at = len(self.gaps)


@dataclass(slots=True)
class BzlContext(Context):
    """A .bzl file being loaded: ``rule()``, ``provider()``... work; nothing may be instantiated."""

    path: str = ""
    visible_to: tuple[str, ...] | None = None
    """The packages that may load it, as ``visibility()`` names them; None where it says nothing."""
    stand_in: bool = False
    """A source of ours runs in its place, which is written for all versions of Bazel."""


@dataclass(slots=True)
class PackageContext(Context):
    """A BUILD file being evaluated: rules go into ``building``."""

    building: Package = None  # type: ignore[assignment]  # always given by the loader
    files: PackageFiles = None  # type: ignore[assignment]  # likewise
    source: str = ""
    """Text of the BUILD file: Bazel names targets of macros by what is written in the call (call_text.py)."""
    room: int = MAX_VALUES
    """How many values its targets may still hold."""
    state: dict[str, Any] = field(default_factory=dict)
    """Room for the functions of the dialect (package() seen, macro stack, finalizers); key = module that owns it."""

    initializers: int = 0
    """How many initializers of rules are running, each in the call of a rule."""

    @contextmanager
    def initializing(self) -> Iterator[None]:
        """While the initializer of a rule runs."""
        self.initializers += 1
        try:
            yield
        finally:
            self.initializers -= 1

    def hold(self, count: int) -> None:
        """Take room for values in attributes. Raises OverBudget when there is none."""
        self.room -= count
        if self.room < 0:
            raise OverBudget(
                f"the package would be too large: more than {MAX_VALUES} values in attributes of its targets",
                "a select() with many branches counts once for each target that uses it; split the package",
            )


@dataclass(slots=True)
class RepositoryCall:
    """A repository rule that WORKSPACE or a module extension called: recorded, and run when somebody asks for what it
    makes (workspace/running/run_rule.py).

    ``attributes`` are plain data, for readers; ``arguments`` what the code passed, with labels written in ``home``.
    """

    name: str
    rule: str
    bzl: Label | None
    attributes: dict[str, object]
    location: Location | None
    arguments: Mapping[str, object] = field(default_factory=dict)
    home: Context | None = None
    stack: tuple[Frame, ...] = ()
    """The calls that led to it, innermost first; ``location`` is that of the outermost."""

    @property
    def repo_mapping(self) -> dict[str, str]:
        """What names of repositories mean inside it: ``repo_mapping = {"@a": "@b"}`` -> ``{"a": "b"}``."""
        written = self.attributes.get("repo_mapping")
        pairs = written.items() if isinstance(written, dict) else ()
        return {str(name).removeprefix("@"): str(meant).removeprefix("@") for name, meant in pairs}


@dataclass(frozen=True, slots=True)
class Bind:
    """A ``bind()`` of WORKSPACE: ``//external:name`` stands for ``actual`` (None: for nothing)."""

    actual: Label | None
    location: Location


@dataclass(slots=True)
class DeclaringContext(Context):
    """An evaluation that may call repository rules: they are recorded in order."""

    repositories: dict[str, RepositoryCall] = field(default_factory=dict)

    @property
    def declares(self) -> bool:
        """Whether repository rules may be called at all."""
        return True

    @property
    def redefines(self) -> bool:
        """Whether a second call for a name replaces the first."""
        return True

    def check_name(self, name: str) -> None:
        """Raises EvalError for what no repository may be called here."""


@dataclass(slots=True)
class WorkspaceContext(DeclaringContext):
    """WORKSPACE being evaluated: repository rules and binds are recorded in order."""

    workspace_name: str = ""
    binds: dict[str, Bind] = field(default_factory=dict)
    toolchains: list[str] = field(default_factory=list)
    platforms: list[str] = field(default_factory=list)
    module_repositories: dict[str, RepositoryCall] = field(default_factory=dict)
    """Those that MODULE.bazel brings; they win over repositories of WORKSPACE."""
    loads: list[Label] = field(default_factory=list)
    """The files that its load() statements have named so far."""
    own: RepositoryCall | None = None
    """The ``local_repository`` of the checkout itself that ``workspace(name = ...)`` declares before Bazel 7."""

    def declared(self) -> dict[str, RepositoryCall]:
        """What macros see as rules that exist: repositories and binds, by name."""
        calls = {self.own.name: self.own} if self.own is not None else {}
        for name, bind in self.binds.items():
            calls[name] = RepositoryCall(name, "bind", None, {"actual": bind.actual}, bind.location)
        return calls | self.repositories
