"""How tests ask ``bzlgraph op`` of a small tree on disk."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from bzlgraph.cli.main import cli
from tests.ops.tensorflow.small_tree import FILES, api_defs
from tests.written_files import write_files

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_tensorflow"


def written(folder: Path) -> Path:
    """A folder with the small TensorFlow tree in it."""
    return write_files(folder, {**FILES, **api_defs(), "WORKSPACE": ""})


def run(tree: Path, *arguments: str) -> Result:
    """What the command says."""
    return CliRunner().invoke(cli, ["-C", str(tree), "--no_cache", "op", *arguments])
