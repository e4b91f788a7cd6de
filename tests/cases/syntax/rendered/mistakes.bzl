import os

def f(x):
    if x is None:
        return f"{x}"
    y = 1 < x < 3
    while x:
        x++
    return (a for a in x)

f(a = 1, a = 2)
load("//:x.bzl", "_y")
