"""``flags`` from what an earlier one has read says what the full way says, to the byte, until something changes."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from bzlgraph.cache import answers, counters
from bzlgraph.flags.trace import LISTS
from bzlgraph.snapshot import command_line, place
from tests.flags.flags_workspace import written
from tests.snapshot.asking import VERSIONS, example, full, kept

pytestmark = pytest.mark.usefixtures("private_cache")

NAMES = (
    "with_jemalloc", "TF_NEED_CUDA", "--config=cuda", "cuda", "opt", "--define=with_xla_support", "xla", "copt",
    "--action_env=TF_NEED_CUDA", "--//tensorflow/tsl:enable_mlir", "enable_mlir", "//tensorflow:debug", "debug",
    "TF_XLA_FLAGS", "tf_xla_auto_jit", "linux_x86_64", "with_gcp_support", "mlir_on_linux", "TF_DETERMINISTIC_OPS",
    "", "with_jemaloc", "--config=cudda", "--action_env=TF_NEED_CUDDA", "--//nowhere:x", "no such name",
)  # fmt: skip
FORMS = ("", "--output=json", "--output=csv", "--output=jsonl", "--output=table", "--output=markdown", "--output=html")


def asked(start: list[str], name: str, *options: str) -> list[str]:
    """The command line of a question about a name; without one, about all."""
    return [*start, "flags", *filter(None, [name, *options])]


def first(start: list[str]) -> None:
    """The question that is answered the full way, and leaves what it has read."""
    assert kept(asked(start, "")) is None
    full(asked(start, ""))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_name(version: str) -> None:
    start, choose = example(version), random.Random(f"5 {version}").choice
    first(start)
    for name in NAMES[VERSIONS.index(version) :: len(VERSIONS)]:
        form = choose(FORMS)
        said = kept(asked(start, name, form))
        assert said is not None
        assert said == full(asked(start, name, form, "--no_cache")), (name, form)


@pytest.mark.parametrize("name", ["", "cuda", "--define=using", "NOTHING"])
def test_settings_are_listed(name: str) -> None:
    first(example())
    for form in FORMS:
        said = kept(asked(example(), "settings", name, form))
        assert said is not None
        assert said == full(asked(example(), "settings", name, form, "--no_cache")), form


def test_other_lists_go_the_full_way() -> None:
    first(example())
    assert [kept(asked(example(), kind)) for kind in LISTS if kind != "settings"] == [None] * (len(LISTS) - 1)
    assert kept(asked(example(), "settings", "a", "b")) is None
    assert frozenset(LISTS) == command_line.KINDS_OF_SWITCHES


def test_options_that_are_refused_go_the_full_way() -> None:
    first(example())
    for options in (["--jobs=many"], ["--jobs="], ["--color=blue"], ["--depth=x"]):
        assert kept([*asked(example(), "cuda"), *options]) is None


def test_options_that_choose_a_configuration_go_the_full_way() -> None:
    first(example())
    for options in (["--copt=x"], ["--bazelrc=x"], ["--noworkspace_rc"], ["-o", "x.csv"]):
        assert kept(asked(example(), "cuda", *options)) is None


EDITS = {
    "a BUILD file": (
        "BUILD",
        'cc_library(name = "more", copts = select({":opt": ["-g"], "//conditions:default": []}))\n',
    ),
    "a macro": ("defs.bzl", "# more\n"),
    "a file that names a variable": ("gpu_configure.bzl", 'OTHER = "NEED_FAST"\n'),
    "an rc file": (".bazelrc", "build:fast --define=other=1\n"),
    "a configure script": ("configure.py", "# more\n"),
    "a C++ source": ("flags.cc", 'ABSL_FLAG(bool, fast, true, "More.");\n'),
    "a new .bzl file": ("new/other.bzl", 'OTHER = "NEED_FAST"\n'),
}


@pytest.mark.parametrize(("path", "more"), EDITS.values(), ids=EDITS)
def test_after_an_edit_it_is_read_anew(path: str, more: str, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    tree = written(tmp_path / "tree")
    start = ["-C", str(tree), "--jobs=1"]
    first(start)
    assert kept(asked(start, "NEED_FAST")) == full(asked(start, "NEED_FAST", "--no_cache"))
    time.sleep(0.02)
    file = tree / path
    file.parent.mkdir(exist_ok=True)
    file.write_text((file.read_text(encoding="utf-8") if file.is_file() else "") + more, encoding="utf-8")
    assert kept(asked(start, "NEED_FAST")) is None
    right = full(asked(start, "NEED_FAST", "--no_cache"))
    assert full(asked(start, "NEED_FAST")) == right
    assert kept(asked(start, "NEED_FAST")) == right


def test_a_name_that_is_not_there_leaves_what_was_read_for_it() -> None:
    right = full(asked(example(), "with_jemaloc"))
    assert right.code == 7
    assert kept(asked(example(), "with_jemaloc")) == right
    assert kept(asked(example(), "with_jemalloc")) == full(asked(example(), "with_jemalloc", "--no_cache"))


def test_it_evaluates_nothing_and_reads_nothing() -> None:
    first(example())
    counters.start()
    assert kept(asked(example(), "with_jemalloc")) is not None
    assert counters.lines("way")[1:4] == [
        "profile: packages evaluated: 0", "profile: packages taken from the cache: 0", "profile: files read: 0"
    ]  # fmt: skip


def test_no_damage_gives_a_wrong_answer() -> None:
    start = example()
    first(start)
    folder = answers.folder_named(start)
    question = command_line.read(asked(start, ""))
    assert folder is not None
    assert question is not None
    path = Path(place.path_of(folder, place.key_of(question)))
    whole, right = path.read_bytes(), kept(asked(start, "cuda"))
    assert right is not None
    chance = random.Random(3)
    for _ in range(200):
        data = bytearray(whole)
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        else:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        assert kept(asked(start, "cuda")) in (None, right)
