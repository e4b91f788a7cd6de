"""Canonical names and repository mappings: https://bazel.build/external/module#repository_names_and_strict_deps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bzlgraph.base.label import Label
from bzlgraph.bzlmod.module import (
    ROOT,
    ExtensionUsage,
    ModuleFile,
    ModuleKey,
    MultipleVersionOverride,
    RepoOverride,
    RepoRuleUsage,
    RepositoryOverride,
    Tag,
    UseExtension,
    UseRepo,
)
from bzlgraph.bzlmod.resolution import ExtensionId, ResolvedModules
from bzlgraph.facts.modules import module_facts
from tests.bzlmod.graphs import key, module_files, problems, resolved


def usage(bzl: str, name: str, *imports: str, **more: object) -> ExtensionUsage:
    """A usage that takes repositories: ``seen=made`` or one name for both."""
    pairs = (each.partition("=") for each in imports)
    repositories = tuple(UseRepo(apparent, made or apparent) for apparent, _, made in pairs)
    return ExtensionUsage(bzl, name, (UseExtension("v", imports=repositories),), **more)  # type: ignore[arg-type]


def with_usages(module: ModuleFile, *usages: ExtensionUsage) -> ModuleFile:
    return replace(module, usages=usages)


def extension_graph(*root_usages: ExtensionUsage) -> ResolvedModules:
    """The root uses an extension of a@1, as a itself does, and the root's own."""
    graph = {"": "a@1=other", "a@1": "b@1", "b@1": ""}
    files = module_files(graph)
    files[ROOT] = with_usages(files[ROOT], *root_usages)
    a = key("a@1")
    files[a] = with_usages(files[a], usage("@a//:ext.bzl", "things", "mine"))
    return resolved(graph, files=files)


@pytest.mark.parametrize(
    ("version", "names", "extension", "rule", "second_rule"),
    [
        ("6.0", ["", "a~1", "b~1.5", "b~2"], "a~1~things~mine", "_main~_repo_rules~r1", "_main~_repo_rules~r2"),
        ("7.1", ["", "a~", "b~1.5", "b~2"], "a~~things~mine", "_main~_repo_rules~r1", "_main~_repo_rules~r2"),
        ("7.7.1", ["", "a~", "b~v1.5", "b~v2"], "a~~things~mine", "_main~_repo_rules~r1", "_main~_repo_rules~r2"),
        ("8.1", ["", "a+", "b+1.5", "b+2"], "a++things+mine", "+_repo_rules+r1", "+_repo_rules2+r2"),
        ("9.0", ["", "a+", "b+1.5", "b+2"], "a++things+mine", "+http+r1", "+git+r2"),
    ],
)
def test_canonical_names_of_each_generation(
    version: str, names: list[str], extension: str, rule: str, second_rule: str
) -> None:
    graph = {"": "a@1", "a@1": "b@1.5 b@2=b2", "b@1.5": "", "b@2": ""}
    files = module_files(graph)
    files[key("a@1")] = with_usages(files[key("a@1")], usage("@a//:ext.bzl", "things", "mine"))
    rules = (RepoRuleUsage("@a//:x.bzl", "http", "r1", {}), RepoRuleUsage("@a//:x.bzl", "git", "r2", {}))
    files[ROOT] = replace(files[ROOT], repo_rules=rules)
    facts = replace(module_facts(version), built_in=())
    modules = resolved(graph, MultipleVersionOverride("b", ("1.5", "2")), facts=facts, files=files)
    assert [each.canonical for each in modules.modules.values()] == names
    assert modules.module_mapping(key("a@1"))["mine"] == extension
    mapping = modules.module_mapping(ROOT)
    assert (mapping["r1"], mapping["r2"]) == (rule, second_rule)
    found = modules.extension_of(extension)
    assert found is not None
    assert found[1] == "mine"
    owner = modules.module_of("b~v2" if version == "7.7.1" else names[-1])
    assert owner is not None
    assert owner.key == key("b@2")


