def _helper_repo_impl(ctx):
    lines = ctx.read(ctx.path(Label("//:list.txt"))).splitlines()
    for line in lines:
        ctx.file(line + ".txt", line)
    ctx.file("BUILD.bazel", """
package(default_visibility = ["//visibility:public"])

[filegroup(name = "helped_" + line, srcs = [line + ".txt"]) for line in %r]

filegroup(
    name = "helped",
    srcs = glob(["*.txt"]) + ["@blatt//:leaf"],
)
""" % lines)

helper_repo = repository_rule(implementation = _helper_repo_impl)

def _helper_impl(ctx):
    names = ctx.read(Label("//:list.txt")).splitlines()
    if len(names) != 3:
        fail("a list of three was expected")
    helper_repo(name = "of_helper")

helper = module_extension(implementation = _helper_impl)
