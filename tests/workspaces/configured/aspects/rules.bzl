"""Aspects that bring targets of their own."""

MODE = "//command_line_option:compilation_mode"
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

def _toolchain(ctx):
    return [platform_common.ToolchainInfo()]

def _aspect(target, ctx):
    return []

def _opt(settings, attr):
    return {MODE: "opt"}

def _split(settings, attr):
    return {mode: {MODE: mode} for mode in ["opt", "dbg"]}

_TO_OPT = transition(implementation = _opt, inputs = [], outputs = [MODE])
_SPLIT = transition(implementation = _split, inputs = [], outputs = [MODE])

plain = rule(_nothing, attrs = {"deps": attr.label_list(allow_files = True)})
turned = rule(_nothing, cfg = _TO_OPT, attrs = dict({"deps": attr.label_list()}, **_ALLOWED))
turns = rule(_nothing, attrs = dict({"deps": attr.label_list(cfg = _TO_OPT)}, **_ALLOWED))
turns_tools = rule(_nothing, attrs = {"deps": attr.label_list(cfg = "exec")})
implementation = rule(_toolchain)

def _bringing(attrs = {}, **kwargs):
    return aspect(_aspect, attr_aspects = ["deps"], attrs = attrs, **kwargs)

_brings = _bringing({"_program": attr.label(default = "//:program")})
_brings_tool = _bringing({"_program": attr.label(default = "//:program", cfg = "exec")})
_brings_opt = _bringing(dict({"_program": attr.label(default = "//:program", cfg = _TO_OPT)}, **_ALLOWED))
_brings_split = _bringing(dict({"_program": attr.label(default = "//:program", cfg = _SPLIT)}, **_ALLOWED))
_asks = _bringing(toolchains = ["//tc:type"])
_asks_and_brings = _bringing({"_tool": attr.label(default = "//:program", cfg = "exec")}, toolchains = ["//tc:type"])
_requires = _bringing(requires = [_brings_opt])

def _applying(asp):
    return rule(_nothing, attrs = dict({
        "deps": attr.label_list(aspects = [asp], allow_files = True),
        "opt_deps": attr.label_list(aspects = [asp], cfg = _TO_OPT),
        "tools": attr.label_list(aspects = [asp], cfg = "exec"),
        "others": attr.label_list(),
    }, **_ALLOWED))

brings = _applying(_brings)
brings_tool = _applying(_brings_tool)
brings_opt = _applying(_brings_opt)
brings_split = _applying(_brings_split)
asks = _applying(_asks)
asks_and_brings = _applying(_asks_and_brings)
requires = _applying(_requires)
same_name = rule(_nothing, attrs = {
    "deps": attr.label_list(aspects = [_brings_opt]),
    "_program": attr.label(default = "//:for_rest"),
})
