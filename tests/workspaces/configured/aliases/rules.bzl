"""Rules that lead to aliases in other configurations."""

MODE = "//command_line_option:compilation_mode"
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

def _writes(ctx):
    ctx.actions.write(ctx.outputs.out, "")

def _mode(settings, attr):
    return {MODE: attr.mode}

def _both(settings, attr):
    return [{MODE: "opt"}, {MODE: "dbg"}]

_TO_MODE = transition(implementation = _mode, inputs = [], outputs = [MODE])
_BOTH = transition(implementation = _both, inputs = [], outputs = [MODE])

plain = rule(_nothing, attrs = {"deps": attr.label_list(allow_files = True), "tools": attr.label_list(allow_files = True, cfg = "exec")})
moded = rule(_nothing, cfg = _TO_MODE, attrs = dict({
    "deps": attr.label_list(allow_files = True),
    "mode": attr.string(default = "opt"),
}, **_ALLOWED))
both = rule(_nothing, attrs = dict({"parts": attr.label_list(cfg = _BOTH, allow_files = True)}, **_ALLOWED))
keyed = rule(_nothing, attrs = {"deps": attr.label_keyed_string_dict(), "_default": attr.label(default = "//:chosen")})
writer = rule(_writes, cfg = _TO_MODE, attrs = dict({
    "deps": attr.label_list(),
    "mode": attr.string(default = "opt"),
    "out": attr.output(),
}, **_ALLOWED))
