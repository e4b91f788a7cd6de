"""What bzlgraph itself says about the package of a difference: that it is incomplete, and why.

``admitted(differences, loader)`` -> the differences with ``gap`` and ``said`` filled in, which entries of
explained.toml may ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.base.gap import HIDING_TARGETS
from bzlgraph.base.label import LabelError, parse
from bzlgraph.loading.loader import Loader
from tests.differential.facts.compare import Difference


def admitted(differences: Iterable[Difference], loader: Loader) -> Iterator[Difference]:
    """The differences, each with what is said about the package of its label."""
    for each in differences:
        gap, said = _said(loader, each.label)
        yield replace(each, gap=each.gap or (gap and each.label.startswith("@")), said=said)


def _said(loader: Loader, text: str) -> tuple[bool, str]:
    """Whether targets of the package of a label may be hidden, and the errors and gaps in it, one a line."""
    try:
        label = parse(text, "", "", loader.workspace.bzl_loader.mapping)
        package = loader.package(label.repo, label.package)
    except (BzlgraphError, LabelError):
        return False, ""
    if package is None:
        return True, ""
    errors = (f"{each.location}: {each.message}" for each in package.diagnostics if each.severity == "error")
    gaps = (each.what for each in package.gaps)
    return any(gap.kind in HIDING_TARGETS for gap in package.gaps), "\n".join((*errors, *gaps))
