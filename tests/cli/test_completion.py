"""What shells complete: commands, options, labels from the kept graph or from disk, configs; bash really does it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.written_files import write_files

ROOT = Path(__file__).parents[2]
RC = "build:fast --copt=-O1\nbuild:fine --copt=-O2\nimport %workspace%/more.rc\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home" / name))
    tree = tmp_path / "tree"
    files = {
        "WORKSPACE": "",
        ".bazelrc": RC,
        "more.rc": "build:fixed --copt=-O3\n",
        "lib/BUILD": '[filegroup(name = "made_%d" % n) for n in range(3)]\nfilegroup(name = "plain")\n',
        "lib/inner/BUILD": "",
        "empty/a.txt": "",
    }
    return write_files(tree, files)


def bzlgraph(tree: Path, *words: str, **environment: str) -> str:
    command = [sys.executable, "-m", "bzlgraph", *words]
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(command, cwd=tree, env=variables, capture_output=True, text=True, check=True)
    assert done.stderr == "" or words
    return done.stdout


def completed(tree: Path, *line: str) -> list[str]:
    words = " ".join(("bzlgraph", *line))
    shell = {"COMP_WORDS": words, "COMP_CWORD": str(len(line)), "_BZLGRAPH_COMPLETE": "bash_complete"}
    return [each.partition(",")[2] for each in bzlgraph(tree, **shell).splitlines() if each]


def test_commands_and_options(tree: Path) -> None:
    assert completed(tree, "qu") == ["query"]
    assert completed(tree, "query", "--order_out") == ["--order_output"]
    assert completed(tree, "graph", "--collapse", "pa") == ["package"]


def test_labels_on_disk_step_by_step(tree: Path) -> None:
    assert completed(tree, "query", "//l") == ["//lib/", "//lib:"]
    assert completed(tree, "why", "//lib:p") == ["//lib:plain"]
    assert completed(tree, "query", "'deps(//lib:plain,//lib/i") == [
        "deps(//lib:plain,//lib/inner/",
        "deps(//lib:plain,//lib/inner:",
    ]
    assert completed(tree, "expand", "//nothing:x") == []
    assert completed(tree, "-C", "lib", "why", "--from", "//lib:p") == ["//lib:plain"]


def test_labels_of_the_last_question_have_what_macros_made(tree: Path) -> None:
    assert completed(tree, "query", "//lib:m") == ["//lib:made_%d"]
    bzlgraph(tree, "query", "//lib:all")
    assert completed(tree, "query", "//lib:m") == ["//lib:made_0", "//lib:made_1", "//lib:made_2"]
    assert completed(tree, "query", "//l") == ["//lib:"]


def test_configs_of_the_rc_files(tree: Path) -> None:
    assert completed(tree, "why", "--config=fi") == ["--config=fine", "--config=fixed"]
    assert completed(tree, "why", "--config", "=", "fa") == ["fast"]


def test_ops_and_public_names_of_a_framework(tree: Path) -> None:
    files = {
        "tensorflow/core/api_def/base_api/api_def_Conv2D.pbtxt": "",
        "tensorflow/core/api_def/base_api/api_def_Concat.pbtxt": "",
        "tensorflow/tools/api/golden/v2/tensorflow.nn.pbtxt": 'path: "tensorflow.nn"\ntf_module {\n  member_method {\n'
        '    name: "conv2d"\n    argspec: "args=[\\\'name: \\"x\\"\\\']"\n  }\n  member {\n    name: "swish"\n  }\n}\n',
        "aten/src/ATen/native/native_functions.yaml": "- func: convolution.out(Tensor x) -> Tensor\n  name: other\n",
        "jax/numpy/__init__.py": "from jax._src.ufuncs import sin as sin\nfrom x import (\n  sinh as sinh,\n)",
    }
    write_files(tree, files)
    assert completed(tree, "op", "Con") == ["Concat", "Conv2D"]
    assert completed(tree, "op", "tf.nn.") == ["tf.nn.conv2d", "tf.nn.swish"]
    assert completed(tree, "op", "torch.c") == ["torch.convolution"]
    assert completed(tree, "op", "jax.numpy.si") == ["jax.numpy.sin", "jax.numpy.sinh"]
    assert completed(tree, "op", "//lib:p") == ["//lib:plain"]
    assert completed(tree, "op", "nothing") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(shell: str, tree: Path) -> None:
    script = bzlgraph(tree, "completion", shell)
    assert f"_BZLGRAPH_COMPLETE={shell}_complete" in script
    if program := shutil.which(shell):
        assert subprocess.run([program, "-n"], input=script, text=True, check=False).returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_a_label_with_a_colon(tree: Path) -> None:
    script = bzlgraph(tree, "completion", "bash")
    program = tree.parent / "bzlgraph"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bzlgraph "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    asked = f"""{script}
COMP_WORDS=({program} why //lib:p); COMP_CWORD=2
_bzlgraph_completion {program}; echo "${{COMPREPLY[*]}} $COMP_WORDBREAKS" | head -1
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", asked], cwd=tree, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("//lib:plain ")
    assert ":" not in done.stdout.splitlines()[0].removeprefix("//lib:plain ")
