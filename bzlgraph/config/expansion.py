"""The options of a command in effect: rc files + command line -> a tree of uses, in the order in which they count.

*Rules* (BlazeOptionHandler and ConfigExpander of Bazel)

1. First the rc files' lines for the command, by command from the most general (``always``, ``common``, ``build``, then
   ``test`` ...), within one command in the order of the files; then the command line. The last use wins.
2. ``--config=x`` stands for the words of all ``command:x`` lines, in the same order, at its place. Within such a line
   another ``--config=y`` is expanded at its place; it has to be one word. No line at all, or a config that leads back
   to itself, is an error.
3. An option that stands for others (``--remote_download_minimal``) is followed by them.
4. With ``--enable_platform_specific_config``, ``command:linux`` lines, if there are any, are added at its place.

*Theory of operation*: ``expand`` makes the tree (a group for each command, below it the uses, below a use what it
stands for); ``flatten`` reads it from top to bottom, which is the order that counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bzlgraph.base.diagnostic import Diagnostic, Note
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.span import Location
from bzlgraph.base.spell import nearest_names
from bzlgraph.base.words import either
from bzlgraph.config.bazelrc import Bazelrc
from bzlgraph.config.option_use import (
    BAZELRC,
    COMMAND_LINE,
    ON_COMMAND_LINE,
    OptionToken,
    OptionUse,
    Origin,
    read_uses,
    refusal,
)
from bzlgraph.config.rc_tokens import RcToken, quote
from bzlgraph.facts.options import OptionTable

PLATFORM_SWITCH = "enable_platform_specific_config"
PLATFORM = "linux"
"""The platform whose config counts: that of the defaults in ``facts/options.json``, not of the machine we run on."""

PARENTS = {
    "aquery": "build",
    "canonicalize-flags": "build",
    "clean": "build",
    "coverage": "test",
    "cquery": "build",
    "info": "build",
    "mobile-install": "build",
    "print_action": "build",
    "run": "build",
    "test": "build",
}
"""Whose lines a command takes over."""

COMMON = ("always", "common")
MAX_DEPTH = 100
MAX_USES = 50_000
"""Budgets: configs that name configs twice grow beyond any memory, and an untrusted checkout may be read."""


@dataclass(frozen=True, slots=True)
class OptionNode:
    """A group (``use`` None, named by ``title``), or a use with what it stands for below it.

    ``command``: the command of the line it stands on (``build``), or "" on the command line.
    """

    title: str
    use: OptionUse | None = None
    command: str = ""
    children: tuple[OptionNode, ...] = ()


def flatten(nodes: Iterable[OptionNode]) -> Iterator[OptionNode]:
    """The nodes that are uses, in the order in which they count."""
    for node in nodes:
        if node.use is not None:
            yield node
        yield from flatten(node.children)


def commands_of(command: str) -> tuple[str, ...]:
    """The commands whose lines count for ``command``, most general first.

    >>> commands_of("test")
    ('always', 'common', 'build', 'test')
    """
    chain = [command]
    while chain[0] in PARENTS:
        chain.insert(0, PARENTS[chain[0]])
    return (*COMMON, *chain)


MODES = ("fastbuild", "dbg", "opt")


def undefined_config(name: str, rc: Bazelrc, near: Sequence[str], location: Location | None = None) -> Diagnostic:
    """That no rc file defines a config; ``near`` is what may have been meant."""
    read = either([each.path for each in rc.files if each.read]) or "any rc file"
    unread = [each.path for each in rc.files if not each.read]
    wanted = [each.path for each in rc.files if not each.read and each.reason.startswith("import ")]
    there = f" It may also be in {either(wanted)}, not on disk" if wanted else ""
    hint = f"did you mean {', '.join(near)}?{there}" if near else None
    if hint is None and name in MODES:
        hint = f"a configure script may write it; for the compilation mode use -c {name}"
    elif hint is None and unread:
        hint = f"it may be in {either(unread)}, not on disk"
    return Diagnostic(f"--config={name} is not defined in {read}", location, hint=hint)


@dataclass(frozen=True, slots=True)
class ConfigExpander:
    """Rc files and the table they are read with, for one command."""

    rc: Bazelrc
    table: OptionTable
    command: str = "build"
    _spent: list[int] = field(default_factory=lambda: [0], init=False, repr=False, compare=False)
    _aliases: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The short names of flags so far: they count from their definition on, whatever command it is for."""

    def expand(self, tokens: Sequence[str] = ()) -> tuple[OptionNode, ...]:
        """The tree for a command line. Raises UsageProblem."""
        groups = [
            OptionNode(command, command=command, children=self._uses(self.rc.tokens(command), command, ()))
            for command in commands_of(self.command)
        ]
        groups.append(OptionNode(COMMAND_LINE, children=self.command_line(tokens)))
        return self._with_platform(tuple(group for group in groups if group.children))

    def command_line(self, tokens: Sequence[str]) -> tuple[OptionNode, ...]:
        """The uses of a command line. Raises UsageProblem for what Bazel refuses."""
        nodes = []
        for use in read_uses((OptionToken(each, ON_COMMAND_LINE) for each in tokens), self.table, self._aliases):
            if use.problem:
                raise UsageProblem(_shown_in(refusal(use, self.table), tokens, use))
            try:
                nodes.append(self._node(use, "", ()))
            except UsageProblem as problem:
                if problem.diagnostic.location is not None:
                    raise
                raise UsageProblem(_shown_in(problem.diagnostic, tokens, use)) from None
        return tuple(nodes)

    def config(self, name: str, origin: Origin, above: tuple[Origin, ...] = ()) -> tuple[OptionNode, ...]:
        """What ``--config=name`` stands for; ``origin`` is that use's, ``above`` those that led there.

        Raises UsageProblem for a config that is nowhere defined, or that leads back to itself.
        """
        via = (*origin.via, f"config {name}")
        self._check(name, origin, above)
        nodes: list[OptionNode] = []
        for command in commands_of(self.command):
            nodes += self._config_lines(command, name, via, (*above, origin))
        return tuple(nodes)

    def lines(self, command: str, config: str = "") -> tuple[OptionNode, ...]:
        """The uses that the lines ``command:config`` make by themselves, without those of more general commands."""
        if not config:
            return self._uses(self.rc.tokens(command), command, ())
        return self._config_lines(command, config, (f"config {config}",), ())

    def _config_lines(
        self, command: str, config: str, via: tuple[str, ...], above: tuple[Origin, ...]
    ) -> tuple[OptionNode, ...]:
        tokens = self.rc.tokens(command, config)
        for token in tokens:
            if token.text == "--config":
                raise self._bare_config(token, config)
        return self._uses(tokens, command, via, above)

    def _uses(
        self, tokens: Sequence[RcToken], command: str, via: tuple[str, ...], above: tuple[Origin, ...] = ()
    ) -> tuple[OptionNode, ...]:
        words = (OptionToken(each.text, Origin(BAZELRC, each.location, via)) for each in tokens)
        uses = (self._fitting(use, command) for use in read_uses(words, self.table, self._aliases))
        return tuple(self._node(use, command, above) for use in uses)

    def _fitting(self, use: OptionUse, command: str) -> OptionUse:
        """The use, marked when the command it is for has no such option (``common`` may name any)."""
        fact = self.table.find(use.name)
        if use.problem or fact is None or fact.foreign or command in COMMON or command in fact.commands:
            return use
        return replace(use, problem=f"'{command}' has no such option")

    def _node(self, use: OptionUse, command: str, above: tuple[Origin, ...]) -> OptionNode:
        """A use, with what it stands for."""
        fact = self.table.find(use.name)
        if use.problem or fact is None:
            children: tuple[OptionNode, ...] = ()
        elif use.name == "config":
            children = self.config(use.value, use.origin, above)
        else:
            origin = use.origin.through(f"--{use.name}")
            inner = read_uses((OptionToken(each, origin) for each in (*fact.expansion, *fact.adds)), self.table)
            children = tuple(self._node(each, command, above) for each in inner if each.name != use.name)
        return OptionNode(use.written or str(use), use, command, children)

    def _with_platform(self, groups: tuple[OptionNode, ...]) -> tuple[OptionNode, ...]:
        """The tree with ``--config=linux`` below the switch that counts, if it is on and there is such a config."""
        last = next((node for node in reversed(list(flatten(groups))) if _is_switch(node)), None)
        if last is None or last.use is None or last.use.value != "true":
            return groups
        if not any(self.rc.defines(command, PLATFORM) for command in commands_of(self.command)):
            return groups
        return _replaced(groups, last, replace(last, children=self.config(PLATFORM, last.use.origin)))

    def _check(self, name: str, origin: Origin, above: tuple[Origin, ...]) -> None:
        steps = [each.removeprefix("config ") for each in origin.via if each.startswith("config ")]
        if name in steps:
            chain = " > ".join([*steps[steps.index(name) :], name])
            notes = tuple(Note("comes from", each.location) for each in reversed(above) if each.location)
            diagnostic = Diagnostic(f"config '{name}' expands to itself: {chain}", origin.location, notes=notes)
            raise UsageProblem(self._with_line(diagnostic))
        self._spent[0] += sum(len(self.rc.tokens(command, name)) for command in commands_of(self.command))
        if len(above) > MAX_DEPTH or self._spent[0] > MAX_USES:
            message = f"config '{name}' is too large: more than {MAX_DEPTH} configs deep, or {MAX_USES} options"
            raise UsageProblem(self._with_line(Diagnostic(message, origin.location)))
        if any(self.rc.defines(command, name) for command in commands_of(self.command)):
            return
        raise UsageProblem(self._with_line(self._undefined(name, origin)))

    def _undefined(self, name: str, origin: Origin) -> Diagnostic:
        commands = commands_of(self.command)
        near = nearest_names(
            name, (each for each in self.rc.configs() if any(self.rc.defines(c, each) for c in commands))
        )
        elsewhere = sorted({each.command for each in self.rc.sections if each.config == name and each.tokens})
        found = undefined_config(name, self.rc, [f"--config={each}" for each in near], origin.location)
        if not elsewhere:
            return found
        there = ", ".join(f"{each}:{name}" for each in elsewhere)
        return replace(found, hint=f"only {there} is defined, which {self.command} does not read")

    def _bare_config(self, token: RcToken, name: str) -> UsageProblem:
        message = f"in a config ('{name}'), write --config=VALUE as one word"
        return UsageProblem(self._with_line(Diagnostic(message, token.location, hint="write --config=NAME")))

    def _with_line(self, diagnostic: Diagnostic) -> Diagnostic:
        where = diagnostic.location
        return diagnostic.with_source(self.rc.texts.get(where.path, "")) if where else diagnostic


def _is_switch(node: OptionNode) -> bool:
    return node.use is not None and node.use.name == PLATFORM_SWITCH and not node.use.problem


def _replaced(nodes: tuple[OptionNode, ...], old: OptionNode, new: OptionNode) -> tuple[OptionNode, ...]:
    """The nodes with one of them, found by identity, exchanged."""
    if all(node is not old for node in nodes):
        return tuple(replace(node, children=_replaced(node.children, old, new)) for node in nodes)
    return tuple(new if node is old else node for node in nodes)


def _shown_in(diagnostic: Diagnostic, tokens: Sequence[str], use: OptionUse) -> Diagnostic:
    """The diagnostic, with the command line as its source line and a caret below the word."""
    before = next((i for i, token in enumerate(tokens) if use.written.startswith(token)), 0)
    line = " ".join(map(quote, tokens))
    column = len(" ".join(map(quote, tokens[:before]))) + (1 if before else 0) + 1
    return replace(diagnostic, location=Location(COMMAND_LINE, 1, column), source_line=line)
