"""MODULE.bazel: what each call records, and Bazel's words (7.7.1) for what is wrong."""

from __future__ import annotations

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bzlmod.module import ModuleFile, MultipleVersionOverride, RepositoryOverride, SingleVersionOverride
from tests.bazel.memory_workspace import open_text, package, problems, rule

MODULE = """
--- MODULE.bazel
module(name = "mine", version = "1.0", repo_name = "myself", compatibility_level = 1, bazel_compatibility = [">=7.0.0"])
bazel_dep(name = "abseil-cpp", version = "2024+build", repo_name = "com_google_absl")
bazel_dep(name = "rules_cc", version = "0.1", max_compatibility_level = 3, dev_dependency = True)
bazel_dep(name = "hidden", version = "1", repo_name = None)
local_path_override(module_name = "abseil-cpp", path = "third_party/absl")
single_version_override(module_name = "rules_cc", version = "0.2", patches = ["//:a.patch"], patch_strip = 1)
multiple_version_override(module_name = "hidden", versions = ["1", "2"])
ext = use_extension("//:ext.bzl", "ext", dev_dependency = True)
ext.tag(name = "a", deps = ["//x"])
use_repo(ext, "one", two = "made_two")
again = use_extension("@myself//:ext.bzl", "ext")
again.other()
use_repo(again, "three")
alone = use_extension("//:ext.bzl", "ext", isolate = True)
http_file = use_repo_rule("@bazel_tools//tools/build_defs/repo:http.bzl", "http_file")
http_file(name = "file", url = "u")
register_toolchains("//:all", dev_dependency = True)
register_execution_platforms("@myself//:host")
flag_alias(name = "short", starlark_flag = "//:flag")
inject_repo(again, "hub", extra = "two")
override_repo(again, one = "file")
include("//sub:more.MODULE.bazel")
bazel_dep(name = "last", version = "1")
--- sub/BUILD
--- sub/more.MODULE.bazel
bazel_dep(name = "included", version = "1")
--- BUILD
load("@rules_cc//cc:defs.bzl", "cc_library")
cc_library(name = "x", deps = ["@com_google_absl//absl/base", "@myself//:y"])
--- p/BUILD
cc_library(name = "z", deps = ["@two//:lib"])
"""


def module_file(text: str) -> ModuleFile:
    """What the root's MODULE.bazel says."""
    workspace = open_text(f"--- BUILD\n--- MODULE.bazel\n{text}")
    assert [each.message for each in workspace.diagnostics] == []
    assert workspace.resolved_modules is not None
    found = workspace.resolved_modules.root.file
    assert found is not None
    return found


def refusals(text: str, version: str = "") -> list[str]:
    """What is wrong with it."""
    files = "--- BUILD\n--- x.MODULE.bazel\n--- loop.MODULE.bazel\ninclude('//:loop.MODULE.bazel')\n"
    return [each.message for each in open_text(f"{files}--- MODULE.bazel\n{text}", version).diagnostics]


class TestWhatIsRecorded:
    def test_the_module(self) -> None:
        file = _recorded()
        assert (file.name, file.version, file.repo_name, file.compatibility_level) == ("mine", "1.0", "myself", 1)
        assert file.bazel_compatibility == (">=7.0.0",)
        assert str(file.location) == "MODULE.bazel:1:7"

    def test_dependencies_with_their_places_included_ones_where_they_are_included(self) -> None:
        listed = [
            (str(each.key), each.repo_name, each.max_compatibility_level, each.dev, str(each.location))
            for each in _recorded().dependencies
        ]
        assert listed == [
            ("abseil-cpp@2024", "com_google_absl", -1, False, "MODULE.bazel:2:10"),
            ("rules_cc@0.1", "rules_cc", 3, True, "MODULE.bazel:3:10"),
            ("hidden@1", None, -1, False, "MODULE.bazel:4:10"),
            ("included@1", "included", -1, False, "sub/more.MODULE.bazel:1:10"),
            ("last@1", "last", -1, False, "MODULE.bazel:23:10"),
        ]
        assert _recorded().includes == ("sub/more.MODULE.bazel",)

    def test_overrides(self) -> None:
        local, single, multiple = _recorded().overrides.values()
        assert isinstance(local, RepositoryOverride)
        assert (local.rule, local.attributes) == ("local_path_override", {"path": "third_party/absl"})
        assert isinstance(single, SingleVersionOverride)
        assert (single.version, single.patches, single.patch_strip) == ("0.2", ("//:a.patch",), 1)
        assert isinstance(multiple, MultipleVersionOverride)
        assert multiple.versions == ("1", "2")

    def test_usages_of_one_extension_are_one_and_isolated_ones_stand_alone(self) -> None:
        shared, alone = _recorded().usages
        assert (shared.bzl, shared.name, shared.isolated) == ("@myself//:ext.bzl", "ext", False)
        assert [(each.name, each.attributes, each.dev) for each in shared.tags] == [
            ("tag", {"name": "a", "deps": ["//x"]}, True),
            ("other", {}, False),
        ]
        assert [(each.apparent, each.repository, each.dev) for each in shared.imports] == [
            ("one", "one", True),
            ("two", "made_two", True),
            ("three", "three", False),
        ]
        assert [(each.repository, each.overriding, each.must_exist) for each in shared.overrides] == [
            ("hub", "hub", False),
            ("extra", "two", False),
            ("one", "file", True),
        ]
        assert (alone.isolated, alone.isolation) == (True, "alone")

    def test_the_rest(self) -> None:
        file = _recorded()
        (made,) = file.repo_rules
        assert (made.rule, made.name, made.attributes) == ("http_file", "file", {"url": "u"})
        assert [(each.pattern, each.dev) for each in file.toolchains] == [("//:all", True)]
        assert [each.pattern for each in file.platforms] == ["@myself//:host"]
        assert [(each.name, each.flag) for each in file.flag_aliases] == [("short", "//:flag")]


