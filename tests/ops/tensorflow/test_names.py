"""Names of generated functions, against what python_op_gen writes."""

import pytest

from bzlgraph.ops.tensorflow.python.api_defs import ApiDef, Visibility
from bzlgraph.ops.tensorflow.python.names import generated_name, generated_names, lower_case

HIDDEN = Visibility.HIDDEN


@pytest.mark.parametrize(
    ("op", "name"),
    [
        ("Conv2D", "conv2d"),
        ("TopKV2", "top_kv2"),
        ("IRFFT", "irfft"),
        ("BatchFFT2D", "batch_fft2d"),
        ("FusedBatchNormV3", "fused_batch_norm_v3"),
        ("_Arg", "__arg"),
        ("_XlaCompile", "__xla_compile"),
        ("Risc>Add", "risc_add"),
        ("A", "a"),
        ("", ""),
    ],
)
def test_lower_case(op: str, name: str) -> None:
    assert lower_case(op) == name


@pytest.mark.parametrize(
    ("op", "visibility", "name"),
    [
        ("Sum", HIDDEN, "_sum"),  # a builtin
        ("Print", HIDDEN, "_print"),  # a keyword of Python 2
        ("Round", HIDDEN, "round"),  # the one builtin that does not count
        ("ClipByValue", HIDDEN, "_clip_by_value"),  # a hand-written function
        ("Conv2D", HIDDEN, "conv2d"),
        ("Sum", Visibility.VISIBLE, "sum"),
        ("Print", Visibility.VISIBLE, ""),
        ("Conv2D", Visibility.SKIP, ""),
    ],
)
def test_visibility_decides_about_the_underscore(op: str, visibility: Visibility, name: str) -> None:
    assert generated_name(op, ApiDef(op, visibility)) == name


def test_an_op_that_the_target_hides() -> None:
    assert generated_name("Conv2D", None, hidden_elsewhere=True) == "_conv2d"


def test_of_two_ops_with_one_name_the_public_one_comes_first() -> None:
    names = generated_names(
        ["_If", "If", "Gone"], {"If": ApiDef("If", HIDDEN), "Gone": ApiDef("Gone", Visibility.SKIP)}
    )
    assert names.by_name == {"_if": ("If",), "__if": ("_If",)}
    twins = generated_names(["Send", "_Send"], {"Send": ApiDef("Send"), "_Send": ApiDef("_Send")}, frozenset(["Send"]))
    assert twins.by_name["_send"] == ("Send",)
    assert (twins.op("_send"), twins.op("nothing")) == ("Send", "")
