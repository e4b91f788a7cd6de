"""rule(): classes, names, implicit attributes, private and computed defaults, outputs, parents and initializers."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule, SelectorList
from tests.bazel.memory_workspace import package, problems, rule

RULES = """
--- lib/BUILD
--- lib/defs.bzl
def _impl(ctx):
    pass

_helper = rule(implementation = _impl, attrs = {"_tool": attr.label(default = ":tool", cfg = "host")})
my_rule = rule(
    implementation = _impl,
    attrs = {
        "srcs": attr.label_list(allow_files = True, mandatory = True),
        "out": attr.output(),
        "mode": attr.string(default = "fast", values = ["fast", "slow"]),
        "dep": attr.label(default = Label("//other:dep")),
        "_late": attr.label(default = configuration_field(fragment = "cpp", name = "cc_toolchain")),
    },
    outputs = {"log": "%{name}.log"},
)
def macro(name):
    _helper(name = name)
"""


def test_named_by_the_global() -> None:
    made = package(RULES + '--- p/BUILD\nload("//lib:defs.bzl", "macro")\nmacro("x")\n', "p")
    x = rule(made, "x")
    assert x.rule_class.name == "_helper"
    assert x.rule_class.bzl == Label("", "lib", "defs.bzl")
    assert x.get("$tool") == Label("", "lib", "tool")
    assert x.rule_class.attributes["$tool"].implicit
    assert x.rule_class.attributes["$tool"].tool


@pytest.mark.parametrize(
    ("version", "field", "label"),
    [
        ("4.2.3", "cpp.cc_toolchain", Label("bazel_tools", "tools/cpp", "crosstool")),
        ("7.7.1", "cpp.cc_toolchain", Label("bazel_tools", "tools/cpp", "toolchain")),
        ("7.7.1", "proto.proto_compiler", Label("bazel_tools", "tools/proto", "protoc")),
        ("7.7.1", "proto.proto_toolchain_for_java", Label("bazel_tools", "tools/proto", "java_toolchain")),
        ("7.7.1", "proto.proto_toolchain_for_cc", Label("bazel_tools", "tools/proto", "cc_toolchain")),
        ("7.7.1", "coverage.output_generator", None),
    ],
)
def test_what_a_configuration_field_starts_as(version: str, field: str, label: Label | None) -> None:
    """As `query --output=xml` of these Bazels has it; 0.19.1 and 2.1.0 answer as 4.2.3."""
    fragment, _, name = field.partition(".")
    text = "--- lib/BUILD\n--- lib/defs.bzl\ndef _impl(ctx):\n    pass\n\nmine = rule(_impl, attrs = {"
    text += f'"_x": attr.label(default = configuration_field(fragment = "{fragment}", name = "{name}"))}})\n'
    made = package(text + '--- p/BUILD\nload("//lib:defs.bzl", "mine")\nmine(name = "x")\n', "p", version)
    assert rule(made, "x").get(":x") == label


def test_values_defaults_and_outputs() -> None:
    text = 'load("//lib:defs.bzl", "my_rule")\nmy_rule(name = "x", srcs = ["a.c", ":b"], out = "x.out", mode = None)\n'
    made = package(RULES + f"--- p/BUILD\n{text}", "p")
    x = rule(made, "x")
    assert x.get("srcs") == [Label("", "p", "a.c"), Label("", "p", "b")]
    assert x.get("dep") == Label("", "other", "dep")
    assert x.get("mode") == "fast"
    assert x.get(":late") == Label("bazel_tools", "tools/cpp", "crosstool")
    assert {label.name for label in x.outputs} == {"x.log", "x.out"}
    assert set(made.targets) == {"BUILD", "a.c", "b", "x", "x.log", "x.out"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('my_rule(name = "x")', "//p:x: missing value for mandatory attribute 'srcs' in 'my_rule' rule"),
        ('my_rule(name = "x", srcs = [], foo = 1)', "//p:x: no such attribute 'foo' in 'my_rule' rule"),
        (
            'my_rule(name = "x", srcs = [], mode = "x")',
            "//p:x: invalid value in 'mode' attribute: has to be one of 'fast', 'slow' instead of 'x'",
        ),
        ('my_rule("x")', "Unexpected positional arguments"),
        ('my_rule(name = "x", srcs = [], _late = ":x")', "//p:x: no such attribute '_late' in 'my_rule' rule"),
    ],
)
def test_wrong_calls(call: str, message: str) -> None:
    made = package(RULES + f'--- p/BUILD\nload("//lib:defs.bzl", "my_rule")\n{call}\n', "p")
    assert problems(made) == [message]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("../x", "target names may not contain up-level references '..'"),
        ("//a:x", "target names may not start with '/'"),
        (":x", "target names may not contain ':'"),
        ("x/", "target names may not end with '/'"),
    ],
)
def test_outputs_that_templates_name_badly(name: str, fault: str) -> None:
    text = "--- BUILD\nload(':a.bzl', 'r')\nr(name = 'x')\n--- a.bzl\n"
    text += f"r = rule(lambda ctx: None, outputs = {{'a': '{name}', 'b': '%{{name}}.b'}})\n"
    made = package(text)
    words = f"illegal output file name '{name}' in rule //:x due to: invalid target name '{name}': {fault}"
    assert problems(made) == [words]
    assert set(made.targets) == {"BUILD", "x", "x.b"}


@pytest.mark.parametrize("name", ["", "1a", "a-b", "$a", "é"])
def test_names_of_attributes_are_identifiers(name: str) -> None:
    made = package(
        f"--- BUILD\nload(':a.bzl', 'r')\n--- a.bzl\nr = rule(lambda ctx: None, attrs = {{'{name}': attr.int()}})\n"
    )
    assert problems(made) == [f"attribute name `{name}` is not a valid identifier."]


@pytest.mark.parametrize(
    ("call", "restricted"),
    [
        ('rule(f, attrs = {"a-b": attr.int()})', True),
        ('aspect(f, attrs = {"a-b": attr.string(values = ["x"])})', True),
        ('repository_rule(f, attrs = {"a-b": attr.int()})', False),
    ],
)
def test_names_of_attributes_were_anything(call: str, restricted: bool) -> None:
    """Bazel 0.28.1 to 7.7.1 were asked."""
    text = f'--- BUILD\nload(":a.bzl", "x")\n--- a.bzl\ndef f(*args):\n    pass\nr = {call}\nx = 1\n'
    words = ["attribute name `a-b` is not a valid identifier."]
    assert problems(package(text, version="0.29.0")) == []
    for version in ("1.0.0", "7.7.1"):
        assert problems(package(text, version=version)) == (words if restricted else [])


def test_not_exported() -> None:
    text = """
