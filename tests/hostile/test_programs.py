"""Programs that cost more than they count end by a budget, and what their package has made so far stays."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.hostile.attack import Ended, assert_held, run, write
from tests.starlark.chunks import Case, cases_of

ATTACKS = cases_of("attacks.star")
BUILD = 'load(":a.bzl", "attack")\nfilegroup(name = "before")\nattack()\nfilegroup(name = "after")\n'
ENDLESS = {"a.bzl": "def attack():\n" + "    a = 'x' * 30000000\n    b = a[:-1] + 'x'\n    d = {a: 1}\n"}
ENDLESS["a.bzl"] += "    for _ in range(3000000):\n        d[b]\n"
"""Each look compares 30 million characters, and nothing counts them: what the watchdog is for."""


def _name(case: Case) -> str:
    return next(line[2:] for line in reversed(case.text.split("\n")) if line.startswith("# "))


@pytest.mark.slow
@pytest.mark.parametrize("case", ATTACKS, ids=_name)
def test_program(tmp_path: Path, case: Case) -> None:
    root = write(tmp_path / "tree", {"a.bzl": case.text, "BUILD": BUILD, "fine/BUILD": 'filegroup(name = "x")\n'})
    wanted = case.errors[0][1]
    seconds = 2 if "processor time" in wanted else 6  # what is counted ends by its count, however slow the machine is
    ended = run(root, "--jobs=1", f"--max_seconds={seconds}", "--max_steps=20000000", "query", "//...")
    assert_held(ended)
    targets = ended.out.split()
    assert "//fine:x" in targets
    assert "//:before" in targets or "def attack" not in case.text  # a file that cannot be loaded makes no target
    if wanted == "nothing":
        assert (ended.code, ended.err) == (0, "")
        assert "//:after" in targets
    else:
        assert ended.code == 7
        assert re.search(f"error: .*(?:{wanted})", ended.err), ended.err[:2000]
        assert "//:after" not in targets


def test_there_are_many() -> None:
    assert len(ATTACKS) >= 90


def _asked(tmp_path: Path, *options: str) -> Ended:
    return run(write(tmp_path / "tree", {**ENDLESS, "BUILD": BUILD}), "--max_seconds=0.5", *options)


def test_the_watchdog_ends_what_no_budget_counts(tmp_path: Path) -> None:
    ended = _asked(tmp_path, "query", "//:all", "--output=label")
    assert_held(ended)
    assert ended.code == 7
    assert "takes more than 0.5 s of processor time" in ended.err
    assert "--max_seconds" in ended.err
    assert ended.out == "//:before\n"


def test_a_breach_is_a_problem_that_one_may_keep_going_behind(tmp_path: Path) -> None:
    ended = _asked(tmp_path, "query", "//:all", "-k", "--output=json")
    assert_held(ended)
    assert ended.code == 3
    assert "processor time" in ended.out
    assert "package // is broken" in ended.out


def test_the_limits_by_default(tmp_path: Path) -> None:
    """Nobody gives options: the watchdog ends it all the same, in time."""
    ended = run(write(tmp_path / "tree", {**ENDLESS, "BUILD": BUILD}), "query", "//:all")
    assert_held(ended)
    assert "takes more than 8 s of processor time" in ended.err


def test_what_a_limit_ended_is_not_kept(tmp_path: Path) -> None:
    body = "def attack():\n    [native.filegroup(name = str(i)) for i in range(300)]\n"
    root = write(tmp_path / "tree", {"a.bzl": body, "BUILD": BUILD})
    cache = f"--cache_dir={tmp_path / 'cache'}"
    command = [sys.executable, "-m", "bzlgraph", cache, "-C", str(root)]
    short = subprocess.run([*command, "--max_steps=30000", "query", "//:all"], capture_output=True, text=True)
    whole = subprocess.run([*command, "query", "//:all"], capture_output=True, text=True)
    assert (short.returncode, whole.returncode) == (7, 0)
    assert "--max_steps" in short.stderr
    assert len(short.stdout.split()) < 302 == len(whole.stdout.split())


def _listen() -> None:
    """Who runs tests in the background may have them ignore Ctrl-C, and programs inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("jobs", ["--jobs=1", "--jobs=2"])
def test_ctrl_c(tmp_path: Path, jobs: str) -> None:
    """It works while a program runs, here and in worker processes."""
    many = {f"p{i}/BUILD": 'load("//:a.bzl", "attack")\nprint("begun")\nattack()\n' for i in range(30)}
    root = write(tmp_path / "tree", {**ENDLESS, **many, "BUILD": ""})
    command = [sys.executable, "-m", "bzlgraph", "--no_cache", jobs, "-C", str(root), "query", "//..."]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, preexec_fn=_listen) as process:
        assert process.stderr is not None
        assert "begun" in process.stderr.readline()
        time.sleep(0.2)
        asked = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
        took = time.monotonic() - asked
    assert process.returncode == 130
    assert "Traceback" not in err
    assert took < 5
