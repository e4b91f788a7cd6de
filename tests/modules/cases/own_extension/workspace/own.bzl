def _own_repo_impl(ctx):
    ctx.file("BUILD", """
filegroup(
    name = "own",
    srcs = [
        "{label}",
        "@leaf//:leaf",
        "@owner//:other.txt",
        "@second//:own",
    ],
    visibility = ["//visibility:public"],
)
""".format(label = Label("//:own.txt")) if ctx.attr.other else """
filegroup(
    name = "own",
    srcs = ["@@//:own.txt"],
    visibility = ["//visibility:public"],
)
""")

own_repo = repository_rule(
    implementation = _own_repo_impl,
    attrs = {"other": attr.bool()},
)

def _own_impl(_ctx):
    own_repo(name = "of_own", other = True)
    own_repo(name = "second")

own = module_extension(implementation = _own_impl)
