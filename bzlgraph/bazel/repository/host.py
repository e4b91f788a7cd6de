"""The nominal host: the machine that repository rules believe to run on, and what little its programs answer.

No program is ever run and the environment is never read. ``facts/nominal_host.json`` tells what is safe to answer in
their place; every answer taken from there is an assumption, which ``bzlgraph doctor`` lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from bzlgraph.facts.versioned import table


class _System(TypedDict):
    name: str
    programs: dict[str, str]
    fields: dict[str, str]


class _Command(TypedDict):
    arguments: list[str]
    stdout: str


_QUIET = ("-s", "--silent", "--quiet", "-N", "--forward", "-f", "--force", "-t", "--batch", "--binary")
"""Options of ``patch`` that change nothing about a diff that fits."""


@dataclass(frozen=True, slots=True)
class NominalHost:
    """A machine by its operating system (``--host_os``) and processor (``--host_arch``)."""

    os: str = "linux"
    arch: str = "x86_64"

    @property
    def _system(self) -> _System:
        systems: Mapping[str, _System] = table("nominal_host")["systems"]
        return systems.get(self.os, {"name": self.os, "programs": {}, "fields": {}})

    @property
    def os_name(self) -> str:
        """What ``repository_os.name`` says.

        >>> NominalHost("macos", "aarch64").os_name
        'mac os x'
        """
        return self._system["name"]

    @property
    def constraints(self) -> list[str]:
        """The constraint_values that Bazel finds for the machine: none for what it does not know.

        >>> NominalHost().constraints
        ['@platforms//cpu:x86_64', '@platforms//os:linux']
        """
        known: Mapping[str, Mapping[str, str]] = table("nominal_host")["constraints"]
        found = {"cpu": known["cpu"].get(self.arch), "os": known["os"].get(self.os)}
        return [f"@platforms//{setting}:{value}" for setting, value in found.items() if value is not None]

    @property
    def os_arch(self) -> str:
        """What ``repository_os.arch`` says: Java's name of the processor.

        >>> NominalHost().os_arch
        'amd64'
        """
        names: Mapping[str, str] = table("nominal_host")["java_arch"]
        return names.get(self.arch, self.arch)

    def program(self, name: str) -> str | None:
        """Where a program is, None when that is unknown.

        >>> NominalHost().program("bash"), NominalHost().program("nvcc")
        ('/bin/bash', None)
        """
        return self._system["programs"].get(name)

    def only_reads(self, arguments: Sequence[str]) -> bool:
        """Whether a command is one that leaves no files in the repository.

        >>> NominalHost().only_reads(["/usr/bin/gcc", "-v"]), NominalHost().only_reads(["patch", "-p1"])
        (True, False)
        """
        reading: list[str] = table("nominal_host")["reading_programs"]
        return bool(arguments) and arguments[0].rpartition("/")[2] in reading and "-o" not in arguments

    def overlay_script(self, arguments: Sequence[str]) -> tuple[str, str, str] | None:
        """(source, overlay, target) of a command that links all of two folders into a third; None for another command.

        >>> command = ["python3", "/x/overlay_directories.py", "--src", "a", "--overlay", "b", "--target", "."]
        >>> NominalHost().overlay_script(command)
        ('a', 'b', '.')
        """
        scripts: Mapping[str, list[str]] = table("nominal_host")["overlay_scripts"]
        names = scripts.get(arguments[1].rpartition("/")[2]) if len(arguments) > 1 else None
        flags = dict(zip(arguments[2::2], arguments[3::2], strict=False))
        if names is None or flags.keys() != set(names):
            return None
        source, overlay, target = (flags[name] for name in names)
        return source, overlay, target

    def patch_command(self, arguments: Sequence[str]) -> tuple[int, str, str] | None:
        """(folders to strip, folder, diff) of a command that applies a diff; None for another, or with other options.

        >>> NominalHost().patch_command(["patch", "-p1", "-d", "/r", "-i", "/x.patch"])
        (1, '/r', '/x.patch')
        >>> NominalHost().patch_command(["patch", "--dry-run", "-i", "/x.patch"])
        """
        if not arguments or arguments[0].rpartition("/")[2] != "patch":
            return None
        rest = list(arguments[1:])
        strip = [int(each[2:]) for each in rest if each.startswith("-p") and each[2:].isdecimal()]
        others = [each for each in rest if not (each.startswith("-p") and each[2:].isdecimal()) and each not in _QUIET]
        flags = dict(zip(others[::2], others[1::2], strict=False))
        if len(strip) != 1 or len(others) % 2 or "-i" not in flags or not flags.keys() <= {"-i", "-d"}:
            return None
        return strip[0], flags.get("-d", "."), flags["-i"]

    def output(self, arguments: Sequence[str]) -> str | None:
        """What a command prints, None when that is unknown.

        >>> NominalHost().output(["uname", "-s"]), NominalHost().output(["gcc", "-v"])
        ('Linux\\n', None)
        """
        commands: list[_Command] = table("nominal_host")["commands"]
        program, *rest = arguments or [""]
        system = self._system
        name = program.rpartition("/")[2]
        if program not in (name, system["programs"].get(name)):
            return None
        if name == "which" and len(rest) == 1:
            found = system["programs"].get(rest[0])
            return f"{found}\n" if found is not None else None
        found = next((each["stdout"] for each in commands if each["arguments"] == [name, *rest]), None)
        fields = {**system["fields"], "arch": self.arch}
        try:
            return found.format_map(fields) if found is not None else None
        except KeyError:
            return None
