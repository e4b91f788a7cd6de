"""Module extensions: run with the tags of all modules, once, when a repository of theirs is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bzlgraph.facts.modules import module_facts
from bzlgraph.workspace.options import Options, RepositoryOptions
from bzlgraph.workspace.workspace import Workspace, open_workspace
from tests.written_files import write_files

EXTENSION = """
def _repo_impl(ctx):
    ctx.file("BUILD", "filegroup(name = {})".format(repr(ctx.attr.text)))
    ctx.file("label.txt", str(ctx.attr.file) if ctx.attr.file else "")
    ctx.file("name.txt", ctx.name + " " + ctx.original_name)

repo = repository_rule(implementation = _repo_impl, attrs = {"text": attr.string(), "file": attr.label()})

def _impl(ctx):
    told = []
    for module in ctx.modules:
        for tag in module.tags.text:
            repo(name = tag.name, text = tag.text, file = tag.file)
            told.append("_".join([module.name, tag.name, str(module.is_root), str(ctx.is_dev_dependency(tag))]))
    repo(name = "hub", text = "-".join(told), file = "@one//:x")

ext = module_extension(
    implementation = _impl,
    tag_classes = {"text": tag_class(attrs = {
        "name": attr.string(mandatory = True),
        "text": attr.string(default = "default", values = ["default", "other"]),
        "file": attr.label(),
        "number": attr.int(),
    })},
)
"""
USE = 'e = use_extension("//:ext.bzl", "ext")\n'


def workspace(
    folder: Path, module: str, files: dict[str, str] | None = None, lockfile_mode: str = "update"
) -> Workspace:
    """A workspace with the extension above."""
    write_files(folder, {"BUILD": "", "ext.bzl": EXTENSION, "MODULE.bazel": module, **(files or {})})
    options = RepositoryOptions(registries=("https://registry.example",), lockfile_mode=lockfile_mode)
    return open_workspace(folder, Options(bazel_version="7.7.1", repositories=options))


def text(of: Workspace, repo: str, file: str = "BUILD") -> str:
    """A file of a repository as the main one sees it."""
    repository = of.repository(of.map_repository("", repo))
    assert repository.problems == ()
    return repository.tree.source.read(file).decode()


def refusal(of: Workspace, repo: str) -> str:
    """What is wrong with a repository."""
    (problem,) = of.repository(of.map_repository("", repo)).problems
    return problem.message


def test_tags_make_repositories_with_canonical_names(tmp_path: Path) -> None:
    module = f'module(name = "m")\n{USE}e.text(name = "one", file = "//:BUILD")\ne.text(name = "two", text = "other")\n'
    found = workspace(tmp_path, f'{module}use_repo(e, "one", "hub", zwei = "two")')
    assert text(found, "one") == 'filegroup(name = "default")'
    assert text(found, "zwei") == 'filegroup(name = "other")'
    assert text(found, "one", "label.txt") == "@@//:BUILD"
    assert text(found, "one", "name.txt") == "_main~ext~one one"
    assert text(found, "hub") == 'filegroup(name = "m_one_True_False-m_two_True_False")'


def test_repositories_see_each_other_by_the_names_that_the_extension_gave(tmp_path: Path) -> None:
    found = workspace(tmp_path, f'{USE}e.text(name = "one")\nuse_repo(e, "hub", seen = "one")')
    assert text(found, "hub", "label.txt") == "@@_main~ext~one//:x"
    mapping = found.map_repository
    assert mapping("hub", "one") == "seen"
    assert mapping("hub", "seen") == "seen", "the module of the extension is the root, which sees it by that name"
    assert mapping("", "one").startswith("@[unknown repo")


def test_repositories_that_nobody_takes_are_there_as_well(tmp_path: Path) -> None:
    found = workspace(tmp_path, f'{USE}e.text(name = "one")\ne.text(name = "other")\nuse_repo(e, "one")')
    assert found.repository("@_main~ext~other").tree.source.read("BUILD") == b'filegroup(name = "default")'


def test_it_is_not_run_before_it_is_asked_for_and_once(tmp_path: Path) -> None:
    loud = EXTENSION.replace("    told = []", '    told = []\n    print("runs")')
    write_files(
        tmp_path,
        {"BUILD": "", "ext.bzl": loud, "MODULE.bazel": f'{USE}e.text(name = "one")\nuse_repo(e, "one", "hub")'},
    )
    said: list[str] = []
    options = RepositoryOptions(registries=("https://registry.example",))
    found = open_workspace(
        tmp_path, Options(bazel_version="7.7.1", repositories=options, print=lambda what, _where: said.append(what))
    )
    assert said == []
    for repo in "one", "hub", "one":
        text(found, repo)
    assert said == ["runs"]


@pytest.mark.parametrize(("call", "expected"), [("fail('no tool')", ["found"]), ("repo(name = 'tool')", [])])
def test_only_the_run_that_counts_prints(tmp_path: Path, call: str, expected: list[str]) -> None:
    """What is found decides whether a repository is made: then nothing is printed, which may not be so."""
    decision = f"""
    found = ctx.which("tool")
    print("found" if found else "not found")
    if not found:
        {call}
    told = []"""
    loud = EXTENSION.replace("\n    told = []", decision)
    write_files(tmp_path, {"BUILD": "", "ext.bzl": loud, "MODULE.bazel": f'{USE}use_repo(e, "hub")'})
    said: list[str] = []
    options = RepositoryOptions(registries=("https://registry.example",))
    asked = Options(bazel_version="7.7.1", repositories=options, print=lambda what, _where: said.append(what))
    assert text(open_workspace(tmp_path, asked), "hub") == 'filegroup(name = "")'
    assert said == expected


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ('e.word(name = "x")', "does not have a tag class named word, but its use is attempted at MODULE.bazel:2:7"),
        ('e.text(nam = "x")', "in tag at MODULE.bazel:2:7, unknown attribute nam provided (did you mean 'name'?)"),
        ('e.text(text = "other")', "in tag at MODULE.bazel:2:7, mandatory attribute name isn't being specified"),
        (
            'e.text(name = "x", number = "y")',
            "converting value for attribute number: expected value of type 'int' for number, but got \"y\" (string)",
        ),
        (
            'e.text(name = "x", text = "else")',
            "the value for attribute text has to be one of 'default' or 'other' instead of 'else'",
        ),
        (
            'e.text(name = "x", file = "@nobody//:y")',
            "to the root module, but referenced by label '@nobody//:y' in attribute 'file' of tag 'text'.",
        ),
        (
            'use_repo(e, "gone")',
            'does not generate repository "gone", yet it is imported as "gone" in the usage at MODULE.bazel:1:18',
        ),
        (
            'e.text(name = "one")\ne.text(name = "one")',
            "A repo named one is already generated by this module extension at ext.bzl:",
        ),
        (
            'override_repo(e, gone = "hub")',
            'module extension "ext" from "//:ext.bzl" does not generate repository "gone", yet it is overridden via',
        ),
        (
            'e.text(name = "one")\ninject_repo(e, one = "hub")',
            'module extension "ext" from "//:ext.bzl" generates repository "one", yet it is injected via inject_repo()',
        ),
    ],
)
def test_what_bazel_refuses(tmp_path: Path, tags: str, message: str) -> None:
    assert message in refusal(workspace(tmp_path, f'{USE}{tags}\nuse_repo(e, "hub")'), "hub")


def test_what_cannot_be_loaded_or_is_no_extension(tmp_path: Path) -> None:
    module = 'e = use_extension("//:ext.bzl", "repo")\nuse_repo(e, "a")\n'
    module += 'f = use_extension("//:no.bzl", "x")\nuse_repo(f, "b")'
    found = workspace(tmp_path, module)
    assert refusal(found, "a") == (
        "//:ext.bzl does not export a module extension called repo, yet its use is requested at MODULE.bazel:1:18"
    )
    assert "Error loading '//:no.bzl' for module extensions, requested by MODULE.bazel:3:18" in refusal(found, "b")


def test_a_failure_is_a_problem_of_its_repositories_alone(tmp_path: Path) -> None:
    failing = EXTENSION.replace("    told = []", '    fail("never works")\n    told = []')
    found = workspace(tmp_path, f'{USE}use_repo(e, "hub")', {"ext.bzl": failing})
    assert found.diagnostics == []
    assert "never works" in refusal(found, "hub")


def test_what_only_a_process_knows_is_a_gap(tmp_path: Path) -> None:
    asking = EXTENSION.replace(
        "    told = []", '    told = []\n    if ctx.execute(["nvcc"]).return_code:\n        return'
    )
    found = workspace(tmp_path, f'{USE}e.text(name = "one")\nuse_repo(e, "one", "hub")', {"ext.bzl": asking})
    assert text(found, "one") == 'filegroup(name = "default")'
    assert any("nvcc" in gap.what for gap in found.repository("one").gaps)


def test_what_is_called_and_not_known_may_be_a_macro_that_makes_more(tmp_path: Path) -> None:
    """As Oak's ``rust_repository_set`` does, of a rule set that is not on disk."""
    calling = 'load("@gone//:x.bzl", "set")\n' + EXTENSION.replace(
        "    told = []", '    told = []\n    set(name = "set")'
    )
    module = f'bazel_dep(name = "gone", version = "1.0")\n{USE}use_repo(e, "hub", "set", "set__linux")'
    found = workspace(tmp_path, module, {"ext.bzl": calling})
    assert text(found, "hub") == 'filegroup(name = "")'
    for name in ("set", "set__linux"):
        repository = found.repository(found.map_repository("", name))
        assert (repository.present, repository.problems) == (False, ())


