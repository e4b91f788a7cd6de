"""C++ that Python calls by name: modules of pybind11 and nanobind, SWIG, ctypes, operators of torch extensions.

Read in any tree: ``chains`` says what each function of a file binds, ``modules`` joins them, ``definitions`` finds the
C++ behind a name, ``python_uses`` who calls it, ``index`` answers.
"""
