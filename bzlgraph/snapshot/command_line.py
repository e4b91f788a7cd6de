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
    from collections.abc import Sequence

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
_LOADING_VALUES = PATHS.union("bazel_version host_os host_arch max_steps max_seconds max_megabytes".split())
_LOADING_FLAGS = frozenset("stay_inside enable_bzlmod noenable_bzlmod enable_workspace noenable_workspace".split())
_NO_MATTER = frozenset({"jobs"})
"""Options with a value that changes no answer in the formats known here."""
DEEPEST = 100
"""The most steps that ``--depth`` may ask for: each line of a deeper tree would begin with as many bars."""
_COLORS = ("auto", "yes", "no")
_FOLLOWED = {
    "implicit_deps": IMPLICIT,
    "tool_deps": TOOL,
    "host_deps": TOOL,
    "nodep_deps": NODEP,
}
"""Switches of edges: the flag of those that ``--no...`` leaves out."""
_TELLING = {"quiet": "quiet", "all_gaps": "verbose", "strict": "strict", "profile": "profile"}
"""Options without a value that say what is told on stderr, or how gaps count: the field of each."""
_SHORT = {"-C": "C", "-q": "quiet", "-v": "all_gaps", "-o": "output_file"}
_OF_TREES = {"all", "depth", "implicit_deps", "tool_deps", "host_deps"}
_OF_PICTURES = {"output_file", "collapse", "max_nodes", "focus", "depth", "exclude", "fold", "between"}
"""Options with a value, or two, that ``graph`` reads itself."""
_OF_PICTURES_ALONE = {"reduce", "noreduce", "bazel_tools", "nobazel_tools"}
"""Those that take none."""
_OWN = {
    "query": {*_FOLLOWED, "order_output"},
    "deps": _OF_TREES,
    "rdeps": {*_OF_TREES, "from"},
    "why": {"all", "depth", "from"},
    "select": {*_FOLLOWED, "attribute", "condition"},
    "expand": set[str](),
    "flags": set[str](),
    "graph": {"implicit_deps", *_OF_PICTURES, *_OF_PICTURES_ALONE},
    "overview": {"output_file"},
}
"""The options that not every command has."""
LATER = frozenset({"graph", "overview"})
"""The commands that ask the kept graph when they have read their options themselves: these are only known here."""
_NAMES = ("--config=", "--define=", "--action_env=", "--//", "--@")
"""How names begin that ``flags`` is asked about as if they were options."""
_KINDS_OF_SWITCHES = frozenset({"settings", "bazelrc", "configure", "runtime"})
"""What ``flags`` lists; everything else is the name of one."""
_KEEP_GOING = {"-k": True, "--keep_going": True, "--nokeep_going": False}


class Asked:
    """A question. ``text``: what is asked about, which was typed in these ``words``. ``excluded``: the flags of edges
    that are not followed.

    ``from_``, ``depth`` and ``whole`` (``--all``) are those of ``why``, ``deps`` and ``rdeps``, ``attributes`` and
    ``condition`` of ``select``. ``depth`` is 0 where none was given. ``quiet`` and ``verbose`` say how much is told on
    stderr, ``strict`` that gaps count as problems.
    """

    __slots__ = (
        *(
            "attributes",
            "color",
            "command",
            "condition",
            "depth",
            "excluded",
            "folder",
            "from_",
            "keep_going",
            "link_template",
            "loading",
        ),
        *("order", "output", "profile", "quiet", "strict", "text", "verbose", "whole", "words"),
    )

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


def read(arguments: Sequence[str]) -> Asked | None:
    """What a command line asks; None when it is not one that is known here."""
    asked, loading, words = Asked(), list[str](), list[str]()
    own: set[str] = set()
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        if not word.startswith("-") or (words[:1] == ["flags"] and word.startswith(_NAMES)):
            words.append(word)
        elif word in _KEEP_GOING or word.replace("-", "_") in ("__keep_going", "__nokeep_going"):
            asked.keep_going = word == "-k" or "no" not in word[:4]
        elif not _option(word, waiting, asked, loading, own):
            return None
    asked.loading = tuple(loading)
    return asked if _completed(asked, words or ["overview"], own) else None


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
        return len(asked_about) < 2 and asked.text not in _KINDS_OF_SWITCHES
    return bool(asked.text) and (asked.command != "why" or len(asked_about) == 1)


def _links(asked: Asked) -> bool:
    """Whether what answers here can link places as asked; a page is filled with its links elsewhere."""
    from bzlgraph.base.links import is_template

    return asked.output != "html" and is_template(asked.link_template)


def _option(word: str, waiting: list[str], asked: Asked, loading: list[str], own: set[str]) -> bool:
    """Read one option, and its value from what is ``waiting``; False for one that is not known."""
    name, equals, value = word.partition("=")
    name = name[2:].replace("-", "_") if name.startswith("--") else _SHORT.get(name, "")
    if name in _FOLLOWED and not equals:
        asked.excluded &= ~_FOLLOWED[name]
        own.add(name)
    elif name.startswith("no") and name[2:] in _FOLLOWED and not equals:
        asked.excluded |= _FOLLOWED[name[2:]]
        own.add(name[2:])
    elif name in _LOADING_FLAGS and not equals:
        loading.append(f"--{name}")
    elif name in _TELLING and not equals:
        setattr(asked, _TELLING[name], True)
    elif name in _OF_PICTURES_ALONE and not equals:
        own.add(name)
    elif name == "all" and not equals:
        asked.whole = True
        own.add(name)
    else:
        if name == "C" and equals:
            return False
        if not equals:
            if not waiting:
                return False
            value = waiting.pop()
        if name == "between" and waiting:
            waiting.pop()
        return _valued(name, value, asked, loading) or _own_value(name, value, asked, own)
    return True


def _valued(name: str, value: str, asked: Asked, loading: list[str]) -> bool:
    if name in _LOADING_VALUES:
        loading.append(f"--{name}={value}")
    elif name in ("C", "directory"):
        asked.folder = value
    elif name == "output":
        asked.output = value
    elif name == "color" and value in _COLORS:
        asked.color = value
    elif name == "link_template":
        asked.link_template = value
    else:
        return name in _NO_MATTER or name == "cache_dir" or (name, value) == ("executor", "local")
    return True


def _own_value(name: str, value: str, asked: Asked, own: set[str]) -> bool:
    """Read an option that not every command has."""
    own.add(name)
    if name == "order_output" and value in ("auto", "no", "deps", "full"):
        asked.order = value
    elif name == "from":
        asked.from_ = value
    elif name == "depth" and len(value) < 9 and value.isascii() and value.isdigit():
        asked.depth = int(value)
        return 1 <= asked.depth <= DEEPEST
    elif name in _OF_PICTURES and name != "depth":
        return True
    elif name == "attribute":
        asked.attributes += (value,)
    elif name == "condition":
        asked.condition = value
    else:
        return False
    return True
