"""ApiDefs: what a later file overrides, and the defaults."""

from bzlgraph.ops.tensorflow.python.api_defs import Endpoint, Visibility, merge_api_defs

BASE = [
    ("base/A", b'op { graph_op_name: "A" in_arg { name: "x" rename_to: "input" } }'),
    ("base/B", b'op { graph_op_name: "B" endpoint { name: "B" } endpoint { name: "OtherB" } visibility: SKIP }'),
    ("base/bad", b"op {"),
]
PYTHON = [
    ("python/A", b'op { graph_op_name: "A" visibility: HIDDEN attr { name: "N" rename_to: "num" } }'),
    ("python/B", b'op { graph_op_name: "B" endpoint { name: "only.b" deprecated: true } }'),
]


def test_later_files_override_what_they_say() -> None:
    made = merge_api_defs([BASE, PYTHON])
    a, b = made.by_op["A"], made.by_op["B"]
    assert (a.visibility, a.endpoints) == (Visibility.HIDDEN, (Endpoint("A"),))
    assert (b.visibility, b.endpoints) == (Visibility.SKIP, (Endpoint("only.b", True),))
    assert (a.path, b.path) == ("python/A", "python/B")


def test_a_broken_file_is_named_and_the_others_stay() -> None:
    made = merge_api_defs([BASE])
    assert [path for path, _ in made.broken] == ["base/bad"]
    assert sorted(made.by_op) == ["A", "B"]
    assert made.by_op["A"].visibility is Visibility.VISIBLE
    assert made.by_op["B"].path == "base/B"
