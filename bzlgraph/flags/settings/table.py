"""What is known of settings, as data: a row for each, and the branches that they choose, as columns.

Macros give one ``select()`` to thousands of targets. What a branch adds is there once (``Chosen``), the branches are
rows of four numbers (``UseTable``), and a setting has the numbers of its own (``Uses``).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bzlgraph.base.gap import Gap
from bzlgraph.base.label import Label
from bzlgraph.base.span import Location, place_text
from bzlgraph.flags.mentions import Mention
from bzlgraph.flags.rows import rows_naming

COLUMNS = tuple("label kind reads default selects branches adds through targets places location".split())


class Chosen(NamedTuple):
    """What a condition of a select chooses, whatever target has the select: ``adds`` are the dependencies that this
    branch has and the default branch has not (where there is no default: that no other branch has); ``sets`` the same
    for what is no dependency (copts, defines, ...)."""

    location: Location | None
    adds: tuple[Label, ...]
    sets: tuple[str, ...]


class Use(NamedTuple):
    """One branch of a select of a target. ``part`` numbers the selects of an attribute, from 1."""

    target: Label
    attribute: str
    part: int
    location: Location | None
    adds: tuple[Label, ...]
    sets: tuple[str, ...]

    @property
    def select(self) -> tuple[Label, str, int]:
        """What tells its select from all others."""
        return self[:3]


def _numbers() -> array[int]:
    return array("i")


@dataclass(slots=True)
class UseTable:
    """Branches by number: target and attribute of the select, which one of the attribute, what is chosen."""

    targets: Sequence[Label] = ()
    attributes: Sequence[str] = ()
    chosen: Sequence[Chosen] = ()
    target_of: array[int] = field(default_factory=_numbers)
    attribute_of: array[int] = field(default_factory=_numbers)
    part_of: array[int] = field(default_factory=_numbers)
    chosen_of: array[int] = field(default_factory=_numbers)

    def __getitem__(self, number: int) -> Use:
        target, attribute = self.targets[self.target_of[number]], self.attributes[self.attribute_of[number]]
        return Use(target, attribute, self.part_of[number], *self.chosen[self.chosen_of[number]])

    def __len__(self) -> int:
        return len(self.target_of)

    def select_of(self, number: int) -> tuple[int, int, int]:
        """What tells the select of a branch from all others."""
        return self.target_of[number], self.attribute_of[number], self.part_of[number]


class Uses(Sequence[Use]):
    """Some branches of a table, each made when it is looked at."""

    __slots__ = ("numbers", "table")

    def __init__(self, table: UseTable, numbers: Iterable[int] = ()) -> None:
        self.table = table
        self.numbers = array("i", numbers)

    def __getitem__(self, at: int) -> Use:  # type: ignore[override]  # nobody takes slices of it
        return self.table[self.numbers[at]]

    def __iter__(self) -> Iterator[Use]:
        return map(self.table.__getitem__, self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    # A setting has hundreds of thousands in a large tree: what is counted is counted by number.
    def count_selects(self) -> int:
        """How many selects the branches belong to, as evaluated: once per rule."""
        return len(set(map(self.table.select_of, self.numbers)))

    def count_targets(self) -> int:
        """How many targets have these selects."""
        return len(set(map(self.table.target_of.__getitem__, self.numbers)))

    def places(self) -> dict[Location | None, int]:
        """The places in files where the selects are written, with the number of branches each stands for."""
        found: dict[Location | None, int] = {}
        for chosen, count in self._chosen():
            place = chosen.location._replace(column=0) if chosen.location is not None else None
            found[place] = found.get(place, 0) + count
        return found

    def adds(self) -> tuple[Label, ...]:
        """What the branches add, each label once."""
        return tuple(dict.fromkeys(label for chosen, _ in self._chosen() for label in chosen.adds))

    def _chosen(self) -> Iterator[tuple[Chosen, int]]:
        """What is chosen, in order, and how often."""
        counts = Counter(map(self.table.chosen_of.__getitem__, self.numbers))
        return ((self.table.chosen[number], count) for number, count in counts.items())


def each_once(several: Sequence[Uses]) -> Uses:
    """The branches of several that are of one table, in their order."""
    numbers = dict.fromkeys(number for each in several for number in each.numbers)
    return Uses(several[0].table if several else UseTable(), numbers)


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting. ``direct`` and ``through`` are the branches that it chooses, by its own name and by others."""

    label: Label
    kind: str
    reads: tuple[str, ...]
    default: str
    location: Location | None
    direct: Uses
    through: Uses
    behind: tuple[Label, ...] = ()
    mentions: tuple[Mention, ...] = ()

    @property
    def uses(self) -> Uses:
        """All branches."""
        return Uses(self.direct.table, self.direct.numbers + self.through.numbers)

    @property
    def adds(self) -> tuple[Label, ...]:
        """What the branches add, each label once."""
        return self.uses.adds()

    def cells(self) -> tuple[object, ...]:
        """The cells of ``COLUMNS``."""
        uses = self.uses
        return (
            str(self.label), self.kind, ", ".join(self.reads), self.default, uses.count_selects(), len(uses),
            " ".join(map(str, uses.adds())), self.through.count_selects(), uses.count_targets(),
            len(uses.places()), place_text(self.location),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SettingsAnswer:
    """The rows by label, the calls that decide like settings but cannot be evaluated, and the gaps. ``table`` has the
    branches of all; ``platforms`` are those whose constraint values are known, and nothing else is with them."""

    rows: tuple[SettingRow, ...] = ()
    calls: dict[str, Uses] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    table: UseTable = field(default_factory=UseTable)
    platforms: tuple[Label, ...] = ()


def settings_naming(name: str, rows: Sequence[SettingRow]) -> list[SettingRow]:
    """The settings that have a name in what they are called, are, or read. Raises LoadProblem for a name of none."""
    return rows_naming(name, rows, lambda row: (row.label, row.kind, *row.reads))
