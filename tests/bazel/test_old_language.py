"""What the language itself was in older Bazels."""

from __future__ import annotations

import pytest

from tests.bazel.memory_workspace import EXPRESSION, package, problems


@pytest.mark.parametrize("expression", ["7 / 2", "1 + -7 / 2 + 6", "7\ndef f(x):\n    x /= 2\n    return x\nC = f(B)"])
def test_a_slash_divides_integers_before_bazel_0_21(expression: str) -> None:
    text = EXPRESSION.replace("{}", expression).replace('load(":a.bzl", "B")', 'load(":a.bzl", B = "C")')
    text += "" if "C =" in expression else "C = B\n"
    assert "x3" in package(text, version="0.20.0").targets
    assert "no operator `/`" in problems(package(text, version="0.21.0"))[0]
    assert "x3" not in package(text).targets


@pytest.mark.parametrize(
    "expression",
    ["([1] + range(3))[3] + 1", "len(range(1, 7, 2) * 1)", "3 if range(1) == [0] else 4", "sorted(range(4))[3]"],
)
def test_range_makes_lists_before_bazel_0_20(expression: str) -> None:
    text = EXPRESSION.replace("{}", expression)
    assert "x3" in package(text, version="0.19.1").targets
    assert ("x3" in package(text, version="0.20.0").targets) == expression.startswith("sorted")


def test_a_range_of_a_build_file_is_a_list_before_bazel_0_20() -> None:
    text = '--- BUILD\n[filegroup(name = "x%d" % i) for i in range(1) + [2]]\n'
    assert {"x0", "x2"} <= package(text, version="0.19.1").targets.keys()
    assert problems(package(text, version="0.20.0")) != []


@pytest.mark.parametrize(
    ("expression", "value", "last", "next_one"),
    [
        ('len("a b".partition()) + len("a b".rpartition())', "6", "0.29.0", "1.0.0"),
        ("dict(args = [('a', 1)])['a']", "1", "0.29.0", "1.0.0"),
        ("4 if [] in {} else 5", "5", "1.2.0", "2.0.0"),
        ("{}.get([], 2)", "2", "1.2.0", "2.0.0"),
        ("type(len)", "function", "2.1.0", "4.2.3"),
        ("{}.pop([], 2)", "2", "4.2.3", "7.7.1"),
        ('json.decode(\'{"a": 1, "a": 2}\', default = 3)', "3", "4.2.3", "7.7.1"),
        ("[3].index(3, start = 0, end = 1)", "0", "7.7.1", ""),
        ("{range(3): 4}[range(3)]", "4", "0.29.0", "1.0.0"),
        ("{range(3): 4}[range(3)]", "4", "2.1.0", "4.2.3"),
        ('"abc".replace("b", "d", None)', "adc", "2.1.0", "4.2.3"),
        ('"abc".replace("b", "d", -1)', "abc", "2.1.0", "4.2.3"),
        ('type("".join)', "function", "2.1.0", "4.2.3"),
        ('hasattr(depset(), "union")', "True", "1.2.0", "2.0.0"),
        ("len(depset([1], direct = None).to_list())", "1", "4.2.3", "7.7.1"),
        ("len(depset([1, 2], items = []).to_list())", "2", "4.2.3", "7.7.1"),
        ("len(depset(direct = [1, 2], items = []).to_list())", "2", "4.2.3", "7.7.1"),
        ('select({"//a": [1]}) == select({"//a": [1]})', "False", "4.2.3", "7.7.1"),
        ('select({"//a": [1]}) + [2] == select({"//a": [1]}) + [3]', "False", "7.7.1", ""),
        ('select({"//a": 1}, no_match_error = "x") == select({"//a": 1})', "False", "7.7.1", ""),
        ("[1] + select({'//a': [1]}) in [[1] + select({'//a': [1]})]", "False", "4.2.3", "7.7.1"),
        ('hasattr(Label("//a"), "repo_name")', "False", "4.2.3", "7.7.1"),
        ('hasattr([], "clear")', "False", "0.28.1", "0.29.0"),
    ],
)
def test_what_old_bazels_make_of_expressions(expression: str, value: str, last: str, next_one: str) -> None:
    """Each was asked of both versions."""
    text = EXPRESSION.replace("{}", expression, 1)
    assert f"x{value}" in package(text, version=last).targets
    assert not next_one or f"x{value}" not in package(text, version=next_one).targets


