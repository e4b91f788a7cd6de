"""docs/repositories.md against the code: the table's rows are the ways, in order, and each wins where it says so."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from bzlgraph.base.label import Label, identity_mapping
from bzlgraph.base.span import Location
from bzlgraph.bazel.context.contexts import RepositoryCall
from bzlgraph.workspace.options import RepositoryOptions
from bzlgraph.workspace.repositories.provision import Provision
from bzlgraph.workspace.repositories.table import Repositories, Repository
from bzlgraph.workspace.repositories.ways import WAYS
from bzlgraph.workspace.sources.source import DiskSource, MemorySource
from bzlgraph.workspace.tree import RepositoryTree
from tests.workspace.archives import tar_file

PAGE = Path(__file__).parents[2] / "docs" / "repositories.md"


def documented() -> dict[str, tuple[str, str]]:
    """The rows of the first table: way -> (when, what it gives)."""
    table = PAGE.read_text(encoding="utf-8").partition("|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {way: (when, gives) for way, when, gives in rows}


def test_the_table_has_the_ways_in_their_order():
    assert list(documented()) == list(WAYS)


def file(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path.parent


class Conditions:
    """A repository ``r`` for which some conditions of the table hold."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "checkout"
        self.root.mkdir()
        self.options: dict[str, object] = {}
        self.overrides: dict[str, Path] = {}
        self.attributes: dict[str, object] = {"name": "r", "build_file_content": "x"}
        self.rule = "http_archive"
        self.evaluated: Callable[[str, RepositoryCall], Provision | None] = lambda _name, _call: None
        self.recorded: Callable[[str, RepositoryCall | None], Provision | None] = lambda _name, _call: None

    def overridden(self) -> None:
        self.overrides["r"] = file(self.folder / "given/BUILD")

    def local(self) -> None:
        self.rule, self.attributes["path"] = "local_repository", "here"
        file(self.root / "here/BUILD")

    def checked_out(self) -> None:
        self.options["repository_folders"] = (file(self.folder / "checkouts/r/BUILD").parent,)

    def fetched(self) -> None:
        file(self.root / "external/r/BUILD")

    def vendored(self) -> None:
        file(self.root / "vendor/r+/BUILD")

    def kept_in_vendor(self) -> None:
        self.vendored()
        (self.root / "vendor/VENDOR.bazel").write_text('pin("@@r+")\n')
        self.options["vendor_dir"] = self.root / "vendor"

    def archived(self) -> None:
        made = tar_file(file(self.folder / "dist/x") / "r.tgz", {"BUILD": b""})
        self.rule, self.options["distdirs"] = "http_archive", (made.parent,)
        self.attributes |= {"url": "https://x/r.tgz", "sha256": hashlib.sha256(made.read_bytes()).hexdigest()}

    def evaluate(self) -> None:
        self.evaluated = lambda _name, _call: Provision(MemorySource({"BUILD": b""}), known=True)

    def pinned(self) -> None:
        self.rule, self.attributes["artifacts"] = "maven_install", ["g:a:1"]

    def record(self) -> None:
        self.recorded = lambda _name, _call: Provision(MemorySource({"BUILD": b""}), known=True)

    def find(self) -> Repository:
        bzl = Label("bazel_tools", "tools/build_defs/repo", "http.bzl")
        call = RepositoryCall("r", self.rule, bzl, self.attributes, Location("WORKSPACE", 1, 1))
        main = Repository("", RepositoryTree(DiskSource(self.root)))
        options = RepositoryOptions(**self.options)
        made = Repositories(self.root, main, self.overrides, {"r": call}, identity_mapping, options=options)
        made.evaluate, made.recorded = self.evaluated, self.recorded
        return made.get("r")


MAKE_TRUE = {
    "overridden": Conditions.overridden,
    "local": Conditions.local,
    "checked out": Conditions.checked_out,
    "kept in vendor": Conditions.kept_in_vendor,
    "fetched": Conditions.fetched,
    "vendored": Conditions.vendored,
    "archived": Conditions.archived,
    "evaluated": Conditions.evaluate,
    "pinned": Conditions.pinned,
    "recorded": Conditions.record,
    "laid over": lambda _conditions: None,
}


@pytest.mark.parametrize("first", list(WAYS))
def test_each_way_wins_over_those_below_it(tmp_path, first):
    conditions = Conditions(tmp_path)
    for way in reversed(list(documented())[list(documented()).index(first) :]):
        MAKE_TRUE[way](conditions)
    found = conditions.find()
    assert found.way == first
    assert found.present == (first not in ("pinned", "laid over"))


@pytest.mark.parametrize("way", list(WAYS))
def test_each_way_gives_something_by_itself(tmp_path, way):
    conditions = Conditions(tmp_path)
    MAKE_TRUE[way](conditions)
    assert conditions.find().way == way


@pytest.mark.parametrize("way", ["local", "checked out", "fetched", "archived", "laid over"])
def test_the_build_file_of_the_rule_is_laid_over(tmp_path, way):
    conditions = Conditions(tmp_path)
    MAKE_TRUE[way](conditions)
    assert "BUILD file" in documented()[way][1]
    assert conditions.find().tree.read_build_file("")[0] == b"x"


@pytest.mark.parametrize("way", ["archived", "evaluated"])
def test_what_knows_not_all_gives_way_to_what_a_bazel_left(tmp_path, way):
    conditions = Conditions(tmp_path)
    MAKE_TRUE[way](conditions)
    if way == "archived":
        conditions.attributes["patch_cmds"] = ["rm BUILD"]
    else:
        assumed = Provision(MemorySource({"BUILD": b""}), known=True, assumptions=("python3 is there",))
        conditions.evaluated = lambda _name, _call: assumed
    assert conditions.find().way == way
    conditions.fetched()
    assert conditions.find().way == "fetched"