def _recorded() -> ModuleFile:
    modules = open_text(MODULE).resolved_modules
    assert modules is not None
    file = modules.root.file
    assert file is not None
    return file


def test_packages_load() -> None:
    made = package(MODULE)
    deps = rule(made, "x").get("deps")
    assert deps == [Label("com_google_absl", "absl/base", "base"), Label("", "", "y")]
    assert problems(package(MODULE, "p")) == []


def test_wrong_calls_are_reported() -> None:
    text = "--- MODULE.bazel\nbazel_dep(name = 'a', nothing_like_it = 1)\n--- BUILD\n"
    (problem,) = open_text(text).diagnostics
    assert "nothing_like_it" in problem.message
    assert problem.location is not None
    assert problem.location.path == "MODULE.bazel"


def test_literal_keyword_arguments_and_expressions_are_fine() -> None:
    loop = '[bazel_dep(name = n, version = "1") for n in ["a", "b"]]'
    file = module_file(f'{loop}\nbazel_dep(**{{"name": "c", "version": "1"}})\n')
    assert [each.name for each in file.dependencies] == ["a", "b", "c"]


NAMES = "valid names may contain only A-Z, a-z, 0-9, '-', '_', '.', and must start with a letter"
EXT = 'e = use_extension("//:e.bzl", "e")\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('module(name="a")\nmodule(name="b")', "the module() directive can only be called once"),
        (
            'bazel_dep(name="a", version="1.0")\nmodule(name="b")',
            "if module() is called, it must be called before any other functions",
        ),
        ('module(name="A!")', "invalid module name 'A!': valid names must 1) only contain lowercase letters"),
        ('module(name="a", version="1_0")', "Invalid version in module()"),
        ('module(name="a", repo_name="1!")', f"invalid user-provided repo name '1!': {NAMES}"),
        (
            'module(name="a", bazel_compatibility=["7.0"])',
            "invalid version argument '7.0': valid argument must 1) start",
        ),
        ('bazel_dep(name="a", version="1..0")', "Invalid version in bazel_dep()"),
        ('bazel_dep(name="a", version="1", repo_name="a/b")', f"invalid user-provided repo name 'a/b': {NAMES}"),
        (
            'module(name="a")\nbazel_dep(name="a", version="1")',
            "The repo name 'a' is already being used as the current module name at MODULE.bazel:1:7",
        ),
        (
            'bazel_dep(name="a", version="1")\nbazel_dep(name="b", version="1", repo_name="a")',
            "The repo name 'a' is already being used by a bazel_dep at MODULE.bazel:1:10",
        ),
        (
            'single_version_override(module_name="a")\nlocal_path_override(module_name="a", path="x")',
            "multiple overrides for dep a found",
        ),
        (
            'multiple_version_override(module_name="a", versions=["1"])',
            "multiple_version_override() must specify at least 2 versions",
        ),
        (
            'single_version_override(module_name="a", patches=["@x//:p"])',
            "invalid label in 'patches': only patches in the main repository can be applied, not from '@x'",
        ),
        (
            'use_repo("x", "y")',
            "in call to use_repo(), parameter 'extension_proxy' got value of type 'string', want 'module_",
        ),
        (
            f'{EXT}use_repo(e, "y")\nuse_repo(e, z = "y")',
            "The repo exported as 'y' by module extension 'e' is already imported at MODULE.bazel:2:9",
        ),
        (
            f'{EXT}use_repo(e, "y")\nuse_repo(e, y = "z")',
            "The repo name 'y' is already being used by a use_repo() call at MODULE.bazel:2:9",
        ),
        (
            f'{EXT}override_repo(e, "y", "y")',
            "The repo exported as 'y' by module extension 'e' is already overridden with 'y' at MODULE.bazel:2:14",
        ),
        (
            f'{EXT}override_repo(e, "y")',
            "The repo exported as 'y' by module extension 'e' is overridden with 'y', but no repo is visible",
        ),
        (
            f'{EXT}use_repo(e, x = "y")\noverride_repo(e, z = "x", y = "bazel_tools")',
            "The repo 'x' used as an override for 'z' in module extension 'e' is itself overridden with 'bazel_tools'",
        ),
        (
            f'{EXT}inject_repo(e, y = "bazel_tools")\nuse_repo(e, x = "y")',
            "Cannot import repo 'y' that has been injected into module extension 'e' at MODULE.bazel:2:12. Please",
        ),
        (
            f'{EXT}use_repo(e, bazel_tools = "y")',
            "call at MODULE.bazel:2:9, 'bazel_tools' is a built-in dependency and cannot be used by any 'bazel_dep' or",
        ),
        (
            'single_version_override(module_name = "a", patches = ["//:x:y"])',
            "invalid label \"//:x:y\" in 'patches': invalid target name 'x:y'",
        ),
        (
            'e = use_extension("//:MODULE.bazel", "_repo_rules")',
            "innate extensions cannot be directly used; try `use_repo_rule` instead",
        ),
        (
            'e = use_extension("//:e.bzl", "e", dev_dependency = 1)',
            "in call to use_extension(), parameter 'dev_dependency' got value of type 'int', want 'bool'",
        ),
        (
            'register_toolchains(":all")',
            "Expected absolute target patterns (must begin with '//' or '@') for 'register_toolchains' argument",
        ),
        (
            "register_execution_platforms(1)",
            "at index 0 of register_execution_platforms, got element of type int, want string",
        ),
        (
            'include(":x.MODULE.bazel")',
            "bad include label ':x.MODULE.bazel' at MODULE.bazel:1:8: include() must be called with main repo labels",
        ),
        (
            'include("//:x.bazel")',
            "bad include label '//:x.bazel' at MODULE.bazel:1:8: the file to be included must have a name ending in",
        ),
        (
            'include("//:no.MODULE.bazel")',
            "error reading '//:no.MODULE.bazel' included at MODULE.bazel:1:8: not a regular file",
        ),
        (
            'include("//no:x.MODULE.bazel")',
            "unable to load package for '//no:x.MODULE.bazel' included at MODULE.bazel:1:8",
        ),
        ('include("//:loop.MODULE.bazel")', "cycle of include() calls: MODULE.bazel -> loop.MODULE.bazel -> loop"),
        ("a = 1\na = 2", "'a'"),
        ('load("//:x.bzl", "x")', "`load`"),
        ("select({})", "'select' is not defined"),
        ('Label("//:x")', "'Label' is not defined"),
        ('use_repo_rule("//:r.bzl", "r")(name = "a/b")', f"invalid user-provided repo name 'a/b': {NAMES}"),
        (
            'bazel_dep(name = "a")',
            "bad bazel_dep on module 'a' with no version. Did you forget to specify a version, or a",
        ),
        (
            'module(name = "a")\nlocal_path_override(module_name = "a", path = "x")',
            "invalid override for the root module found",
        ),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    (found, *_) = refusals(text)
    assert message in found


