"""What is fuzzed: a name, a corpus, and a function that reads an input.

The function returns what must be the same whenever the input is. ``BzlgraphError`` and what a target lists as
``refusals`` are answers, too; any other exception is a bug. Targets that need a checkout write the input into one.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from bzlgraph.base.errors import BzlgraphError
from bzlgraph.bazel.model import Package, Rule
from tests.fuzz.mutate import Mutator

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"


@dataclass(frozen=True, slots=True)
class Target:
    """One reader. ``files``: globs below the checkout of bzlgraph, whose texts are the corpus."""

    name: str
    read: Callable[[bytes], object]
    files: Sequence[str]
    words: str = ""
    refusals: tuple[type[Exception], ...] = ()

    def mutator(self) -> Mutator:
        """What makes its inputs."""
        texts = [path.read_bytes() for glob in self.files for path in sorted(ROOT.glob(glob)) if path.is_file()]
        return Mutator(_cut(texts), self.words.encode().split())

    def outcome(self, data: bytes) -> str:
        """What comes of an input. Raises what only a bug raises."""
        try:
            said = f"read {self.read(data)!r}"
        except (BzlgraphError, *self.refusals) as error:
            said = f"refused {type(error).__name__} {error}"
        return said.replace(str(_scratch()), "SCRATCH")


def _cut(texts: Iterable[bytes]) -> list[bytes]:
    """Texts in paragraphs beside the texts: small inputs are read often."""
    found = {piece for text in texts for piece in (text, *text.split(b"\n\n")) if piece.strip()}
    return sorted(found)


# ------------------------------------------------------------------------------------------------ single readers


def _starlark(data: bytes) -> object:
    from tests.starlark.bare import run

    return sorted(run(data.decode("utf-8", "replace")).globals)


def _syntax(data: bytes) -> object:
    from bzlgraph.syntax import parse

    return len(parse(data, "BUILD").body)


def _rc(data: bytes) -> object:
    from bzlgraph.config.bazelrc import RcChoice, read_bazelrc
    from bzlgraph.config.expansion import ConfigExpander, flatten
    from bzlgraph.facts.options import options_for
    from bzlgraph.workspace.sources.source import MemorySource

    source = MemorySource({".bazelrc": data, "other.rc": data[:100]})
    rc = read_bazelrc(Path("/nowhere"), source, RcChoice(version="7.7.1"))
    nodes = flatten(ConfigExpander(rc, options_for("7.7.1"), "build").expand(("--config=a", "-c", "opt")))
    return len(list(nodes)), len(rc.problems)


def _lock(data: bytes) -> object:
    from bzlgraph.bzlmod.lockfile import read_lock_file

    return read_lock_file(data)


def _pinned(data: bytes) -> object:
    from bzlgraph.workspace.repositories.hubs import lock_files

    readers = (lock_files.requirements, lock_files.maven_install, lock_files.cargo_lock, lock_files.go_mod)
    return [_or_refusal(reader, data) for reader in readers]


def _or_refusal(reader: Callable[[bytes], object], data: bytes) -> object:
    try:
        return reader(data)
    except (BzlgraphError, ValueError) as error:
        return str(error)


def _cpp(data: bytes) -> object:
    from bzlgraph.ops.tensorflow.cpp.scan import scan_tree

    scan = scan_tree(["a.cc", "b.h"], {"a.cc": data, "b.h": data[: len(data) // 2]}.__getitem__)
    for path in ("a.cc", "b.h"):
        scan.read(path)
    return len(scan.files), len(scan.unreadable())


def _python(data: bytes) -> object:
    from bzlgraph.ops.python.read import read_module

    module = read_module(data, "a/b.py")
    return module.problem, repr(module)


def _configure(data: bytes) -> object:
    from bzlgraph.flags.configure.questions import configure
    from bzlgraph.workspace.sources.source import MemorySource

    return configure(MemorySource({"configure.py": data}))


def _yaml(data: bytes) -> object:
    from bzlgraph.ops.pytorch.entries import read_entries

    return len(read_entries(data.decode("utf-8", "replace")))


def _patch(data: bytes) -> object:
    from bzlgraph.workspace.sources.patch import apply_patch
    from bzlgraph.workspace.sources.virtual_tree import VirtualTree

    tree = VirtualTree()
    for path in ("a.txt", "pkg/BUILD", "b"):
        tree.write(path, b"one\ntwo\nthree\n" * 3)
    left = apply_patch(data, tree, len(data) % 3)
    return left, sorted(tree.paths())


def _archive(data: bytes) -> object:
    from bzlgraph.workspace.sources.archive import Archives

    path = _scratch() / "archive"
    path.write_bytes(data)
    source = Archives().open(path)
    return [source.entries(folder) for folder in ("", "top", "top/link")], source.lost_links


@cache
def _session() -> object:
    import bzlgraph

    return bzlgraph.open(TESTS / "workspaces/query_language", cache=False, jobs=1)


def _query(data: bytes) -> object:
    text = data.decode("utf-8", "replace")
    return [str(label) for label in _session().query(text, keep_going=len(text) % 2 == 0).labels]


# ---------------------------------------------------------------------------------------------- whole checkouts


@cache
def _scratch() -> Path:
    """A folder of this process's own, in memory where there is one."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory if os.access(memory, os.W_OK) else None))


