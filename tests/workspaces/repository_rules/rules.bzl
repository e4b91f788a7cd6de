"""Repository rules of every kind."""

_ATTRS = ["name", "text", "flag", "number", "one", "many", "keyed", "none", "words", "ints", "pairs", "_private", "_list"]

def _inside(ctx, text):
    """A path without what differs between machines."""
    here = str(ctx.path(Label("//:WORKSPACE")).dirname)
    return str(text).replace(str(ctx.path(".")), "REPOSITORY").replace(here, "CHECKOUT")

def _values_impl(ctx):
    out = []
    for name in _ATTRS:
        value = getattr(ctx.attr, name)
        out.append("%s is %r, a %s" % (name, value, type(value)))
    here = ctx.path(Label("//:WORKSPACE")).dirname
    lib = here.get_child("lib")
    out.append("paths: " + ", ".join([_inside(ctx, each) for each in [
        lib,
        ctx.path("a/../b/./c"),
        ctx.path("a").dirname,
        ctx.path("."),
        lib.get_child("one").realpath,
    ]]))
    out.append("there: " + repr([lib.exists, lib.get_child("nothing").exists, lib.basename, type(lib)]))
    out.append("in lib: " + repr(sorted([each.basename for each in lib.readdir()])))
    out.append("same: " + repr([ctx.path("a") == ctx.path("./a"), ctx.path("a") == ctx.path("b")]))

    ctx.file("twice", "x")
    ctx.file("twice", "y")
    ctx.file("deep/er/file")
    ctx.template("names.bzl", Label("//:names.tpl"), {"%{a}": "1", "%{b}": "'%{a}'"})
    ctx.template("names.bzl", ctx.path(Label("//:names.tpl")), substitutions = {"%{b}": "'%{a}'", "%{a}": "2"})
    ctx.symlink(Label("//lib:one"), "linked")
    ctx.symlink(lib, "folder")
    out.append("links: " + ", ".join([_inside(ctx, ctx.path(each).realpath) for each in ["linked", "folder/one", "twice"]]))
    out.append("written: " + repr(sorted([each.basename for each in ctx.path(".").readdir()])))
    result = ctx.execute(["uname", "-s"])
    out.append("ran: " + repr([result.return_code, result.stdout, result.stderr]))
    out.append("kinds: " + repr([type(each) for each in [ctx, ctx.os, ctx.attr, result]]))
    out.append("host: " + ctx.os.name)
    out.append("test: " + repr([ctx.execute(["test", "-f", str(lib) + "/" + each]).return_code for each in ["one", "two"]]))
    ctx.file("out.bzl", "OUT = " + repr(out))
    ctx.file("BUILD", "exports_files(glob(['**']), visibility = ['//visibility:public'])")

values = repository_rule(
    implementation = _values_impl,
    attrs = {
        "flag": attr.bool(),
        "ints": attr.int_list(default = [1]),
        "keyed": attr.label_keyed_string_dict(),
        "many": attr.label_list(),
        "none": attr.label(),
        "number": attr.int(default = 3),
        "one": attr.label(),
        "pairs": attr.string_dict(default = {"b": "1", "a": "2"}),
        "text": attr.string(default = "t"),
        "words": attr.string_list_dict(),
        "_list": attr.label_list(default = ["//tools:private"]),
        "_private": attr.label(default = "//tools:private"),
    },
)

def _vendored_impl(ctx):
    path = ctx.path(Label("//:WORKSPACE")).dirname
    for part in ["inside", "vendored"]:
        path = path.get_child(part)
    ctx.symlink(path, ".")

vendored = repository_rule(implementation = _vendored_impl)

_DEFS = """
load("@%s//:rules.bzl", "spoke")

def declare():
    for name in %r:
        spoke(name = "spoke_" + name, of = name)
"""

def _generated_impl(ctx):
    ctx.file("BUILD", "")
    ctx.file("defs.bzl", _DEFS % ("", ["a", "b"]))
    ctx.file("pkg/BUILD.bazel", "filegroup(name = 'made', srcs = glob(['*.txt']), visibility = ['//visibility:public'])")
    ctx.file("pkg/BUILD", "filegroup(name = 'not_made')")
    ctx.file("pkg/1.txt")
    ctx.symlink(Label("@x//:linked"), "pkg/2.txt")

generated = repository_rule(implementation = _generated_impl)

def _spoke_impl(ctx):
    ctx.file("BUILD", "filegroup(name = %r, visibility = ['//visibility:public'])" % ctx.attr.of)

spoke = repository_rule(implementation = _spoke_impl, attrs = {"of": attr.string(mandatory = True)})
