"""A tree of modules -> picture: modules, the versions that hold and those that lost, extensions with their
repositories as frames. What asked for each stands in the tooltips, a change of version at its arrow."""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import ExtensionId, Reason
from bzlgraph.export.mod_formats.reasons import import_reason, module_place, module_reason, usage_reason
from bzlgraph.export.pictures.picture import Arrow, ArrowStyle, Box, Picture
from bzlgraph.mod.answer import ExtensionInfo, ModTree


def mod_picture(answer: ModTree) -> Picture:
    """Every module of the tree once, and every dependency among them."""
    boxes = {str(key): _module(answer, key) for key in answer.tree}
    arrows: dict[tuple[str, str], Arrow] = {}
    for key in answer.tree:
        for child, link in answer.tree[key].by_key():
            style = ArrowStyle.INDIRECT if link.indirect else _style(answer, child)
            arrows[str(key), str(child)] = _dependency(answer, key, child, style)
        for extension in answer.extensions_of(key):
            for box, arrow in _uses(answer, key, extension):
                boxes.setdefault(box.id, box)
                if arrow is not None:
                    arrows[arrow.source, arrow.target] = arrow
    root = answer.graph.nodes[ROOT]
    notes = (answer.nothing,) if answer.nothing else ()
    return Picture(f"modules of {root.name or 'the workspace'}", tuple(boxes.values()), tuple(arrows.values()), notes)


def _module(answer: ModTree, key: ModuleKey) -> Box:
    node = answer.graph.nodes[key]
    detail = node.version or ("overridden" if key != ROOT else "the root module")
    family = "module" if node.used and (node.file_known or key == ROOT) else "not on disk"
    strong = answer.tree[key].target or key == ROOT
    canonical = answer.graph.canonical(key)
    tooltip = f"{key}\n@@{canonical}" if canonical is not None else str(key)
    family = family if node.used else "replaced version"
    return Box(str(key), node.name or str(key), detail, family, "", tooltip, strong, place=module_place(answer, key))


def _style(answer: ModTree, child: ModuleKey) -> ArrowStyle:
    return ArrowStyle.PLAIN if answer.graph.nodes[child].used else ArrowStyle.LOST


def _dependency(answer: ModTree, key: ModuleKey, child: ModuleKey, style: ArrowStyle) -> Arrow:
    """A dependency; where another version is asked for than the one that holds, that is said."""
    edge = None if style is ArrowStyle.INDIRECT else answer.edge(child, key)
    changed = edge is not None and edge.reason is not Reason.ORIGINAL and style is ArrowStyle.PLAIN
    text = f"requests {edge.written.version or '_'}" if edge is not None and changed else ""
    return Arrow(str(key), str(child), text, style, f"{key} -> {child}\n{module_reason(answer, child, key)}".rstrip())


def _uses(answer: ModTree, key: ModuleKey, extension: ExtensionId) -> Iterator[tuple[Box, Arrow | None]]:
    """An extension, or what it makes, and the arrows from a module that uses it."""
    info = answer.options.extension_info
    if info is ExtensionInfo.USAGES:
        called = usage_reason(answer, extension, key)
        box = Box(str(extension), extension.name, "extension", "extension", "", str(extension), place=called)
        yield box, Arrow(str(key), box.id, tooltip=called)
        return
    imports = answer.imports(extension)
    for name, modules in imports.items():
        if key in modules:
            taken = import_reason(answer, extension, key, name)
            box = Box(f"{extension}%{name}", name, "repository", "repository", str(extension), place=taken)
            yield box, Arrow(str(key), box.id, tooltip=taken)
    for name in answer.extensions.others(extension, imports) if info is ExtensionInfo.ALL else ():
        yield Box(f"{extension}%{name}", name, "repository", "repository that no module imports", str(extension)), None
