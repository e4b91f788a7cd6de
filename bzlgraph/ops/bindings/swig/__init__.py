"""SWIG: interface files, and what they wrap of the headers that they include."""
