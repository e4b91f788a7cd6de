"""Links to a folder above them and links to one another, as globs meet them; Bazel 4.2.3 and 7.7.1 were asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from bzlgraph.loading.loader import Loader
from bzlgraph.workspace.workspace import open_workspace

EXPANSION, CYCLE = "Infinite symlink expansion", "Symlink cycle"


def problems(tmp_path: Path, pattern: str, links: dict[str, str]) -> list[str]:
    (tmp_path / "WORKSPACE").touch()
    (tmp_path / "p/d").mkdir(parents=True)
    (tmp_path / "p/x.c").touch()
    (tmp_path / "p/BUILD").write_text(f'filegroup(name = "t", srcs = glob(["{pattern}"]))\n')
    for link, target in links.items():
        (tmp_path / "p" / link).symlink_to(target)
    package = Loader(open_workspace(tmp_path)).find("", "p")
    assert package is not None
    assert "t" in package.targets
    return [each.message for each in package.diagnostics if "Symlink" in each.message]


@pytest.mark.parametrize(
    ("pattern", "links", "met"),
    [
        ("**", {"d/self": "."}, [f"{EXPANSION}: d/self"]),
        ("**/*.c", {"d/up": "../.."}, [f"{EXPANSION}: d/up"]),
        ("*.c", {"d/up": "../.."}, []),
        ("*.c", {"a": "b", "b": "a"}, []),
        ("*.c", {"self.c": "self.c"}, [f"{CYCLE}: self.c"]),
        ("**/*.c", {"d/a": "b", "d/b": "a"}, [f"{CYCLE}: d/a", f"{CYCLE}: d/b"]),
        ("**", {"dangling.c": "nowhere"}, []),
    ],
)
def test_a_glob_meets_a_loop(tmp_path: Path, pattern: str, links: dict[str, str], met: list[str]) -> None:
    assert problems(tmp_path, pattern, links) == [f"Symlink issue while evaluating globs: {each}" for each in met]
