"""WORKSPACE functions: what they record."""

from __future__ import annotations

import pytest

from bzlgraph.base.errors import EvalProblem
from bzlgraph.base.label import Label
from bzlgraph.bazel.context.contexts import WorkspaceContext
from bzlgraph.bazel.files.workspace_functions import workspace_functions
from bzlgraph.facts import for_version
from bzlgraph.starlark import Module, Thread, compile_file
from bzlgraph.starlark.universe import UNIVERSE
from bzlgraph.syntax import parse
from bzlgraph.syntax.dialect import WORKSPACE
from tests.bazel.memory_workspace import open_text


def run(text: str, version: str = "") -> WorkspaceContext:
    names = {**UNIVERSE, **workspace_functions()}
    context = WorkspaceContext("", "", facts=for_version(version))
    program = compile_file(parse(text, "WORKSPACE", WORKSPACE), WORKSPACE, names)
    Module(program, names).run(Thread(host=context))
    return context


def test_everything_is_recorded() -> None:
    context = run(
        'workspace(name = "me")\nbind(name = "b", actual = "//x:y")\nlocal_repository(name = "l", path = "p")\n'
        'new_local_repository(name = "n", path = "q", build_file = "n.BUILD")\n'
        'maven_jar(name = "j", artifact = "a:b:1")\n'
        'android_sdk_repository()\nregister_toolchains("//t:all", "//u")\nregister_execution_platforms("//p")\n'
    )
    assert context.workspace_name == "me"
    assert context.binds["b"].actual == Label("", "x", "y")
    assert [(call.name, call.rule) for call in context.repositories.values()] == [
        ("l", "local_repository"),
        ("n", "new_local_repository"),
        ("j", "maven_jar"),
        ("androidsdk", "android_sdk_repository"),
    ]
    assert context.repositories["n"].attributes == {"path": "q", "build_file": "n.BUILD"}
    assert context.repositories["n"].location.line == 4
    assert context.toolchains == ["//t:all", "//u"]
    assert context.platforms == ["//p"]


@pytest.mark.parametrize(
    ("version", "has_sdk", "d8"),
    [
        ("0.19.1", Label("bazel_tools", "tools/android", "always_true"), None),
        ("2.1.0", Label("bazel_tools", "tools/android", "always_true"), Label("sdk", "", "d8_jar_import")),
        ("7.7.1", Label("sdk", "", "has_androidsdk"), Label("sdk", "", "d8_jar_import")),
    ],
)
def test_android_repositories_replace_what_bazel_binds(version: str, has_sdk: Label, d8: Label | None) -> None:
    """As 0.19.1, 0.24.1, 2.1.0 and 7.7.1 answer `kind(bind, //external:*) --output=build`; 4.2.3 is built without."""
    binds = run('android_sdk_repository(name = "sdk")\n\nandroid_ndk_repository()\n', version).binds
    assert binds["android/sdk"].actual == Label("sdk", "", "sdk")
    assert binds["android/dx_jar_import"].actual == Label("sdk", "", "dx_jar_import")
    assert binds["android_sdk_for_testing"].actual == Label("sdk", "", "files")
    assert binds["android/crosstool"].actual == Label("androidndk", "", "default_crosstool")
    assert binds["android_ndk_for_testing"].actual == Label("androidndk", "", "files")
    assert binds["has_androidsdk"].actual == has_sdk
    assert (binds["android/d8_jar_import"].actual if "android/d8_jar_import" in binds else None) == d8
    assert [binds[name].location.line for name in ("android/sdk", "android/crosstool")] == [1, 3]


def test_a_later_call_wins() -> None:
    context = run('http_archive(name = "a", url = "1")\nhttp_archive(name = "a", url = "2")')
    assert context.repositories["a"].attributes == {"url": "2"}


def test_a_name_is_the_predeclared_one_until_a_load_binds_it() -> None:
    """Each load() begins a file of its own: TensorFlow Serving loads ``workspace`` four times. Asked of 0.19.1, 2.1.0,
    4.2.3 and 7.7.1."""
    text = """
--- WORKSPACE
workspace(name = "w")
load("//:a.bzl", "workspace")
workspace("x")
load("//:b.bzl", "workspace")
workspace("y")
--- BUILD
--- a.bzl
def workspace(name):
    native.local_repository(name = name, path = name)
--- b.bzl
def workspace(name):
    native.local_repository(name = name + "_b", path = name)
"""
    found = open_text(text)
    assert found.diagnostics == []
    assert {"x", "y_b"} <= set(found.repositories.calls)
    assert found.map_repository("", "w") == ""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('workspace(name = "a b")', "a b is not a legal workspace name"),
        ('local_repository(path = "x")', "local_repository rule has no 'name' attribute"),
        ('workspace("abc")', "positional"),
        ('local_repository(name = "a")', "missing value for mandatory attribute 'path' in 'local_repository' rule"),
        ('workspace(name = "_a")', "_a is not a legal workspace name"),
        ('local_repository(name = "1a", path = "x")', "must be a legal workspace name"),
        ('bind(name = "a", actual = "//:x", visibility = [])', "unexpected keyword"),
        ('register_toolchains(["//:x"])', "expected type 'string' for 'toolchain_labels' element but got type 'list'"),
        ('local_repository("x")', "unexpected positional arguments"),
        ('bind(name = "x", actual = "a//b")', "in attribute 'actual' in 'bind' rule"),
    ],
)
def test_errors(code: str, words: str) -> None:
    with pytest.raises(EvalProblem, match=words):
        run(code)


