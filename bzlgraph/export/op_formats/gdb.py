"""An answer about an op as a gdb script: a breakpoint for each step in C++, and how to build so that they hold."""

from __future__ import annotations

from collections.abc import Iterator

from bzlgraph.base.words import printable
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tracer import Answer, OpTrace

SYMBOLS = "-c dbg --strip=never"


def gdb_text(answer: Answer) -> str:
    """Lines that ``gdb -x`` takes."""
    lines = [f"# {answer.asked}: breakpoints in the compute methods of its kernels"]
    targets = dict.fromkeys(target for story in answer.stories for kernel in story.kernels for target in kernel.targets)
    for target in targets:
        lines.append(f"# bazel build {SYMBOLS} {target}")
    if targets:
        folders = dict.fromkeys(target.partition(":")[0].lstrip("/") for target in targets)
        wanted = ",".join(f"+{folder}" for folder in folders)
        lines.append(f"# symbols for these packages only: bazel build --per_file_copt={wanted}@-g,-O0 ...")
    lines.append("set breakpoint pending on")
    for story in answer.stories:
        lines += _story(story)
    return "\n".join(map(printable, lines)) + "\n"  # a line break in a name must not become a command


def _story(story: OpTrace) -> Iterator[str]:
    yield f"# op {story.op}"
    for each in story.registrations:
        if each.shape_function:
            yield f"break {each.shape_function.short}"
    seen: set[str] = set()
    for kernel in story.kernels:
        where = _break(kernel)
        if where and where not in seen:
            seen.add(where)
            yield f"break {where}"
            yield f"# {kernel.device} {kernel.kernel_class}{f' when {kernel.when}' if kernel.when else ''}"
    if not seen:
        yield "# no location of a compute method is known"


def _break(kernel: KernelRegistration) -> str:
    if kernel.compute is not None and kernel.compute.line:
        return kernel.compute.short
    return kernel.location.short if kernel.location.line else ""
