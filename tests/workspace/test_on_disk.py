"""What already lies on the user's disk: which folder and which download stands behind a repository, and which never."""

import hashlib
import json
import os
from base64 import b64encode
from pathlib import Path

import pytest

from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import Label, identity_mapping
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.repositories import on_disk
from bzlgraph.workspace.repositories.on_disk import Disk, checksum
from bzlgraph.workspace.repositories.table import Repositories, Repository
from bzlgraph.workspace.sources.source import DiskSource
from bzlgraph.workspace.tree import RepositoryTree
from bzlgraph.workspace.workspace import open_workspace
from tests.workspace.archives import tar_file

DIFF = b"--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-x\n+y\n"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(on_disk, "home_caches", lambda: (tmp_path / "cache",))
    return tmp_path / "cache" / "bazel" / "_bazel_me"


@pytest.fixture
def checkout(tmp_path, home):
    root = tmp_path / "checkout"
    put(root / "BUILD", "")
    return root


def put(path: Path, data: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def output_base(home: Path, root: Path) -> Path:
    return home / hashlib.md5(str(root).encode()).hexdigest()


def found(root: Path, name: str, rule: str = "custom", **options: object) -> Repository:
    """The repository ``name`` as ``rule`` defines it; attributes beside RepositoryOptions."""
    mine = {key: options.pop(key) for key in list(options) if key in RepositoryOptions.__dataclass_fields__}
    bzl = Label("bazel_tools", "tools/build_defs/repo", "http.bzl") if rule == "http_archive" else None
    calls = {name: RepositoryCall(name, rule, bzl, {"name": name, **options}, None)}
    main = Repository("", RepositoryTree(DiskSource(root)))
    return Repositories(root, main, {}, calls, identity_mapping, options=RepositoryOptions(**mine)).get(name)


# Folders


def test_external_vendor_and_the_link_into_the_own_output_base(checkout, home):
    put(checkout / "external/a/BUILD", "a")
    put(checkout / "vendor/b+/BUILD", "b")
    base = output_base(home, checkout)
    put(base / "execroot/w/external/c/BUILD", "c")
    put(base / "external/d~1.2/BUILD", "d")
    os.symlink(base / "execroot/w", checkout / "bazel-checkout")
    ways = {name: found(checkout, name) for name in "abcd"}
    assert {name: (each.way, each.tree.source.read("BUILD")) for name, each in ways.items()} == {
        "a": ("fetched", b"a"), "b": ("vendored", b"b"), "c": ("fetched", b"c"), "d": ("fetched", b"d"),
    }  # fmt: skip
    assert ways["b"].place == "vendor/b+"
    assert ways["d"].place == str(base / "external/d~1.2")


@pytest.mark.parametrize("mark", ["REPO.bazel", "WORKSPACE", "BUILD.bazel"])
def test_a_folder_of_the_tree_is_a_repository_by_what_bazel_writes_into_one(checkout, mark):
    """As CompilerGym's external/llvm, which is for CMake."""
    put(checkout / "external/llvm/CMakeLists.txt", "")
    put(checkout / "vendor/zlib/zlib.h", "")
    assert [found(checkout, name, rule="http_archive").present for name in ("llvm", "zlib")] == [False, False]
    put(checkout / "external/llvm" / mark, "")
    assert found(checkout, "llvm", rule="http_archive").way == "fetched"


def test_what_a_bazel_did_not_fetch_to_its_end_is_not_used(checkout, home):
    external = output_base(home, checkout) / "external"
    for name in ("whole", "begun"):
        put(external / name / "BUILD", "")
    put(external / "@whole.marker", "")
    os.symlink(external / "begun", external / "linked")
    assert [found(checkout, name).present for name in ("whole", "begun", "linked")] == [True, False, True]


def test_a_build_file_that_was_patched_when_it_was_fetched(checkout):
    put(checkout / "external/r/BUILD.bazel", "patched")
    written = {"build_file_content": "x", "url": "https://x/y.tgz"}
    assert found(checkout, "r", "http_archive", **written).tree.read_build_file("")[0] == b"x"
    patched = found(checkout, "r", "http_archive", **written, patches=["//:p"])
    assert patched.tree.read_build_file("") == (b"patched", "BUILD.bazel")


def test_given_places(checkout, tmp_path):
    put(tmp_path / "base/external/a/BUILD", "a")
    put(tmp_path / "vendored/rules_x~~ext~b/BUILD", "b")
    assert found(checkout, "a", output_base=tmp_path / "base").present
    assert found(checkout, "rules_x++ext+b", vendor_dir=tmp_path / "vendored").way == "vendored"


@pytest.mark.parametrize("link", ["external", "bazel-checkout", "vendor"])
def test_a_link_to_elsewhere_is_not_followed(checkout, tmp_path, link):
    put(tmp_path / "elsewhere/secret/BUILD", "")
    put(tmp_path / "elsewhere/external/secret/BUILD", "")
    os.symlink(tmp_path / "elsewhere", checkout / link)
    assert not found(checkout, "secret").present
    assert Disk(checkout).refused_links == ((tmp_path / "elsewhere", link),)


def test_neither_is_one_inside_external(checkout, tmp_path):
    put(tmp_path / "secret/BUILD", "")
    (checkout / "external").mkdir()
    os.symlink(tmp_path / "secret", checkout / "external/secret")
    os.symlink(tmp_path / "secret", checkout / "external/other~")
    assert not found(checkout, "secret").present
    assert not found(checkout, "other").present


@pytest.mark.parametrize("name", ["..", "../secret", "a/b", "."])
def test_names_that_lead_elsewhere_are_nobody(checkout, tmp_path, name):
    put(checkout / "external/a/b/BUILD", "")
    put(checkout / "secret/BUILD", "")
    assert not found(checkout, name).present


def test_stay_inside_leaves_what_lies_in_the_checkout(checkout, home, tmp_path):
    put(checkout / "external/a/BUILD", "")
    put(output_base(home, checkout) / "external/b/BUILD", "")
    put(tmp_path / "given/external/c/BUILD", "")
    put(tmp_path / "beside/WORKSPACE", "")
    options = {"stay_inside": True, "output_base": tmp_path / "given", "repository_folders": (tmp_path / "given",)}
    assert found(checkout, "a", **options).present
    assert not found(checkout, "b", **options).present
    assert not found(checkout, "c", **options).present
    assert not found(checkout, "beside", "local_repository", path="../beside").present
    (tmp_path / ".git").mkdir()
    assert found(checkout, "beside", "local_repository", path="../beside").present
    assert not found(checkout, "beside", "local_repository", path="../beside", stay_inside=True).present


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("new_local_repository", "{outside}"),
        ("new_local_repository", "../outside"),
        ("new_local_repository", "link"),
        ("local_repository", "{outside}"),
    ],
)
def test_a_folder_outside_that_is_no_workspace_is_a_gap(checkout, tmp_path, rule, path):
    put(tmp_path / "outside/secret", "")
    os.symlink(tmp_path / "outside", checkout / "link")
    written = {"path": path.format(outside=tmp_path / "outside"), "build_file_content": "x"}
    repository = found(checkout, "r", rule, **written)
    assert not repository.present
    assert "is outside the checkout" in repository.gaps[0].what
    assert repository.tree.entries("") == ([], [])
    assert repository.tree.read_build_file("")[0] == b"x"


