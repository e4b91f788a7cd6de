# Mirrors third_party/ngraph/build_defs.bzl.

def clean_dep(dep):
    return str(Label(dep))

def if_ngraph(if_true, if_false = []):
    return select({
        clean_dep("//third_party/ngraph:with_ngraph_support"): if_true,
        "//conditions:default": if_false,
    })