NEEDY = """
load(":ext.bzl", "repo")

def _first(ctx):
    ctx.read(Label("@two//:BUILD"))
    repo(name = "one")

def _second(ctx):
    ctx.path(Label("@one//:BUILD"))
    repo(name = "two")

first = module_extension(implementation = _first)
second = module_extension(implementation = _second)
"""
NEEDY_USES = """
a = use_extension("//:needy.bzl", "first")
use_repo(a, "one")
b = use_extension("//:needy.bzl", "second")
use_repo(b, "two")
"""


@pytest.mark.parametrize("asked", ["one", "two"])
def test_extensions_that_need_each_other_make_nothing(tmp_path: Path, asked: str) -> None:
    """Whichever is asked for first. (7.7.1 was asked, as for the others here.)"""
    found = workspace(tmp_path, NEEDY_USES, {"needy.bzl": NEEDY})
    circle = " -> ".join(f"extension '{name}' defined in //:needy.bzl" for name in ("first", "second", "first"))
    assert circle in refusal(found, asked)
    assert "ircular" in refusal(found, "one")
    assert "ircular" in refusal(found, "two")


def test_an_extension_that_needs_what_it_makes_makes_nothing(tmp_path: Path) -> None:
    needy = NEEDY.replace("@two", "@one")
    assert "Circular definition of repositories" in refusal(
        workspace(tmp_path, NEEDY_USES, {"needy.bzl": needy}), "one"
    )


