"""What a reader of the explorer looks at, as its page writes it in addresses (``web/src/state.ts``)."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs

HIDDEN = ("visibility",)
"""What is hidden at the start."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A state: groups that are open, targets that are looked at alone (``down``, ``up``: with neighbours), the ends of
    a question why, configurations, what is hidden, what is selected."""

    open: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    start: str = ""
    end: str = ""
    config: str = ""
    versus: str = ""
    hide: tuple[str, ...] = HIDDEN
    selected: str = ""


def read(text: str) -> Asked:
    """A state as written; what is left out is as at the start."""
    found = parse_qs(text, keep_blank_values=True)

    def several(name: str, otherwise: tuple[str, ...] = ()) -> tuple[str, ...]:
        return tuple(each for each in found[name] if each) if name in found else otherwise

    def one(name: str) -> str:
        return found.get(name, [""])[0]

    return Asked(
        several("open"), several("focus"), several("down"), several("up"), one("from"), one("to"),
        one("config"), one("versus"), several("hide", HIDDEN), one("selected"),
    )  # fmt: skip
