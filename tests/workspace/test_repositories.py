"""Which folder stands behind a repository name, and which BUILD files are laid over it."""

from pathlib import Path

from bzlgraph.base.label import identity_mapping
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.workspace.repositories.table import Repositories, Repository
from bzlgraph.workspace.sources.source import MemorySource
from bzlgraph.workspace.tree import RepositoryTree


def repositories(root: Path, files: dict[str, bytes], overrides=(), **calls) -> Repositories:
    made = {
        name: RepositoryCall(name, rule, None, {"name": name, **attributes}, None)
        for name, (rule, attributes) in calls.items()
    }
    main = Repository("", RepositoryTree(MemorySource(files)))
    return Repositories(root, main, dict(overrides), made, identity_mapping)


def test_override_wins(tmp_path):
    found = repositories(tmp_path, {}, {"r": tmp_path}, r=("http_archive", {"build_file_content": "x"})).get("r")
    assert found.present
    assert found.tree.overlays == {}


def test_undefined_repository_is_absent_and_empty(tmp_path):
    found = repositories(tmp_path, {}).get("nothing")
    assert not found.present
    assert list(found.tree.packages_below("")) == []


def test_build_file_by_label_by_path_and_by_content(tmp_path):
    files = {"third_party/BUILD": b"", "third_party/swig.BUILD": b"swig", "models.BUILD": b"models"}
    found = repositories(
        tmp_path,
        files,
        swig=("tf_http_archive", {"build_file": "//third_party:swig.BUILD"}),
        old=("new_http_archive", {"build_file": "third_party/swig.BUILD"}),
        models=("new_http_archive", {"build_file": "models.BUILD"}),
        inline=("http_archive", {"build_file_content": "filegroup()"}),
        broken=("http_archive", {"build_file": "//nowhere:x.BUILD"}),
    )
    assert found.get("swig").tree.read_build_file("") == (b"swig", "third_party/swig.BUILD")
    assert found.get("old").tree.read_build_file("") == (b"swig", "third_party/swig.BUILD")
    assert found.get("models").tree.read_build_file("") == (b"models", "models.BUILD")
    assert found.get("inline").tree.read_build_file("")[0] == b"filegroup()"
    assert found.get("broken").tree.build_file("") is None
    assert not found.get("swig").present


def test_additional_build_files_either_way_round(tmp_path):
    files = {"BUILD": b"", "sub.BUILD": b"sub"}
    found = repositories(
        tmp_path,
        files,
        a=("tf_http_archive", {"additional_build_files": {"//:sub.BUILD": "deep/BUILD"}}),
        b=("custom", {"link_files": {"deep/BUILD.bazel": "//:sub.BUILD"}}),
    )
    assert found.get("a").tree.read_build_file("deep")[0] == b"sub"
    assert found.get("b").tree.read_build_file("deep")[0] == b"sub"


def test_local_repositories_are_used_and_left_out_of_the_main_one(tmp_path):
    (tmp_path / "third" / "loc" / "src").mkdir(parents=True)
    (tmp_path / "third" / "submodule").mkdir()
    found = repositories(
        tmp_path,
        {},
        loc=("local_repository", {"path": "third/loc"}),
        new=("new_local_repository", {"path": "third/loc", "build_file_content": "x"}),
        empty_file=("new_local_repository", {"path": "third/loc", "build_file_content": ""}),
        gone=("local_repository", {"path": "third/gone"}),
        empty=("local_repository", {"path": "third/submodule"}),
    )
    assert found.get("loc").present
    assert found.get("new").present
    assert found.get("new").tree.read_build_file("")[0] == b"x"
    assert found.get("empty_file").tree.read_build_file("")[0] == b""
    assert not found.get("gone").present
    assert not found.get("empty").present
    assert found.local_folders(found.calls)["third/loc"] == "loc"


def test_the_rule_inside_bazel_adds_a_build_file_and_a_workspace_file_to_a_folder(tmp_path):
    """As Bazel 0.19.1, 4.2.3 and 7.7.1 do: whatever WORKSPACE lies in the folder, glob() finds theirs."""
    folder = tmp_path / "third"
    (folder / "sub").mkdir(parents=True)
    for name in ("WORKSPACE", "BUILD", "sub/a.txt"):
        (folder / name).write_text("own")
    written = {"path": "third", "build_file_content": "x"}
    found = repositories(
        tmp_path,
        {},
        new=("new_local_repository", written),
        named=("new_local_repository", {**written, "workspace_file_content": "# mine"}),
    )
    tree = found.get("new").tree
    assert tree.package_files("").files() == ["BUILD", "BUILD.bazel", "WORKSPACE", "sub/a.txt"]
    assert tree.source.read("BUILD.bazel") == b"x"
    assert b'generated WORKSPACE file for new_local_repository rule\nworkspace(name = "new")' in tree.source.read(
        "WORKSPACE"
    )
    assert found.get("named").tree.source.read("WORKSPACE") == b"# mine"
    assert (folder / "WORKSPACE").read_text() == "own"


def test_a_repository_defined_after_the_first_look_is_found(tmp_path):
    (tmp_path / "BUILD").touch()
    found = repositories(tmp_path, {})
    assert not found.get("late").present
    found.calls["late"] = RepositoryCall("late", "local_repository", None, {"path": "."}, None)
    assert found.get("late").present


def test_other_files_that_a_rule_places_can_be_read(tmp_path):
    files = {"BUILD": b"", "defs.bzl": b"x = 1", "x.BUILD": b"", "y.BUILD": b""}
    links = {"//:defs.bzl": "sub/defs.bzl", "//:y.BUILD": "sub/BUILD"}
    found = repositories(tmp_path, files, r=("http", {"build_file": "//:x.BUILD", "link_files": links})).get("r")
    assert found.tree.source.read("sub/defs.bzl") == b"x = 1"
    assert list(found.tree.packages_below("")) == ["", "sub"]
    assert not found.present
