"""Where MODULE.bazel files of dependencies are found, and what is said where they are not."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from bzlgraph.bzlmod.module import ModuleKey
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.workspace import open_workspace
from tests.workspace.modules import opened, registry, used
from tests.written_files import write_files

REGISTRY = "https://registry.example"


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    return write_files(tmp_path / "ws", {"MODULE.bazel": 'bazel_dep(name = "a", version = "1")', "BUILD": ""})


def test_the_first_registry_that_has_the_version_wins(ws: Path, tmp_path: Path) -> None:
    first = registry(tmp_path / "first", "b@1: d@1", "d@1")
    second = registry(tmp_path / "second", "a@1: b@1 c@1", "b@1", "c@1")
    workspace = opened(ws, first, second)
    assert used(workspace) == ["a@1", "b@1", "c@1", "d@1"]
    a = workspace.repository("a")
    assert a.present
    assert a.tree.build_file("") == "BUILD"
    assert workspace.map_repository("", "b") == "@[unknown repo 'b' requested from @@]"
    assert workspace.map_repository("a", "b") == "@b~"
    assert workspace.repository("@b~").present


def test_a_module_that_no_registry_has_is_an_error_with_the_way_to_it(ws: Path, tmp_path: Path) -> None:
    workspace = opened(ws, registry(tmp_path / "r", "a@1: b@1"))
    messages = [each.message for each in workspace.diagnostics]
    assert any(
        each.startswith("in module dependency chain <root> -> a@1 -> b@1: module b@1 not found") for each in messages
    )


def test_a_server_is_not_asked_and_what_it_may_have_is_a_gap(ws: Path) -> None:
    workspace = opened(ws, REGISTRY)
    assert workspace.diagnostics == []
    resolved = workspace.resolved_modules
    assert resolved is not None
    assert resolved.modules[ModuleKey("a", "1")].file is None
    assert any("MODULE.bazel of a@1 is not on disk" in gap.what for gap in resolved.gaps)
    assert any("--registry=file://DIR" in gap.hides for gap in workspace.context.gaps)


def test_files_of_a_server_that_were_downloaded_before_are_read(ws: Path, tmp_path: Path) -> None:
    files = {
        "modules/a/1/MODULE.bazel": 'module(name = "a", version = "1")\nbazel_dep(name = "b", version = "2")',
        "modules/a/1/source.json": json.dumps({"url": "https://a.example/a.tgz", "integrity": "sha256-x"}),
        "modules/b/2/MODULE.bazel": 'module(name = "b", version = "2")',
    }
    hashes = {}
    for name, text in files.items():
        digest = hashlib.sha256(text.encode()).hexdigest()
        hashes[f"{REGISTRY}/{name}"] = digest
        write_files(tmp_path / "cache/content_addressable/sha256", {f"{digest}/file": text})
    write_files(ws, {"MODULE.bazel.lock": json.dumps({"lockFileVersion": 11, "registryFileHashes": hashes})})
    workspace = opened(ws, REGISTRY, repository_cache=tmp_path / "cache")
    assert used(workspace) == ["a@1", "b@2"]
    call = workspace.repository("a").call
    assert call is not None
    assert (call.rule, call.attributes["urls"]) == ("http_archive", ["https://a.example/a.tgz"])
    assert used(opened(ws, REGISTRY, repository_cache=tmp_path / "cache", lockfile_mode="off")) == ["a@1"]


def test_a_lock_file_alone_tells_the_versions(ws: Path) -> None:
    hashes = {f"{REGISTRY}/modules/{each}/source.json": "x" for each in ("a/1.5", "b/2")}
    write_files(ws, {"MODULE.bazel.lock": json.dumps({"lockFileVersion": 11, "registryFileHashes": hashes})})
    workspace = opened(ws, REGISTRY)
    assert used(workspace) == ["a@1.5", "b@2"]
    resolved = workspace.resolved_modules
    assert resolved is not None
    assert [str(asker) for asker, _ in resolved.requesters(ModuleKey("a", "1.5"))] == ["<root>"]
    assert list(resolved.requesters(ModuleKey("b", "2"))) == []


@pytest.mark.parametrize(("version", "told"), [(13, False), (11, True), (3, True), (99, True)])
def test_a_lock_file_of_another_version_is_not_used_silently(ws: Path, version: int, told: bool) -> None:
    content = (
        {"moduleDepGraph": {"a@1": {"name": "a", "version": "1"}}}
        if version < 10
        else {"registryFileHashes": {f"{REGISTRY}/modules/a/1/source.json": "x"}}
    )
    write_files(ws, {"MODULE.bazel.lock": json.dumps({"lockFileVersion": version, **content})})
    workspace = opened(ws, REGISTRY)
    words = f"MODULE.bazel.lock has version {version}, which Bazel 7.7.1 does not read"
    assert any(gap.what == words for gap in workspace.context.gaps) == told


@pytest.mark.parametrize(
    ("lock", "problem"),
    [
        (None, ""),
        ({"lockFileVersion": 13, "registryFileHashes": {f"{REGISTRY}/modules/a/1/MODULE.bazel": "x"}}, ""),
        ({"lockFileVersion": 13, "registryFileHashes": {}}, "Missing checksum for registry file"),
        ({"lockFileVersion": 3}, "is not supported by this version of Bazel"),
        ({}, "is not supported by this version of Bazel"),
    ],
)
def test_a_lock_file_that_must_be_up_to_date(ws: Path, tmp_path: Path, lock: object, problem: str) -> None:
    """As Bazel 7.7.1 says of versions; it finds no fault with registries in folders of this machine."""
    text = 'module(name = "a", version = "1")'
    digest = hashlib.sha256(text.encode()).hexdigest()
    write_files(tmp_path / "cache/content_addressable/sha256", {f"{digest}/file": text})
    if isinstance(lock, dict) and "registryFileHashes" in lock:
        lock = {**lock, "registryFileHashes": dict.fromkeys(lock["registryFileHashes"], digest)}
        write_files(ws, {"vendor/_registries/registry.example/modules/a/1/MODULE.bazel": text})
    if lock is not None:
        write_files(ws, {"MODULE.bazel.lock": json.dumps(lock)})
    workspace = opened(ws, REGISTRY, version="7.7.1", repository_cache=tmp_path / "cache", lockfile_mode="error")
    said = "".join(each.message for each in workspace.diagnostics)
    assert problem in said if problem else "lockfile" not in said


def test_a_lock_file_does_not_count_against_files_that_are_all_there(ws: Path, tmp_path: Path) -> None:
    own = registry(tmp_path / "r", *BAZELS_OWN, "a@1", "a@2")
    hashes = {f"{own}/modules/a/2/source.json": "x"}
    write_files(ws, {"MODULE.bazel.lock": json.dumps({"registryFileHashes": hashes})})
    assert used(opened(ws, own)) == ["a@1"]


BAZELS_OWN = (
    *("rules_cc@0.0.11", "rules_java@7.6.5", "rules_license@0.0.3", "rules_proto@4.0.0", "rules_python@0.22.1"),
    *("buildozer@7.1.2", "platforms@0.0.7", "platforms@0.0.9", "protobuf@3.19.6", "zlib@1.3.1.bcr.3"),
    "apple_support@1.23.1",
)


class TestOverrides:
    def test_a_folder_of_the_file_or_of_the_command_line(self, ws: Path, tmp_path: Path) -> None:
        override = '\nlocal_path_override(module_name = "a", path = "own/a")'
        write_files(ws, {"MODULE.bazel": f'bazel_dep(name = "a"){override}', "own/a/BUILD": ""})
        write_files(
            ws, {"own/a/MODULE.bazel": 'module(name = "a", version = "9")\nbazel_dep(name = "b", version = "1")'}
        )
        own = registry(tmp_path / "r", "b@1")
        assert used(opened(ws, own)) == ["a@_", "b@1"]
        elsewhere = write_files(tmp_path / "else", {"MODULE.bazel": 'module(name = "a")', "BUILD": ""})
        workspace = opened(ws, own, override_modules=(("a", elsewhere),))
        assert used(workspace) == ["a@_"]
        assert getattr(workspace.repository("a").tree.source, "root", None) == elsewhere

    @pytest.mark.parametrize(
        ("files", "message"),
        [
            ({}, "it does not exist or is not a directory"),
            ({"own/BUILD": ""}, "MODULE.bazel expected but not found"),
            ({"own/MODULE.bazel": 'module(name = "other")'}, "declares a different name (other)"),
        ],
    )
    def test_a_folder_that_is_not_that_module(self, ws: Path, files: dict[str, str], message: str) -> None:
        override = 'local_path_override(module_name = "a", path = "own")'
        write_files(ws, {"MODULE.bazel": f'bazel_dep(name = "a")\n{override}', **files})
        assert any(message in each.message for each in opened(ws, REGISTRY).diagnostics)

    def test_a_folder_outside_of_the_checkout_is_read_where_an_option_says_so(self, tmp_path: Path) -> None:
        """As an example of a rule set in a folder of its checkout names that: ``path = "../.."``."""
        override = 'local_path_override(module_name = "a", path = "../..")'
        outer = write_files(tmp_path / "outer", {"MODULE.bazel": 'module(name = "a")', "BUILD": ""})
        inner = write_files(outer / "examples/one", {"MODULE.bazel": f'bazel_dep(name = "a")\n{override}'})
        (told,) = opened(inner, REGISTRY).diagnostics
        assert f"{outer} is outside the checkout and is not read" in told.message
        assert told.hint == f"--override_module=a={outer} reads it"
        assert opened(inner, REGISTRY, override_modules=(("a", outer),)).diagnostics == []

    @pytest.mark.parametrize("folder", ["own/llvm", "own/llvm/bazel"])
    def test_a_folder_of_a_submodule_that_is_not_checked_out_is_a_gap(self, ws: Path, folder: str) -> None:
        override = f'local_path_override(module_name = "a", path = "{folder}")'
        write_files(ws, {"MODULE.bazel": f'bazel_dep(name = "a")\n{override}'})
        write_files(ws, {".gitmodules": '[submodule "llvm"]\n\tpath = own/llvm\n\turl = ../llvm\n'})
        (ws / "own/llvm").mkdir(parents=True)
        workspace = opened(ws, REGISTRY)
        assert workspace.diagnostics == []
        resolved = workspace.resolved_modules
        assert resolved is not None
        way = "(its submodule is not checked out: git submodule update --init own/llvm)"
        assert [gap.what for gap in resolved.gaps if way in gap.hides] == ["MODULE.bazel of a@_ is not on disk"]

    @pytest.mark.parametrize(
        ("version", "told"),
        [("8.4.2", ["it can only be used in the root module"]), ("8.5.0", [])],
    )
    def test_a_folder_whose_module_file_includes_others(self, ws: Path, version: str, told: list[str]) -> None:
        override = 'local_path_override(module_name = "a", path = "a")'
        write_files(ws, {"MODULE.bazel": f'bazel_dep(name = "a")\n{override}', "a/BUILD": "", "a/sub/BUILD": ""})
        write_files(ws / "a", {"MODULE.bazel": 'module(name = "a")\ninclude("//sub:x.MODULE.bazel")'})
        write_files(
            ws / "a/sub", {"x.MODULE.bazel": 'bazel_dep(name = "b")\nbazel_dep(name = "c", version = "1", x = 1)'}
        )
        workspace = opened(ws, REGISTRY, version=version)
        messages = [f"{each.location}: {each.message}" for each in workspace.diagnostics if "include" in each.message]
        assert [each.partition(", but ")[2] for each in messages] == told
        places = [str(each.location) for each in workspace.diagnostics if "unexpected keyword" in each.message]
        assert places == ([] if told else ["a/sub/x.MODULE.bazel:2:10"])

    def test_a_module_of_a_registry_includes_nothing(self, ws: Path, tmp_path: Path) -> None:
        place = registry(tmp_path / "r", "a@1")
        write_files(tmp_path / "r/modules/a/1", {"MODULE.bazel": 'module(name = "a", version = "1")\ninclude("//:x")'})
        messages = [each.message for each in opened(ws, place, version="9.0.0").diagnostics]
        expected = "it can only be used in the root module or in modules with non-registry overrides"
        assert [each.partition(", but ")[2] for each in messages if "include" in each] == [expected]

    def test_an_archive_is_known_by_its_rule(self, ws: Path) -> None:
        override = (
            'archive_override(module_name = "a", urls = "https://a.example/a.tgz", patches = ["//:p"], patch_strip = 1)'
        )
        write_files(ws, {"MODULE.bazel": f'bazel_dep(name = "a")\n{override}'})
        call = opened(ws, REGISTRY).repository("a").call
        assert call is not None
        assert call.rule == "http_archive"
        assert call.attributes["urls"] == ["https://a.example/a.tgz"]
        assert call.attributes["patch_args"] == ["-p1"]

    def test_an_archive_that_is_here_tells_its_own_module_file(self, ws: Path, tmp_path: Path) -> None:
        archive = ws / "a.tar"
        own = b'module(name = "a")\nbazel_dep(name = "b", version = "1")'
        with tarfile.open(archive, "w") as tar:
            info = tarfile.TarInfo("a-main/MODULE.bazel")
            info.size = len(own)
            tar.addfile(info, io.BytesIO(own))
        override = f'archive_override(module_name = "a", urls = "{archive.as_uri()}", strip_prefix = "a-main")'
        write_files(ws, {"MODULE.bazel": f'bazel_dep(name = "a")\n{override}'})
        workspace = opened(ws, registry(tmp_path / "r", "b@1"))
        assert used(workspace) == ["a@_", "b@1"]
        assert workspace.resolved_modules is not None
        assert not workspace.resolved_modules.gaps


def test_overrides_are_for_developers_of_the_root(ws: Path, tmp_path: Path) -> None:
    override = 'single_version_override(module_name = "a", version = "2")'
    write_files(ws, {"MODULE.bazel": f'bazel_dep(name = "a", version = "1")\n{override}'})
    own = registry(tmp_path / "r", "a@1", "a@2")
    assert used(opened(ws, own)) == ["a@2"]
    assert used(opened(ws, own, ignore_dev_dependency=True)) == ["a@1"]
    elsewhere = write_files(tmp_path / "else", {"MODULE.bazel": 'module(name = "a")'})
    assert used(opened(ws, own, ignore_dev_dependency=True, override_modules=(("a", elsewhere),))) == ["a@_"]


USE = 'use_extension("//:e.bzl", "e", isolate = True)\n'


@pytest.mark.parametrize(
    ("text", "allowed", "message"),
    [
        (f'x = {USE}use_repo(x, "y")', True, ""),
        (USE, False, "parameter 'isolate' is experimental"),
        (USE, True, "Isolated extension usage at MODULE.bazel:1:14 must be assigned to a top-level variable"),
        (
            f"x = {USE}",
            True,
            "the isolated usage at MODULE.bazel:1:18 of extension e defined in @//:e.bzl has no effect",
        ),
    ],
)
def test_isolated_usages(ws: Path, text: str, allowed: bool, message: str) -> None:
    write_files(ws, {"MODULE.bazel": text})
    found = opened(ws, REGISTRY, isolated_extension_usages=allowed).diagnostics
    assert message in found[0].message if message else not found


@pytest.mark.parametrize(("version", "key"), [("7.7.1", "%<root>~x"), ("8.6.0", "%<root>+x")])
def test_an_isolated_usage_is_written_with_the_separator_of_canonical_names(ws: Path, version: str, key: str) -> None:
    write_files(ws, {"MODULE.bazel": f'x = {USE}use_repo(x, "y")'})
    resolved = opened(ws, REGISTRY, version=version, isolated_extension_usages=True).resolved_modules
    assert resolved is not None
    assert [str(each) for each in resolved.extensions if each.isolation] == [f"@@//:e.bzl%e{key}"]


def test_a_vendored_tree_tells_its_own_module_file(ws: Path) -> None:
    write_files(
        ws, {"vendor/a+/MODULE.bazel": 'module(name = "a", version = "1")\nbazel_dep(name = "b", version = "3")'}
    )
    assert used(opened(ws, REGISTRY)) == ["a@1", "b@3"]
    write_files(
        ws, {"vendor/a+/MODULE.bazel": 'module(name = "a", version = "2")\nbazel_dep(name = "b", version = "3")'}
    )
    assert used(opened(ws, REGISTRY)) == ["a@1"], "another version says nothing of this one"


class TestNamesBesideWorkspace:
    def test_modules_win_and_other_names_of_workspace_are_seen(self, ws: Path, tmp_path: Path) -> None:
        rules = 'local_repository(name = "a", path = "own")\nlocal_repository(name = "plain", path = "own")'
        write_files(ws, {"WORKSPACE": f'workspace(name = "me")\n{rules}', "own/BUILD": ""})
        workspace = opened(ws, registry(tmp_path / "r", "a@1"))
        mapping = workspace.map_repository
        assert mapping.canonical(mapping("", "a")) == "a~"
        assert (mapping("", "plain"), mapping("", "me"), mapping("", "platforms")) == ("plain", "", "platforms")
        assert mapping("", "nothing").startswith("@[unknown repo")
        assert mapping("a", "plain").startswith("@[unknown repo"), "modules do not see WORKSPACE"
        assert mapping.of_canonical("a~") == "a"

    def test_without_workspace_its_names_are_not_seen(self, ws: Path, tmp_path: Path) -> None:
        own = registry(tmp_path / "r", "a@1")
        options = Options(
            bazel_version="7.7.1", enable_workspace=False, repositories=RepositoryOptions(registries=(own,))
        )
        write_files(ws, {"WORKSPACE": 'local_repository(name = "plain", path = "own")'})
        assert open_workspace(ws, options).map_repository("", "plain").startswith("@[unknown repo")

    def test_where_workspace_breaks_no_name_is_unknown(self, ws: Path, tmp_path: Path) -> None:
        write_files(ws, {"WORKSPACE": 'load("@gone//:x.bzl", "more")\nmore()'})
        assert opened(ws, registry(tmp_path / "r", "a@1")).map_repository("", "x") == "x"


def test_a_repository_that_the_command_line_adds(ws: Path, tmp_path: Path) -> None:
    own = write_files(tmp_path / "own", {"BUILD": "", "x.txt": ""})
    workspace = opened(ws, REGISTRY, inject_repositories=(("extra", own),))
    repository = workspace.repository(workspace.map_repository("", "extra"))
    assert repository.tree.source.is_file("x.txt")
    assert workspace.map_repository.canonical("extra") == "_main~_repo_rules~extra"


class TestOtherBazels:
    MODULE = 'module(name = "m", bazel_compatibility = [">=7.0.0", "-7.5.0", "<9.0.0"])'

    @pytest.mark.parametrize(
        ("version", "fits"), [("7.7.1", True), ("7.5.0", False), ("9.0.0", False), ("6.6.0", False)]
    )
    def test_a_module_says_which_it_works_with(self, ws: Path, version: str, fits: bool) -> None:
        write_files(ws, {"MODULE.bazel": self.MODULE})
        messages = [each.message for each in opened(ws, REGISTRY, version=version).diagnostics]
        assert fits == (not any("is not compatible with module" in each for each in messages))

    @pytest.mark.parametrize("how", ["warning", "off"])
    def test_an_option_makes_less_of_it(self, ws: Path, how: str) -> None:
        write_files(ws, {"MODULE.bazel": self.MODULE})
        workspace = opened(ws, REGISTRY, version="9.0.0", check_bazel_compatibility=how)
        resolved = workspace.resolved_modules
        assert resolved is not None
        assert workspace.diagnostics == []
        assert bool(resolved.warnings) == (how == "warning")
