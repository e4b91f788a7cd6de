"""A command line -> what is asked, and what is loaded for it, where every word of it is known here.

Two command lines that say the same of what is loaded share a kept graph. Words that are not known make it None: the
command then goes the full way, and leaves no graph behind.

>>> asked = read(["-C", "x", "query", "--output=package", "deps(//a:b)", "--bazel_version=7.7.1"])
>>> asked.folder, asked.text, asked.output, asked.loading
('x', 'deps(//a:b)', 'package', ('--bazel_version=7.7.1',))
>>> read(["query", "//a:b", "-c", "opt"]) is None
True

This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

from bzlgraph.snapshot.kept import IMPLICIT, NODEP, TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OUTPUTS = {
    "query": (
        *("label", "label_kind", "package", "location", "minrank", "maxrank", "graph", "build", "xml"),
        *("proto", "streamed_proto", "jsonproto", "streamed_jsonproto"),
        *("json", "jsonl", "table", "csv", "markdown", "html", "graphml"),
    ),
    "why": ("text", "json"),
    "select": ("text", "json", "jsonl", "csv"),
    "expand": ("text",),
    "deps": ("text", "json", "jsonl", "table", "csv", "markdown", "html"),
    "rdeps": ("text", "json", "jsonl", "table", "csv", "markdown", "html"),
    "flags": ("text", "json", "jsonl", "table", "csv", "markdown", "html"),
    "graph": (
        *("dot", "svg", "png", "pdf", "mermaid", "html", "matrix", "levels", "graphml", "json"),
        *("table", "csv", "markdown", "jsonl", "parquet", "sqlite"),
    ),
    "overview": ("text", "table", "csv", "markdown", "json", "jsonl", "html", "parquet", "sqlite"),
}
"""The forms of answers that are known here, by command; the first is what nobody asked for."""
PATHS = frozenset("override_repository repository_folder output_base allow_outside".split())
"""Options of loading that name folders."""
DEEPEST = 100
"""The most steps that ``--depth`` may ask for: each line of a deeper tree would begin with as many bars."""
LATER = frozenset({"graph", "overview"})
"""The commands that ask the kept graph when they have read their options themselves: these are only known here."""
_NAMES = ("--config=", "--define=", "--action_env=", "--//", "--@")
"""How names begin that ``flags`` is asked about as if they were options."""
SETTINGS = "settings"
"""The list of ``flags`` that is made from what was kept."""
KINDS_OF_SWITCHES = frozenset({SETTINGS, "bazelrc", "configure", "runtime"})
"""What ``flags`` lists; everything else is the name of one. All but settings are read as soon as what was kept."""


class Asked:
    """A question. ``text``: what is asked about, which was typed in these ``words``. ``excluded``: the flags of edges
    that are not followed.

    ``from_``, ``depth`` and ``whole`` (``--all``) are those of ``why``, ``deps`` and ``rdeps``, ``attributes`` and
    ``condition`` of ``select``. ``depth`` is 0 where none was given. ``quiet`` and ``verbose`` say how much is told on
    stderr, ``strict`` that gaps count as problems.
    """

    def __init__(self) -> None:
        self.color = "auto"
        self.command = ""
        self.folder = "."
        self.text = ""
        self.words: tuple[str, ...] = ()
        self.from_ = "//..."
        self.depth = 0
        self.whole = False
        self.attributes: tuple[str, ...] = ()
        self.condition: str | None = None
        self.output = ""
        self.order = "auto"
        self.excluded = 0
        self.keep_going = False
        self.link_template = ""
        self.profile = False
        self.quiet = False
        self.strict = False
        self.verbose = False
        self.loading: tuple[str, ...] = ()


def _sets(field: str, *choices: str) -> Callable[[Asked, str], bool]:
    """An option whose value is a field, one of ``choices`` if there are any."""

    def read_value(asked: Asked, value: str) -> bool:
        setattr(asked, field, value)
        return not choices or value in choices

    return read_value


def _adds(name: str) -> Callable[[Asked, str], bool]:
    """An option of loading."""

    def read_value(asked: Asked, value: str) -> bool:
        asked.loading += (f"--{name}={value}",)
        return True

    return read_value


def _depth(asked: Asked, value: str) -> bool:
    if not (len(value) < 9 and value.isascii() and value.isdigit()):
        return False
    asked.depth = int(value)
    return 1 <= asked.depth <= DEEPEST


def _attribute(asked: Asked, value: str) -> bool:
    asked.attributes += (value,)
    return True


def _any_value(_asked: Asked, _value: str) -> bool:
    """An option that changes no answer in the formats known here, or that its command reads itself."""
    return True


def _turns(field: str, on: bool = True) -> Callable[[Asked], None]:
    return lambda asked: setattr(asked, field, on)


def _loads(name: str) -> Callable[[Asked], None]:
    def turn(asked: Asked) -> None:
        asked.loading += (f"--{name}",)

    return turn


def _follows(flag: int, on: bool) -> Callable[[Asked], None]:
    """A switch of the edges with a flag, which are followed or not."""

    def turn(asked: Asked) -> None:
        asked.excluded = asked.excluded & ~flag if on else asked.excluded | flag

    return turn


def _nothing(_asked: Asked) -> None:
    """A switch that its command reads itself."""


_FOLLOWED = {"implicit_deps": IMPLICIT, "tool_deps": TOOL, "host_deps": TOOL, "nodep_deps": NODEP}
"""Switches of edges: the flag of those that ``--no...`` leaves out."""
_DRAWN = ("output_file", "collapse", "max_nodes", "focus", "exclude", "fold", "between")
_DRAWN_OR_NOT = ("reduce", "noreduce", "bazel_tools", "nobazel_tools")
_VALUED: dict[str, Callable[[Asked, str], bool]] = {
    "directory": _sets("folder"),
    "output": _sets("output"),
    "color": _sets("color", "auto", "yes", "no"),
    "link_template": _sets("link_template"),
    "jobs": lambda _, value: value.isascii() and value.isdigit(),
    "cache_dir": _any_value,
    "executor": lambda _, value: value == "local",
    "order_output": _sets("order", "auto", "no", "deps", "full"),
    "from": _sets("from_"),
    "depth": _depth,
    "attribute": _attribute,
    "condition": _sets("condition"),
    **dict.fromkeys(_DRAWN, _any_value),
    **{name: _adds(name) for name in PATHS},
    **{
        name: _adds(name)
        for name in ("bazel_version", "host_os", "host_arch", "max_steps", "max_seconds", "max_megabytes")
    },
}
"""Options with a value: what reads it, and says whether it is known here. ``--between`` has two."""
_SWITCHES: dict[str, Callable[[Asked], None]] = {
    "keep_going": _turns("keep_going"),
    "nokeep_going": _turns("keep_going", False),
    "quiet": _turns("quiet"),
    "all_gaps": _turns("verbose"),
    "strict": _turns("strict"),
    "profile": _turns("profile"),
    "all": _turns("whole"),
    **dict.fromkeys(_DRAWN_OR_NOT, _nothing),
    **{name: _follows(flag, True) for name, flag in _FOLLOWED.items()},
    **{f"no{name}": _follows(flag, False) for name, flag in _FOLLOWED.items()},
    **{
        name: _loads(name)
        for name in ("stay_inside", "enable_bzlmod", "noenable_bzlmod", "enable_workspace", "noenable_workspace")
    },
}
"""Options without one: what they do."""
_SHORT = {"-C": "directory", "-q": "quiet", "-v": "all_gaps", "-o": "output_file", "-k": "keep_going"}


def _both(*names: str) -> set[str]:
    return {*names, *(f"no{each}" for each in names)}


_OF_TREES = {"all", "depth", *_both("implicit_deps", "tool_deps", "host_deps")}
_OWN = {
    "query": {*_both(*_FOLLOWED), "order_output"},
    "deps": _OF_TREES,
    "rdeps": {*_OF_TREES, "from"},
    "why": {"all", "depth", "from"},
    "select": {*_both(*_FOLLOWED), "attribute", "condition"},
    "expand": set[str](),
    "flags": set[str](),
    "graph": {*_both("implicit_deps"), "depth", *_DRAWN, *_DRAWN_OR_NOT},
    "overview": {"output_file"},
}
"""The options that not every command has."""
_NOT_EVERYWHERE = frozenset().union(*_OWN.values())


def read(arguments: Sequence[str]) -> Asked | None:
    """What a command line asks; None when it is not one that is known here."""
    asked, words, options = Asked(), list[str](), set[str]()
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        if not word.startswith("-") or (words[:1] == ["flags"] and word.startswith(_NAMES)):
            words.append(word)
            continue
        name = _option(word, waiting, asked)
        if name is None:
            return None
        options.add(name)
    return asked if _completed(asked, words or ["overview"], options & _NOT_EVERYWHERE) else None


def _completed(asked: Asked, words: list[str], own: set[str]) -> bool:
    """Add what is asked about; whether the command is known, and takes these words and options of its ``own``."""
    asked.command, *asked_about = words
    if asked.command not in _OWN or not own <= _OWN[asked.command]:
        return False
    outputs = OUTPUTS[asked.command]
    asked.output = asked.output or outputs[0]
    if asked.link_template and not _links(asked):
        return False
    asked.words = tuple(asked_about)
    asked.text = " ".join(asked_about) or ("//..." if asked.command == "select" else "")
    if asked.output not in outputs:
        return False
    if asked.command == "overview":
        return not asked_about
    if asked.command == "flags":
        listed = [each for each in asked_about[:1] if each in KINDS_OF_SWITCHES]
        return listed in ([], [SETTINGS]) and len(asked_about) - len(listed) < 2
    return bool(asked.text) and (asked.command != "why" or len(asked_about) == 1)


def _links(asked: Asked) -> bool:
    """Whether what answers here can link places as asked; a page is filled with its links elsewhere."""
    from bzlgraph.base.links import is_template

    return asked.output != "html" and is_template(asked.link_template)


def _option(word: str, waiting: list[str], asked: Asked) -> str | None:
    """Read one option, and its value from what is ``waiting``; its name, None when it is not known."""
    name, equals, value = word.partition("=")
    name = name[2:].replace("-", "_") if name.startswith("--") else _SHORT.get(name, "")
    if not equals and name in _SWITCHES:
        _SWITCHES[name](asked)
        return name
    if name not in _VALUED or word.startswith("-C=") or not (equals or waiting):
        return None
    if not equals:
        value = waiting.pop()
    if name == "between" and waiting:
        waiting.pop()
    return name if _VALUED[name](asked, value) else None
