def if_fast(yes, no = []):
    return select({
        "//:fast": yes,
        "//conditions:default": no,
    })

def wrapped(name, deps):
    native.cc_library(
        name = name,
        deps = deps + if_fast(["//other:fast_lib"]) + select({
            "//other:here": [":lib"],
            "//conditions:default": [],
        }),
    )
