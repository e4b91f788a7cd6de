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
grouped = rule(
    _nothing,
    attrs = {"deps": attr.label_list()},
    exec_groups = {
        "link": exec_group(toolchains = ["//tc:linker"], exec_compatible_with = ["//platforms:large"]),
        "test": exec_group(toolchains = ["//tc:runner"]),
    },
    toolchains = ["//tc:compiler"],
)
only_groups = rule(_nothing, exec_groups = {"test": exec_group(toolchains = ["//tc:runner"])})
