"""Text protos as ApiDefs are written."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bzlgraph.ops.tensorflow.python.text_proto import MAX_DEPTH, TextProtoError, read_text_proto

FILE = b"""# a comment with { braces
op {
  graph_op_name: "A"
  endpoint { name: 'one' deprecated: true }
  endpoint < name: "two" ; deprecation_version: 2 >
  description: <<END
}}} not a field: "x
  END of a line that is no end
END
  in_arg: [ { name: "a" }, { name: "b" } ]
  visibility: HIDDEN
}
"""


def test_fields_of_all_forms() -> None:
    (op,) = read_text_proto(FILE).messages("op")
    assert (op.word("graph_op_name"), op.word("visibility")) == ("A", "HIDDEN")
    assert [(each.word("name"), each.number("deprecation_version")) for each in op.messages("endpoint")] == [
        ("one", 0),
        ("two", 2),
    ]
    assert [each.word("name") for each in op.messages("in_arg")] == ["a", "b"]


@pytest.mark.parametrize(
    "text", [b"op {", b"op: }", b"op { name }", b"{", b"op { name: \x01 }", b"a {" * (MAX_DEPTH + 9)]
)
def test_what_is_no_text_proto_says_so(text: bytes) -> None:
    with pytest.raises(TextProtoError):
        read_text_proto(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(TextProtoError):
        read_text_proto(data)
