load("@in//:told.bzl", "told")

def wrapped(name):
    told(
        name = name,
        data = [
            Label("//:middle"),
            Label("@in//:inner.txt"),
            Label("@blatt//:leaf"),
        ],
    )
