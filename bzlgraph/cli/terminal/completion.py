"""What a shell completes: labels, ops, configs; commands and options are click's. Answered without loading anything.

Labels come from the graph that the last questions left (``bzlgraph/snapshot``), whether or not it is still true, else
from the folders and BUILD files on disk. One step at a time: ``//tens`` -> ``//tensorflow/``, ``//tensorflow:``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import click
from click.shell_completion import CompletionItem

_OPERATOR = re.compile(r"""[(),+^='"\s]|(?<!\w)-""")
"""What may stand in front of a label in an expression."""
_NAME = re.compile(r"""\bname\s*=\s*["']([^"'\n]+)["']""")
_CONFIG = re.compile(r"^\s*\w+:([\w.+-]+)\s", re.M)
_IMPORT = re.compile(r"^\s*(?:try-)?import\s+%workspace%/(\S+)", re.M)
_RC_FILES = (".bazelrc", "tools/bazel.rc", ".tf_configure.bazelrc")
_SHELL = ("COMP_WORDS", "COMP_CWORD", "_BZLGRAPH_COMPLETE", "COMP_LINE", "COMP_POINT")
"""Variables of the shell's question, which no other question has: a kept graph is found by the environment, too."""
_BUILD_FILES = ("BUILD.bazel", "BUILD")
MOST = 400


class LabelType(click.types.StringParamType):
    """A label, a pattern or an expression: taken as it is, completed from what is known of the checkout."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The labels that the last word of an expression may become."""
        before = max((found.end() for found in _OPERATOR.finditer(incomplete)), default=0)
        kept, word = incomplete[:before], incomplete[before:]
        root = ctx.find_root().params
        found = labels(str(root.get("directory") or "."), word, root.get("cache_dir"))
        return [CompletionItem(kept + each) for each in found]


LABEL = LabelType()


class OpType(LabelType):
    """A name that ``op`` takes: a label, or an op or public name of the checkout."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Labels where one is begun, else names."""
        from bzlgraph.cli.terminal.op_names import op_names

        if incomplete.startswith(("/", "@")):
            return super().shell_complete(ctx, param, incomplete)
        root = root_of(str(ctx.find_root().params.get("directory") or "."))
        return [CompletionItem(each) for each in (op_names(root, incomplete) if root is not None else ())]


OP = OpType()


def labels(directory: str, word: str, cache_dir: str | None = None) -> list[str]:
    """What ``word`` may become, one step further. Of a word that is no label yet: nothing."""
    if not word.startswith(("/", "@")):
        return ["//"] if word == "" else []
    whole = word if "//" in word or word.startswith("@") else "//"
    kept = list(_kept(directory, whole, cache_dir))
    return sorted(islice(dict.fromkeys(_steps(kept or _on_disk(directory, whole), len(whole))), MOST))


def _steps(found: Iterable[str], begun: int) -> Iterator[str]:
    """Each label up to the next ``/`` or ``:`` behind what was typed."""
    for label in found:
        ends = [at for at in (label.find("/", begun), label.find(":", begun)) if at >= 0]
        if label[begun - 1 : begun] == ":" or not ends or ":" in label[:begun]:
            yield label
        else:
            end = min(ends)
            yield label[: end + 2] if label[end : end + 2] == "//" else label[: end + 1]


def _kept(directory: str, word: str, cache_dir: str | None) -> Iterator[str]:
    """The labels of the kept graph that begin with a word."""
    from bzlgraph.cache.private import cache_home, is_private_folder
    from bzlgraph.snapshot import command_line, place
    from bzlgraph.snapshot.kept import KeptGraph
    from bzlgraph.snapshot.mapped import DamagedFile, Mapped

    for name in _SHELL:
        os.environ.pop(name, None)
    asked = command_line.Asked()
    asked.folder = directory
    cache = cache_dir or cache_home()
    if cache is None or not is_private_folder(cache):
        return
    try:
        key = place.key_of(asked)
        graph = KeptGraph(Mapped(place.path_of(cache, key), place.seal(), key))
        text = bytes(graph.whole("texts"))
    except (OSError, ValueError, TypeError, EOFError, KeyError, DamagedFile):
        return
    found = re.finditer(rb"^" + re.escape(word.encode("utf-8", "surrogatepass")) + rb"[^\n]*$", text, re.M)
    yield from (each[0].decode("utf-8", "replace") for each in found)


def _on_disk(directory: str, word: str) -> Iterator[str]:
    """The packages and targets of the checkout, as far as folders and the text of a BUILD file tell."""
    root = root_of(directory)
    if root is None or not word.startswith("//"):
        return
    package, colon, name = word[2:].partition(":")
    if colon:
        yield from _targets_on_disk(root, package, name)
    else:
        yield from _folders_on_disk(root, package)


def _targets_on_disk(root: Path, package: str, begun: str) -> Iterator[str]:
    """What a package has of names that begin so: what the text of its BUILD file calls a name, and its files."""
    folder = root / package
    if not folder.is_dir():
        return
    build = next((folder / each for each in _BUILD_FILES if (folder / each).is_file()), None)
    text = build.read_text(encoding="utf-8", errors="replace") if build is not None else ""
    names = ("all", *_NAME.findall(text), *(each.name for each in folder.iterdir() if each.is_file()))
    yield from (f"//{package}:{each}" for each in names if each.startswith(begun) and each.isprintable())


def _folders_on_disk(root: Path, path: str) -> Iterator[str]:
    """The folders whose paths begin so, those with a BUILD file as packages, too."""
    above, _, begun = path.rpartition("/")
    inside = f"//{above}/" if above else "//"
    inner = (root / above).iterdir() if (root / above).is_dir() else ()
    for folder in sorted(each for each in inner if each.name.startswith(begun or each.name)):
        if folder.is_dir() and not folder.name.startswith(".") and folder.name.isprintable():
            yield f"{inside}{folder.name}/"
            if any((folder / each).is_file() for each in _BUILD_FILES):
                yield f"{inside}{folder.name}:"
    if "...".startswith(begun or "."):
        yield f"{inside}..."


def configs(directory: str, begun: str) -> list[str]:
    """The configs that the rc files of a checkout define."""
    root, found, seen = root_of(directory), set[str](), set[str]()
    waiting = list(_RC_FILES)
    while waiting and root is not None:
        path = waiting.pop()
        if path not in seen and (root / path).is_file():
            text = (root / path).read_text(encoding="utf-8", errors="replace")
            found.update(_CONFIG.findall(text))
            waiting += [each for each in _IMPORT.findall(text) if ".." not in each]
        seen.add(path)
    return sorted(each for each in found if each.startswith(begun))


def root_of(directory: str) -> Path | None:
    """The checkout that a folder lies in."""
    from bzlgraph.defaults.files import checkout_root

    found = checkout_root(directory)
    return Path(found) if found is not None else None
