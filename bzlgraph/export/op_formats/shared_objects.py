"""The shared object that carries a target into a package: where the way there links.

A path leads from what people install to a target. The last shared object on it holds the target's code: below it there
are libraries only, which it links. Other paths may lead through other shared objects; the path is the shortest.
"""

from __future__ import annotations

import re

from bzlgraph.why.answer import WhyAnswer

_ENDING = re.compile(r"\.(?:so|pyd|dll|dylib)(?:\.\d+)*$")
"""How names of shared objects end, versions (``libtensorflow_framework.so.2``) too."""


def is_shared_object(name: str) -> bool:
    """Whether a target's name is that of a shared object.

    >>> is_shared_object("libtensorflow_cc.so.2.12.0"), is_shared_object("_ops.pyd"), is_shared_object("so")
    (True, True, False)
    """
    return _ENDING.search(name) is not None


def shared_object(answer: WhyAnswer) -> str | None:
    """The label of the last shared object on the way to a target; None when there is no way, and none on it."""
    if answer.no_way is not None:
        return None
    labels = [step.node.label for step in answer.steps]
    return next((str(label) for label in reversed(labels) if is_shared_object(label.name)), None)
