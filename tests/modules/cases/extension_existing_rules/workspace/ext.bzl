def _text_impl(ctx):
    ctx.file("BUILD", "filegroup(name = %s)" % repr(ctx.attr.target))

_text = repository_rule(implementation = _text_impl, attrs = {"target": attr.string()})

def _maybe(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def _impl(ctx):
    _text(name = "asked", target = "%s_%s" % (type(native.existing_rule("asked")), len(native.existing_rules())))
    _maybe(_text, "perhaps", target = type(native.existing_rule("asked")))

ext = module_extension(implementation = _impl)