def test_an_extension_whose_file_loads_what_is_missing_is_run_and_doubted(tmp_path: Path) -> None:
    """Bazel runs it not at all."""
    broken = 'load("//:absent.bzl", "x")\n' + EXTENSION
    found = workspace(tmp_path, f'{USE}use_repo(e, "hub")', {"ext.bzl": broken})
    assert text(found, "hub") == 'filegroup(name = "")'
    (gap,) = found.repository(found.map_repository("", "hub")).gaps
    assert gap.what == "//:ext.bzl: cannot load '//:absent.bzl': no such file"


def test_an_extension_that_its_file_does_not_come_to_makes_nothing(tmp_path: Path) -> None:
    said = refusal(workspace(tmp_path, f'{USE}use_repo(e, "hub")', {"ext.bzl": f"fail('no')\n{EXTENSION}"}), "hub")
    assert said == "Error loading '//:ext.bzl' for module extensions, requested by MODULE.bazel:1:18: no"


class TestCodeThatIsNotOnDisk:
    """Only registries have these modules: nothing is known of their extensions but what a file of ours stands in for.
    All of them are run by ``mod graph``."""

    REGISTRY = "registry/modules"

    def found(self, folder: Path, module: str, *extensions: str, bazel_version: str = "7.7.1") -> Workspace:
        """A workspace with a module of a registry that uses extensions of its own."""
        name, _, version = module.partition("@")
        lines = [f'module(name = "{name}", version = "{version}")\n', *extensions]
        files = {
            "BUILD": "",
            "MODULE.bazel": f'bazel_dep(name = "{name}", version = "{version}")',
            f"{self.REGISTRY}/{name}/{version}/MODULE.bazel": "".join(lines),
            f"{self.REGISTRY}/{name}/{version}/source.json": '{"url": "https://a.example/a.tgz", "integrity": ""}',
        }
        options = RepositoryOptions(registries=(f"file://{write_files(folder, files)}/registry",))
        return open_workspace(folder, Options(bazel_version=bazel_version, repositories=options))

    def test_a_name_that_stands_for_a_rule_is_no_extension_of_another_kind(self, tmp_path: Path) -> None:
        use = 'c = use_extension("//python/extensions:config.bzl", "config")\nuse_repo(c, "tool")\n'
        repository = self.found(tmp_path, "rules_python@1.7.0", use).repository("@rules_python~~config~tool")
        assert (repository.present, repository.problems) == (False, ())

    def test_the_constraints_of_the_nominal_host(self, tmp_path: Path) -> None:
        use = 'h = use_extension("//host:extension.bzl", "host_platform")\nuse_repo(h, "host_platform")\n'
        repository = self.found(tmp_path, "platforms@1.0.0", use).repository("@platforms~host_platform~host_platform")
        assert repository.problems == ()
        assert b"@platforms//cpu:x86_64" in repository.tree.source.read("constraints.bzl")

    def test_what_a_stand_in_does_not_make_is_a_gap(self, tmp_path: Path) -> None:
        use = 'h = use_extension("//host:extension.bzl", "host_platform")\nuse_repo(h, "another")\n'
        repository = self.found(tmp_path, "platforms@1.0.0", use).repository("@platforms~host_platform~another")
        assert repository.problems == ()
        assert any('does not generate repository "another"' in gap.what for gap in repository.gaps)

    def test_a_repository_that_only_an_older_bazel_has_is_no_problem_of_the_tree(self, tmp_path: Path) -> None:
        """Our model of ``@bazel_tools`` is of 7.7.1, whose toolchain is in ``@local_config_cc``; from 8.0 on rules_cc
        has it, and rules_android the tools for Android."""
        empty = {f"{self.REGISTRY}/{name}/{version}/MODULE.bazel": f'module(name = "{name}", version = "{version}")'
                 for name, version in built_in_dependencies("8.0.0")}  # fmt: skip
        write_files(tmp_path, empty)
        found = self.found(tmp_path, "mine@1", bazel_version="8.0.0")
        assert found.diagnostics == []
        assert [found.repository(name).problems for name in ("local_config_cc", "android_tools")] == [(), ()]
        (problem,) = found.repository("gone").problems
        assert problem.message == "Repository '@@gone' is not defined"


