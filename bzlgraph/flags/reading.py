"""Everything that can be switched in a workspace, read once: a workspace and its graph -> ``Knowledge``.

``read_written`` reads the configure scripts and the workspace's rc files; ``read_knowledge`` adds all settings and the
flags of the programs. ``begin_reading`` reads what is no Starlark meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from bzlgraph.base.span import Location
from bzlgraph.config.arguments import ConfigArguments, flag_aliases, option_table, workspace_bazelrc
from bzlgraph.config.bazelrc import Bazelrc
from bzlgraph.config.option_use import BAZELRC, OptionToken, Origin, read_uses
from bzlgraph.facts.options import OptionTable
from bzlgraph.flags.configure.questions import configure
from bzlgraph.flags.knowledge import ConfigureLine, KeptTexts, Knowledge, NamingLine, RcUse
from bzlgraph.flags.mentions import DEFINE, VARIABLE, SettingNames, mention_of, read_line, renamed
from bzlgraph.flags.rows import Configure, RuntimeFlags
from bzlgraph.flags.runtime.runtime_flags import runtime_flags
from bzlgraph.flags.settings.table import SettingRow, SettingsAnswer
from bzlgraph.loading.executors import start_apart
from bzlgraph.workspace.tree import RepositoryTree
from bzlgraph.workspace.workspace import Workspace

_DEFINITION = re.compile(r"def\s+(\w+)\s*\(")
_QUOTED = re.compile(r"""(["'])(?=([^"'\n]+)\1)""")
_MAKE_VARIABLE = re.compile(r"\$\((\w+)\)")
_OF_CONTEXT = re.compile(r"""\bvar(?:\.get\(|\[)\s*["']([^"'\n]+)["']""")
_STARLARK = (".bzl", ".scl")
"""How the names of files end that may define functions."""


class CheckoutTexts:
    """The texts of the main repository, each read when it is asked about."""

    def __init__(self, tree: RepositoryTree) -> None:
        self._tree = tree
        self._texts: dict[str, str] = {}
        self._functions: dict[str, list[str]] = {}

    def function_at(self, location: Location) -> str:
        """The function of a .bzl file that a place lies in, "" for none."""
        if not location.path.endswith(_STARLARK):
            return ""
        if location.path not in self._functions:
            self._functions[location.path] = functions_by_line(self._text(location.path))
        functions = self._functions[location.path]
        return functions[min(location.line, len(functions) - 1)]

    def naming(self, kind: str, name: str) -> tuple[NamingLine, ...]:
        """``Texts.naming``."""
        return tuple(self._naming({(kind, name)}).get((kind, name), ()))

    def about(self, places: Iterable[Location], named: Iterable[tuple[str, str]]) -> KeptTexts:
        """What they say of these."""
        functions = {(each.path, each.line): self.function_at(each) for each in places}
        return KeptTexts(
            {place: function for place, function in functions.items() if function},
            {name: tuple(lines) for name, lines in self._naming(set(named)).items()},
        )

    def _naming(self, named: set[tuple[str, str]]) -> dict[tuple[str, str], list[NamingLine]]:
        found: dict[tuple[str, str], list[NamingLine]] = {}
        for path in _files_of_packages(self._tree):
            text, is_bzl = self._text(path), path.endswith(".bzl")
            if named.isdisjoint(_names_in(text, is_bzl)):
                continue
            for number, line in enumerate(text.splitlines(), 1):
                if not line.lstrip().startswith("#"):
                    for name in named.intersection(_names_in(line, is_bzl)):
                        found.setdefault(name, []).append(NamingLine(path, number, line.strip()))
        return found

    def _text(self, path: str) -> str:
        """A file of the main repository, "" when it cannot be read."""
        if path not in self._texts:
            try:
                self._texts[path] = self._tree.source.read(path).decode("utf-8", "replace")
            except OSError:
                self._texts[path] = ""
        return self._texts[path]


def read_written(workspace: Workspace, arguments: ConfigArguments | None = None) -> Knowledge:
    """What scripts and rc files say, no package and no source; ``arguments`` choose the rc files.

    Raises UsageProblem for rc files that cannot be read.
    """
    tree, table = workspace.repository("").tree, option_table(workspace)
    arguments = arguments or ConfigArguments()
    called = workspace.names
    names = SettingNames(called.own_names(), called.seen(), flag_aliases(workspace, arguments))
    found = configure(tree.source, workspace.options.cache_folder)
    rc = workspace_bazelrc(workspace, arguments)
    return Knowledge(
        found,
        tuple(each.path for each in rc.files if each.read),
        rc.configs(),
        tuple(_rc_uses(rc, table, names)),
        tuple(_written(found, table, names)),
        SettingsAnswer(),
        RuntimeFlags((), ()),
        found.gaps,
        CheckoutTexts(tree),
        names,
    )


def begin_reading(workspace: Workspace) -> Callable[[], bool] | None:
    """Read scripts and sources in a process of its own, which keeps what is read of them for the functions here. What
    waits for it; None where nothing is kept, or one process is all there is: they read it then."""
    tree, folder = workspace.repository("").tree, workspace.options.cache_folder
    if folder is None:
        return None
    list(tree.packages_below(""))  # whoever loads packages lists all folders: once, for the other process too

    def read() -> None:
        configure(tree.source, folder)
        runtime_flags(tree.source, tree.entries, folder)

    return start_apart(read, workspace.options.jobs)


def read_knowledge(workspace: Workspace, listed: SettingsAnswer, written: Knowledge) -> Knowledge:
    """Everything: ``listed`` are the settings of its graph, ``written`` is what ``read_written`` gives."""
    tree = workspace.repository("").tree
    flags = runtime_flags(tree.source, tree.entries, workspace.options.cache_folder)
    gaps = (*written.gaps, *listed.gaps, *flags.gaps)
    aliases = dict(_aliases(listed.rows)) if workspace.facts.flags_by_aliases else {}
    names = replace(written.names, others=dict(written.names.others) | aliases)
    uses = tuple(replace(use, mention=renamed(use.mention, names)) for use in written.rc_uses)
    return replace(written, rc_uses=uses, settings=listed, runtime=flags, gaps=gaps, names=names)


def _aliases(rows: Iterable[SettingRow]) -> Iterator[tuple[str, str]]:
    """The aliases of build settings, and what each stands for; those whose select() chooses stand for none."""
    rows = tuple(rows)
    flags = {str(row.label) for row in rows if f"--{row.label}" in row.reads}
    behind = {str(row.label): row.reads[0] for row in rows if row.kind == "alias" and len(row.reads) == 1}
    for alias in behind:
        meant = alias
        for _ in behind:  # not for ever, where aliases are in a circle
            meant = behind.get(meant, meant)
        if meant in flags:
            yield alias, meant


def _rc_uses(rc: Bazelrc, table: OptionTable, names: SettingNames) -> Iterator[RcUse]:
    for section in rc.sections:
        tokens = (OptionToken(token.text, Origin(BAZELRC, token.location)) for token in section.tokens)
        for use in read_uses(tokens, table, dict(names.others)):
            mention = mention_of(use, names)
            if mention is not None:
                yield RcUse(section.command, section.config, mention, use.written or str(use), use.origin.location)


def _written(found: Configure, table: OptionTable, names: SettingNames) -> Iterator[ConfigureLine]:
    for row in found.rows:
        yes = "yes" if row.writes_if_no or row.question.endswith(("[Y/n]", "[y/N]")) else "set"
        for answer, lines in ((yes, row.writes_if_yes), ("no", row.writes_if_no)):
            for text in lines:
                line = read_line(text, table, names)
                if line is not None:
                    yield ConfigureLine(line, text, row.variable, answer, row.place, row.written_to)
    for always in found.always:
        line = read_line(always.text, table, names)
        if line is not None:
            place = f"{always.file}:{always.line}"
            yield ConfigureLine(line, always.text, "", always.condition, place, always.written_to)


def _files_of_packages(tree: RepositoryTree, folder: str = "") -> Iterator[str]:
    """The .bzl files and BUILD files of a repository."""
    files, folders = tree.entries(folder)
    inside = f"{folder}/" if folder else ""
    yield from (inside + name for name in files if name.endswith((".bzl", "BUILD", "BUILD.bazel")))
    for name in folders:
        yield from _files_of_packages(tree, inside + name)


def _names_in(text: str, is_bzl: bool) -> Iterator[tuple[str, str]]:
    """The names that a text may read, with their kind.

    >>> list(_names_in('ctx.var.get("A", $(B))', True)), list(_names_in('cmd = "$(B)"', False))
    ([('define', 'B'), ('variable', 'A'), ('define', 'A')], [('define', 'B')])
    """
    yield from ((DEFINE, name) for name in _MAKE_VARIABLE.findall(text))
    if is_bzl:
        yield from ((VARIABLE, name) for _, name in _QUOTED.findall(text))
        yield from ((DEFINE, name) for name in _OF_CONTEXT.findall(text))


def functions_by_line(text: str) -> list[str]:
    """The function of a .bzl file that each line lies in, by its number; "" at the top level: the ``def`` above it in
    the first column.

    >>> functions_by_line("x = 1\\ndef a():\\n  x\\n\\ndef b(y):\\n  z\\n")
    ['', '', 'a', 'a', 'a', 'b', 'b']
    """
    functions = [""]
    for line in text.splitlines():
        found = _DEFINITION.match(line)
        outside = line[:1].isalpha() and not line.startswith(("def", "else", "elif"))
        functions.append(found[1] if found else "" if outside else functions[-1])
    return functions
