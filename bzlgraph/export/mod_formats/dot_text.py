"""A tree of modules in Graphviz' language, as Bazel's ``--output=graph`` writes it.

Mirrors ``GraphvizOutputFormatter.java`` of Bazel 7.7.1, package ``bazel.bzlmod.modcommand``. (It forgets the end of a
frame with ``--extension_info=repos``, so that Graphviz refuses its file: ours has it.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import ExtensionId, Reason
from bzlgraph.mod.answer import ExtensionInfo, ModTree

LABELS = {
    Reason.ORIGINAL: "",
    Reason.SELECTED: "MVS",
    Reason.SINGLE_VERSION: "SVO",
    Reason.MULTIPLE_VERSION: "MVO",
    Reason.ARCHIVE: "archive",
    Reason.GIT: "git",
    Reason.LOCAL_PATH: "local",
}
"""What stands at an edge whose version was changed."""


def dot_text(answer: ModTree) -> Iterator[str]:
    """The lines, each with its end."""
    if answer.nothing:
        yield f"{answer.nothing}\n"
        return
    yield "digraph mygraph {\n  node [ shape=box ]\n  edge [ fontsize=8 ]\n"
    framed: set[ExtensionId] = set()
    seen, waiting = {ROOT}, deque([ROOT])
    while waiting:
        key = waiting.popleft()
        yield from _module(answer, key)
        for extension in answer.extensions_of(key):
            yield from _extension(answer, key, extension, framed)
        for child, link in answer.tree[key].by_key():
            drawn = "style=dashed" if link.indirect else _label(answer, child, key)
            yield f"  {_quote(key)} -> {_quote(child)} [ {drawn} ]\n"
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    yield "}\n"


def _module(answer: ModTree, key: ModuleKey) -> Iterator[str]:
    node, target = answer.graph.nodes[key], answer.tree[key].target
    if key == ROOT:
        yield f'  "<root>" [ label={_quote(f"<root> ({node.name}@{node.version})")} ]\n'
    elif target or not node.used:
        yield f"  {_quote(key)} [ shape={'diamond' if target else 'box'} style={'solid' if node.used else 'dotted'} ]\n"


def _extension(answer: ModTree, key: ModuleKey, extension: ExtensionId, framed: set[ExtensionId]) -> Iterator[str]:
    if answer.options.extension_info is ExtensionInfo.USAGES:
        yield f"  {_quote(key)} -> {_quote(extension)}\n"
        return
    imports = answer.imports(extension)
    if extension not in framed:
        framed.add(extension)
        yield f"  subgraph {_quote(f'cluster_{extension}')} {{\n    label={_quote(extension)}\n"
        yield from (f"    {_quote(f'{extension}%{name}')} [ label={_quote(name)} ]\n" for name in imports)
        if answer.options.extension_info is ExtensionInfo.ALL:
            others = answer.extensions.others(extension, imports)
            yield from (
                f"    {_quote(f'{extension}%{name}')} [ label={_quote(name)} style=dotted ]\n" for name in others
            )
        yield "  }\n"
    yield from (
        f"  {_quote(key)} -> {_quote(f'{extension}%{name}')}\n" for name, modules in imports.items() if key in modules
    )


def _quote(text: object) -> str:
    """A quoted string, which ends where it should."""
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _label(answer: ModTree, child: ModuleKey, parent: ModuleKey) -> str:
    change = answer.change(child, parent) if answer.options.verbose else None
    return f"label={LABELS[change.reason]}" if change is not None else ""
