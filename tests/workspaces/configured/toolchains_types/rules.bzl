"""Rules that ask for toolchains, and toolchains."""

def _nothing(ctx):
    return []

def _toolchain(ctx):
    return [platform_common.ToolchainInfo()]

plain = rule(_nothing, attrs = {"deps": attr.label_list()})
implementation = rule(
    _toolchain,
    attrs = {"compiler": attr.label(cfg = "exec"), "deps": attr.label_list()},
)
one = rule(_nothing, attrs = {"deps": attr.label_list()}, toolchains = ["//tc:compiler"])
two = rule(
    _nothing,
    attrs = {"deps": attr.label_list(), "tool": attr.label(cfg = "exec")},
    toolchains = ["//tc:compiler", "//tc:linker"],
)
