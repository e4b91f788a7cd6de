"""Typos -> what the command line answers to each, and whether it names what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from click.testing import CliRunner

from bzlgraph.cli.main import main
from tests.typos.mutate import Neighbourhood, typo
from tests.typos.names import Kind

_MEANT = re.compile(r"did you mean (.+?)\?", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """One typo and its answer. ``place``: of the right name among those suggested, from 1; 0 where it is not there.

    ``clear``: no other real name is as near to what was typed.
    """

    kind: str
    meant: str
    typed: str
    words: tuple[str, ...]
    code: int
    place: int
    clear: bool
    said: str

    @property
    def is_refused(self) -> bool:
        """Whether it ended as a name that does not exist ends: with 2 or 7, and words for people."""
        return self.code in (2, 7) and "Traceback" not in self.said


def judged(tree: Path, kinds: Sequence[Kind], count: int, seed: int, options: Sequence[str] = ()) -> Iterator[Verdict]:
    """``count`` typos, the same of each seed, taken from the kinds in turn."""
    random = Random(seed)
    near = {kind.name: Neighbourhood(kind.names) for kind in kinds}
    for number in range(count):
        kind = kinds[number % len(kinds)]
        meant = typed = random.choice(kind.names)
        while kind.is_real(typed):
            typed = typo(meant, random)
        words = random.choice(kind.lines)(typed)
        code, said = _run([*options, "-C", str(tree), *words])
        found = _MEANT.search(said)
        names = re.split(r", | or ", found[1].replace("`", "")) if found else []
        names = [re.sub(r"^'|'$|/\.\.\.$|:all$", "", each) for each in names] if kind.name != "targets" else names
        names = [each.removeprefix("--config=") if kind.name == "configs" else each for each in names]
        place = names.index(meant) + 1 if meant in names else 0
        clear = not near[kind.name].others_as_near(typed, meant)
        yield Verdict(kind.name, meant, typed, tuple(words), code, place, clear, said)


def _run(words: Sequence[str]) -> tuple[int, str]:
    with CliRunner().isolation() as (_out, err, _mixed):
        try:
            main(list(words))
        except SystemExit as stop:
            code = stop.code
        return (code if isinstance(code, int) else 0), err.getvalue().decode()
