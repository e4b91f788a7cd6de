"""A digest that changes whenever bzlgraph's code, its data or Python changes: part of every cache key."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

COUNTED = frozenset({".py", ".lark", ".json", ".bzl", ".toml", ".bin"})


@cache
def code_version() -> str:
    """Digest of size and time of every source and data file of the package, and of the Python version."""
    package = Path(__file__).resolve().parent.parent
    parts = [sys.version]
    for folder in (package, package.parent / "grammars"):
        for path in sorted(folder.rglob("*.*")) if folder.is_dir() else ():
            if path.suffix in COUNTED:
                status = path.stat()
                parts.append(f"{path}:{status.st_size}:{status.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
