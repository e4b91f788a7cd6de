"""Every statement of a .bzl file, and comments in all places."""

# A comment of its own, before the load.
load("//tools:defs.bzl", "helper", renamed = "original")  # behind it
load(
    ":other.bzl",
    # before a name
    "one",
    "two",  # behind a name
    # below the last name
)

COPTS = ["-Wall", "-O" + str(2)] + select({
    "//conditions:default": [],
    ":cuda": ["-DCUDA=1"],  # behind an entry
})
DEEP = {"a": {"b": [1, 2.5, 0x1f, 0o17, 1e3, .5]}, "c": (), "d": (1,), "e": {}}
a, (b, [c, d]) = 1, (2, [3, 4])
x = 1; y = 2;

def empty():
    pass

def macro(name, srcs = [], *args, deps = None, visibility = ["//visibility:private"], **kwargs):
    """Doc string."""

    # before the loop
    for src in srcs:
        if src.endswith(".h") and not src.startswith("_") or src in args:
            continue
        elif src == "stop":
            break
        else:
            # before the call
            native.cc_library(
                # before an argument
                name = name + "_" + src[:-2],
                srcs = [src],  # behind an argument
                deps = (deps or []) + [
                    "//a:b",
                    # below the last item
                ],
                *args,
                **kwargs
            )  # behind the call
            # below the call

    def inner(p, *, q = 1):
        return p if q else None

    total = 0
    total += 1; total -= 1
    total *= 2; total //= 2; total %= 3
    total |= 1; total &= 1; total ^= 1; total <<= 1; total >>= 1; total /= 1
    kwargs["x"] = inner(1, q = 2).field
    kwargs["y"].z = [f(i, j) for i, j in pairs if i if j != i for k in range(i)]
    sorted(pairs, key = lambda pair: pair[1], reverse = True)
    return {k: v for k, v in kwargs.items()}, total

def one_line(x): return x

def operators(a, b):
    return (
        -a + +b * ~a // b % a / b - (a - (b - a)) |
        a ^ b & a << b >> a,
        not a, a == b, a != b, a < b, a <= b, a > b, a >= b, a in b, a not in b, not a in b,
        a or b and not a or (b or a), a if b else b if a else (a, b),
        lambda: 1, lambda x, y = 2, *z, **w: x,
        a[0], a[1:], a[:2], a[::3], a[1:2:3], a[:], a[1, 2], a[1, 2:], a.b.c(d)(e)[f].g,
    )

def strings():
    r = ['single', "double", r"raw\d", '''triple
single''', """triple "double" \
joined""", "\n\t\\\"\'\x41\u00e9\101\
end", "", '', """""", "\d\."]
    return "%s {}" % r + "é"

def late(
        x,  # behind a parameter
        # before a parameter
        y):
    return \
        x + \
        y
# the end
