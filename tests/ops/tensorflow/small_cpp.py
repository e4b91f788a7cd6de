"""A C++ file of a small TensorFlow tree, with the macros of types that it may call, and what it registers."""

from __future__ import annotations

from bzlgraph.ops.tensorflow.cpp.records import CppRecords, read_records
from bzlgraph.workspace.sources.source import MemorySource

TYPES = """
#ifndef REGISTER_TYPES_H_
#define REGISTER_TYPES_H_
#if !defined(IS_MOBILE_PLATFORM)
#define TF_CALL_float(m) m(float)
#define TF_CALL_half(m) m(Eigen::half)
#elif defined(__ANDROID_TYPES_FULL__)
#define TF_CALL_float(m) m(float)
#define TF_CALL_half(m)
#endif
#define TF_CALL_FLOATS(m) TF_CALL_half(m) TF_CALL_float(m)
#define REGISTER2(NAME, D, C, T0, T1) REGISTER1(NAME, D, C, T0) REGISTER1(NAME, D, C, T1)
#define REGISTER1(NAME, D, C, T) \\
  REGISTER_KERNEL_BUILDER(Name(NAME).Device(DEVICE_##D).TypeConstraint<T>("T"), C<D##Device, T>)
#endif
"""


def records(text: str, **more: str) -> CppRecords:
    """What ``core/a.cc`` registers beside other files of its folder: ``b_dot_h="..."``."""
    files = {"core/a.cc": text, "core/types.h": TYPES}
    files |= {f"core/{name.replace('_dot_', '.')}": each for name, each in more.items()}
    source = MemorySource({path: each.encode() for path, each in files.items()})
    return read_records(source, source.entries, None, jobs=1)
