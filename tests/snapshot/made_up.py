"""Questions made up from the labels of a tree."""

from __future__ import annotations

import random
from collections.abc import Iterator


def made_up(labels: list[str], seed: object, number: int, of_targets: bool = False) -> Iterator[list[str]]:
    """Questions of all functions that the kept graph knows, about these labels; ``of_targets``: of those functions and
    formats that read targets."""
    choose = random.Random(str(seed)).choice
    packages = sorted({label.partition(":")[0] for label in labels if label.startswith("//")})
    patterns = [*labels, *(f"{each}:{name}" for each in packages for name in ("all", "*")), "//..."]
    patterns += [f"{each}/..." for each in packages if each != "//"]
    forms = (
        "deps(A)", "deps(A, 2)", "rdeps(B, A)", "rdeps(B, A, 1)", "rdeps(//..., A)", "rdeps(//..., B, 2)",
        "allpaths(A, B)", "somepath(A, B)", "siblings(A)", "same_pkg_direct_rdeps(A)", "some(B)", "some(B, 3)",
        "kind(cc_library, deps(A))", 'kind("source|cc_.* rule", B)', "filter(core, B)", 'filter("[a-f]+_test$", B)',
        "A + deps(B) - C", "deps(A) ^ B", "let x = B in $x - deps($x, 1)", "set(A B C)", "B", "A", "allrdeps(A)",
        "allrdeps(A, 2)", "deps(A + B + C)",
    )  # fmt: skip
    options = (
        [], [], [], ["--output=label_kind"], ["--output=package"], ["--noimplicit_deps"], ["--notool_deps"],
        ["--nonodep_deps"], ["-k"], ["--order_output=no"], ["--order_output=full"],
    )  # fmt: skip
    if of_targets:
        forms = (
            "deps(A, 2)", "rdeps(B, A)", "somepath(A, B)", "B", "A", "A + B + C", "attr(tags, manual, B)",
            'attr(visibility, "public", B)', "attr(deps, lib, deps(A))", "attr($is_executable, 1, B)",
            "attr(nowhere, 1, B)", "labels(deps, B)", "labels(srcs, A)", "labels(data, deps(A))", "tests(B)",
            "tests(A + B) ^ deps(C)", "visible(A, B)", "visible(B, deps(A))", "made_by(tf_cc_test, B)",
            "made_by(//tensorflow:tensorflow.bzl, deps(A))", "uncertain(B)", "uncertain(deps(A))", "executables(B)",
            'deps_by("deps|srcs", A)', "deps_by(deps, B, 2)", "rdeps_by(deps, B, A)", "made_by(tf_gen_op_libs)",
            "rdeps(//..., A)", "deps_by(deps, rdeps(//..., A))", "tests(rdeps(//..., A))",
            "deps(tests(B))", "kind(rule, labels(deps, B))", "attr(name, '^[a-f]', B)",
        )  # fmt: skip
        written = (
            *("location", "minrank", "maxrank", "graph", "build", "xml", "proto", "streamed_proto", "jsonproto"),
            *("streamed_jsonproto", "json", "jsonl", "table", "csv", "markdown", "html", "graphml"),
        )
        options = (*([] for _ in written), *options, *([f"--output={name}"] for name in written))
    for _ in range(number):
        text = choose(forms)
        for variable in "ABC":
            text = text.replace(variable, choose(patterns))
        yield [text, *choose(options)]
