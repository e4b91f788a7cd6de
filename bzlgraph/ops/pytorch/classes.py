"""Which C++ functions of PyTorch a name means by where they are defined: in a class or its base, a namespace, a file.

``Definition`` values of one name -> those that are meant. A class and its base are told by their names:
``TensorIterator`` and ``TensorIteratorBase``.
"""

from __future__ import annotations

from collections.abc import Sequence

from bzlgraph.ops.pytorch.cpp_facts import Definition


def class_of(definition: Definition) -> str:
    """The class that a function is a member of, as far as its name is one; "" for none."""
    last = definition.namespace.rpartition("::")[2]
    return last if last[:1].isupper() else ""


def stem(name: str) -> str:
    return name.removesuffix("Base").removesuffix("Config")


def is_sibling(function: Definition, base: str) -> bool:
    """Whether a function's class is another one from a base: ``TensorIterator`` from ``TensorIteratorBase``."""
    name = class_of(function)
    return name != base.rpartition("::")[2] and stem(name) == stem(base.rpartition("::")[2])


def within(definition: Definition, qualifier: str) -> bool:
    """Whether a function is in a namespace, or a member of a class or its base."""
    wanted, have = qualifier.removeprefix("::").split("::"), definition.namespace.split("::")
    if wanted[-1][:1].isupper():
        return stem(have[-1]) == stem(wanted[-1])
    return [part for part in have if part][-len(wanted) :] == wanted


def nearest(listed: Sequence[Definition], inside: Definition, base: str) -> list[Definition]:
    """What an unqualified name means: members of the class or its base, functions of the file, of its namespaces."""
    own = class_of(inside) or base.rpartition("::")[2]
    members = [each for each in listed if own and stem(class_of(each)) == stem(own)]
    members = members or [each for each in listed if class_of(each) == each.key]  # constructors
    if members:
        return members
    free = [each for each in listed if not class_of(each)]
    same = [each for each in free if each.path == inside.path]
    around = inside.namespace
    return same or [each for each in free if each.namespace == around or around.startswith(f"{each.namespace}::")]
