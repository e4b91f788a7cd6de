"""What old Bazels accepted and newer ones refuse: each pair of versions was asked (``tools/ask_behaviour.py``)."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.workspace import open_workspace
from tests.bazel.memory_workspace import EXPRESSION, files_of, package, problems

REEXPORT = """
--- BUILD
load(":a.bzl", "B")
filegroup(name = B)
--- a.bzl
load(":b.bzl", "B")
--- b.bzl
B = "x"
"""
MAKES = """
--- BUILD
load(":a.bzl", "make")
make()
--- a.bzl
def _impl(ctx):
    return []
def make():
    {}
"""
CHANGES = {
    "a loaded name can be loaded again": (REEXPORT, "0.24.1", "0.25.0"),
    "arguments of built-in functions and methods can be named": (
        EXPRESSION.replace("{}", "len(x = ','.join(elements = 'a,b'.split(maxsplit = 1, sep = ',')))"),
        "0.29.0", "1.0.0",
    ),
    "a loop over a string has its characters": (
        EXPRESSION.replace("{}", '"-".join([a + b for a in "ab" for b in reversed("ab")])'), "0.21.0", "0.22.0"
    ),
    "strings are iterated over by functions": (
        EXPRESSION.replace("{}", 'len(zip("a", "b")) if any("a") and max("ab") == "b" else 1'), "0.21.0", "0.22.0"
    ),
    "dictionaries can be added": (EXPRESSION.replace("{}", "len({1: 2} + {3: 4})"), "0.23.2", "0.24.0"),
    "010 is eight": (EXPRESSION.replace("{}", "010"), "0.26.1", "0.27.0"),
    "an unknown escape keeps its backslash": (EXPRESSION.replace("{}", r'len("\q")'), "3.7.0", "4.0.0"),
    "a named argument may follow *args": (
        EXPRESSION.replace("{}", "len(dict(*[[(1, 2)]], a = 2))"), "0.22.0", "0.23.0"
    ),
    "load() may stand behind a statement": (
        EXPRESSION.replace("{}", '1\nload(":b.bzl", "C")').replace("--- a.bzl", "--- b.bzl\nC = 1\n--- a.bzl"),
        "0.24.1", "0.25.0",
    ),
    "depsets can be added": (EXPRESSION.replace("{}", "len((depset([1]) + [2]).to_list())"), "0.25.1", "0.26.0"),
    "depsets can be united": (
        EXPRESSION.replace("{}", "len((depset([1]) | depset([2])).to_list())"), "0.25.1", "0.26.0"
    ),
    "depsets can be iterated over": (EXPRESSION.replace("{}", "len([x for x in depset([1])])"), "0.26.1", "0.27.0"),
    "depsets have a length": (EXPRESSION.replace("{}", "len(depset([1]))"), "0.26.1", "0.27.0"),
    "rule() may be called by a macro": (MAKES.replace("{}", "rule(implementation = _impl)"), "4.2.3", "7.7.1"),
    "depsets contain": (EXPRESSION.replace("{}", "1 in depset([1])"), "0.26.1", "0.27.0"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_accepted_until_a_release(change: str) -> None:
    text, last, first = CHANGES[change]
    assert problems(package(text, version=last)) == []
    assert problems(package(text, version=first)) != []


@pytest.mark.parametrize("change", CHANGES)
def test_without_a_version_what_any_bazel_accepts_is_accepted(change: str) -> None:
    assert problems(package(CHANGES[change][0])) == []


@pytest.mark.parametrize(
    ("name", "last", "first"), [("exec", "4.2.3", "5.0.0"), ("none", "7.7.1", "8.0.0"), ("target", "7.7.1", "8.0.0")]
)
def test_fields_of_config(name: str, last: str, first: str) -> None:
    text = EXPRESSION.replace("{}", f"len([attr.label(cfg = config.{name}())])")
    assert f"'config' value has no field or method '{name}'" in problems(package(text, version=last))[0]
    assert problems(package(text, version=first)) == problems(package(text)) == []


BROUGHT = {
    "lambda": (EXPRESSION.replace("{}", "(lambda x: x)(1)"), "4.2.3", "5.0.0"),
    "a function in a function": (
        EXPRESSION.replace("{}", "2\ndef f():\n    def g():\n        pass"), "4.2.3", "5.0.0"
    ),
    "floating-point numbers": (EXPRESSION.replace("{}", "1.5"), "3.7.0", "4.0.0"),
    "true division": (EXPRESSION.replace("{}", "4 / 2"), "3.7.0", "4.0.0"),
    "bit operators": (EXPRESSION.replace("{}", "1 & 3"), "0.28.1", "0.29.0"),
    "shifting in place": (EXPRESSION.replace("{}", "2\ndef f(x):\n    x <<= 1"), "0.28.1", "0.29.0"),
    "a comma behind *args": (EXPRESSION.replace("{}", "len(dict(*[[(1, 2)]],))"), "0.28.1", "0.29.0"),
    "a comma behind the parameter **kwargs": (
        EXPRESSION.replace("{}", "2\ndef f(**kwargs,):\n    pass"), "0.28.1", "0.29.0"
    ),
    "a keyword-only parameter without a default": (
        EXPRESSION.replace("{}", "2\ndef f(*, a):\n    return a"), "2.0.0", "2.1.0"
    ),
    "integers of more than 32 bits": (EXPRESSION.replace("{}", "2147483648"), "3.7.0", "4.2.0"),
    "complement": (EXPRESSION.replace("{}", "~1"), "0.28.1", "0.29.0"),
}  # fmt: skip


@pytest.mark.parametrize("change", BROUGHT)
def test_accepted_from_a_release_on(change: str) -> None:
    text, last, first = BROUGHT[change]
    assert "before Bazel" in problems(package(text, version=last))[0]
    assert problems(package(text, version=first)) == problems(package(text)) == []


def test_the_union_of_dictionaries() -> None:
    for union in ("len({1: 2} | {3: 4})", "2\ndef f(x = {}):\n    x |= {}\nf({})"):
        text = EXPRESSION.replace("{}", union, 1)
        assert "dict | dict" in problems(package(text, version="5.4.1"))[0]
        assert problems(package(text, version="6.0.0")) == problems(package(text)) == []


@pytest.mark.parametrize("arguments", ["*[1]", "**{1: 2}", "**K", 'name = "x", **K'])
@pytest.mark.parametrize("version", ["1.1.0", "4.2.3", "7.7.1"])
def test_star_arguments_of_build_files(arguments: str, version: str) -> None:
    """Before 1.1 the file is evaluated all the same: the fixture ``broken``."""
    text = f"--- BUILD\nK = {{}}\nfilegroup({arguments})\n"
    assert "not allowed in BUILD files" in problems(package(text, version=version))[0]


NO_KEYS = ["native", "DefaultInfo", "json", "attr", 'select({"//:x": 1})', "attr.string()", "config.bool()"]


@pytest.mark.parametrize("key", NO_KEYS)
@pytest.mark.parametrize("use", ["len({KEY: 1})", "KEY in {1: 2}", "depset([KEY])", "{}.get((1, KEY))"])
def test_values_that_are_no_keys(key: str, use: str) -> None:
    text = EXPRESSION.replace("{}", "1 if {USE} else 2").replace("{USE}", use).replace("KEY", key)
    problem = problems(package(text, version="7.7.1"))[0]
    assert "unhashable type" in problem or "must not be mutable" in problem


@pytest.mark.parametrize("escape", [r"\x41", r"\u0041", r"\U00000041", r"\N"])
@pytest.mark.parametrize("version", ["0.19.1", "4.2.3", "7.7.1"])
def test_escapes_that_no_bazel_has(escape: str, version: str) -> None:
    assert "escape sequence" in problems(package(EXPRESSION.replace("{}", f'"{escape}"'), version=version))[0]


ANNOTATED = """
--- BUILD
load(":a.bzl", "B", "f")
filegroup(name = B, srcs = f("x"))
--- a.bzl
B: str = "x"
def f(x: str) -> list[UnknownType]:
    return []
