"""Run by a Python that has TensorFlow (1.12 to 2.x): writes the ops and kernels of its runtime's registry as JSON.

{"ops": [name, ...], "kernels": [[op, device, class], ...]}. The class is asked for with a NodeDef made to match the
kernel's constraints; "" where no node could be made. Kept free of anything newer than Python 3.6.
"""

import ctypes
import json
import os
import struct
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [each for each in sys.path if os.path.abspath(each) != HERE]  # its folder "tensorflow" is not the wheel


def registry():
    """(op definitions by name, kernel definitions, function from a serialized NodeDef to its kernel's class)."""
    import tensorflow  # noqa: F401  (loads the library that registers)
    from tensorflow.core.framework import kernel_def_pb2, op_def_pb2

    ops, kernels = op_def_pb2.OpList(), kernel_def_pb2.KernelList()
    try:
        from tensorflow.python.client import pywrap_tf_session as session
        from tensorflow.python.framework import kernels as registered

        try:
            from tensorflow.python.util import _pywrap_kernel_registry as classes
        except ImportError:  # before 2.5
            from tensorflow.python import _pywrap_kernel_registry as classes

        ops.ParseFromString(session.TF_GetBuffer(session.TF_GetAllOpList()))
        kernels, find = registered.get_all_registered_kernels(), classes.TryFindKernelClass
    except ImportError:
        from tensorflow.python import pywrap_tensorflow as session

        ops.ParseFromString(session.TF_GetBuffer(session.TF_GetAllOpList()))
        kernels.ParseFromString(session.TF_GetBuffer(session.TF_GetAllRegisteredKernels()))
        find = getattr(session, "TryFindKernelClass", None) or found_in(session)
    return {each.name: each for each in ops.op}, kernels.kernel, find


def found_in(session):
    """``TryFindKernelClass`` of 2.1, which no module gives to Python: its symbol takes and gives a ``std::string`` of
    the old kind (a pointer behind its length, its room and a count)."""
    library = ctypes.CDLL(os.path.join(os.path.dirname(session.__file__), "_pywrap_tensorflow_internal.so"))
    function = library._ZN10tensorflow4swig18TryFindKernelClassERKSs
    function.restype, function.argtypes = None, [ctypes.c_void_p, ctypes.c_void_p]

    def find(node):
        written = ctypes.create_string_buffer(struct.pack("qqq", len(node), len(node), 1 << 20) + node)
        given, made = ctypes.c_void_p(ctypes.addressof(written) + 24), ctypes.c_void_p()
        function(ctypes.byref(made), ctypes.byref(given))
        (length,) = struct.unpack("q", ctypes.string_at(made.value - 24, 8))
        return ctypes.string_at(made.value, length)

    return find


def node_for(kernel, op):
    """A node that the kernel is made for: its device, its label, the first type that each constraint allows."""
    from tensorflow.core.framework import node_def_pb2

    node = node_def_pb2.NodeDef(name="n", op=kernel.op)
    node.device = "/job:localhost/replica:0/task:0/device:{}:0".format(kernel.device_type)  # noqa: UP032
    if kernel.label:
        node.attr["_kernel"].s = kernel.label.encode()
    kinds = {}
    for attr in op.attr:
        kinds[attr.name] = attr.type
        if attr.HasField("default_value"):
            node.attr[attr.name].CopyFrom(attr.default_value)
        elif attr.type == "type":
            allowed = attr.allowed_values.list.type
            node.attr[attr.name].type = allowed[0] if allowed else 1
        elif attr.type == "list(type)":
            node.attr[attr.name].list.type.append(1)
        elif attr.type == "int":
            node.attr[attr.name].i = 1
    for constraint in kernel.constraint:
        allowed = constraint.allowed_values.list
        if allowed.type and kinds.get(constraint.name) == "list(type)":
            node.attr[constraint.name].Clear()
            node.attr[constraint.name].list.type.append(allowed.type[0])
        elif allowed.type:
            node.attr[constraint.name].type = allowed.type[0]
        elif allowed.s:
            node.attr[constraint.name].s = allowed.s[0]
    node.input.extend("x" for _ in op.input_arg)
    return node


def main():
    """Write the registry to the file that is named."""
    ops, kernels, find = registry()
    rows = []
    for kernel in kernels:
        name = find(node_for(kernel, ops[kernel.op]).SerializeToString()) if kernel.op in ops else ""
        rows.append([kernel.op, kernel.device_type, name.decode() if isinstance(name, bytes) else name])
    with open(sys.argv[1], "w") as file:
        json.dump({"ops": sorted(ops), "kernels": rows}, file)


if __name__ == "__main__":
    main()
