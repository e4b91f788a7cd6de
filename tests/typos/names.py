"""A tree -> the real names that somebody may type, by kind, and the command lines that they are typed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

import click

import bzlgraph
from bzlgraph.api import Workspace
from bzlgraph.base.errors import BzlgraphError
from bzlgraph.cli.commands.mod import SUBCOMMANDS
from bzlgraph.cli.complaints import OF_BAZEL
from bzlgraph.cli.group import COMMANDS
from bzlgraph.cli.main import cli
from bzlgraph.config.arguments import OWN_TO_RC, taken_options, workspace_bazelrc
from bzlgraph.facts.options import options_for
from bzlgraph.questions.session import UNCONFIGURED
from bzlgraph.questions.switches import ask_knowledge

Line = Callable[[str], list[str]]
"""What was typed -> the words of a command line."""


@dataclass(frozen=True)
class Kind:
    """Names of one kind. ``also_real``: names that are no typos, though nobody is sent to them."""

    name: str
    names: tuple[str, ...]
    lines: tuple[Line, ...]
    also_real: frozenset[str] = frozenset()

    def is_real(self, typed: str) -> bool:
        """Whether this is a name, or another spelling of one."""
        return typed in self.also_real or any(each in self.known for each in _spellings(self.name, typed))

    @cached_property
    def known(self) -> frozenset[str]:
        """The names, to look one up."""
        return frozenset(self.names)


def _spellings(kind: str, typed: str) -> Iterator[str]:
    yield typed
    if kind == "targets":
        absolute = typed if typed.startswith("/") else f"//{typed}"
        yield absolute
        yield f"{absolute}:{absolute.rpartition('/')[2]}"
        path = absolute[2:].replace(":", "/")
        yield from (f"//{path[:at]}:{path[at + 1 :]}" for at, letter in enumerate(path) if letter == "/")


def kinds(tree: Path) -> list[Kind]:
    """All kinds that a tree has names of."""
    workspace = bzlgraph.open(tree)
    targets = tuple(str(label) for label in workspace.query("//...:*", keep_going=True).labels)
    found = [
        Kind(
            "targets",
            targets,
            (
                lambda typed: ["query", f"'{typed}'"],
                lambda typed: ["query", f"deps('{typed}')"],
                lambda typed: ["expand", typed],
                lambda typed: ["select", f"'{typed}'"],
                lambda typed: ["graph", f"'{typed}'"],
                lambda typed: ["why", targets[0], f"--from={typed}"],
                lambda typed: ["why", typed, f"--from={targets[0]}"],
            ),
            frozenset({""}),
        ),
        Kind("options", _options(), (lambda typed: ["query", f"{typed}=x", "//..."],), _all_options()),
    ]
    found += _folders(targets)
    found += [
        Kind("commands", tuple(COMMANDS), (lambda typed: [typed, "x"],), frozenset({"", *OF_BAZEL})),
        Kind("subcommands", tuple(SUBCOMMANDS), (lambda typed: ["mod", typed],), frozenset({"", "tidy"})),
        Kind("formats", _formats(), (lambda typed: ["query", targets[0], f"--output={typed}"],), frozenset({""})),
    ]
    rc = workspace_bazelrc(workspace.session.loader.workspace, UNCONFIGURED)
    if configs := tuple(name for name in rc.configs() if rc.defines("build", name)):
        one = targets[0]
        lines = (
            lambda typed: ["query", f"--config={typed}", f"'{one}'"],
            lambda typed: ["select", one, f"--config={typed}"],
        )
        found.append(Kind("configs", configs, lines, frozenset(rc.configs())))
    if flags := _flags(workspace):
        found.append(Kind("flags", flags, (lambda typed: ["flags", typed],)))
    if (ops := _ops(workspace))[0]:
        found.append(Kind("ops", ops[0], (lambda typed: ["op", typed],), ops[1]))
    return found


def _folders(targets: tuple[str, ...]) -> list[Kind]:
    """Packages, as patterns have them, and the folders above them."""
    packages = tuple(dict.fromkeys(each.partition(":")[0] for each in targets if each.startswith("//")))
    above = {each[:at] for each in packages for at, letter in enumerate(each) if letter == "/" and at > 1}
    lines: tuple[Line, ...] = (
        lambda typed: ["query", f"'{typed}/...'"],
        lambda typed: ["query", f"'{typed}:all'"],
        lambda typed: ["select", f"'{typed}/...'"],
    )
    named = tuple(each for each in packages if each != "//")
    return [Kind("packages", named, lines, frozenset({*above, "//", "/", ""}))]


def _formats() -> tuple[str, ...]:
    """What ``query --output`` takes."""
    parameters = import_module("bzlgraph.cli.commands.query").command.params
    (kind,) = (each.type for each in parameters if each.name == "output")
    return tuple(map(str, kind.choices))


def _options() -> tuple[str, ...]:
    """The options of ``query``: its own, the global ones, those of Bazel that it takes."""
    command = import_module("bzlgraph.cli.commands.query").command
    named = {name for each in (command, cli) for name in _names_of(each)}
    named |= {f"--{fact.name}" for fact in taken_options()} | set(OWN_TO_RC)
    return tuple(sorted(named))


def _all_options() -> frozenset[str]:
    facts = options_for().options
    return frozenset({"", *(f"--{name}" for name in facts), *(f"--no{name}" for name in facts)})


def _names_of(command: click.Command) -> Iterator[str]:
    options = (each for each in command.params if isinstance(each, click.Option))
    yield from (name for each in options for name in (*each.opts, *each.secondary_opts) if name.startswith("--"))


def _flags(workspace: Workspace) -> tuple[str, ...]:
    """What ``flags NAME`` is asked about: variables of configure, configs, settings, flags of programs."""
    known = ask_knowledge(workspace.session).answer
    named = {str(row.label) for row in known.settings.rows} | {row.label.name for row in known.settings.rows}
    named |= {flag.name for flag in known.runtime.rows}
    named |= {read.name for row in known.settings.rows for read in row.mentions}
    return tuple(sorted(named - {""}))


def _ops(workspace: Workspace) -> tuple[tuple[str, ...], frozenset[str]]:
    """Ops with their public names, and the functions that are generated for them: ``log`` is no typo of ``Log``."""
    try:
        table = workspace.op_table()
    except BzlgraphError:
        return (), frozenset()
    public = {name for names in table.get("api_names", ()) for name in str(names).split()}
    generated = table.get("generated_name", ())
    ops = map(str, table[table.columns[0]])  # of JAX primitives, of PyTorch operators
    return tuple(sorted({*ops, *public})), frozenset(map(str, generated))