def test_a_module_sees_itself_its_dependencies_and_what_it_takes_from_extensions() -> None:
    modules = extension_graph(usage("@other//:ext.bzl", "things", "seen=made"), usage("@root//:own.bzl", "own", "o"))
    assert modules.module_mapping(ROOT) == {
        "": "",
        "root": "",
        "other": "a~",
        "seen": "a~~things~made",
        "o": "_main~own~o",
    }
    assert modules.module_mapping(key("a@1")) == {"a": "a~", "b": "b~", "mine": "a~~things~mine"}
    assert modules.module_mapping(key("b@1")) == {"b": "b~"}


def test_an_extension_is_one_for_all_its_users_the_root_first() -> None:
    modules = extension_graph(usage("@other//:ext.bzl", "things", "seen=made"))
    extension = modules.extensions[ExtensionId(Label("a~", "", "ext.bzl"), "things")]
    assert list(extension.usages) == [ROOT, key("a@1")]
    assert extension.imported() == {"made": [ROOT], "mine": [key("a@1")]}
    assert str(extension.id) == "@@a~//:ext.bzl%things"


def test_repositories_of_an_extension_see_each_other_and_what_its_module_sees() -> None:
    modules = extension_graph(usage("@other//:ext.bzl", "things", "seen=made"))
    (extension,) = modules.extensions.values()
    assert modules.extension_mapping(extension, ["made", "mine"]) == {
        "a": "a~",
        "b": "b~",
        "mine": "a~~things~mine",
        "made": "a~~things~made",
    }


def test_isolated_usages_have_repositories_of_their_own() -> None:
    isolated = usage("@other//:ext.bzl", "things", "seen=made", isolated=True)
    modules = extension_graph(isolated, usage("@other//:ext.bzl", "things", "plain=made"))
    mapping = modules.module_mapping(ROOT)
    assert mapping["seen"] == "a~~_things~~~v~made"
    assert mapping["plain"] == "a~~things~made"


def test_two_extensions_of_one_name_in_different_files() -> None:
    first, second = usage("@root//:a.bzl", "ext", "x"), usage("@root//:b.bzl", "ext", "y")
    mapping = extension_graph(first, second).module_mapping(ROOT)
    assert (mapping["x"], mapping["y"]) == ("_main~ext~x", "_main~ext2~y")


class TestOverriddenRepositories:
    def test_every_user_gets_the_other_one(self) -> None:
        override = RepoOverride("mine", "b_of_root", must_exist=True)
        own = usage("@root//:own.bzl", "own", "b_of_root=b")
        modules = extension_graph(usage("@other//:ext.bzl", "things", overrides=(override,)), own)
        assert modules.module_mapping(key("a@1"))["mine"] == "_main~own~b"

    def test_an_injected_one_is_seen_by_the_repositories_of_the_extension(self) -> None:
        override = RepoOverride("extra", "root", must_exist=False)
        modules = extension_graph(usage("@other//:ext.bzl", "things", overrides=(override,)))
        extension = modules.extensions[ExtensionId(Label("a~", "", "ext.bzl"), "things")]
        assert modules.extension_mapping(extension, ["mine"])["extra"] == ""

    def test_with_what_the_root_does_not_see(self) -> None:
        override = RepoOverride("mine", "nobody", must_exist=True)
        modules = extension_graph(usage("@other//:ext.bzl", "things", overrides=(override,)))
        (problem,) = problems(modules)
        assert "'things' is overridden with 'nobody', but no repo is visible under this name" in problem


def test_an_extension_of_a_repository_that_is_not_seen() -> None:
    modules = extension_graph(usage("@b//:ext.bzl", "things"))
    assert problems(modules) == ["invalid label for module extension found: no repo visible as '@b' here"]


