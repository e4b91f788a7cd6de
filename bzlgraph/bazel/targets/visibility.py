"""Visibilities as they are written: what this Bazel refuses in them, and what it makes of them.

Rules
- ``//visibility:public`` and ``:private`` stand alone; since Bazel 8 they may be among other labels, which a public one
  makes superfluous and a private one does not change.
- ``//visibility:legacy_public``, while there is one, is for package() and exports_files().
- ``//visibility:__pkg__`` and ``:__subpackages__`` name a package of that name, as anywhere else.
Mirrors RuleVisibility of Bazel's source (bazelbuild/bazel@306e1f65).
"""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import PRIVATE
from bzlgraph.facts import Facts

PUBLIC = Label("", "visibility", "public")
LEGACY_PUBLIC = Label("", "visibility", "legacy_public")
_PACKAGES = ("__pkg__", "__subpackages__")


def visibility_fault(labels: Sequence[Label], facts: Facts) -> str:
    """What this Bazel says to ``//visibility:public`` or ``:private`` among other labels, and to other labels there; ""
    when nothing is wrong."""
    alone = (PUBLIC, PRIVATE, LEGACY_PUBLIC) if facts.legacy_public else (PUBLIC, PRIVATE)
    if len(labels) < 2 or facts.mixed_visibility == "accepted" or not any(each in labels for each in alone):
        reserved = [each for each in labels if each[:2] == PUBLIC[:2] and each.name not in _PACKAGES]
        wrong = [each for each in reserved if each not in alone]
        if facts.legacy_public or not wrong:
            return ""
        return f"Invalid visibility label '{wrong[0]}'; did you mean //visibility:public or //visibility:private?"
    old = "Public or private visibility labels (e.g. //visibility:public or //visibility:private)"
    named = old if facts.mixed_visibility == "private" else "//visibility:public and //visibility:private"
    return f"{named} cannot be used in combination with other labels"


def simplified(labels: Sequence[Label], facts: Facts) -> list[Label]:
    """What this Bazel keeps of a visibility."""
    if facts.mixed_visibility != "accepted":
        return list(labels)
    if PUBLIC in labels:
        return [PUBLIC]
    return [each for each in labels if each != PRIVATE] or [PRIVATE]


def and_package(labels: Sequence[Label], package: Label) -> list[Label]:
    """A visibility that lets one more package in (``concatWithElement``)."""
    if PUBLIC in labels:
        return [PUBLIC]
    named = [each for each in labels if each != PRIVATE]
    return named if package in named else [*named, package]
