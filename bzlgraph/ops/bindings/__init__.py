"""C++ that Python calls by name: modules of pybind11 and nanobind, SWIG, ctypes, operators of torch extensions.

Read in any tree: ``pybind`` and ``swig`` say what C++ files and interfaces bind, ``definitions`` finds the C++ behind a
name, ``read`` has all of a tree; ``python_uses`` says who calls it, ``index`` answers.
"""
