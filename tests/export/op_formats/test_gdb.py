"""A script for gdb runs what it says: a checkout must not choose its lines."""

from bzlgraph.base.span import Location
from bzlgraph.export.op_formats.gdb import gdb_text
from bzlgraph.ops.model import KernelRegistration
from bzlgraph.ops.tracer import Answer, OpTrace


def test_a_line_break_in_a_name_is_no_command() -> None:
    kernel = KernelRegistration(
        "Op",
        "CPU\nshell rm",
        "K",
        Location("a\nshell touch harm.cc", 3, 1),
        compute=Location("b\r\nshell touch harm.cc", 7, 1),
        targets=("//a:b\nshell touch harm",),
    )
    lines = gdb_text(Answer("Op\nshell x", "tensorflow", stories=(OpTrace("Op\nshell y", kernels=(kernel,)),)))
    assert {line.split()[0] for line in lines.splitlines()} <= {"#", "set", "break"}
    assert "shell touch harm" in lines
