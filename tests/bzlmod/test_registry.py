"""What a registry's JSON says: https://bazel.build/external/registry."""

from __future__ import annotations

from bzlgraph.bzlmod.registry import read_object, repository_spec, yanked_versions

REGISTRY = "https://registry.example/"


def test_an_archive_with_patches_and_overlay() -> None:
    source = {
        "url": "https://a.example/a.tgz",
        "mirror_urls": ["https://b.example/a.tgz"],
        "integrity": "sha256-x",
        "strip_prefix": "a-1",
        "patches": {"fix.patch": "sha256-y"},
        "patch_strip": 1,
        "overlay": {"BUILD": "sha256-z"},
    }
    spec = repository_spec(REGISTRY, "a", "1", source, {"mirrors": ["https://mirror.example/"]})
    assert spec is not None
    assert spec.rule == "http_archive"
    assert spec.attributes == {
        "urls": ["https://mirror.example/a.example/a.tgz", "https://a.example/a.tgz", "https://b.example/a.tgz"],
        "integrity": "sha256-x",
        "strip_prefix": "a-1",
        "remote_patches": {"https://registry.example/modules/a/1/patches/fix.patch": "sha256-y"},
        "remote_patch_strip": 1,
        "remote_file_urls": {"BUILD": ["https://registry.example/modules/a/1/overlay/BUILD"]},
        "remote_file_integrity": {"BUILD": "sha256-z"},
    }


def test_an_archive_without_more_has_what_bazel_writes_into_each() -> None:
    """``bazel mod show_repo`` of 7.7.1 shows these, empty as they are."""
    spec = repository_spec(REGISTRY, "a", "1", {"url": "https://a.example/a.tgz", "integrity": "sha256-x"}, {})
    assert spec is not None
    assert spec.attributes == {
        "urls": ["https://a.example/a.tgz"],
        "integrity": "sha256-x",
        "strip_prefix": "",
        "remote_patches": {},
        "remote_patch_strip": 0,
        "remote_file_urls": {},
        "remote_file_integrity": {},
    }


def test_a_git_repository() -> None:
    source = {"type": "git_repository", "remote": "https://a.example/a.git", "commit": "c"}
    spec = repository_spec(REGISTRY, "a", "1", source, {})
    assert spec is not None
    assert (spec.rule, spec.attributes) == ("git_repository", {"remote": "https://a.example/a.git", "commit": "c"})


def test_a_folder_is_relative_to_the_registry_or_absolute() -> None:
    def path(folder: str, config: dict[str, object]) -> object:
        spec = repository_spec("file:///r", "a", "1", {"type": "local_path", "path": folder}, config)
        return spec.attributes["path"] if spec is not None else None

    assert path("a-1", {}) == "/r/a-1"
    assert path("a-1", {"module_base_path": "../src"}) == "/src/a-1"
    assert path("a-1", {"module_base_path": "/abs"}) == "/abs/a-1"
    assert path("/elsewhere", {"module_base_path": "src"}) == "/elsewhere"


def test_what_is_no_source_gives_nothing() -> None:
    assert repository_spec(REGISTRY, "a", "1", {"type": "carrier pigeon"}, {}) is None
    assert read_object(b"[1]") == {}
    assert read_object(b"{") == {}


def test_yanked_versions() -> None:
    assert yanked_versions({"yanked_versions": {"1.0": "bad"}}) == {"1.0": "bad"}
    assert yanked_versions({"yanked_versions": []}) == {}