def test_what_is_marked_dev_counts_in_the_root_only() -> None:
    def dev(bzl: str) -> ExtensionUsage:
        calls = (
            UseExtension("", imports=(UseRepo("kept", "kept"),)),
            UseExtension("", dev=True, imports=(UseRepo("dropped", "dropped", dev=True),)),
        )
        return ExtensionUsage(bzl, "things", calls, (Tag("t", {}), Tag("t", {}, dev=True)))

    graph = {"": "a@1", "a@1": ""}
    files = module_files(graph)
    files[ROOT] = with_usages(files[ROOT], dev("@a//:ext.bzl"))
    files[key("a@1")] = with_usages(files[key("a@1")], dev("@a//:ext.bzl"))
    (extension,) = resolved(graph, files=files).extensions.values()
    assert [len(each.tags) for each in extension.usages.values()] == [2, 1]
    assert extension.imported() == {"kept": [ROOT, key("a@1")], "dropped": [ROOT]}
    (extension,) = resolved(graph, files=files, ignore_dev=True).extensions.values()
    assert extension.imported() == {"kept": [ROOT, key("a@1")]}


BUILT_IN = ["bazel_tools", "local_config_platform"]


class TestBuiltInModules:
    def test_everybody_depends_on_them(self) -> None:
        graph = {"": "a@1", "a@1": "", "platforms@0.0.9": ""}
        modules = resolved(graph, facts=module_facts("7.7.1"))
        for each in ROOT, key("a@1"):
            mapping = modules.module_mapping(each)
            assert (mapping["bazel_tools"], mapping["local_config_platform"]) == (
                "bazel_tools",
                "local_config_platform",
            )
        assert modules.modules[ModuleKey("bazel_tools", "")].built_in
        assert modules.modules[key("platforms@0.0.9")].canonical == "platforms"
        assert modules.module_mapping(ModuleKey("bazel_tools", ""))["com_google_protobuf"] == "protobuf~"
        tools = modules.module_mapping(ModuleKey("bazel_tools", ""))
        assert tools["local_config_cc"] == "bazel_tools~cc_configure_extension~local_config_cc"
        assert tools["local_jdk"] == "rules_java~~toolchains~local_jdk"

    def test_bazel_9_has_one_less(self) -> None:
        modules = resolved({"": ""}, facts=module_facts("9.0"))
        assert "local_config_platform" not in modules.module_mapping(ROOT)

    @pytest.mark.parametrize("asked", [False, True])
    def test_bazel_9_asks_for_versions_of_modules_that_it_does_not_bring_in(self, asked: bool) -> None:
        """Lock files that 9.0.0, 9.1.1 and 9.2.0 wrote have rules_swift only where something else asks for it."""
        graph = {"": "rules_swift@2.4.0" if asked else "", "rules_swift@2.4.0": "", "rules_swift@3.1.2": ""}
        found = resolved(graph, facts=module_facts("9.0")).modules
        assert [str(each) for each in found if each.name == "rules_swift"] == ["rules_swift@3.1.2"] * asked

    @pytest.mark.parametrize(("version", "found"), [("8.4.2", False), ("8.5.0", True), ("8.7.0", True)])
    def test_bazel_8_5_brings_in_apple_support(self, version: str, found: bool) -> None:
        """Lock files of 8.5.0 to 8.7.0 read its MODULE.bazel where nothing else asks for it; 8.4.2's do not."""
        modules = resolved({"": "", "apple_support@1.23.1": ""}, facts=module_facts(version)).modules
        assert (key("apple_support@1.23.1") in modules) is found


def test_an_override_of_a_module_that_nobody_asks_for_is_refused() -> None:
    words = "the root module specifies overrides on nonexistent module(s): b"
    override = RepositoryOverride("b", "local_path_override", {"path": "b"})
    assert problems(resolved({"": "a@1", "a@1": ""}, override)) == [words]
    assert problems(resolved({"": "a@1", "a@1": ""}, given={"b": override})) == [words]
    assert not problems(resolved({"": "b@", "b@": ""}, override))
