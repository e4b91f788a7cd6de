"""What is asked of a tree: one target high up, one low down, and where they are looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import synthetic
from benchmarks.rivals import Question

EXAMPLE = Path(__file__).parent.parent / "examples" / "mini_tensorflow"
EVERYTHING = Question("`//...`", "//...")


@dataclass(frozen=True, slots=True)
class Ends:
    """Two targets, the second a dependency of the first, and a universe; ``others`` are more targets between them."""

    top: str
    low: str
    universe: str
    others: tuple[str, ...]

    def deps(self) -> Question:
        """All that the target high up needs."""
        return Question(f"`deps({_short(self.top)})`", f"deps({self.top})")

    def questions(self) -> list[Question]:
        """One of each kind."""
        path = f"somepath({self.top}, {self.low})"
        return [
            Question("one label", self.low),
            self.deps(),
            Question(f"`rdeps({self.universe}, X)`", f"rdeps({self.universe}, {self.low})"),
            Question("`kind(cc_library, //...)`", "kind(cc_library, //...)"),
            Question("`somepath`", path),
            Question("`why`, against `somepath`", path, ("why", self.low, "--from", self.top)),
            Question("`select X`, against `--output=proto`", self.low, ("select", self.low), ("--output=proto",)),
        ]

    def session(self) -> Iterator[Question]:
        """Twenty questions that differ, as somebody asks who explores."""
        for each in self.others[:5]:
            for text in (
                each,
                f"deps({each}, 2)",
                f"rdeps({self.universe}, {each}, 1)",
                f"somepath({self.top}, {each})",
            ):
                yield Question(text, text)


_CORE = ("framework", "framework_internal", "core_cpu", "lib", "graph")
_TENSORFLOW = Ends(
    "//tensorflow/tools/pip_package:build_pip_package",
    "//tensorflow/core:lib",
    "//tensorflow/core/...",
    tuple(f"//tensorflow/core:{name}" for name in _CORE),
)


def ends_in(tree: Path) -> Ends | None:
    """What to ask of TensorFlow, of the example and of synthetic trees; None of others: everything, no more."""
    packages = synthetic.packages_in(tree)
    if packages:
        return _synthetic(packages)
    if tree == EXAMPLE:
        return replace(_TENSORFLOW, others=(_TENSORFLOW.low, _TENSORFLOW.top))
    return _TENSORFLOW if (tree / "tensorflow/tools/pip_package").is_dir() else None


def _synthetic(packages: int) -> Ends:
    names: Sequence[str] = [synthetic.name_of(packages * part // 8) for part in range(1, 6)]
    low, top = synthetic.name_of(packages // 20), synthetic.name_of(packages - 1)
    return Ends(f"//{top}:c9", f"//{low}:c0", "//...", tuple(f"//{name}:c5" for name in names))


def _short(label: str) -> str:
    return "pip package" if label == _TENSORFLOW.top else "X"
