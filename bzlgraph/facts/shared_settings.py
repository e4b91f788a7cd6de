"""What the conditions that Bazel carries inside itself ask for, as data: ``@bazel_tools//src/conditions:windows``.

That repository is on disk only where a Bazel has run, and many BUILD files name its conditions.

>>> shared_setting("4.2.3", "@bazel_tools//src/conditions", "windows")
{'constraint_values': ['@platforms//os:windows']}
>>> shared_setting("2.1.0", "@bazel_tools//src/conditions", "windows")
{'values': {'cpu': 'x64_windows'}}
>>> shared_setting("4.2.3", "@bazel_tools//src/conditions", "none") is None
True
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from bzlgraph.facts.native import version_key


def shared_setting(version: str, package: str, name: str) -> dict[str, Any] | None:
    """The attributes of a config_setting of Bazel's own, labels as text; None for what is none."""
    steps = _table().get(package)
    if steps is None:
        return None
    older = [settings for since, settings in steps if version_key(since) <= version_key(version)]
    found: dict[str, Any] | None = (older[-1] if older else steps[0][1]).get(name)
    return found


@cache
def _table() -> dict[str, list[tuple[str, dict[str, Any]]]]:
    data: dict[str, list[tuple[str, dict[str, Any]]]] = json.loads(
        Path(__file__).with_name("shared_settings.json").read_bytes()
    )
    return data
