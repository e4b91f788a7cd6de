"""What the tracer asks of the C++ half of a TensorFlow tree."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from bzlgraph.base.gap import Gap
from bzlgraph.ops.model import GradientRegistration, KernelRegistration, OpRegistration


class CppSide(Protocol):
    """Registrations in C++, by op and from any end."""

    def ops(self) -> Collection[str]:
        """Every registered op."""

    def registrations(self, op: str) -> tuple[OpRegistration, ...]:
        """Where an op is registered."""

    def kernels(self, op: str) -> tuple[KernelRegistration, ...]:
        """Its kernels, those that compute before those that only pass on."""

    def gradients(self, op: str) -> tuple[GradientRegistration, ...]:
        """Its gradients in C++."""

    def ops_in(self, file: str) -> tuple[str, ...]:
        """The ops that a file registers, or has kernels of."""

    def ops_of_class(self, name: str) -> tuple[str, ...]:
        """The ops that a kernel class computes."""

    def ops_of_target(self, label: str) -> tuple[str, ...]:
        """The ops whose files a target builds."""

    def gaps(self) -> tuple[Gap, ...]:
        """What could not be read so far."""


class NoCpp:
    """A tree whose C++ is not read: nothing is known."""

    def ops(self) -> Collection[str]:
        """None."""
        return ()

    def registrations(self, op: str) -> tuple[OpRegistration, ...]:
        """None."""
        return ()

    def kernels(self, op: str) -> tuple[KernelRegistration, ...]:
        """None."""
        return ()

    def gradients(self, op: str) -> tuple[GradientRegistration, ...]:
        """None."""
        return ()

    def ops_in(self, file: str) -> tuple[str, ...]:
        """None."""
        return ()

    def ops_of_class(self, name: str) -> tuple[str, ...]:
        """None."""
        return ()

    def ops_of_target(self, label: str) -> tuple[str, ...]:
        """None."""
        return ()

    def gaps(self) -> tuple[Gap, ...]:
        """None."""
        return ()
