"""A rule that nobody calls, whose name says that it is a test."""

def _impl(_ctx):
    pass

good = rule(implementation = _impl)
not_a_test = rule(implementation = _impl)
