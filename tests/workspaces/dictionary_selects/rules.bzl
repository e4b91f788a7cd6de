def _thing(ctx):
    return []

thing = rule(implementation = _thing, attrs = {"env": attr.string_dict(), "flag": attr.bool()})
