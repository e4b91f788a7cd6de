# Mirrors tensorflow/contrib/lite/build_def.bzl: macros of a part that also ships alone.

load("//tensorflow:tensorflow.bzl", "tf_cc_test")

def tflite_copts():
    """Flags of every TFLite library."""
    copts = ["-DFARMHASH_NO_CXX_STRING"] + select({
        str(Label("//tensorflow:android_arm64")): ["-std=c++11", "-O3"],
        str(Label("//tensorflow:android")): ["-mfpu=neon", "-std=c++11"],
        "//conditions:default": [],
    })
    return copts

def tflite_test(name, srcs, deps = [], tags = [], **kwargs):
    """A tf_cc_test that also runs on phones, unless its tags say no."""
    mobile = "tflite_not_portable" not in tags
    tf_cc_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = srcs,
        tags = tags + (["tflite"] if mobile else []),
        deps = deps + ["//tensorflow/core:test_main"],
        **kwargs
    )
