"""MODULE.bazel.lock of several generations: https://bazel.build/external/lockfile."""

from __future__ import annotations

import json

import pytest

from bzlgraph.bzlmod.lockfile import LockFile, read_lock_file
from bzlgraph.bzlmod.module import ModuleKey
from bzlgraph.bzlmod.registry import RepositorySpec

REGISTRY = "https://registry.example"


def lock(content: object) -> LockFile:
    return read_lock_file(json.dumps(content).encode())


def test_registry_files_tell_the_selected_versions() -> None:
    found = lock(
        {
            "lockFileVersion": 13,
            "registryFileHashes": {
                f"{REGISTRY}/bazel_registry.json": "aa",
                f"{REGISTRY}/modules/a/1.0/MODULE.bazel": "bb",
                f"{REGISTRY}/modules/a/1.1/MODULE.bazel": "cc",
                f"{REGISTRY}/modules/a/1.1/source.json": "dd",
                "https://other.example/modules/a/1.1/MODULE.bazel": None,
            },
        }
    )
    assert dict(found.selected()) == {ModuleKey("a", "1.1"): REGISTRY}
    assert found.registry_files[f"{REGISTRY}/modules/a/1.0/MODULE.bazel"] == "bb"
    assert len(found.registry_files) == 4
    assert found.version == 13


def test_an_old_file_holds_the_graph_of_modules() -> None:
    attributes = {"urls": ["https://a.example/a.tar.gz"], "strip_prefix": "a"}
    spec = {"bzlFile": "@bazel_tools//tools/build_defs/repo:http.bzl", "ruleClassName": "http_archive"}
    found = lock(
        {
            "lockFileVersion": 3,
            "moduleDepGraph": {
                "<root>": {"name": "mine", "version": "", "deps": {"a": "a@1.1", "bazel_tools": "bazel_tools@_"}},
                "a@1.1": {
                    "name": "a",
                    "version": "1.1",
                    "repoName": "a",
                    "deps": {"bb": "b@2", "bazel_tools": "bazel_tools@_"},
                    "repoSpec": {**spec, "attributes": attributes},
                },
                "b@2": {"name": "b", "version": "2", "deps": {}},
            },
        }
    )
    assert [str(key) for key, _ in found.selected()] == ["a@1.1", "b@2"]
    module = found.modules[ModuleKey("a", "1.1")]
    assert [(each.repo_name, str(each.key)) for each in module.file.dependencies] == [("bb", "b@2")]
    assert module.spec is not None
    assert (module.spec.rule, module.spec.attributes) == ("http_archive", attributes)


@pytest.mark.parametrize(
    ("entry", "spec"),
    [
        (
            {"bzlFile": "@@rules~1.0//:r.bzl", "ruleClassName": "hub", "attributes": {"a": 1}},
            RepositorySpec("@@rules~1.0//:r.bzl", "hub", {"a": 1}),
        ),
        ({"repoRuleId": "@@rules+//:r.bzl%hub", "attributes": {}}, RepositorySpec("@@rules+//:r.bzl", "hub", {})),
        ({"bzlFile": "@rules~1.0//:r.bzl", "ruleClassName": "hub"}, RepositorySpec("@@rules~1.0//:r.bzl", "hub", {})),
        ({"ruleClassName": "local_repository", "attributes": {"path": "x"}},
         RepositorySpec("", "local_repository", {"path": "x"})),
    ],
)  # fmt: skip
def test_the_repositories_of_an_extension(entry: object, spec: RepositorySpec) -> None:
    runs = {"general": {"generatedRepoSpecs": {"made": entry}}}
    found = lock({"moduleExtensions": {"//:ext.bzl%ext": runs, "@@a~//:ext.bzl%other": {"os:linux": runs["general"]}}})
    assert found.repositories_of("@@//:ext.bzl%ext") == {"made": spec}
    assert found.repositories_of("@@a~//:ext.bzl%other") == {"made": spec}
    assert found.repositories_of("@@//:ext.bzl%nobody") is None


def test_the_first_lock_files_tell_no_machine() -> None:
    spec = {"bzlFile": "//:e.bzl", "ruleClassName": "r", "attributes": {"x": 1}}
    found = lock({"moduleExtensions": {"//:e.bzl%e": {"bzlTransitiveDigest": "a=", "generatedRepoSpecs": {"n": spec}}}})
    assert found.repositories_of("@@//:e.bzl%e") == {"n": RepositorySpec("//:e.bzl", "r", {"x": 1})}


def test_another_generation_writes_names_with_another_separator() -> None:
    runs = {"general": {"generatedRepoSpecs": {"made": {}}}}
    found = lock({"moduleExtensions": {"@@a+//:ext.bzl%ext": runs, "@b~1.2//:ext.bzl%ext": runs}})
    assert found.repositories_of("@@a~//:ext.bzl%ext") is not None
    assert found.repositories_of("@@b+//:ext.bzl%ext") is not None


def test_what_extensions_remember() -> None:
    found = lock({"facts": {"@@a+//:ext.bzl%ext": {"seen": 1}}})
    assert found.facts_of("@@a+//:ext.bzl%ext") == {"seen": 1}
    assert found.facts_of("@@//:ext.bzl%ext") == {}


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b"\xff", b'{"moduleExtensions": 3, "registryFileHashes": []}', b"[" * 99999]
)
def test_what_is_no_lock_file_says_nothing(data: bytes) -> None:
    found = read_lock_file(data)
    assert (list(found.selected()), dict(found.extensions)) == ([], {})
