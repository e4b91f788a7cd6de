"""One use of an option, and tokens -> uses: how Bazel reads ``--name=value``, ``--name value``, ``--noname``, ``-c x``.

A Starlark flag is a use whose name is its label as written (``//pkg:flag``, ``@repo//pkg:flag``).
Doc: https://bazel.build/docs/user-manual and OptionsParserImpl of Bazel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bzlgraph.config.origin import Origin
from bzlgraph.facts.options import OptionTable


@dataclass(frozen=True, slots=True)
class OptionUse:
    """``name`` set to ``value`` by ``origin``.

    ``value`` is in canonical form: "true"/"false" for booleans, "auto"/"yes"/"no" for tristates, else as written.
    ``known`` is False for an option that no Bazel we know has (only rc files may name such a one).
    """

    name: str
    value: str
    origin: Origin
    known: bool = True

    @property
    def is_flag(self) -> bool:
        """Whether this is a Starlark flag, not an option of Bazel."""
        return self.name.startswith(("//", "@"))


def parse_options(tokens: Iterable[str], table: OptionTable, origin: Origin) -> list[OptionUse]:
    """The uses that tokens make, in order; --config stays a use. Raises UsageProblem for an unknown option."""
    raise NotImplementedError
