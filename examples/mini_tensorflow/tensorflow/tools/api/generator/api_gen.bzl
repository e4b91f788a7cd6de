# Mirrors tensorflow/tools/api/generator/api_gen.bzl: one genrule with a long list of outputs.

TENSORFLOW_API_INIT_FILES = [
    "api/__init__.py",
    "api/errors/__init__.py",
    "api/keras/__init__.py",
    "api/math/__init__.py",
    "api/nn/__init__.py",
]

def gen_api_init_files(name, output_files = TENSORFLOW_API_INIT_FILES, root_init_template = None, package = "tensorflow"):
    """The __init__.py files of the public API, and `name`."""
    template = " --root_init_template=$(location %s)" % root_init_template if root_init_template else ""
    native.genrule(
        name = name,
        outs = output_files,
        cmd = "$(location //tensorflow/tools/api/generator:create_python_api)%s --package=%s $(OUTS)" % (template, package),
        srcs = [root_init_template] if root_init_template else [],
        tools = ["//tensorflow/tools/api/generator:create_python_api"],
        visibility = ["//tensorflow:__pkg__"],
    )
