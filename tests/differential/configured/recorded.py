"""Configurations: what `bazel cquery` says with a command line, recorded, and the same of bzlgraph.

`tests/workspaces/configured/NAME/` is a workspace; each line of its `combinations.txt` is a command line, which may end
with the one target it is asked about. `expected/cquery-V.txt` has for each of them a block: exit code and errors, and
the facts that are different from those of the first block (`+` and `-`):

  dep //a:b               deps(//:everything) has //a:b, in the configuration of the command line
  tool //a:b              in that of the tools
  other N //a:b           in one that a transition leads to (names.py)
  value //a:b srcs [..]   what an attribute with selects comes to, for every rule of //...

Labels of other repositories are left out: toolchains and what Bazel adds by itself.

    python -m tests.differential.configured.recorded [NAME ...]      records anew, with the Bazels of this machine
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.differential.configured.names import named, read_configured, targets_in
from tests.differential.facts.proto_answer import read_proto
from tests.differential.facts.records import Answer as Targets
from tests.differential.facts.records import Select, show
from tests.differential.real.bazel import UNSTABLE_VERSION, cache_folder, command_line, program, repository_options
from tests.differential.real.stubs import read_stubs, write_stubs

FOLDER = Path(__file__).parents[2] / "workspaces" / "configured"
VERSIONS = ("2.1.0", "4.2.3")
"""Who is asked about a workspace whose `versions.txt` does not say it."""
ROOT = "//:everything"
STUBS = "bazel_rules"
_HEADER = "# Bazel {version}: cquery. Recorded by: python -m tests.differential.configured.recorded\n"
_CONFIGURED = re.compile(r"(\S+) \((\w+)\)")
SAME = {UNSTABLE_VERSION: ("--notrim_test_configuration",)}
"""What makes a Bazel as the others: Bazel 7 has what is no test in another configuration, without the options of tests.
No select() may read those there, so the configurations differ in their names only."""
_FILES = ("null", "0")
"""The configuration of files, which have none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said with one command line. ``facts`` are lines as above; ``errors`` those of Bazel."""

    options: str
    exit_code: int
    facts: frozenset[str]
    errors: tuple[str, ...] = ()


def workspaces() -> list[Path]:
    """The workspaces with combinations."""
    return sorted(path.parent for path in FOLDER.glob("*/combinations.txt"))


def versions(workspace: Path) -> tuple[str, ...]:
    """The Bazels that are asked."""
    named = workspace / "versions.txt"
    return tuple(named.read_text(encoding="utf-8").split()) if named.is_file() else VERSIONS


def combinations(workspace: Path) -> list[str]:
    """The command lines."""
    return (workspace / "combinations.txt").read_text(encoding="utf-8").splitlines()


@dataclass(frozen=True, slots=True)
class Where:
    """What is asked about: the dependencies of ``roots``, the values of ``values``, both patterns that may be joined by
    ``+``."""

    roots: str = ROOT
    values: str = "//..."


EVERYTHING = Where()


def asked(line: str, where: Where = EVERYTHING) -> tuple[list[str], Where]:
    """(options, what they are asked about) of a command line.

    >>> asked("-c opt //:x")
    (['-c', 'opt'], Where(roots='//:x', values='//:x'))
    """
    words = shlex.split(line)
    if words and words[-1].startswith("//"):
        return words[:-1], Where(words[-1], words[-1])
    return words, where


# ------------------------------------------------------------------------------------------------- real Bazel
@dataclass(frozen=True, slots=True)
class Bazel:
    """One Bazel on one tree, rc files included. Use as a context manager: the server is shut down at the end."""

    version: str
    tree: Path
    overrides: Mapping[str, Path]
    module_options: tuple[str, ...] = ()
    """Where its modules are: then MODULE.bazel counts."""

    def __enter__(self) -> Bazel:
        return self

    def __exit__(self, *_: object) -> None:
        self.run("shutdown")

    def selects(self, pattern: str = "//...") -> frozenset[str]:
        """``label attribute`` of all attributes that hold selects."""
        said = self.run(
            "query", "--keep_going", pattern, "--noshow_progress", "--output=proto", "--noproto:flatten_selects"
        )
        targets = read_proto(said.stdout, str)
        return frozenset(
            f"{label} {name}"
            for label, target in targets.items()
            for name, attribute in target.attributes.items()
            if isinstance(attribute.value, Select)
        )

    def ask(self, options: str, selects: frozenset[str], place: Where = EVERYTHING) -> Answer:
        """What it says with a command line."""
        given, where = asked(options, place)
        words = ["--noshow_progress", *SAME.get(self.version, ()), *given]
        newest = self.version == UNSTABLE_VERSION
        deps = self.run("cquery", f"deps({where.roots})", *words, *(["--output=proto"] if newest else []))
        errors = tuple(sorted(set(self._errors(deps.stderr.decode("utf-8", "replace")))))
        if deps.returncode:
            return Answer(options, deps.returncode, frozenset(), errors)
        found, tools = read_configured(deps.stdout) if newest else read_printed(deps.stdout.decode(), self.describe)
        found = [pair for pair in found if pair[0].startswith("//")]
        here = chosen(found, where.roots)
        facts = set(named(found, (here, *_FILES), tools))
        values = self.run("cquery", where.values, *words, "--output=proto")
        facts |= set(value_lines(read_proto(targets_in(values.stdout, here), str), selects))
        return Answer(options, values.returncode, frozenset(facts), errors)

    def describe(self, configuration: str) -> str:
        """What it says about a configuration."""
        return self.run("config", configuration).stdout.decode()

    def _errors(self, text: str) -> Iterator[str]:
        for line in text.splitlines():
            if line.startswith("ERROR"):
                yield line.replace(f"{self.tree}/", "").replace(str(self.tree), "<workspace>")

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Any command; ``--noworkspace_rc`` among the arguments is an option of Bazel itself."""
        output = cache_folder() / "output" / f"configured-{self.version}"
        own = [word for word in arguments if word == "--noworkspace_rc"]
        words = [f"--output_user_root={output}", "--nohome_rc", "--nosystem_rc", *own]
        words += ["--max_idle_secs=120", "--host_jvm_args=-Xmx2500m", command]
        if command != "shutdown":
            words += repository_options(self.version, self.overrides, self.module_options)
        words += [word for word in arguments if word != "--noworkspace_rc"]
        line = command_line(self.version, self.tree, (cache_folder(), *self.overrides.values()), words)
        return subprocess.run(line, cwd=self.tree, capture_output=True, check=False)


