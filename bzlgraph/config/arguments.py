"""What a command line says about the configuration -> ``Configuration``: the way in to this half of the folder."""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.config.configuration import Configuration
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
    if not arguments.given:
        return None
    raise NotImplementedError
