"""``Label``, resolved: what ``label.parse`` makes of a text.

This module is imported before anything heavy is: nothing but built-in modules and ``Record`` here.
"""

from __future__ import annotations

from bzlgraph.base.record import Record


class Label(Record):
    """A resolved label. Compares, sorts and hashes as (repo, package, name)."""

    repo: str
    package: str
    name: str

    def __str__(self) -> str:
        repo = f"@{self.repo}" if self.repo else ""
        return f"{repo}//{self.package}:{self.name}"

    @property
    def package_label(self) -> str:
        """``//pkg`` or ``@repo//pkg``."""
        return f"@{self.repo}//{self.package}" if self.repo else f"//{self.package}"

    @property
    def path(self) -> str:
        """The path of the file of that name, inside its repository: ``a/b.cc`` of ``@r//a:b.cc``."""
        return f"{self.package}/{self.name}" if self.package else self.name

    def shown_path(self, canonical: str) -> str:
        """The same as locations show it: from the root, or ``external/CANONICAL/...``.

        >>> Label("", "a", "b.cc").shown_path(""), Label("r", "", "BUILD").shown_path("r~")
        ('a/b.cc', 'external/r~/BUILD')
        """
        return f"external/{canonical}/{self.path}" if self.repo else self.path

    @property
    def shorthand(self) -> str:
        """The short form people type: ``//a/b`` for ``//a/b:b``, ``@r`` for ``@r//:r``."""
        if not self.package and self.repo and self.name == self.repo:
            return f"@{self.repo}"
        if self.package and self.package.rpartition("/")[2] == self.name:
            return self.package_label
        return str(self)
