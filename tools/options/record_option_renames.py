"""Makes ``bzlgraph/facts/option_renames.json``: the old names that Bazel still takes, ``{old: [new, ...]}``.

    python tools/options/record_option_renames.py 4.2.3='bazel-4 --output_user_root=/tmp/b' ...

No help text names them. Asked are names that another version has, or had before our oldest one, and the names of
today with another prefix (``experimental_``, ``incompatible_`` or none): ``bazel canonicalize-flags`` answers with the
name that counts. What the file has already stays.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from bzlgraph.facts.options import OptionTable, options_for
from tools.table_text import table_text

OUTPUT = Path(__file__).parents[2] / "bzlgraph/facts/option_renames.json"
BEFORE_OUR_TIME = (
    "auth_credentials", "auth_enabled", "auth_scope", "experimental_build_event_binary_file",
    "experimental_build_event_text_file", "experimental_host_platform", "experimental_java_header_compilation",
    "experimental_platforms", "experimental_repository_cache", "experimental_extra_toolchains",
    "experimental_extra_execution_platforms", "experimental_remote_download_outputs", "local_test_jobs",
    "remote_rest_cache",
)  # fmt: skip
VALUES = ("1", "off", "all", "a=b", "1s", "1s:2")
PREFIXES = ("experimental_", "incompatible_", "")


def main() -> None:
    """Ask every Bazel of the command line and add to the file."""
    found: dict[str, set[str]] = {}
    if OUTPUT.exists():
        found = {old: set(names) for old, names in json.loads(OUTPUT.read_bytes()).items()}
    for argument in sys.argv[1:]:
        version, _, command = argument.partition("=")
        table = options_for(version)
        with tempfile.TemporaryDirectory(prefix="bzlgraph-renames-") as folder:
            Path(folder, "WORKSPACE").touch()
            more = ["--noenable_bzlmod"] if "enable_bzlmod" in table.options and version >= "6" else []
            ask = [*shlex.split(command), "canonicalize-flags", *more, "--for_command=build", "--"]
            for old in candidates(table):
                new = _counts(ask, folder, old)
                if new and new != old:
                    found.setdefault(old, set()).add(new)
        print(f"{version}: {len(found)} names", file=sys.stderr)
    OUTPUT.write_text(table_text({old: sorted(found[old]) for old in sorted(found)}), encoding="utf-8")


def candidates(table: OptionTable) -> list[str]:
    """Names that this Bazel may know though its help does not."""
    foreign = [name for name, fact in table.options.items() if fact.foreign and "build" in fact.commands]
    own = {name: fact for name, fact in table.options.items() if not fact.foreign and "build" in fact.commands}
    # Of an expansion Bazel names what it stands for.
    told = [name for name, fact in own.items() if fact.kind != "expansion"]
    plain = {name.removeprefix(PREFIXES[0]).removeprefix(PREFIXES[1]) for name in told}
    respelled = sorted(prefix + name for prefix in PREFIXES for name in plain)
    return list(dict.fromkeys([*foreign, *(each for each in (*BEFORE_OUR_TIME, *respelled) if each not in own)]))


def _counts(ask: list[str], folder: str, old: str) -> str:
    """The name that Bazel makes of an old one; "" when it knows neither."""
    for value in VALUES:
        done = subprocess.run([*ask, f"--{old}={value}"], cwd=folder, capture_output=True, check=False, text=True)
        answer = re.findall(r"^--(\w+)=", done.stdout, re.M)
        if answer:
            name = str(answer[-1])
            return name if name in options_for().options else name.removeprefix("no")
        if "Unrecognized option" in done.stderr:
            return ""
    return ""


if __name__ == "__main__":
    main()