def forget_scratch() -> None:
    """Remove the folder."""
    shutil.rmtree(_scratch(), ignore_errors=True)


def _asked(files: Mapping[str, bytes], *arguments: str) -> bytes:
    """What the command line prints about a checkout of these files. Raises AssertionError for a bug it tells."""
    from click.testing import CliRunner

    from bzlgraph.cli.main import main

    root = _scratch() / "tree"
    shutil.rmtree(root, ignore_errors=True)
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    code: object = 0
    with CliRunner().isolation() as (out, err, _mixed):
        try:
            main(["--no_cache", "--jobs=1", "-C", str(root), *arguments])
        except SystemExit as stop:
            code = stop.code or 0
        said = err.getvalue()
    assert code in _CODES, (code, said.decode("utf-8", "replace"))
    said.decode("utf-8")
    return out.getvalue()


_CODES = frozenset({0, 1, 2, 3, 7})
_DEFS = b"def made(name, **kwargs):\n    native.filegroup(name = name, **kwargs)\n"
_FORMATS = (
    *("label", "label_kind", "build", "xml", "proto", "jsonproto", "streamed_jsonproto", "graph", "location", "json"),
    *("csv", "tree", "mermaid", "graphml", "minrank", "package"),
)


def _build(data: bytes) -> object:
    halves = data.partition(b"\n\n")
    files = {"WORKSPACE": b"", "BUILD": data, "pkg/BUILD": halves[2], "defs.bzl": halves[0] + b"\n" + _DEFS}
    output = _FORMATS[len(data) % len(_FORMATS)]
    text = _asked(files, "query", "-k", "deps(//...)", f"--output={output}")
    well_formed(output, text)
    return output, text


_CONTROLS = re.compile(rb"&#(?:[1-8]|1[124-9]|2\d|3[01]);")
"""References that XML 1.1, which Bazel writes, allows (its section 2.2) and lxml's reader, one of XML 1.0, refuses."""


def well_formed(output: str, text: bytes) -> None:
    """The readers of others must read what is written."""
    from tests.differential.facts.proto_answer import read_proto

    if output in ("xml", "graphml"):
        from lxml import etree

        readable = _CONTROLS.sub(b"?", text) if output == "xml" else text
        etree.parse(io.BytesIO(readable), etree.XMLParser(huge_tree=True))
    elif output in ("jsonproto", "json"):
        json.loads(text or b"{}")
    elif output == "streamed_jsonproto":
        for line in text.splitlines():
            json.loads(line)
    elif output == "proto":
        read_proto(text, str)
    else:
        text.decode("utf-8")


def _codec(data: bytes) -> object:
    """A package as the cache and the workers see it: what is decoded says what was encoded."""
    from bzlgraph.loading.codec import Decoder, Encoder
    from bzlgraph.loading.loader import Loader
    from bzlgraph.workspace.options import Options
    from bzlgraph.workspace.sources.source import MemorySource
    from bzlgraph.workspace.workspace import open_workspace

    files = {"WORKSPACE": b"", "BUILD": data, "defs.bzl": data.partition(b"\n\n")[0] + b"\n" + _DEFS}
    package = Loader(open_workspace(".", Options(), MemorySource(files))).find("", "")
    decoded = Decoder().package(Encoder().encode(package))
    assert _told(decoded) == _told(package)
    return len(package.targets), package.gaps, package.diagnostics


