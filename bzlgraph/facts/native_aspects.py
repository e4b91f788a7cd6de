"""What the aspects of native rules bring along: (Bazel version, rule) -> attributes with their labels, in order.

``native_aspects.json`` is made by ``tools/record_native_aspects.py`` from what real Bazels print.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bzlgraph.facts.native import version_key


class NativeAspects(NamedTuple):
    """``brings``: (attribute, label) in the order of Bazel's rule inputs, twice where two aspects bring the same;
    ``only``: the attributes that the rule does not have by itself."""

    brings: tuple[tuple[str, str], ...] = ()
    only: frozenset[str] = frozenset()


@cache
def native_aspects(version: str, rule: str) -> NativeAspects:
    """The entry in force: that of the newest version that is not newer, or of the oldest.

    >>> native_aspects("4.2.3", "cc_proto_library").brings[0]
    (':aspect_cc_proto_toolchain', '@com_google_protobuf//:cc_toolchain')
    >>> native_aspects("4.2.3", "cc_library").brings
    ()
    """
    versions = _table().get(rule)
    if not versions:
        return NativeAspects()
    older = [known for known in versions if version_key(known) <= version_key(version)]
    entry = versions[older[-1] if older else next(iter(versions))]
    brings = tuple((name, label) for name, label in entry["brings"])
    return NativeAspects(brings, frozenset(name for name, _ in brings) - frozenset(entry["also_own"]))


@cache
def _table() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Path(__file__).with_name("native_aspects.json").read_bytes())
    return data
