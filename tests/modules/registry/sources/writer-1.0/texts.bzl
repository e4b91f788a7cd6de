"""An extension that writes a repository for each tag, and a hub that tells of all."""

def _text_repo_impl(ctx):
    ctx.file("BUILD", """
filegroup(
    name = "text",
    srcs = ["text.txt", {file}],
    visibility = ["//visibility:public"],
)
""".format(file = repr(str(ctx.attr.file)) if ctx.attr.file else ""))
    ctx.file("text.txt", ctx.attr.content)

text_repo = repository_rule(
    implementation = _text_repo_impl,
    attrs = {
        "content": attr.string(default = "nothing"),
        "file": attr.label(),
    },
)

_HUB = """
filegroup(
    name = "{name}",
    srcs = ["@{repository}//:text"],
)
"""

def _hub_repo_impl(ctx):
    lines = ['package(default_visibility = ["//visibility:public"])']
    for name, repository in ctx.attr.texts.items():
        lines.append(_HUB.format(name = name, repository = repository))
    lines.append('filegroup(name = "leaf", srcs = ["@leaf//:leaf", "@writer//:notes.txt"])')
    ctx.file("BUILD", "\n".join(lines))

_hub_repo = repository_rule(
    implementation = _hub_repo_impl,
    attrs = {"texts": attr.string_dict()},
)

def _texts_impl(ctx):
    told = {}
    for module in ctx.modules:
        for tag in module.tags.text:
            text_repo(name = tag.name, content = tag.content, file = tag.file)
            words = [
                str(len(told)),
                module.name,
                module.version,
                "root" if module.is_root else "not-root",
                "dev" if ctx.is_dev_dependency(tag) else "not-dev",
                tag.name,
            ]
            told["-".join(words)] = tag.name
        for tag in module.tags.note:
            words = [str(len(told)), module.name, "note", tag.word, "%d" % tag.number]
            told["-".join(words)] = "writer"
    _hub_repo(name = "hub", texts = {
        name: repository
        for name, repository in told.items()
        if repository != "writer"
    })

_text = tag_class(attrs = {
    "name": attr.string(mandatory = True),
    "content": attr.string(default = "default text"),
    "file": attr.label(),
})

_note = tag_class(attrs = {
    "word": attr.string(values = ["yes", "no"], default = "yes"),
    "number": attr.int(default = 1),
})

texts = module_extension(
    implementation = _texts_impl,
    tag_classes = {"text": _text, "note": _note},
)

def _direct_impl(ctx):
    for module in ctx.modules:
        for tag in module.tags.text:
            text_repo(name = tag.name)
    return ctx.extension_metadata(
        root_module_direct_deps = ["wanted"],
        root_module_direct_dev_deps = [],
    )

direct = module_extension(
    implementation = _direct_impl,
    tag_classes = {"text": _text},
)

def _failing_impl(_ctx):
    fail("this extension never works")

failing = module_extension(implementation = _failing_impl)

def _twice_impl(_ctx):
    text_repo(name = "one")
    text_repo(name = "one")

twice = module_extension(implementation = _twice_impl)
