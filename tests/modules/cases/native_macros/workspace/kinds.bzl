"""A rule is known by its class."""

def kinds():
    for name, rule in native.existing_rules().items():
        native.genrule(
            name = "%s_is_%s" % (name, rule["kind"]),
            outs = [name + ".kind"],
            cmd = "touch $@",
        )
