"""Which Bazel this is: comparisons with a version, for code that chooses by it what it makes."""

_FINAL = 1

def _number(text):
    digits = ""
    for at in range(len(text)):
        if not text[at].isdigit():
            break
        digits += text[at]
    return int(digits) if digits else 0

def _parsed(version):
    """Three numbers, whether it is a release, and what tells pre-releases and candidates apart."""
    plain = version
    for mark in ("-", "rc"):
        plain = plain.partition(mark)[0]
    rest = version[len(plain):].lstrip("-")
    numbers = [_number(part) for part in plain.split(".")][:3]
    numbers += [0] * (3 - len(numbers))
    return (numbers, 0 if rest else _FINAL, [_number(part.lstrip("prec")) for part in rest.split(".")])

def _own():
    return _parsed(native.bazel_version)

def lt(version):
    return _own() < _parsed(version)

def le(version):
    return _own() <= _parsed(version)

def gt(version):
    return _own() > _parsed(version)

def ge(version):
    return _own() >= _parsed(version)

def ne(version):
    return _own() != _parsed(version)

def ge_same_major(version):
    return ge(version) and _own()[0][0] == _parsed(version)[0][0]
