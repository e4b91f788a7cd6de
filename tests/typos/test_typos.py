"""200 typos of the names of the example: each is refused, and nearly each is understood."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

from tests.typos.__main__ import good, score
from tests.typos.judge import judged
from tests.typos.mutate import Neighbourhood, distance, typo
from tests.typos.names import kinds

EXAMPLE = Path(__file__).parents[2] / "examples/mini_tensorflow"


def test_typos_of_the_example(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(EXAMPLE, tree)
    options = ("--cache_dir", str(tmp_path / "cache"), "--jobs=1")
    found = kinds(tree)
    made = {"packages", "commands", "subcommands", "formats"}
    assert {each.name for each in found} == {"targets", "options", "configs", "flags", "ops", *made}
    verdicts = list(judged(tree, found, 200, seed=14, options=options))
    assert [(each.words, each.code) for each in verdicts if not each.is_refused] == []
    assert sum(each.clear for each in verdicts) > 120, score(verdicts)
    assert good(verdicts), score(verdicts)


def test_what_is_an_edit() -> None:
    assert [distance("conv", each) for each in ("conv", "cnov", "con", "convs", "bonw", "vonc")] == [0, 1, 1, 1, 2, 2]
    random = Random(1)
    far = [distance("//core:lib", typo("//core:lib", random)) for _ in range(500)]
    assert max(far) <= 3  # two edits that meet
    assert sum(each <= 2 for each in far) > 490
    near = Neighbourhood(["//a:lib", "//a:lob", "//b:other"])
    assert near.others_as_near("//a:lab", "//a:lib")
    assert not near.others_as_near("//b:othe", "//b:other")
