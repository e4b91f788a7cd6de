"""What tracers keep between runs: every declared field of every class comes back."""

from __future__ import annotations

import marshal
from typing import Any

import pytest

from bzlgraph.base.codec import Codec
from bzlgraph.ops.jax.ffi.model import CustomCalls
from bzlgraph.ops.jax.index import Primitives, PrimitiveSummary
from bzlgraph.ops.model import GradientRegistration, KernelRegistration, OpRegistration
from bzlgraph.ops.python.summary import Module
from bzlgraph.ops.python.tree import Search
from bzlgraph.ops.pytorch.stored_kernels import KernelReading
from bzlgraph.ops.tensorflow.python.api_defs import ApiDefs
from tests.every_field import fields_of, sample

STORED = (
    Module,
    Search,
    ApiDefs,
    KernelReading,
    PrimitiveSummary,
    Primitives,
    CustomCalls,
    OpRegistration,
    KernelRegistration,
    GradientRegistration,
)


@pytest.mark.parametrize("kind", STORED)
def test_every_declared_field_comes_back(kind: type[Any]) -> None:
    value, codec = sample(kind), Codec(kind)
    assert fields_of(codec.decode(marshal.loads(marshal.dumps(codec.encode(value))))) == fields_of(value)
