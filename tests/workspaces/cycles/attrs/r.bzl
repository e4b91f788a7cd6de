def _impl(ctx):
    pass
r = rule(implementation = _impl, attrs = {"deps": attr.label_list(), "late": attr.label(), "_tool": attr.label(default = "//attrs:t")})
def m(name):
    r(name = name, deps = [name + "_lib"])
    r(name = name + "_lib", late = ":" + name)
