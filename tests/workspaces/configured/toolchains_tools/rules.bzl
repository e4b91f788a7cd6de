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
asks = rule(
    _nothing,
    attrs = {"deps": attr.label_list(), "tool": attr.label(cfg = "exec")},
    toolchains = ["//tc:compiler"],
)
same = rule(
    _nothing,
    toolchains = ["//tc:compiler"],
    incompatible_use_toolchain_transition = True,
)
nested = rule(
    _toolchain,
    attrs = {"compiler": attr.label(cfg = "exec"), "deps": attr.label_list()},
    toolchains = ["//tc:inner_type"],
)
