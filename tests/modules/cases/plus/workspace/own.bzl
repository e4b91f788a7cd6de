load("@writer//:texts.bzl", "text_repo")

own = module_extension(lambda _ctx: text_repo(name = "of_own"))