def built_in_dependencies(bazel_version: str) -> list[tuple[str, str]]:
    """The modules that a Bazel asks for itself."""
    facts = module_facts(bazel_version)
    return [(each.name, each.version) for built_in in facts.built_in for each in built_in.dependencies]


class TestUseRepoRule:
    def test_a_repository_with_labels_of_the_module(self, tmp_path: Path) -> None:
        found = workspace(tmp_path, 'r = use_repo_rule("//:ext.bzl", "repo")\nr(name = "own", file = ":BUILD")')
        assert text(found, "own", "label.txt") == "@@//:BUILD"
        assert text(found, "own", "name.txt") == "_main~_repo_rules~own own"

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            ('r = use_repo_rule("//:ext.bzl", "repo")\nr(name = "own", x = 1)', "no such attribute 'x' in 'repo' rule"),
            (
                'r = use_repo_rule("//:ext.bzl", "ext")\nr(name = "own")',
                "//:ext.bzl does not export a repository_rule called ext, yet its use is requested at MODULE.bazel:2:2",
            ),
        ],
    )
    def test_what_is_refused(self, tmp_path: Path, call: str, message: str) -> None:
        assert refusal(workspace(tmp_path, call), "own") == message


class TestLockFile:
    def lock(self, specs: object, extension: str = "@@gone~//:ext.bzl%ext", version: int = 13) -> dict[str, str]:
        runs = {"general": {"generatedRepoSpecs": specs}}
        content = {"lockFileVersion": version, "moduleExtensions": {extension: runs}}
        return {"MODULE.bazel.lock": json.dumps(content)}

    MODULE = 'bazel_dep(name = "gone", version = "1")\ne = use_extension("@gone//:ext.bzl", "ext")\nuse_repo(e, "one")'

    def test_it_tells_what_an_extension_made_whose_code_is_not_there(self, tmp_path: Path) -> None:
        archive = {
            "repoRuleId": "@@bazel_tools//tools/build_defs/repo:http.bzl%http_archive",
            "attributes": {"url": "u"},
        }
        own = {"repoRuleId": "@@//:ext.bzl%repo", "attributes": {"text": "locked", "file": "@@//:BUILD"}}
        found = workspace(tmp_path, self.MODULE, self.lock({"one": own, "two": archive}))
        assert text(found, "one") == 'filegroup(name = "locked")'
        assert text(found, "one", "label.txt") == "@@//:BUILD"
        call = found.repository("@gone~~ext~two").call
        assert call is not None
        assert (call.rule, call.attributes) == ("http_archive", {"url": "u"})

    def test_one_of_another_version_is_not_used_silently(self, tmp_path: Path) -> None:
        own = {"repoRuleId": "@@//:ext.bzl%repo", "attributes": {"text": "locked"}}
        for version, told in ((13, False), (16, True)):
            found = workspace(tmp_path / str(version), self.MODULE, self.lock({"one": own}, version=version))
            assert text(found, "one") == 'filegroup(name = "locked")'
            gaps = [gap.what for gap in found.repository("one").gaps]
            assert any("MODULE.bazel.lock has version" in what for what in gaps) == told

    def test_an_extension_that_it_must_have(self, tmp_path: Path) -> None:
        """As Bazel 7.7.1 says without a lock file; one that makes the same everywhere is never in it."""
        module = f'{USE}e.text(name = "one")\nuse_repo(e, "one")'
        found = workspace(tmp_path / "none", module, lockfile_mode="error")
        assert refusal(found, "one") == "The module extension '@@//:ext.bzl%ext' does not exist in the lockfile"
        assert text(workspace(tmp_path / "update", module), "one") == 'filegroup(name = "default")'
        lock = self.lock({}, "//:ext.bzl%ext")
        assert text(workspace(tmp_path / "locked", module, lock, "error"), "one") == 'filegroup(name = "default")'
        same = EXTENSION.replace(
            'file = "@one//:x")\n', 'file = "@one//:x")\n    return ctx.extension_metadata(reproducible = True)\n'
        )
        found = workspace(tmp_path / "same", module, {"ext.bzl": same}, "error")
        assert text(found, "one") == 'filegroup(name = "default")'

    def test_without_it_repositories_are_known_by_name(self, tmp_path: Path) -> None:
        found = workspace(tmp_path, self.MODULE)
        repository = found.repository("one")
        assert not repository.present
        assert repository.call is not None
        assert repository.call.attributes == {"extension": "@@gone~//:ext.bzl%ext", "repository": "one"}


