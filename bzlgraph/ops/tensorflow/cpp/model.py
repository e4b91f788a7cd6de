"""What C++ says about operations: plain frozen records, each with the place that says so.

``through`` names the macros between the line that is shown and the registration, outer first. ``condition`` is what
the preprocessor asks for (``GOOGLE_CUDA``), "" when nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from bzlgraph.base.span import Location


@dataclass(frozen=True, slots=True)
class KernelRecord:
    """One implementation of an operation on a device, for some types of its attributes."""

    op: str
    device: str
    kernel_class: str
    """With its template arguments, as the registration spells it; spaces as C++ programmers put them."""
    constraints: tuple[tuple[str, tuple[str, ...]], ...]
    """(attribute, types) of each ``TypeConstraint``."""
    location: Location
    through: tuple[str, ...] = ()
    condition: str = ""
    form: str = "kernel"
    """``kernel``, ``xla`` (``REGISTER_XLA_OP``), ``C API``."""
    label: str = ""
    function: str = ""
    """Of the C API: the function that computes."""
    device_files: tuple[str, ...] = ()
    """The ``.cu.cc`` files with the functors of a GPU kernel."""
    allows: tuple[str, ...] = ()
    """Of XLA: the types that ``AllowResourceTypes()`` and its kin name."""


@dataclass(frozen=True, slots=True, order=True)
class GradientRecord:
    """``REGISTER_GRADIENT_OP("op", function)`` and its kin; function "" says that there is no gradient."""

    op: str
    function: str
    kind: str
    location: Location
    through: tuple[str, ...] = ()
    condition: str = ""


@dataclass(frozen=True, slots=True, order=True)
class ComputeDefinition:
    """The function that runs when a kernel does: ``owner`` is the class that defines it, ``bases`` the way there."""

    kernel_class: str
    method: str
    owner: str
    location: Location
    bases: tuple[str, ...] = ()
