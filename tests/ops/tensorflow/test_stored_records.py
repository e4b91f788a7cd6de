"""Records in their plain form: what is made of them again is what they were."""

import marshal

from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.base.codec import Codec
from bzlgraph.base.span import Location
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tensorflow.cpp.stored_records import StoredRecords

TEXTS = st.text(max_size=5)
PLACES = st.builds(Location, TEXTS, st.integers(0, 1000), st.just(0))
KERNELS = st.builds(
    KernelRegistration,
    TEXTS,
    TEXTS,
    TEXTS,
    PLACES,
    constraints=st.lists(TEXTS, max_size=2).map(tuple),
)
CODEC = Codec(KernelRegistration)


@given(st.lists(KERNELS, max_size=4).map(tuple))
def test_what_is_stored_is_what_was_given(kernels: tuple[KernelRegistration, ...]) -> None:
    stored = StoredRecords(marshal.loads(marshal.dumps([CODEC.encode(each) for each in kernels])), CODEC)
    assert stored == kernels
    assert all(each in stored for each in kernels)
    by_op = stored.by_op()
    assert {op: list(by_op[op]) for op in by_op} == {
        op: [each for each in kernels if each.op == op] for op in {each.op for each in kernels}
    }