def metadata(arguments: str) -> str:
    """The extension above that says so of itself."""
    return EXTENSION.replace(
        'file = "@one//:x")\n', f'file = "@one//:x")\n    return ctx.extension_metadata({arguments})\n'
    )


DEPS, DEV_DEPS = "root_module_direct_deps", "root_module_direct_dev_deps"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (f"{DEPS} = ['a']", "must both be specified or both be unspecified"),
        (
            f"{DEPS} = 'all', {DEV_DEPS} = 'all'",
            f'if one of {DEPS} and {DEV_DEPS} is "all", the other must be an empty',
        ),
        (f"{DEV_DEPS} = 'none'", f'{DEPS} and {DEV_DEPS} must be None, "all", or a list of strings'),
        (
            f"{DEPS} = ['~'], {DEV_DEPS} = []",
            f"in {DEPS}: invalid user-provided repo name '~': valid names may contain",
        ),
        (f"{DEPS} = [], {DEV_DEPS} = ['a', 'a']", f"in {DEV_DEPS}: duplicate entry 'a'"),
        (f"{DEPS} = ['a'], {DEV_DEPS} = ['a']", f"in {DEV_DEPS}: entry 'a' is also in {DEPS}"),
        (
            f"{DEPS} = ['hub'], {DEV_DEPS} = ['a']",
            f"{DEV_DEPS} must be empty if the root module contains no usages with",
        ),
        (
            "reproducible = 1",
            "in call to extension_metadata(), parameter 'reproducible' got value of type 'int', want 'b",
        ),
    ],
)
def test_what_an_extension_may_not_say_of_itself(tmp_path: Path, arguments: str, message: str) -> None:
    """Bazel 7.7.1 was asked."""
    made = workspace(tmp_path, f'{USE}use_repo(e, "hub")', {"ext.bzl": metadata(arguments)})
    assert message in refusal(made, "hub")


