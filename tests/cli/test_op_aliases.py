"""``bzlgraph op short.blur`` where the tree imports a module as ``short``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.asking_op import run, written

IMPORT = "import {} as {}\n"
HOME = "tensorflow.python.ops.nn_ops"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return written(tmp_path)


def test_a_module_is_known_by_what_the_tree_imports_it_as(tree: Path) -> None:
    (tree / "docs.md").write_text(">>> " + IMPORT.format(HOME, "shrt"))
    (tree / "a.py").write_text("from tensorflow.python.ops import array_ops, nn_ops as shrt\n")
    (tree / "b.py").write_text(IMPORT.format("numpy", "np") * 3 + IMPORT.format("tensorflow", "np"))
    found, known = run(tree, "shrt.blur"), run(tree, f"{HOME}.blur")
    assert (found.exit_code, known.exit_code) == (0, 0), found.stderr
    assert f"note: shrt stands for {HOME}, as in a.py:1" in found.stdout
    assert found.stdout.splitlines()[0] == known.stdout.splitlines()[0]


def test_what_few_files_mean_or_none_is_not_guessed(tree: Path) -> None:
    (tree / "b.py").write_text(IMPORT.format("numpy", "np") * 3 + IMPORT.format("tensorflow", "np"))
    (tree / "c.py").write_text(IMPORT.format(HOME, "shrt"))
    for word in ("np.nn.blur", "shrt.blurr", "nobody.blur", "a b.blur", "(.blur"):
        assert run(tree, word).exit_code == 7
