"""``op --supported-by xla``: the ops that XLA compiles, with their types, as ``tf2xla_supported_ops`` prints them.

An op is compiled when sources register it with ``REGISTER_XLA_OP``; its types are the constraints of that registration.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.ops.tracer import Tracer

COLUMNS = ("op", "types", "device", "kernel_class", "file", "target", "condition")
XLA = "XLA"


def supported_rows(tracer: Tracer) -> Iterator[tuple[str, ...]]:
    """One row for each registration for an XLA device."""
    for story in tracer.ops():
        for kernel in story.kernels:
            if kernel.device.upper().startswith(XLA):
                where = f"{kernel.location.path}:{kernel.location.line}"
                targets = " ".join(kernel.targets)
                types = "; ".join(kernel.constraints)
                yield story.op, types, kernel.device, kernel.kernel_class, where, targets, kernel.when
