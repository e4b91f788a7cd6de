"""The one schema of nodes and edges: every other module of graph/ and above speaks these names and no string keys.

A node is a target (or a label that no target answers to); an edge says "this target names that label", and why.

>>> Node(0, Label("", "a", "b.cc"), NodeKind.SOURCE).kind_words
'source file'
>>> Node(1, Label("", "a", "b"), NodeKind.RULE, "cc_library").kind_words
'cc_library rule'
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

from bzlgraph.base.record import Record
from bzlgraph.base.resolved_label import Label
from bzlgraph.base.span import Frame, Location
from bzlgraph.bazel.condition import DEFAULT_CONDITION as DEFAULT_CONDITION
from bzlgraph.bazel.condition import EdgeCondition as EdgeCondition
from bzlgraph.bazel.condition import Term as Term
from bzlgraph.bazel.condition import always_holds as always_holds
from bzlgraph.bazel.condition import condition_text as condition_text


class NodeKind(IntEnum):
    """What stands behind a label. The first five are Bazel's kinds of targets."""

    RULE = 0
    SOURCE = 1
    GENERATED = 2
    GROUP = 3
    ENVIRONMENTS = 4  # an environment group
    MISSING = 5  # its package was loaded and has no such target (Bazel: an error)
    UNLOADED = 6  # its package or repository is not on disk, or a gap in the package may hide it
    PENDING = 7  # its package has not been asked for yet


KIND_WORDS = {
    NodeKind.SOURCE: "source file",
    NodeKind.GENERATED: "generated file",
    NodeKind.GROUP: "package group",
    NodeKind.ENVIRONMENTS: "environment group",
    NodeKind.MISSING: "missing target",
    NodeKind.UNLOADED: "unloaded target",
    NodeKind.PENDING: "unloaded target",
}


class EdgeFlag(IntFlag):
    """What is special about an edge; 0 is a dependency written in a BUILD file or macro, in every configuration."""

    IMPLICIT = 1  # not set on the target: the attribute's default (private attributes, toolchains of native rules)
    TOOL = 2  # built for the machine that builds (host/exec configuration)
    NODEP = 4  # an attribute that names a label without depending on it: a visibility written on a rule
    POSSIBLE = 8  # only if a call that could not be evaluated adds it
    KEY = 16  # to the condition of a select(), not to a value
    VISIBILITY = 32  # to a package_group in a visibility
    OUTPUT = 64  # from a generated file to the rule that makes it
    TOOLCHAIN = 128  # to a toolchain that was resolved for a configuration, or to its type
    ASPECT = 256  # an attribute of an aspect that the target applies to others


class EdgeSpec(Record):
    """An edge as read from a target, before labels become node numbers. ``attribute`` is "" for OUTPUT edges."""

    attribute: str
    target: Label
    condition: EdgeCondition = ()
    flags: int = 0


class Node(Record):
    """A node, looked up: what a reader wants to know of it."""

    id: int
    label: Label
    kind: NodeKind
    rule_class: str = ""
    location: Location | None = None
    made_by: str = ""  # the outermost macro
    stack: tuple[Frame, ...] = ()  # innermost call first, the BUILD file last

    @property
    def kind_words(self) -> str:
        """``cc_library rule``, ``source file``..."""
        return f"{self.rule_class} rule" if self.kind is NodeKind.RULE else KIND_WORDS[self.kind]


class Making(Record):
    """How a rule is made: its class, the file that defines this, and the innermost call of the macros that make the
    rule, if any does."""

    rule_class: str
    bzl: Label | None
    call: Frame | None


class Edge(Record):
    """An edge, looked up. ``id`` numbers it in its graph."""

    id: int
    source: int
    target: int
    attribute: str
    condition: EdgeCondition
    flags: EdgeFlag

    @property
    def when(self) -> str:
        """The condition in words, "" for always."""
        return condition_text(self.condition)
