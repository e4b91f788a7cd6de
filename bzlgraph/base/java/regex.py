"""Regular expressions as Bazel reads them: Java's, searched anywhere in the text -> a function of a text.

The pattern is read once, as ``java.util.regex.Pattern`` of Java 9 to 21 reads it, and written again for Python's
engine, which would refuse some of it and silently take other things for something else: sets in sets
(``[a-z&&[^b]]``), ``\\d``, ``\\w`` and ``(?i)`` for ASCII only, more ends of lines, flags in the middle, names of
groups. What neither this nor Python's engine can do is refused: scripts and blocks (``\\p{IsLatin}``), ``\\X``,
a look-behind of no fixed length.

>>> bool(searcher(r"\\Qa.b\\E")("x a.b")), bool(searcher("core$")("//lib:core.cc"))
(True, False)
>>> bool(searcher("^[a-z&&[^bc]]+$")("ade")), bool(searcher("^[a-z&&[^bc]]+$")("abe"))
(True, False)

Language: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/regex/Pattern.html
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bzlgraph.base.java.classes import ENDS, INSIDE, inside_of_class

_LONG = 1 << 14
"""The length from which on a text is searched place by place. Inside of one search Python looks for a signal every
4,096 steps only, and each may go through the whole text: in 1 MB a limit of 3 s was noticed after 8 s."""

_DOTS = {"": f"[^{ENDS}]", "d": r"[^\n]", "s": r"[\s\S]"}
_ENDINGS = {"": r"(?=(?:\r\n|(?<!\r)\n|[\r\x85\u2028\u2029])?\Z)", "d": r"(?=\n?\Z)"}
_LINE_STARTS = {"": r"(?!\Z)(?:\A|(?<=[\n\x85\u2028\u2029])|(?<=\r)(?!\n))", "d": r"(?!\Z)(?:\A|(?<=\n))"}
_LINE_ENDINGS = {"": r"(?=\Z|(?<!\r)\n|[\r\x85\u2028\u2029])", "d": r"(?=\Z|\n)"}
"""``.``, ``$`` and ``\\Z``, ``(?m)^`` and ``(?m)$``, by the flag ``d`` (only \\n ends a line) or ``s``."""

_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "a": "\x07", "e": "\x1b"}
_HEXADECIMAL = re.compile(r"x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})")
_OCTAL = re.compile(r"0([0-3]?[0-7]{1,2})")
_PROPERTY = re.compile(r"[pP](?:\{([^}]*)\}|(.))", re.DOTALL)
_COUNTED = re.compile(r"\{(\d+)(,?)(\d*)\}")
_NAME = re.compile(r"<([A-Za-z][A-Za-z0-9]*)>")
_FLAGS = re.compile(r"([dimsux]*)(?:-([dimsux]*))?([:)])")
_MAX_COUNT = 2**31 - 1


class PatternError(ValueError):
    """A text is not a valid regular expression."""


def searcher(pattern: str) -> Callable[[str], object]:
    """``search(text)``: truthy when the pattern is found anywhere. Raises PatternError when it is no pattern."""
    try:
        compiled = re.compile(_Pattern(_without_quotes(pattern)).translated(), re.ASCII)
    except (re.error, ValueError, OverflowError, RecursionError) as error:  # numbers of 5,000 digits, deep brackets
        said = getattr(error, "msg", None) or str(error)  # without the place, which is one in the pattern for Python
        raise PatternError(f"`{pattern}`: invalid regular expression: {said}") from None

    def search(text: str) -> object:
        if len(text) < _LONG:
            return compiled.search(text)
        return any(compiled.match(text, at) for at in range(len(text) + 1))

    return search


def _without_quotes(pattern: str) -> str:
    r"""``\Q.+\E`` -> ``\.\+``"""
    pieces = re.split(r"\\Q(.*?)(?:\\E|\Z)|(\\.)", pattern, flags=re.DOTALL)
    for at in range(1, len(pieces), 3):
        quoted, escape = pieces[at : at + 2]
        pieces[at], pieces[at + 1] = "".join(map(_literal_in_java, quoted or "")), escape or ""
    return "".join(pieces)


def _literal_in_java(char: str) -> str:
    if char.isdigit() and char.isascii():
        return f"\\x{ord(char):02x}"  # behind an escape it must not be read as part of it
    return char if char.isalpha() or not char.isascii() else f"\\{char}"


class _Pattern:
    """Reads a pattern from left to right. ``at`` is the next character; ``flags`` those that hold there.

    A set is written as one character's worth of pattern: ``[...]``, alternatives of such, or one behind look-aheads.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.flags = frozenset[str]()
        self.written: list[str] = []
        self.around: list[tuple[frozenset[str], int]] = []
        """Of each group that is open: the flags outside of it, and its number, or 0."""
        self.closed: set[int] = set()
        self.groups = 0
        self.names: dict[str, int] = {}
        self.referred: dict[int, int] = {}
        """Where a group is referred to that is not closed: place in ``written`` -> its number."""

    def translated(self) -> str:
        """The whole pattern for Python's engine, with ``re.ASCII``. Raises ValueError."""
        while self._skip():
            self._atom(self.text[self.at])
        if self.around:
            raise ValueError("missing ), unterminated subpattern")
        for place, number in self.referred.items():
            if number <= self.groups:
                raise ValueError(f"\\{number} refers to a group that is not closed before it")
            self.written[place] = "(?!)"  # no such group: it never matches
        return "".join(self.written)

    def _skip(self) -> bool:
        """Goes to the next character that counts, past what ``(?x)`` ignores; whether there is one."""
        while "x" in self.flags and self.at < len(self.text):
            if self.text[self.at] == "#":
                end = re.compile(f"[{ENDS}]").search(self.text, self.at)
                self.at = end.start() if end else len(self.text)
            elif self.text[self.at] not in " \t\n\x0b\f\r":
                break
            else:
                self.at += 1
        return self.at < len(self.text)

    def _take(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def _atom(self, char: str) -> None:
        """One character, set, group or assertion, and how often."""
        if char in "*+?":
            raise ValueError("nothing to repeat")
        if char == "{":  # Java repeats the empty text then
            self._repeated()
            return
        lines = "d" if "d" in self.flags else ""
        if char == "\\":
            self.at += 1
            written = self._escape()
        elif char == "[":
            written = self._in_case(self._set())
        else:
            self.at += 1
            if char == "(":
                self._open()
                return
            if char == ")":
                written = self._close()
            elif char == "|":
                self.written.append("|")
                return
            elif char == ".":
                written = _DOTS["s" if "s" in self.flags else lines]
            elif char == "^":
                written = rf"(?:{_LINE_STARTS[lines]})" if "m" in self.flags else r"(?:\A)"
            elif char == "$":
                written = f"(?:{(_LINE_ENDINGS if 'm' in self.flags else _ENDINGS)[lines]})"
            else:
                written = self._in_case(re.escape(char))
        self.written += [written, self._repeated()]

    def _in_case(self, written: str) -> str:
        """A letter or a set, in both cases under ``(?i)``."""
        if "i" not in self.flags:
            return written
        return f"(?iu:{written})" if "u" in self.flags else f"(?i:{written})"

    def _repeated(self) -> str:
        """What repeats an atom: ``*``, ``{2,3}``, and ``?`` or ``+`` behind."""
        if not self._skip():
            return ""
        if self.text[self.at] == "{":
            counted = self._take(_COUNTED)
            if counted is None:
                raise ValueError("`{` is not a repetition such as {2,3}; write `\\{` for a literal `{`")
            least, _, most = counted.groups()
            if max(int(least), int(most or 0)) > _MAX_COUNT or int(most or least) < int(least):
                raise ValueError(f"`{counted.group()}` is not a valid range of repetitions")
            sign = counted.group()
        elif self.text[self.at] in "*+?":
            sign = self.text[self.at]
            self.at += 1
        else:
            return ""
        if self._skip() and self.text[self.at] in "?+":
            sign += self.text[self.at]
            self.at += 1
        return sign

    def _open(self) -> None:
        """Behind the ``(`` of a group, or of flags."""
        outside, number, opening = self.flags, 0, "("
        if not self.text.startswith("?", self.at):
            self.groups = number = self.groups + 1
        elif kind := self._take(re.compile(r"\?(?:[:=!>]|<[=!])")):
            opening += kind.group()
        elif named := self._take(re.compile(rf"\?{_NAME.pattern}")):
            if named[1] in self.names:
                raise ValueError(f"the group <{named[1]}> is defined twice")
            self.groups = number = self.names[named[1]] = self.groups + 1
        elif flags := self._take(re.compile(rf"\?{_FLAGS.pattern}")):
            self.flags = self.flags.union(flags[1]).difference(flags[2] or "")
            if flags[3] == ")":
                return
            opening += "?:"
        else:
            raise ValueError(f"unknown group or flag `({self.text[self.at : self.at + 2]}`")
        self.around.append((outside, number))
        self.written.append(opening)

    def _close(self) -> str:
        if not self.around:
            raise ValueError("unbalanced parenthesis")
        self.flags, number = self.around.pop()
        self.closed.add(number)
        return ")"

    def _escape(self) -> str:
        """Behind a backslash that is in no set."""
        if self.at == len(self.text):
            raise ValueError("bad escape (end of pattern)")
        char = self.text[self.at]
        if char in "123456789":
            return self._reference()
        if char == "k":
            self.at += 1
            named = self._take(_NAME)
            if named is None or named[1] not in self.names:
                raise ValueError("\\k refers to no group that is defined before it")
            return self._referring(self.names[named[1]])
        if char in "bBAGzZR":
            self.at += 1
            if char == "b" and self.text.startswith("{", self.at):
                raise ValueError("\\b{ is not known here")
            endings = _ENDINGS["d" if "d" in self.flags else ""]
            either = r"\r\n|[\n\x0b\f\r\x85\u2028\u2029]"
            return "(?:" + {"A": r"\A", "G": r"\A", "z": r"\Z", "Z": endings, "R": either}.get(char, f"\\{char}") + ")"
        within = self._class_of_escape()
        return self._in_case(within if within is not None else re.escape(self._character()))

    def _reference(self) -> str:
        """``\\1``: more digits belong to it only as long as there are so many groups."""
        number = int(self.text[self.at])
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            longer = 10 * number + int(self.text[self.at])
            if longer > self.groups:
                break
            number = longer
            self.at += 1
        return self._referring(number)

    def _referring(self, number: int) -> str:
        if number not in self.closed:
            self.referred[len(self.written)] = number
        return self._in_case(f"(?:\\{number})")

    def _class_of_escape(self) -> str | None:
        r"""Behind a backslash: ``d`` -> ``[0-9]``, ``p{Lu}``; None where it is a character."""
        char = self.text[self.at]
        if char.lower() in INSIDE:
            self.at += 1
            return f"[{'^' if char.isupper() else ''}{INSIDE[char.lower()]}]"
        if char not in "pP":
            return None
        found = self._take(_PROPERTY)
        if found is None:
            raise ValueError(f"\\{char} needs the name of a class: \\{char}{{Alpha}}")
        name = found[1] if found[1] is not None else found[2]
        inside = inside_of_class(name, in_braces=found[1] is not None)
        if inside is None:
            raise ValueError(f"\\{char}{{{name}}} is not a known character class")
        return f"[{'^' if char == 'P' else ''}{inside}]"

    def _character(self) -> str:
        """Behind a backslash: the character that is meant."""
        for expression, base in ((_HEXADECIMAL, 16), (_OCTAL, 8)):
            if found := self._take(expression):
                return chr(int(next(filter(None, found.groups())), base))
        char = self.text[self.at]
        self.at += 1
        if char == "c" and self.at < len(self.text):
            self.at += 1
            return chr(ord(self.text[self.at - 1]) ^ 64)
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char.isascii() and char.isalnum():
            raise ValueError(f"bad escape \\{char}")
        return char

    def _set(self) -> str:
        """A set with its brackets: ``[a-c[x-z]&&[^b]]``."""
        self.at += 1
        negated = self.text.startswith("^", self.at)
        self.at += negated
        within = self._members()
        self.at += 1
        return f"(?:(?!{within})[\\s\\S])" if negated else within

    def _members(self) -> str:
        """What is in a set, up to its ``]``: a union, and what it is narrowed to by ``&&``."""
        union: list[str] = []
        singles: list[str] = []
        narrowed: list[str] = []
        while True:
            if not self._skip():
                raise ValueError("unterminated character set")
            char = self.text[self.at]
            if char == "[" and not narrowed:
                union.append(self._set())
            elif self.text.startswith("&&", self.at):
                self.at += 2
                narrowed.append(self._narrower())
            elif char == "]" and (union or singles or narrowed):
                break
            elif narrowed:
                raise ValueError("only `&&` may follow the set after `&&`")
            else:
                one, is_class = self._member()
                (union if is_class else singles).append(one)
        if singles:
            union.append(f"[{''.join(singles)}]")
        if not union:
            union, narrowed = narrowed[:1], narrowed[1:]
        either = union[0] if len(union) == 1 else f"(?:{'|'.join(union)})"
        return f"(?:{''.join(f'(?={each})' for each in narrowed)}{either})" if narrowed else either

    def _narrower(self) -> str:
        """Behind ``&&``, up to the next one or the ``]``: sets beside each other count as their union.

        Java takes nothing there for one thing or another, by what came before, and forgets what a ``&`` came behind.
        """
        found: list[str] = []
        while self._skip() and self.text[self.at] not in "]&":
            found.append(self._set() if self.text[self.at] == "[" else self._members())
        if not self._skip():
            raise ValueError("unterminated character set")
        if not found:
            raise ValueError("`&&` needs a set after it")
        return f"(?:{'|'.join(found)})"

    def _member(self) -> tuple[str, bool]:
        """A character or a range, as the inside of a set; or a class, with its brackets, and True."""
        first = self._one()
        if first is None:
            within = self._class_of_escape()
            assert within is not None
            return within, True
        ahead = self.text[self.at + 1 : self.at + 2]
        if not (self._skip() and self.text[self.at] == "-") or ahead in ("]", "["):
            return _inside(first), False
        self.at += 1
        self._skip()
        last = self._one() if self.at < len(self.text) else None
        if last is None or last < first:
            raise ValueError(f"bad character range {first}-{last or ''}")
        return f"{_inside(first)}-{_inside(last)}", False

    def _one(self) -> str | None:
        """A character of a set; None at the letter of a class."""
        char = self.text[self.at]
        self.at += 1
        if char != "\\":
            return char
        if self.at == len(self.text):
            raise ValueError("bad escape (end of pattern)")
        return None if self.text[self.at].lower() in (*INSIDE, "p") else self._character()


def _inside(char: str) -> str:
    """A character as it stands in a set."""
    return f"\\{char}" if char in r"\]^-[&~|" else char
