"""The grammars are found in a checkout and in a wheel, where they lie inside the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.syntax import grammar


def test_checkout() -> None:
    assert grammar.text("starlark").startswith("// Starlark")


def test_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bzlgraph" / "grammars").mkdir(parents=True)
    (tmp_path / "bzlgraph" / "grammars" / "x.lark").write_text("start: \n", encoding="utf-8")
    monkeypatch.setattr(grammar, "PACKAGE", tmp_path / "bzlgraph")
    assert grammar.text("x") == "start: \n"
    with pytest.raises(FileNotFoundError, match=r"grammars/y\.lark is part of bzlgraph"):
        grammar.text("y")