--- a.bzl
def _impl(ctx):
    pass
def macro(name):
    rule(implementation = _impl)(name = name)
holder = struct(r = rule(implementation = _impl))
--- BUILD
load("//:a.bzl", "macro", "holder")
holder.r(name = "y")
"""
    assert problems(package(text)) == ["Invalid rule class hasn't been exported by a bzl file"]


def test_test_rules_are_named_so() -> None:
    text = """
--- a.bzl
def _impl(ctx):
    pass
wrong = rule(implementation = _impl, test = True)
not_a_test = rule(implementation = _impl)
again = wrong
right_test = rule(implementation = _impl, test = True)
--- BUILD
load("//:a.bzl", "right_test", "wrong")
right_test(name = "r", size = "small", shard_count = 3, args = ["x"])
wrong(name = "w")
"""
    made = package(text)
    said = [(str(each.location), each.message.partition(",")[0]) for each in made.diagnostics]
    assert said == [
        ("a.bzl:3:13", "Invalid rule class name 'wrong'"),
        ("a.bzl:4:18", "Invalid rule class name 'not_a_test'"),
    ]
    r = made.targets["r"]
    assert isinstance(r, Rule)
    assert r.get("testonly") is True
    assert r.get("$test_runtime") == [Label("bazel_tools", "tools/test", "runtime")]


def test_a_rule_of_analysis_tests_is_a_test_rule() -> None:
    """Whatever ``test`` says: asked of 0.24.1, 2.1.0, 4.2.3 and 7.7.1. Seen in the plugin for IntelliJ."""
    text = """
--- a.bzl
def _impl(ctx):
    return [AnalysisTestResultInfo(success = True, message = "")]
