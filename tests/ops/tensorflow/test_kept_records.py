"""Records that are kept as plain values."""

import marshal

from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.ops.tensorflow.cpp.kept_records import Kept, KeptComputes, plain_of, record_of
from bzlgraph.ops.tensorflow.cpp.model import ComputeDefinition, KernelRecord, OpRecord, Place

TEXTS = st.text(max_size=5)
PLACES = st.builds(Place, TEXTS, st.integers(0, 1000))
KERNELS = st.builds(
    KernelRecord,
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=2).map(tuple)), max_size=2).map(tuple),
    PLACES,
    defined=st.none() | PLACES,
)


@given(st.lists(KERNELS, max_size=4).map(tuple))
def test_what_is_kept_is_what_was_given(kernels: tuple[KernelRecord, ...]) -> None:
    kept: Kept[KernelRecord] = Kept(marshal.loads(marshal.dumps(plain_of(kernels))))
    assert kept == kernels
    assert kept[1:] == kernels[1:]
    by_op = kept.by_op()
    assert {op: by_op[op] for op in by_op} == {
        op: [each for each in kernels if each.op == op] for op in {each.op for each in kernels}
    }


def test_records_inside_records() -> None:
    found = OpRecord("Add", Place("a.cc", 1), shape_place=Place("b.h", 2))
    assert record_of(plain_of(found)) == found
    method = ComputeDefinition("AddOp", "Compute", "Base", Place("b.h", 3), ("Base",))
    computes = KeptComputes({("AddOp", "a.cc"): plain_of(method)})
    assert dict(computes) == {("AddOp", "a.cc"): method}
    assert computes.get(("AddOp", "b.cc")) is None
