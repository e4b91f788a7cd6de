"""Repositories that hold one text, and the extension that makes them from tags."""

def _text_repository(ctx):
    ctx.file("BUILD", 'exports_files(["text.txt"])\n')
    ctx.file("text.txt", ctx.attr.text)

text_repository = repository_rule(_text_repository, attrs = {"text": attr.string(mandatory = True)})

_text = tag_class(attrs = {"name": attr.string(mandatory = True), "words": attr.string_list()})

def _texts(ctx):
    names = []
    for module in ctx.modules:
        for tag in module.tags.text:
            text_repository(name = tag.name, text = " ".join(tag.words))
            names.append(tag.name)
    text_repository(name = "index", text = "\n".join(names))

texts = module_extension(_texts, tag_classes = {"text": _text})
