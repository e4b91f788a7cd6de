"""A rule without anything."""

def _nothing(ctx):
    return []

plain = rule(_nothing, attrs = {"deps": attr.label_list()})
