"""``op --supported-by xla``: the ops that XLA compiles, with their types, as ``tf2xla_supported_ops`` prints them.

An op is compiled when sources register it with ``REGISTER_XLA_OP``, for each backend that it has types of.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.ops.tracer import Tracer

COLUMNS = ("op", "types", "device", "kernel_class", "file", "target", "condition")


def supported_rows(tracer: Tracer) -> Iterator[tuple[str, ...]]:
    """One row for each op, kernel and device."""
    for each in tracer.supported():
        kernel = each.kernel
        where = f"{kernel.location.path}:{kernel.location.line}"
        types = "; ".join(f"{attribute}={{{','.join(listed)}}}" for attribute, listed in each.types)
        yield kernel.op, types, each.device, kernel.kernel_class, where, " ".join(kernel.targets), kernel.when
