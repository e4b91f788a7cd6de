"""What the names of a function are where one reads, and what is found out of operators there.

Each operator of ``a + b + c + ...`` is asked of what it makes, and asks those in it: an answer is kept as long as no
name changes, so that a chain is gone through once and not once for each of its members.

>>> here, asked = Here(), []
>>> chain = ast.parse("a + b", mode="eval").body
>>> find = lambda node: asked.append(node) or "number"
>>> here.found("kind", chain, find), here.found("kind", chain, find), len(asked)
('number', 'number', 1)
>>> here["a"] = "tensor"
>>> here.found("kind", chain, find), len(asked)
('number', 2)
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Here(dict[str, str]):
    """Name -> what it is. The methods of a dictionary that are used to change it forget what was found."""

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[tuple[str, int], tuple[ast.expr, Any]] = {}

    def found(self, question: str, node: ast.expr, find: Callable[[ast.expr], T]) -> T:
        """The answer to a question about an expression. The expression is kept with it, since it is known by its id."""
        known = self._found.get((question, id(node)))
        if known is None:
            known = self._found[question, id(node)] = node, find(node)
        answer: T = known[1]
        return answer

    def forget(self) -> None:
        """Something that answers depend on has changed."""
        self._found.clear()

    def __setitem__(self, name: str, kind: str) -> None:
        self.forget()
        super().__setitem__(name, kind)

    def setdefault(self, name: str, kind: str = "") -> str:
        """What a name is, after it is told where that is not known."""
        if name not in self:
            self[name] = kind
        return self[name]

    def pop(self, name: str, *default: Any) -> Any:
        """Nothing is known of a name any more."""
        self.forget()
        return super().pop(name, *default)

    def clear(self) -> None:
        """Nothing is known of any name."""
        self.forget()
        super().clear()

    def update(self, *known: Any, **named: str) -> None:
        """Take in what names are."""
        self.forget()
        super().update(*known, **named)