def test_what_an_extension_may_say_of_itself(tmp_path: Path) -> None:
    told = metadata(f"{DEPS} = 'all', {DEV_DEPS} = []")
    made = workspace(tmp_path, f'{USE}use_repo(e, "hub")', {"ext.bzl": told})
    assert made.repository(made.map_repository("", "hub")).problems == ()


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('name = "hub"', 'name = "_hub"', "invalid user-provided repo name '_hub'"),
        ('file = "@one//:x")\n', 'file = "@one//:x")\n    return 1\n', "to return None or extension_metadata, got int"),
    ],
)
def test_what_an_extension_may_not_do(tmp_path: Path, before: str, after: str, message: str) -> None:
    made = workspace(tmp_path, f'{USE}use_repo(e, "hub")', {"ext.bzl": EXTENSION.replace(before, after)})
    assert message in refusal(made, "hub")


@pytest.mark.parametrize(("allowed", "isolate"), [(True, True), (True, False), (False, False)])
def test_an_extension_knows_whether_its_usage_is_isolated(tmp_path: Path, allowed: bool, isolate: bool) -> None:
    isolated = EXTENSION.replace("told = []", "told = [str(ctx.is_isolated)]")
    use = USE.replace(")", ", isolate = True)") if isolate else USE
    write_files(tmp_path, {"BUILD": "", "ext.bzl": isolated, "MODULE.bazel": f'{use}use_repo(e, "hub")'})
    options = RepositoryOptions(registries=("https://registry.example",), isolated_extension_usages=allowed)
    made = open_workspace(tmp_path, Options(bazel_version="7.7.1", repositories=options))
    if allowed:
        assert text(made, "hub").startswith(f'filegroup(name = "{isolate}')
    else:
        assert "has no field or method 'is_isolated'" in refusal(made, "hub")