def test_two_versions_of_one_module_are_not_mixed_up(checkout):
    put(checkout / "vendor/m+1.0/BUILD", "")
    put(checkout / "vendor/m+2.0/BUILD", "")
    assert found(checkout, "m+2.0").place == "vendor/m+2.0"
    assert not found(checkout, "m").present


def test_checkouts_by_folder_workspace_and_module(checkout, tmp_path):
    folder = tmp_path / "checkouts"
    put(folder / "zlib/BUILD", "")
    put(
        folder / "abseil-cpp/MODULE.bazel",
        '# a comment\nmodule(\n    name = "absl", repo_name = "com_google_absl",\n)\n',
    )
    put(folder / "pb/WORKSPACE", 'workspace(name = "com_google_protobuf")')
    places = {
        name: found(checkout, name, repository_folders=(folder,)).place
        for name in ("zlib", "absl~", "com_google_absl", "com_google_protobuf", "unknown")
    }
    assert places == {
        "zlib": f"{folder}/zlib, by the name of the folder",
        "absl~": f"{folder}/abseil-cpp, by the name of its module",
        "com_google_absl": f"{folder}/abseil-cpp, by the name of its module",
        "com_google_protobuf": f"{folder}/pb, by the name of its workspace",
        "unknown": "",
    }


