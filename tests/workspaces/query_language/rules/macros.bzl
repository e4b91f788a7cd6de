load("//rules:rules.bzl", "compile")

def inner(name, srcs):
    compile(
        name = name,
        srcs = srcs,
        checks = ["a", "b"],
        env = {"K": "v"},
    )

def outer(name, srcs):
    inner(name = name + "_inner", srcs = srcs)
    native.filegroup(
        name = name,
        srcs = [":" + name + "_inner"],
    )