def test_variables_are_not_shared_with_included_files() -> None:
    text = '--- BUILD\n--- x.MODULE.bazel\nprint(here)\n--- MODULE.bazel\nhere = 1\ninclude("//:x.MODULE.bazel")\n'
    (problem,) = open_text(text).diagnostics
    assert "'here' is not defined" in problem.message
    assert problem.location is not None
    assert problem.location.path == "x.MODULE.bazel"


_DEPENDENCY = 'bazel_dep(name = "x")\n'


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('archive_override(module_name = "x", urls = ["u"], sha256 = "s")', "got unexpected keyword argument 'sha256'"),
        ('archive_override(module_name = "x")', "archive_override() missing 1 required named argument: urls"),
        ('git_override(module_name = "x", remote = "r", tag = "t")', "got unexpected keyword argument 'tag'"),
        ('local_path_override(module_name = "x")', "local_path_override() missing 1 required named argument: path"),
    ],
)
def test_overrides_take_what_bazel_7_takes(call: str, message: str) -> None:
    (found, *_) = refusals(_DEPENDENCY + call, "7.7.1")
    assert message in found


@pytest.mark.parametrize("version", ["", "8.0.0"])
def test_overrides_take_what_their_rules_take_since_bazel_8(version: str) -> None:
    call = 'archive_override(module_name = "x", urls = ["u"], sha256 = "s", type = "zip")'
    assert not any("unexpected" in each for each in refusals(_DEPENDENCY + call, version))


@pytest.mark.parametrize(("version", "refused"), [("", False), ("5.4.0", False), ("7.7.1", True)])
def test_the_arguments_that_module_has_in_bazel_5_alone(version: str, refused: bool) -> None:
    """Seen in rules_java and rules_cc of 2022."""
    found = refusals('module(name = "x", toolchains_to_register = ["//:t"])', version)
    assert any("unexpected keyword argument 'toolchains_to_register'" in each for each in found) == refused
