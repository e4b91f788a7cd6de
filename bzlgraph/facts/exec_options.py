"""Which options the configuration of tools keeps, and what it sets others to, as data (``exec_options.json``).

>>> exec_options().taken["compilation_mode"], "define" in exec_options().kept, exec_options().fixed["copt"]
('host_compilation_mode', True, ('-g0',))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ExecOptions:
    """``kept`` stay as they are; ``taken`` names the option whose value an option gets; ``fixed`` come first.

    All other options of Bazel fall back to their defaults.
    """

    kept: frozenset[str]
    taken: Mapping[str, str]
    fixed: Mapping[str, tuple[str, ...]]


@cache
def exec_options() -> ExecOptions:
    """The table."""
    data = json.loads(Path(__file__).with_name("exec_options.json").read_bytes())
    fixed = {name: tuple(values) for name, values in data["fixed"].items()}
    return ExecOptions(frozenset(data["kept"]), data["taken"], fixed)
