"""``--assume NAME=true``: what a person takes as given where a fact is missing. Texts -> ``Assumptions``.

Rules
- A name is that of a macro or function whose value is unknown (``if_cuda``), or the label of a setting that nobody can
  decide (``@local_config_cuda//cuda:using_nvcc``).
- What is known stays as it is: an assumption decides only what would be unknown without it.
- A call that is assumed true adds all that its arguments name; one that is assumed false adds nothing.
- Which assumptions decided something is remembered, and what was unknown all the same.

>>> assumed = read_assumptions(["if_cuda=true"], lambda text: Label("", "", text))
>>> assumed.of_value("if_cuda(...)").why, assumed.of_value("if_rocm(...)")
('if_cuda(...) is assumed true (--assume)', None)
>>> [str(each) for each in assumed.used], sorted(assumed.unknown)
(['if_cuda=true'], ['if_rocm'])
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from bzlgraph.base.diagnostic import Diagnostic
from bzlgraph.base.errors import UsageProblem
from bzlgraph.base.label import Label, LabelError
from bzlgraph.config.verdict import Comparison, Truth, Verdict, truth_of

OPTION = "--assume"
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_HOLDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_FORM = f"{OPTION} takes NAME=true or NAME=false: {OPTION}=if_cuda=true, {OPTION}=@repo//pkg:setting=false"


@dataclass(frozen=True, slots=True)
class Assumption:
    """``name``: as typed; ``label``: that of a setting, None for a macro or function."""

    name: str
    holds: bool
    label: Label | None = None

    def __str__(self) -> str:
        return f"{self.name}={str(self.holds).lower()}"


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is taken as given. Equal by what is assumed, not by what was met.

    ``used``: assumption -> what it decided, in words; ``unknown``: names and labels of what stayed unknown; ``known``:
    labels of settings that are known, though something is assumed of them -> what is known.
    """

    listed: tuple[Assumption, ...] = ()
    used: dict[Assumption, dict[str, None]] = field(default_factory=dict, compare=False, repr=False)
    unknown: set[str] = field(default_factory=set, compare=False, repr=False)
    known: dict[Label, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def words(self) -> str:
        """The options, as one would type them."""
        return " ".join(f"{OPTION}={each}" for each in self.listed)

    def of_value(self, text: str) -> Verdict | None:
        """What is assumed of an unknown value, which is written like ``if_cuda(...)``; None when nothing is."""
        name = _NAME.match(text)
        return self._of(name.group() if name else text, text)

    def of_setting(self, label: Label, found: Verdict) -> Verdict:
        """The verdict on a setting: as found, or what is assumed where that is unknown."""
        if found.truth is Truth.UNKNOWN:
            return self._of(label, str(label)) or found
        if any(each.label == label for each in self.listed):
            self.known[label] = f"{found.truth.value}: {found.why}" if found.why else found.truth.value
        return found

    def _of(self, name: str | Label, text: str) -> Verdict | None:
        """The last one counts, as with other options."""
        for each in reversed(self.listed):
            if name == (each.label or each.name):
                self.used.setdefault(each, {})[text] = None
                truth, words = truth_of(each.holds), f"{text} is assumed {str(each.holds).lower()} ({OPTION})"
                return Verdict(truth, (Comparison("", "", None, truth, missing=words),), each.label)
        self.unknown.add(str(name))
        return None


NOTHING = Assumptions()


def read_assumptions(texts: Iterable[str], label: Callable[[str], Label]) -> Assumptions:
    """What ``NAME=true`` or ``NAME=false`` say; ``label`` reads one as typed. Raises UsageProblem for other forms."""
    return Assumptions(tuple(_read(text, label) for text in texts))


def _read(text: str, label: Callable[[str], Label]) -> Assumption:
    name, _, value = text.rpartition("=")
    holds = _HOLDS.get(value.lower())
    if not name or holds is None:
        raise UsageProblem(Diagnostic(f"{OPTION}={text}: expected NAME=true or NAME=false", hint=_FORM))
    if _NAME.fullmatch(name):
        return Assumption(name, holds)
    try:
        return Assumption(name, holds, label(name))
    except LabelError as error:
        raise UsageProblem(Diagnostic(f"{OPTION}={text}: {error}", hint=_FORM)) from None
