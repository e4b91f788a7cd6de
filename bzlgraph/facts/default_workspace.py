"""What Bazel itself adds to every WORKSPACE, as data: binds and repositories by Bazel version.

Rules of old Bazels depend on some of these binds without saying so (``//external:cc_toolchain``). A workspace's own
definition of a name wins. Read from ``bazel query //external:*`` in an empty workspace.

>>> for_version("0.19.1").binds["cc_toolchain"]
'@local_config_cc//:toolchain'
>>> for_version("7.7.1").binds
{}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from bzlgraph.facts.native import version_key


@dataclass(frozen=True, slots=True)
class DefaultWorkspace:
    """``binds``: name -> what it stands for (None: nothing); ``repositories``: name -> rule that makes it."""

    binds: dict[str, str | None]
    repositories: dict[str, str]


@cache
def for_version(version: str) -> DefaultWorkspace:
    """What holds for a version: the newest entry that is not newer, or the oldest."""
    table: dict[str, dict[str, dict[str, str]]] = json.loads(
        files(__package__).joinpath("default_workspace.json").read_bytes()
    )
    older = [entry for since, entry in table.items() if version_key(since) <= version_key(version)]
    entry = older[-1] if older else next(iter(table.values()))
    return DefaultWorkspace(dict(entry["binds"]), dict(entry["repositories"]))