"""


def test_type_annotations() -> None:
    [problem] = problems(package(ANNOTATED, version="8.7.0"))[:1]
    assert problem == "type annotations are not supported"
    for version in ("9.0.0", ""):
        found = package(ANNOTATED, version=version)
        assert problems(found) == []
        assert "x" in found.targets


def test_scl_files_have_no_types() -> None:
    text = ANNOTATED.replace("a.bzl", "a.scl")
    assert problems(package(text, version="9.0.0"))[0] == "type annotations are not supported"


def test_a_rule_under_third_party_needs_a_license_until_025() -> None:
    text = '--- third_party/x/BUILD\nfilegroup(name = "x")'
    assert "lacks a license" in problems(package(text, "third_party/x", "0.24.1"))[0]
    assert problems(package(text, "third_party/x", "0.25.0")) == []


MODULE_FACTS = """
--- MODULE.bazel
module(name = "m", version = "1.2")
--- BUILD
load(":a.bzl", "names")
names()
--- a.bzl
def names():
    native.filegroup(name = "%s_%s_%s" % (native.module_name(), native.module_version(), str(Label("//:a"))[:-4]))
"""


def names(version: str, **options: bool | None) -> list[str]:
    source = MemorySource(files_of(MODULE_FACTS))
    workspace = open_workspace(".", Options(bazel_version=version, **options), source)  # type: ignore[arg-type]
    found = Loader(workspace).find("", "")
    assert found is not None
    return [name for name in found.targets if name != "BUILD"]


def test_modules_have_names_and_mark_labels() -> None:
    """As Bazel 7.7.1 with and without --enable_bzlmod."""
    assert names("7.7.1") == ["m_1.2_@@"]
    assert names("7.7.1", enable_bzlmod=False) == ["None_None_@"]


def test_line_ends_in_strings_stay() -> None:
    """In triple quotes; a backslash joins lines whatever their ends (the same in all Bazels that were asked)."""
    files = {"WORKSPACE": b"", "a/BUILD": b'load(":a.bzl", "X")\r\nfilegroup(\r\n    name = "x%d_%d" % X,\r\n)\r\n'}
    files["a/a.bzl"] = b'X = (len("""a\r\nb"""), len("a\\\r\nb"))  # end\r\nY = 1 + \\\r\n    1\r\n'
    for version in ("0.17.2", "7.7.1", ""):
        found = Loader(open_workspace(".", Options(bazel_version=version), MemorySource(files))).find("", "a")
        assert found is not None
        assert problems(found) == []
        assert "x4_2" in found.targets


def test_existing_rules_of_unknown_rules_have_what_every_rule_has() -> None:
    text = '--- WORKSPACE\nhttp_archive(name = "gone")\n--- BUILD\nload("@gone//:a.bzl", "mystery")\n'
    text += 'load(":a.bzl", "tagged")\nmystery(name = "m", what = "x")\ntagged()\n--- a.bzl\n'
    text += "def tagged():\n    for name, r in native.existing_rules().items():\n"
    text += "        native.filegroup(name = name + r['what'] + str(len(r['tags'])) + str(len(r['visibility'])))\n"
    found = package(text)
    assert problems(found) == []
    assert "mx00" in found.targets


def test_names_that_a_version_does_not_have() -> None:
    """As bazel-skylib asks: ``hasattr(native, "subpackages")``."""
    text = '--- BUILD\nload(":a.bzl", "m")\nm()\n--- a.bzl\n'
    text += 'def m():\n    native.filegroup(name = "has_%s" % hasattr(native, "subpackages"))\n'
    assert "has_False" in package(text, version="4.2.3").targets
    assert "has_True" in package(text, version="7.7.1").targets
    assert "has_True" in package(text).targets
    macro = '--- BUILD\nload(":a.bzl", "m")\n--- a.bzl\nm = macro(implementation = lambda name, visibility: None)\n'
    assert "name 'macro' is not defined" in problems(package(macro, version="7.7.1"))[0]
    assert problems(package(macro, version="8.0.0")) == problems(package(macro)) == []


@pytest.mark.parametrize("function", ["macro", "module_extension", "rule"])
def test_made_while_a_bzl_file_is_loaded(function: str) -> None:
    text = MAKES.replace("{}", f"{function}(implementation = _impl)")
    assert f"{function}() can only be used during .bzl initialization" in problems(package(text, version="8.0.0"))[0]


@pytest.mark.parametrize(("function", "named"), [("aspect", "aspect()"), ("repository_rule", "repository_rule")])
def test_made_in_a_macro_before_bazel_8(function: str, named: str) -> None:
    """Bazel 4.2.3 and 7.7.1 were asked; of 8 and 9 the sources were read."""
    text = MAKES.replace("{}", f"{function}(implementation = _impl)")
    for version in ("4.2.3", "7.7.1", ""):
        assert problems(package(text, version=version)) == []
    (refused,) = problems(package(text, version="8.0.1"))
    assert refused == f"{named} can only be used during .bzl initialization (top-level evaluation)"


@pytest.mark.parametrize(("version", "text"), [("7.7.1", "@@//x:y"), ("4.2.3", "//x:y")])
def test_only_the_string_of_a_label_marks_the_main_repository(version: str, text: str) -> None:
    files = "--- BUILD\nload(':a.bzl', 'S', 'R')\nfilegroup(name = 'a', tags = [S, R])\n"
    files += "--- a.bzl\nS, R = str(Label('//x:y')), repr(Label('//x:y'))\n"
    assert package(files, version=version).targets["a"].get("tags") == [text, 'Label("//x:y")']


def test_attributes_of_another_bazel_are_refused_by_one_that_was_asked() -> None:
    """A version between two that were asked may have the attributes of both."""
    text = '--- BUILD\ngenrule(name = "g", outs = ["x"], cmd = "", exec_tools = [":t"])\n'
    refused = "//:g: no such attribute 'exec_tools' in 'genrule' rule"
    assert [refused in each for each in problems(package(text, version="7.7.1"))] == [True]
    assert "exec_tools" not in package(text, version="7.7.1").targets["g"].values
    for version in ("4.2.3", "5.3.0", ""):
        assert problems(package(text, version=version)) == [], version


def test_attributes_that_a_rule_does_not_have_may_be_none_in_old_bazels() -> None:
    text = "--- BUILD\nfilegroup(name = 'x', nope = None, srcs = None)\n"
    for version in ("0.19.1", "4.2.3", ""):
        assert problems(package(text, version=version)) == [], version
    assert problems(package(text, version="7.7.1")) == ["//:x: no such attribute 'nope' in 'filegroup' rule"]


def test_a_load_across_a_boundary_is_refused_since_bazel_025() -> None:
    text = "--- BUILD\nload(':a/b.bzl', 'N')\nload('//c:d/e.bzl', 'M')\nfilegroup(name = N + M)\n"
    text += "--- a/BUILD\n--- a/b.bzl\nN = 'x'\n--- c/BUILD\n--- c/d/e.bzl\nM = 'y'\n"
    for version in ("0.24.1", ""):
        assert problems(package(text, version=version)) == []
    for version in ("0.25.1", "1.2.0", "7.7.1"):
        found = package(text, version=version)
        assert problems(found) == ["Label '//:a/b.bzl' is invalid because 'a' is a subpackage"]
        assert "xy" in found.targets


def test_a_load_binds_a_name_once() -> None:
    for file, other in (("BUILD", "a.bzl"), ("a.bzl", "BUILD")):
        text = f"--- {file}\nload(':b.bzl', 'N', N = 'M')\n--- {other}\n--- b.bzl\nN = 'x'\nM = 'y'\n"
        text += "--- BUILD\nload(':a.bzl', 'X')\n" if file == "a.bzl" else ""
        assert problems(package(text))[0] == "load statement defines 'N' more than once"


WRONG_KINDS = {
    "aspect(implementation = _impl, requires = [_impl])": "at index 0 of requires, got element of type function, want",
    "aspect(implementation = _impl, requires = _impl)": "'requires' got value of type 'function', want 'sequence'",
    "aspect(implementation = _impl, required_providers = [[_impl]])": "in 'required_providers' is of unexpected",
    "attr.label(aspects = [_impl])": "at index 0 of aspects, got element of type function, want Aspect",
    "attr.label_list(providers = [DefaultInfo, 1])": "but got an element of type int.",
    "rule(implementation = _impl, provides = [_impl])": "Should be list of providers, but got item of type function.",
    "rule(implementation = _impl, provides = [[DefaultInfo]])": "of providers, but got item of type list.",
    "aspect(implementation = _impl, provides = [[DefaultInfo]])": "element in 'provides' is of unexpected type",
}


@pytest.mark.parametrize("call", WRONG_KINDS)
def test_what_is_no_aspect_or_provider(call: str) -> None:
    text = f'--- BUILD\nload(":a.bzl", "x")\n--- a.bzl\ndef _impl(ctx):\n    pass\nx = {call}\n'
    assert WRONG_KINDS[call] in problems(package(text))[0]


@pytest.mark.parametrize("modules", [True, False])
@pytest.mark.parametrize(("version", "marks"), [("4.2.3", "@"), ("7.7.1", "@@")])
def test_how_functions_providers_and_labels_print(tmp_path: Path, version: str, marks: str, modules: bool) -> None:
    """2.1.0, 4.2.3 and 7.7.1 were asked; a provider is without its name in each. Where there are no modules, str() of a
    label has one sign in 7.7.1 as well."""
    files = {
        "WORKSPACE": 'local_repository(name = "r", path = "r")\n',
        "r/WORKSPACE": "",
        "r/BUILD": "",
        "r/a.bzl": "Info = provider()\nL = Label('//:b')\ndef far():\n    pass\n",
        "near.bzl": "def near():\n    pass\n",
        "BUILD": 'load("@r//:a.bzl", "Info", "L", "far")\nload(":near.bzl", "near")\n'
        'filegroup(name = "a", tags = [str(far), str(near), str(Info), repr(L), str(L)])\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = Options(bazel_version=version, enable_bzlmod=None if modules else False)
    far, near, info, text, shown = Loader(open_workspace(tmp_path, options)).package("", "").targets["a"].values["tags"]
    assert (far, near) == (f"<function far from {marks}r//:a.bzl>", "<function near from //:near.bzl>")
    assert (info, shown, text) == ("<provider>", f'Label("{marks}r//:b")', f"{marks if modules else '@'}r//:b")


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        ('cc_binary(name = "x", linkshared = select({"//conditions:default": True}))', False, True),
        ('java_binary(name = "x", create_executable = select({"//conditions:default": False}))', False, True),
        ('filegroup(name = "x", testonly = select({"//conditions:default": True}))', False, False),
        ('cc_import(name = "x", exec_compatible_with = select({"//conditions:default": []}))', True, False),
    ],
)
def test_where_a_select_may_stand(call: str, old: bool, new: bool) -> None:
    """Rules that are written in Starlark inside of Bazel allow it elsewhere: Bazels 4.2.3 and 7.7.1 were asked."""
    for version, allowed in (("4.2.3", old), ("7.7.1", new)):
        found = package(f"--- BUILD\n{call}\n", version=version)
        refused = any("is not configurable" in each for each in problems(found))
        assert refused != allowed, version


@pytest.mark.parametrize(
    ("text", "version", "message"),
    [
        ('glob(["*"], ["a"])', "0.19.1", "glob() accepts no more than 1 positional argument but got 2"),
        ('glob(["*"], ["a"])', "1.1.0", "glob() accepts no more than 1 positional argument but got 2"),
        ('glob(["*"], ["a"])', "1.2.0", ""),
        ('glob(["*"], ["a"])', "", ""),
        ('glob(include = ["*"], exclude = ["a"], exclude_directories = 1)', "0.19.1", ""),
        ('load(":m.bzl", "files"); files()  # native.glob()', "0.19.1", ""),
        ('licenses(license_strings = ["notice"])', "0.19.1", ""),
        ('licenses(license_strings = ["notice"])', "1.2.0", "licenses() got named argument for positional-only"),
    ],
)
def test_functions_of_build_files_had_other_parameters(text: str, version: str, message: str) -> None:
    """As 0.19.1, 1.0.0, 1.1.0, 1.2.0 and 4.2.3 take and refuse them."""
    written = f"filegroup(name = 'x', srcs = {text})" if text.startswith("glob") else text
    macro = "def files():\n  native.glob(['*'], ['a'])"
    found = problems(package(f"--- BUILD\n{written}\n--- a\n--- b\n--- m.bzl\n{macro}", version=version))
    assert [message in each for each in found] == ([True] if message else [])
