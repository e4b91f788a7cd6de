"""The loader: lazy, the same answer from fresh files, from the cache and from worker processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from bzlgraph.base.errors import LoadProblem
from bzlgraph.base.label import Label
from bzlgraph.graph.build import BuildGraph
from bzlgraph.loading.loader import EncodedPackage, Loader, open_loader
from bzlgraph.workspace.options import Options
from bzlgraph.workspace.workspace import open_workspace
from tests.written_files import write_files

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "mini_tensorflow"
FIXTURES = [EXAMPLE, *sorted(path.parent for path in (ROOT / "tests" / "workspaces").rglob("WORKSPACE"))]


def loader(folder: Path, cache: Path | None = None, jobs: int = 1) -> Loader:
    return open_loader(open_workspace(folder, Options(cache_folder=cache, jobs=jobs)))


def everything(of: Loader) -> tuple[BuildGraph, dict[str, object]]:
    """The whole graph, and every package as plain data."""
    graph = BuildGraph(of)
    graph.load(("", name) for name in of.packages_below("", ""))
    described = {
        package.name: (
            [(target.kind, target.label, dict(getattr(target, "values", {}))) for target in package.targets.values()],
            package.gaps,
            package.bzl_files,
            package.broken,
        )
        for package in of.loaded()
    }
    return graph, described


def edges(graph: BuildGraph) -> list[tuple[object, ...]]:
    names = graph.labels
    return sorted(
        (
            str(names[source]),
            str(names[target]),
            graph.columns.attributes[name],
            str(graph.columns.conditions[when]),
            flags,
        )
        for source, target, name, when, flags in zip(
            graph.columns.edge_source,
            graph.columns.edge_target,
            graph.columns.edge_attribute,
            graph.columns.edge_condition,
            graph.columns.edge_flags,
            strict=True,
        )
    )


@pytest.mark.parametrize("folder", FIXTURES, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_the_cache_changes_nothing(folder: Path, tmp_path: Path) -> None:
    fresh_graph, fresh = everything(loader(folder))
    everything(loader(folder, tmp_path))
    cached_loader = loader(folder, tmp_path)
    cached_graph, cached = everything(cached_loader)
    assert cached_loader.cache is not None
    assert cached_loader.cache.hits == len(cached_loader.packages_below("", ""))
    assert cached == fresh
    assert edges(cached_graph) == edges(fresh_graph)


def test_worker_processes_change_nothing() -> None:
    alone_graph, alone = everything(loader(EXAMPLE, jobs=1))
    many_graph, many = everything(loader(EXAMPLE, jobs=2))
    assert many == alone
    assert edges(many_graph) == edges(alone_graph)


@pytest.mark.parametrize("whole", [False, True])
def test_workers_end_when_the_checkout_is_loaded(tmp_path: Path, whole: bool) -> None:
    many = loader(write(tmp_path, **{f"p{number}/BUILD": "" for number in range(30)}), jobs=2)
    names = many.packages_below("", "")
    before = set(multiprocessing.active_children())
    list(many.in_turn(("", name) for name in (names if whole else names[1:])))
    processes = set(multiprocessing.active_children()) - before
    for process in processes if whole else ():
        process.join(10)
    assert any(process.is_alive() for process in processes) is not whole
    assert many.find("", names[0]) is not None
    many.close()


def test_packages_are_given_in_order_while_others_are_evaluated(tmp_path: Path) -> None:
    names = [f"p{number:02}" for number in range(30)]
    root = write(tmp_path, **{f"{name}/BUILD": f'filegroup(name = "{name}")' for name in names})
    alone, keys = loader(root), [("", name) for name in reversed(names)]
    coming = iter(alone.in_turn([*keys, keys[0]]))
    assert next(coming) == keys[0]
    assert [each.name for each in alone.loaded()] == ["external", names[-1]], "the others are not waited for"
    assert alone.find(*keys[3]) is not None, "whoever needs one in the meantime gets it"
    assert list(coming) == keys[1:]
    many = loader(root, jobs=2)
    assert [name for _, name in many.in_turn(keys) if many.find("", name) and many.find(*keys[-1])] == names[::-1]
    assert [each.name for each in many.loaded()] == ["external", *names]


def test_workers_evaluate_what_is_reached_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes, evaluate = tmp_path / "notes", Loader._evaluate_apart

    def noted(self: Loader, key: tuple[str, str]) -> EncodedPackage:
        with notes.open("a") as file:
            file.write(f"{key[1]}\n")
        return evaluate(self, key)

    monkeypatch.setattr(Loader, "_evaluate_apart", noted)
    wide = [f"wide{number}" for number in range(30)]
    lists = "\n".join(f'filegroup(name = "{each}", srcs = ["//{each}"])' for each in (*wide, "beside"))
    files = {f"{each}/BUILD": f'filegroup(name = "{each}", srcs = ["//{each}/behind"])' for each in wide}
    files |= {f"{each}/behind/BUILD": 'filegroup(name = "behind")' for each in wide}
    top = f'filegroup(name = "top", srcs = {[f":{each}" for each in wide]})'
    root = write(tmp_path, **files, **{"top/BUILD": f"{top}\n{lists}", "beside/BUILD": 'filegroup(name = "beside")'})
    graph = BuildGraph(loader(root, jobs=2))
    graph.closure([graph.node(Label("", "top", "top"))])
    assert sorted(notes.read_text().split()) == sorted([*wide, *(f"{each}/behind" for each in wide)])


def test_what_ends_a_worker_is_evaluated_here(monkeypatch: pytest.MonkeyPatch) -> None:
    alone_graph, alone = everything(loader(EXAMPLE, jobs=1))
    evaluate = Loader._evaluate_apart

    def killed(self: Loader, key: tuple[str, str]) -> EncodedPackage:
        if key[1].endswith("kernels"):
            os.kill(os.getpid(), signal.SIGKILL)
        return evaluate(self, key)

    monkeypatch.setattr(Loader, "_evaluate_apart", killed)
    many_graph, many = everything(loader(EXAMPLE, jobs=2))
    assert many == alone
    assert edges(many_graph) == edges(alone_graph)


def write(root: Path, **files: str) -> Path:
    return write_files(root, {"WORKSPACE": "", **files})


CHANGES = {
    "BUILD file": {"a/BUILD": "filegroup(name = 'other')"},
    "a .bzl file it loads": {"a/m.bzl": "NAME = 'other'"},
    "a .bzl file behind that": {"a/n.bzl": "N = 'other'"},
    "a file that a glob finds": {"a/other.txt": ""},
    "a package below": {"a/sub/BUILD": ""},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(change: str, tmp_path: Path) -> None:
    root = write(
        tmp_path / "ws",
        **{
            "a/n.bzl": "N = 'x'",
            "a/m.bzl": "load(':n.bzl', 'N')\nNAME = N",
            "a/BUILD": "load(':m.bzl', 'NAME')\nfilegroup(name = NAME, srcs = glob(['**/*.txt']))",
            "a/sub/x.txt": "",
        },
    )
    cache = tmp_path / "cache"
    before = everything(loader(root, cache))[1]
    write(root, **CHANGES[change])
    after = everything(loader(root, cache))[1]
    assert after != before
    assert after == everything(loader(root))[1]


def test_only_the_packages_that_are_asked_for_are_loaded(tmp_path: Path) -> None:
    root = write(tmp_path, **{"a/BUILD": "filegroup(name = 'x', srcs = ['//b:y'])", "b/BUILD": "fail('not me')"})
    lazy = loader(root)
    assert lazy.find("", "a") is not None
    assert [package.name for package in lazy.loaded() if package.name != "external"] == ["a"]


def test_what_is_missing_is_explained(tmp_path: Path) -> None:
    lazy = loader(write(tmp_path, **{"alpha/BUILD": ""}))
    with pytest.raises(LoadProblem, match="no such package '//alpa'") as caught:
        lazy.package("", "alpa")
    assert caught.value.diagnostic.hint == "did you mean //alpha?"
    assert lazy.package("nowhere", "x") is None
    assert "override_repository=nowhere" in (lazy.missing("nowhere", "x").hint or "")


def test_a_near_name_in_another_repository_is_told_with_it(tmp_path: Path) -> None:
    told = {"WORKSPACE": "local_repository(name = 'other', path = 'o')\n", "o/WORKSPACE": "", "o/alpha/BUILD": ""}
    missing = loader(write(tmp_path, **told)).missing("other", "alpa")
    assert missing.hint == "did you mean @other//alpha?"


def test_a_repository_in_a_submodule_says_how_it_is_fetched(tmp_path: Path) -> None:
    defined = "local_repository(name = 'x', path = 'deps/x')\nlocal_repository(name = 'y', path = 'deps/y')\n"
    told = {"WORKSPACE": defined, ".gitmodules": '[submodule "x"]\n  path = deps/x\n', "a/BUILD": ""}
    lazy = loader(write(tmp_path, **told))
    way = "its submodule is not checked out: git submodule update --init deps/x"
    assert lazy.missing("x", "p").hint == way
    assert lazy.absent("x", "p").hides.endswith(f"({way})")
    assert lazy.missing("y", "p").hint == "give its folder with --override_repository=y=DIR"