def _told(package: Package) -> list[object]:
    """All that a package says; rule classes are one only where they are one object."""
    rules = {name: target for name, target in package.targets.items() if isinstance(target, Rule)}
    plain = {
        name: replace(rule, rule_class=rule.rule_class.name, values={**rule.values}) for name, rule in rules.items()
    }
    return [{**package.targets, **plain}, package.gaps, package.diagnostics]


def _module(data: bytes) -> object:
    registry = {"r/modules/dep/1.0/MODULE.bazel": b'module(name = "dep", version = "1.0")\n' + data[:200]}
    files = {"MODULE.bazel": data, "BUILD": b"", "defs.bzl": _DEFS, "r/bazel_registry.json": b"{}", **registry}
    return _asked(files, "mod", "graph", "--registry=file://" + str(_scratch() / "tree/r"), "--output=json")


def _repositories(data: bytes) -> object:
    files = {"WORKSPACE": data, "BUILD": b'filegroup(name = "a", srcs = ["@x//:y"])', "defs.bzl": data, "x/BUILD": b""}
    return _asked(files, "query", "-k", "deps(//...)")


def _words(data: bytes) -> object:
    words = data.decode("utf-8", "replace").replace("\0", "").split()[:8]
    return _asked({"WORKSPACE": b"", "BUILD": b'filegroup(name = "a", srcs = ["b"])'}, *words)


_LANGUAGE = "def if else for in not and or return lambda load glob select True False None += == * ** [ ] { } %s"
_BUILD = "native.filegroup genrule cc_library name srcs deps //:a :b //conditions:default glob([]) visibility "
_PYTHON = "def class async print exec ` <> 0777 u'' while try: except lambda yield await := @ match case"
_REPOSITORY = "http_archive local_repository bind register_toolchains repository_ctx.file "
_MODULE = "bazel_dep use_extension use_repo module include "
_BUILDS = ("tests/workspaces/**/BUILD", "tests/workspaces/**/*.bzl", "examples/**/BUILD", "examples/**/*.bzl")
_OWN = "tests/fuzz/corpus/"
_CPP = ("examples/**/*.cc", "examples/**/*.h", _OWN + "cpp")
_RULES = ("tests/workspaces/**/WORKSPACE", "tests/workspaces/**/*.bzl")
_QUERIES = ("tests/workspaces/*/questions.txt", _OWN + "query")
_WORDS = (_OWN + "words", "docs/exit_codes.md")

TARGETS = {
    target.name: target
    for target in (
        Target("starlark", _starlark, ("tests/cases/starlark/*.star", *_BUILDS), _LANGUAGE),
        Target("syntax", _syntax, ("tests/cases/**/*.star", *_BUILDS), _LANGUAGE),
        Target("query", _query, _QUERIES, "deps rdeps ( ) , + - ^ let in = $x"),
        Target("rc", _rc, (_OWN + "rc", "docs/*config*.md"), "build --config=a common import try-import : --"),
        Target("lock", _lock, ("tests/**/MODULE.bazel.lock", _OWN + "*.json"), '{ } [ ] "x" : null true'),
        Target("pinned", _pinned, (_OWN + "*.json", _OWN + "pinned*"), '{ } [ ] == @ "x" : ;'),
        Target("cpp", _cpp, _CPP, '# define if elif \\\n ( ) ## R"('),
        Target("python", _python, ("examples/**/*.py", "tests/ops/**/*.py"), _PYTHON),
        Target("configure", _configure, ("examples/**/configure.py", "tests/flags/*.py"), _PYTHON),
        Target("yaml", _yaml, (_OWN + "*.yaml",), "- : & * ! | > [ ] { } ? <<", (ValueError,)),
        Target("patch", _patch, (_OWN + "*.patch",), "+++ --- @@ -1,3 +1,3 @@ /dev/null rename from diff --git"),
        Target("archive", _archive, (_OWN + "*.tar*", _OWN + "*.zip"), refusals=(OSError, ValueError)),
        Target("build", _build, _BUILDS, _BUILD + _LANGUAGE),
        Target("codec", _codec, _BUILDS, _BUILD + _LANGUAGE),
        Target("module", _module, ("tests/**/MODULE.bazel",), _MODULE + _LANGUAGE),
        Target("repositories", _repositories, _RULES, _REPOSITORY + _LANGUAGE),
        Target("words", _words, _WORDS, "query why graph --output=xml -k --vs //..."),
    )
}