def test_two_checkouts_of_one_module_are_a_gap(checkout, tmp_path):
    for version in ("1", "2"):
        put(tmp_path / f"checkouts/m-{version}/MODULE.bazel", 'module(name = "m")')
    repository = found(checkout, "m", repository_folders=(tmp_path / "checkouts",))
    assert not repository.present
    assert "m-1" in repository.gaps[0].what
    assert "m-2" in repository.gaps[0].what


# Downloads


@pytest.fixture
def archive(tmp_path):
    """An archive, and the attributes that name it."""
    made = tar_file(tmp_path / "made", {"r-1/x.txt": b"x\n", "r-1/BUILD": b"# its own\n"})
    digest = hashlib.sha256(made.read_bytes()).hexdigest()
    return made, {"url": "https://example.org/r-1.tar.gz", "sha256": digest, "strip_prefix": "r-1"}


def test_the_repository_cache_by_checksum(checkout, home, tmp_path, archive):
    made, written = archive
    inside = f"content_addressable/sha256/{written['sha256']}/file"
    put(tmp_path / "other" / inside, made.read_bytes())
    assert found(checkout, "r", "http_archive", **written).way == "laid over"
    assert found(checkout, "r", "http_archive", **written, repository_cache=tmp_path / "other").way == "archived"
    put(home / "cache/repos/v1" / inside, made.read_bytes())
    repository = found(checkout, "r", "http_archive", **written)
    assert (repository.way, repository.present) == ("archived", True)
    assert repository.place == str(home / "cache/repos/v1")
    assert repository.tree.entries("") == (["BUILD", "WORKSPACE", "x.txt"], [])
    assert not found(checkout, "r", "http_archive", **written, stay_inside=True).present


def test_a_distdir_by_the_name_in_the_url_and_only_with_the_right_bytes(checkout, tmp_path, archive):
    made, written = archive
    put(tmp_path / "dist/r-1.tar.gz", made.read_bytes())
    options = {"distdirs": (tmp_path / "dist",)}
    sri = "sha256-" + b64encode(bytes.fromhex(written["sha256"])).decode()
    by_integrity = {"urls": written["url"].split(), "integrity": sri, "strip_prefix": "r-1"}
    assert found(checkout, "r", "http_archive", **written, **options).present
    assert found(checkout, "r", "http_archive", **by_integrity, **options).present
    assert not found(checkout, "r", "http_archive", **written | {"sha256": "0" * 64}, **options).present
    assert not found(checkout, "r", "http_archive", **written | {"sha256": ""}, **options).present
    assert not found(checkout, "r", "http_archive", **written | {"url": "https://x/other.zip"}, **options).present


def test_a_file_url_in_the_checkout_only(checkout, tmp_path, archive):
    made, written = archive
    put(checkout / "third party/r.tgz", made.read_bytes())
    inside = {"url": f"file://{checkout}/third%20party/r.tgz", "strip_prefix": "r-1"}
    assert found(checkout, "r", "http_archive", **inside).present
    assert not found(checkout, "r", "http_archive", **inside, sha256="0" * 64).present
    assert not found(checkout, "r", "http_archive", **written | {"url": f"file://{made}"}).present


def test_the_bytes_count_not_the_name(checkout, home, archive):
    _, written = archive
    put(home / f"cache/repos/v1/content_addressable/sha256/{written['sha256']}/file", "something else")
    assert not found(checkout, "r", "http_archive", **written).present


def test_a_checksum_that_is_none():
    assert checksum("", "") is None
    assert checksum("../../etc", "") is None
    assert checksum("", "sha256-???") is None
    assert checksum("", "md5-AAAA") is None
    assert checksum("A" * 64, "") == ("sha256", "a" * 64)


# What the rule does with an archive


@pytest.fixture
def given(checkout, tmp_path, archive):
    """Makes the repository of the archive with further attributes."""
    made, written = archive
    put(tmp_path / "dist/r-1.tar.gz", made.read_bytes())

    def make(**attributes: object) -> Repository:
        return found(checkout, "r", "http_archive", **written | attributes, distdirs=(tmp_path / "dist",))

    return make


def test_a_build_file_is_laid_over(given, checkout):
    put(checkout / "r.BUILD", "# ours\n")
    repository = given(build_file="//:r.BUILD")
    assert repository.tree.read_build_file("") == (b"# ours\n", "r.BUILD")
    assert given(build_file_content="x").tree.read_build_file("")[0] == b"x"


