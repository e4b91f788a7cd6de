"""existing_rule() and existing_rules(): what macros see of the targets made so far."""

from __future__ import annotations

import pytest

from tests.bazel.build_file import build, problems

MACROS = """
def check(code):
    rule = native.existing_rule("x")
    if code == "keys":
        native.filegroup(name = ",".join(sorted(rule.keys())))
    else:
        native.filegroup(name = "r", tags = [str(rule[code])])
"""
RULE = """
genrule(
    name = "x", outs = ["x.o"], cmd = "c", tags = ["b", "a"], message = None, tools = ["//o:t", ":u"],
    srcs = select({"//s:c": ["x.txt"], "//conditions:default": None}) + ["y.txt"], visibility = ["//visibility:public"],
)
"""


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("kind", "genrule"),
        ("name", "x"),
        ("outs", '(":x.o",)'),
        ("tools", '("//o:t", ":u")'),
        ("tags", '("a", "b")'),
        ("message", ""),
        ("local", "False"),
        ("visibility", '("//visibility:public",)'),
        ("exec_properties", "{}"),
        (
            "srcs",
            (
                'select({Label("//s:c"): [Label("//pkg:x.txt")], Label("//conditions:default"): []}) + '
                'select({Label("//conditions:default"): [Label("//pkg:y.txt")]})'
            ),
        ),
    ],
)
def test_values_as_bazel_shows_them(key: str, text: str) -> None:
    package = build(f'{RULE}\ncheck("{key}")', macros=MACROS)
    assert problems(package) == []
    made = package.targets["r"]
    assert made.values["tags"] == [text]  # type: ignore[union-attr]


def test_what_is_none_or_implicit_is_left_out() -> None:
    package = build(f'{RULE}\ncheck("keys")', macros=MACROS)
    (keys,) = (name.split(",") for name in package.targets if "," in name)
    assert not [key for key in keys if key[0] in "$:_"]
    assert {"deprecation", "testonly", "licenses"}.isdisjoint(keys)
    assert {"generator_name", "generator_function", "generator_location"}.issubset(keys)


OLD, VIEW = "2.1.0", "7.7.1"
"""A Bazel whose dicts a macro may change, and one that shows views; every value below is what it printed."""


@pytest.mark.parametrize(
    ("version", "rule", "expression", "text"),
    [
        (OLD, "sh_test", "sorted(r.items())[-7:][2]", '("tags", ())'),
        (OLD, "sh_test", '[r["testonly"], "timeout" in r, r["size"]]', '[True, False, "medium"]'),
        (OLD, "sh_test", '[r[n] for n in ("generator_name", "generator_function")]', '["", ""]'),
        (OLD, "cc_library", '[n in r for n in ("testonly", "licenses", "distribs")]', "[False, False, False]"),
        (VIEW, "cc_library", '[n in r for n in ("testonly", "licenses", "distribs")]', "[False, True, False]"),
        (OLD, "cc_library", "[type(r), list(r)[:2]]", '["dict", ["name", "visibility"]]'),
        (VIEW, "filegroup", "[type(r), list(r)[:3]]", '["Map", ["name", "kind", "visibility"]]'),
        (VIEW, "filegroup", "[r, rs, type(rs)]", """[<native.ExistingRuleView for target 'x'>, \
<native.ExistingRulesView object>, "Map"]"""),
        (VIEW, "filegroup", "dir(r)", '["get", "items", "keys", "values"]'),
        (OLD, "filegroup", '[r.pop("name"), "name" in native.existing_rule("x")]', '["x", True]'),
        (OLD, "filegroup", 'r.update([("srcs", 1)]) or r["srcs"]', "1"),
        (VIEW, "filegroup", 'dict(r)["name"] + dict(rs)["x"]["kind"]', "xfilegroup"),
        (OLD, 'filegroup(data = select({"//c": ["a"]}), ', 'type(r["data"])', "SelectorList"),
        (VIEW, 'filegroup(data = select({"//c": ["a"]}), ', 'type(r["data"])', "select"),
        (VIEW, "py_test", '[r[n] for n in ("generator_name", "generator_function")]', '["x", "py_test"]'),
    ],
)  # fmt: skip
def test_what_each_bazel_shows(version: str, rule: str, expression: str, text: str) -> None:
    macros = f"""
def check():
    rs = native.existing_rules()
    r = native.existing_rule("x")
    native.filegroup(name = "r", tags = [str({expression})])
"""
    call = rule if "(" in rule else f"{rule}("
    package = build(f'{call}name = "x")\ncheck()', macros=macros, version=version)
    assert [each for each in problems(package) if "missing value" not in each] == []
    assert package.targets["r"].values["tags"] == [text]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("version", "attribute", "text"),
    [
        (OLD, "deps", 'select({Label("//s:c"): [Label("//o:z")], Label("//conditions:default"): []})'),
        (VIEW, "deps", 'select({"//s:c": ("//o:z",), "//conditions:default": ()})'),
        (OLD, "srcs", '(":a.cc", ":b.cc", "@r//o:c.cc")'),
        (VIEW, "srcs", '(":a.cc", ":b.cc", "@@r//o:c.cc")'),
        (VIEW, "visibility", '("//o:__pkg__", ":g")'),
        (VIEW, "copts", 'select({"//conditions:default": ("-x",)}) + select({":d": ("-y",)})'),
    ],
)
def test_labels_and_selects_as_each_bazel_shows_them(version: str, attribute: str, text: str) -> None:
    """A label in a package of the same name is short, whatever its repository is."""
    rule = """cc_library(
        name = "x", deps = select({"//s:c": ["//o:z"], "//conditions:default": None}),
        srcs = ["a.cc", "@r//pkg:b.cc", "@r//o:c.cc"], visibility = [":g", "//o:__pkg__"],
        copts = ["-x"] + select({":d": ["-y"]}),
    )"""
    package = build(f'{rule}\ncheck("{attribute}")', macros=MACROS, version=version)
    assert package.targets["r"].values["tags"] == [text]  # type: ignore[union-attr]


def test_a_view_cannot_be_changed() -> None:
    macros = 'def check():\n    native.existing_rule("x")["y"] = 1\n'
    package = build('filegroup(name = "x")\ncheck()', macros=macros, version=VIEW)
    assert problems(package) == ["trying to mutate a frozen Map value"]
    assert problems(build('filegroup(name = "x")\ncheck()', macros=macros, version=OLD)) == []


def test_only_rules_made_so_far() -> None:
    text = 'filegroup(name = "a")\n[filegroup(name = n + "_copy") for n in existing_rules()]\nfilegroup(name = "z")'
    package = build(text)
    assert problems(package) == []
    assert "a_copy" in package.targets
    assert "z_copy" not in package.targets
    assert problems(build('[filegroup(name = "x")] if existing_rule("y") == None else fail("no")')) == []
