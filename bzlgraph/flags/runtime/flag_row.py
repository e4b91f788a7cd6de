"""One flag that a program reads when it runs."""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = ("name", "group", "type", "default", "description", "file", "line")
"""The stable columns of ``flags runtime``."""

COMMAND_LINE = "command line"
ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True, order=True)
class RuntimeFlag:
    """``group`` is the environment variable that carries the flag, or the mechanism that reads it.

    ``default`` is None when the source does not say it in a place that can be found; ``""`` is an empty text.
    """

    name: str
    group: str
    type: str | None
    default: str | None
    description: str
    file: str
    line: int