def test_patches_are_applied_by_their_arguments(given, checkout):
    put(checkout / "x.patch", DIFF)
    put(checkout / "p0.patch", DIFF.replace(b"a/", b"").replace(b"b/", b""))
    assert given(patches=["//:x.patch"], patch_args=["-p1"]).tree.source.read("x.txt") == b"y\n"
    assert given(patches=["//:p0.patch"]).tree.source.read("x.txt") == b"y\n"
    assert given(patches=["//:x.patch"], patch_strip=1).present


def test_a_patched_build_file_is_no_longer_what_was_laid_over(given, checkout):
    put(checkout / "r.BUILD", "x\n")
    put(checkout / "x.patch", DIFF.replace(b"x.txt", b"BUILD.bazel"))
    repository = given(build_file="//:r.BUILD", patches=["//:x.patch"], patch_args=["-p1"])
    assert repository.tree.read_build_file("") == (b"y\n", "BUILD.bazel")


def test_a_patch_that_does_not_fit_is_a_problem_with_its_place(given, checkout):
    put(checkout / "x.patch", DIFF.replace(b"-x", b"-z"))
    repository = given(patches=["//:x.patch"], patch_args=["-p1"])
    assert [str(each.location) for each in repository.problems] == ["x.patch:3:1"]
    assert not repository.present
    assert repository.tree.source.read("x.txt") == b"x\n"


def test_a_patch_that_is_not_there_and_commands_are_gaps(given):
    assert "patch //:gone is not on disk" in given(patches=["//:gone"]).gaps[0].what
    repository = given(patch_cmds=["rm x.txt"])
    assert "patch_cmds are not run" in repository.gaps[0].what
    assert (repository.present, repository.tree.source.is_file("x.txt")) == (False, True)


def test_remote_patches_and_files(given, tmp_path):
    put(tmp_path / "dist/fix.patch", DIFF)
    put(tmp_path / "dist/MODULE.bazel", "m")
    told = {name: _sri((tmp_path / "dist" / name).read_bytes()) for name in ("fix.patch", "MODULE.bazel")}
    repository = given(
        remote_patches={"https://x/fix.patch": told["fix.patch"]}, remote_patch_strip=1,
        remote_file_urls={"MODULE.bazel": ["https://x/MODULE.bazel"], "gone": ["https://x/gone"], "../out": []},
        remote_file_integrity={"MODULE.bazel": told["MODULE.bazel"], "gone": _sri(b"gone")},
    )  # fmt: skip
    source = repository.tree.source
    assert (source.read("x.txt"), source.read("MODULE.bazel")) == (b"y\n", b"m")
    assert source.is_file("gone")
    assert ["gone, which the rule downloads" in each.what or "'../out'" in each.what for each in repository.gaps] == [
        True,
        True,
    ]


def test_add_prefix(given):
    assert given(add_prefix="deep/er").tree.source.read("deep/er/x.txt") == b"x\n"


def test_an_archive_that_cannot_be_read_is_a_gap(checkout, tmp_path):
    data = b"!<arch>\nthe bytes are those that Bazel reads"
    put(tmp_path / "dist/r.deb", data)
    written = {"url": "https://x/r.deb", "sha256": hashlib.sha256(data).hexdigest(), "build_file_content": "x"}
    repository = found(checkout, "r", "http_archive", **written, distdirs=(tmp_path / "dist",))
    assert "cannot be read as an archive" in repository.gaps[0].what
    assert (repository.problems, repository.present) == ((), False)
    assert repository.tree.read_build_file("")[0] == b"x"


def test_a_prefix_that_is_not_in_the_archive_is_a_problem(given):
    assert "strip_prefix 'r-2' is not in" in given(strip_prefix="r-2").problems[0].message


def test_a_rule_of_that_name_that_is_not_bazels_is_run(checkout, archive):
    made, _ = archive
    put(checkout / "r.tgz", made.read_bytes())
    call = RepositoryCall("r", "http_archive", Label("", "", "own.bzl"), {"url": f"file://{checkout}/r.tgz"}, None)
    main = Repository("", RepositoryTree(DiskSource(checkout)))
    assert Repositories(checkout, main, {}, {"r": call}, identity_mapping).get("r").way == "laid over"


def _sri(data: bytes) -> str:
    return "sha256-" + b64encode(hashlib.sha256(data).digest()).decode()


