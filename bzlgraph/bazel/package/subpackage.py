"""Labels that reach into a deeper package: ``//a:b/c.txt`` when ``a/b`` is a package of its own.

``boundary_fault(label, context)`` -> what is wrong and how to write it. Doc: https://bazel.build/concepts/labels
"""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.base.label import Label
from bzlgraph.bazel.files.context import PackageContext
from bzlgraph.starlark.value import EvalError


def boundary_fault(label: Label, context: PackageContext) -> EvalError | None:
    """The problem with a label of this package that belongs to a package below; None when there is none."""
    if "/" not in label.name:
        return None
    known: frozenset[str] | None = context.state.get(__name__)
    if known is None:
        known = context.state[__name__] = frozenset((*context.files.subpackages(), *_repositories(context)))
    folder = label.name
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if folder in known:
            package = f"{label.package}/{folder}" if label.package else folder
            meant = Label(label.repo, package, label.name[len(folder) + 1 :])
            return EvalError(
                f"Label '{label}' is invalid because '{package}' is a subpackage",
                f"perhaps you meant to put the colon here: '{meant}'?",
            )
    return None


def _repositories(context: PackageContext) -> Sequence[str]:
    """The folders of other repositories below the package, where labels may not reach into them."""
    return context.files.repositories() if context.facts.local_repository_is_boundary else ()
