"""Unknown values: they take part in everything, and say what they may hide."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bazel.model import Rule, Selector, SelectorList
from bzlgraph.facts import for_version
from bzlgraph.graph.build import BuildGraph
from bzlgraph.graph.model import NodeKind
from bzlgraph.loading.codec import Encoder
from bzlgraph.loading.loader import Loader
from tests.bazel.expressions import evaluate
from tests.bazel.memory_workspace import open_text, package, problems, rule

LOAD = 'load("@absent//x:defs.bzl", "if_cuda", "some_rule", "VERSION", "LIST")\n'


def build(text: str, version: str = "") -> object:
    return package(f"--- BUILD\n{LOAD}{text}\n", version=version)


def test_a_call_with_a_name_is_a_target() -> None:
    made = package(f"--- BUILD\n{LOAD}" + 'some_rule(name = "x", deps = [":a", "//b", "c"], opts = ["-O2"])\n')
    x = rule(made, "x")
    assert x.kind == "some_rule rule"
    assert x.rule_class.unknown
    assert x.get("deps") == [Label("", "", "a"), Label("", "b", "b"), Label("", "", "c")]
    assert x.get("opts") == ["-O2"]
    assert any("some_rule" in gap.what for gap in made.gaps)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("range(1, 3)", [1, 2]),
        ("[range(2)]", [[0, 1]]),
        ('{"k": (range(1), None)}', {"k": [[0], None]}),
        ("struct(x = range(2))", "struct(x = range(0, 2))"),
        ("depset([1])", [1]),
        ('{(1, 2): 1.5, "n": 1 << 70}', {"[1, 2]": 1.5, "n": 1 << 70}),
        ("len", "<built-in function len>"),
        ('{"a": 1}.keys()', ["a"]),
        ('"ab".elems()', ["a", "b"]),
    ],
)
def test_what_an_unknown_rule_is_given_is_kept_as_data(written: str, kept: object) -> None:
    """Packages are written down for later runs: a range of the language is a list there."""
    macro = f"{LOAD}def m():\n    some_rule(name = 'x', args = {written})\n    return [some_rule]\n"
    made = package(f'--- a.bzl\n{macro}--- BUILD\nload(":a.bzl", "m")\nm()\n')
    assert rule(made, "x").get("args") == kept
    assert Encoder().encode(made)
    chosen = package(f"--- BUILD\n{LOAD}some_rule(name = 'x', args = [0] + select({{'//:c': range(2)}}))\n")
    assert Encoder().encode(chosen)


def test_a_rule_of_several_that_a_call_makes_is_called_after_its_global() -> None:
    made = 'load("@absent//:with.bzl", "builder")\nhidden_library, _reset = builder(1).build()\n'
    text = '--- BUILD\nload("//:a.bzl", "hidden_library")\nhidden_library(name = "x", deps = [":a"])\n'
    built = package(f"--- a.bzl\n{made}{text}")
    assert rule(built, "x").kind == "hidden_library rule"
    assert any("macro hidden_library of @absent//:with.bzl" in gap.what for gap in built.gaps)


def test_a_call_in_an_attribute_is_a_possible_dependency() -> None:
    made = package(f"--- BUILD\n{LOAD}" + 'cc_library(name = "x", deps = [":a"] + if_cuda([":b", "//c"], [":d"]))\n')
    value = rule(made, "x").get("deps")
    assert isinstance(value, SelectorList)
    plain, uncertain = value.parts
    assert plain == [Label("", "", "a")]
    assert isinstance(uncertain, Selector)
    ((condition, labels),) = uncertain.branches
    assert (condition.label, condition.unknown) == (None, "if_cuda(...)")
    assert labels == [Label("", "", "b"), Label("", "c", "c"), Label("", "", "d")]
    assert uncertain.location is not None
    assert uncertain.location.line == 2


def test_inside_a_list_and_inside_a_branch() -> None:
    text = 'cc_library(name = "x", deps = select({":c": if_cuda([":b"]), "//conditions:default": [":d"]}))\n'
    value = rule(package(f"--- BUILD\n{LOAD}{text}"), "x").get("deps")
    (selector,) = value.parts
    inner = selector.branches[0][1]
    assert isinstance(inner, SelectorList)
    assert inner.parts[0].branches[0][1] == [Label("", "", "b")]
    made = package(f"--- BUILD\n{LOAD}" + 'cc_library(name = "y", copts = ["-a", VERSION, "-b"])\n')
    copts = rule(made, "y").get("copts")
    assert [part for part in copts.parts if isinstance(part, list)] == [["-a"], ["-b"]]


USES = [
    "VERSION",
    "VERSION.a.b",
    "VERSION[0]",
    'VERSION["x"]',
    "VERSION[1:2]",
    "VERSION + 1",
    "1 - VERSION",
    "VERSION * 2",
    '"a" + VERSION',
    'VERSION + "a"',
    "[1] + VERSION",
    "VERSION + (1,)",
    "{} | VERSION",
    "-VERSION",
    "not VERSION",
    "VERSION and 1",
    "VERSION or 1",
    "1 if VERSION else 2",
    "VERSION < 1",
    "1 >= VERSION",
    "VERSION == 1",
    "VERSION in [1]",
    '"x" in VERSION',
    "VERSION in {}",
    '"%s" % VERSION',
    '"%d%%" % VERSION',
    '"%d-%s" % (VERSION, 1)',
    '"%s-%s" % (VERSION, 1)',
    '"{}".format(VERSION)',
    '", ".join(VERSION)',
    '", ".join([VERSION])',
    '"a".replace("a", VERSION)',
    '"a".startswith(VERSION)',
    '"a".split(VERSION)',
    "[x for x in VERSION]",
    "{k: v for k, v in VERSION}",
    "{VERSION: 1}",
    "{1: VERSION}",
    "{1: 2}[VERSION]",
    "{1: 2}.get(VERSION)",
    "[1][VERSION]",
    "len(VERSION)",
    "list(VERSION)",
    "tuple(VERSION)",
    "dict(VERSION)",
    "dict(VERSION, a = 1)",
    "sorted(VERSION)",
    "sorted([VERSION, 1])",
    "reversed(VERSION)",
    "enumerate(VERSION)",
    "zip(VERSION, [1])",
    "range(VERSION)",
    "max(VERSION, 1)",
    "any(VERSION)",
    "any([VERSION])",
    "str(VERSION)",
    "repr([VERSION])",
    "int(VERSION)",
    "bool(VERSION)",
    "type(VERSION)",
    "hash(VERSION)",
    "dir(VERSION)",
    'getattr(VERSION, "x")',
    'hasattr(VERSION, "x")',
    "VERSION()",
    "VERSION(1, *VERSION, **VERSION)",
    "len(*[VERSION])",
    "struct(a = VERSION)",
    "struct(a = VERSION).a",
    "depset(VERSION)",
    "depset([VERSION]).to_list()",
    "depset([1], transitive = [VERSION])",
    "select(VERSION)",
    'select({VERSION: [1], "//conditions:default": VERSION})',
    "[1] + select({VERSION: [1]}) + VERSION",
    "Label(VERSION)",
    "json.encode(VERSION)",
    "json.decode(VERSION)",
    'json.decode(VERSION)["x"].y[1:]',
    "json.encode_indent({'a': VERSION})",
    "provider(fields = VERSION)(a = VERSION)",
    "attr.string(default = VERSION)",
    "attr.label_list(default = VERSION, providers = [VERSION], aspects = VERSION, allow_files = VERSION)",
    "attr.label_list(default = [VERSION], aspects = [VERSION], cfg = VERSION)",
    "rule(implementation = VERSION, attrs = VERSION, outputs = VERSION)",
    'rule(implementation = VERSION, attrs = {"a": VERSION}, provides = [VERSION], toolchains = [VERSION])',
    "rule(implementation = VERSION, parent = VERSION, initializer = VERSION)",
    "aspect(implementation = VERSION, attrs = VERSION, requires = VERSION)",
    "repository_rule(implementation = VERSION, attrs = VERSION)",
    "macro(implementation = VERSION, attrs = VERSION, inherit_attrs = VERSION)",
    "module_extension(implementation = VERSION, tag_classes = VERSION)",
    "transition(implementation = VERSION, inputs = VERSION, outputs = VERSION)",
    "cc_common.compile(VERSION)",
    "CcInfo(VERSION)",
]


@pytest.mark.parametrize("expression", USES)
def test_takes_part_in_everything(expression: str) -> None:
    text = f'--- BUILD\nload("//:a.bzl", "value")\n--- a.bzl\n{LOAD}value = [{expression}]\n'
    assert problems(package(text)) == []


STATEMENTS = [
    "for x in VERSION:\n        print(x)",
    "a, b = VERSION\n    print(a + b)",
    "a, b = VERSION()",
    "x = []\n    x += VERSION\n    x.extend(VERSION)",
    "x = {}\n    x.update(VERSION)\n    x[VERSION] = 1",
    "x = VERSION\n    x += 1\n    x += [2]",
    "x = 'a'\n    x += VERSION",
    "VERSION.x(1).y[2]()",
    "print(VERSION)",
    "if VERSION == 1 or VERSION > 3:\n        fail('no')",
    "return lambda x: VERSION(x)",
    "native.cc_library(name = VERSION, srcs = VERSION, deps = [VERSION])",
    "native.cc_library(name = 'a' + VERSION, linkstatic = VERSION, size = None)",
    "native.cc_library(name = 'lib%s' % VERSION, visibility = VERSION)",
    "native.genrule(name = 'g', outs = [VERSION], cmd = VERSION, srcs = VERSION.x)",
    "native.genrule(name = 'g', outs = VERSION, cmd = 'x' + VERSION, tools = [VERSION])",
    "native.filegroup(name = 'f', srcs = native.glob(VERSION))",
    "native.filegroup(name = 'f', srcs = native.glob([VERSION], exclude = VERSION))",
    "native.config_setting(name = 'c', values = VERSION, define_values = {'a': VERSION})",
    "native.alias(name = 'a', actual = VERSION)",
    "native.exports_files(VERSION)",
    "native.exports_files([VERSION])",
    "native.package_group(name = 'g', packages = VERSION)",
    "native.existing_rule(VERSION)",
    "native.test_suite(name = 't', tests = VERSION, tags = VERSION)",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_takes_part_in_macros(statement: str) -> None:
    text = f'--- BUILD\nload("//:a.bzl", "f")\nf()\n--- a.bzl\n{LOAD}def f():\n    {statement}\n'
    text = text.replace(", size = None", "")
    assert problems(package(text)) == []


@pytest.mark.parametrize(
    "use",
    [
        "[x for x in LIST]",
        "1 if LIST else 2",
        '"x" in LIST',
        "len(LIST)",
        "'%s' % LIST",
        "'a' + LIST",
        "str(LIST)",
        "{1: 2}[LIST]",
        "LIST == 1",
        "LIST < 1",
        "LIST()",
    ],
)
def test_each_use_that_may_hide_something_is_a_gap(use: str) -> None:
    before = package(f'--- BUILD\n{LOAD}filegroup(name = "f")\n')
    after = package(f"--- BUILD\n{LOAD}x = {use}\n")
    assert len(after.gaps) == len(before.gaps) + 1
    gap = after.gaps[-1] if after.gaps[-1] not in before.gaps else after.gaps[0]
    assert "LIST" in gap.what
    assert gap.location is not None
    assert gap.location.line == 2


def test_a_rule_with_unknown_attributes_takes_any() -> None:
    text = f"""
