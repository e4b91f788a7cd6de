"""Generated workspaces, joined in one tree -> what Bazel and bzlgraph answer differently, in every format.

Both get the same tree, the same stubs and the same repositories of Bazel's own. The workspaces of a tree share one
server of Bazel, which is asked about all of them at once; a difference belongs to those whose folders its label names.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from types import TracebackType

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.workspace import open_workspace
from tests.differential.configured.ours import Ours
from tests.differential.explained import GENERATED, read_explanations
from tests.differential.facts.compare import LISTED, PLACES, Difference, Mentions
from tests.differential.facts.ours import options_of
from tests.differential.facts.proto_answer import read_proto
from tests.differential.facts.records import Answer
from tests.differential.formats.content import QUESTIONS as FORMATS
from tests.differential.formats.content import Place, ask_ours, compare_format, placer
from tests.differential.real.bazel import CRASHED, Bazel, Reply
from tests.differential.real.module_registry import Modules, write_modules
from tests.differential.real.stubs import read_stubs, write_stubs
from tests.generate import cquery
from tests.generate.transitions import LINES, command_lines
from tests.generate.tree import Generated, clear, write
from tests.generate.workspace import TOGETHER, seeded

STUBS = "bazel_rules"
NAME = GENERATED
"""What explained.toml calls them."""
CONFIGURED, LOADED = "cquery", "loading"
SELECTS = "proto with selects"
QUESTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    **{name: (name, question) for name, question in FORMATS.items()},
    SELECTS: ("proto", ("//...:*", "--output=proto", "--noproto:flatten_selects")),
    "proto without defaults": ("proto", ("//...:*", "--output=proto", "--noproto:default_values")),
    "xml with defaults": ("xml", ("//...", "--output=xml", "--xml:default_values", "--noxml:line_numbers")),
    "relative locations": ("location", ("//...:*", "--output=location", "--relative_locations")),
    "packages": ("label_kind", ("buildfiles(//...)", "--output=label_kind")),
    "tests": ("label_kind", ("tests(//...)", "--output=label_kind")),
    "labels": ("label_kind", ("labels(srcs, //...) + labels(deps, //...)", "--output=label_kind")),
    "visible": ("label_kind", ("attr(visibility, public, //...)", "--output=label_kind")),
}
"""Name -> (how the answer is read, what is asked)."""
_OWN, _WHOLE = "--noimplicit_deps", "all dependencies"
_CRASHED_PACKAGE = re.compile(r"Unrecoverable error while evaluating node '(?:PACKAGE:)?([^'@: ]+)'")
_ROOT = re.compile(r"\bw(\d+)(?=[/:_])")


@dataclass(frozen=True, slots=True)
class Found:
    """A difference, the question and the seeds it belongs to."""

    question: str
    difference: Difference
    seeds: tuple[int, ...]


@dataclass(slots=True)
class Pair:
    """A Bazel and bzlgraph on one folder, whose content may change. Use as a context manager."""

    version: str
    folder: Path
    lines: list[str] = field(default_factory=list)
    """The command lines of the configurations."""
    modules: Modules | None = None
    """Where Bazel's own modules are, when MODULE.bazel counts."""
    fetched: dict[str, Path] = field(default_factory=dict)

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self.tree.is_dir():
            self.bazel.run("shutdown")

    @property
    def tree(self) -> Path:
        """The folder of the workspaces."""
        return self.folder / "tree"

    @property
    def stubs(self) -> dict[str, Path]:
        """The repositories that are not there; modules have a registry."""
        return {} if self.modules else write_stubs(read_stubs(STUBS, self.tree), self.folder / "stubs")

    @property
    def bazel(self) -> Bazel:
        """The real one."""
        options = self.modules.options if self.modules else ()
        return Bazel(self.version, self.tree, self.stubs, (self.folder,), options, heap="1200m")

    def fill(self, workspaces: Sequence[Generated]) -> None:
        """Makes the tree hold these workspaces and nothing else."""
        self.tree.mkdir(parents=True, exist_ok=True)
        clear(self.tree, (path for workspace in workspaces for path in workspace.files))
        write(workspaces, self.tree)
        own = [[option for each in workspaces for option in each.options[line]] for line in range(LINES)]
        self.lines = command_lines(own, workspaces[0].seed // TOGETHER)
        if (self.tree / "MODULE.bazel").is_file() != bool(self.modules):
            self.modules = None if self.modules else write_modules(self.tree, self.folder / "registry")
            self.fetched = {}

    def fill_loadable(self, workspaces: Sequence[Generated]) -> Iterator[Difference]:
        """``fill`` with those that this Bazel can load. Where it ends with an internal error, bzlgraph must have
        problems with the package."""
        self.fill(workspaces)
        while package := self._crash():
            if not self._problems(package):
                yield Difference("exit code", LOADED, "", f"//{package}", str(CRASHED), "no problem")
            workspaces = [each for each in workspaces if root(each.seed) != package.partition("/")[0]]
            self.fill(workspaces)

    def _crash(self) -> str:
        """The package at which Bazel ends with an internal error, if there is any."""
        options = ("--noshow_progress", "--keep_going", *self.bazel.repository_options())
        done = self.bazel.run("query", *options, "//...")
        found = _CRASHED_PACKAGE.search(done.stderr.decode("utf-8", "replace"))
        if done.returncode == CRASHED and found is None:
            raise RuntimeError(f"Bazel {self.version} ends with an internal error, and does not say in which package")
        return found[1] if found else ""

    def _problems(self, package: str) -> Sequence[Diagnostic]:
        """What bzlgraph says of it."""
        loader = open_loader(open_workspace(self.tree, options_of(self.stubs, self.version, self.modules)))
        found = loader.find("", package)
        return found.diagnostics if found is not None else []

    def differences(self, questions: Iterable[str] = (*QUESTIONS, CONFIGURED)) -> Iterator[tuple[str, Difference]]:
        """(question, difference) for each that has no reason."""
        questions = set(questions)
        theirs = self.theirs({*questions - {CONFIGURED}, "proto", SELECTS})
        local = local_repositories(self.tree, "~" if self.modules else "")
        if not self.fetched:
            self.fetched = {name: path for name, path in self.bazel.fetched().items() if name not in local}
        overrides = self.fetched | self.stubs
        ours = answers(self.tree, self.version, overrides, questions - {CONFIGURED}, self.modules)
        place = placer(self.tree, overrides | local)
        yield from differing(self.version, theirs, ours, place)
        if CONFIGURED in questions:
            configured = Ours(self.tree, overrides, self.version, self.modules)
            for said in self.configured(configured, read_proto(theirs[SELECTS].output, place)):
                yield from ((CONFIGURED, each) for each in cquery.differing(configured, said, self.version))

    def configured(self, ours: Ours, targets: Answer) -> Iterator[cquery.Said]:
        """What Bazel says in the configurations."""
        labels, known = cquery.roots(targets), cquery.selects(targets)
        for line in self.lines:
            yield cquery.ask_bazel(self.bazel, ours, line, labels, known)

    def theirs(self, questions: Iterable[str]) -> dict[str, Reply]:
        """What Bazel says."""
        return {name: self.bazel.query(*QUESTIONS[name][1]) for name in questions}


def local_repositories(tree: Path, end: str = "") -> dict[str, Path]:
    """The repositories inside a tree: Bazel says `external/NAME` where bzlgraph names the folder itself; ``end`` is
    what it puts behind the names of modules."""
    return {path.name + end: path for path in (tree / "repos").glob("*")}


def answers(
    tree: Path,
    version: str,
    overrides: Mapping[str, Path],
    questions: Iterable[str],
    modules: Modules | None = None,
) -> dict[str, Reply]:
    """What bzlgraph says.

    Bazel loads what --noimplicit_deps leaves out, too, and ends with 3 where that is missing: such an answer is as
    incomplete as the one that has everything.
    """
    asked = {name: QUESTIONS[name][1] for name in questions}
    with tempfile.TemporaryDirectory(prefix="bzlgraph-generated-") as folder:
        said = ask_ours(tree, version, overrides, Path(folder), {**asked, _WHOLE: ("deps(//...)",)}, modules)
    whole = said.pop(_WHOLE)
    missing = whole.errors or (("some of all dependencies are missing",) if whole.exit_code else ())
    parts = [name for name in said if _OWN in asked[name]]
    return said | {name: replace(said[name], errors=said[name].errors or missing) for name in parts}


def differing(
    version: str, theirs: Mapping[str, Reply], ours: Mapping[str, Reply], place: Place
) -> Iterator[tuple[str, Difference]]:
    """What differs without a reason in the questions that bzlgraph was asked; Bazel was asked for ``proto`` too.

    Raises RuntimeError when Bazel said nothing of any target: that would be equal to nothing.
    """
    if not theirs["proto"].output:
        raise RuntimeError(f"Bazel {version} has no targets in this tree")
    mentions = Mentions(read_proto(theirs["proto"].output, place))
    explanations = read_explanations()
    for name, said in ours.items():
        code, ended = theirs[name].exit_code, Difference("exit code", name, "", name, str(theirs[name].exit_code), "")
        if code != said.exit_code and not said.errors:
            yield name, replace(ended, ours=str(said.exit_code))
        for tally in compare_format(QUESTIONS[name][0], theirs[name].output, said.output, place):
            for names in tally.named(share=False):
                listed = [replace(each, cause=LISTED) for each in names if _is_listed(each, mentions)]
                if not any(each.fits(form, NAME, version) for each in explanations for form in (*names, *listed)):
                    yield name, names[0]


def _is_listed(difference: Difference, mentions: Mentions) -> bool:
    """Whether a difference is a place of Bazel 0.x: that of a list which names the file."""
    file = difference.subject == "source file" and difference.cause in PLACES
    return file and mentions.hold(difference.label, difference.theirs)


def compare(version: str, seeds: Sequence[int], folder: Path) -> Iterator[Found]:
    """What differs in the workspaces of these seeds."""
    with Pair(version, folder) as pair:
        for _, shared in groupby(seeds, lambda seed: seed // TOGETHER):
            for difference in pair.fill_loadable([seeded(seed, version, root(seed)) for seed in shared]):
                yield Found(LOADED, difference, seeds_of(difference))
            for question, difference in pair.differences():
                yield Found(question, difference, seeds_of(difference))


def root(seed: int) -> str:
    """The folder of a workspace in a tree that it shares."""
    return f"w{seed}"


def seeds_of(difference: Difference) -> tuple[int, ...]:
    """Whose label it is; of a difference of the whole answer, whose labels it names. (Command lines name them all.)"""
    found = _ROOT.findall(difference.label) or _ROOT.findall(f"{difference.theirs} {difference.ours}")
    return tuple(sorted(set(map(int, found))))
