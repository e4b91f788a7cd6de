"""The answer for people: one line for each op first, then the evidence; classes that a macro makes stand together."""

from __future__ import annotations

from dataclasses import replace

from bzlgraph.base.span import Location
from bzlgraph.export.op_formats.text import answer_text
from bzlgraph.ops.model import KernelRegistration, Work
from bzlgraph.ops.tracer import Answer, OpTrace

KERNEL = KernelRegistration(
    "Add",
    "CPU",
    "AddOp<float>",
    Location("k/add.cc", 9, 0),
    compute=Location("k/add.cc", 3, 0),
    compute_class="AddOp",
    targets=("//k:add",),
)
SUM = Work("functor::Sum", Location("k/sum.h", 2, 0), functor=True)


def lines(*kernels: KernelRegistration, everything: bool = False) -> list[str]:
    return answer_text(Answer("Add", "tensorflow", stories=(OpTrace("Add", kernels=kernels),)), everything).splitlines()


def test_the_first_line_says_where_the_op_is_computed() -> None:
    assert lines(KERNEL)[0] == "CPU: k/add.cc:3 (AddOp::Compute) in //k:add"
    assert lines(replace(KERNEL, compute_method="Compile"))[0] == "CPU: k/add.cc:3 (AddOp::Compile) in //k:add"
    works = tuple(Work(f"functor::F{number}", None, functor=True) for number in range(4))
    shown = lines(replace(KERNEL, work=(SUM, *works)))
    assert shown[0] == (
        "CPU: k/add.cc:3 (AddOp::Compute -> functor::Sum, functor::F0, functor::F1 and 2 more) in //k:add"
    )
    deep = lines(replace(KERNEL, work=(Work("AddOp::A"), Work("AddOp::B"), replace(SUM, depth=2))))
    assert deep[0] == "CPU: k/add.cc:3 (AddOp::Compute -> AddOp::A, AddOp::B -> functor::Sum) in //k:add"
    assert "functor::Sum at k/sum.h:2, functor::F0 (not in this tree)" in shown[3]
    assert "functor::F3" in lines(replace(KERNEL, work=(SUM, *works)), everything=True)[3]


def test_a_target_that_has_the_file_only_on_request_is_told_with_its_condition() -> None:
    """As ``portable_tensorflow_kernels`` where the macro that makes the usual target is not known."""
    mobile, usual = (replace(KERNEL, build_condition=each) for each in ("//k:mobile", "//k:x or //conditions:default"))
    assert lines(mobile)[0] == "CPU: k/add.cc:3 (AddOp::Compute) in //k:add  when //k:mobile"
    assert lines(usual)[0] == "CPU: k/add.cc:3 (AddOp::Compute) in //k:add"


def test_where_a_base_computes_the_place_is_that_of_the_kernels_own_method() -> None:
    made = Work("AddOp::Make", Location("k/add.cc", 7, 0))
    kernel = replace(KERNEL, compute=Location("base.h", 1, 0), compute_class="Base", work=(made,))
    assert lines(kernel)[0] == "CPU: k/add.cc:7 (Base::Compute -> AddOp::Make) in //k:add"
    beside = replace(kernel, compute=Location("k/add.cc", 1, 0))
    assert lines(beside)[0] == "CPU: k/add.cc:1 (Base::Compute -> AddOp::Make) in //k:add"
    assert lines(replace(kernel, compute=None, compute_class=""))[0].startswith(" op Add")


def test_several_ops_have_a_line_each() -> None:
    stories = (OpTrace("Add", kernels=(KERNEL,)), OpTrace("Sub", kernels=(replace(KERNEL, op="Sub"),)))
    text = answer_text(Answer("f", "tensorflow", stories=stories)).splitlines()
    assert [line.partition(":")[0] for line in text[:2]] == ["Add on CPU", "Sub on CPU"]


def test_classes_that_a_macro_makes_for_types_stand_together() -> None:
    made = [
        replace(KERNEL, kernel_class=f"MadeAdd{each}Op", compute_class="Base", through=("MAKE",))
        for each in ("Float", "Half", "Double")
    ]
    assert [line.split("  ")[1] for line in lines(*made) if line.startswith(" kernel")] == ["MadeAdd..."]
    plain = [replace(each, compute_class=each.kernel_class) for each in made]
    assert len([line for line in lines(*plain) if line.startswith(" kernel")]) == 3


def test_where_only_some_types_go_on_is_said_of_them() -> None:
    deep, slow = (
        Work("Deep::Run", Location("k/deep.h", 4, 0), functor=True),
        Work("functor::Sum", Location("k/slow.h", 8, 0), functor=True),
    )
    types = {name: (f"T: {name}",) for name in ("float", "half", "double", "int32")}
    made = {name: replace(KERNEL, constraints=each, work=(SUM,)) for name, each in types.items()}
    made["float"] = replace(made["float"], work=(SUM, deep))
    made["int32"] = replace(made["int32"], work=(slow,))
    shown = lines(*made.values())
    assert shown[0] == "CPU: k/add.cc:3 (AddOp::Compute -> functor::Sum, Deep::Run (T: float)) in //k:add"
    where = "functor::Sum at k/sum.h:2 (not T: int32), Deep::Run at k/deep.h:4 (T: float), functor::Sum at k/slow.h:8"
    assert shown[3].partition("  continues in")[2].strip() == f"{where} (T: int32)"
    alike = lines(replace(KERNEL, work=(SUM, deep)), replace(KERNEL, work=(SUM,)))
    assert alike[3].endswith("functor::Sum at k/sum.h:2, Deep::Run at k/deep.h:4 (for some types)")


def test_what_only_some_types_have_is_not_told_of_the_others() -> None:
    half = replace(KERNEL, constraints=("T: half",), device_files=("k/half.cu.cc",), through=("CALL_half",))
    double = replace(KERNEL, constraints=("T: double",), device_files=("k/double.cu.cc",), through=("CALL_double",))
    plain = replace(KERNEL, constraints=("T: int32",))
    (line,) = (each for each in lines(half, double, plain) if each.startswith(" kernel"))
    assert "  through CALL_half (T: half) and 1 more  " in line
    assert line.endswith("  device code k/half.cu.cc (T: half), k/double.cu.cc (T: double)")
    (line,) = (each for each in lines(half, replace(half, constraints=("T: bool",))) if each.startswith(" kernel"))
    assert "  through CALL_half  " in line
    assert line.endswith("  device code k/half.cu.cc")
