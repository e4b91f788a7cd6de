"""What Bazel itself writes on the nominal host: as it was recorded, and nothing where it would write something else."""

import hashlib
from pathlib import Path

import pytest

from bzlgraph.base.label import parse
from bzlgraph.loading.loader import open_loader
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.workspace import Workspace, open_workspace

SHA256 = {
    "local_config_cc_toolchains": {
        "BUILD": "47397058537bb7005ece4db5b8870a84a35e975bef132c1ff5714481201f1dd5",
        "WORKSPACE": "494d615a72d771ead8d6809b5916ceab963c74b925ae8338917c324aa998fec6",
    },
    "local_config_sh": {"WORKSPACE": "afe113fd4f9d1ba0e50faf9d675b4646c0ac1722484575d7e9dd7d47e94c9667"},
    "local_config_xcode": {"BUILD": "0f15043105e5a8d8e25d84f050a0cbee1922f286bf55ab27c51964cfa26a620d"},
    "local_config_cc": {"cc_wrapper.sh": "458ef2bdc162430cd38593bc8c501c78c496b52c5bac63e232e4d5f951f5aeeb"},
}
"""Of files that a Bazel 4.2.3 wrote, which a run of TensorFlow 2.12 has recorded as well."""


def workspace(folder: Path, version: str = "4.2.3", text: str = "", **options: object) -> Workspace:
    (folder / "WORKSPACE").write_text(text)
    return open_workspace(folder, Options(bazel_version=version, repositories=RepositoryOptions(**options)))


@pytest.mark.parametrize("name", SHA256)
def test_files_are_those_that_bazel_wrote(tmp_path, name):
    found = workspace(tmp_path).repository(name)
    written = {path: hashlib.sha256(found.tree.source.read(path)).hexdigest() for path in SHA256[name]}
    assert (found.way, written) == ("recorded", SHA256[name])


def test_the_targets_are_those_of_the_recorded_build_files(tmp_path):
    loader = open_loader(workspace(tmp_path))
    label = parse("@local_config_cc_toolchains//:cc-toolchain-k8", "", "")
    assert loader.target(label).values["toolchain_type"] == parse("@bazel_tools//tools/cpp:toolchain_type", "", "")
    assert loader.target(parse("@local_config_sh//:local_sh", "", "")).values["path"] == "/bin/bash"
    assert [gap for package in loader.loaded() for gap in package.gaps] == []
    assert loader.workspace.repository("local_config_sh").assumptions == (
        "the host is Linux on x86-64, its shell /bin/bash",
    )


def test_the_compilers_repository_keeps_its_model(tmp_path):
    loader = open_loader(workspace(tmp_path))
    assert not loader.workspace.repository("local_config_cc").present
    assert loader.target(parse("@local_config_cc//:cc-compiler-k8", "", "")).rule_class.name == "cc_toolchain"


@pytest.mark.parametrize(
    "options",
    [
        {"version": "8.7.0"},
        {"host_os": "macos"},
        {"host_arch": "aarch64"},
        {"repo_env": (("BAZEL_SH", "/opt/bash"),)},
        {"text": 'local_repository(name = "local_config_sh", path = "nowhere")\n'},
    ],
)
def test_where_bazel_would_write_something_else_nothing_is_known(tmp_path, options):
    found = workspace(tmp_path, **options).repository("local_config_sh")
    assert (found.way, found.present) == ("laid over", False)


def test_what_was_recorded_beside_another_gcc_is_not_told(tmp_path):
    source = workspace(tmp_path, "7.7.1").repository("local_config_cc").tree.source
    assert source.is_file("cc_wrapper.sh")
    assert not source.is_file("builtin_include_directory_paths")
