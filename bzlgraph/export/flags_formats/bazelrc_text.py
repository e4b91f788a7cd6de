"""``BazelrcView`` -> the text of ``flags bazelrc``: the answer in one line, the files, then trees with file and line.

Overridden options are struck out where there are colours, and always say by what they are overridden.
"""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.span import place_text
from bzlgraph.base.words import counted, listed, printable
from bzlgraph.config.expansion import OptionNode
from bzlgraph.config.rc_tokens import as_typed
from bzlgraph.flags.bazelrc_table import BazelrcView, ConfigGroup

STYLES = STRIKE, NO_STRIKE = "\x1b[9m", "\x1b[29m"
OPTION_WIDTH = 64
PLACE_WIDTH = 24


def text(view: BazelrcView, colored: bool = False) -> str:
    """The whole answer, without a line end. What is wrong (``view.problems``) is for stderr."""
    parts = [_headline(view), "\n".join(_files(view))]
    # What was asked for comes first, then what is always on beside it.
    asked = [each for each in view.groups if each.config and view.config]
    for group in [*asked, *(each for each in view.groups if not each.config)]:
        parts.append("\n".join(_tree(view, group, colored)))
    if not view.config and (view.configs or view.broken):
        parts.append("\n".join(_configs(view)))
    return "\n\n".join(each for each in parts if each)


def _headline(view: BazelrcView) -> str:
    read = [each.path for each in view.files if each.read]
    if not read:
        return "no rc file: all options have Bazel's defaults"
    always = sum(_count(each) for each in view.groups if not each.config)
    if not view.config:
        configs = counted(len(view.configs) + len(view.broken), "config")
        broken = f", {len(view.broken)} of them not expanded" if view.broken else ""
        return f"{counted(always, 'option')} always, {configs} in {listed(read)}{broken}"
    of_config = [each for each in view.groups if each.config]
    uses = [node for each in of_config for node in each.uses()]
    lost = sum(view.overrider(node) is not None for node in uses)
    end = f", {lost} of them overridden" if lost else ""
    return f"--config={view.config}: {counted(sum(map(_count, of_config)), 'option')}{end}"


def _count(group: ConfigGroup) -> int:
    """The options of a group; --config itself sets nothing."""
    return sum(node.use is not None and node.use.name != "config" for node in group.uses())


def _files(view: BazelrcView) -> Iterator[str]:
    for each in view.files:
        yield f"{'read' if each.read else 'not read':<9} {each.path} ({each.reason})"


def _tree(view: BazelrcView, group: ConfigGroup, colored: bool) -> Iterator[str]:
    yield group.title
    yield from _branches(view, group.nodes, " ", colored)


def _branches(view: BazelrcView, nodes: tuple[OptionNode, ...], lead: str, colored: bool) -> Iterator[str]:
    for node in nodes:
        last = node is nodes[-1]
        yield _line(view, node, f"{lead}{'└' if last else '├'} ", colored)
        yield from _branches(view, node.children, f"{lead}{' ' if last else '│'}  ", colored)


def _line(view: BazelrcView, node: OptionNode, lead: str, colored: bool) -> str:
    use = node.use
    assert use is not None
    option = printable(as_typed(node.title))
    winner = view.overrider(node)
    pad = " " * max(0, OPTION_WIDTH - len(lead) - len(option))
    shown = f"{STRIKE}{option}{NO_STRIKE}" if winner is not None and colored else option
    place = use.origin.location
    where = place_text(place)
    if winner is not None:
        by = winner.origin.location
        where = f"{where:<{PLACE_WIDTH}} overridden: {winner}{f' ({by.short})' if by else ''}"
    elif use.problem:
        where = f"{where:<{PLACE_WIDTH}} {use.problem}"
    return f"{lead}{shown}{pad} {printable(where)}".rstrip()


def _configs(view: BazelrcView) -> Iterator[str]:
    """A line for each config: how many options, where, and which configs it names itself."""
    width = min(40, max(map(len, (*view.configs, *view.broken))))
    yield "configs"
    for name in view.configs:
        groups = [each for each in view.groups if each.config == name]
        first = next((node.use.origin.location for each in groups for node in each.nodes if node.use), None)
        takes = [node.use.value for each in groups for node in each.nodes if node.use and node.use.name == "config"]
        others = [each.command for each in groups if each.command != "build"]
        end = f"  takes in {', '.join(dict.fromkeys(takes))}" if takes else ""
        end += f"  (for {', '.join(each.command for each in groups)})" if others else ""
        place = place_text(first)
        yield f"  {name:<{width}}  {counted(sum(map(_count, groups)), 'option'):>11}  {place}{end}".rstrip()
    for name, where in view.broken.items():
        yield f"  {name:<{width}}  {'not expanded':>12} {place_text(where)}".rstrip()