--- a.bzl
{LOAD}
def _impl(ctx):
    pass
r = rule(implementation = _impl, attrs = dict(LIST, known = attr.string()))
s = rule(implementation = _impl, attrs = LIST)
--- BUILD
load("//:a.bzl", "r", "s")
s(name = "y", deps = [":z"])
"""
    y = rule(package(text), "y")
    assert y.kind == "s rule"
    assert y.get("deps") == [Label("", "", "z")]


@pytest.mark.parametrize("attrs", ["dict(LIST)", "dict(LIST, known = attr.string())", "{a: LIST[a] for a in LIST}"])
def test_a_rule_whose_attributes_follow_from_something_unknown_takes_any(attrs: str) -> None:
    text = f"""
--- a.bzl
{LOAD}
def _impl(ctx):
    pass
r = rule(implementation = _impl, attrs = {attrs})
s = rule(implementation = _impl, attrs = {attrs})
--- BUILD
load("//:a.bzl", "r", "s")
r(name = "x", deps = [":z"])
s(name = "y", tags = ["t"])
"""
    made = package(text)
    assert (rule(made, "x").get("deps"), rule(made, "x").kind) == ([Label("", "", "z")], "r rule")
    assert [
        (gap.hides, gap.location.line)
        for gap in made.gaps
        if gap.what.startswith("the attributes of the rule r depend on")
    ] == [("the type of deps is unknown; values that look like labels are kept as dependencies", 2)]
    assert not any("no such attribute" in gap.what for gap in made.gaps)
    assert not rule(made, "y").rule_class.unknown


def test_a_dict_with_an_unknown_part_is_known_in_part() -> None:
    text = f"""