def test_a_rule_that_is_run_finds_its_downloads(checkout, tmp_path, archive):
    made, written = archive
    put(tmp_path / "dist/r-1.tar.gz", made.read_bytes())
    put(
        checkout / "own.bzl",
        "def _impl(ctx): ctx.download_and_extract(ctx.attr.url, sha256 = ctx.attr.sha256, stripPrefix = 'r-1')\n"
        "own = repository_rule(_impl, attrs = {'url': attr.string(), 'sha256': attr.string()})\n",
    )
    called = f"own(name = 'r', url = '{written['url']}', sha256 = '{written['sha256']}')"
    put(checkout / "WORKSPACE", f"load('//:own.bzl', 'own')\n{called}\n")
    opened = open_workspace(checkout, Options(repositories=RepositoryOptions(distdirs=(tmp_path / "dist",))))
    repository = opened.repository("r")
    assert (repository.way, repository.tree.source.read("x.txt")) == ("evaluated", b"x\n")


def test_files_of_a_registry_by_checksum_and_from_vendor(checkout, home):
    url = "https://registry.example/modules/m/1.0/MODULE.bazel"
    put(home / f"cache/repos/v1/content_addressable/sha256/{hashlib.sha256(b'm').hexdigest()}/file", "m")
    put(checkout / "vendor/_registries/registry.example/modules/m/1.0/source.json", "{}")
    disk = Disk(checkout)
    assert disk.registry_file(url, checksum(hashlib.sha256(b"m").hexdigest())).read_bytes() == b"m"
    assert disk.registry_file(url.replace("MODULE.bazel", "source.json"), None).read_bytes() == b"{}"
    assert disk.registry_file(url, None) is None
    assert disk.registry_file("https://x/../../../BUILD", None) is None


def test_a_module_of_a_registry_on_disk_with_its_archive_and_patches(checkout, tmp_path):
    files = {"dep-1.0/MODULE.bazel": b'module(name = "dep", version = "1.0")', "dep-1.0/x.txt": b"x\n"}
    made = tar_file(put(tmp_path / "dist/dep.tgz", ""), files)
    module = tmp_path / "registry/modules/dep/1.0"
    put(module / "MODULE.bazel", files["dep-1.0/MODULE.bazel"])
    put(module / "patches/p.patch", DIFF)
    told = {"url": "https://x/dep.tgz", "integrity": _sri(made.read_bytes()), "strip_prefix": "dep-1.0",
            "patches": {"p.patch": _sri(DIFF)}, "patch_strip": 1}  # fmt: skip
    put(module / "source.json", json.dumps(told))
    put(checkout / "MODULE.bazel", 'bazel_dep(name = "dep", version = "1.0")')
    registry = (f"file://{tmp_path}/registry",)
    options = Options(repositories=RepositoryOptions(registries=registry, distdirs=(tmp_path / "dist",)))
    repository = open_workspace(checkout, options).repository("dep")
    assert (repository.way, repository.gaps, repository.present) == ("archived", (), True)
    assert repository.tree.source.read("x.txt") == b"y\n"


@pytest.mark.parametrize(
    ("written", "way", "present"),
    [
        ("patches = unknown()", "archived", False),
        ("patches = ['//:' + unknown.x]", "archived", False),
        ("strip_prefix = unknown()", "laid over", False),
        ("build_file_content = 'x'", "archived", True),
    ],
)
def test_unknown_attributes_of_an_archive_are_gaps(checkout, tmp_path, archive, written, way, present):
    made, told = archive
    put(tmp_path / "dist/r-1.tar.gz", made.read_bytes())
    loads = 'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\nload("@absent//:x.bzl", "unknown")\n'
    call = f"http_archive(name = 'r', url = '{told['url']}', sha256 = '{told['sha256']}', {written})\n"
    put(checkout / "WORKSPACE", loads + call)
    opened = open_workspace(checkout, Options(repositories=RepositoryOptions(distdirs=(tmp_path / "dist",))))
    repository = opened.repository("r")
    assert (repository.way, repository.present) == (way, present)
    assert repository.problems == ()
    assert bool(repository.gaps) == (way == "archived" and not present)