DEFINITIONS = "A = 1\ndef _r(ctx):\n    pass\nr = repository_rule(implementation = _r)\n"


@pytest.mark.parametrize(
    ("code", "takes", "refuses"),
    [
        ('http_archive(name = "a", url = "x")', ("0.19.1", "0.22.0"), ("0.23.2", "4.2.3", "7.7.1")),
        ('git_repository(name = "a")', ("0.22.0",), ("0.24.1", "7.7.1")),
        ('maven_jar(name = "a", artifact = "x:y:1")', ("0.24.1", "1.2.0"), ("2.0.0", "4.2.3")),
        ('workspace(name = "a-b")', ("4.2.3", "7.7.1"), ("0.24.1", "2.1.0")),
        ('local_repository(name = "a.b", path = "p")', ("4.2.3", "7.7.1"), ("0.24.1", "2.1.0")),
        ('bind(name = "a", actual = ":x")', ("7.7.1",), ("0.24.1", "4.2.3")),
        ('print(Label("//:x"))', (), ("0.19.1", "2.1.0", "7.7.1")),
        ('native.bind(name = "a", actual = "//:x")', (), ("0.19.1", "2.1.0", "7.7.1")),
        (
            'local_repository(name = "local_jdk", path = "p")',
            ("0.19.1", "4.2.3", "7.7.1"),
            ("0.20.0", "0.24.1", "2.1.0"),
        ),
        ('load("//:d.bzl", "r")\nr(name = "local_jdk")', ("4.2.3", "7.7.1"), ("0.19.1", "0.24.1", "2.1.0")),
        ('bind(name = "local_jdk", actual = "//:x")', ("0.19.1", "4.2.3", "7.7.1"), ("0.24.1", "1.2.0", "2.1.0")),
        ('local_repository(name = "embedded_jdk", path = "p")', ("0.19.1", "0.22.0", "2.1.0"), ("0.20.0", "0.21.0")),
        ('load("//:d.bzl", "A")\nlocal_repository(name = "bazel_tools", path = "p")', (), ("0.19.1", "2.1.0", "7.7.1")),
        ('load("//:d.bzl", "A")\nworkspace(name = "b")', (), ("0.24.1", "2.1.0", "7.7.1")),
    ],
)
def test_what_workspace_files_may_say(code: str, takes: tuple[str, ...], refuses: tuple[str, ...]) -> None:
    """Each was asked of the Bazels named."""
    for version in (*takes, *refuses):
        found = open_text(f"--- WORKSPACE\n{code}\n--- BUILD\n--- d.bzl\n{DEFINITIONS}", version).diagnostics
        assert bool(found) == (version in refuses), (version, found)


def test_a_checkout_that_names_no_bazel_has_the_rules_of_old_ones() -> None:
    assert not open_text('--- WORKSPACE\nhttp_archive(name = "a", url = "x")\n').diagnostics


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            'local_repository(name = "r", path = "x")\nload("//:d.bzl", "s")\nlocal_repository(name = "r", path = "y")',
            3,
        ),
        (
            'load("//:d.bzl", "s")\nlocal_repository(name = "r", path = "x")\nlocal_repository(name = "r", path = "y")',
            3,
        ),
        ('load("//:d.bzl", "s")\ns(name = "r")\nlocal_repository(name = "r", path = "y")', 3),
        ('bind(name = "r", actual = "//:a")\nload("//:d.bzl", "s")\nlocal_repository(name = "r", path = "y")', 3),
        ('load("//:d.bzl", "m")\nlocal_repository(name = "r", path = "x")\nm()', 3),
        ('local_repository(name = "r", path = "x")\nload("//:d.bzl", "s")\ns(name = "r")', 0),
        ('load("//:d.bzl", "s")\ns(name = "r")\ns(name = "r")', 0),
        ('bind(name = "r", actual = "//:a")\nload("//:d.bzl", "s")\nbind(name = "r", actual = "//:b")', 0),
        ('local_repository(name = "r", path = "x")\nlocal_repository(name = "r", path = "y")', 0),
    ],
)
def test_a_native_rule_replaces_nothing_behind_a_load(text: str, place: int) -> None:
    """As Bazel 0.19.1 and 4.2.3 say, each asked with these files."""
    defs = (
        "def _s(ctx):\n    pass\ns = repository_rule(implementation = _s)\n"
        'def m():\n    native.local_repository(name = "r", path = "y")\n'
    )
    found = open_text(f"--- WORKSPACE\n{text}\n--- d.bzl\n{defs}--- BUILD\n--- x/BUILD\n--- y/BUILD\n").diagnostics
    words = "Cannot redefine repository after any load statement in the WORKSPACE file (for repository 'r')"
    assert [each.message for each in found] == [words] * bool(place)
    assert [each.stack[-1].location.line for each in found] == [place] * bool(place)
