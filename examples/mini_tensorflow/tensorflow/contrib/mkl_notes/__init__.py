# Mirrors tensorflow/contrib/mkl_notes/__init__.py.