x_test = rule(implementation = _impl, analysis_test = True)
y_test = rule(implementation = _impl, analysis_test = True, test = False)
--- BUILD
load("//:a.bzl", "x_test", "y_test")
x_test(name = "x")
y_test(name = "y", size = "small")
"""
    made = package(text)
    assert [rule(made, name).rule_class.test for name in "xy"] == [True, True]


def test_implicit_attributes_follow_the_version() -> None:
    text = RULES + '--- p/BUILD\nload("//lib:defs.bzl", "macro")\nmacro("x")\n'
    old = rule(package(text, "p", "0.19.1"), "x").rule_class.attributes
    new = rule(package(text, "p", "7.7.1"), "x").rule_class.attributes
    any_version = rule(package(text, "p"), "x").rule_class.attributes
    assert "aspect_hints" not in old
    assert "$resolved_toolchains_internal" in old
    assert "aspect_hints" in new
    assert "target_compatible_with" in new
    assert {"package_metadata", "applicable_licenses"} <= any_version.keys()


COMPUTED = """
--- lib/BUILD
--- lib/defs.bzl
def _impl(ctx):
    pass

def _tool(name, kind):
    return Label("//tools:" + kind) if kind else ":" + name

def _outputs(name, kind):
    return {"o": name + "." + kind}

computed = rule(
    implementation = _impl,
    attrs = {"kind": attr.string(default = "plain"), "_tool": attr.label(default = _tool)},
    outputs = _outputs,
)
--- p/BUILD
load("//lib:defs.bzl", "computed")
computed(name = "x")
computed(name = "y", kind = "special")
"""


def test_computed_defaults_and_outputs() -> None:
    made = package(COMPUTED, "p")
    assert rule(made, "x").get("$tool") == Label("", "tools", "plain")
    assert rule(made, "y").get("$tool") == Label("", "tools", "special")
    assert rule(made, "y").outputs == (Label("", "p", "y.special"),)


def test_computed_default_of_a_select_is_a_select() -> None:
    text = COMPUTED.replace("outputs = _outputs,", "")
    text += 'computed(name = "z", kind = select({":c": "one", "//conditions:default": "two"}))\n'
    value = rule(package(text, "p"), "z").get("$tool")
    assert isinstance(value, SelectorList)
    assert [label.name for _, label in value.parts[0].branches] == ["one", "two"]


@pytest.mark.parametrize(("first", "configurable"), [("two", False), ("one", True)])
def test_a_computed_default_has_a_value_for_each_of_what_it_follows(first: str, configurable: bool) -> None:
    """Asked of Bazel 0.19.1, 0.24.1, 2.1.0, 4.2.3 and 7.7.1: equal results of different values stay apart."""
    text = ONE_TOOL + f'one(name = "z", kind = select({{":c": "{first}", "//conditions:default": "two"}}))\n'
    made = rule(package(text, "p"), "z")
    assert isinstance(made.values.get("$tool"), SelectorList) == configurable


ONE_TOOL = """
--- lib/BUILD
--- lib/one.bzl
def _tool(kind): return Label("//tools:t")
one = rule(
    implementation = lambda ctx: None,
    attrs = {"kind": attr.string(), "_tool": attr.label(default = _tool)},
)
--- p/BUILD
load("//lib:one.bzl", "one")
config_setting(name = "c", values = {"define": "a=b"})
"""
_CHOSEN = 'computed(name = "z", kind = select({":c": "one", "//conditions:default": "two"}))\n'


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ("default = _tool", "In rule //p:z: Attribute 'kind' either doesn't exist or uses a select()"),
        (", kind):\n    return {", "In rule //p:z: the default of '_tool' follows 'kind', which uses a select()"),
    ],
)
def test_a_function_for_outputs_knows_no_select(replaced: str, message: str) -> None:
    text = COMPUTED.replace('"." + kind', '".o"').replace(replaced, "):\n    return {" if "return" in replaced else "")
    made = package(text + _CHOSEN, "p")
    assert [each.message.partition(" (")[0] for each in made.diagnostics] == [message]
    made_of = {each.label.name: each.outputs for each in made.rules()}
    assert made_of == {"x": (Label("", "p", "x.o"),), "y": (Label("", "p", "y.o"),), "z": ()}


def test_parent_and_initializer() -> None:
    text = """
--- a.bzl
def _impl(ctx):
    pass
def _first(srcs = [], **kwargs):
    return {"srcs": srcs + ["from_parent"]}
def _second(extra = "", **kwargs):
    return {"srcs": [extra]}
base = rule(implementation = _impl, initializer = _first, attrs = {"srcs": attr.label_list(allow_files = True)})
derived = rule(implementation = _impl, parent = base, initializer = _second, attrs = {"extra": attr.string()})
--- BUILD
load("//:a.bzl", "derived")
derived(name = "d", extra = "x")
"""
    d = rule(package(text), "d")
    assert d.rule_class.name == "derived"
    assert d.get("srcs") == [Label("", "", "x"), Label("", "", "from_parent")]


def test_build_settings() -> None:
    text = """