--- a.bzl
{LOAD}
def _impl(ctx):
    pass
_D = {{"a": attr.label_list(), "b": attr.string()}} | LIST
r = rule(implementation = _impl, attrs = _D)
keys = _D.keys()
kind = type(_D["a"])
spread = sorted(dict(**_D))
--- BUILD
load("//:a.bzl", "keys", "kind", "r", "spread")
r(name = "x", a = [":y"], c = [":z"])
filegroup(name = "-".join(keys + spread) + kind)
"""
    made = package(text)
    assert rule(made, "x").get("a") == [Label("", "", "y")]
    assert rule(made, "x").get("c") == [Label("", "", "z")]
    assert "a-b-a-bAttribute" in made.targets


def test_in_workspace_it_declares_repositories() -> None:
    text = """
--- WORKSPACE
load("@absent//:repos.bzl", "fetch", "all_deps")
fetch(name = "one", build_file = "//third_party:one.BUILD")
all_deps()
local_repository(name = "two", path = "two")
--- BUILD
"""
    workspace = open_text(text)
    assert workspace.diagnostics == []
    assert list(workspace.context.repositories) == ["one", "two"]
    assert workspace.context.repositories["one"].rule == "fetch"
    assert any("all_deps" in gap.what for gap in workspace.context.gaps)


def test_prints_as_its_text() -> None:
    made = package(f"--- BUILD\n{LOAD}" + 'filegroup(name = "lib%s.so" % VERSION)\n')
    assert isinstance(made.targets["libVERSION.so"], Rule)


def test_outside_an_evaluation_it_is_quiet() -> None:
    assert for_version("").tolerant
    assert evaluate("1", "7.7.1") == "= 1"


@pytest.mark.parametrize(
    "argument", ['f("//foo/")', 'f(":a:b", "//foo/")', 'f(["//x:y", "//foo/"])', 'f(["//foo/", "@"])']
)
def test_what_is_no_label_is_no_possible_dependency(argument: str) -> None:
    text = f'--- BUILD\nload("@absent//x:defs.bzl", "f")\ncc_library(name = "a", deps = {argument})\n'
    ((_, labels),) = rule(package(text), "a").get("deps").parts[0].branches
    assert labels == ([Label("", "x", "y")] if "//x:y" in argument else [])


PATTERNS = ["//lib/...", "//:__subpackages__", "//a:__pkg__", "//visibility:public", "@r//...", "//...", "-//lib/..."]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_and_visibilities_are_no_targets(pattern: str) -> None:
    text = f"""
