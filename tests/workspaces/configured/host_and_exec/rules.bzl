"""Rules that change a flag, and rules with tools."""

def _nothing(ctx):
    return []

def _red(settings, attr):
    return {"//:color": "red"}

_TO_RED = transition(implementation = _red, inputs = [], outputs = ["//:color"])
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

string_flag = rule(_nothing, build_setting = config.string(flag = True))
plain = rule(_nothing, attrs = {"deps": attr.label_list()})
red = rule(_nothing, cfg = _TO_RED, attrs = dict({"deps": attr.label_list()}, **_ALLOWED))
red_parts = rule(_nothing, attrs = dict({"deps": attr.label_list(cfg = _TO_RED)}, **_ALLOWED))
tools = rule(_nothing, attrs = {"host": attr.label(cfg = "host"), "exec": attr.label(cfg = "exec")})