--- a.bzl
def _impl(ctx):
    pass
flag = rule(implementation = _impl, build_setting = config.bool(flag = True))
--- BUILD
load("//:a.bzl", "flag")
flag(name = "f", build_setting_default = True)
"""
    f = rule(package(text), "f")
    assert f.rule_class.build_setting
    assert f.get("build_setting_default") is True


def test_aspects_of_attributes_are_kept() -> None:
    text = """
--- a.bzl
def _impl(target, ctx):
    return []
my_aspect = aspect(
    implementation = _impl, attr_aspects = ["deps"], attrs = {"_protoc": attr.label(default = "//tools:protoc")},
)
def _rule(ctx):
    pass
r = rule(implementation = _rule, attrs = {"deps": attr.label_list(aspects = [my_aspect])})
--- BUILD
load("//:a.bzl", "r")
r(name = "x")
"""
    (found,) = rule(package(text), "x").rule_class.attributes["deps"].aspects
    assert (found.name, found.propagates) == ("my_aspect", ("deps",))
    assert found.attributes["$protoc"].default == Label("", "tools", "protoc")


def test_each_call_of_provider_makes_another_one() -> None:
    text = """
--- a.bzl
P, Q = [provider() for _ in range(2)]
def _impl(ctx):
    pass
p = rule(implementation = _impl, provides = [P])
q = rule(implementation = _impl, provides = [Q])
pq = rule(implementation = _impl, provides = [P, Q])
--- BUILD
load("//:a.bzl", "p", "pq", "q")
p(name = "p")
q(name = "q")
pq(name = "pq")
"""
    made = package(text)
    p, q, pq = (rule(made, name).rule_class.provides for name in ("p", "q", "pq"))
    assert p != q
    assert set(pq) == {*p, *q}
    again = package(text)
    assert [rule(again, name).rule_class.provides for name in ("p", "q", "pq")] == [p, q, pq]


TRANSITIONS = """
--- lib/BUILD
--- lib/defs.bzl
def _impl(ctx):
    pass
_t = transition(implementation = _impl, inputs = [], outputs = [])
by_rule = rule(implementation = _impl, cfg = _t)
by_attribute = rule(implementation = _impl, attrs = {"deps": attr.label_list(cfg = _t)})
_own = {"_allowlist_function_transition": attr.label(default = ":l")}
by_itself = rule(implementation = _impl, cfg = _t, attrs = _own)
plain = rule(implementation = _impl, attrs = {"dep": attr.label(cfg = "exec")})
--- p/BUILD
load("//lib:defs.bzl", "by_attribute", "by_itself", "by_rule", "plain")
by_rule(name = "a")
by_attribute(name = "b")
by_itself(name = "c")
plain(name = "d")
"""


def test_rules_with_transitions_depend_on_the_allowlist() -> None:
    made = package(TRANSITIONS, "p", version="7.7.1")
    found = {name: rule(made, name).get("$allowlist_function_transition") for name in "abcd"}
    name = "function_transition_allowlist"
    allowlist = Label("bazel_tools", f"tools/allowlists/{name}", name)
    assert found == {"a": allowlist, "b": allowlist, "c": Label("", "lib", "l"), "d": None}
    assert rule(package(TRANSITIONS, "p", version="4.2.3"), "a").get("$allowlist_function_transition") is None


@pytest.mark.parametrize(
    ("name", "kind", "version", "refused"),
    [
        ("tags", "label_list", "0.19.1", True),
        ("tags", "label_list", "7.7.1", True),
        ("tags", "label_list", "", False),
        ("applicable_licenses", "label_list", "0.19.1", False),
        ("applicable_licenses", "label_list", "7.7.1", True),
        ("size", "string", "7.7.1", False),
        ("deps", "label_list", "7.7.1", False),
    ],
)
def test_what_every_rule_has_cannot_be_defined_again(name: str, kind: str, version: str, refused: bool) -> None:
    defined = f"def _i(ctx): pass\nr = rule(_i, attrs = {{'{name}': attr.{kind}()}})\n"
    made = package(f"--- BUILD\nload(':a.bzl', 'r')\n--- a.bzl\n{defined}", version=version)
    assert problems(made) == [f"attribute `{name}`: built-in attributes cannot be overridden."] * refused
