"""Rules whose attributes are built for the target, for actions, for the machine that builds."""

def _nothing(ctx):
    return []

plain = rule(_nothing, attrs = {"deps": attr.label_list()})
asks = rule(
    _nothing,
    attrs = {
        "target": attr.label(cfg = "target"),
        "exec": attr.label(cfg = "exec"),
        "host": attr.label(cfg = "host"),
    },
)
