"""What a command line says about the configuration -> ``Configuration``: the way in to this half of the folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import LabelError, parse
from bzlgraph.config.bazelrc import Bazelrc, RcChoice, read_bazelrc
from bzlgraph.config.configuration import Configuration
from bzlgraph.config.expansion import Expander, flatten
from bzlgraph.config.option_use import OptionUse, refusal
from bzlgraph.facts.options import OptionTable, options_for
from bzlgraph.workspace.source import DiskSource
from bzlgraph.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ConfigArguments:
    """Options of Bazel, as typed, and which rc files take part.

    Only the workspace's files by default, so that answers do not depend on the machine.
    """

    tokens: tuple[str, ...] = ()
    bazelrc: tuple[str, ...] = ()
    workspace_rc: bool = True
    home_rc: bool = False
    system_rc: bool = False
    command: str = "build"

    @property
    def given(self) -> bool:
        """Whether anything asks for a configuration. --noworkspace_rc alone does not."""
        return bool(self.tokens or self.bazelrc or self.home_rc or self.system_rc)


def configuration_for(workspace: Workspace, arguments: ConfigArguments) -> Configuration | None:
    """The configuration that is asked for; None when none is: the unconfigured graph, with all branches.

    Raises UsageProblem: unknown option, unknown or cyclic --config, an rc file that cannot be read.
    """
    return chosen_configuration(workspace, arguments) if arguments.given else None


def chosen_configuration(workspace: Workspace, arguments: ConfigArguments) -> Configuration:
    """The configuration, also when nothing was asked for: what the rc files and Bazel's defaults say."""
    table = option_table(workspace)
    rc = workspace_bazelrc(workspace, arguments)
    nodes = flatten(Expander(rc, table, arguments.command).expand(arguments.tokens))
    uses = tuple(node.use for node in nodes if node.use is not None)
    for use in uses:
        if use.is_flag:
            _check_label(use, workspace)
    read = tuple(each.path for each in rc.files if each.read)
    found = tuple(problems(uses, table, rc, workspace.options.bazel_version))
    return Configuration(table, uses, files=read, problems=found, mapping=workspace.map_repository)


def option_table(workspace: Workspace) -> OptionTable:
    """The options of the Bazel that the workspace is read with."""
    return options_for(workspace.facts.version)


def workspace_bazelrc(workspace: Workspace, arguments: ConfigArguments) -> Bazelrc:
    """The rc files that the arguments choose, read. Raises UsageProblem."""
    old = "unless imported" if workspace.facts.tolerant else "always" if workspace.facts.tools_bazel_rc else ""
    version = option_table(workspace).version
    choice = RcChoice(arguments.bazelrc, arguments.workspace_rc, arguments.home_rc, arguments.system_rc, old, version)
    return read_bazelrc(workspace.root, DiskSource(workspace.root), choice)


def problems(uses: Iterable[OptionUse], table: OptionTable, rc: Bazelrc, version: str = "") -> list[Diagnostic]:
    """What in the rc files Bazel would refuse: it is kept, and told. ``version``: the Bazel that was asked for."""
    found = []
    for use in uses:
        fact = table.find(use.name)
        if use.problem:
            diagnostic = refusal(use, table)
        elif version and fact is not None and fact.foreign:
            message = f"--{use.name}: Bazel {version} has no such option (Bazel {fact.home} has)"
            diagnostic = Diagnostic(message, use.origin.location)
        else:
            continue
        where = diagnostic.location
        diagnostic = diagnostic.with_source(rc.texts.get(where.path, "")) if where else diagnostic
        found.append(replace(diagnostic, severity="warning"))
    return list(dict.fromkeys(found))


def _check_label(use: OptionUse, workspace: Workspace) -> None:
    try:
        parse(use.name, "", "", workspace.map_repository)
    except LabelError as error:
        raise UsageProblem(Diagnostic(f"{use}: {error}", use.origin.location)) from None
