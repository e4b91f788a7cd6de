"""Rules that change the platform or the cpu."""

_CPU, _PLATFORMS = "//command_line_option:cpu", "//command_line_option:platforms"
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

def _to_cpu(settings, attr):
    return {_CPU: attr.cpu}

def _to_platform(settings, attr):
    return {_PLATFORMS: [attr.platform]}

plain = rule(_nothing, attrs = {"deps": attr.label_list()})
tools = rule(_nothing, attrs = {"exec": attr.label(cfg = "exec"), "host": attr.label(cfg = "host")})
with_cpu = rule(
    _nothing,
    cfg = transition(implementation = _to_cpu, inputs = [], outputs = [_CPU]),
    attrs = dict({"cpu": attr.string(), "deps": attr.label_list()}, **_ALLOWED),
)
with_platform = rule(
    _nothing,
    cfg = transition(implementation = _to_platform, inputs = [], outputs = [_PLATFORMS]),
    attrs = dict({"platform": attr.string(), "deps": attr.label_list()}, **_ALLOWED),
)
