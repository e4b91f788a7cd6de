"""build_test: a test that passes when its targets build."""

def _build_test_impl(ctx):
    pass

_empty_test = rule(
    implementation = _build_test_impl,
    attrs = {"data": attr.label_list(allow_files = True)},
    test = True,
)

def build_test(name, targets, **kwargs):
    """A test of the targets, through a genrule for each."""
    names = []
    for i, target in enumerate(targets):
        genrule = "%s_%d.genrule" % (name, i)
        native.genrule(
            name = genrule,
            srcs = [target],
            outs = ["%s_%d.out" % (name, i)],
            testonly = kwargs.get("testonly", 1),
            visibility = ["//visibility:private"],
            cmd = "touch $@",
            tags = kwargs.get("tags", []) + ["manual"],
        )
        names.append(genrule)
    _empty_test(name = name, data = names, **kwargs)
