"""flags/configure: scripts in cases/ with the rows that they come to; all questions of real trees, if they are here."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from bzlgraph.flags.configure.questions import configure
from bzlgraph.flags.rows import CONFIGURE_COLUMNS, Configure, ConfigureRow
from bzlgraph.workspace.sources.source import DiskSource, MemorySource

CASES = sorted((Path(__file__).parent / "cases").glob("*.case"))
RULE = "# " + "-" * 66 + " rows\n"


def read(text: str, name: str = "configure.py") -> Configure:
    return configure(MemorySource({name: text.encode()}))


def shown(row: ConfigureRow) -> str:
    yes, no = "; ".join(row.writes_if_yes), "; ".join(row.writes_if_no)
    asked = f" | asked={row.asked_if}" if row.asked_if else ""
    return f"{row.variable} | {row.question} | yes={yes} | no={no} | default={row.default} | line={row.line}{asked}"


def lines(found: Configure) -> list[str]:
    always = [f"# always {each.text}{f' if {each.condition}' if each.condition else ''}" for each in found.always]
    return [*map(shown, found.rows), *always]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_case(case: Path) -> None:
    script, expected = case.read_text(encoding="utf-8").split(RULE)
    assert lines(read(script)) == expected.splitlines()


def test_no_script_and_a_script_that_writes_no_rc_file() -> None:
    assert read("x = input('?')").files == ()
    assert configure(MemorySource({})).rows == ()


def test_a_script_that_is_no_python_is_a_gap() -> None:
    found = read("x = 1\nif x 'bazelrc'\n")
    assert found.rows == ()
    (gap,) = found.gaps
    assert (gap.what, str(gap.location)) == ("configure.py", "configure.py:2")
    assert gap.hides.startswith("its questions: not Python (")


def test_a_script_that_cannot_be_read_is_a_gap(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "configure.py").write_text("open('.bazelrc', 'w')\n")
    (tmp_path / "tree/configure.py").symlink_to(tmp_path / "configure.py")
    found = configure(DiskSource(tmp_path / "tree", reach=()))
    assert [gap.what for gap in found.gaps] == ["configure.py"]
    assert "outside the checkout" in found.gaps[0].hides


def test_a_script_of_python_2_is_read() -> None:
    found = read("import os\nprint 'Hello'\nopen('.bazelrc', 'w').write(os.environ['TF_NEED_X'] + '\\n')\n")
    assert (found.gaps, [row.variable for row in found.rows]) == ((), ["TF_NEED_X"])


@pytest.mark.parametrize(
    "script",
    [
        "x = '%0999999999d' % 1  # bazelrc",
        "x = 'a' * 10 ** 10  # bazelrc",
        "x = 'a'.ljust(10 ** 10)  # bazelrc",
        "x = ['a']\nwhile True:\n  x += x  # bazelrc",
        "def f(): f(); f()\nf()  # bazelrc",
        "x = 1 << 10 ** 9  # bazelrc",
        "x = (lambda: 0)\nfor i in range(10 ** 12): x = lambda: x()\nx()  # bazelrc",
        "import os\nos.environ[1:2] = {**{}, 'a': [*x]}\ndel os\nassert 0, 'bazelrc'\nclass A: pass",
    ],
)
def test_hostile_scripts_cost_little(script: str) -> None:
    assert read(script).rows == ()


@pytest.mark.parametrize(
    "deep", ["(" * 3000 + ")" * 3000, "-" * 20_000 + "1", "a" + ".b" * 20_000, "1" + "+1" * 20_000]
)
def test_deep_nesting_is_a_gap_at_most(deep: str) -> None:
    assert read(f"x = {deep}  # bazelrc").rows == ()


def test_what_python_thinks_of_escapes_is_not_told() -> None:
    assert read("x = '\\d'  # bazelrc").gaps == ()


def test_cells_are_those_of_the_columns() -> None:
    script, _ = CASES[0].read_text(encoding="utf-8").split(RULE)
    assert all(len(row.cells()) == len(CONFIGURE_COLUMNS) for row in read(script).rows)


TREES = [Path(os.environ.get("BZLGRAPH_TREES", "")) / name for name in ("tf18", "tf112", "tf114", "tf20", "tf212")]
ASKING = re.compile(
    r"\b(set_build_var|set_action_env_var|get_var|get_from_env_or_user_or_default|prompt_loop_or_load_from_env)"
    r"\(\s*environ_cp,\s*(?:var_name=)?'(\w+)'"
)


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_tensorflow_asks_what_a_search_of_its_text_finds(tree: Path) -> None:
    if not (tree / "configure.py").is_file():
        pytest.skip(f"{tree.name}: BZLGRAPH_TREES is no folder of TensorFlow trees")
    calls = ASKING.findall((tree / "configure.py").read_text(encoding="utf-8"))
    rows = {row.variable: row for row in configure(DiskSource(tree)).rows if row.question}
    assert {name for _, name in calls} - set(rows) == set()
    for function, name in calls:
        if function == "set_build_var":
            assert any("--define" in line for line in rows[name].writes_if_yes), name
            assert rows[name].default in ("yes", "no"), name
