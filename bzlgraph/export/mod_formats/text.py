"""A tree of modules as text, as Bazel draws it; with ``reasons``, what asked for each line stands beside it.

Mirrors ``TextOutputFormatter.java`` of Bazel 7.7.1, package ``bazel.bzlmod.modcommand``, to the letter, blanks at the
ends of lines included. (Where a module is above itself on two merged paths, that Bazel draws for ever.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bzlgraph.base.words import column_width
from bzlgraph.bzlmod.module import ROOT, ModuleKey
from bzlgraph.bzlmod.resolution import ExtensionId
from bzlgraph.export.mod_formats.reasons import change_text, import_reason, module_reason, usage_reason
from bzlgraph.mod.answer import ExtensionInfo, ModTree
from bzlgraph.mod.tree import Link

WIDEST = 72
"""The column of reasons begins at most there."""


@dataclass(frozen=True, slots=True)
class Charset:
    """The characters that a tree is drawn with."""

    nothing: str
    beside: str
    child: str
    indirect: str
    last: str
    last_indirect: str

    def indent(self, following: tuple[bool, ...], *, indirect: bool = False) -> str:
        """What stands before a line; ``following`` says of it and of each above whether another one follows."""
        if not following:
            return ""
        branch, last = (self.indirect, self.last_indirect) if indirect else (self.child, self.last)
        return "".join(self.beside if more else self.nothing for more in following[:-1]) + (
            branch if following[-1] else last
        )


CHARSETS = {
    "utf8": Charset("    ", "│   ", "├───", "├╌╌╌", "└───", "└╌╌╌"),
    "ascii": Charset("    ", "|   ", "|___", "|...", "|___", "|..."),
}


def tree_text(answer: ModTree, charset: str = "utf8", *, reasons: bool = False) -> Iterator[str]:
    """The lines of a tree, each with its end, and the blank line after it."""
    if answer.nothing:
        yield f"{answer.nothing}\n"
        return
    drawing = _Drawing(answer, CHARSETS[charset], reasons)
    drawing.module(ROOT, None, Link(), ())
    if reasons:
        width = column_width((line.rstrip() for line, _ in drawing.lines), WIDEST)
        yield from (f"{line.rstrip():{width}}  {reason}".rstrip() + "\n" for line, reason in drawing.lines)
    else:
        yield from (f"{line}\n" for line, _ in drawing.lines)
    yield "\n"


@dataclass(slots=True)
class _Drawing:
    """One tree: its lines, each with its reason."""

    answer: ModTree
    charset: Charset
    reasons: bool
    lines: list[tuple[str, str]] = field(default_factory=list)
    seen: set[ExtensionId] = field(default_factory=set)
    above: set[ModuleKey] = field(default_factory=set)

    def module(self, key: ModuleKey, parent: ModuleKey | None, link: Link, following: tuple[bool, ...]) -> None:
        """A module and what hangs below it."""
        cycle = link.cycle or key in self.above
        indent = self.charset.indent(following, indirect=link.indirect)
        reason = module_reason(self.answer, key, parent) if self.reasons and not link.indirect else ""
        self.lines.append((indent + self._text(key, parent, link, cycle=cycle), reason))
        if cycle or not link.expanded:
            return
        self.above.add(key)
        extensions, children = self.answer.extensions_of(key), self.answer.tree[key].by_link()
        rest = len(extensions) + len(children)
        for extension in extensions:
            rest -= 1
            self._extension(key, extension, (*following, rest > 0))
        for child, below in children:
            rest -= 1
            self.module(child, key, below, (*following, rest > 0))
        self.above.discard(key)

    def _text(self, key: ModuleKey, parent: ModuleKey | None, link: Link, *, cycle: bool) -> str:
        """The module with its marks."""
        node, verbose = self.answer.graph.nodes[key], self.answer.options.verbose
        name = f"<root> ({node.name}@{node.version or '_'})" if key == ROOT else f"{key} "
        target = "# " if self.answer.tree[key].target else ""
        mark = "(cycle) " if cycle else target if link.expanded else "(*) "
        lost = "" if node.used or verbose else "(unused) "
        change = self.answer.change(key, parent) if verbose and not link.indirect else None
        return f"{name}{mark}{lost}{change_text(change)}"

    def _extension(self, key: ModuleKey, extension: ExtensionId, following: tuple[bool, ...]) -> None:
        """An extension that a module uses and, if they are wanted, its repositories."""
        answer, info = self.answer, self.answer.options.extension_info
        known = extension in self.seen
        self.seen.add(extension)
        again = "... " if known and info is ExtensionInfo.ALL else ""
        reason = usage_reason(answer, extension, key) if self.reasons else ""
        self.lines.append((f"{self.charset.indent(following)}${extension} {again}", reason))
        if info is ExtensionInfo.USAGES:
            return
        imports = answer.imports(extension)
        taken = [name for name, modules in imports.items() if key in modules]
        others = [] if known or info is not ExtensionInfo.ALL else answer.extensions.others(extension, imports)
        rest = len(taken) + len(others)
        for name in (*taken, *others):
            rest -= 1
            indent = self.charset.indent((*following, rest > 0), indirect=rest < len(others))
            reason = import_reason(answer, extension, key, name) if self.reasons else ""
            self.lines.append((indent + name, reason))
