"""Rules that advertise providers, and aspects that require some."""

P = provider()
Q = provider()
MODE = "//command_line_option:compilation_mode"
_ALLOWED = {"_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist")}

def _nothing(ctx):
    return []

def _p(ctx):
    return [P()]

def _both(ctx):
    return [P(), Q()]

def _aspect(target, ctx):
    return []

def _opt(settings, attr):
    return {MODE: "opt"}

_TO_OPT = transition(implementation = _opt, inputs = [], outputs = [MODE])

says_none = rule(_nothing)
silent = rule(_p)
has_p = rule(_p, provides = [P])
has_both = rule(_both, provides = [P, Q])

def _bringing(name, **kwargs):
    return aspect(_aspect, attrs = {"_" + name: attr.label(default = "//:" + name)}, **kwargs)

_wants_p = _bringing("p", required_providers = [P])
_wants_both = _bringing("both", required_providers = [P, Q])
_wants_either = _bringing("either", required_providers = [[P], [Q]])
_wants_any = _bringing("any", required_providers = [[]])
_wants_default = _bringing("default", required_providers = [DefaultInfo])
_below = _bringing("below", required_providers = [Q])
_below_any = _bringing("below_any")
_above = _bringing("above", required_providers = [P], requires = [_below, _below_any])
_top = _bringing("top", requires = [_below])

def _applying(*aspects):
    return rule(_nothing, attrs = dict({
        "deps": attr.label_list(aspects = list(aspects), allow_files = True),
        "opt_deps": attr.label_list(aspects = list(aspects), allow_files = True, cfg = _TO_OPT),
    }, **_ALLOWED))

asks = _applying(_wants_p, _wants_both, _wants_either, _wants_any, _wants_default)
asks_above = _applying(_above)
asks_top = _applying(_top)
