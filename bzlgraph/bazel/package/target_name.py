"""Names of targets: what Bazel refuses, in its words. ``name_fault("a//b")`` -> the reason, None when the name is good.

``boundary_fault(label, context)`` for labels that reach into a deeper package, ``//a:b/c.txt`` when ``a/b`` is a
package of its own: what is wrong and how to write it. Doc: https://bazel.build/concepts/labels

>>> name_fault("a/../b")
"target names may not contain up-level references '..'"
>>> name_fault("good-name.x/y") is None
True
"""

from __future__ import annotations

import re

from bzlgraph.base.label import Label
from bzlgraph.bazel.files.context import PackageContext
from bzlgraph.starlark.value import EvalError

_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f:\\]")


def name_fault(name: str) -> str | None:
    """Why ``name`` cannot be the name of a target."""
    if not name:
        return "empty target name"
    if name[0] == "/":
        return "target names may not start with '/'"
    bad = _FORBIDDEN.search(name)
    if bad:
        shown = f"'{bad[0]}'" if bad[0].isprintable() else f"non-printable characters: '\\x{ord(bad[0]):02x}'"
        return f"target names may not contain {shown}"
    if name[-1] == "/":
        return "target names may not end with '/'"
    if "//" in name:
        return "target names may not contain '//' path separators"
    parts = name.split("/") if "." in name else ()
    if ".." in parts:
        return "target names may not contain up-level references '..'"
    if "." in parts and name != ".":
        return "target names may not contain '.' as a path segment"
    return None


def boundary_fault(label: Label, context: PackageContext) -> EvalError | None:
    """The problem with a label of this package that belongs to a package below; None when there is none."""
    if "/" not in label.name:
        return None
    known: frozenset[str] | None = context.state.get(__name__)
    if known is None:
        # the folders of other repositories below the package, where labels may not reach into them
        repositories = context.files.repositories() if context.facts.local_repository_is_boundary else ()
        known = context.state[__name__] = frozenset((*context.files.subpackages(), *repositories))
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