def read_printed(text: str, describe: Callable[[str], str]) -> tuple[list[tuple[str, str]], set[str]]:
    """(label, configuration) of what `cquery` prints, and which of the configurations there are tools'."""
    found = _CONFIGURED.findall(text)
    others = {each for _, each in found} - {"null", "HOST"}
    return found, {"HOST", *(each for each in others if "is exec configuration: true" in describe(each))}


def chosen(found: Iterable[tuple[str, str]], root: str) -> str:
    """The configuration of the command line: that of the one root, else the one that most targets are in; files are in
    none, and tools may be in more than the root."""
    own = [(label, each) for label, each in found if not label.startswith("@") and each not in (*_FILES, "HOST")]
    named = [each for label, each in own if label == root]
    return named[0] if named else Counter(each for _, each in own).most_common(1)[0][0]


def value_lines(targets: Targets, selects: frozenset[str]) -> Iterator[str]:
    """What attributes with selects come to."""
    for label, target in targets.items():
        for name, attribute in target.attributes.items():
            if f"{label} {name}" in selects:
                yield f"value {label} {name} {show(attribute.value)}"


# ---------------------------------------------------------------------------------------------- recorded answers
def write_answers(answers: Iterable[Answer], version: str) -> str:
    """The blocks, each but the first as its difference to the first."""
    first: frozenset[str] | None = None
    lines = [_HEADER.format(version=version).rstrip()]
    for answer in answers:
        lines += [f"? {answer.options}".rstrip(), f"exit code {answer.exit_code}"]
        lines += [f"error {error}" for error in answer.errors]
        if first is None:
            first = answer.facts
            lines += sorted(first)
        elif not answer.exit_code:
            lines += sorted(f"- {fact}" for fact in first - answer.facts)
            lines += sorted(f"+ {fact}" for fact in answer.facts - first)
    return "\n".join(lines) + "\n"


def read_answers(text: str) -> Iterator[Answer]:
    """The other way round."""
    first: frozenset[str] | None = None
    for block in text.split("\n?")[1:]:
        options, code, *lines = block.splitlines()
        errors = tuple(line.removeprefix("error ") for line in lines if line.startswith("error "))
        facts = [line for line in lines if not line.startswith("error ")]
        exit_code = int(code.removeprefix("exit code "))
        if first is None:
            found = first = frozenset(facts)
        else:
            less = {fact[2:] for fact in facts if fact.startswith("- ")}
            found = first - less | {fact[2:] for fact in facts if fact.startswith("+ ")}
        yield Answer(options.strip(), exit_code, frozenset() if exit_code else found, errors)


def record(names: list[str]) -> None:
    """Ask the Bazels of this machine again; names are those of workspaces and versions."""
    for workspace in workspaces():
        for version in versions(workspace):
            if names and not {workspace.name, version} & set(names):
                continue
            if program(version) is None:
                print(f"skipped: {workspace.name} with Bazel {version} (not on this machine)")
                continue
            text = write_answers(_asked(workspace, version), version)
            (workspace / "expected").mkdir(exist_ok=True)
            (workspace / "expected" / f"cquery-{version}.txt").write_text(text, encoding="utf-8")
            print(f"recorded: {workspace.name} with Bazel {version}", flush=True)


def _asked(workspace: Path, version: str) -> list[Answer]:
    with tempfile.TemporaryDirectory(prefix="bzlgraph-configured-") as folder:
        tree = Path(folder) / workspace.name
        shutil.copytree(workspace, tree, ignore=shutil.ignore_patterns("expected"), symlinks=True)
        stubs = write_stubs(read_stubs(STUBS, tree), Path(folder) / "stubs")
        with Bazel(version, tree, stubs) as bazel:
            selects = bazel.selects()
            return [bazel.ask(options, selects) for options in combinations(workspace)]


if __name__ == "__main__":
    record(sys.argv[1:])
