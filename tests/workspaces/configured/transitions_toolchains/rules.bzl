"""Rules that ask for toolchains, and that change what is asked."""

OPTION = "//command_line_option:"
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

def _toolchain(ctx):
    return [platform_common.ToolchainInfo()]

def _to_platform(settings, attr):
    return {OPTION + "platforms": attr.platform}

def _to_all(settings, attr):
    return {name: {OPTION + "platforms": "//platforms:target_" + name} for name in ["linux", "windows"]}

def _to_extra(settings, attr):
    return {OPTION + "extra_toolchains": settings[OPTION + "extra_toolchains"] + ["//tc/extra:toolchain"]}

def _to_machine(settings, attr):
    return {OPTION + "extra_execution_platforms": ["//platforms:large_machine"]}

def _to_quick(settings, attr):
    return {"//:quick": not settings["//:quick"]}

def _transition(function, names, inputs = []):
    return transition(implementation = function, inputs = inputs, outputs = names)

_TO_PLATFORM = _transition(_to_platform, [OPTION + "platforms"])
_TO_ALL = _transition(_to_all, [OPTION + "platforms"])
_TO_EXTRA = _transition(_to_extra, [OPTION + "extra_toolchains"], [OPTION + "extra_toolchains"])
_TO_MACHINE = _transition(_to_machine, [OPTION + "extra_execution_platforms"])
_TO_QUICK = _transition(_to_quick, ["//:quick"], ["//:quick"])

bool_flag = rule(_nothing, build_setting = config.bool(flag = True))
plain = rule(_nothing, attrs = {"deps": attr.label_list()})
asks = rule(
    _nothing,
    attrs = {"deps": attr.label_list(), "tool": attr.label(cfg = "exec")},
    toolchains = ["//tc:type"],
)
moved = rule(
    _nothing,
    attrs = dict({"deps": attr.label_list(), "platform": attr.string()}, **_ALLOWED),
    cfg = _TO_PLATFORM,
    toolchains = ["//tc:type"],
)
everywhere = rule(_nothing, attrs = dict({"parts": attr.label_list(cfg = _TO_ALL)}, **_ALLOWED), toolchains = ["//tc:type"])
quick = rule(_nothing, attrs = dict({"deps": attr.label_list()}, **_ALLOWED), cfg = _TO_QUICK)
extra = rule(_nothing, attrs = dict({"deps": attr.label_list()}, **_ALLOWED), cfg = _TO_EXTRA, toolchains = ["//tc:type"])
on_large = rule(_nothing, attrs = dict({"part": attr.label(cfg = _TO_MACHINE)}, **_ALLOWED))
implementation = rule(_toolchain, attrs = dict({
    "compiler": attr.label(cfg = "exec"),
    "quick_parts": attr.label_list(cfg = _TO_QUICK),
    "deps": attr.label_list(),
}, **_ALLOWED))
