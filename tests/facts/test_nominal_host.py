"""docs/repository_rules.md has the tables of the nominal host as the facts have them."""

from pathlib import Path

from bzlgraph.bazel.repository.host import NominalHost
from bzlgraph.facts.versioned import table

PAGE = Path(__file__).parents[2] / "docs" / "repository_rules.md"


def rows(heading: str) -> list[list[str]]:
    """The rows of the table below a line."""
    lines = PAGE.read_text(encoding="utf-8").partition(f"\n{heading}")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


def test_programs():
    hosts = NominalHost("linux"), NominalHost("macos")
    names = {name for system in table("nominal_host")["systems"].values() for name in system["programs"]}
    assert rows("| program |") == [[name, *(host.program(name) or "" for host in hosts)] for name in sorted(names)]


def test_commands():
    commands = [each["arguments"] for each in table("nominal_host")["commands"]]
    told = {" ".join(each): NominalHost().output(each) for each in commands}
    assert {command: f"{printed}\n" for command, printed in rows("| command |")} == told


def test_which_is_a_command_too():
    assert NominalHost().output(["which", "bash"]) == "/bin/bash\n"
    assert NominalHost().output(["which", "nvcc"]) is None


def test_a_compiler_that_writes_does_not_only_read():
    assert NominalHost().only_reads(["gcc", "-v"])
    assert not NominalHost().only_reads(["gcc", "-o", "a.out", "a.c"])
