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


def test_only_rules_made_so_far() -> None:
    text = 'filegroup(name = "a")\n[filegroup(name = n + "_copy") for n in existing_rules()]\nfilegroup(name = "z")'
    package = build(text)
    assert problems(package) == []
    assert "a_copy" in package.targets
    assert "z_copy" not in package.targets
    assert problems(build('[filegroup(name = "x")] if existing_rule("y") == None else fail("no")')) == []
