"""python -m tests.modules.central REGISTRY [MODULE.bazel ...] [--random N]: module graphs beside real Bazel.

REGISTRY is a checkout of a real registry, as that of github.com/bazelbuild/bazel-central-registry; the roots are the
given files, and N modules of the registry itself. Bazel runs all extensions for ``mod``, which needs a network: what
they do is taken out of every MODULE.bazel, for both. An override by an archive, a repository or a folder becomes an
empty module, and the two extensions that ``bazel_tools`` itself uses get stand-ins.
``--verbose`` is not asked: Bazel tells the modules that request a version in the order of a hash table.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.differential.real.bazel import Bazel
from tests.modules import ours, theirs
from tests.modules.cases import VERSION, Command

_EXTENSION_MAKERS = ("use_extension", "use_repo_rule")
_OF_EXTENSIONS = ("use_repo", "override_repo", "inject_repo", "register_toolchains", "register_execution_platforms")
_OVERRIDES = ("archive_override", "git_override", "local_path_override")
_JAVA = "local_jdk remote_java_tools".split()
_JAVA += [f"remote_java_tools_{host}" for host in "linux windows darwin_x86_64 darwin_arm64".split()]
_STAND_INS = {
    "rules_java": ("java/extensions.bzl", "toolchains", _JAVA),
    "buildozer": ("buildozer_binary.bzl", "buildozer_binary", ["buildozer_binary"]),
}
"""Module -> file, name and repositories of an extension."""
_EXTENSION = """
def _rule(ctx):
    ctx.file("BUILD")
rule = repository_rule(implementation = _rule)
def _run(ctx):
    for name in {names}:
        rule(name = name)
{extension} = module_extension(implementation = _run)
"""


def main() -> int:
    """Exit code 1 when an answer differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.modules.central", description=__doc__.splitlines()[0])
    parser.add_argument("registry", type=Path)
    parser.add_argument("files", nargs="*", type=Path, help="MODULE.bazel files of checkouts")
    parser.add_argument("--random", type=int, default=0, help="so many modules of the registry")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bzlgraph-central-") as folder:
        work = _Work(Path(folder))
        work.copy(options.registry)
        roots = [*options.files, *_drawn(options.registry, options.random, random.Random(options.seed))]
        return int(work.compare(roots, random.Random(options.seed)))


def _drawn(registry: Path, count: int, chance: random.Random) -> list[Path]:
    """One version of each of ``count`` modules."""
    names = sorted({path.parents[1] for path in registry.glob("modules/*/*/MODULE.bazel")})
    return [chance.choice(sorted(name.glob("*/MODULE.bazel"))) for name in chance.sample(names, count)]


class _Work:
    """A registry without extensions, and a workspace whose MODULE.bazel is one root after the other."""

    def __init__(self, folder: Path) -> None:
        self.registry, self.sources, self.root = folder / "registry", folder / "sources", folder / "root"
        self.root.mkdir()
        self._without: dict[str, str] = {}

    def copy(self, registry: Path) -> None:
        """Every MODULE.bazel without extensions."""
        for path in registry.glob("modules/*/*/MODULE.bazel"):
            name, version = path.parts[-3:-1]
            self._write(self.registry / "modules" / name / version / path.name, self.plain(path))
            source = path.with_name("source.json")
            if name in _STAND_INS:
                text = json.dumps({"type": "local_path", "path": str(self.sources / name)})
                self._write(self.registry / "modules" / name / version / source.name, text)
            elif source.is_file():
                shutil.copy(source, self.registry / "modules" / name / version / source.name)
        for name, (file, extension, names) in _STAND_INS.items():
            self._write(self.sources / name / "MODULE.bazel", f'module(name = "{name}")\n')
            self._write(self.sources / name / file, _EXTENSION.format(names=names, extension=extension))
            self._write((self.sources / name / file).with_name("BUILD"), "")

    def compare(self, roots: list[Path], chance: random.Random) -> bool:
        """Whether any answer differs; each is told."""
        same = differing = 0
        with Bazel(VERSION, self.root, others=(self.registry, self.sources)) as bazel:
            external = theirs.external_folder(bazel)
            for path in roots:
                self._write(self.root / "MODULE.bazel", self.plain(path))
                graph = theirs.ask(bazel, self._command("graph --include_unused"), external)
                for words in ("graph --include_unused", *_questions(graph.output, chance)):
                    command = self._command(words)
                    answer = theirs.ask(bazel, command, external)
                    found = ours.differences(command, answer, ours.answer(command, self.root))
                    same, differing = same + (not found), differing + bool(found)
                    for each in found[:1]:
                        print(f"{path}: {words}: {each}", flush=True)
                print(f"{path}: {same} answers are the same so far, {differing} differ", flush=True)
        return differing > 0

    def _command(self, words: str) -> Command:
        options = f"--registry=file://{self.registry} --check_bazel_compatibility=off --allow_yanked_versions=all"
        return Command(f"mod {words} {options} --lockfile_mode=off")

    def plain(self, path: Path) -> str:
        """The text of a MODULE.bazel without what extensions do."""
        text = path.read_text(encoding="utf-8")
        if text not in self._without:
            self._without[text] = "".join(f"{ast.unparse(each)}\n" for each in self._statements(text))
        return self._without[text]

    def _statements(self, text: str) -> Iterator[ast.stmt]:
        proxies: set[str] = set()
        for statement in ast.parse(text).body:
            call = statement.value if isinstance(statement, ast.Assign | ast.Expr) else None
            while isinstance(call, ast.ListComp):
                call = call.elt
            function = call.func if isinstance(call, ast.Call) else None
            name = function.id if isinstance(function, ast.Name) else ""
            if isinstance(statement, ast.Assign) and name in _EXTENSION_MAKERS:
                proxies.update(each.id for each in statement.targets if isinstance(each, ast.Name))
            elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                if function.value.id not in proxies:
                    yield statement
            elif name in _OVERRIDES and isinstance(call, ast.Call):
                yield self._empty(call)
            elif name not in (*proxies, *_OF_EXTENSIONS):
                if name == "single_version_override" and isinstance(call, ast.Call):
                    call.keywords = [each for each in call.keywords if not str(each.arg).startswith("patch")]
                yield statement

    def _empty(self, override: ast.Call) -> ast.stmt:
        """The override of a module by one that has nothing."""
        name = next(ast.literal_eval(each.value) for each in override.keywords if each.arg == "module_name")
        self._write(self.root / name / "MODULE.bazel", f'module(name = "{name}")\n')
        return ast.parse(f"local_path_override(module_name = {name!r}, path = {name!r})").body[0]

    @staticmethod
    def _write(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _questions(graph: tuple[str, ...], chance: random.Random) -> Iterator[str]:
    """Subcommands of ``mod`` about modules of a graph."""
    unused = [each for line in graph for each in re.findall(r"([a-z][\w.-]*@[\w.-]+).*\(unused\)", line)]
    used = [each for line in graph for each in re.findall(r"([a-z][\w.-]*@\d[\w.-]*)(?!.*\(unused\))", line)]
    yield "graph"
    yield "graph --include_unused --include_builtin"
    yield "graph --output=json --include_unused"
    yield "graph --output=graph --depth=3"
    yield "graph --extension_info=all --charset=ascii --cycles"
    yield "dump_repo_mapping ''"
    yield "explain no_such_module"
    for each in ("explain", "deps", "all_paths", "path", "show_repo"):
        if used:
            yield f"{each} {chance.choice(used)}"
    if unused:
        yield f"explain {chance.choice(unused)} --include_unused --output=json"


if __name__ == "__main__":
    sys.exit(main())
