"""What pybind11, nanobind and torch's libraries give to Python: read in C++ files, joined to modules."""
