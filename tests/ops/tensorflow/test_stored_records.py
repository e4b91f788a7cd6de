"""Records in their plain form: what is made of them again is what they were."""

import marshal

from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.base.codec import Codec
from bzlgraph.base.span import Location
from bzlgraph.ops.tensorflow.cpp.model import ComputeDefinition, KernelRecord
from bzlgraph.ops.tensorflow.cpp.stored_records import StoredMapping, StoredRecords

TEXTS = st.text(max_size=5)
PLACES = st.builds(Location, TEXTS, st.integers(0, 1000), st.just(0))
KERNELS = st.builds(
    KernelRecord,
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=2).map(tuple)), max_size=2).map(tuple),
    PLACES,
)
CODEC = Codec(KernelRecord)


@given(st.lists(KERNELS, max_size=4).map(tuple))
def test_what_is_stored_is_what_was_given(kernels: tuple[KernelRecord, ...]) -> None:
    stored = StoredRecords(marshal.loads(marshal.dumps([CODEC.encode(each) for each in kernels])), CODEC)
    assert stored == kernels
    assert stored[1:] == kernels[1:]
    by_op = stored.by_op()
    assert {op: list(by_op[op]) for op in by_op} == {
        op: [each for each in kernels if each.op == op] for op in {each.op for each in kernels}
    }


def test_records_by_key() -> None:
    codec = Codec(ComputeDefinition)
    method = ComputeDefinition("AddOp", "Compute", "Base", Location("b.h", 3, 0), ("Base",))
    computes = StoredMapping({("AddOp", "a.cc"): codec.encode(method)}, codec)
    assert dict(computes) == {("AddOp", "a.cc"): method}
    assert computes.get(("AddOp", "b.cc")) is None