def test_what_bazel_writes_into_an_archive_is_seen_by_glob(checkout, tmp_path):
    """As Bazel 4.2.3 and 0.24.1 answered."""
    made = tar_file(
        put(tmp_path / "dist/p.tgz", ""), {"p/a.c": b"", "p/sub/b.c": b""}, {"p/link": "sub", "p/l.c": "a.c"}
    )
    call = (
        f"http_archive(name = 'p', url = 'https://x/p.tgz', sha256 = '{hashlib.sha256(made.read_bytes()).hexdigest()}',"
    )
    call += """strip_prefix = 'p', build_file_content = 'filegroup(name = "all", srcs = glob(["**"]))')"""
    put(checkout / "WORKSPACE", f'load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")\n{call}\n')
    opened = open_workspace(checkout, Options(repositories=RepositoryOptions(distdirs=(tmp_path / "dist",))))
    assert set(open_loader(opened).package("p", "").targets) == {
        "all", "a.c", "l.c", "link/b.c", "sub/b.c", "WORKSPACE", "BUILD.bazel",
    }  # fmt: skip


def test_the_module_file_of_a_registry_replaces_that_of_the_archive(given, tmp_path):
    put(tmp_path / "dist/MODULE.bazel", "m")
    urls, integrity = ["https://x/MODULE.bazel"], _sri(b"m")
    repository = given(remote_module_file_urls=urls, remote_module_file_integrity=integrity)
    assert repository.tree.source.read("MODULE.bazel") == b"m"


def test_what_bazel_vendor_left_resolves_modules_and_gives_their_files(checkout, tmp_path):
    registry = "vendor/_registries/bcr.bazel.build/modules"
    for name, deps in (("a", 'bazel_dep(name = "b", version = "2")'), ("b", "")):
        text = f'module(name = "{name}", version = "{1 if name == "a" else 2}")\n{deps}\n'
        put(checkout / registry / name / ("1" if name == "a" else "2") / "MODULE.bazel", text)
        put(checkout / f"vendor/{name}+/BUILD", "")
    put(checkout / "MODULE.bazel", 'bazel_dep(name = "a", version = "1")\n')
    opened = open_workspace(checkout, Options(bazel_version="7.7.1"))
    used = {key.name for key in opened.resolved_modules.modules}
    assert {"a", "b"} <= used
    assert opened.repository("a").place == "vendor/a+"
    assert opened.map_repository("a", "b") == "@b~"
    assert opened.repository("@b~").place == "vendor/b+"


OWN_RULE = """
def _impl(ctx):
    ctx.download_and_extract(ctx.attr.url, sha256 = ctx.attr.sha256, stripPrefix = "r-1")
    if not ctx.which("patch"):
        fail("patch command is not found, please install it")
    result = ctx.execute(["patch", "-p1", "-d", ctx.path("."), "-i", ctx.path(Label("//:x.patch"))])
    if result.return_code != 0:
        fail("failed to patch: " + result.stderr)

own = repository_rule(_impl, attrs = {"url": attr.string(), "sha256": attr.string()})
"""


@pytest.mark.parametrize(("diff", "text", "whole"), [(DIFF, b"y\n", True), (DIFF.replace(b"-x", b"-z"), b"x\n", False)])
def test_a_rule_that_runs_patch(checkout, tmp_path, archive, diff, text, whole):
    """As tf_http_archive does."""
    made, written = archive
    put(tmp_path / "dist/r-1.tar.gz", made.read_bytes())
    put(checkout / "own.bzl", OWN_RULE)
    put(checkout / "x.patch", diff)
    called = f"own(name = 'r', url = '{written['url']}', sha256 = '{written['sha256']}')"
    put(checkout / "WORKSPACE", f"load('//:own.bzl', 'own')\n{called}\n")
    opened = open_workspace(checkout, Options(repositories=RepositoryOptions(distdirs=(tmp_path / "dist",))))
    repository = opened.repository("r")
    assert (repository.tree.source.read("x.txt"), repository.present) == (text, whole)
    assert ("patch applies x.patch" in repository.assumptions) == whole


@pytest.mark.parametrize("option", ["output_base", "repository_folders"])
def test_a_folder_that_is_not_there_is_refused(checkout, tmp_path, option):
    put(checkout / "WORKSPACE", "")
    given = (tmp_path / "nowhere",) if option == "repository_folders" else tmp_path
    with pytest.raises(UsageProblem, match=r"no such folder|not an output base"):
        open_workspace(checkout, Options(repositories=RepositoryOptions(**{option: given})))
