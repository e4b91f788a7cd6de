"""Packages survive the way to bytes and back."""

from dataclasses import is_dataclass

import pytest
from hypothesis import given

from bzlgraph.base.diagnostic import Diagnostic, Note
from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Frame, Location, Position, Span
from bzlgraph.bazel import model
from bzlgraph.bazel.model import (
    Aspect,
    Attribute,
    AttrType,
    EnvironmentGroup,
    Generator,
    OutputFile,
    Package,
    PackageGroup,
    Rule,
    RuleClass,
    Selector,
    SelectorList,
    SourceFile,
)
from bzlgraph.loading.codec import Decoder, Encoder
from tests.every_field import classes_in, fields_of, sample
from tests.loading.attribute_values import attribute_values

HERE = Location("a/BUILD", 3, 1)
NATIVE = RuleClass("cc_library", {"deps": Attribute("deps", AttrType.LABEL_LIST, [])})
INNER = Aspect("inner", {"$tool": Attribute("$tool", AttrType.LABEL, Label("", "t", "t"), tool=True)}, ("*",))
ASPECT = Aspect("outer", {}, ("deps",), (INNER,), Label("", "a", "a.bzl"))
STARLARK = RuleClass(
    "_py_wrap_cc",
    {
        "$swig": Attribute("$swig", AttrType.LABEL, Label("swig", "", "swig"), implicit=True, location=HERE),
        "deps": Attribute("deps", AttrType.LABEL_LIST, [], sorted=True, aspects=(ASPECT,)),
    },
    Label("", "tensorflow", "tensorflow.bzl"),
)


def package(value: object) -> Package:
    stack = (Frame("macro", Location("a.bzl", 9, 5)), Frame("<toplevel>", HERE))
    targets = [
        Rule(
            Label("", "a", "x"), NATIVE, {"deps": value}, stack, (Label("", "a", "o"),), Generator("x", "macro", HERE)
        ),
        Rule(Label("", "a", "y"), STARLARK, {}, stack[1:], visibility=("//visibility:public", Label("", "b", "g"))),
        SourceFile(Label("", "a", "s"), HERE, ()),
        OutputFile(Label("", "a", "o"), Label("", "a", "x"), HERE, "outs"),
        PackageGroup(Label("", "a", "g"), ("//...", "-//b"), (Label("", "b", "g"),), HERE),
        EnvironmentGroup(Label("", "a", "e"), (Label("", "a", "x"), Label("", "a", "y")), (Label("", "a", "x"),), HERE),
    ]
    problem = Diagnostic("m", HERE, Span(Position(1, 2), Position(3, 4)), "src", "hint", (Note("n", HERE),), stack)
    return Package(
        "",
        "a",
        Label("", "a", "BUILD"),
        {target.label.name: target for target in targets},
        ("//visibility:private",),
        {"testonly": True},
        (Label("", "a", "x.bzl"),),
        [problem],
        [Gap("load", "w", "h", HERE)],
        True,
    )


@given(attribute_values)
def test_a_package_comes_back_equal(value):
    made = package(value)
    assert fields_of(Decoder().package(Encoder().encode(made))) == fields_of(made)


def test_rule_classes_are_one_object_again():
    encoder, decoder = Encoder(), Decoder()
    first = decoder.package(encoder.encode(package([])))
    second = decoder.package(encoder.encode(package(None)))
    assert first.targets["x"].rule_class is second.targets["x"].rule_class


def test_every_declared_field_comes_back():
    made = sample(Package)
    made.defaults = {"copts": SelectorList(("plain", sample(Selector)))}
    kinds = (each for each in vars(model).values() if isinstance(each, type))
    records = {each for each in kinds if is_dataclass(each) or hasattr(each, "_fields")}
    assert classes_in(made) >= records, "a class of the model that the sample does not hold"
    assert fields_of(Decoder().package(Encoder().encode(made))) == fields_of(made)


def test_a_value_that_is_no_data_is_refused():
    with pytest.raises(TypeError, match="no plain form"):
        Encoder().encode(package(lambda: 1))
