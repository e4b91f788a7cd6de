"""Where the value of an option comes from: the command line, a line of a .bazelrc, another option, Bazel's default.

>>> str(Origin("bazelrc", Location(".bazelrc", 12, 0), ("config cuda",)))
'.bazelrc:12 (config cuda)'
>>> str(default_origin("4.2.3"))
'default of Bazel 4.2.3'
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bzlgraph.base.span import Location

COMMAND_LINE = "command line"
BAZELRC = "bazelrc"
DEFAULT = "default"
EXPANSION = "expansion"


@dataclass(frozen=True, slots=True)
class Origin:
    """Who set a value.

    ``kind``: "command line", "bazelrc", "default" (``via`` names the Bazel), or "expansion" (of an option that stands
    for others; ``location`` is where that option stands, None for the command line).
    ``via``: what led there, outermost first: ``config cuda`` for ``--config=cuda``, ``--x`` for an expanded option.
    """

    kind: str
    location: Location | None = None
    via: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == DEFAULT:
            return f"default of Bazel {self.via[0]}" if self.via else "default"
        place = str(self.location) if self.location else COMMAND_LINE
        return f"{place} ({' > '.join(self.via)})" if self.via else place

    def through(self, step: str) -> Origin:
        """The origin of what an option of this origin expands to; ``step`` names that option."""
        return replace(self, kind=EXPANSION, via=(*self.via, step))


ON_COMMAND_LINE = Origin(COMMAND_LINE)


def default_origin(version: str) -> Origin:
    """The origin of an option that nobody set."""
    return Origin(DEFAULT, None, (version,))
