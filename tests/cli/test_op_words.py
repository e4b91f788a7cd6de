"""Files and targets in questions about ops, typed in a folder of the checkout; and files that may have been meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bzlgraph.cli.main import cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini_tensorflow"
KERNELS = "tensorflow/core/kernels"


def asked(word: str, folder: str) -> tuple[str, str, int]:
    done = CliRunner().invoke(cli, ["-C", str(EXAMPLE / folder), "--no_cache", "op", word])
    return done.stdout, done.stderr, done.exit_code


@pytest.mark.parametrize(
    ("word", "folder"),
    [
        (f"{KERNELS}/conv_ops.cc", ""),
        (f"{KERNELS}/conv_ops.cc", KERNELS),
        ("conv_ops.cc", KERNELS),
        ("./conv_ops.cc", KERNELS),
        ("../kernels/conv_ops.cc", KERNELS),
        (":conv_ops", KERNELS),
        ("kernels:conv_ops", "tensorflow/core"),
        (f"//{KERNELS}:conv_ops", KERNELS),
    ],
)
def test_a_file_and_a_target_are_named_from_the_folder(word: str, folder: str) -> None:
    out, told, code = asked(word, folder)
    assert out.startswith(f"CPU: {KERNELS}/conv_ops.cc:11 (Conv2DOp::Compute) in //{KERNELS}:conv_ops"), told
    assert code == 0


@pytest.mark.parametrize(
    ("word", "folder", "meant"),
    [
        (f"{KERNELS}/conv_op.cc", "", f"{KERNELS}/conv_ops.cc"),
        ("conv_op.cc", KERNELS, f"{KERNELS}/conv_ops.cc"),
        ("core/conv_ops.cc", "", f"{KERNELS}/conv_ops.cc"),
        ("../../../../../conv_ops.cc", KERNELS, f"{KERNELS}/conv_ops.cc"),
        ("nowhere/nothing.cc", "", ""),
        (":", "", ""),
    ],
)
def test_files_that_may_have_been_meant(word: str, folder: str, meant: str) -> None:
    out, told, code = asked(word, folder)
    assert (out, code) == ("", 7)
    assert f"error: '{word}' is not a public name, op, file, kernel class or target of this tree" in told
    assert (f"did you mean {meant}?" in told) if meant else ("did you mean" not in told)
