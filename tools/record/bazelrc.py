"""Records what real Bazel makes of the rc files in ``tests/config/rc``: the expected answers of its tests.

    python tools/record/bazelrc.py 0.19.1='bazel-0.19.1 --output_user_root=/tmp/b' 4.2.3='bazel-4 ...' ...

Each line of a case's ``commands.txt`` (options, or ``test`` and options) is given to ``bazel build --nobuild`` with no
target in a copy of the case. The build event protocol's canonical command line lists the options in force, in order:
``expected-VERSION.json`` maps the line to ``{option: [values]}`` without those that the client adds, or to the error.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = Path(__file__).parent.parent / "tests/config/rc"
OF_CLIENT = re.compile(
    r"isatty|is_stderr_atty|terminal_columns|rc_source|default_override|client_.*|startup_time|restart_reason|"
    r"binary_path|extract_data_time|command_wait_time|build|show_progress|build_event_json_file|ignore_client_env|"
    r"announce_rc|build_request_id|invocation_id|enable_bzlmod"
)
SWITCHES = ("--noshow_progress", "--build_event_json_file=events.json")


def main() -> None:
    """Record every case with every Bazel of the command line."""
    for argument in sys.argv[1:]:
        version, _, command = argument.partition("=")
        with tempfile.TemporaryDirectory(prefix="bzlgraph-rc-") as folder:
            _record(shlex.split(command), version, Path(folder))


def _record(bazel: list[str], version: str, folder: Path) -> None:
    """All cases in one folder, one after another: one Bazel server serves them."""
    for case in sorted(each for each in CASES.iterdir() if each.is_dir()):
        for old in folder.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        shutil.copytree(case, folder, dirs_exist_ok=True)
        for name in ("WORKSPACE", "MODULE.bazel", "BUILD"):
            (folder / name).touch()
        lines = (case / "commands.txt").read_text().splitlines()
        answers = {line: _ask(bazel, version, folder, line) for line in lines}
        text = json.dumps(answers, indent=1, ensure_ascii=False)
        (case / f"expected-{version}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{version} {case.name}: {len(answers)}", file=sys.stderr)
    subprocess.run([*bazel, "shutdown"], cwd=folder, capture_output=True, check=False)


def _ask(bazel: list[str], version: str, folder: Path, line: str) -> dict[str, list[str]] | str:
    command, words = "build", shlex.split(line)
    if words[:1] == ["test"]:
        command, words = "test", words[1:]
    events = folder / "events.json"
    events.unlink(missing_ok=True)
    more = ["--noenable_bzlmod"] if version.startswith("7") else []
    done = subprocess.run(
        [*bazel, command, "--nobuild", *SWITCHES, *more, *words], cwd=folder, capture_output=True, check=False
    )
    said = done.stderr.decode("utf-8", "replace")
    error = re.search(r"^ERROR: (.*)$", said, re.M)
    found = _canonical(events) if events.exists() else None
    if found is None:
        return f"error: {error[1] if error else said}".replace(str(folder.resolve()), "%workspace%")
    return found


def _canonical(events: Path) -> dict[str, list[str]] | None:
    for line in events.read_text().splitlines():
        report = json.loads(line).get("structuredCommandLine")
        if not report or report["commandLineLabel"] != "canonical":
            continue
        options: dict[str, list[str]] = {}
        for section in report["sections"]:
            if section["sectionLabel"] != "command options":
                continue
            for each in section.get("optionList", {}).get("option", []):
                if not OF_CLIENT.fullmatch(each["optionName"]):
                    options.setdefault(each["optionName"], []).append(each.get("optionValue", ""))
        return options
    return None


if __name__ == "__main__":
    main()
