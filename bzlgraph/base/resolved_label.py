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

    def path(self, canonical: str) -> str:
        """The file of that name as locations show it: from the root, or ``external/CANONICAL/...``.

        >>> Label("", "a", "b.cc").path(""), Label("r", "", "BUILD").path("r~")
        ('a/b.cc', 'external/r~/BUILD')
        """
        inside = f"{self.package}/{self.name}" if self.package else self.name
        return f"external/{canonical}/{inside}" if self.repo else inside

    @property
    def shorthand(self) -> str:
        """The short form people type: ``//a/b`` for ``//a/b:b``, ``@r`` for ``@r//:r``."""
        if not self.package and self.repo and self.name == self.repo:
            return f"@{self.repo}"
        if self.package and self.package.rpartition("/")[2] == self.name:
            return self.package_label
        return str(self)