--- BUILD
{LOAD}
some_rule(name = "x", deps = ["{pattern}", ":y"], friends = "{pattern}", table = {{"{pattern}": ["{pattern}"]}})
cc_library(name = "z", deps = if_cuda("{pattern}", ["{pattern}", ":y"]), copts = if_cuda(["{pattern}"]))
"""
    made = package(text)
    x, z = rule(made, "x"), rule(made, "z")
    assert x.get("deps") == [pattern, Label("", "", "y")]
    assert (x.get("friends"), x.get("table")) == (pattern, {pattern: [pattern]})
    assert z.get("deps").parts[0].branches[0][1] == [Label("", "", "y")]
    assert z.get("copts").parts[0].branches[0][1] == [pattern]


def test_a_call_that_stands_as_a_statement_makes_targets() -> None:
    calls = "for_effect = 1\nif_cuda()\nsome_rule.setup([':x'])\n[if_cuda() for x in [1, 2]]\n"
    used = "cc_library(name = 'x', copts = if_cuda() + [])\n"
    made = package(f"--- BUILD\n{LOAD}{calls}{used}")
    kinds = [(gap.kind, gap.location and gap.location.line) for gap in made.gaps if "() of" in gap.what]
    assert kinds == [("macro", 3), ("macro", 4), ("call", 5), ("call", 6)]


def test_an_overlay_of_an_absent_archive_may_have_other_targets() -> None:
    """Its own .bzl file is in the archive: what that makes is possible, and no error."""
    text = """
--- WORKSPACE
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
http_archive(name = "z", url = "z", build_file = "//third_party:z.BUILD")
--- third_party/BUILD
--- third_party/z.BUILD
load(":defs.bzl", "all_targets", "COPTS")
all_targets()
cc_library(name = "own", srcs = ["own.cc"], copts = COPTS)
--- BUILD
cc_library(name = "a", deps = ["@z//:made", "@z//:own", "@z//sub:x"])
"""
    graph = BuildGraph(Loader(open_text(text)))
    nodes = graph.closure([graph.node(Label("", "", "a"))])
    labels = {str(graph.columns.labels[node]) for node in nodes}
    assert {"@z//:made", "@z//:own", "@z//:own.cc", "@z//sub:x"} <= labels
    assert NodeKind.MISSING not in {graph.kinds[node] for node in nodes}


def test_an_unknown_macro_may_be_called_after_another_target() -> None:
    """It may make targets of other names only: the known one stays, whichever comes first."""
    known = "cc_library(name = 'x')\ngenrule(name = 'g', outs = ['y'], cmd = '')\n"
    guesses = "some_rule(name = 'x', deps = [':g'])\nsome_rule(name = 'y')\nsome_rule(name = 'y')\n"
    for text in (known + guesses, guesses + known):
        made = package(f"--- BUILD\n{LOAD}{text}")
        assert problems(made) == []
        assert made.targets["x"].kind == "cc_library rule"
        assert made.targets["y"].kind == "generated file"
