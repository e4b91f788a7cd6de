"""The files that hold defaults: the user's ``config.toml``, the checkout's ``.bzlgraphrc`` or ``pyproject.toml``.

``read(folder)`` -> ``Defaults``: settings in the order in which they count, and what is refused. The user's file may
set every option. A checkout is a stranger's: it may set ``OF_CHECKOUT``, which choose what is shown and how; never a
path, a host, a cache, an executor or a limit.
This module is imported before anything heavy is: nothing but built-in modules here.
"""

from __future__ import annotations

import os
import stat

from bzlgraph.cache.private import CHECKOUT_FILES, config_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Value = str | int | float | bool | list[str]

OF_CHECKOUT = frozenset(
    """bazel_version charset collapse exclude_self framework from host_deps implicit_deps infer_universe_scope max_nodes
    nodep_deps order_output output tool_deps universe_scope""".split()
)
"""The options that a checkout may set."""
MAX_BYTES = 1 << 16
MAX_VALUE = 1000
"""Characters of a value in a checkout's file."""


class Setting:
    """One line: an option without its dashes, its value, the command it is for ("": a global option), its place."""

    __slots__ = ("command", "name", "place", "value")

    def __init__(self, command: str, name: str, value: Value, place: str) -> None:
        self.command = command
        self.name = name
        self.value = value
        self.place = place

    def words(self) -> list[str]:
        """The option as it would be typed."""
        if isinstance(self.value, bool):
            return [f"--{self.name}" if self.value else f"--no{self.name}"]
        values = self.value if isinstance(self.value, list) else [self.value]
        return [f"--{self.name}={each}" for each in values]


class Defaults:
    """What the files say. ``refused`` are warnings, each with its place."""

    __slots__ = ("refused", "settings")

    def __init__(self) -> None:
        self.settings: list[Setting] = []
        self.refused: list[str] = []


def read(folder: str) -> Defaults:
    """The defaults of somebody who asks about ``folder``: the checkout's first, the user's own after them."""
    found = Defaults()
    root = checkout_root(folder)
    if root is not None and not _read(os.path.join(root, ".bzlgraphrc"), (), found, own=False):
        _read(os.path.join(root, "pyproject.toml"), ("tool", "bzlgraph"), found, own=False)
    home = config_home()
    if home is not None:
        _read(os.path.join(home, "config.toml"), (), found, own=True)
    return found


def checkout_root(folder: str) -> str | None:
    """The checkout that a folder lies in, as ``workspace.find_root`` has it."""
    here = os.path.realpath(folder)
    while True:
        if any(os.path.isfile(os.path.join(here, name)) for name in CHECKOUT_FILES):
            return here
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _read(path: str, table: tuple[str, ...], found: Defaults, *, own: bool) -> bool:
    """Add what a file says in a table of it; whether there is such a file."""
    data = _content(path, own)
    if data is None:
        return False
    if table and b"[" + ".".join(table).encode() not in data.replace(b" ", b"").replace(b'"', b""):
        return False
    shown = path if own else os.path.basename(path)
    import tomllib  # most people have no such file

    try:
        text = data.decode("utf-8")
        content: object = tomllib.loads(text)
    except ValueError as error:
        found.refused.append(f"{shown}: {error}; the whole file is ignored")
        return True
    for each in table:
        content = content.get(each, {}) if isinstance(content, dict) else {}
    for command, name, value in _entries(content):
        place = f"{shown}:{_line(text, command, name)}"
        setting = Setting(command.replace("_", "-"), name.replace("-", "_"), value, place)
        refused = _why_not(setting, own)
        if refused:
            found.refused.append(f"{place}: {refused}")
        else:
            found.settings.append(setting)
    return True


def _content(path: str, own: bool) -> bytes | None:
    """The bytes of a regular file; of a checkout's no link and nothing large."""
    try:
        os.stat(path)  # mostly there is none: that opens nothing
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (0 if own else getattr(os, "O_NOFOLLOW", 0))
        with open(os.open(path, flags), "rb") as file:
            return file.read(MAX_BYTES) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None


def _entries(content: object) -> Iterator[tuple[str, str, Value]]:
    """(command, option, value): what stands before all tables, then what each table holds."""
    if not isinstance(content, dict):
        return
    for name, value in content.items():
        if not isinstance(value, dict):
            yield "", name, value
    for command, table in content.items():
        if isinstance(table, dict):
            for name, value in table.items():
                yield command, name, value


def _why_not(setting: Setting, own: bool) -> str:
    """Why a line does not count, "" when it does."""
    values = setting.value if isinstance(setting.value, list) else [setting.value]
    if not all(isinstance(each, str | int | float) for each in values):
        return f"'{setting.name}': expected a string, a number, true, false or a list of strings"
    if not setting.name.replace("_", "a").replace(":", "a").isalnum():
        return f"'{setting.name}' is not an option"
    if own:
        return ""
    if setting.name not in OF_CHECKOUT:
        return f"a checkout may not set '{setting.name}'; your own config.toml may (docs/defaults.md)"
    long = any(len(str(each)) > MAX_VALUE or not str(each).isprintable() for each in values)
    return f"'{setting.name}': expected at most {MAX_VALUE} printable characters" if long else ""


def _line(text: str, command: str, name: str) -> int:
    """The line of an option, 1 where it is written in a way that is not looked for."""
    inside = not command
    for number, line in enumerate(text.splitlines(), 1):
        written = line.strip().replace('"', "").replace(" ", "")
        if written.startswith("["):
            inside = written.rstrip("]").rpartition(".")[2].lstrip("[") == (command or "bzlgraph")
        elif inside and written.partition("=")[0] == name:
            return number
    return 1
