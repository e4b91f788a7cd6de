"""The built script is that of the sources in web/, and tells whose code it holds."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WEB, BUILT = ROOT / "web", ROOT / "bzlgraph" / "export" / "explorer" / "built"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here: the script cannot be built anew")
def test_the_sources_give_the_built_files(tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json", "build.mjs", "tsconfig.json"):
        shutil.copy(WEB / name, tmp_path)
    shutil.copytree(WEB / "src", tmp_path / "src")
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "check"], ["node", "build.mjs", "out"]):
        done = subprocess.run(command, cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False)
        if command[1] == "ci" and done.returncode:
            pytest.skip("npm's registry is not reached")
        assert done.returncode == 0, done.stdout + done.stderr
    for name in ("explorer.js", "explorer.css", "LICENSES.txt"):
        assert (tmp_path / "out" / name).read_bytes() == (BUILT / name).read_bytes(), "stale: make web"


def test_all_code_of_others_has_its_licence() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    shipped = {path.removeprefix("node_modules/") for path, facts in packages.items() if path and not facts.get("dev")}
    told = set(re.findall(r"^(\S+) \d+\.\d+\.\d+ \(", (BUILT / "LICENSES.txt").read_text(), flags=re.MULTILINE))
    assert told
    assert told <= shipped


def test_texts_of_a_checkout_never_become_markup() -> None:
    sources = "".join(path.read_text() for path in (WEB / "src").glob("*.ts"))
    assert re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", sources) == []