@pytest.mark.parametrize(
    ("expression", "last", "next_one", "message"),
    [
        ("bool()", "0.28.1", "0.29.0", "bool() missing 1 required positional argument"),
        ("list()", "0.28.1", "0.29.0", "list() missing 1 required positional argument"),
        ("enumerate([1], 1)", "0.28.1", "0.29.0", "enumerate() accepts no more than 1 positional argument but got 2"),
        ("sorted([1], key = len)", "0.28.1", "0.29.0", "sorted() got unexpected keyword argument 'key'"),
        ("sorted([1], None)", "4.2.3", "7.7.1", "sorted() accepts no more than 1 positional argument but got 2"),
        ("max([1], key = hash)", "4.2.3", "7.7.1", "max() got unexpected keyword argument 'key'"),
        ('"%e" % 1', "2.1.0", "4.2.3", 'unsupported format character "e" at index 1 in "%e"'),
        ('"%x" % 1', "4.2.3", "7.7.1", 'unsupported format character "x" at index 1 in "%x"'),
        ('"%c" % 1', "7.7.1", "", 'unsupported format character "c" at index 1 in "%c"'),
        ('"a".removeprefix("a")', "4.2.3", "7.7.1", "'string' value has no field or method 'removeprefix'"),
        ("[].clear()", "0.28.1", "0.29.0", "'list' value has no field or method 'clear'"),
        ("1 | 2", "0.28.1", "0.29.0", "|"),
        ('select({Label("//a"): 1})', "4.2.3", "7.7.1", "select: got Label for dict key, want a label string"),
        ('Label("//a").same_package_label("b")', "4.2.3", "7.7.1", "has no field or method 'same_package_label'"),
        ("attr.license()", "0.28.1", "", "'license'"),
        ("attr.output(default = None)", "0.28.1", "", "output() got unexpected keyword argument 'default'"),
        ('Label(":x")', "4.2.3", "7.7.1", "Illegal absolute label syntax: :x"),
    ],
)
def test_what_old_bazels_lack(expression: str, last: str, next_one: str, message: str) -> None:
    text = EXPRESSION.replace("{}", f"2\nC = [{expression}]")
    assert message in problems(package(text, version=last))[0]
    if next_one:
        assert not [each for each in problems(package(text, version=next_one)) if message in each]
        assert not [each for each in problems(package(text)) if message in each]


def test_args_is_a_key_of_a_dict_where_no_bazel_is_chosen() -> None:
    text = EXPRESSION.replace("{}", 'len(dict(args = ["a"], b = 2)) + 1')
    assert "x3" in package(text, version="").targets
    assert "x3" in package(text, version="1.0.0").targets
    assert "x3" not in package(text, version="0.29.0").targets


@pytest.mark.parametrize(
    "binding",
    ["filegroup = None", 'load(":m.bzl", "filegroup")', 'load(":m.bzl", filegroup = "other")'],
)
def test_a_build_file_may_use_a_builtin_name_until_it_binds_it(binding: str) -> None:
    """Bazel 0.19.1, 0.24.1, 1.0.0, 2.1.0, 4.2.3 and, where it is an error, 7.7.1 were asked."""
    macro = "--- m.bzl\ndef filegroup(name):\n    pass\ndef other(name):\n    pass\n"
    text = f'{macro}--- BUILD\nfilegroup(name = "x")\n{binding}\ngenrule(name = "y", outs = ["o"], cmd = "")\n'
    for version in ("0.24.1", "2.1.0", "4.2.3", ""):
        assert problems(package(text, version=version)) == []
        assert {"x", "y"} <= package(text, version=version).targets.keys()
    assert "global variable 'filegroup' is referenced before assignment" in problems(package(text, version="7.7.1"))[0]


def test_a_bzl_file_may_not_use_a_builtin_name_that_it_binds_later() -> None:
    text = '--- m.bzl\nx = len([1])\nlen = 3\n--- BUILD\nload(":m.bzl", "x")\n'
    assert "global variable 'len' is referenced before assignment" in problems(package(text, version="0.24.1"))[0]


def test_a_tree_without_a_version_may_load_by_paths() -> None:
    text = "--- BUILD\nload('/a/b/c', 'R')\nload('d', 'M')\nload('/e', 'L')\nfilegroup(name = R + M + L)\n"
    text += "--- a/BUILD\n--- a/b/c.bzl\nload('n', 'N')\nR = N\n--- a/b/n.bzl\nN = 'x'\n"
    text += "--- d.bzl\nM = 'y'\n--- e.bzl\nL = 'z'\n"
    found = package(text)
    assert problems(found) == []
    assert "xyz" in found.targets
    assert "invalid label '/a/b/c'" in problems(package(text, version="0.17.2"))[0]
    assert "must reference a file with extension" in problems(package("--- BUILD\nload('b', 'N')\n"))[0]
    assert problems(package("--- BUILD\nload('/a/b', 'N')\n")) == ["cannot load '//:a/b.bzl': no such file"]
    (problem,) = problems(package("--- sub/BUILD\nload('/a/b', 'N')\n", "sub"))  # nor is `a` a package
    assert problem == "cannot load '//a:b.bzl': no such file"


def test_a_tree_of_any_age_may_have_what_collections_were_before_bazel_0_17() -> None:
    """TensorFlow of June 2017: its kernels' BUILD file has a key twice."""
    text = """
--- p/BUILD
load("//p:a.bzl", "f")
f(["x"])
f({"y": 1, "z": 2, "y": 3}.keys())
filegroup(name = "value_%d" % {"y": 1, "z": 2, "y": 3}["y"])
--- p/a.bzl
def f(names, more = []):
    found = more
    found += names
    native.filegroup(name = "_".join(found + [str(len(more))]))
    both = set(["a"]) + set(["b"]) + ["a", "c"]
    both += ("d",)
    native.filegroup(name = "".join(list(both)) + names[0])
"""
    found = package(text, "p")
    assert problems(found) == []
    assert {"x_0", "y_z_0", "value_3", "abcdx", "abcdy"} <= found.targets.keys()


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('{"y": 1, "y": 2}', 'dictionary expression has duplicate key: "y"'),
        ("grown()", "trying to mutate a frozen list value"),
        ("set([1]) + set([2])", "unsupported binary operation: set + set"),
    ],
)
def test_later_bazels_refuse_that(expression: str, message: str) -> None:
    text = f"""
--- BUILD
load("//:a.bzl", "f")
f()
--- a.bzl
def grown(more = []):
    more += [1]
    return more
def f():
    print({expression})
"""
    assert problems(package(text, "", "9.0.0")) == [message]
    assert problems(package(text)) == []
