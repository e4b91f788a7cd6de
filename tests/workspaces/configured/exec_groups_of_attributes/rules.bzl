"""A rule whose attributes have tools of its exec groups."""

def _nothing(ctx):
    return []

def _toolchain(ctx):
    return [platform_common.ToolchainInfo()]

plain = rule(_nothing, attrs = {"deps": attr.label_list()})
implementation = rule(_toolchain)

asks = rule(
    _nothing,
    attrs = {
        "own": attr.label(cfg = config.exec()),
        "heavy": attr.label(cfg = config.exec("heavy")),
        "light": attr.label(cfg = config.exec(exec_group = "light")),
        "lists": attr.label_list(cfg = config.exec("heavy")),
    },
    exec_groups = {
        "heavy": exec_group(toolchains = ["//tc:type"]),
        "light": exec_group(exec_compatible_with = ["//platforms:fast"]),
    },
)
asks_twice = rule(
    _nothing,
    attrs = {"heavy": attr.label(cfg = config.exec("heavy")), "own": attr.label(cfg = "exec")},
    exec_groups = {"heavy": exec_group(toolchains = ["//tc:type"])},
    toolchains = ["//tc:other_type"],
)
no_group = rule(_nothing, attrs = {"tool": attr.label(cfg = config.exec("absent"))})
